// The Zarr 2 form of chunks in a file, for each list of filters.

import { expect, test } from 'vitest'
import { fileForm } from './file-form.ts'

const ZLIB = { id: 'zlib', level: 1 }
const ZSTD = { id: 'zstd', level: 1 }
const SHUFFLE = [{ id: 'shuffle', elementsize: 8 }]

const filter = (id: number, parameters: readonly number[] = []) => ({
  id,
  json: new Map([['parameters', parameters]]),
})
const [deflate, shuffle, checksum, zstd] = [1, 2, 3, 32015].map(id => filter(id))
const blosc = (compressor: number) => filter(32001, [2, 2, 8, 64, 5, 1, compressor])

test.each([
  ['none', [], { checksumLength: 0 }],
  ['deflate', [deflate], { codecs: { compressor: ZLIB, filters: null }, checksumLength: 0 }],
  [
    'shuffle and deflate',
    [shuffle, deflate],
    { codecs: { compressor: ZLIB, filters: SHUFFLE }, checksumLength: 0 },
  ],
  [
    'a checksum behind them',
    [shuffle, deflate, checksum],
    { codecs: { compressor: ZLIB, filters: SHUFFLE }, checksumLength: 4 },
  ],
  ['Zstandard', [shuffle, zstd], { codecs: { compressor: ZSTD, filters: SHUFFLE }, checksumLength: 0 }],
  ['shuffle alone', [shuffle], { codecs: { compressor: null, filters: SHUFFLE }, checksumLength: 0 }],
  ['a checksum alone', [checksum], { codecs: { compressor: null, filters: null }, checksumLength: 4 }],
  ['Blosc', [blosc(1)], { checksumLength: 0 }],
  ['Blosc and a checksum', [blosc(1), checksum], { checksumLength: 4 }],
  ['Blosc with Snappy', [blosc(3)], undefined],
  ['shuffle and Blosc', [shuffle, blosc(1)], undefined],
  ['LZ4', [filter(32004)], undefined],
  ['bitshuffle', [filter(32008)], undefined],
  ['LZF', [filter(32000)], undefined],
  ['a checksum first', [checksum, deflate], undefined],
  ['shuffle last', [deflate, shuffle], undefined],
  ['two compressors', [deflate, zstd], undefined],
])('filters: %s', (_, filters, form) => {
  expect(fileForm(filters, 8)).toEqual(form)
})
