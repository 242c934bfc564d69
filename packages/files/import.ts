// Door: what other packages use of files/import.

export { boundedChunks, boundedDecoder } from './transfer/bounded-decoder.ts'
export { chunkDecoder } from './transfer/chunk-decoder.ts'
export { openDomainFiles } from './transfer/domain-files.ts'
export { type OpenFileSource, openFileSource } from './transfer/file-source.ts'
export { findFiles } from './transfer/find-files.ts'
export type { ListUsers } from './transfer/h5serv-acls.ts'
export { type ImportSummary, IncompleteFile, importFile, locateElsewhere } from './transfer/import-file.ts'
export { ImportNotUndone } from './transfer/import-not-undone.ts'
export { type SiblingFiles, siblingFiles } from './transfer/sibling-files.ts'
export { type DomainAccess, importedFile, openStoreTarget } from './transfer/store-target.ts'
export { ImportTarget } from './transfer/target.ts'
