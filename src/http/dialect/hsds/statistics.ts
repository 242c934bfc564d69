// What `verbose` tells of a domain (hsds-objects 8.12). Nothing scans: the counts are those of the state that is read,
// so the scan that clients ask about is always just over. Values in files elsewhere are not counted: none are linked.

import { formatPrefixed } from '../../../hdf5/object-id.ts'
import { toEpochSeconds } from '../../../hdf5/timestamp.ts'
import type { DomainStatistics } from '../../../service/model.ts'
import type { DomainScan, ScannedDataset } from '../../../service/statistics.ts'
import type { Body } from '../dialect.ts'

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

/** All members; `now` in seconds. */
export function scanMembers({ statistics, datasets }: DomainScan, bucket: string, now: number): Body {
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

function formatDataset({ id }: ScannedDataset): string {
  return formatPrefixed({ kind: 'dataset', id })
}

function datasetMembers({ lastModified, chunks, bytes, logicalBytes }: ScannedDataset): Body {
  return {
    lastModified: toEpochSeconds(lastModified),
    num_chunks: chunks,
    allocated_bytes: bytes,
    logical_bytes: logicalBytes,
    linked_bytes: 0,
    num_linked_chunks: 0,
  }
}
