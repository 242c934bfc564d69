// Pictures of domains and of datasets, in both dialects (common 18). Their permissions are tested with those of the
// other routes.

import { beforeAll, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import type { Fields, Method, Options, Reply } from './client.ts'
import { makeHome, newDomain as newHsdsDomain, OCTETS } from './hsds/domain.ts'
import { pixelsOf } from './png.ts'

interface AnyDomain {
  readonly root: string
  send(method: Method, target: string, body?: unknown, options?: Options): Promise<Reply>
  want(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<Fields>
  dataset(body: Fields): Promise<string>
  group(name: string, parent?: string): Promise<string>
}

beforeAll(makeHome)

/** Width, height, and the indexes of the colours of the first row. */
function partsOf(reply: Reply): readonly [width: number, height: number, row: readonly number[]] {
  const rows = pixelsOf(reply)
  return [rows[0].length, rows.length, rows[0]]
}

describe.each<[string, () => Promise<AnyDomain>]>([
  ['classic', newClassicDomain],
  ['hsds', newHsdsDomain],
])('in the %s dialect', (_, newDomain) => {
  async function add(
    domain: AnyDomain,
    name: string,
    shape: readonly number[],
    numbers: Uint8Array | undefined,
    parent = domain.root,
    type = 'H5T_STD_U8LE',
  ): Promise<string> {
    const id = await domain.dataset({ type, shape, link: { id: parent, name } })
    const headers = { 'Content-Type': OCTETS }
    if (numbers) await domain.want(200, 'PUT', `/datasets/${id}/value`, Buffer.from(numbers), { headers })
    return id
  }

  async function ask(domain: AnyDomain, status = 200, query = ''): Promise<Reply> {
    const reply = await domain.send('GET', `/thumbnail${query}`)
    expect(reply.status, reply.story).toBe(status)
    return reply
  }

  const ramp = (length: number) => Uint8Array.from({ length }, (_, i) => i)

  test('of a matrix, in colours from its smallest to its largest number', async () => {
    const domain = await newDomain()
    await add(domain, 'm', [2, 3], ramp(6))
    const reply = await ask(domain)
    expect(reply.headers['content-type']).toBe('image/png')
    expect(reply.headers['content-disposition']).toMatch(/\.png"/)
    expect(partsOf(reply)).toEqual([3, 2, [0, 51, 102]])
  })

  test('of a large field, brought down to at most 128 x 128', async () => {
    const domain = await newDomain()
    const field = new Uint8Array(1000 * 129).fill(3)
    field.fill(9, 0, 8 * 129)
    await add(domain, 'm', [1000, 129], field)
    const [width, height, row] = partsOf(await ask(domain))
    expect([width, height]).toEqual([17, 125])
    expect(new Set(row)).toEqual(new Set([254]))
  })

  test('of the middle of a stack, and of the first of a few values at each place', async () => {
    const stack = await newDomain()
    await add(
      stack,
      's',
      [3, 2, 8],
      Uint8Array.from({ length: 48 }, (_, i) => (Math.floor(i / 16) === 1 ? i % 2 : 7)),
    )
    expect(partsOf(await ask(stack))).toEqual([8, 2, [0, 254, 0, 254, 0, 254, 0, 254]])
    const kinds = await newDomain()
    await add(kinds, 'c', [2, 5, 2], ramp(20))
    const [width, height, row] = partsOf(await ask(kinds))
    expect([width, height, row[0], row[1]]).toEqual([5, 2, 0, 28])
  })

  test('of the first field that is near the root, written and of numbers', async () => {
    const domain = await newDomain()
    const deep = await domain.group('a')
    await add(domain, 'deep', [3, 3], ramp(9), deep)
    await add(domain, 'empty', [4, 4], undefined)
    await add(domain, 'line', [50], ramp(50))
    await add(domain, 'none', [0, 4], undefined)
    expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([3, 3])
    await add(domain, 'z', [5, 5], ramp(25))
    expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([5, 5])
  })

  test('by name: that of the picture first, then others, without those that say nothing', async () => {
    const domain = await newDomain()
    const list = async () => {
      const reply = await domain.want(200, 'GET', '/thumbnail?format=json')
      return (reply.datasets as Fields[] | undefined)?.map(({ h5path }) => h5path)
    }
    expect(await list()).toEqual([])
    const deep = await domain.group('a')
    await add(domain, '最終', [3, 3], ramp(9), deep)
    await add(domain, 'line', [5], Uint8Array.of(3, 1, 4, 1, 5))
    await add(domain, 'flat', [4, 4], new Uint8Array(16))
    expect(await list()).toEqual(['/a/最終', '/line'])
    await add(
      domain,
      'z',
      [5, 5],
      Uint8Array.from(ramp(25), value => value ** 2 % 7),
    )
    expect(await list()).toEqual(['/z', '/a/最終', '/line'])
    await ask(domain, 400, '?format=json&h5path=/z')
  })

  describe('of a NeXus file', () => {
    const TEXT = {
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
    }

    async function tag(
      domain: AnyDomain,
      object: string,
      name: string,
      value: unknown,
      type: unknown = TEXT,
    ) {
      await domain.want(201, 'PUT', `/${object}/attributes/${name}`, { type, value })
    }

    async function group(domain: AnyDomain, name: string, nxClass: string, parent?: string): Promise<string> {
      const id = await domain.group(name, parent)
      await tag(domain, `groups/${id}`, 'NX_class', nxClass)
      return id
    }

    const link = (domain: AnyDomain, parent: string, title: string, h5path: string) =>
      domain.want(201, 'PUT', `/groups/${parent}/links/${title}`, { h5path })

    test('without default attributes, of the signal of the first NXdata that has one', async () => {
      const domain = await newDomain()
      const empty = await group(domain, 'empty', 'NXentry')
      await add(domain, 'mask', [2, 2], ramp(4), await group(domain, 'aaa', 'NXcollection', empty))
      const entry = await group(domain, 'entry', 'NXentry')
      await add(domain, 'mask', [3, 3], ramp(9), await group(domain, 'aaa', 'NXdetector', entry))
      await add(domain, 'none', [4, 4], ramp(16), await group(domain, 'bbb', 'NXdata', entry))
      const data = await group(domain, 'data', 'NXdata', entry)
      await tag(domain, `groups/${data}`, 'signal', 'counts')
      await add(domain, 'a', [5, 5], ramp(25), data)
      await add(domain, 'counts', [6, 7], ramp(42), data)
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([7, 6])
    })

    test('without any signal, of the frames in an NXdata by the names that detectors give them', async () => {
      const domain = await newDomain()
      const entry = await group(domain, 'entry', 'NXentry')
      await add(domain, 'mask', [3, 3], ramp(9), entry)
      const data = await group(domain, 'data', 'NXdata', entry)
      await add(domain, 'data_000001', [2, 5, 6], ramp(60), data)
      await add(domain, 'data_000002', [2, 4, 4], ramp(32), data)
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([6, 5])
      const { datasets } = await domain.want(200, 'GET', '/thumbnail?format=json')
      expect(datasets).toEqual([])
    })

    test('of the values of a log that default leads to', async () => {
      const domain = await newDomain()
      await add(domain, 'a', [2, 2], ramp(4))
      const log = await group(domain, 'log', 'NXlog')
      await add(domain, 'value', [50], ramp(50), log)
      await tag(domain, `groups/${domain.root}`, 'default', 'log')
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([128, 64])
    })

    test('of the signal that attributes default lead to, also through links', async () => {
      const domain = await newDomain()
      await add(domain, 'a', [2, 2], ramp(4))
      const first = await group(domain, 'first', 'NXentry')
      const other = await group(domain, 'other', 'NXentry')
      for (const [name, parent, size] of [
        ['data', first, 3],
        ['data', other, 4],
        ['plot', other, 5],
      ] as const) {
        const data = await group(domain, name, 'NXdata', parent)
        await tag(domain, `groups/${data}`, 'signal', 'linked')
        await add(domain, 'stored', [size, size], ramp(size * size), data)
        await link(domain, data, 'linked', `/${parent === first ? 'first' : 'other'}/${name}/stored`)
      }
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([3, 3])
      await tag(domain, `groups/${domain.root}`, 'default', 'other')
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([4, 4])
      await tag(domain, `groups/${other}`, 'default', 'plot')
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([5, 5])
    })

    test('on the scale that its group says', async () => {
      const domain = await newDomain()
      const data = await group(domain, 'data', 'NXdata')
      await tag(domain, `groups/${data}`, 'signal', 'counts')
      await add(domain, 'counts', [2, 3], Uint8Array.of(1, 10, 100, 1, 10, 100), data)
      await tag(domain, `groups/${data}`, 'SILX_style', '{"signal_scale_type":"log"}')
      const first = await ask(domain)
      expect(partsOf(first)).toEqual([3, 2, [0, 127, 254]])
      const linear = await ask(domain, 200, '?scale=linear')
      expect(partsOf(linear)[2][1]).toBeLessThan(30)
      await domain.want(200, 'DELETE', `/groups/${data}/attributes/SILX_style`)
      const second = await ask(domain)
      expect(second.headers.etag).not.toBe(first.headers.etag)
    })

    test('of the dataset that says that it is the signal, as older files have it; of groups in themselves, none', async () => {
      const domain = await newDomain()
      const entry = await group(domain, 'entry', 'NXentry')
      await link(domain, entry, 'again', '/entry')
      const data = await group(domain, 'data', 'NXdata', entry)
      await add(domain, 'a', [2, 2], ramp(4), data)
      await add(domain, 'z', [3, 3], ramp(9), data)
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([2, 2])
      await tag(domain, `datasets/${await idAt(domain, data, 'z')}`, 'signal', 1, 'H5T_STD_I32LE')
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([3, 3])
    })

    test('is a line where it shows one, and none where that has no values: another would be taken for it', async () => {
      const domain = await newDomain()
      await add(domain, 'field', [2, 2], ramp(4))
      const data = await group(domain, 'data', 'NXdata')
      await tag(domain, `groups/${data}`, 'signal', 'line')
      await add(domain, 'line', [50], ramp(50), data)
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([128, 64])
      await domain.want(200, 'DELETE', `/groups/${data}/links/line`)
      await add(domain, 'line', [50], undefined, data)
      await ask(domain, 204)
    })

    test('outside of its plots, axes are not shown', async () => {
      const domain = await newDomain()
      const other = await domain.group('other')
      await tag(domain, `groups/${other}`, 'axes', 'a:b')
      const wave = Uint8Array.from({ length: 50 }, (_, i) => (i * i) % 7)
      await add(domain, 'a', [50], wave, other)
      await add(domain, 'b', [50], wave, other)
      await ask(domain, 204)
      await tag(domain, `datasets/${await add(domain, 'c', [50], wave)}`, 'CLASS', 'DIMENSION_SCALE')
      await tag(domain, `datasets/${await add(domain, 'd', [5, 10], wave)}`, 'units', 'degrees_north')
      for (const [name, value] of [
        ['units', 'days since 2000-01-01'],
        ['standard_name', 'longitude'],
        ['flag_meanings', 'land sea'],
      ] as const)
        await tag(domain, `datasets/${await add(domain, `f ${name}`, [5, 10], wave)}`, name, value)
      await ask(domain, 204)
      await add(domain, 'e', [50], wave)
      expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([128, 64])
    })

    async function idAt(domain: AnyDomain, parent: string, title: string): Promise<string> {
      const { link: found } = await domain.want(200, 'GET', `/groups/${parent}/links/${title}`)
      return String((found as Fields).id)
    }
  })

  test('of a field of any size with few stored chunks; of one that is stored, up to 2^24 elements', async () => {
    const domain = await newDomain()
    const layout = { class: 'H5D_CHUNKED', dims: [1000, 1000] }
    const body = { type: 'H5T_STD_U8LE', shape: [100_000, 50_000], creationProperties: { layout } }
    const id = await domain.dataset({ ...body, link: { id: domain.root, name: 'm' } })
    await ask(domain, 204)
    /** The first column of the rows. */
    const write = (rows: number) => {
      const value = Array.from({ length: rows }, () => [200])
      return domain.want(200, 'PUT', `/datasets/${id}/value`, { start: [0, 0], stop: [rows, 1], value })
    }
    await write(1000)
    const [width, height, row] = partsOf(await ask(domain))
    expect([width, height, row[0] > 0, row[1]]).toEqual([64, 128, true, 0])
    await write(20_000)
    await ask(domain, 204)
  })

  test('a domain without one has no content: masks, equal numbers and equal distances say nothing', async () => {
    const domain = await newDomain()
    expect((await ask(domain, 204)).bytes.length).toBe(0)
    await add(domain, 'axis', [50], ramp(50))
    await add(domain, 'equal', [5, 5], new Uint8Array(25).fill(7))
    await add(domain, 'pixel_mask', [5, 5], ramp(25))
    await add(domain, 'flatfield', [5, 5], ramp(25))
    await ask(domain, 204)
  })

  test('a line that rises is shown if nothing else is, and a field before a line', async () => {
    const domain = await newDomain()
    await add(domain, 'a', [5], Uint8Array.of(0, 1, 4, 9, 16))
    const rising = await ask(domain)
    expect(partsOf(rising).slice(0, 2)).toEqual([128, 64])
    await add(domain, 'b', [5], Uint8Array.of(9, 1, 4, 1, 16))
    const line = await ask(domain)
    expect(line.bytes.equals(rising.bytes)).toBe(false)
    await add(domain, 'c', [2, 3], ramp(6))
    expect(partsOf(await ask(domain)).slice(0, 2)).toEqual([3, 2])
  })

  describe('of a dataset', () => {
    /** The rows of a picture of a line in which each column is covered. */
    const spansOf = (reply: Reply) => {
      const rows = pixelsOf(reply)
      return rows[0].map((_, column) => rows.flatMap((row, y) => (row[column] > 128 ? [y] : [])))
    }

    test('by its path or id, along links, as large as asked', async () => {
      const domain = await newDomain()
      const group = await domain.group('g')
      const id = await add(domain, 'm', [2, 3], ramp(6), group)
      await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/g/m' })
      await add(domain, 'other', [2, 2], ramp(4))
      const row = [0, 0, 0, 51, 51, 51, 102, 102, 102]
      for (const query of ['h5path=/g/m', 'h5path=soft', `object=${id}`])
        expect(partsOf(await ask(domain, 200, `?${query}&width=9`))).toEqual([9, 6, row])
      expect(partsOf(await ask(domain, 200, '?h5path=/g/m&width=100&height=8'))[1]).toBe(8)
      expect(partsOf(await ask(domain, 200, '?h5path=/g/m')).slice(0, 2)).toEqual([3, 2])
    })

    test('a part of it, with its range, its scale and its reduction', async () => {
      const domain = await newDomain()
      await add(domain, 'cube', [3, 2, 8], ramp(48))
      const first = async (query: string) => partsOf(await ask(domain, 200, `?h5path=/cube&${query}`))[2]
      expect(await first('select=[0,:,:]&min=0&max=255')).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
      expect(await first('select=[1,:,0:2]&min=0&max=17')).toEqual([240, 254])
      expect(await first('select=[0,:,:]&scale=sqrt&min=0&max=16&reduce=first')).toEqual(
        [0, 1, 2, 3, 4, 5, 6, 7].map(i => Math.floor((Math.sqrt(i) / 4) * 255)),
      )
      const log = await first('select=[0,:,0:5]&scale=log&min=1&max=16')
      expect(log).toEqual([0, 0, 63, Math.floor((Math.log2(3) / 4) * 255), 127])
      const large = await newDomain()
      const stripes = Uint8Array.from({ length: 256 * 256 }, (_, i) => i % 2)
      await add(large, 'm', [256, 256], stripes)
      const value = async (reduce: string) =>
        partsOf(await ask(large, 200, `?h5path=/m&min=0&max=1&reduce=${reduce}`))[2][5]
      expect([await value('first'), await value('max'), await value('mean')]).toEqual([0, 254, 127])
    })

    test('of colours, by type and shape', async () => {
      const domain = await newDomain()
      await add(domain, 'rgb', [1, 2, 3], Uint8Array.of(1, 2, 3, 4, 5, 6))
      await add(domain, 'rgba', [2, 1, 4], Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
      expect(pixelsOf(await ask(domain, 200, '?h5path=/rgb'))).toEqual([[1, 2, 3, 255, 4, 5, 6, 255]])
      expect(pixelsOf(await ask(domain, 200, '?h5path=/rgba'))).toEqual([
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ])
      expect(partsOf(await ask(domain, 200, '?h5path=/rgb&select=[0,:,0]&height=8'))[0]).toBe(16)
    })

    test('of colours of 16 bits, as bright as 10, 12 or 14 bits allow, and of their planes', async () => {
      const domain = await newDomain()
      const words = (numbers: readonly number[]) => new Uint8Array(Uint16Array.from(numbers).buffer)
      const points = Array.from({ length: 256 }, (_, i) => [i, 4095 - i, 0]).flat()
      await add(domain, 'rgb', [16, 16, 3], words(points), domain.root, 'H5T_STD_U16LE')
      const colours = [0, 1, 2].flatMap(i => [
        Math.round((255 * i) / 4095),
        Math.round((255 * (4095 - i)) / 4095),
        0,
        255,
      ])
      expect(pixelsOf(await ask(domain, 200, '?h5path=/rgb'))[0].slice(0, 12)).toEqual(colours)
      const text = { type: { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' } }
      const entry = await domain.group('entry')
      const planes = [0, 100, 200].flatMap(first => Array.from({ length: 256 }, (_, i) => first + (i % 32)))
      const id = await add(domain, 'planes', [3, 16, 16], Uint8Array.from(planes), entry)
      for (const [owner, name, value] of [
        [`groups/${domain.root}`, 'default', 'entry'],
        [`groups/${entry}`, 'NX_class', 'NXdata'],
        [`groups/${entry}`, 'signal', 'planes'],
        [`datasets/${id}`, 'interpretation', 'rgb-image'],
      ] as const)
        await domain.want(201, 'PUT', `/${owner}/attributes/${name}`, { ...text, value })
      for (const query of ['', '?h5path=/entry/planes']) {
        const [, second] = pixelsOf(await ask(domain, 200, query))
        expect(second.slice(0, 8)).toEqual([16, 116, 216, 255, 17, 117, 217, 255])
      }
    })

    test('without the numbers that its attributes say are none', async () => {
      const domain = await newDomain()
      const id = await add(domain, 'm', [2, 3], Uint8Array.of(10, 99, 20, 30, 210, 60))
      const line = await add(domain, 'line', [5], Uint8Array.of(1, 99, 2, 3, 4))
      const tag = (name: string, type: string, value: number | readonly number[], owner = id) => {
        const shape = typeof value === 'number' ? {} : { shape: [value.length] }
        return domain.want(201, 'PUT', `/datasets/${owner}/attributes/${name}`, { type, ...shape, value })
      }
      const rows = async () => pixelsOf(await ask(domain, 200, '?h5path=/m'))
      const before = await ask(domain, 200, '?h5path=/m')
      await tag('_FillValue', 'H5T_STD_U8LE', 99)
      const etag = { headers: { 'If-None-Match': String(before.headers.etag) } }
      expect((await domain.send('GET', '/thumbnail?h5path=/m', undefined, etag)).status).toBe(200)
      expect(await rows()).toEqual([
        [0, 255, 12],
        [25, 254, 63],
      ])
      await tag('valid_max', 'H5T_STD_U8LE', 60)
      expect(await rows()).toEqual([
        [0, 255, 51],
        [102, 255, 254],
      ])
      await tag('missing_value', 'H5T_STD_U8LE', [99], line)
      const spans = spansOf(await ask(domain, 200, '?h5path=/line&width=10&height=8'))
      expect(spans.map(span => span.length > 0).slice(0, 10)).toContain(false)
    })

    test('of a weather radar, without the numbers that the groups around it say are none', async () => {
      const domain = await newDomain()
      const scan = await domain.group('dataset1')
      const moment = await domain.group('data1', scan)
      const [upper, lower] = [await domain.group('what', scan), await domain.group('what', moment)]
      await add(domain, 'data', [2, 3], Uint8Array.of(0, 10, 20, 255, 30, 60), moment)
      const tag = (group: string, name: string, type: unknown, value: unknown) =>
        domain.want(201, 'PUT', `/groups/${group}/attributes/${name}`, { type, value })
      const text = { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }
      await tag(upper, 'quantity', text, 'DBZH')
      await tag(upper, 'nodata', 'H5T_IEEE_F64LE', 60)
      await tag(lower, 'nodata', 'H5T_IEEE_F64LE', 255)
      await tag(lower, 'undetect', 'H5T_IEEE_F64LE', 0)
      const before = await ask(domain)
      expect(pixelsOf(before)[1]).toEqual([254, 30, 60])
      await tag(lower, 'gain', 'H5T_IEEE_F64LE', 0.5)
      const etag = { headers: { 'If-None-Match': String(before.headers.etag) } }
      expect((await domain.send('GET', '/thumbnail', undefined, etag)).status).toBe(200)
      for (const query of ['', '?h5path=/dataset1/data1/data'])
        expect(pixelsOf(await ask(domain, 200, query))).toEqual([
          [255, 0, 51],
          [255, 102, 254],
        ])
    })

    test('of packed values with bounds, and of bytes that are unsigned', async () => {
      const domain = await newDomain()
      const of = async (
        name: string,
        attributes: Readonly<Record<string, readonly [type: unknown, value: unknown]>>,
      ) => {
        const body = { type: 'H5T_STD_I8LE', shape: [2, 2], link: { id: domain.root, name } }
        const id = await domain.dataset(body)
        const value = [
          [0, 10],
          [100, -1],
        ]
        await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
        for (const [attribute, [type, value]] of Object.entries(attributes)) {
          const shape = Array.isArray(value) ? { shape: [value.length] } : {}
          await domain.want(201, 'PUT', `/datasets/${id}/attributes/${attribute}`, { type, ...shape, value })
        }
        return pixelsOf(await ask(domain, 200, `?h5path=/${name}`))
      }
      // Values from 0 to 10.
      const packing = {
        scale_factor: ['H5T_IEEE_F64LE', 0.1],
        valid_range: ['H5T_IEEE_F32LE', [0, 10]],
      } as const
      expect(await of('packed', packing)).toEqual([
        [0, 25],
        [254, 255],
      ])
      const text = { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }
      const unsigned = { _Unsigned: [text, 'true'] } as const
      expect(await of('unsigned', unsigned)).toEqual([
        [0, 10],
        [100, 254],
      ])
      const fill = { _FillValue: ['H5T_STD_I8LE', -1] } as const
      expect(await of('filled', { ...unsigned, ...fill })).toEqual([
        [0, 25],
        [254, 255],
      ])
    })

    test('a line keeps its peaks, whatever its length', async () => {
      const domain = await newDomain()
      const numbers = new Uint8Array(100_000).fill(100)
      numbers[77_777] = 200
      numbers[22_222] = 0
      await add(domain, 'line', [100_000], numbers)
      const spans = spansOf(await ask(domain, 200, '?h5path=/line&width=200&height=100'))
      expect(spans.length).toBe(200)
      for (const [x, span] of spans.entries()) {
        expect(span.length > 0, `${x}`).toBe(true)
        if (Math.abs(x - 155) > 1) expect(span.includes(1), `${x}`).toBe(false)
      }
      expect([spans[155].includes(1), spans[44].includes(98)]).toEqual([true, true])
      expect(spans[44].includes(1)).toBe(false)
    })

    test.each([
      [400, 'h5path=/m&width=7', 'width=\\"7\\" must be a whole number from 8 to 1024'],
      [400, 'h5path=/m&height=1025', 'from 8 to 1024'],
      [400, 'h5path=/m&min=a', 'min=\\"a\\" must be a finite number'],
      [400, 'h5path=/m&min=2&max=1', 'min=2 must be less than max=1'],
      [400, 'h5path=/m&min=0&scale=log', 'min=0 must be above 0 with scale=log'],
      [400, 'h5path=/m&max=-1&scale=sqrt', 'max=-1 must be 0 or more with scale=sqrt'],
      [400, 'h5path=/m&scale=cubic', 'must be one of linear, log, sqrt, symlog'],
      [400, 'h5path=/m&colormap=jet', 'must be one of gray, blues, greens'],
      [400, 'h5path=/m&reduce=mean:4', 'must be one of mean, min, max, sum, count, first'],
      [400, 'path=/m', 'send the path of a dataset as h5path'],
      [400, 'select=[0:1,0:1]', 'select needs a dataset'],
      [400, 'h5path=/m&object=ID', 'send one of them'],
      [
        400,
        'h5path=/cube&select=[0:2,0:2,0:2]',
        'two dimensions of more than one element, the selection has 3',
      ],
      [404, 'h5path=/', 'leads to a group'],
      [404, 'h5path=/nothing', 'nothing'],
      [501, 'h5path=/text', 'a picture needs numbers'],
      [204, 'h5path=/zero', ''],
      [204, 'h5path=/null', ''],
    ])('%i for %s', async (status, query, message) => {
      const domain = await newDomain()
      const id = await add(domain, 'm', [2, 3], ramp(6))
      await add(domain, 'cube', [2, 2, 2], ramp(8))
      await add(domain, 'zero', [0, 3], undefined)
      const link = (name: string) => ({ link: { id: domain.root, name } })
      const text = { class: 'H5T_STRING', length: 3, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }
      await domain.dataset({ type: text, ...link('text') })
      await domain.dataset({ type: 'H5T_STD_U8LE', shape: 'H5S_NULL', ...link('null') })
      const reply = await ask(domain, status, `?${query.replace('ID', id)}`)
      expect(reply.text).toContain(message)
    })
  })

  test('an answer that the client has is not sent again', async () => {
    const domain = await newDomain()
    const id = await add(domain, 'm', [2, 2], ramp(4))
    const tag = (await ask(domain)).headers.etag ?? ''
    const headers = { 'If-None-Match': tag }
    expect((await domain.send('GET', '/thumbnail', undefined, { headers })).status).toBe(304)
    expect((await domain.send('GET', '/thumbnail?colormap=gray', undefined, { headers })).status).toBe(200)
    const head = await domain.send('HEAD', '/thumbnail')
    const length = String((await ask(domain)).bytes.length)
    expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([200, length, tag])
    await domain.want(200, 'PUT', `/datasets/${id}/value`, {
      value: [
        [9, 8],
        [7, 6],
      ],
    })
    expect((await domain.send('GET', '/thumbnail', undefined, { headers })).status).toBe(200)
  })
})
