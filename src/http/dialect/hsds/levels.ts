// The levels of the hsds dialect: all in which 0.9 and 1.0 of its API differ (hsds-objects 18). Nothing else asks for
// the level.

import type { CreationRules } from '../../../hdf5/creation-properties.ts'
import { PREFIXED_REFERENCES } from '../../../hdf5/values/references.ts'
import type { Rules } from '../dialect.ts'

export type HsdsLevel = '1.0' | '0.9'

export type LevelRules = Pick<Rules, 'rowsOfQuery' | 'creation' | 'bulkAttributes' | 'writesNoAttributes'>

interface Level {
  /** What clients are told. */
  readonly version: string
  readonly rules: LevelRules
}

const CREATION: CreationRules = {
  references: PREFIXED_REFERENCES,
  anySpelling: true,
  contiguousFilters: false,
  adjustsChunks: true,
  limitsContiguous: true,
  referenceLayouts: true,
}

export const HSDS_LEVELS: Readonly<Record<HsdsLevel, Level>> = {
  '1.0': {
    version: '1.0.2',
    rules: {
      rowsOfQuery: 'index-beside',
      creation: CREATION,
      bulkAttributes: 'always',
      writesNoAttributes: false,
    },
  },
  '0.9': {
    version: '0.9.4',
    rules: {
      rowsOfQuery: 'index-first',
      creation: { ...CREATION, contiguousFilters: true },
      writesNoAttributes: true,
      bulkAttributes: 'asked',
    },
  },
}
