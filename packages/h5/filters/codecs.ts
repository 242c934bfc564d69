// The filters that can be applied, by id.

import { bitshuffle } from './bitshuffle.ts'
import { blosc } from './blosc.ts'
import { blosc2 } from './blosc2.ts'
import { bzip2 } from './bzip2.ts'
import { deflate } from './deflate.ts'
import type { FilterCodec } from './filter.ts'
import { fletcher32 } from './fletcher32.ts'
import { lz4, lz4hc } from './lz4.ts'
import { lzf } from './lzf.ts'
import { nbit } from './nbit.ts'
import { roundings } from './rounding.ts'
import { scaleoffset } from './scaleoffset.ts'
import { shuffle } from './shuffle.ts'
import { snappy } from './snappy.ts'
import { szip } from './szip.ts'
import { zstd } from './zstd.ts'

const CODECS: readonly FilterCodec[] = [
  bitshuffle,
  blosc,
  blosc2,
  bzip2,
  deflate,
  fletcher32,
  lz4,
  lz4hc,
  lzf,
  nbit,
  ...roundings,
  scaleoffset,
  shuffle,
  snappy,
  szip,
  zstd,
]

const BY_ID = new Map(CODECS.map(codec => [codec.id, codec]))

/** The codec of a filter; undefined: the filter is only remembered, and chunks are stored without it. */
export function codecOf(id: number): FilterCodec | undefined {
  return BY_ID.get(id)
}
