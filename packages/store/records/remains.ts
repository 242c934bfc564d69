// The remains of domains and objects that were deleted. The deletion itself is one small commit, whatever the size of
// the contents: the commit removes few records itself; for many, it stores a note, and the sweeper removes them in
// pieces. No read finds remains: it gets the record of the object first, which is gone. An id is not used again before
// all of its remains are gone.

import { HyperslabError } from '@hyperslab/base/errors'
import { domainHalf, isRoot, type ObjectId, type ObjectKind, type Timestamp } from '@hyperslab/model/names'
import type { Changes } from '../changes.ts'
import type { HdfObject, Link } from '../interfaces/store.ts'
import type { Range } from '../key-range.ts'
import { domainBlobs, objectBlobs } from './blob-name.ts'
import {
  backLinkRest,
  contentsRange,
  domainRemainsKey,
  idOfLargeValueKey,
  idOfRemainsKey,
  indexKey,
  memberTombstonesRange,
  OBJECT_SINGLES,
  objectKey,
  objectPartRange,
  objectRange,
  objectRemainsKey,
  restOfObjectKey,
  statisticKeys,
} from './keys.ts'
import { decodeRecord, encodeRecord } from './record.ts'

/** Records that one commit removes, about. */
const PIECE_RECORDS = 1000
const PIECE_BYTES = 2 ** 20
/** Large values of attributes that one commit drops; each is small or is removed in a piece of its own. */
const PIECE_VALUES = 50

/** A deleted object of a kind, or a deleted domain, by its root group. */
interface DeletedRoot {
  readonly id: ObjectId
  readonly kind: ObjectKind | 'domain'
}

interface StoredRemains {
  readonly kind: DeletedRoot['kind']
  readonly deleted: Timestamp
}

/** Drops all parts of an object, which no read finds after the commit. */
export async function dropObject(
  changes: Changes,
  { id, kind }: Pick<HdfObject, 'id' | 'kind'>,
): Promise<void> {
  if (await dropAtOnce(changes, { id, kind })) return
  dropLater(changes, { id, kind })
}

/** Drops the chunks of a large value of an attribute, which are under its id like those of a dataset. */
export function dropLargeValue(changes: Changes, id: ObjectId): Promise<void> {
  return dropObject(changes, { id, kind: 'dataset' })
}

/** Drops the contents of the domain of a root group, which no read finds after the commit. */
export async function dropDomain(changes: Changes, root: ObjectId): Promise<void> {
  if (await dropAtOnce(changes, { id: root, kind: 'domain' })) return
  dropLater(changes, { id: root, kind: 'domain' })
  for (const key of statisticKeys(root)) changes.delete(key)
  changes.touchedDomains.delete(domainHalf(root))
  changes.delete(indexKey('group', root))
}

/** Throws `still-deleting` if remains of an earlier object with the id of a new one are left. */
export async function requireNoRemains(changes: Changes, id: ObjectId): Promise<void> {
  const keys = isRoot(id) ? [objectRemainsKey(id), domainRemainsKey(id)] : [objectRemainsKey(id)]
  for (const key of keys) {
    const deleted = await remainsAt(changes, key)
    if (deleted === undefined) continue
    if (!(await dropAtOnce(changes, deleted))) {
      throw new HyperslabError(
        'still-deleting',
        `the contents of ${id} are still being removed: the id can be used again in a moment`,
        { subject: id },
      )
    }
    changes.delete(key)
  }
}

/** Removes a piece of the remains, and with the last one the note of them. Returns whether more is left. */
export async function removePiece(changes: Changes, key: Uint8Array): Promise<boolean> {
  const deleted = await remainsAt(changes, key)
  if (deleted === undefined) return false
  if (await dropAtOnce(changes, deleted)) {
    changes.delete(key)
    return false
  }
  const { id, kind } = deleted
  if (kind === 'group' && (await forgetLinks(changes, id, PIECE_RECORDS)) > 0) return true
  if (kind !== 'domain' && (await forgetValues(changes, id, PIECE_VALUES)) > 0) return true
  for (const range of rangesOf(deleted)) changes.deleteFirst(range, PIECE_RECORDS)
  return true
}

