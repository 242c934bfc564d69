// The levels of the hsds dialect: all in which 0.9 and 1.0 of its API differ (contract 35, 14.2). Nothing else asks for
// the level.

import type { Rules } from '../dialect.ts'

export type HsdsLevel = '1.0' | '0.9'

interface Level {
  /** What clients are told. */
  readonly version: string
  readonly rules: Pick<Rules, 'rowsOfQuery'>
}

export const HSDS_LEVELS: Readonly<Record<HsdsLevel, Level>> = {
  '1.0': { version: '1.0.2', rules: { rowsOfQuery: 'index-beside' } },
  '0.9': { version: '0.9.4', rules: { rowsOfQuery: 'index-first' } },
}
