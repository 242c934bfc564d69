// The members that `verbose` adds to a domain (hsds-objects 8.12). There are no scans: the counts are those of the
// snapshot, so the time of the scan is that of the request. Values in other files are not counted: no dataset refers to
// any.

import { formatPrefixed } from '@hyperslab/model/names'
import type { DomainStatistics } from '@hyperslab/store/store'
import type { DatasetStatistics } from '../../../service/statistics.ts'
import { toEpochSeconds } from '../../message/times.ts'
import type { Body, TimedStatistics } from '../dialect.ts'

/** The members about the domain itself, `lastModified` among them; listings of folders have them too. */
export function statisticsMembers(statistics: DomainStatistics): Body {
  const { groups, datasets, datatypes, chunks, allocatedBytes, metadataBytes } = statistics
  return {
    num_groups: groups,
    num_datasets: datasets,
    num_datatypes: datatypes,
    num_objects: groups + datasets + datatypes + chunks,
    num_chunks: chunks,
    num_linked_chunks: 0,
    total_size: allocatedBytes + metadataBytes + statistics.entryBytes,
    allocated_bytes: allocatedBytes,
    metadata_bytes: metadataBytes,
    linked_bytes: 0,
    md5_sum: '',
    lastModified: toEpochSeconds(statistics.lastModified),
  }
}

/** All members. */
export function scanMembers({ statistics, datasets, time }: TimedStatistics, bucket: string): Body {
  const now = toEpochSeconds(time)
  return {
    ...statisticsMembers(statistics),
    scan_info: {
      lastModified: toEpochSeconds(statistics.lastModified),
      num_groups: statistics.groups,
      num_datatypes: statistics.datatypes,
      ...(datasets && {
        datasets: new Map(datasets.map(dataset => [formatDataset(dataset), datasetMembers(dataset)])),
      }),
      num_chunks: statistics.chunks,
      allocated_bytes: statistics.allocatedBytes,
      metadata_bytes: statistics.metadataBytes,
      num_linked_chunks: 0,
      linked_bytes: 0,
      logical_bytes: statistics.logicalBytes,
      bucket,
      scan_start: now,
      md5_sum: '',
      scan_complete: now,
    },
  }
}

function formatDataset({ id }: DatasetStatistics): string {
  return formatPrefixed({ kind: 'dataset', id })
}

function datasetMembers({ lastModified, chunks, bytes, logicalBytes }: DatasetStatistics): Body {
  return {
    lastModified: toEpochSeconds(lastModified),
    num_chunks: chunks,
    allocated_bytes: bytes,
    logical_bytes: logicalBytes,
    linked_bytes: 0,
    num_linked_chunks: 0,
  }
}
