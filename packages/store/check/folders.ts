// The notes about folders, from which tables of contents are read: each folder that holds a domain must have one, at
// its own number, with the number of its links.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import {
  bucketOf,
  DEFAULT_BUCKET,
  type DomainPath,
  isHiddenName,
  nameOf,
  parentOf,
} from '@hyperslab/model/names'
import { isSameValue } from '../batch.ts'
import type { Entry } from '../interfaces/engine.ts'
import { counterOf } from '../records/counters.ts'
import { folderNumber, type NotedFolder } from '../records/folders.ts'
import { childrenRange, domainKey, FOLDERS_NOTED_KEY, type FolderPart, folderKey } from '../records/keys.ts'
import { decodeRecord } from '../records/record.ts'
import { domainIn } from './lookups.ts'
import { type CheckParts, decoded } from './parts.ts'

export function checkFolderPart(parts: CheckParts, part: FolderPart, { key, value }: Entry): void {
  if (part !== 'record') {
    decoded(parts, { key }, () => counterOf(value))
    return
  }
  const folder = decoded(parts, { key }, () => decodeRecord<NotedFolder>(value))
  if (folder === undefined) return
  const { path } = folder
  if (isSameValue(folderKey(folderNumber(path), 'record'), key))
    parts.later.run(() => checkLinks(parts, path))
  else parts.report({ kind: 'misplaced-record', domain: path, key })
}

/** Reports the folder of a domain if it has no note; a store whose folders are not noted yet has none. */
export function checkNoted({ later, report }: CheckParts, domain: DomainPath): void {
  if (bucketOf(domain) !== DEFAULT_BUCKET) return
  later.get(noteOf(parentOf(domain)), note => {
    if (note) return
    later.get(FOLDERS_NOTED_KEY, noted => {
      if (noted) report({ kind: 'folder-without-note', domain: parentOf(domain) })
    })
  })
}

async function checkLinks({ reads, report }: CheckParts, folder: DomainPath): Promise<void> {
  let expected = 0
  for await (const { key, value } of reads.range(childrenRange(folder))) {
    if (isTurnOver()) await nextTurn()
    const entry = domainIn(value)
    // A damaged record is reported elsewhere: whether it counts is not known.
    if (entry === undefined || !isSameValue(domainKey(entry.path), key)) return
    if (isHiddenName(nameOf(entry.path))) continue
    if (entry.root !== undefined) expected++
    if (await reads.get(noteOf(entry.path))) expected++
  }
  const found = counterOf(await reads.get(folderKey(folderNumber(folder), 'links')))
  if (found !== expected) report({ kind: 'wrong-counter', domain: folder, name: 'links', expected, found })
}

function noteOf(folder: DomainPath): Uint8Array {
  return folderKey(folderNumber(folder), 'record')
}
