// The store's types that the service speaks in, handed on to its callers, who do not know the storage.

export type {
  Attribute,
  CommittedDatatype,
  Dataset,
  DomainEntry,
  DomainStatistics,
  Group,
  HdfObject,
  Link,
  LinkTarget,
  ObjectStatus,
  Reader,
  Recall,
  Store,
  Writer,
} from '../storage/store.ts'
