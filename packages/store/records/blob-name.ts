// The names of the blobs of chunks: <domain>/<dataset>/<coordinates><version>, each in hex digits. The name contains
// which chunk record must name the blob, so one get decides whether it is still needed, and all blobs of an object or a
// domain have one prefix.

import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import type { Random } from '../interfaces/engine.ts'
import { hexOf } from '../key-range.ts'

const HALF_DIGITS = 16
/** Hex digits of the version: 8 random bytes, so that a name never comes twice. */
const VERSION_DIGITS = 16

export interface ChunkBlob {
  readonly dataset: ObjectId
  /** The coordinates as the chunk's key has them (chunk-key.ts). */
  readonly coordinates: Uint8Array
  readonly version: string
}

export function blobName({ dataset, coordinates, version }: ChunkBlob): string {
  return `${objectBlobs(dataset)}${hexOf(coordinates)}${version}`
}

/** Undefined for a name of another form: the blob of another program. */
export function parseBlobName(name: string): ChunkBlob | undefined {
  const [domain, object, chunk, ...more] = name.split('/')
  if (domain.length !== HALF_DIGITS || object?.length !== HALF_DIGITS || more.length > 0) return undefined
  if (chunk === undefined || chunk.length < VERSION_DIGITS || chunk.length % 2 !== 0) return undefined
  return {
    dataset: idFromHex(domain + object),
    coordinates: Buffer.from(chunk.slice(0, -VERSION_DIGITS), 'hex'),
    version: chunk.slice(-VERSION_DIGITS),
  }
}

/** A version that no other blob has. */
export function newVersion(random: Random): string {
  return hexOf(random(VERSION_DIGITS / 2))
}

export function isVersion(version: unknown): boolean {
  return typeof version === 'string' && /^[0-9a-f]{16}$/.test(version)
}

/** The beginning of the names of all blobs of a dataset. */
export function objectBlobs(dataset: ObjectId): string {
  return `${domainBlobs(dataset)}${dataset.slice(HALF_DIGITS)}/`
}

/** The beginning of the names of all blobs of the domain of `id`. */
export function domainBlobs(id: ObjectId): string {
  return `${id.slice(0, HALF_DIGITS)}/`
}
