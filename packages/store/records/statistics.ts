// The statistics of domains, from their counters (records/counters.ts): of one in a few reads, of all below a folder in
// a walk over the entries that reads the counters of many together.

import { type AbortCheck, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { type DomainPath, isTopLevel, isWithin, type ObjectId, parentOf } from '@hyperslab/model/names'
import type { Reads } from '../changes.ts'
import type { DomainEntry, DomainStatistics, DomainUse } from '../interfaces/store.ts'
import { counterOf, recordBytes } from './counters.ts'
import { childrenRange, domainKey, foldersRange, objectKey, type Statistic, statisticKey } from './keys.ts'
import { decodeObject } from './objects.ts'
import { decodeRecord } from './record.ts'

/** The statistics of a domain that are exactly their counters. */
export const COUNTED = [
  'group',
  'dataset',
  'datatype',
  'chunks',
  'allocatedBytes',
  'logicalBytes',
  'metadataBytes',
] as const satisfies readonly Statistic[]

const COUNTERS = [...COUNTED, 'modified'] as const satisfies readonly Statistic[]

type Counts = Record<(typeof COUNTERS)[number], number>
type Records = readonly (Uint8Array | undefined)[]

export async function getStatistics(reads: Reads, path: DomainPath): Promise<DomainStatistics | undefined> {
  const key = domainKey(path)
  const record = await reads.get(key)
  if (record === undefined) return undefined
  const entry = decodeRecord<DomainEntry>(record)
  if (entry.root === undefined) return undefined
  const counters = await reads.getMany(counterKeys(entry.root))
  return statisticsOf(entry, recordBytes(key, record), counters)
}

function counterKeys(root: ObjectId): readonly Uint8Array[] {
  return COUNTERS.map(statistic => statisticKey(root, statistic))
}

/** `counters`: the records of `counterKeys`. */
function statisticsOf(entry: DomainEntry, entryBytes: number, counters: Records): DomainStatistics {
  const values = COUNTERS.map((statistic, i) => [statistic, counterOf(counters[i])])
  const { group, dataset, datatype, modified, ...counts } = Object.fromEntries(values) as Counts
  return {
    groups: group,
    datasets: dataset,
    datatypes: datatype,
    ...counts,
    entryBytes,
    lastModified: Math.max(entry.lastModified, modified),
  }
}

// The use of all domains below a folder

/** Domains whose counters are read together. @limit memory, domains */
const DOMAINS_AT_ONCE = 128

interface FoundDomain {
  readonly entry: DomainEntry
  readonly root: ObjectId
  readonly bytes: number
}

/** The domains below a folder, at any depth, some at a time; with `roots` their root groups come too. */
export async function* listUse(
  reads: Reads,
  folder: DomainPath,
  roots: boolean,
  signal?: AbortCheck,
): AsyncGenerator<readonly DomainUse[]> {
  const top = isTopLevel(folder)
  const deeper = foldersRange(top ? folder : `${folder}/`)
  let found: FoundDomain[] = []
  for (const range of top ? [deeper] : [childrenRange(folder), deeper]) {
    for await (const { key, value } of reads.range(range)) {
      if (isTurnOver()) await nextTurn()
      signal?.throwIfAborted()
      const entry = decodeRecord<DomainEntry>(value)
      const { path, root } = entry
      if (root === undefined || path === folder || !isWithin(folder, path)) continue
      // The key of a long path is cut, so that the range of the folders below it has its children too.
      if (!top && range === deeper && parentOf(path) === folder) continue
      found.push({ entry, root, bytes: recordBytes(key, value) })
      if (found.length < DOMAINS_AT_ONCE) continue
      yield await useOf(reads, found, roots)
      found = []
    }
  }
  if (found.length > 0) yield await useOf(reads, found, roots)
}

async function useOf(
  reads: Reads,
  found: readonly FoundDomain[],
  roots: boolean,
): Promise<readonly DomainUse[]> {
  const records = await reads.getMany(
    found.flatMap(({ root }) => [
      ...counterKeys(root),
      statisticKey(root, 'names'),
      ...(roots ? [objectKey(root, 'record')] : []),
    ]),
  )
  const each = records.length / found.length
  return found.map(({ entry, root, bytes }, i) => {
    const own = records.slice(i * each, (i + 1) * each)
    const object = roots ? own[COUNTERS.length + 1] : undefined
    return {
      entry,
      statistics: statisticsOf(entry, bytes, own),
      names: counterOf(own[COUNTERS.length]),
      ...(object && { root: decodeObject(root, object) }),
    }
  })
}
