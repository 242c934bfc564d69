// The store in the terms of the data model: the only file of storage that the service may import. A read gets a Reader,
// and a write a Writer, which is a Reader that can also change things. Something that does not exist is undefined here;
// the service decides whether that is an error, and which.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import type { ChunkLocation, CreationProperties, Dataspace } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonObject, JsonValue } from '@hyperslab/model/json'
import type { Acl, DomainPath, ObjectId, ObjectIds, ObjectKind, Timestamp } from '@hyperslab/model/names'
import type { Bounds, Selection } from '@hyperslab/model/selection'
import type { Elements, Piece } from '@hyperslab/model/values'
import type { ChunkSpan } from '../chunks/chunk-index.ts'
import type { DatasetFill } from '../chunks/chunk-layout.ts'
import type { ChunkOnDisk } from '../chunks/found-frames.ts'
import type { PlacedChunk } from '../chunks/placed-chunks.ts'
import type { ChunkBytes } from '../chunks/stored-chunks.ts'
import type { CacheFigures, CallFigures } from './engine.ts'
import type { FilesOfEntry, JoinProgress, JoinReview, KnownFile, ReviewOptions } from './joined-domains.ts'
import type { NewQuota, Quota, QuotaScope } from './quotas.ts'
import type { Trace } from './trace.ts'

export type { PlacedChunk } from '../chunks/placed-chunks.ts'

/** An entry of the namespace: a folder, or a domain with its root group. */
export interface DomainEntry extends FilesOfEntry {
  readonly path: DomainPath
  /** Absent for a folder. */
  readonly root?: ObjectId
  readonly owner?: string
  /** The list of a folder; of a mounted file, that of its root group. Other domains have theirs at the root group. */
  readonly acl?: Acl
  readonly created: Timestamp
  readonly lastModified: Timestamp
  /** No object of the domain can be changed. */
  readonly readOnly: boolean
  /** A user that no list names has no permissions, and the setting `default_acl` does not apply. */
  readonly closed: boolean
  /** The file that it was imported from; absent: none. */
  readonly importedFrom?: ImportedFile
  /** The title of a domain in the table of contents, given by the store; absent: its name without `.h5`. */
  readonly title?: string
  /** The definition of a joined domain, as JSON (packages/files/joins): its contents are those of mounted files. */
  readonly join?: string
  /** A file, or a folder of files, that is served where it is: no request changes anything about it. Never stored. */
  readonly mounted?: true
  /** Bytes of a mounted file, or of the files of a joined domain. Never stored. */
  readonly fileSize?: number
  /** Files that are read as this one domain. Never stored. */
  readonly fileCount?: number
  /** The reason why a part of a mounted file, or a joined domain, cannot be read. Never stored. */
  readonly damage?: string
  /** A table of contents: it is computed, and no request changes anything about it. Never stored. */
  readonly computed?: true
}

/** A table of contents (classic 12): the domains and folders in a folder, and in those below it. */
export interface ContentsOf {
  readonly folder: DomainPath
  /** A folder that is left out. */
  readonly without?: DomainPath
  /** A folder elsewhere that the table has a link to, if there is such a folder. */
  readonly linked?: DomainPath
  /** Entries that are left out, with all below them. Absent: none. */
  readonly hides?: (entry: DomainEntry) => boolean
}

/** A file as it was when it was imported. */
export interface ImportedFile {
  readonly size: number
  readonly lastModified: Timestamp
  /** Parts of it were left out or changed. */
  readonly inPart?: true
}

interface ObjectBase {
  readonly id: ObjectId
  readonly created: Timestamp
  readonly acl: Acl
}

export interface Group extends ObjectBase {
  readonly kind: 'group'
  /** The JSON of the request, unchanged. */
  readonly creationProperties?: JsonValue
}

export interface CommittedDatatype extends ObjectBase {
  readonly kind: 'datatype'
  readonly type: Datatype
  /** The JSON object of the type in the request, if the JSON of the parsed type differs from it. */
  readonly givenType?: JsonObject
  /** The JSON of the request, unchanged. */
  readonly creationProperties?: JsonValue
}

