// The door to the filters: each filter of HDF5 as a codec, pipelines of them, and the place where a program installs
// faster compressors than the portable ones.

export { codecOf } from '../filters/codecs.ts'
export type { Compressors } from '../filters/compression/compressors.ts'
export { useCompressors } from '../filters/compression/installed.ts'
export type { ChunkForm, FilterCodec } from '../filters/filter.ts'
export { decodeChunk, encodeChunk, pipelineOf } from '../filters/pipeline.ts'
