// Door: what other packages use of model/dataset.

export { chunkItemSize, rowSlab, storedChunkDims } from './dataset/chunk-shape.ts'
export {
  type ChunkLocation,
  type RowForm,
  readFileUri,
  readLocation,
  rowFormOf,
  rowOfFile,
  writeLocation,
} from './dataset/chunk-table.ts'
export {
  type CreationProperties,
  type CreationRules,
  HDF5_JSON,
  parseCreationProperties,
  withGivenProperties,
} from './dataset/creation-properties.ts'
export { malformedCreationProperties } from './dataset/creation-properties-error.ts'
export { isReferenceLayout, logicalBytes } from './dataset/dataset-layout.ts'
export {
  coordinatesWithin,
  type Dataspace,
  elementCount,
  extentsOf,
  isExtensible,
  MAX_RANK,
  type MaximumExtent,
  malformedShape,
  product,
  type SimpleDataspace,
  UNLIMITED,
} from './dataset/dataspace.ts'
export { namesToTry } from './dataset/file-names.ts'
export { completed, type Filter } from './dataset/filter-list.ts'
export { firstIndex } from './dataset/first-index.ts'
export { type Arange, arange, type ChunkLocator, parseChunkLocator } from './dataset/initializer.ts'
export { groupByFolder, type LinkedFiles, locateFile, parseLinkedFiles } from './dataset/linked-files.ts'
export { pathOfFileUri, type ReferencedStorage, referencedStorage } from './dataset/referenced-storage.ts'
