// What a domain holds, as `verbose` tells it (hsds-objects 8.12): the exact counts that are kept with every change, and
// the datasets one by one where they are not too many for an answer that clients ask for again and again.

import { logicalBytes } from '../hdf5/dataset-layout.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import type { ObjectId } from '../hdf5/object-id.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { Allocation, DomainStatistics } from '../storage/store.ts'
import { Turns } from '../turns.ts'
import type { Context } from './context.ts'

export interface DomainScan {
  readonly statistics: DomainStatistics
  /** Absent: there are more than `MAX_DATASETS`. */
  readonly datasets?: readonly ScannedDataset[]
}

export interface ScannedDataset extends Allocation {
  readonly id: ObjectId
  readonly lastModified: Timestamp
  readonly logicalBytes: number
}

const MAX_DATASETS = 1000

/** The caller must be allowed to read the domain; undefined for a folder. */
export async function scanDomain(context: Context, path: DomainPath): Promise<DomainScan | undefined> {
  const { reader, signal } = context
  const statistics = await reader.statistics(path)
  if (statistics === undefined) return undefined
  const root = (await reader.domain(path))?.root
  if (root === undefined || statistics.datasets > MAX_DATASETS) return { statistics }
  const datasets: ScannedDataset[] = []
  const turns = new Turns()
  for await (const id of reader.objects(root, 'dataset')) {
    const dataset = await reader.object(id)
    if (dataset?.kind !== 'dataset') throw new Error(`the dataset ${id} is missing`)
    const { lastModified } = await reader.status(id)
    datasets.push({
      id,
      lastModified,
      logicalBytes: logicalBytes(dataset),
      ...(await reader.allocation(id)),
    })
    signal.throwIfAborted()
    await turns.next()
  }
  return { statistics, datasets }
}
