// The statistics of domains, from their counters (records/counters.ts), in a few reads.

import type { DomainPath, ObjectId } from '@hyperslab/model/names'
import type { Reads } from '../changes.ts'
import type { DomainEntry, DomainStatistics } from '../interfaces/store.ts'
import { counterOf, recordBytes } from './counters.ts'
import { domainKey, type Statistic, statisticKey } from './keys.ts'
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

export async function getStatistics(reads: Reads, path: DomainPath): Promise<DomainStatistics | undefined> {
  const key = domainKey(path)
  const record = await reads.get(key)
  if (record === undefined) return undefined
  const { root, lastModified } = decodeRecord<DomainEntry>(record)
  if (root === undefined) return undefined
  const { group, dataset, datatype, modified, ...counts } = await storedCounts(reads, root)
  return {
    groups: group,
    datasets: dataset,
    datatypes: datatype,
    ...counts,
    entryBytes: recordBytes(key, record),
    lastModified: Math.max(lastModified, modified),
  }
}

async function storedCounts(reads: Reads, root: ObjectId): Promise<Counts> {
  const values = await reads.getMany(COUNTERS.map(statistic => statisticKey(root, statistic)))
  return Object.fromEntries(COUNTERS.map((statistic, i) => [statistic, counterOf(values[i])])) as Counts
}
