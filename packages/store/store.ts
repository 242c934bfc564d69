// Door: what other packages use of store/store.

export { domainState } from './interfaces/domain-state.ts'
export type {
  JoinConflict,
  JoinProgress,
  JoinReview,
  KeptOutline,
  KnownFile,
  KnownFiles,
  ReviewOptions,
} from './interfaces/joined-domains.ts'
export {
  isUnavailable,
  type JoinedEntry,
  type MountedContents,
  type MountedDomain,
  type MountedLook,
  type MountedReads,
  type Mounts,
  type ValueParts,
} from './interfaces/mounted-domains.ts'
export type { NewQuota, Quota, QuotaLimits, QuotaScope } from './interfaces/quotas.ts'
export type {
  AdoptedChunk,
  Allocation,
  Attribute,
  CommittedDatatype,
  ContentsOf,
  Dataset,
  DomainEntry,
  DomainState,
  DomainStatistics,
  EncodedChunk,
  EventId,
  GivenAttribute,
  Group,
  HdfObject,
  ImportedFile,
  Link,
  LinkKey,
  LinkTarget,
  ListedAttribute,
  ListedLink,
  LocatedChunk,
  LocatedChunks,
  ObjectDetails,
  ObjectStatus,
  OwnFile,
  Page,
  PlacedChunk,
  Reader,
  Recall,
  Store,
  StoredFile,
  StoreEvent,
  Writer,
} from './interfaces/store.ts'
export type { StepFigures, Trace } from './interfaces/trace.ts'
export { mergeChildren } from './runs/merge-children.ts'
