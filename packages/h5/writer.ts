// Door: what other packages use of h5/writer.

export type { FileLayout } from './writer/file-layout.ts'
export { type FileOptions, type MarkMemory, type NewFile, planFile, plannedFile } from './writer/file-plan.ts'
export { PieceMemory } from './writer/piece-memory.ts'
export { joined } from './writer/pieces.ts'
export { ChunkEncoding } from './writer/values/chunk-encoding.ts'
export type { ValueMark } from './writer/values/value-marks.ts'
