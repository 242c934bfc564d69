// What is counted of domains and datasets, as readers are told it: from the counters, in a few reads. The contents of a
// domain from before the counters are walked each time until `countContents` has counted them once for all.

import { logicalBytes } from '../hdf5/dataset-layout.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import type { ObjectId } from '../hdf5/object-id.ts'
import { Turns } from '../turns.ts'
import type { Changes, Reads } from './changes.ts'
import { decodeChunkRecord, storedBytes } from './chunks/chunk-record.ts'
import { attributeValueBytes } from './records/attributes.ts'
import { count, countedChunks, counterOf, MARK, recordBytes } from './records/counters.ts'
import {
  domainKey,
  objectKey,
  objectPartRange,
  type Statistic,
  statisticKey,
  timeOf,
} from './records/keys.ts'
import { getObject, listObjects } from './records/objects.ts'
import { decodeRecord } from './records/record.ts'
import type { Allocation, DomainEntry, DomainStatistics } from './store.ts'

/** What is counted of a domain and is exactly so. */
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
  const { group, dataset, datatype, modified, ...counts } = (await isCounted(reads, root))
    ? await storedCounts(reads, root)
    : (await walk(reads, root)).counts
  return {
    groups: group,
    datasets: dataset,
    datatypes: datatype,
    ...counts,
    entryBytes: recordBytes(key, record),
    lastModified: Math.max(lastModified, modified),
  }
}

export async function getAllocation(reads: Reads, dataset: ObjectId): Promise<Allocation> {
  return (await isCounted(reads, dataset)) ? countedChunks(reads, dataset) : walkChunks(reads, dataset)
}

/**
 * Counts what was there before the counters, once for all. What changes meanwhile is in the counters already, so only
 * the difference is added; an object that goes meanwhile is a conflict. `stored` is the committed state.
 */
export async function countContents(changes: Changes, stored: Reads, root: ObjectId): Promise<void> {
  if (await isCounted(changes, root)) return
  const { counts, objects } = await walk(stored, root)
  const before = await storedCounts(stored, root)
  for (const statistic of COUNTERS) {
    if (statistic !== 'modified') count(changes, root, statistic, counts[statistic] - before[statistic])
  }
  changes.raise(statisticKey(root, 'modified'), counts.modified)
  for (const { id, memberBytes, chunks, bytes } of objects) {
    await changes.get(objectKey(id, 'record'))
    const counted = await countedChunks(stored, id)
    changes.add(
      objectKey(id, 'memberBytes'),
      memberBytes - counterOf(await stored.get(objectKey(id, 'memberBytes'))),
    )
    changes.add(objectKey(id, 'chunkCount'), chunks - counted.chunks)
    changes.add(objectKey(id, 'chunkBytes'), bytes - counted.bytes)
  }
  count(changes, root, 'names', 1)
  changes.set(statisticKey(root, 'counted'), MARK)
}

async function isCounted(reads: Reads, id: ObjectId): Promise<boolean> {
  return (await reads.get(statisticKey(id, 'counted'))) !== undefined
}

async function storedCounts(reads: Reads, root: ObjectId): Promise<Counts> {
  const values = await reads.getMany(COUNTERS.map(statistic => statisticKey(root, statistic)))
  return Object.fromEntries(COUNTERS.map((statistic, i) => [statistic, counterOf(values[i])])) as Counts
}

interface WalkedObject extends Allocation {
  readonly id: ObjectId
  /** Of its links and attributes. */
  readonly memberBytes: number
}

/** Everything that the counters of a domain stand for, found one by one. */
async function walk(
  reads: Reads,
  root: ObjectId,
): Promise<{ readonly counts: Counts; readonly objects: readonly WalkedObject[] }> {
  const { modified } = await storedCounts(reads, root)
  const counts = { ...(Object.fromEntries(COUNTERS.map(statistic => [statistic, 0])) as Counts), modified }
  const objects: WalkedObject[] = []
  for (const kind of ['group', 'dataset', 'datatype'] as const) {
    for await (const id of listObjects(reads, root, kind)) {
      const key = objectKey(id, 'record')
      const [record, stamp] = await reads.getMany([key, objectKey(id, 'modified')])
      const memberBytes =
        (await partBytes(reads, id, 'link')) +
        (await partBytes(reads, id, 'attribute')) +
        (await attributeValueBytes(reads, id))
      const { chunks, bytes } = await walkChunks(reads, id)
      const object = kind === 'dataset' ? await getObject(reads, id) : undefined
      counts[kind]++
      counts.chunks += chunks
      counts.allocatedBytes += bytes
      counts.logicalBytes += object?.kind === 'dataset' ? logicalBytes(object) : 0
      counts.metadataBytes += recordBytes(key, record) + memberBytes
      counts.modified = Math.max(counts.modified, stamp ? timeOf(stamp) : 0)
      objects.push({ id, memberBytes, chunks, bytes })
    }
  }
  return { counts, objects }
}

async function partBytes(reads: Reads, id: ObjectId, part: 'link' | 'attribute'): Promise<number> {
  let bytes = 0
  for await (const { key, value } of reads.range(objectPartRange(id, part))) bytes += recordBytes(key, value)
  return bytes
}

async function walkChunks(reads: Reads, dataset: ObjectId): Promise<Allocation> {
  const turns = new Turns()
  let chunks = 0
  let bytes = 0
  for await (const { value } of reads.range(objectPartRange(dataset, 'chunk'))) {
    bytes += storedBytes(decodeChunkRecord(value))
    chunks++
    await turns.next()
  }
  return { chunks, bytes }
}
