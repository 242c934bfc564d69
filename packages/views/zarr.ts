// Door: what other packages use of views/zarr.

export { type ArrayType, type ShownType, shownType } from './zarr/array-types.ts'
export {
  COORDINATES,
  DIMENSION_LABELS,
  DIMENSION_LIST,
  DIMENSION_NUMBER,
  REFERENCE_LIST,
  type ShownAttribute,
} from './zarr/attributes.ts'
export { encodeItems, padChunk, unpadSpaces } from './zarr/chunk-bytes.ts'
export {
  type ChunkCodec,
  codecDocument,
  decodeByCodec,
  encodeByCodec,
  filterOf,
  isOfFilters,
  keptCodec,
  madeByZarr,
} from './zarr/codecs.ts'
export { labelsOf, type ScaleUse, scalesOf, usesOfScale } from './zarr/dimensions.ts'
export {
  arrayDocuments,
  type ChunkForm,
  ConsolidatedMetadata,
  DOCUMENTS,
  documentText,
  groupDocuments,
  type NodeDocuments,
} from './zarr/documents.ts'
export { type FileForm, fileForm } from './zarr/file-form.ts'
export { insideOf, itemsFrom } from './zarr/given-chunk.ts'
export { isReserved, nameFault, type ZarrFormat } from './zarr/names.ts'
export { MAX_WRITTEN_CHUNK, type NewArray, parseArray } from './zarr/new-array.ts'
export { attributeFrom, OF_VIEW } from './zarr/new-attributes.ts'
