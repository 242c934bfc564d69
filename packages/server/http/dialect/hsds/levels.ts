// The levels of the hsds dialect: all differences between 0.9 and 1.0 of its API (hsds-objects 18). No other code reads
// the level.

import type { CreationRules } from '@hyperslab/model/dataset'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { AttributeRules, DatasetRules, DomainRules, QueryRules } from '../rules.ts'

export type HsdsLevel = '1.0' | '0.9'

export type LevelRules = Pick<QueryRules, 'rows' | 'updated'> &
  Pick<DatasetRules, 'creation'> &
  Pick<DomainRules, 'bulkAttributes'> &
  Pick<AttributeRules, 'emptyBatch'>

interface Level {
  /** The version of the API, as answers report it. */
  readonly version: string
  readonly rules: LevelRules
}

const CREATION: CreationRules = {
  references: PREFIXED_REFERENCES,
  filterSpelling: 'any',
  fillValueForms: 'several',
  initializers: true,
  contiguousFilters: false,
  compactFilters: false,
  adjustsChunks: true,
  limitsContiguous: true,
  referenceLayouts: true,
}

export const HSDS_LEVELS: Readonly<Record<HsdsLevel, Level>> = {
  '1.0': {
    version: '1.0.2',
    rules: {
      rows: 'index-beside',
      updated: 'indexes',
      creation: CREATION,
      bulkAttributes: 'always',
      emptyBatch: false,
    },
  },
  '0.9': {
    version: '0.9.4',
    rules: {
      rows: 'index-first',
      updated: 'elements',
      creation: { ...CREATION, contiguousFilters: true },
      emptyBatch: true,
      bulkAttributes: 'asked',
    },
  },
}
