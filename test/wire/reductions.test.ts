// Values brought down by whole factors, in both dialects (common 15). The numbers are compared with a loop in
// packages/model/reduction.

import { beforeAll, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import type { Fields, Method, Options, Reply } from './client.ts'
import { makeHome, newDomain as newHsdsDomain, OCTETS } from './hsds/domain.ts'

interface AnyDomain {
  send(method: Method, target: string, body?: unknown, options?: Options): Promise<Reply>
  want(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<Fields>
  refuse(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<void>
  dataset(body: Fields): Promise<string>
}

beforeAll(makeHome)

describe.each<[string, () => Promise<AnyDomain>]>([
  ['classic', newClassicDomain],
  ['hsds', newHsdsDomain],
])('in the %s dialect', (_, newDomain) => {
  async function newDataset(
    type: unknown,
    shape: unknown,
    value?: unknown,
  ): Promise<{ domain: AnyDomain; path: string; read: (query: string) => Promise<unknown> }> {
    const domain = await newDomain()
    const path = `/datasets/${await domain.dataset({ type, shape })}/value`
    if (value !== undefined) await domain.want(200, 'PUT', path, { value })
    return { domain, path, read: async query => (await domain.want(200, 'GET', `${path}?${query}`)).value }
  }

  test('each reduction, of blocks that may be smaller at the edges', async () => {
    const { read } = await newDataset(
      'H5T_STD_I32LE',
      [3, 4],
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10, 11, -12],
      ],
    )
    expect(await read('reduce=mean:2,3')).toEqual([
      [4, 6],
      [10, -12],
    ])
    expect(await read('reduce=min:2')).toEqual([
      [1, 3],
      [9, -12],
    ])
    expect(await read('reduce=max:3,1')).toEqual([[9, 10, 11, 8]])
    expect(await read('reduce=sum:100')).toEqual([[54]])
    expect(await read('reduce=count:2,3')).toEqual([
      [6, 2],
      [3, 1],
    ])
    expect(await read('reduce=first:2,3')).toEqual([
      [1, 4],
      [9, -12],
    ])
    expect(await read('reduce=minmax:2,3')).toEqual([
      [
        [1, 7],
        [4, 8],
      ],
      [
        [9, 11],
        [-12, -12],
      ],
    ])
    expect(await read('reduce=max:1')).toEqual(await read(''))
  })

  test('of a selection, of a scalar and of nothing', async () => {
    const { read } = await newDataset('H5T_STD_U8LE', [10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await read('reduce=sum:2&select=[1:10:2]')).toEqual([4, 12, 9])
    const scalar = await newDataset('H5T_STD_U8LE', undefined, 7)
    expect(await scalar.read('reduce=mean:5')).toBe(7)
    const empty = await newDataset('H5T_STD_U8LE', [0, 5])
    expect(await scalar.read('reduce=minmax:5')).toEqual([7, 7])
    expect(await empty.read('reduce=mean:2')).toEqual([])
    expect(await empty.read('reduce=minmax:2')).toEqual([])
  })

  test('NaN counts as absent', async () => {
    const { domain, path } = await newDataset('H5T_IEEE_F32LE', [6])
    const bytes = Buffer.from(Float32Array.of(Number.NaN, 1, 3, Number.NaN, Number.NaN, Number.NaN).buffer)
    await domain.want(200, 'PUT', path, bytes, { headers: { 'Content-Type': OCTETS } })
    const csv = async (query: string) =>
      (await domain.send('GET', `${path}?format=csv&${query}`)).text.split('\r\n')
    expect(await csv('reduce=mean:3')).toEqual(['2', 'NaN', ''])
    expect(await csv('reduce=count:3')).toEqual(['2', '0', ''])
    expect(await csv('reduce=first:2')).toEqual(['NaN', '3', 'NaN', ''])
  })

  test('missing numbers are absent in values, reductions and statistics', async () => {
    const { domain, path } = await newDataset('H5T_STD_I16BE', [6], [-99, 1, 3, -99, -99, 200])
    const csv = async (query: string) =>
      (await domain.send('GET', `${path}?format=csv&${query}`)).text.split('\r\n').slice(0, -1)
    expect(await csv('missing=-99')).toEqual(['NaN', '1', '3', 'NaN', 'NaN', '200'])
    expect(await csv('valid=0,100')).toEqual(['NaN', '1', '3', 'NaN', 'NaN', 'NaN'])
    expect(await csv('missing=3,-99&valid=,100')).toEqual(['NaN', '1', 'NaN', 'NaN', 'NaN', 'NaN'])
    expect(await csv('missing=-99&reduce=mean:3')).toEqual(['2', '200'])
    expect(await csv('missing=-99&valid=0,&reduce=min:3')).toEqual(['1', '200'])
    expect(await csv('missing=-99&reduce=count:2')).toEqual(['1', '1', '1'])
    const statistics = await domain.want(200, 'GET', `${path}?statistics=1&missing=-99&bins=2`)
    expect(statistics).toMatchObject({ count: 3, nanCount: 3, min: 1, max: 200, mean: 68 })
    expect(statistics).toMatchObject({ histogram: { min: 1, max: 200, counts: [2, 1] } })
    const npy = await domain.send('GET', `${path}?missing=-99&format=npy`)
    expect(npy.text).toContain("'<f4'")
    const points = { points: [1, 3] }
    expect((await domain.want(200, 'POST', `${path}?missing=-99&reduce=count:2`, points)).value).toEqual([1])
    const texts = await newDataset(
      { class: 'H5T_STRING', length: 3, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' },
      [1],
      ['a'],
    )
    await texts.domain.refuse(501, 'GET', `${texts.path}?missing=1`)
    for (const query of [
      'missing=x',
      'missing=1,',
      `missing=${Array(17).fill(1)}`,
      'valid=1',
      'valid=2,1',
      'valid=1,2,3',
      'valid=1,x',
      'missing=1&query=value>1',
      'valid=1,&query=value>1',
    ])
      await domain.refuse(400, 'GET', `${path}?${query}`)
  })

  test('elements that were never written can be missing', async () => {
    const domain = await newDomain()
    const creationProperties = { fillValue: -7, layout: { class: 'H5D_CHUNKED', dims: [100, 100] } }
    const body = { type: 'H5T_STD_I32LE', shape: [1000, 1000], creationProperties }
    const path = `/datasets/${await domain.dataset(body)}/value`
    expect(await domain.want(200, 'GET', `${path}?statistics=1&missing=-7`)).toMatchObject({
      count: 0,
      nanCount: 1_000_000,
    })
    expect((await domain.want(200, 'GET', `${path}?missing=-7&reduce=count:500`)).value).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  test('elements where a mask is not 0 are absent in values, reductions and statistics', async () => {
    const frame = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]
    const more = frame.map(row => row.map(number => 10 * number))
    const { domain, path, read } = await newDataset('H5T_STD_U32LE', [2, 2, 4], [frame, more])
    const newMask = async (type: string, shape: number[], value: unknown) => {
      const id = await domain.dataset({ type, shape })
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
      return id
    }
    const mask = await newMask(
      'H5T_STD_I16BE',
      [2, 4],
      [
        [0, 0, 1, 0],
        [-2, 0, 0, 0x100],
      ],
    )
    const row = await newMask('H5T_IEEE_F32LE', [4], [0, 0, 0, 0.5])
    const masked = async (query: string, by = mask) => read(`mask=${by}&${query}`)
    expect(await masked('reduce=max:1,2,2')).toEqual([[[6, 7]], [[60, 70]]])
    expect(await masked('reduce=max:1,2,2&valid=,65')).toEqual([[[6, 7]], [[60, 40]]])
    expect(await masked('reduce=count:2')).toEqual([[[6, 4]]])
    expect(await masked('reduce=sum:2', row)).toEqual([[[154, 110]]])
    expect(await masked('select=[1:2,0:2,1:4:2]&reduce=sum:2')).toEqual([[[120]]])
    expect(await masked('select=[1:2,1:2,0:3]&reduce=min:3', mask)).toEqual([[[60]]])
    const statistics = await domain.want(200, 'GET', `${path}?statistics=1&mask=${mask}`)
    expect(statistics).toMatchObject({ count: 10, nanCount: 6, min: 1, max: 70 })
    // The tag follows the mask.
    const csv = `${path}?format=csv&select=[0:1,0:2,0:4]&mask=${mask}`
    const before = await domain.send('GET', csv)
    expect(before.text).toBe('1,2,NaN,4\r\nNaN,6,7,NaN\r\n')
    await domain.want(200, 'PUT', `/datasets/${mask}/value`, {
      value: [
        [0, 0, 0, 0],
        [0, 0, 0, 1],
      ],
    })
    const after = await domain.send('GET', csv, undefined, {
      headers: { 'If-None-Match': String(before.headers.etag) },
    })
    expect([after.status, after.text]).toEqual([200, '1,2,3,4\r\n5,6,7,NaN\r\n'])
    await domain.refuse(400, 'GET', `${path}?mask=${mask}&query=value>1`)
    const short = await newMask('H5T_STD_I8LE', [2], [0, 1])
    await domain.refuse(400, 'GET', `${path}?mask=${short}`)
    await domain.refuse(400, 'POST', `${path}?mask=${mask}`, { points: [[0, 0, 0]] })
    const body = { type: { class: 'H5T_OPAQUE', size: 4 }, shape: [4] }
    await domain.refuse(501, 'GET', `${path}?mask=${await domain.dataset(body)}`)
    await domain.refuse(404, 'GET', `${path}?mask=${mask.slice(0, -2)}${mask.endsWith('00') ? '11' : '00'}`)
  })

  test('of a part of complex numbers', async () => {
    const float = 'H5T_IEEE_F32LE'
    const fields = [
      { name: 'r', type: float },
      { name: 'i', type: float },
    ]
    const { domain, path, read } = await newDataset(
      { class: 'H5T_COMPOUND', fields },
      [6],
      [
        [3, -4],
        [0, 1],
        [-1, 0],
        [0.5, 0],
        [0, 0],
        [6, 8],
      ],
    )
    expect(await read('part=amplitude')).toEqual([5, 1, 1, 0.5, 0, 10])
    expect(await read('part=imaginary&select=[1:5:2]')).toEqual([1, 0])
    expect(await read('part=real&reduce=minmax:3')).toEqual([
      [-1, 3],
      [0, 6],
    ])
    expect(await read('part=amplitude&valid=0.25,7&reduce=max:3')).toEqual([5, 0.5])
    const statistics = await domain.want(200, 'GET', `${path}?part=phase&statistics=1&bins=0`)
    expect(statistics).toMatchObject({
      count: 6,
      min: Math.fround(Math.atan2(-4, 3)),
      max: Math.fround(Math.PI),
    })
    await domain.refuse(400, 'GET', `${path}?part=modulus`)
    await domain.refuse(501, 'GET', `${path}?reduce=max:3`)
    const plain = await newDataset('H5T_STD_U8LE', [2], [1, 2])
    await plain.domain.refuse(501, 'GET', `${plain.path}?part=real`)
  })

  test('as bytes and in other formats, in the type of the result', async () => {
    const { domain, path } = await newDataset('H5T_STD_I16BE', [4], [-1, -2, -3, -5])
    const octets = await domain.send('GET', `${path}?reduce=mean:2`, undefined, {
      headers: { Accept: OCTETS },
    })
    expect([octets.bytes.readDoubleLE(0), octets.bytes.readDoubleLE(8), octets.bytes.length]).toEqual([
      -1.5, -4, 16,
    ])
    const npy = await domain.send('GET', `${path}?reduce=min:2&format=npy`)
    expect(npy.text).toContain("'descr': '>i2'")
    expect(npy.bytes.readInt16BE(npy.bytes.length - 2)).toBe(-5)
    expect((await domain.send('GET', `${path}?reduce=sum:4&format=npy`)).text).toContain("'<i8'")
  })

  test('of a large field, while it is read', async () => {
    const extent = 1500
    const { domain, path, read } = await newDataset('H5T_STD_I32LE', [extent, extent])
    const field = Int32Array.from({ length: extent * extent }, (_, i) => (i * 31) % 1009)
    await domain.want(200, 'PUT', path, Buffer.from(field.buffer), { headers: { 'Content-Type': OCTETS } })
    const found = await read('reduce=max:7,11')
    const expected = Array.from({ length: Math.ceil(extent / 7) }, () =>
      Array(Math.ceil(extent / 11)).fill(-1),
    )
    for (const [i, value] of field.entries()) {
      const row = expected[Math.floor(i / extent / 7)] ?? []
      const column = Math.floor((i % extent) / 11)
      row[column] = Math.max(row[column], value)
    }
    expect(found).toEqual(expected)
  })

  test('statistics of a selection', async () => {
    const { domain, path } = await newDataset('H5T_STD_I64LE', [5], [1, 2, 3, 4, 9007199254740991])
    const ask = (query: string) => domain.want(200, 'GET', `${path}?statistics=1&${query}`)
    expect(await ask('select=[0:4]&bins=2')).toMatchObject({
      count: 4,
      nanCount: 0,
      min: 1,
      max: 4,
      mean: 2.5,
      standardDeviation: Math.sqrt(1.25),
      histogram: { min: 1, max: 4, counts: [2, 2] },
    })
    expect(await ask('')).toMatchObject({ max: 9007199254740991, histogram: { counts: { length: 64 } } })
    expect(await ask('reduce=sum:2&select=[0:4]')).toMatchObject({ count: 2, min: 3, max: 7 })
    const empty = await newDataset('H5T_STD_I64LE', [0])
    const none = await empty.domain.want(200, 'GET', `${empty.path}?statistics=1`)
    expect(none).toMatchObject({ count: 0, nanCount: 0 })
    expect(none).not.toHaveProperty('min')
    expect(none).not.toHaveProperty('histogram')
    const withoutBins = await ask('bins=0')
    expect(withoutBins).toMatchObject({ count: 5, min: 1, max: 9007199254740991 })
    expect(withoutBins).not.toHaveProperty('histogram')
    for (const query of ['bins=-1', 'bins=4097', 'bins=x', 'query=a>1'])
      await domain.refuse(400, 'GET', `${path}?statistics=1&${query}`)
    await domain.refuse(406, 'GET', `${path}?statistics=1&format=csv`)
    const nothing = await newDataset('H5T_STD_I32LE', 'H5S_NULL')
    await nothing.domain.refuse(400, 'GET', `${nothing.path}?statistics=1`)
  })

  test('statistics of a large field, whose histogram takes a second read', async () => {
    const extent = 1500
    const { domain, path } = await newDataset('H5T_IEEE_F32LE', [extent, extent])
    const field = Float32Array.from({ length: extent * extent }, (_, i) => (i % 1000) - 500)
    field[7] = Number.NaN
    await domain.want(200, 'PUT', path, Buffer.from(field.buffer), { headers: { 'Content-Type': OCTETS } })
    const counts = [0, 0, 0, 0]
    for (const value of field) {
      if (!Number.isNaN(value)) counts[Math.min(3, Math.floor(((value + 500) / 999) * 4))]++
    }
    expect(await domain.want(200, 'GET', `${path}?statistics=1&bins=4`)).toMatchObject({
      count: extent * extent - 1,
      nanCount: 1,
      min: -500,
      max: 499,
      histogram: { min: -500, max: 499, counts },
    })
  })

  test('bad requests are refused', async () => {
    const { domain, path } = await newDataset('H5T_STD_I32LE', [4, 4])
    for (const reduce of [
      'mean',
      'mean:',
      'mean:0',
      'mean:-2',
      'mean:1.5',
      'mean:2,',
      'median:2',
      'Mean:2',
      'mean:2:2',
    ])
      await domain.refuse(400, 'GET', `${path}?reduce=${reduce}`)
    await domain.refuse(400, 'GET', `${path}?reduce=mean:2,2,2`)
    await domain.refuse(400, 'GET', `${path}?reduce=mean:99999999999999999999`)
    const type = { class: 'H5T_COMPOUND', fields: [{ name: 'a', type: 'H5T_STD_I32LE' }] }
    const table = await newDataset(type, [4])
    await table.domain.refuse(501, 'GET', `${table.path}?reduce=mean:2`)
    await table.domain.refuse(400, 'GET', `${table.path}?reduce=mean:2&query=${encodeURIComponent('a > 1')}`)
    const wide = await newDataset('H5T_STD_I32LE', [2, 2 ** 22])
    await wide.domain.refuse(413, 'GET', `${wide.path}?reduce=mean:2,1`)
  })
})