export interface Dataset extends ObjectBase {
  readonly kind: 'dataset'
  readonly type: Datatype
  /** The JSON object of the type in the request, if the JSON of the parsed type differs from it. */
  readonly givenType?: JsonObject
  /** The committed datatype that the type was taken from. */
  readonly committedType?: ObjectId
  readonly space: Dataspace
  readonly creationProperties: CreationProperties
  /** The element that was written to all elements at once; absent: elements that are not stored have the fill value. */
  readonly filled?: DatasetFill
  /** The reason why the imported file does not give the values of the dataset; absent: they are here. */
  readonly unreadable?: string
}

export type HdfObject = Group | Dataset | CommittedDatatype

/** The properties of an object that change often; a record of its own, so that writers of its parts do not conflict. */
export interface ObjectStatus {
  readonly lastModified: Timestamp
  readonly linkCount: number
  readonly attributeCount: number
  /**
   * A version that differs after every change of the object, its links, attributes or values; for entity tags. Absent:
   * its values are in mounted files that change without it.
   */
  readonly version?: string
  /**
   * The reason why some of its links or attributes are not listed: even their names cannot be read. Absent: all are
   * listed.
   */
  readonly damage?: HyperslabError
}

/** The storage of the values of a dataset: chunks that were written, and the bytes that are stored for them. */
export interface Allocation {
  readonly chunks: number
  readonly bytes: number
}

/** An object with its status and its attributes, as far as they are short. */
export interface ObjectDetails {
  readonly object: HdfObject
  /** Absent: its attributes cannot be counted; `status` throws the reason. */
  readonly status?: ObjectStatus
  /** The attributes in the order of creation. Absent: there are many, or they are long; `attributes` lists them. */
  readonly attributes?: readonly Attribute[]
  /** Stored chunks of a dataset. Absent: `allocation` counts them. */
  readonly chunks?: number
  /** True: all values of the dataset are stored, so `requireValues` would pass. Absent: call `requireValues`. */
  readonly areValuesHere?: boolean
}

/** Exact counts of the contents of a domain, linked or not. */
export interface DomainStatistics {
  /** Groups, the root group included. */
  readonly groups: number
  readonly datasets: number
  readonly datatypes: number
  /** Stored chunks of all datasets, and the bytes of their values. */
  readonly chunks: number
  readonly allocatedBytes: number
  /** Bytes of the elements of all datasets, stored or not; of elements of variable size only their slots. */
  readonly logicalBytes: number
  /** Bytes of the stored records of objects, links and attributes, including the values of attributes. */
  readonly metadataBytes: number
  /** Bytes of the record of the domain itself. */
  readonly entryBytes: number
  /** The last change of the domain or of any object in it, deletions included. */
  readonly lastModified: Timestamp
  /** The first damage of `ObjectStatus.damage` in the domain. Absent: all links and attributes are listed. */
  readonly damage?: HyperslabError
}

/** A stored domain with its statistics. */
export interface DomainUse {
  readonly entry: DomainEntry
  readonly statistics: DomainStatistics
  /** Domains with this root group: they are names of the same contents. */
  readonly names: number
  /** Absent: it was not requested. */
  readonly root?: HdfObject
}

/**
 * A state of a domain. `state` and `form` are different from those of all other states of all domains: 32 hexadecimal
 * digits each.
 */
export interface DomainState {
  /** A state that differs after every change in the domain: objects, links, attributes, values, access lists. */
  readonly state: string
  /**
   * A state of the stored bytes, which differs also when values are stored in another form although nothing has
   * changed: the bytes of a file of the domain may then differ.
   */
  readonly form: string
  /** When anything in the domain changed last. */
  readonly lastModified: Timestamp
}

/** The uses that the objects of a file make of other files. */
export interface UsesOfOthers {
  /**
   * Whether some of its values are those of other files or datasets: virtual datasets, and raw data in files of their
   * own. Undefined: none of the objects that were searched has such values, and there are more objects.
   */
  readonly hasValues: boolean | undefined
  /** Names of HDF5 files, as external links and virtual datasets have them: the first that were found. */
  readonly names: readonly string[]
}

/** The files that a file takes values from, or leads to. */
export interface OtherFiles {
  /** Reads the objects of the file, up to a limit. */
  uses(signal: AbortCheck): Promise<UsesOfOthers>
  /** Differs for different states of the other files, as far as they have been opened since the file was. */
  state(): Promise<string>
}

/** The HDF5 file whose contents the domain has, unchanged. */
export interface OwnFile {
  readonly size: number
  /** A version that differs for different bytes. */
  readonly version: string
  /** The path, on this machine, of a file that has these bytes and no others; absent: there is none. */
  readonly place?: string
  /** Absent: it takes no values from other files. */
  readonly others?: OtherFiles
  /** Fills `target` with the bytes from `position` on; returns their number, fewer only at the end. */
  read(target: Uint8Array, position: number): Promise<number>
}

