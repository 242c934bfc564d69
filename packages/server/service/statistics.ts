// The statistics of a domain, as `verbose` shows them (hsds-objects 8.12): the exact counts that every change updates,
// and the datasets one by one unless they are too many for an answer that clients request often.

import { nextTurn } from '@hyperslab/base/bounded'
import { logicalBytes } from '@hyperslab/model/dataset'
import type { DomainPath, ObjectId, Timestamp } from '@hyperslab/model/names'
import type { Allocation, DomainStatistics } from '@hyperslab/store/store'
import type { Context } from './context.ts'

export interface DetailedStatistics {
  readonly statistics: DomainStatistics
  /** Absent: the domain has more than `MAX_DATASETS`. */
  readonly datasets?: readonly DatasetStatistics[]
}

export interface DatasetStatistics extends Allocation {
  readonly id: ObjectId
  readonly lastModified: Timestamp
  readonly logicalBytes: number
}

/** Datasets of a domain that are counted one by one. @limit safety, datasets */
const MAX_DATASETS = 1000

/** Undefined for a folder. Does not check that the caller may read the domain. */
export async function getStatistics(
  context: Context,
  path: DomainPath,
): Promise<DetailedStatistics | undefined> {
  const { reader, signal } = context
  const statistics = await reader.statistics(path)
  if (statistics === undefined) return undefined
  const root = (await reader.domain(path))?.root
  if (root === undefined || statistics.datasets > MAX_DATASETS) return { statistics }
  const datasets: DatasetStatistics[] = []
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
    await nextTurn()
  }
  return { statistics, datasets }
}
