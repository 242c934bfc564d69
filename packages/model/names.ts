// Door: what other packages use of model/names.

export {
  type Acl,
  type AclItem,
  DEFAULT_USER,
  PERMISSIONS,
  type Permission,
  type Permissions,
} from './names/acl.ts'
export {
  domainNamesOf,
  folderNamesOf,
  isHiddenName,
  plainTitleOfDomain,
  titlesOfDomain,
  titlesOfFolder,
} from './names/contents-titles.ts'
export {
  type Bucket,
  bucketOf,
  childIfValid,
  childOf,
  componentsOf,
  DEFAULT_BUCKET,
  type DomainPath,
  FILE_EXTENSION,
  isTopLevel,
  isWithin,
  joinComponents,
  MAX_COMPONENT_BYTES,
  malformedDomain,
  nameOf,
  namesBelow,
  parentOf,
  parseDomainPath,
  ROOT_FOLDER,
  topLevelOf,
  withoutScheme,
} from './names/domain-path.ts'
export { type Glob, parseGlob } from './names/glob.ts'
export { attributeName, checkName, linkTitle, malformedName } from './names/names.ts'
export {
  COLLECTIONS,
  domainHalf,
  formatPrefixed,
  idFromBytes,
  idFromHex,
  isCollection,
  isRoot,
  isSameDomain,
  kindOfCollection,
  type ObjectId,
  ObjectIds,
  type ObjectKind,
  type ObjectReference,
  parsePrefixed,
  rootOf,
} from './names/object-id.ts'
export { compareUtf8, isWellFormed } from './names/utf8.ts'

/**
 * Whole microseconds since 1970-01-01T00:00:00Z. Microseconds, because two changes made one after the other must have
 * different times (hsds-objects 1.8), and they stay exact in a double until the year 2255.
 */
export type Timestamp = number