export type LinkTarget =
  | { readonly class: 'H5L_TYPE_HARD'; readonly kind: ObjectKind; readonly id: ObjectId }
  | { readonly class: 'H5L_TYPE_SOFT'; readonly h5path: string }
  | {
      readonly class: 'H5L_TYPE_EXTERNAL'
      readonly h5path: string
      readonly h5domain: string
      /**
       * The location at which an import found the file, relative to the folder of the importing file, if the name does
       * not say it: the domains have the same relative locations.
       */
      readonly foundAt?: string
    }
  | { readonly class: 'H5L_TYPE_USER_DEFINED' }

export interface Link {
  readonly title: string
  readonly created: Timestamp
  readonly target: LinkTarget
}

/** A target, in a listing, that a link of a mounted file leads to and that cannot be read. */
export interface UnreadableTarget {
  readonly class: 'H5L_TYPE_ERROR'
  readonly reason: HyperslabError
}

/** A link in a listing; a listing has `ObjectStatus.linkCount` of them. */
export type ListedLink = Link | (Omit<Link, 'target'> & { readonly target: UnreadableTarget })

/** A link is found by its group and its title. */
export interface LinkKey {
  readonly group: ObjectId
  readonly title: string
}

export interface Attribute {
  readonly name: string
  readonly type: Datatype
  readonly givenType?: JsonObject
  readonly committedType?: ObjectId
  readonly space: Dataspace
  /** Absent: never written (or a null dataspace). */
  readonly value?: Elements | LargeValue
  /**
   * The form in which the value was sent, if its bytes do not show it: JSON with strings that had to be cut, or bytes
   * that are not UTF-8.
   */
  readonly sent?: { readonly json: JsonValue } | 'base64'
  readonly created: Timestamp
  readonly lastModified: Timestamp
}

/** An attribute of a mounted file, in a listing, that cannot be read. */
export interface UnreadableAttribute {
  readonly name: string
  readonly reason: HyperslabError
  readonly created: Timestamp
  readonly lastModified: Timestamp
}

/** An attribute in a listing; a listing has `ObjectStatus.attributeCount` of them. */
export type ListedAttribute = Attribute | UnreadableAttribute

/** The value of an attribute that is too long to be returned with it. It can be read until its reader is closed. */
export interface LargeValue {
  /** A version that differs after every write of the value; for entity tags. */
  readonly version: string
  /** The elements in row-major order, in pieces like those of `readValues`. Each iteration reads them again. */
  readonly pieces: AsyncIterable<Elements>
}

/** An attribute to be stored; its value may come in pieces, like those of `writeValues`. */
export type GivenAttribute = Omit<Attribute, 'value'> & {
  readonly value?: Elements | AsyncIterable<Elements>
}

/**
 * A page of a listing: strictly after `marker` in the order of the listing. An absent marker is no error: in the order
 * of names the page begins after its position; in the order of creation a deleted one keeps its position, and nothing
 * follows one that never existed.
 */
export interface Page<Marker = string> {
  readonly marker?: Marker
  readonly limit?: number
  readonly order?: 'name' | 'created'
  /** A listing by name may skip names that do not begin with it, without reading them. It has no other effect. */
  readonly prefix?: string
}

/**
 * A domain, object, link or attribute that was deleted through the service, remembered as long as its domain exists.
 */
export type Tombstone =
  | { readonly object: ObjectId }
  | { readonly group: ObjectId; readonly title: string }
  | { readonly owner: ObjectId; readonly attribute: string }

