// The chunks that a transaction changes: their records, and what follows from them at the commit. A chunk that was
// written only in part is merged, at commit, with the values that other writes have put into it in the meantime.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { ObjectId } from '@hyperslab/model/names'
import { type Elements, ElementsBuilder } from '@hyperslab/model/values'
import { type ChunkLayout, usedElements } from '../chunks/chunk-layout.ts'
import { copyPart } from '../chunks/read-chunk.ts'
import type { Change } from '../interfaces/engine.ts'
import { chunkCounts, countChunks } from '../records/counters.ts'
import type { HeldBlobs } from '../transaction/held-blobs.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { decodeCoordinates } from './chunk-key.ts'
import {
  blobOf,
  blobsOf,
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  difference,
  encodeChunkRecord,
  isInline,
  nameOfChunk,
  valuesKey,
  valuesName,
} from './chunk-record.ts'
import { ChunkValues, type NewChunk, type WrittenPart } from './chunk-values.ts'
import type { HeldChunk } from './held-chunks.ts'
import { type NewPatch, NewPatches, type NewPatchesParts } from './new-patches.ts'
import { patchKeys } from './patches.ts'
import { readRecorded, recordAt } from './recorded-chunk.ts'

export class ChunkChanges {
  /** Stores the values to which the records are changed. */
  readonly values: ChunkValues
  readonly patches: NewPatches
  readonly #transaction: Transaction
  /** The parts of chunks that this transaction has written, by coordinates and dataset. */
  readonly #written = new Map<string, WrittenPart[]>()

  constructor(parts: NewPatchesParts) {
    this.#transaction = parts.transaction
    this.values = new ChunkValues(parts)
    this.patches = new NewPatches(parts, this.values)
  }

  /** The record of a chunk that will be written as a whole. */
  recordToReplace(address: ChunkAddress): Promise<ChunkRecord | undefined> {
    return recordAt(this.values.source, address)
  }

