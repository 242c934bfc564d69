// Door: what other packages use of h5/reader.

export { type ByteSource, findSignature, newMemory, readRange, sourceOf } from './byte-source.ts'
export {
  type Box,
  type ChunkCoordinates,
  type ChunkedBytes,
  type ContiguousBytes,
  type FileAddress,
  type FileAttribute,
  type FileDataset,
  type FileLink,
  type FileObject,
  type FileWarning,
  type H5FileReader,
  type JoinedDataset,
  type JoinedObjects,
  memberPath,
  type ReadCaller,
  type ReferenceResolver,
  type StoredBytes,
  type StoredChunks,
  type StoredRange,
} from './file-reader.ts'
export { damaged } from './format/errors.ts'
export { HDF5_SIGNATURE, isSignature, signaturePositions } from './format/signature.ts'
export { decodeSuperblock, isGrowing, LONGEST_SUPERBLOCK } from './format/superblock.ts'
export { findTruncation } from './reader/open-file.ts'
export { openH5File } from './reader/reader.ts'
export { type Attempt, isHarmless, untilDamaged } from './reader/structures/attempt.ts'
export { crossesEdge } from './reader/values/chunk-box.ts'
export type { OpenSibling, Sibling } from './reader/values/data-file.ts'
export { type ChunkDecoder, decodeInTurns } from './reader/values/value-source.ts'
export { isOfUnreadable } from './reader/values/virtual-source.ts'
export { StepPool } from './reader/values/virtual-work.ts'
export { runSteps, type Steps, waitFor } from './steps.ts'
