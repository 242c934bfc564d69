// Door: what other packages use of model/datatype.

export { complexPart } from './datatype/complex.ts'
export {
  type ArrayType,
  type BitfieldType,
  type ByteOrder,
  CHARACTER_SETS,
  type CharacterSet,
  type CompoundField,
  type CompoundLayout,
  type CompoundType,
  type Datatype,
  type EnumMember,
  type EnumType,
  type FloatType,
  type IntegerType,
  MAX_SLOTS,
  MAX_TYPE_DEPTH,
  OBJECT_REFERENCE_SIZE,
  type OpaqueType,
  type ReferenceType,
  SLOT_SIZE,
  STRING_PADDINGS,
  type StringPadding,
  type StringType,
  type VlenType,
} from './datatype/datatype.ts'
export { datesOf } from './datatype/dates.ts'
export { formatDatatype, isSameType } from './datatype/format.ts'
export {
  elementSize,
  elementsOfType,
  fieldOffsets,
  includesType,
  isBoolean,
  isVariableSize,
  mapType,
  slotCount,
} from './datatype/layout.ts'
export { parseDatatype } from './datatype/parse.ts'
export { predefinedType } from './datatype/predefined.ts'