/** Reads see one committed state until the reader is closed. */
export interface Reader {
  domain(path: DomainPath): Promise<DomainEntry | undefined>
  /**
   * The path of the domain that is the file which the file of a mounted domain calls by this name, if it is mounted
   * too.
   */
  linkedFile(holder: DomainEntry, name: string): Promise<DomainPath | undefined>
  /**
   * Direct children of a folder (`/` for the top level) in the order of their names as UTF-8 bytes. The marker is a
   * name or a whole path.
   */
  children(folder: DomainPath, page?: Page): AsyncIterable<DomainEntry>
  /**
   * Reads the structures of all files that a definition names, and says what they would be together at the path. Throws
   * `malformed-body` for one that is not a definition, and `file-not-found` where no files are mounted. `permit` gets
   * the lists of the files, and of the folders that are searched for them, each once: it throws, before any file is
   * looked for, unless all allow to read.
   */
  reviewJoin(
    path: DomainPath,
    join: string,
    permit: (lists: readonly Acl[]) => void,
    options: ReviewOptions,
  ): Promise<JoinReview>
  wasDomainDeleted(path: DomainPath): Promise<boolean>
  /** Whether the path is a folder that has ever held a domain, directly or below; a domain may be such a folder too. */
  hasHeldDomains(path: DomainPath): Promise<boolean>
  /**
   * The table as a domain: `object`, `links` and the other methods about objects read it from now on. A folder is a
   * group, with a hard link to it, if it has ever held a domain; a domain is an external link to its path. The ids of
   * groups follow from the paths of the folders. Links are in the order of the names of the entries.
   */
  tableOfContents(of: ContentsOf): Promise<DomainEntry>
  /** Takes a few reads, whatever the size of the domain; undefined for a folder and for an absent path. */
  statistics(path: DomainPath): Promise<DomainStatistics | undefined>
  /**
   * The stored domains below a folder, at any depth, some at a time, in any order, at the cost of a few reads for a
   * hundred of them. With `roots` their root groups come too. Mounted files are not among them.
   */
  use(folder: DomainPath, roots: boolean): AsyncIterable<readonly DomainUse[]>
  /** Takes two reads at most. */
  state(root: ObjectId): Promise<DomainState>
  /**
   * The file that is served where it is, or the one that the domain was imported from, if the store has kept it and
   * nothing has changed since. Undefined: the domain is not a file.
   */
  ownFile(root: ObjectId): Promise<OwnFile | undefined>
  /** All quotas with their use, which is exact. */
  quotas(): Promise<readonly Quota[]>
  /** The number of domains that have this root group: they are names of the same contents. */
  nameCount(root: ObjectId): Promise<number>

  object(id: ObjectId): Promise<HdfObject | undefined>
  /**
   * Several objects of one domain, at most some hundred: much faster than `object`, `status`, `attributes` and
   * `allocation` of each. An absent object is undefined.
   */
  details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]>
  status(id: ObjectId): Promise<ObjectStatus>
  /** Ids of a kind in the domain of `root`, linked or not, the root group included, ordered by id. */
  objects(root: ObjectId, kind: ObjectKind, page?: Page<ObjectId>): AsyncIterable<ObjectId>

  link(group: ObjectId, title: string): Promise<Link | undefined>
  /**
   * Ordered by title as UTF-8 bytes, or by creation and then title. The order of titles whose first 867 bytes agree is
   * not defined.
   */
  links(group: ObjectId, page?: Page): AsyncIterable<ListedLink>
  /** The hard links to an object, in any order, at the cost of reading these links alone. */
  linksTo(id: ObjectId): AsyncIterable<LinkKey>
  attribute(owner: ObjectId, name: string): Promise<Attribute | undefined>
  attributes(owner: ObjectId, page?: Page): AsyncIterable<ListedAttribute>
  wasDeleted(tombstone: Tombstone): Promise<boolean>

  /** Exact counts, in a few reads. */
  allocation(dataset: ObjectId): Promise<Allocation>

  /**
   * The selected elements in selection order, in pieces of a few MiB. At most one piece is read ahead of the caller.
   * The bytes of a piece are valid until the next one is requested. Elements never written are the fill value. The
   * dataset's dataspace must not be null.
   */
  readValues(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Elements>
  /**
   * The same, but equal elements may come as one that is repeated. Chunks that are not stored, or repeat one element,
   * cost nothing: the work grows with the chunks that are stored.
   */
  readPieces(dataset: Dataset, selection: Selection, signal?: AbortCheck): AsyncIterable<Piece>
  /**
   * Every chunk that is stored, or the span of them, in the order of the coordinates. A dataset that was filled, or
   * that has an initializer, has all its chunks.
   */
  storedChunks(dataset: Dataset, span?: ChunkSpan): AsyncIterable<ChunkBytes>
  /**
   * One chunk of a dataset, by its coordinates in the grid of its chunks. Undefined: it is not stored, and has the fill
   * value. A dataset that is not read by such chunks has all of them.
   */
  chunkOnDisk(dataset: Dataset, coordinates: readonly number[]): Promise<ChunkOnDisk | undefined>
  /**
   * The chunks of a dataset that `chunkOnDisk` finds, in the order of their coordinates, with their places in the file
   * that the domain is (`ownFile`). Undefined: it finds all of them, and none has a place.
   */
  placedChunks(dataset: Dataset): Promise<AsyncIterable<PlacedChunk> | undefined>
  /** The locations of the chunks of a dataset in its file. Undefined: the dataset is not mounted, or has no chunks. */
  locateChunks(dataset: Dataset): Promise<LocatedChunks | undefined>
  /**
   * Throws `values-unreadable` if some values are known to be missing without reading them: they are after the end of
   * their file, or their file or dataset does not exist. Undefined: there is nothing to check.
   */
  requireValues(dataset: Dataset, signal?: AbortCheck): Promise<void> | undefined
  /**
   * Must be called before the last part of an answer is sent. Throws `file-changed` when a mounted file has changed
   * since it was read: then the answer may mix two states. Undefined: no mounted file was read; the store itself is
   * read in one state.
   */
  requireUnchanged(): Promise<void> | undefined
  /**
   * Ends the reading of the domain with this root group. Throws `file-changed` when it is a file that has changed since
   * it was first read. Later changes do not matter: `domain` then reads the file anew.
   */
  finishDomain(root: ObjectId): Promise<void> | undefined
}

