// What changes often about an object: counters and the stamp of the last change. Each has a key of its own and is
// changed without being read, so writes of different parts of one object do not conflict.

import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Timestamp } from '../../hdf5/timestamp.ts'
import type { Changes, Reads } from '../changes.ts'
import { hexOf } from '../key-range.ts'
import type { ObjectStatus } from '../store.ts'
import { counterOf } from './counters.ts'
import { objectKey, statisticKey, timeBytes, timeOf } from './keys.ts'

/** Random bytes behind the time of a stamp: no two changes have the same, not even those of different processes. */
const STAMP_RANDOM = 8

export async function getStatus(reads: Reads, id: ObjectId): Promise<ObjectStatus> {
  return statusOf(await reads.getMany(statusKeys(id)))
}

export function statusKeys(id: ObjectId): readonly Uint8Array[] {
  return [objectKey(id, 'modified'), objectKey(id, 'linkCount'), objectKey(id, 'attributeCount')]
}

/** What the records of `statusKeys` say. */
export function statusOf([stamp, links, attributes]: readonly (Uint8Array | undefined)[]): ObjectStatus {
  return {
    lastModified: stamp ? timeOf(stamp) : 0,
    linkCount: counterOf(links),
    attributeCount: counterOf(attributes),
    version: stamp ? hexOf(stamp) : '',
  }
}

/** Marks the object and its domain as changed now, once in each write. */
export function touch(changes: Changes, id: ObjectId): void {
  if (changes.isFilling(id) || changes.touched.has(id)) return
  changes.touched.add(id)
  stampChange(changes, id, changes.time)
}

/** Marks the object and its domain as changed; returns the version that the object has now. */
export function stampChange(changes: Changes, id: ObjectId, time: Timestamp): string {
  const stamp = Buffer.concat([timeBytes(time), changes.random(STAMP_RANDOM)])
  changes.set(objectKey(id, 'modified'), stamp)
  touchDomain(changes, id, time)
  return hexOf(stamp)
}

/** Marks the domain of `id` as changed: for an object that goes. */
export function touchDomain(changes: Changes, id: ObjectId, time: Timestamp = changes.time): void {
  changes.raise(statisticKey(id, 'modified'), time)
}
