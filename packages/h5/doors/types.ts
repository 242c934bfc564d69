// The door to the types: how the package describes types, shapes and layouts, functions that make types, and its error.

export { HyperslabError } from '@hyperslab/base/errors'
export type { CreationProperties, Dataspace, MaximumExtent } from '@hyperslab/model/dataset'
export type { Datatype } from '@hyperslab/model/datatype'
export {
  array,
  BOOLEAN,
  bigEndian,
  bitfield,
  compound,
  enumeration,
  fixedString,
  opaque,
  REFERENCE,
  sequence,
  TYPES,
} from './make-types.ts'