/** The chunks of a mounted dataset that its file stores. */
export interface LocatedChunks {
  /** The chunk shape of the file. */
  readonly chunkDims: readonly number[]
  /** The chunks in the order of their coordinates, some at a time. */
  readonly batches: AsyncIterable<readonly LocatedChunk[]>
}

/** The location of the bytes of a chunk in its file. */
export interface LocatedChunk extends ChunkLocation {
  readonly coordinates: readonly number[]
  /** False: one of the filters of the dataset was not applied. */
  readonly hasAllFilters: boolean
}

/**
 * Changes become visible, all together, when the work of `Store.write` has resolved; the writer itself sees them at
 * once. Every method that creates or deletes keeps counts, back links, tombstones, listings and `lastModified` right.
 */
export interface Writer extends Reader {
  /** The time of this write, which is stored with all that it changes. It is later than that of the write before. */
  readonly time: Timestamp

  /**
   * Called when another write has come first and a work that can run only once cannot be committed: `keep` reads what
   * it needs of the values that the work has written, and then the work runs again. A work may have several, which are
   * called in their order, perhaps more than once. Without any the work fails.
   */
  onConflict(keep: () => Promise<void>): void
  /** Has the work keep what it needs to run again; false: it cannot. */
  keepForNextRun(): Promise<boolean>
  /**
   * Creates or replaces the entry; clears the tombstone of its path. The caller checks that parents exist. Several
   * domains may have the same root group. If the entry had another root group, that one loses a name, as when the entry
   * is deleted.
   */
  putDomain(entry: DomainEntry): Promise<void>
  /**
   * Removes the entry and leaves a tombstone. With the last name of a root group its objects, values and tombstones
   * are dropped.
   */
  deleteDomain(path: DomainPath): Promise<void>
  /** The joined domain of this root group is made of these files now, and keeps their places. */
  knowFiles(root: ObjectId, files: readonly KnownFile[], progress?: JoinProgress): void
  /** A joined domain no longer keeps the place of the file. False: it has no such file. */
  forgetFile(root: ObjectId, file: DomainPath): Promise<boolean>
  /**
   * Puts a quota in the place of one of the same scope. From now on contents are charged to it when they get a domain
   * that it covers; a new one is enforced after `chargeDomains` for the domains that are there, and `enforceQuota`. A
   * write that would exceed an enforced quota fails when it commits (`quota-exceeded`). Returns the id of the quota.
   */
  putQuota(quota: NewQuota): Promise<string>
  /**
   * Charges the contents of some domains to the quotas that cover them, if they are not charged yet. Returns where the
   * next call goes on; undefined: there are no more.
   */
  chargeDomains(after: Uint8Array | undefined): Promise<Uint8Array | undefined>
  /** False: there is no quota of that id any more. */
  enforceQuota(id: string): Promise<boolean>
  /** False: there is no quota of the scope. */
  deleteQuota(scope: QuotaScope): Promise<boolean>
  /** Drops the objects, values and tombstones under a root group that no domain has, as a failed import leaves them. */
  dropContents(root: ObjectId): Promise<void>
  /**
   * Records that a root group that no domain has yet is being filled. The contents are dropped when this was not called
   * for an hour before `now` and no domain has got the root, or when the process that called it has died; from then on
   * this fails (`object-deleted`). The rest of this write must put each object, link and attribute once, and write each
   * element of a dataset once, since earlier ones are not looked up.
   */
  renewUnfinished(root: ObjectId, now: Timestamp): Promise<void>

