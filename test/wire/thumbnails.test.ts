// Pictures of domains, in both dialects (common 18). The permission is tested with those of the other routes.

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
  ): Promise<string> {
    const id = await domain.dataset({ type: 'H5T_STD_U8LE', shape, link: { id: parent, name } })
    const headers = { 'Content-Type': OCTETS }
    if (numbers) await domain.want(200, 'PUT', `/datasets/${id}/value`, Buffer.from(numbers), { headers })
    return id
  }

  async function ask(domain: AnyDomain, status = 200): Promise<Reply> {
    const reply = await domain.send('GET', '/thumbnail')
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

  test('of the middle of a stack, and of the first channel of an image in colours', async () => {
    const stack = await newDomain()
    await add(
      stack,
      's',
      [3, 2, 8],
      Uint8Array.from({ length: 48 }, (_, i) => (Math.floor(i / 16) === 1 ? i % 2 : 7)),
    )
    expect(partsOf(await ask(stack))).toEqual([8, 2, [0, 254, 0, 254, 0, 254, 0, 254]])
    const colours = await newDomain()
    await add(colours, 'c', [2, 5, 3], ramp(30))
    const [width, height, row] = partsOf(await ask(colours))
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

    test('has no picture where it shows a line: another field would be taken for it', async () => {
      const domain = await newDomain()
      await add(domain, 'mask', [2, 2], ramp(4))
      const data = await group(domain, 'data', 'NXdata')
      await tag(domain, `groups/${data}`, 'signal', 'line')
      await add(domain, 'line', [50], ramp(50), data)
      await ask(domain, 204)
    })

    async function idAt(domain: AnyDomain, parent: string, title: string): Promise<string> {
      const { link: found } = await domain.want(200, 'GET', `/groups/${parent}/links/${title}`)
      return String((found as Fields).id)
    }
  })

  test('a domain without one has no content', async () => {
    const domain = await newDomain()
    expect((await ask(domain, 204)).bytes.length).toBe(0)
    await add(domain, 'line', [50], ramp(50))
    await ask(domain, 204)
  })

  test('an answer that the client has is not sent again', async () => {
    const domain = await newDomain()
    const id = await add(domain, 'm', [2, 2], ramp(4))
    const tag = (await ask(domain)).headers.etag ?? ''
    const headers = { 'If-None-Match': tag }
    expect((await domain.send('GET', '/thumbnail', undefined, { headers })).status).toBe(304)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, {
      value: [
        [9, 8],
        [7, 6],
      ],
    })
    expect((await domain.send('GET', '/thumbnail', undefined, { headers })).status).toBe(200)
  })
})
