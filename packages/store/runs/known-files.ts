// The files that a joined domain was made of when it was opened last: one that is gone later keeps its place, so that
// all others keep theirs. The records are parts of the root group, and are removed with it.

import type { DomainPath, ObjectId } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { KeyValue } from '../interfaces/engine.ts'
import type { KnownFile, KnownFiles } from '../interfaces/joined-domains.ts'
import { component } from '../key-range.ts'
import { objectKey, objectPartRange } from '../records/keys.ts'
import { decodeRecord, encodeRecord } from '../records/record.ts'
import { withSnapshot } from '../records/with-snapshot.ts'

/** Files that are written in one commit. @limit safety, files */
const WRITTEN_AT_ONCE = 1000

/** The known files of all joined domains of a store. `warn` gets the reason why some were not written. */
export function knownFilesOf(keyValue: KeyValue, warn: (message: string) => void): KnownFiles {
  return {
    read: root => withSnapshot(keyValue, snapshot => readKnownFiles(snapshot, root)),
    async write(root, files) {
      try {
        await writeKnownFiles(keyValue, root, files)
      } catch (error) {
        // Values can be read without it; the next opening writes them again.
        warn(`the places of files of a joined domain were not stored: ${error}`)
      }
    },
  }
}

async function readKnownFiles(reads: Reads, root: ObjectId): Promise<ReadonlyMap<DomainPath, KnownFile>> {
  const files = new Map<DomainPath, KnownFile>()
  for await (const { value } of reads.range(objectPartRange(root, 'knownFile'))) {
    const file = decodeRecord<KnownFile>(value)
    files.set(file.path, file)
  }
  return files
}

/** Sets these files; nothing is written if the domain was deleted meanwhile. */
async function writeKnownFiles(
  keyValue: KeyValue,
  root: ObjectId,
  files: readonly KnownFile[],
): Promise<void> {
  if (files.length === 0) return
  const key = objectKey(root, 'record')
  const value = await withSnapshot(keyValue, snapshot => snapshot.get(key))
  if (value === undefined) return
  for (let start = 0; start < files.length; start += WRITTEN_AT_ONCE) {
    const changes = files
      .slice(start, start + WRITTEN_AT_ONCE)
      .map(file => ({ op: 'set', key: keyOf(root, file.path), value: encodeRecord(file) }) as const)
    const { committed } = await keyValue.commit({ expect: [{ key, value }], changes })
    if (!committed) return
  }
}

export function setKnownFiles(changes: Changes, root: ObjectId, files: readonly KnownFile[]): void {
  for (const file of files) changes.set(keyOf(root, file.path), encodeRecord(file))
}

/** False: it is not one of the known files. */
export async function forgetKnownFile(changes: Changes, root: ObjectId, path: DomainPath): Promise<boolean> {
  const key = keyOf(root, path)
  if ((await changes.get(key)) === undefined) return false
  changes.delete(key)
  return true
}

function keyOf(root: ObjectId, path: DomainPath): Uint8Array {
  return objectKey(root, 'knownFile', component(path))
}
