// Door: what other packages use of store/chunks.

export type { ChunkIndex, ChunkSpan, FilteredLength, ReadRanges, StoredChunk } from './chunks/chunk-index.ts'
export {
  type ChunkLayout,
  chunkElements,
  insideDims,
  isWhollyInside,
  layoutOfChunks,
  partFromStart,
  usedElements,
} from './chunks/chunk-layout.ts'
export { type FilterRunner, IN_THIS_THREAD } from './chunks/filter-runner.ts'
export { openFilterThreads } from './chunks/filter-threads.ts'
export { type ChunkOnDisk, type FoundFrame, findChunk } from './chunks/found-frames.ts'
export { type PlacedChunk, placedChunks } from './chunks/placed-chunks.ts'
export { type ListStored, portionsOf } from './chunks/portions.ts'
export { fetchPortions, type PortionReader, type ReadParts, readSelection } from './chunks/read-values.ts'
export { type ChunkBytes, spanOf, storedChunks } from './chunks/stored-chunks.ts'
