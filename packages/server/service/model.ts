// The types of the store in the interface of the service, exported again for its callers, which do not import the
// storage.

export type {
  Attribute,
  CommittedDatatype,
  ContentsOf,
  Dataset,
  DomainEntry,
  DomainStatistics,
  EventId,
  Group,
  HdfObject,
  Link,
  LinkTarget,
  ListedAttribute,
  ListedLink,
  ObjectDetails,
  ObjectStatus,
  Reader,
  Recall,
  StepFigures,
  Store,
  Trace,
  Writer,
} from '@hyperslab/store/store'
