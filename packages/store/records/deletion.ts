// Deleting an object: its contents are removed, the links to it are removed or dangle, and a tombstone stays. Also
// deleting only the values of a dataset.

import type { ObjectId } from '@hyperslab/model/names'
import type { Changes } from '../changes.ts'
import { objectBlobs } from './blob-name.ts'
import { discountChunks, discountObject, recordBytes } from './counters.ts'
import { indexKey, objectKey, objectPartRange, tombstoneKey } from './keys.ts'
import { deleteLinksTo } from './links.ts'
import { requireObject } from './objects.ts'
import { encodeRecord } from './record.ts'
import { dropObject } from './remains.ts'
import { touchDomain } from './status.ts'

export async function deleteObject(
  changes: Changes,
  id: ObjectId,
  { links }: { readonly links: boolean },
): Promise<void> {
  const object = await requireObject(changes, id)
  if (links) await deleteLinksTo(changes, id)
  const key = objectKey(id, 'record')
  await discountObject(changes, object, recordBytes(key, await changes.get(key)))
  await dropObject(changes, object)
  changes.delete(indexKey(object.kind, id))
  changes.set(tombstoneKey(id, 'object'), encodeRecord({ deleted: changes.time }))
  changes.event.noteObject(object, 'deleted')
  touchDomain(changes, id)
}

/** Drops the values of a dataset, which itself stays. */
export async function dropValues(changes: Changes, dataset: ObjectId): Promise<void> {
  await discountChunks(changes, dataset)
  changes.deleteRange(objectPartRange(dataset, 'chunk'))
  changes.deleteRange(objectPartRange(dataset, 'values'))
  changes.noteGarbage(objectBlobs(dataset))
}
