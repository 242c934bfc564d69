// Door: what other packages use of h5/filters.

export { SNAPPY_NUMBER } from './filters/blosc.ts'
export { codecOf } from './filters/codecs.ts'
export { MAX_RATIO, useCompressors } from './filters/compression/installed.ts'
export { decodedSizeFault } from './filters/decoded-size.ts'
export { frameBlocks, MAX_FRAMED, plainHead, planFrame, repeatedFrame } from './filters/frame.ts'
export {
  decodeChunk,
  type EncodedChunk,
  encodeChunk,
  hasUnavailable,
  isUndecodable,
  isUnfiltered,
  type Pipeline,
  pipelineOf,
  unavailableFilter,
} from './filters/pipeline.ts'
export { compressZstd } from './filters/zstd.ts'
