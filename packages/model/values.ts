// Door: what other packages use of model/values.

export { appendBase64, decodeBase64, decodeBase64Pieces, encodeBase64 } from './values/base64.ts'
export { toNullPadded } from './values/binary.ts'
export {
  areEqualBytes,
  dataViewOf,
  joinBytes,
  latin1Of,
  ownBytes,
  plainBytes,
  uint32sBE,
  uint32sLE,
  unfilledMemory,
  useUnfilledMemory,
  utf8Of,
} from './values/bytes.ts'
export { scalesOfList } from './values/dimension-list.ts'
export {
  copyElements,
  type Elements,
  EMPTY_HEAP,
  MAX_ELEMENT_BYTES,
  type Piece,
  type RepeatedElement,
  requireHeldElements,
  singlePiece,
} from './values/elements.ts'
export {
  ElementsBuilder,
  equalElements,
  type FieldCopy,
  repeatElement,
  stretchesCopier,
} from './values/elements-builder.ts'
export { expandPieces } from './values/expand.ts'
export { chosenIntoWhole, chosenOfWhole } from './values/field-copy.ts'
export { GrowingBytes } from './values/growing-bytes.ts'
export { AT_LEAST, BROADCAST, COUNT_ONLY } from './values/nesting.ts'
export {
  floatOfHalf,
  integerOf,
  readFloat,
  readInteger,
  roundToSize,
  writeFloat,
  writeInteger,
} from './values/numbers.ts'
export { chooseFields, type Projection, project } from './values/project.ts'
export {
  type Block,
  decodeRegionReference,
  encodeRegionReference,
  formatRegionReference,
  hasReferences,
  PREFIXED_REFERENCES,
  parseRegionReference,
  type ReferenceSyntax,
  type RegionReference,
  type RegionSelection,
  readObjectReference,
  referencesIn,
  type ValueStyle,
  writeObjectReference,
} from './values/references.ts'
export { isUnwritten, slotLength, slotStart, writeSequenceSlot, writeSlot } from './values/slots.ts'
export { runAtOnce } from './values/steps.ts'
export { decodeText, encodeText, endOfFixedText, endOfUtf8, isFixedString } from './values/text.ts'
export { wideComplexType, widenComplex } from './values/wide-complex.ts'
