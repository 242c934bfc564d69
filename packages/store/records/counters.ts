// The counters of a domain and of its objects, which the transactions that change them keep exact, so that statistics
// need no scan. A write adds to a counter without reading it, so writes of different parts of a domain do not conflict.

import { logicalBytes } from '@hyperslab/model/dataset'
import type { ObjectId } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { Change } from '../interfaces/engine.ts'
import type { Allocation, HdfObject } from '../interfaces/store.ts'
import { objectKey, type Statistic, statisticKey } from './keys.ts'

/** Bytes that a record takes in the store. */
export function recordBytes(key: Uint8Array, record: Uint8Array | undefined): number {
  return record === undefined ? 0 : key.length + record.length
}

/** The number in a counter's bytes. */
export function counterOf(bytes: Uint8Array | undefined): number {
  if (bytes === undefined) return 0
  // Nearly all counters are small, and reading one as a big integer would take longer.
  if (bytes[7] === 0) return uint32(bytes, 0) + 2 ** 32 * uint32(bytes, 4)
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0, true))
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0
}

/** Adds to a statistic of the domain of `id`. */
export function count(changes: Changes, id: ObjectId, statistic: Statistic, amount: number): void {
  if (amount !== 0) changes.add(statisticKey(id, statistic), amount)
}

/** Counts an object that is created. */
export function countObject(changes: Changes, object: HdfObject, bytes: number): void {
  addObject(changes, object, bytes, 1)
}

/** Subtracts an object that is about to be deleted, with its links, attributes and values. */
export async function discountObject(changes: Changes, object: HdfObject, bytes: number): Promise<void> {
  const members = counterOf(await changes.get(objectKey(object.id, 'memberBytes')))
  addObject(changes, object, bytes + members, -1)
  if (object.kind === 'dataset') await discountChunks(changes, object.id)
}

function addObject(changes: Changes, object: HdfObject, bytes: number, sign: 1 | -1): void {
  count(changes, object.id, object.kind, sign)
  count(changes, object.id, 'metadataBytes', sign * bytes)
  if (object.kind === 'dataset') count(changes, object.id, 'logicalBytes', sign * logicalBytes(object))
}

/** Adds the bytes by which a link or an attribute of the owner, or its large value, has grown. */
export function countMember(changes: Changes, owner: ObjectId, bytes: number): void {
  if (bytes === 0) return
  changes.add(objectKey(owner, 'memberBytes'), bytes)
  count(changes, owner, 'metadataBytes', bytes)
}

/** Adds chunks of a dataset, and their bytes, to the counters. */
export function countChunks(changes: Changes, dataset: ObjectId, more: Allocation): void {
  for (const { key, delta } of chunkCounts(dataset, more)) changes.add(key, delta)
}

/** The same as a list of changes of counters. */
export function chunkCounts(dataset: ObjectId, { chunks, bytes }: Allocation): readonly AddChange[] {
  return [
    ...added(chunks, objectKey(dataset, 'chunkCount'), statisticKey(dataset, 'chunks')),
    ...added(bytes, objectKey(dataset, 'chunkBytes'), statisticKey(dataset, 'allocatedBytes')),
  ]
}

type AddChange = Extract<Change, { readonly op: 'add' }>

function added(delta: number, ...keys: readonly Uint8Array[]): AddChange[] {
  return delta === 0 ? [] : keys.map(key => ({ op: 'add', key, delta }))
}

/** Subtracts all chunks of a dataset, which are about to be deleted. */
export async function discountChunks(changes: Changes, dataset: ObjectId): Promise<void> {
  await changes.applyAmendments()
  const { chunks, bytes } = await countedChunks(changes, dataset)
  countChunks(changes, dataset, { chunks: -chunks, bytes: -bytes })
}

/** Counts the chunks of a new large value as bytes of an attribute of the owner; returns these bytes. */
export async function countAsMember(changes: Changes, value: ObjectId, owner: ObjectId): Promise<number> {
  const { bytes } = await countedChunks(changes, value)
  await discountChunks(changes, value)
  changes.delete(objectKey(value, 'chunkCount'))
  changes.delete(objectKey(value, 'chunkBytes'))
  countMember(changes, owner, bytes)
  return bytes
}

/** The counters of the chunks of a dataset. */
export async function countedChunks(reads: Reads, dataset: ObjectId): Promise<Allocation> {
  const keys = [objectKey(dataset, 'chunkCount'), objectKey(dataset, 'chunkBytes')]
  const [chunks, bytes] = await reads.getMany(keys)
  return { chunks: counterOf(chunks), bytes: counterOf(bytes) }
}
