// Datasets of which little or nothing was written: what needs no elements one by one takes no time for each, in both
// dialects. A server that looked at each would not answer before the tests end.

import { beforeAll, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import type { Fields, Method, Options, Reply } from './client.ts'
import { makeHome, newDomain as newHsdsDomain, OCTETS } from './hsds/domain.ts'

interface AnyDomain {
  send(method: Method, target: string, body?: unknown, options?: Options): Promise<Reply>
  want(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<Fields>
  dataset(body: Fields): Promise<string>
}

beforeAll(makeHome)

const EXTENT = 2 ** 50

describe.each<[string, () => Promise<AnyDomain>]>([
  ['classic', newClassicDomain],
  ['hsds', newHsdsDomain],
])('in the %s dialect', (dialect, newDomain) => {
  async function newDataset(body: Fields): Promise<{
    domain: AnyDomain
    path: string
    read: (query: string) => Promise<Fields>
    write: (body: Fields) => Promise<Fields>
  }> {
    const domain = await newDomain()
    const path = `/datasets/${await domain.dataset(body)}/value`
    return {
      domain,
      path,
      read: query => domain.want(200, 'GET', `${path}?${query}`),
      write: value => domain.want(200, 'PUT', path, value),
    }
  }

  const line = (more: Fields = {}) =>
    newDataset({ type: 'H5T_STD_I32LE', shape: [EXTENT], maxdims: [0], ...more })

  test('statistics', async () => {
    const { read, write } = await line({ creationProperties: { fillValue: -2 } })
    expect(await read('statistics=1')).toMatchObject({
      count: EXTENT,
      nanCount: 0,
      min: -2,
      max: -2,
      mean: -2,
      standardDeviation: 0,
    })
    await write({ start: [EXTENT / 2], stop: [EXTENT / 2 + 3], value: [7, 8, 9] })
    await write({ start: [EXTENT - 1], stop: [EXTENT], value: [5] })
    expect(await read('statistics=1&bins=11')).toMatchObject({
      count: EXTENT,
      min: -2,
      max: 9,
      histogram: { counts: [EXTENT - 4, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2] },
    })
    expect(await read(`statistics=1&select=[1:${EXTENT}:2]`)).toMatchObject({ count: EXTENT / 2, max: 8 })
  })

  test('reductions', async () => {
    const extents = [2 ** 25, 2 ** 25]
    const { domain, path, read, write } = await newDataset({ type: 'H5T_STD_U8LE', shape: extents })
    await write({ start: [2 ** 24, 3], stop: [2 ** 24 + 1, 5], value: [[100, 200]] })
    const factor = 2 ** 24
    expect((await read(`reduce=max:${factor}`)).value).toEqual([
      [0, 0],
      [200, 0],
    ])
    expect((await read(`reduce=sum:${factor}`)).value).toEqual([
      [0, 0],
      [300, 0],
    ])
    expect((await read(`reduce=count:${2 ** 25}`)).value).toEqual([[EXTENT]])
    const image = await domain.send('GET', `${path}?reduce=mean:${2 ** 20}&format=png`)
    expect([image.status, image.bytes.readUInt32BE(16), image.bytes.readUInt32BE(20)]).toEqual([200, 32, 32])
  })

  test('queries', async () => {
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'a', type: 'H5T_STD_I32LE' },
        {
          name: 'b',
          type: { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' },
        },
      ],
    }
    const { read, write } = await newDataset({ type, shape: [EXTENT] })
    await write({ start: [12_345_678_901], stop: [12_345_678_902], value: [[4, 'here']] })
    const found = async (query: string, more = '') => {
      const { value, index } = await read(`query=${encodeURIComponent(query)}${more}`)
      return { value, index }
    }
    const rows = (...all: [number, number, string][]) => ({
      value: all.map(([, a, b]) => [a, b]),
      index: all.map(([index]) => index),
    })
    expect(await found('a > 3')).toEqual(rows([12_345_678_901, 4, 'here']))
    expect(await found("b == 'here'")).toEqual(rows([12_345_678_901, 4, 'here']))
    expect(await found('a < 0')).toEqual(rows())
    expect(await found('a == 0', '&Limit=2')).toEqual(rows([0, 0, ''], [1, 0, '']))
    expect(await found('a == 0', `&Limit=2&select=[12345678900:${EXTENT}]`)).toEqual(
      rows([12_345_678_900, 0, ''], [12_345_678_902, 0, '']),
    )
  })

  test('what was written as one element', async () => {
    // Only the hsds dialect writes one element to many.
    const side = dialect === 'hsds' ? 2 ** 20 : 2 ** 8
    const { domain, path, read } = await newDataset({ type: 'H5T_IEEE_F64LE', shape: [side, 2 * side] })
    const one = Buffer.from(Float64Array.of(2.5).buffer)
    const target = dialect === 'hsds' ? `${path}?element_count=1` : path
    const body = dialect === 'hsds' ? one : Buffer.alloc(2 * side * side * 8, one)
    await domain.want(200, 'PUT', target, body, { headers: { 'Content-Type': OCTETS } })
    const count = 2 * side * side
    expect(await read('statistics=1')).toMatchObject({ count, min: 2.5, max: 2.5, standardDeviation: 0 })
    expect((await read(`reduce=sum:${side}`)).value).toEqual([[1.25 * count, 1.25 * count]])
  })

  test('values as they are, in each form', async () => {
    const { domain, path } = await newDataset({
      type: 'H5T_STD_I16LE',
      shape: [3, 70_000],
      creationProperties: { fillValue: 513, layout: { class: 'H5D_CHUNKED', dims: [1, 100] } },
    })
    await domain.want(200, 'PUT', path, { start: [1, 35_000], stop: [2, 35_002], value: [[-1, -2]] })
    const expected = Int16Array.from({ length: 210_000 }, (_, i) =>
      i === 105_000 ? -1 : i === 105_001 ? -2 : 513,
    )
    const octets = await domain.send('GET', path, undefined, { headers: { Accept: OCTETS } })
    expect(octets.bytes.equals(Buffer.from(expected.buffer))).toBe(true)
    const { value } = await domain.want(200, 'GET', path)
    expect((value as number[][]).flat()).toEqual([...expected])
    const csv = (await domain.send('GET', `${path}?format=csv`)).text
    expect(
      csv
        .trimEnd()
        .split(/[,\r\n]+/)
        .map(Number),
    ).toEqual([...expected])
    const npy = await domain.send('GET', `${path}?format=npy`)
    expect(npy.bytes.subarray(-420_000).equals(Buffer.from(expected.buffer))).toBe(true)
  })
})
