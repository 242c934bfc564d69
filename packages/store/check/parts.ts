// The state and the helpers that the parts of a check share.

import type { Reads } from '../changes.ts'
import type { ChunkFilters } from '../chunks/chunk-filters.ts'
import type { Blobs } from '../interfaces/engine.ts'
import type { StoredQuota } from '../quotas/quotas.ts'
import type { Finding, Totals } from './finding.ts'
import type { Later } from './later.ts'

/** The highest number of questions that wait, in memory, for one walk over a range of records. */
export const MOST_UNRESOLVED = 100_000

export interface CheckParts {
  /** One committed state. */
  readonly reads: Reads
  readonly blobs: Pick<Blobs, 'read' | 'readCompared' | 'size' | 'hasChecksums' | 'list'>
  readonly later: Later
  readonly totals: Totals
  readonly quotas: readonly StoredQuota[]
  /** Filters for reading the values; absent: values are not read. */
  readonly filters: ChunkFilters | undefined
  report(finding: Finding): void
}

/** The decoded record; undefined: `decode` fails, which is reported. */
export function decoded<T>(
  parts: CheckParts,
  location: Omit<Finding, 'kind'>,
  decode: () => T,
): T | undefined {
  try {
    return decode()
  } catch (error) {
    parts.report({
      kind: 'broken-record',
      ...location,
      found: error instanceof Error ? error.message : String(error),
    })
    return undefined
  }
}

/** Memory that a walk over a layout may take for pieces: nothing here is read in pieces. */
export const LAYOUT_PIECE_BYTES = 2 ** 20
