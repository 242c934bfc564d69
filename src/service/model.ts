// The types of the store in the interface of the service, exported again for its callers, which do not import the storage.

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
