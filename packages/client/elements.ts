// Door: what other packages use of client/elements.

export {
  type Datatype,
  extentsOf,
  type Field,
  fixedSize,
  isBoolean,
  isComplex,
  type NumberForm,
  numberForm,
  parseDatatype,
  productOf,
} from './datatype.ts'
export { formatDatatype, formatShape } from './datatype-text.ts'
export { decodeElements, type Numbers } from './decode.ts'
export { bytesOfBase64, elementsFromJson } from './json-elements.ts'
export { formatSelection, selectedShape } from './selection.ts'
