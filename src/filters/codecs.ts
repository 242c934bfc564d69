// The filters that can be applied, by id.

import { deflate } from './deflate.ts'
import type { FilterCodec } from './filter.ts'
import { lz4, lz4hc } from './lz4.ts'
import { shuffle } from './shuffle.ts'
import { snappy } from './snappy.ts'
import { zstd } from './zstd.ts'

const CODECS: readonly FilterCodec[] = [deflate, lz4, lz4hc, shuffle, snappy, zstd]

const BY_ID = new Map(CODECS.map(codec => [codec.id, codec]))

/** Undefined: a filter that is only remembered, and without which chunks are stored. */
export function codecOf(id: number): FilterCodec | undefined {
  return BY_ID.get(id)
}