  /** Fails unless the id is free. `createObject` checks it too; a call of this beside other reads saves that wait. */
  requireFreeId(id: ObjectId): Promise<void>
  /** The id must be free; its tombstone is cleared. Returns the status that the object begins with. */
  createObject(object: HdfObject): Promise<ObjectStatus>
  /**
   * Expects that ids which follow one another, from `ids`, are free and always were. They are not looked up: the commit
   * checks it.
   */
  expectFreeIds(ids: readonly ObjectId[]): void
  /** The same as `createObject` for an id that `expectFreeIds` got. */
  createFreshObject(object: HdfObject): ObjectStatus
  /**
   * Removes the object with its attributes, links and values, and leaves a tombstone. With `links` the hard links to
   * it are removed too, each with a tombstone; otherwise they are left dangling.
   */
  deleteObject(id: ObjectId, options: { readonly links: boolean }): Promise<void>
  setAcl(id: ObjectId, acl: Acl): Promise<void>
  /**
   * Sets new extents of the same rank. Elements outside them are dropped, and have the fill value when the dataset
   * grows again.
   */
  setExtents(dataset: Dataset, dims: readonly number[], signal?: AbortCheck): Promise<void>
  /** Drops the values of a dataset and stores the reason (`Dataset.unreadable`). */
  markUnreadable(dataset: ObjectId, reason: string): Promise<void>

  /**
   * Whether the group has no link of that title. The first run of a write assumes that it has none, which saves a
   * look-up; if it has one, or if the run fails, the write runs again.
   */
  isTitleFree(group: ObjectId, title: string): boolean | Promise<boolean>
  /** Looks up objects together: then `object` and `putLinks` find each of them without waiting. */
  lookUpObjects(ids: readonly ObjectId[]): Promise<void>
  /** Looks up datasets together, and the chunk of each that is likely to be written. */
  lookUpValues(ids: readonly ObjectId[]): Promise<void>
  /** The links of these titles, in their order; undefined: there is none. */
  namedLinks(group: ObjectId, titles: readonly string[]): Promise<readonly (Link | undefined)[]>
  /**
   * Creates or replaces links, whose titles differ; clears their tombstones; the group's `lastModified` changes. The
   * group and the targets of hard links must be there, in one domain (`object-not-found`, `object-not-in-domain`).
   */
  putLinks(group: ObjectId, ...links: readonly Link[]): Promise<void>
  /** False: there was no such link. */
  deleteLink(group: ObjectId, title: string): Promise<boolean>
  /** The attributes of these names, in their order; undefined: there is none. */
  namedAttributes(owner: ObjectId, names: readonly string[]): Promise<readonly (Attribute | undefined)[]>
  /**
   * Creates or replaces attributes, whose names differ; clears their tombstones. The owner must be there
   * (`object-not-found`). A value must have as many elements as its dataspace (`value-count-mismatch`). Long values are
   * stored piece by piece.
   */
  putAttributes(owner: ObjectId, ...attributes: readonly GivenAttribute[]): Promise<void>
  deleteAttribute(owner: ObjectId, name: string): Promise<boolean>

  /**
   * Stores a file whose bytes chunks of the domain can take over (`adoptChunks`). It goes with the domain, which can
   * have one such file. The pieces, its bytes, may be iterated twice.
   */
  putFile(root: ObjectId, pieces: AsyncIterable<Uint8Array>): Promise<StoredFile>
  /** Removes such a file, from which no chunk has taken values. */
  dropFile(root: ObjectId, file: StoredFile): Promise<void>
  /**
   * Makes bytes of the file the values of chunks that were never written. The bytes are not decoded. Elements outside
   * the extents may have any value, so a dataset that can grow must get no chunk with such elements.
   */
  adoptChunks(dataset: Dataset, file: StoredFile, chunks: readonly AdoptedChunk[]): Promise<void>
  /** Like `adoptChunks`, for chunks that went through filters and whose bytes the caller has. */
  putEncodedChunks(dataset: Dataset, chunks: readonly EncodedChunk[]): Promise<void>
  /**
   * Gives a chunk new values, which went through all filters of its dataset. They are decoded to check them
   * (`malformed-value`); the bytes are stored as they are, unless some of the elements are outside the extents.
   */
  writeEncodedChunk(dataset: Dataset, chunk: Omit<EncodedChunk, 'mask'>): Promise<void>