async function remainsAt(changes: Changes, key: Uint8Array): Promise<DeletedRoot | undefined> {
  const record = await changes.get(key)
  return record && { id: idOfRemainsKey(key), kind: decodeRecord<StoredRemains>(record).kind }
}

/** Removes the contents in this commit; false: they are too many, and nothing was changed. */
async function dropAtOnce(changes: Changes, deleted: DeletedRoot): Promise<boolean> {
  const { id, kind } = deleted
  if (!(await isSmall(changes, rangesOf(deleted)))) return false
  if (kind !== 'domain') {
    const values = await storedValues(changes, id)
    if (values.length > 0 && !(await isSmall(changes, values.map(objectRange)))) return false
    await forgetValues(changes, id)
  }
  if (kind === 'group') await forgetLinks(changes, id)
  for (const range of rangesOf(deleted)) changes.deleteRange(range)
  if (kind === 'domain') changes.touchedDomains.delete(domainHalf(id))
  if (kind === 'dataset') changes.noteGarbage(objectBlobs(id))
  if (kind === 'domain') changes.noteGarbage(domainBlobs(id))
  return true
}

function dropLater(changes: Changes, deleted: DeletedRoot): void {
  const { id, kind } = deleted
  for (const range of rangesOf(deleted)) changes.deleteLater(range)
  for (const part of OBJECT_SINGLES) changes.delete(objectKey(id, part))
  const key = kind === 'domain' ? domainRemainsKey(id) : objectRemainsKey(id)
  changes.set(key, encodeRecord({ kind, deleted: changes.time } satisfies StoredRemains))
}

/**
 * The ranges to delete. The back links of an object stay as long as their links dangle: an object of the same id may
 * come back.
 */
function rangesOf({ id, kind }: DeletedRoot): readonly Range[] {
  if (kind === 'domain') return [contentsRange(id)]
  const all = objectRange(id)
  const backLinks = objectPartRange(id, 'backLink')
  return [
    { start: all.start, end: backLinks.start },
    { start: backLinks.end, end: all.end },
    memberTombstonesRange(id),
  ]
}

/** Removes links of a group, which then no longer count at their targets; returns how many. */
async function forgetLinks(changes: Changes, group: ObjectId, limit?: number): Promise<number> {
  let count = 0
  const range = objectPartRange(group, 'link')
  for await (const { key, value } of changes.range({ ...range, ...(limit !== undefined && { limit }) })) {
    const { target } = decodeRecord<Link>(value)
    changes.delete(key)
    if (target.class === 'H5L_TYPE_HARD') {
      changes.delete(objectKey(target.id, 'backLink', backLinkRest(group, restOfObjectKey(key))))
    }
    count++
  }
  return count
}

/** The large values of attributes of an owner with few records. */
async function storedValues({ stored }: Changes, owner: ObjectId): Promise<ObjectId[]> {
  const values: ObjectId[] = []
  for await (const { key } of stored.range(objectPartRange(owner, 'largeValue'))) {
    values.push(idOfLargeValueKey(key))
  }
  return values
}

/** Drops large values of attributes of an owner; returns their number. One that is put meanwhile is a conflict. */
async function forgetValues(changes: Changes, owner: ObjectId, limit?: number): Promise<number> {
  let count = 0
  const range = objectPartRange(owner, 'largeValue')
  for await (const { key } of changes.range({ ...range, ...(limit !== undefined && { limit }) })) {
    changes.delete(key)
    await dropLargeValue(changes, idOfLargeValueKey(key))
    count++
  }
  return count
}

/** Whether one small commit can remove the records in the ranges. */
async function isSmall({ stored }: Changes, ranges: readonly Range[]): Promise<boolean> {
  let records = 0
  let bytes = 0
  for (const range of ranges) {
    for await (const { key, value } of stored.range({ ...range, limit: PIECE_RECORDS })) {
      bytes += key.length + value.length
      if (++records >= PIECE_RECORDS || bytes >= PIECE_BYTES) return false
    }
  }
  return true
}
