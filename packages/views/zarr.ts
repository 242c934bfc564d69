// Door: what other packages use of views/zarr.

export { type ArrayType, type ShownType, shownType } from './zarr/array-types.ts'
export { COORDINATES, DIMENSION_NUMBER, REFERENCE_LIST, type ShownAttribute } from './zarr/attributes.ts'
export { encodeItems, padChunk, unpadSpaces } from './zarr/chunk-bytes.ts'
export { scalesOf, usesOfScale } from './zarr/dimensions.ts'
export {
  arrayDocuments,
  ConsolidatedMetadata,
  DOCUMENTS,
  documentText,
  groupDocuments,
  type NodeDocuments,
} from './zarr/documents.ts'
export { type FileForm, fileForm } from './zarr/file-form.ts'
export { isReserved, nameFault, type ZarrFormat } from './zarr/names.ts'
