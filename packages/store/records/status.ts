// The properties of an object that change often: counters and the stamp of the last change. Each has a key of its own
// and is changed without being read, so writes of different parts of one object do not conflict.

import { domainHalf, type ObjectId, type Timestamp } from '@hyperslab/model/names'
import type { Changes, Reads, Stamp } from '../changes.ts'
import { domainState } from '../interfaces/domain-state.ts'
import type { Change, Random } from '../interfaces/engine.ts'
import type { ChangeDetail, ChangeKind, DomainState, ObjectStatus } from '../interfaces/store.ts'
import { hexOf, timeBytes, timeOf } from '../key-range.ts'
import { counterOf } from './counters.ts'
import type { ChangedObject } from './event-notes.ts'
import { objectKey, statisticKey } from './keys.ts'

/** Random bytes after the time of a stamp: no two writes have the same, not even those of different processes. */
const STAMP_RANDOM = 8

export async function getStatus(reads: Reads, id: ObjectId): Promise<ObjectStatus> {
  return statusOf(await reads.getMany(statusKeys(id)))
}

export function statusKeys(id: ObjectId): readonly Uint8Array[] {
  return [objectKey(id, 'modified'), objectKey(id, 'linkCount'), objectKey(id, 'attributeCount')]
}

/** The status in the records of `statusKeys`. */
export function statusOf([stamp, links, attributes]: readonly (Uint8Array | undefined)[]): ObjectStatus {
  return {
    lastModified: stamp ? timeOf(stamp) : 0,
    linkCount: counterOf(links),
    attributeCount: counterOf(attributes),
    version: stamp ? hexOf(stamp) : '',
  }
}

/** Notes the change of the object, and marks it and its domain as changed now, once in each write. */
export function touch(
  changes: Changes,
  object: ChangedObject,
  change: ChangeKind,
  detail?: ChangeDetail,
): void {
  const { id } = object
  if (changes.isFilling(id)) return
  changes.event.noteObject(object, change, detail)
  if (changes.touched.has(id)) return
  changes.touched.add(id)
  stampChange(changes, id, changes.time)
}

/**
 * Marks the object and its domain as changed, the domain once in each write; returns the version that the object has
 * now.
 */
export function stampChange(changes: Changes, id: ObjectId, time: Timestamp): string {
  const stamp = stampAt(changes, time)
  changes.set(objectKey(id, 'modified'), stamp.bytes)
  touchDomain(changes, id, time, stamp)
  return stamp.version
}

/** Marks the domain of `id` as changed, when an object is deleted. */
export function touchDomain(
  changes: Changes,
  id: ObjectId,
  time: Timestamp = changes.time,
  stamp = stampAt(changes, time),
): void {
  const domain = domainHalf(id)
  const last = changes.touchedDomains.get(domain)
  // No client sees the states of contents that are being filled.
  if (last === undefined && !changes.isFilling(id)) {
    changes.set(statisticKey(id, 'state'), stamp.bytes)
    changes.event.noteStamp(id, stamp.bytes)
  }
  if (last !== undefined && last >= time) return
  changes.raise(statisticKey(id, 'modified'), time)
  changes.touchedDomains.set(domain, time)
}

/** The stamp of a time: all that a write changes at that time has the same one. */
function stampAt(changes: Changes, time: Timestamp): Stamp {
  if (changes.lastStamp?.time === time) return changes.lastStamp
  const bytes = Buffer.concat([timeBytes(time), changes.random(STAMP_RANDOM)])
  const stamp = { time, bytes, version: hexOf(bytes) }
  changes.lastStamp = stamp
  return stamp
}

/** Records that the domain of `id`, once it is filled, equals the file of that version. */
export function setFileState(changes: Changes, id: ObjectId, version: string): void {
  changes.set(statisticKey(id, 'state'), Buffer.from(version, 'hex'))
  changes.touchedDomains.delete(domainHalf(id))
}

/** Whether nothing of the domain has changed since `setFileState`. */
export async function isFile(reads: Reads, id: ObjectId, version: string): Promise<boolean> {
  const state = await reads.get(statisticKey(id, 'state'))
  return state !== undefined && hexOf(state) === version
}

/** The change which notes that the values of a dataset are stored in another form, although nothing has changed. */
export function formChange(dataset: ObjectId, random: Random): Change {
  return { op: 'set', key: statisticKey(dataset, 'form'), value: random(STAMP_RANDOM) }
}

export async function getState(reads: Reads, root: ObjectId): Promise<DomainState> {
  const keys = (['state', 'form', 'modified'] as const).map(statistic => statisticKey(root, statistic))
  const [state, form, modified] = await reads.getMany(keys)
  return domainState(root, counterOf(modified), state ? hexOf(state) : '', form ? hexOf(form) : '')
}
