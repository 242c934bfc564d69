// The statistics of a domain, as `verbose` shows them (hsds-objects 8.12): the exact counts that every change updates,
// and the datasets one by one unless they are too many for an answer that clients request often.

import { logicalBytes } from '@hyperslab/model/dataset'
import type { DomainPath, ObjectId, Timestamp } from '@hyperslab/model/names'
import type { Allocation, DomainStatistics } from '@hyperslab/store/store'
import type { Context } from './context.ts'
import { readTogether } from './objects/read-together.ts'

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
  const read = async (id: ObjectId): Promise<DatasetStatistics> => {
    signal.throwIfAborted()
    const [dataset, { lastModified }, allocation] = await Promise.all([
      reader.object(id),
      reader.status(id),
      reader.allocation(id),
    ])
    if (dataset?.kind !== 'dataset') throw new Error(`the dataset ${id} is missing`)
    return { id, lastModified, logicalBytes: logicalBytes(dataset), ...allocation }
  }
  for await (const one of readTogether(reader.objects(root, 'dataset'), read)) datasets.push(one)
  return { statistics, datasets }
}
