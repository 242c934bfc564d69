// Door: what other packages use of h5/writer.

export { ChunkEncoding } from './writer/chunk-encoding.ts'
export type { ValueMark } from './writer/datasets.ts'
export {
  type FileLayout,
  type FileOptions,
  type MarkMemory,
  type NewFile,
  planFile,
  plannedFile,
} from './writer/file-plan.ts'
export { PieceMemory } from './writer/piece-memory.ts'
export { joined } from './writer/pieces.ts'
