// Door: what other packages use of store/engines.

export { storeClock, systemRandom } from './clock.ts'
export { CopyFailed, type CopyProgress, type CopySummary } from './copy-store.ts'
export { serveFolderRecords } from './engines/data-folder.ts'
export { endAtOnceWhen, endProcess } from './engines/lmdb/end-process.ts'
export { isOpenLockFile } from './engines/lmdb/lock-file.ts'
export { inFolder, isInFolder, needsFolder, type StoreLocation } from './engines/location.ts'
export { type EngineOptions, openEngine, openEngineToRead, openRecords } from './engines/open-engine.ts'
export { ServiceEnded } from './engines/served/served-key-value.ts'
export type { Engine, KeyValue, Random, Snapshot } from './interfaces/engine.ts'
export { makeCopy } from './make-copy.ts'
export { type OpenStore, openStore, type StoreOptions } from './open-store.ts'
