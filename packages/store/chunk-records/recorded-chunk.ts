// A chunk of the store for reading: its bytes are where its record says.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Elements } from '@hyperslab/model/values'
import type { FoundChunk, StoredChunk, WholeChunk } from '../chunks/chunk-index.ts'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import { elementsOf, readChunk } from '../chunks/read-chunk.ts'
import { valuesDamaged } from '../engines/system-errors.ts'
import {
  baseBytes,
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  type FilteredValues,
  isInFile,
  isInline,
  isRepeated,
  isTakenOver,
  isUnstored,
  locateBlob,
  type StoredChunk as StoredChunkRecord,
  valuesKey,
  valuesName,
} from './chunk-record.ts'
import { readPatches } from './read-patches.ts'
import { readBlob, readBlobCompared, type ValueSource } from './value-source.ts'

/** The chunk of a record. `values` are those of an unfiltered inline chunk, if they are read already. */
export function recordedChunk(
  source: ValueSource,
  layout: ChunkLayout,
  address: ChunkAddress,
  record: ChunkRecord,
  values?: Uint8Array,
): FoundChunk {
  const base = baseOf(source, layout, address, record, values)
  const { patches } = record
  if (patches) {
    source.notePatches?.(layout, address, patches)
    const window = (first: number, end: number) =>
      readPatches(source, layout, { address, numbers: patches, first, end })
    return { base, patches: window }
  }
  if (base) return base
  throw valuesDamaged(`a chunk of the dataset ${address.dataset} has no values`)
}

/** The values under the patches; undefined: only patches are stored. */
function baseOf(
  source: ValueSource,
  layout: ChunkLayout,
  address: ChunkAddress,
  record: ChunkRecord,
  values: Uint8Array | undefined,
): WholeChunk | undefined {
  if (isUnstored(record)) return undefined
  return isRepeated(record)
    ? { element: elementsOf(layout, record, record.element), inside: record.inside }
    : new RecordedChunk(source, address, record, values)
}

/** The record of a chunk as the source has it. */
export async function recordAt(
  source: Pick<ValueSource, 'get'>,
  address: ChunkAddress,
): Promise<ChunkRecord | undefined> {
  const bytes = await source.get(chunkKey(address))
  return bytes && decodeChunkRecord(bytes)
}

/** Reads all elements of a chunk up to the last one inside the extents. */
export function readRecorded(
  source: ValueSource,
  layout: ChunkLayout,
  coordinates: readonly number[],
  address: ChunkAddress,
  record: ChunkRecord | undefined,
): Promise<Elements> {
  const found = record && recordedChunk(source, layout, address, record)
  return readChunk(source.filters, layout, coordinates, found)
}

class RecordedChunk implements StoredChunk {
  readonly values: Uint8Array | undefined
  readonly #source: ValueSource
  readonly #address: ChunkAddress
  readonly #record: StoredChunkRecord
  #location: { readonly blob: string; readonly offset: number } | undefined

  constructor(
    source: ValueSource,
    address: ChunkAddress,
    record: StoredChunkRecord,
    values: Uint8Array | undefined,
  ) {
    this.#source = source
    this.#address = address
    this.#record = record
    this.values = values
  }

  get dataLength(): number {
    return this.#record.dataLength
  }

  get heapLength(): number {
    return this.#record.heapLength
  }

  get filtered(): FilteredValues | undefined {
    return this.#record.filtered
  }

  get name(): string {
    return valuesName(this.#address, this.#record)
  }

  get position(): number | undefined {
    return isInFile(this.#record) ? this.#record.offset : undefined
  }

  async read(position: number, into: Uint8Array): Promise<void> {
    if (isInline(this.#record)) {
      into.set((await this.#inlineValues()).subarray(position, position + into.length))
      return
    }
    const { blob, offset } = this.#located()
    await readBlob(this.#source, blob, offset + position, into)
  }

  async readAll(into?: Uint8Array): Promise<Uint8Array> {
    if (isInline(this.#record)) {
      const values = await this.#inlineValues()
      into?.set(values)
      return into ?? values
    }
    const { blob, offset } = this.#located()
    const bytes = into ?? new Uint8Array(baseBytes(this.#record))
    await readBlobCompared(this.#source, blob, offset, bytes)
    return bytes
  }

  damaged(chunk: string, reason: string, cause: unknown): Error {
    const record = this.#record
    const position = isInFile(record) ? ` at ${record.offset} of its file` : ''
    const message = `${chunk}${position} is damaged: ${reason}`
    return isTakenOver(record)
      ? new HyperslabError('values-unreadable', message, { subject: this.#address.dataset })
      : valuesDamaged(message, cause)
  }

  async #inlineValues(): Promise<Uint8Array> {
    const values = this.values ?? (await this.#source.get(valuesKey(this.#address)))
    return presentValues(this.#address, this.#record, values)
  }

  #located(): { readonly blob: string; readonly offset: number } {
    this.#location ??= locateBlob(this.#address, this.#record)
    return this.#location
  }
}

/** The values of an inline chunk, which must exist: a record and its values are committed together. */
export function presentValues(
  address: ChunkAddress,
  record: ChunkRecord,
  values: Uint8Array | undefined,
): Uint8Array {
  if (values === undefined)
    throw valuesDamaged(`a chunk of the dataset ${address.dataset} has lost its values`)
  const expected = baseBytes(record)
  if (values.length === expected) return values
  throw valuesDamaged(
    `a chunk of the dataset ${address.dataset} has ${values.length} bytes instead of ${expected}`,
  )
}