  /**
   * Writes the elements, in selection order, as they arrive; the pieces may be of any length and together hold exactly
   * the selected elements (too few or too many: HyperslabError `value-count-mismatch`, nothing is written). Memory
   * stays bounded. Bytes of a piece may be reused once the next one is requested. One element that is repeated is
   * stored once for each chunk that it covers. A write of more than the store allows is `write-too-large`.
   */
  writeValues(
    dataset: Dataset,
    selection: Selection,
    elements: AsyncIterable<Piece>,
    options?: WriteValuesOptions,
  ): Promise<void>
}

/** A file that is part of the store, for chunks whose values are bytes of it. */
export interface StoredFile {
  readonly version: string
  readonly length: number
}

/** Bytes of a file that are the values of a chunk, as the filters of its dataset left them. */
export interface AdoptedChunk {
  readonly coordinates: readonly number[]
  readonly offset: number
  readonly length: number
  /** Bit i is set: filter i of the dataset was not applied. */
  readonly mask: number
}

/** The bytes of a chunk, as filters of its dataset left them. */
export interface EncodedChunk {
  readonly coordinates: readonly number[]
  readonly bytes: Uint8Array
  /** Bit i is set: filter i of the dataset was not applied. At least one was. */
  readonly mask: number
}

export interface WriteValuesOptions {
  /**
   * Some fields of a compound: the elements hold only these, packed in this order (`chooseFields`), and the others stay
   * unchanged.
   */
  readonly fields?: readonly string[] | undefined
  readonly signal?: AbortCheck | undefined
}

/**
 * Options of a read. `signal` is that of the caller of a read or a write: the reading of mounted files ends when it
 * throws.
 */
export interface ReadOptions<T> {
  readonly recall?: Recall<T> | undefined
  readonly signal?: AbortCheck | undefined
  /** Notes what the read asks of the engine. */
  readonly trace?: Trace | undefined
}

export interface WriteOptions {
  readonly once?: boolean
  readonly signal?: AbortCheck | undefined
  /** Notes what the write asks of the engine, in all its runs but those that other writes run. */
  readonly trace?: Trace | undefined
  /** The time of the write instead of now: imported objects get the time of their file. */
  readonly time?: Timestamp
}

/** Figures of this process since it opened the store. */
export interface StoreFigures {
  /** Writes that were committed. */
  readonly commits: number
  /** Writes that ran again because of another commit in between, and those that gave up. */
  readonly retries: number
  readonly conflicts: number
  /** Reads and writes that are running. */
  readonly open: number
  /**
   * The time for which the oldest of them has read its state, and the number of reads that were ended for their age.
   */
  readonly oldestSeconds: number
  readonly tooOld: number
  /** Writes that were rejected because another process did not release the write lock. */
  readonly locked: number
  /** Slots for snapshots that all processes on the data folder have taken, and the number of all slots. */
  readonly snapshotSlots: { readonly taken: number; readonly limit: number }
  /** Records that are kept decoded; decoded chunks that are kept, and their bytes. */
  readonly cachedRecords: number
  readonly cachedChunks: number
  readonly cachedChunkBytes: number
  /** Chunks that were decoded. */
  readonly decodedChunks: number
  /** Bytes of the events that are kept, if this process removes old ones. */
  readonly eventBytes: number
  /** Bins of garbage that wait for reads and writes that may need it, and blobs that this process has swept. */
  readonly garbageBins: number
  readonly deletedBlobs: number
  /** The calls of each part of the store that is on another machine. */
  readonly calls: Readonly<Record<string, CallFigures>>
  /** The caches of this process by their names, and what of other machines is kept. */
  readonly caches: Readonly<Record<string, CacheFigures>>
}

/** Names an event of this store. */
export type EventId = string & { readonly [eventIdBrand]: 'EventId' }
declare const eventIdBrand: unique symbol

