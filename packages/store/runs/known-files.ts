// Records of the files of joined domains: their places when the domain was opened last, so that one that is gone later
// leaves a gap, and all others keep theirs; their structures, so that they are not read again after a restart or on
// another node; and how many of them a new domain has by now. They are parts of the root group, and are removed with
// it.

import type { DomainPath, ObjectId } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { KeyValue } from '../interfaces/engine.ts'
import type { JoinProgress, KeptOutline, KnownFile, KnownFiles } from '../interfaces/joined-domains.ts'
import { component } from '../key-range.ts'
import { objectKey, objectPartRange } from '../records/keys.ts'
import { decodeRecord, encodeRecord, headLength, tailOf } from '../records/record.ts'
import { withSnapshot } from '../records/with-snapshot.ts'

/** Records that are written in one commit. @limit safety, records */
const WRITTEN_AT_ONCE = 1000

type Change = Parameters<KeyValue['commit']>[0]['changes'][number]

/** The known files of all joined domains of a store. `warn` gets the reason why some were not written. */
export function knownFilesOf(keyValue: KeyValue, warn: (message: string) => void): KnownFiles {
  const read = <T>(work: (reads: Reads) => Promise<T>) => withSnapshot(keyValue, work)
  /** Values can be read without these records; the next opening writes them again. */
  const unlessFailed = async (what: string, writing: Promise<unknown>) => {
    try {
      await writing
    } catch (error) {
      warn(`${what} of files of a joined domain were not stored: ${error}`)
    }
  }
  return {
    read: root => read(reads => readKnownFiles(reads, root)),
    write(root, files) {
      const changes = files.map(file => setOf(keyOf(root, file.path), encodeRecord(file)))
      return unlessFailed('the places', writeChanges(keyValue, root, changes))
    },
    outlines: root => readOutlines(keyValue, root),
    keepOutlines(root, parts, removed = []) {
      const changes = [
        ...parts.map(part => setOf(outlineKey(root, part.key), encodeOutline(part))),
        ...removed.map(key => ({ op: 'delete', key: outlineKey(root, key) }) as const),
      ]
      return unlessFailed('the structures', writeChanges(keyValue, root, changes))
    },
    progress: root => read(reads => readProgress(reads, root)),
    async setProgress(root, before, after) {
      const record = objectKey(root, 'record')
      const value = await read(reads => reads.get(record))
      if (value === undefined) return false
      const key = outlineKey(root, PROGRESS)
      const expect = [
        { key: record, value },
        { key, value: encodeRecord(before) },
      ]
      const change = after ? setOf(key, encodeRecord(after)) : ({ op: 'delete', key } as const)
      try {
        const { committed } = await keyValue.commit({ expect, changes: [change] })
        return committed
      } catch (error) {
        // The work is begun again by a later look.
        warn(`the progress of a joined domain was not stored: ${error}`)
        return false
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

async function* readOutlines(keyValue: KeyValue, root: ObjectId): AsyncGenerator<KeptOutline> {
  const snapshot = keyValue.snapshot()
  try {
    for await (const { value } of snapshot.range(objectPartRange(root, 'keptOutline'))) {
      const { key, ...head } = decodeRecord<KeptOutline['head'] & { readonly key?: string }>(value)
      // The progress has none.
      if (key === undefined) continue
      const hasData = headLength(value) < value.length
      yield { key, head, ...(hasData && { data: tailOf(value).slice() }) }
    }
  } finally {
    snapshot.close()
  }
}

async function readProgress(reads: Reads, root: ObjectId): Promise<JoinProgress | undefined> {
  const value = await reads.get(outlineKey(root, PROGRESS))
  return value && decodeRecord<JoinProgress>(value)
}

/** Nothing is written if the domain was deleted meanwhile. */
async function writeChanges(keyValue: KeyValue, root: ObjectId, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const key = objectKey(root, 'record')
  const value = await withSnapshot(keyValue, reads => reads.get(key))
  if (value === undefined) return
  for (let start = 0; start < changes.length; start += WRITTEN_AT_ONCE) {
    const some = changes.slice(start, start + WRITTEN_AT_ONCE)
    const { committed } = await keyValue.commit({ expect: [{ key, value }], changes: some })
    if (!committed) return
  }
}

/** Sets what is known of the files of a new domain. */
export function setKnownFiles(
  changes: Changes,
  root: ObjectId,
  files: readonly KnownFile[],
  progress: JoinProgress | undefined,
): void {
  for (const file of files) changes.set(keyOf(root, file.path), encodeRecord(file))
  if (progress) changes.set(outlineKey(root, PROGRESS), encodeRecord(progress))
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

/** The key of the progress among those of outlines. */
const PROGRESS = 'progress'

function outlineKey(root: ObjectId, key: string): Uint8Array {
  return objectKey(root, 'keptOutline', component(key))
}

function encodeOutline({ key, head, data }: KeptOutline): Uint8Array {
  return encodeRecord({ key, ...head }, ...(data ? [data] : []))
}

function setOf(key: Uint8Array, value: Uint8Array): Change {
  return { op: 'set', key, value }
}
