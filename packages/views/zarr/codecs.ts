// The codecs by which writers of Zarr encode the chunks of an array, and the filters of HDF5 that store them. A dataset
// that was made through Zarr keeps its codec in the member `zarr` of its creation properties, and its chunks go out in
// it: a writer that reads a chunk back decodes it by the codec that it has chosen. The bytes of each codec but gzip are
// those of its filter, so they are stored as they come.

import { deflate, gunzip, gzip } from 'node:zlib'
import { HyperslabError } from '@hyperslab/base/errors'
import { codecOf, compressZstd, plainHead } from '@hyperslab/h5/filters'
import type { Filter } from '@hyperslab/model/dataset'
import {
  excerpt,
  isJsonObject,
  isWhole,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
} from '@hyperslab/model/json'
import { joinBytes } from '@hyperslab/model/values'
import type { ZarrFormat } from './names.ts'

/** The ids of codecs are those of numcodecs, which Zarr 2 has; zlib is in Zarr 2 only. */
export type ChunkCodec =
  | { readonly id: 'zstd'; readonly level: number; readonly checksum: boolean }
  | { readonly id: 'gzip' | 'zlib'; readonly level: number }
  | { readonly id: 'blosc'; readonly cname: string; readonly clevel: number; readonly shuffle: number }

/** The codec that a dataset was made with: `codec` is absent for one without. */
export interface MadeByZarr {
  readonly codec?: ChunkCodec
}

const DEFLATE = 1
const BLOSC = 32001
const ZSTD = 32015

/** Compressors in the client data of Blosc. */
export const BLOSC_NAMES = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd']
export const BLOSC_SHUFFLES = ['noshuffle', 'shuffle', 'bitshuffle']

const HOW = 'codecs are zstd, gzip, zlib (Zarr 2) and blosc, one of them or none'

/** The compressor of Zarr 2: null or an object. Throws `malformed-body` for others. */
export function parseCompressor(json: JsonValue | undefined): ChunkCodec | undefined {
  if ((json ?? null) === null) return undefined
  const members = isJsonObject(json) ? json : new Map<string, JsonValue>()
  return codecIn(members.get('id'), members, 'compressor')
}

/** A codec of Zarr 3 behind the one that makes bytes of elements. Throws `malformed-body` for others. */
export function parseBytesCodec(name: JsonValue | undefined, configuration: JsonObject): ChunkCodec {
  return codecIn(name === 'zlib' ? 'numcodecs.zlib' : name, configuration, 'codecs')
}

function codecIn(id: JsonValue | undefined, options: JsonObject, member: string): ChunkCodec {
  const level = numberIn(options, 'level', 0)
  switch (id) {
    case 'zstd':
      return { id, level, checksum: options.get('checksum') === true }
    case 'gzip':
    case 'zlib':
      return { id, level: Math.min(Math.max(level, 0), 9) }
    case 'blosc': {
      const cname = options.get('cname') ?? 'lz4'
      if (typeof cname !== 'string' || !BLOSC_NAMES.includes(cname) || cname === 'snappy') {
        throw refused(`${member}: the compressor ${excerpt(cname)} of blosc is not known`)
      }
      return { id, cname, clevel: numberIn(options, 'clevel', 5), shuffle: shuffleIn(options) }
    }
    default:
      throw refused(`${member}: ${excerpt(id ?? null)} is not a codec of this service: ${HOW}`)
  }
}

function numberIn(options: JsonObject, name: string, fallback: number): number {
  const value = options.get(name) ?? fallback
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw refused(`${name} of a codec must be an integer, not ${excerpt(value)}`)
}

/** A number in Zarr 2, a name in Zarr 3. Numcodecs has -1 for: bits of single bytes, else bytes. */
function shuffleIn(options: JsonObject): number {
  const value = options.get('shuffle') ?? 1
  if (value === -1) return 1
  const number = isWhole(value) ? value : BLOSC_SHUFFLES.indexOf(`${value}`)
  if (number in BLOSC_SHUFFLES) return number
  throw refused(`shuffle of blosc must be one of ${BLOSC_SHUFFLES.join(', ')}, not ${excerpt(value)}`)
}

function refused(rule: string): HyperslabError {
  return new HyperslabError('malformed-body', rule)
}

/** The codec as creation properties keep it. */
export function keptCodec(codec: ChunkCodec | undefined): JsonValue {
  return new Map<string, JsonValue>([['codec', codec ? new Map(Object.entries(codec)) : null]])
}

