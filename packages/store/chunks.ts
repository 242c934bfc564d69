// Door: what other packages use of store/chunks.

export type { ChunkIndex, ChunkSpan, StoredChunk } from './chunks/chunk-index.ts'
export {
  type ChunkLayout,
  chunkElements,
  isWhollyInside,
  layoutOfChunks,
  usedElements,
} from './chunks/chunk-layout.ts'
export { type FilterRunner, IN_THIS_THREAD } from './chunks/filter-runner.ts'
export { openFilterThreads } from './chunks/filter-threads.ts'
export type { ChunkOnDisk } from './chunks/found-frames.ts'
export { IndexedValues } from './chunks/indexed-values.ts'
export { readPortions } from './chunks/read-values.ts'
export { type ChunkBytes, computedChunk, spanOf } from './chunks/stored-chunks.ts'
