// Stands for the schemas of types and shapes until those of objects are declared.

import type { Schemas } from '../schema.ts'

export const TEMPORARY_SCHEMAS: Schemas = {
  Type: { examples: [{ class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }] },
  TypeInput: { examples: ['H5T_STD_I32LE'] },
  Shape: { examples: [{ class: 'H5S_SCALAR' }] },
}