/** Undefined: the dataset was not made through Zarr, or what is kept is not understood. */
export function madeByZarr(creationProperties: JsonObject): MadeByZarr | undefined {
  const kept = creationProperties.get('zarr')
  if (!isJsonObject(kept)) return undefined
  const json = kept.get('codec') ?? null
  if (json === null) return {}
  try {
    const codec = parseCompressor(json)
    return codec ? { codec } : {}
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

/** The form of a codec in the documents of a format; undefined: the format lacks it. */
export function codecDocument(
  codec: ChunkCodec,
  format: ZarrFormat,
  elementSize: number,
): JsonOutput | undefined {
  if (format === 2)
    return codec.id === 'blosc' ? { ...codec, blocksize: 0 } : { id: codec.id, level: codec.level }
  switch (codec.id) {
    case 'zlib':
      return undefined
    case 'zstd':
      return { name: 'zstd', configuration: { level: codec.level, checksum: codec.checksum } }
    case 'gzip':
      return { name: 'gzip', configuration: { level: codec.level } }
    case 'blosc':
      return {
        name: 'blosc',
        configuration: {
          typesize: elementSize > 255 ? 1 : elementSize,
          cname: codec.cname,
          clevel: codec.clevel,
          shuffle: BLOSC_SHUFFLES[codec.shuffle],
          blocksize: 0,
        },
      }
  }
}

/** The filter of HDF5 for a codec, as an item of `filters`. */
export function filterOf(codec: ChunkCodec): JsonValue {
  switch (codec.id) {
    case 'zstd':
      return new Map<string, JsonValue>([
        ['class', 'H5Z_FILTER_ZSTD'],
        ['id', ZSTD],
        ['name', 'zstd'],
        ['level', zstdLevel(codec.level)],
      ])
    case 'gzip':
    case 'zlib':
      return new Map<string, JsonValue>([
        ['class', 'H5Z_FILTER_DEFLATE'],
        ['id', DEFLATE],
        ['name', 'gzip'],
        ['level', codec.level],
      ])
    case 'blosc': {
      const { clevel, shuffle, cname } = codec
      // The size of elements and of chunks is that of the dataset, whatever stands here.
      const parameters = [2, 2, 1, 0, Math.min(Math.max(clevel, 0), 9), shuffle, BLOSC_NAMES.indexOf(cname)]
      return new Map<string, JsonValue>([
        ['class', 'H5Z_FILTER_BLOSC'],
        ['id', BLOSC],
        ['name', 'blosclz'],
        ['parameters', parameters],
      ])
    }
  }
}

function zstdLevel(level: number): number {
  return level < 1 ? 3 : Math.min(level, 22)
}

/** The filters whose bytes are those of a codec: gzip has a head of its own. */
const FILTER_IDS = { zstd: ZSTD, zlib: DEFLATE, blosc: BLOSC, gzip: undefined } as const

/** Whether chunks of a dataset with these filters are stored as the codec makes them. */
export function isOfFilters({ id }: ChunkCodec, filters: readonly Pick<Filter, 'id'>[]): boolean {
  return filters.length === 1 && filters[0].id === FILTER_IDS[id]
}

/** The bytes that a function of zlib gives, which works in another thread. */
function zlibResult(
  work: (done: (error: Error | null, result: Uint8Array) => void) => void,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    work((error, result) => (error ? reject(error) : resolve(result)))
  })
}

/** The bytes of a chunk, encoded: never left out as a filter may be. */
export async function encodeByCodec(
  codec: ChunkCodec,
  bytes: Uint8Array,
  elementSize: number,
): Promise<Uint8Array> {
  switch (codec.id) {
    case 'zstd':
      return compressZstd(bytes, zstdLevel(codec.level))
    case 'gzip':
      return zlibResult(done => gzip(bytes, { level: codec.level }, done))
    case 'zlib':
      return zlibResult(done => deflate(bytes, { level: codec.level }, done))
    case 'blosc': {
      const size = elementSize > 255 ? 1 : elementSize
      const { clevel, shuffle, cname } = codec
      const clientData = [2, 2, size, bytes.length, clevel, shuffle, BLOSC_NAMES.indexOf(cname)]
      const encoded = await codecOf(BLOSC)?.encode(bytes, clientData)
      return encoded ?? joinBytes([plainHead(bytes.length), bytes])
    }
  }
}

/** Decodes a chunk of at most `maxLength` bytes. Throws an Error for damaged bytes. */
export async function decodeByCodec(
  codec: ChunkCodec,
  bytes: Uint8Array,
  maxLength: number,
): Promise<Uint8Array> {
  if (codec.id === 'gzip') {
    const options = { maxOutputLength: Math.max(maxLength, 1) }
    return zlibResult(done => gunzip(bytes, options, done))
  }
  const filter = codecOf(FILTER_IDS[codec.id])
  if (!filter) throw new Error(`there is no filter for ${codec.id}`)
  return filter.decode(bytes, [], maxLength)
}
