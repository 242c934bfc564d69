// The location of the values of a dataset with a reference layout, from its creation properties, which were checked
// when it was created (dataset-layout.ts; hsds-values 3.4 and 18).

import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { type DomainPath, parseDomainPath } from '../names/domain-path.ts'
import { type ObjectId, parsePrefixed } from '../names/object-id.ts'
import type { ChunkLocation } from './chunk-table.ts'
import type { CreationProperties } from './creation-properties.ts'

export type ReferencedStorage = ContiguousStorage | ChunkedStorage | TableStorage

/** Values in row-major order: `size` bytes from `offset` on. */
interface ContiguousStorage {
  readonly kind: 'contiguous'
  readonly fileUri: string
  readonly offset: number
  readonly size: number
}

interface ChunkedStorage {
  readonly kind: 'chunks'
  readonly fileUri: string
  readonly chunkDims: readonly number[]
  /** Undefined: the chunk is not stored. */
  readonly locate: (chunk: readonly number[]) => ChunkLocation | undefined
}

interface TableStorage {
  readonly kind: 'table'
  /** Absent: each row of the table names its file. */
  readonly fileUri?: string
  /** The chunk dimensions in the file; those of the layout are multiples of them. */
  readonly chunkDims: readonly number[]
  readonly table: ObjectId
}

export function referencedStorage({ layout, json }: CreationProperties): ReferencedStorage {
  const layoutJson = json.get('layout')
  if (!isJsonObject(layoutJson)) throw unchecked(layout)
  const fileUri = layoutJson.get('file_uri')
  const uri = typeof fileUri === 'string' ? fileUri : undefined
  switch (layout) {
    case 'H5D_CONTIGUOUS_REF':
      if (uri === undefined) throw unchecked(layout)
      return {
        kind: 'contiguous',
        fileUri: uri,
        offset: wholeOf(layoutJson, 'offset'),
        size: wholeOf(layoutJson, 'size'),
      }
    case 'H5D_CHUNKED_REF': {
      const chunks = layoutJson.get('chunks')
      if (uri === undefined || !isJsonObject(chunks)) throw unchecked(layout)
      const locate = (chunk: readonly number[]) => {
        const location = chunks.get(chunk.join('_'))
        if (!isJsonList(location)) return undefined
        const [position, length] = location
        if (typeof position !== 'number' || typeof length !== 'number') throw unchecked(layout)
        return { position, length }
      }
      return { kind: 'chunks', fileUri: uri, chunkDims: numbersOf(layoutJson.get('dims')), locate }
    }
    case 'H5D_CHUNKED_REF_INDIRECT': {
      const text = layoutJson.get('chunk_table')
      const table = typeof text === 'string' ? parsePrefixed(text)?.id : undefined
      if (table === undefined) throw unchecked(layout)
      const chunkDims = numbersOf(layoutJson.get('hyper_dims') ?? layoutJson.get('dims'))
      return { kind: 'table', ...(uri !== undefined && { fileUri: uri }), chunkDims, table }
    }
    default:
      throw unchecked(layout)
  }
}

/**
 * The domain of the mounted file that a `file_uri` names: `bucket/key`, `s3://bucket/key`, `file:///path` or
 * `file:/path`. Several slashes count as one, because clients join the parts in many ways. Undefined: it names none.
 */
export function pathOfFileUri(uri: string): DomainPath | undefined {
  const path = uri.replace(/^((s3|file):\/\/|file:(?=\/))/, '')
  if (path.includes('://')) return undefined
  try {
    return parseDomainPath(`/${path}`.replace(/\/+/g, '/'))
  } catch {
    // The name is not a path of a domain: it contains "..", for example.
    return undefined
  }
}

function wholeOf(json: JsonObject, name: string): number {
  const value = json.get(name)
  return typeof value === 'number' ? value : 0
}

function numbersOf(json: JsonValue | undefined): readonly number[] {
  return isJsonList(json) ? json.filter(value => typeof value === 'number') : []
}

function unchecked(layout: string): Error {
  return new Error(`a layout of class ${layout} was stored without being checked`)
}
