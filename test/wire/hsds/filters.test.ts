// Filters of datasets (hsds-values 17): they change how values are stored, and nothing that a client sees.

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { makeHome, newDomain, OCTETS } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }

/** Larger than what one chunk of it holds, in both dimensions; its last chunks reach over the edge. */
const SHAPE = [300, 500]
const CHUNKS = { class: 'H5D_CHUNKED', dims: [128, 256] }

beforeAll(makeHome)

function numbers(length: number): Buffer {
  return Buffer.from(Int32Array.from({ length }, (_, i) => (i % 1000) - 500).buffer)
}

describe('hsds-values 17: values of a dataset with filters', () => {
  test.each([
    ['deflate', ['gzip']],
    ['deflate of its highest level', [{ class: 'H5Z_FILTER_DEFLATE', level: 9 }]],
    ['shuffle and deflate', ['shuffle', 'gzip']],
    ['shuffle, deflate and fletcher32', ['shuffle', 'gzip', 'fletcher32']],
    ['shuffle alone', ['shuffle']],
    ['lz4', ['lz4']],
    ['lz4hc', ['lz4hc']],
    ['zstd', ['shuffle', 'zstd']],
    ['snappy', ['snappy']],
    ['blosclz', ['blosclz']],
    ['bitshuffle', ['bitshuffle']],
    ['bitshuffle and lz4', ['bitshuffle', 'lz4']],
    ['several compressors', ['gzip', 'lz4', 'zstd']],
  ])('%s', async (_, filters) => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: 'H5T_STD_I32LE',
      shape: SHAPE,
      maxdims: [0, 0],
      creationProperties: { layout: CHUNKS, filters, fillValue: -1 },
    })
    const path = `/datasets/${id}/value`
    expect(await domain.value(id, '?select=[299:300,498:500]')).toEqual([[-1, -1]])
    const written = numbers(300 * 500)
    await domain.send('PUT', path, written, BINARY_BODY)
    const all = await domain.send('GET', path, undefined, BINARY)
    expect(all.bytes.equals(written)).toBe(true)
    expect(all.headers['content-length']).toBe('600000')
    const some = [
      [7, 8],
      [9, 10],
    ]
    await domain.want(200, 'PUT', path, { start: [127, 255], stop: [129, 257], value: some })
    expect(await domain.value(id, '?select=[127:129,255:257]')).toEqual(some)
    expect(await domain.value(id, '?select=[126:127,254:258]')).toEqual([[-246, -245, -244, -243]])
    await domain.want(201, 'PUT', `/datasets/${id}/shape`, { shape: [301, 501] })
    expect(await domain.value(id, '?select=[299:301,499:501]')).toEqual([
      [499, -1],
      [-1, -1],
    ])
  })

  test('strings of any length', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_STRING', length: 'H5T_VARIABLE', charSet: 'H5T_CSET_UTF8' }
    const id = await domain.dataset({
      type,
      shape: [5],
      creationProperties: { filters: ['shuffle', 'gzip'] },
    })
    const value = ['', 'a', 'x'.repeat(100_000), '✓ für alle', 'x'.repeat(50)]
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    expect(await domain.value(id)).toEqual(value)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: [1], stop: [2], value: ['b'] })
    expect(await domain.value(id)).toEqual(value.with(1, 'b'))
  })
})