  /** The record of a chunk that will be written in part. */
  async recordToChange(
    layout: ChunkLayout,
    chunk: readonly number[],
    address: ChunkAddress,
  ): Promise<ChunkRecord | undefined> {
    const bytes = await this.#transaction.getForMerge(chunkKey(address), current =>
      this.#merge(layout, chunk, address, current && decodeChunkRecord(current)),
    )
    return bytes && decodeChunkRecord(bytes)
  }

  /** Gives the chunks of a dataset their new values. */
  async apply(dataset: ObjectId, chunks: readonly NewChunk[]): Promise<void> {
    const more = { chunks: 0, bytes: 0 }
    // Chunks that repeat an element share their record.
    let shared: ChunkRecord | undefined
    let encoded: Uint8Array = new Uint8Array(0)
    for (const { address, record, values, before, written } of chunks) {
      const key = chunkKey(address)
      this.#followReplaced(key, address, before)
      const { chunks, bytes } = difference(before, record)
      more.chunks += chunks
      more.bytes += bytes
      if (record !== shared) encoded = encodeChunkRecord(record)
      shared = record
      if (written) {
        this.#transaction.set(key, encoded)
        this.#partsOf(address).push(written)
      } else {
        this.#transaction.setWhole(key, encoded)
        this.#written.delete(nameOfChunk(address))
      }
      if (values) this.#transaction.set(valuesKey(address), values)
      else if (before && isInline(before)) this.#transaction.delete(valuesKey(address))
      this.#drop(address, before)
      if (isTurnOver()) await nextTurn()
    }
    countChunks(this.#transaction, dataset, more)
  }

  /** Notes values that were stored and will not be applied as garbage. */
  discard(chunks: readonly NewChunk[], patches: readonly NewPatch[] = []): void {
    for (const { address, record } of chunks) this.#dropBlobs(address, record)
    for (const { address, patch } of patches)
      if (patch.blob) this.#transaction.dropBlob(valuesName(address, patch.blob))
  }

  remove(address: ChunkAddress, record: ChunkRecord): void {
    this.values.limit.addChanged()
    const key = chunkKey(address)
    this.#followReplaced(key, address, record)
    countChunks(this.#transaction, address.dataset, difference(record, undefined))
    this.#transaction.delete(key)
    if (isInline(record)) this.#transaction.delete(valuesKey(address))
    this.#drop(address, record)
  }

  /** Stores a chunk that was held. */
  async settle({ layout, address }: HeldChunk, held: HeldBlobs): Promise<void> {
    const own = await this.recordToReplace(address)
    const blob = own && blobOf(address, own)
    if (own === undefined || blob === undefined || !held.holds(blob)) return
    const chunk = decodeCoordinates(address.coordinates)
    const elements = await readRecorded(this.values.source, layout, chunk, address, own)
    await this.#replaceOwn(layout, address, own, elements)
  }

  /**
   * Another write may have replaced the chunk before this transaction commits. Then the counters are corrected by the
   * difference between the record that was read and the stored one, and the values and patches of the stored one become
   * garbage.
   */
  #followReplaced(key: Uint8Array, address: ChunkAddress, before: ChunkRecord | undefined): void {
    if (this.#transaction.isFilling(address.dataset)) return
    this.#transaction.follow(key, value => {
      const there = value && decodeChunkRecord(value)
      const changes: Change[] = [...chunkCounts(address.dataset, difference(there, before))]
      for (const key of patchKeys(address, there?.patches)) changes.push({ op: 'delete', key })
      if (there === undefined) return changes
      const known = new Set(blobsOf(address, before))
      const blobs = blobsOf(address, there).filter(blob => !known.has(blob))
      if (blobs.length > 0) changes.push(this.#transaction.garbageNotes(blobs))
      if (isInline(there) && there.version !== before?.version)
        changes.push({ op: 'delete', key: valuesKey(address) })
      return changes
    })
  }

  /** Merges the parts that this transaction has written of the chunk into its current values. */
  async #merge(
    layout: ChunkLayout,
    chunk: readonly number[],
    address: ChunkAddress,
    current: ChunkRecord | undefined,
  ): Promise<void> {
    const own = await this.recordToReplace(address)
    const parts = this.#written.get(nameOfChunk(address))
    if (!own || !parts) return
    const { source } = this.values
    const ours = await readRecorded(source, layout, chunk, address, own)
    // The current values of an inline chunk are not those with which this transaction has merged its own.
    const stored = { ...source, get: (key: Uint8Array) => this.#transaction.stored.get(key) }
    const theirs = await readRecorded(stored, layout, chunk, address, current)
    const builder = new ElementsBuilder(layout.type, usedElements(layout.grid, chunk))
    builder.copy(theirs, 0, 0, builder.capacity)
    for (const { part, fields } of parts) copyPart(layout, part, ours, builder, fields)
    await this.#replaceOwn(layout, address, own, builder.finish())
    this.#dropBlobs(address, current)
  }

  /** Replaces the values that this transaction has given the chunk. */
  async #replaceOwn(
    layout: ChunkLayout,
    address: ChunkAddress,
    own: ChunkRecord,
    elements: Elements,
  ): Promise<void> {
    const { record, values } = await this.values.store(layout, address, elements)
    countChunks(this.#transaction, address.dataset, difference(own, record))
    this.#transaction.set(chunkKey(address), encodeChunkRecord(record))
    if (values) this.#transaction.set(valuesKey(address), values)
    else this.#transaction.delete(valuesKey(address))
    this.#drop(address, own)
  }

  /** Drops the patches and the blobs of a record. */
  #drop(address: ChunkAddress, record: ChunkRecord | undefined): void {
    for (const key of patchKeys(address, record?.patches)) this.#transaction.delete(key)
    this.#dropBlobs(address, record)
  }

  #dropBlobs(address: ChunkAddress, record: ChunkRecord | undefined): void {
    for (const blob of blobsOf(address, record)) this.#transaction.dropBlob(blob)
  }

  #partsOf(address: ChunkAddress): WrittenPart[] {
    const text = nameOfChunk(address)
    const parts = this.#written.get(text) ?? []
    this.#written.set(text, parts)
    return parts
  }
}