/** A commit that changed something. */
export interface StoreEvent {
  readonly id: EventId
  /** Higher than those of all commits before. */
  readonly number: number
  readonly time: Timestamp
  readonly domains: readonly DomainChange[]
  readonly entries: readonly EntryChange[]
  /** True: more entries were changed than are listed. */
  readonly more: boolean
}

/** The changes of one domain in a commit. */
export interface DomainChange {
  readonly root: ObjectId
  /** The path by which the write found the domain; absent: it did not look for one. */
  readonly path?: DomainPath
  /** The state after the commit; absent: the domain was deleted. */
  readonly state?: string
  readonly objects: readonly ObjectChange[]
  /** True: more objects were changed than are listed. */
  readonly more?: boolean
}

export type ChangeKind = 'created' | 'deleted' | 'attributes' | 'links' | 'values' | 'acl'

/** The members of a change that depend on its kind: an event has them as they are noted. */
export interface ChangeDetail {
  /** The smallest box around the elements that were written; absent: it is not known. */
  readonly box?: Bounds
  /** The new extents of a dataset; absent: they are unchanged. */
  readonly dims?: readonly number[]
}

/** The changes of one object in a commit. */
export interface ObjectChange extends ChangeDetail {
  readonly id: ObjectId
  readonly kind: ObjectKind
  readonly changes: readonly ChangeKind[]
  /** The access control list of the object, if it has one. */
  readonly acl?: Acl
}

/** A change of an entry of the namespace. */
export interface EntryChange {
  readonly path: DomainPath
  readonly change: 'created' | 'deleted' | 'changed'
  /** Absent: a folder. */
  readonly root?: ObjectId
  /** The list of a deleted entry, and whether it was closed: they decide which callers may see the event. */
  readonly acl?: Acl
  readonly closed?: boolean
}

/** Lets a read return the result of an earlier one. */
export interface Recall<T> {
  /** The result depends only on this name and on the records that the reader reads. */
  readonly name: string
  /** True: the result is small, complete, and never changed. */
  readonly isKept: (result: T) => boolean
}

/** The events of the store, which all processes see in the same order. */
export interface Feed {
  /** The id of the newest event: a position to go on from. */
  newest(): Promise<EventId>
  /**
   * Up to `limit` events after a position, in the order of the commits. `removed`: events after it may have been
   * removed, since they were old; `unknown`: the store has no such event.
   */
  after(position: string, limit: number): Promise<readonly StoreEvent[] | 'removed' | 'unknown'>
  /** Calls the listener when there may be new events, of this process or of another one, until the result is called. */
  watch(listener: () => void): () => void
  /** Looks for changes of a mounted file, or of all in a folder, until `end` of the result is called. */
  follow(path: DomainPath, isFolder: boolean): Following
}

export interface Following {
  /** Resolves when the changes of files from the time when nobody followed them are in the feed. */
  readonly ready: Promise<void>
  end(): void
}

export interface Store {
  /**
   * Runs `work` on one committed state, which is closed when `work` has settled. With `recall`, an earlier result of
   * the same name is returned instead if every record that it was made from is unchanged in this state.
   */
  read<T>(work: (reader: Reader) => Promise<T>, options?: ReadOptions<T>): Promise<T>
  /**
   * Runs `work` and commits what it changed: all or nothing, serialisable, durable when this resolves. If `work`
   * throws, nothing is changed. If another commit got in between, `work` is run again on the new state, so
   * apart from the writer it must have no effects; work whose input can be read only once says so with `once`, and
   * then a conflict that cannot be merged is HyperslabError `storage-conflict`.
   */
  write<T>(work: (writer: Writer) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Fills `into` with the bytes from `offset` on of a file that `putFile` has stored, committed and not removed since;
   * returns their number, fewer than `into` has at the end of the file.
   */
  readFile(root: ObjectId, file: StoredFile, offset: number, into: Uint8Array): Promise<number>
  readonly feed: Feed
  /** Microseconds since the epoch, strictly increasing. */
  now(): Timestamp
  /** Makes the ids of all objects that are created here. */
  readonly ids: ObjectIds
  /** Writes a few bytes into the records or the values, durably, and reads them back; rejects when that fails. */
  probe(half: 'records' | 'values'): Promise<void>
  readonly figures: StoreFigures
  /** The processes that have the store open, of all machines; undefined: not known. */
  processes(): Promise<number | undefined>
  /** Bytes that the records take where they are, found in one call; undefined: not known. */
  recordBytes(): Promise<number | undefined>
  close(): Promise<void>
}
