// What a dialect is: one object that knows how the domain is named, how ids, names and times are written, which
// status an error has, what each answer looks like, and the few rules in which the two APIs differ. Route files and
// the service never ask which dialect speaks. A third dialect would touch this folder only.

import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode, ErrorKind, HyperslabError } from '../../errors.ts'
import type { Acl, AclItem } from '../../hdf5/acl.ts'
import type { CreationRules } from '../../hdf5/creation-properties.ts'
import type { Dataspace } from '../../hdf5/dataspace.ts'
import type { DomainPath } from '../../hdf5/domain-path.ts'
import type { JsonOutput, JsonValue, NonFinite } from '../../hdf5/json.ts'
import type { ObjectId, ObjectKind, ObjectReference } from '../../hdf5/object-id.ts'
import type { QueryGrammar } from '../../hdf5/query/parse.ts'
import type { SelectionGrammar } from '../../hdf5/selection/request.ts'
import type { ReferenceSyntax, ValueStyle } from '../../hdf5/values/references.ts'
import type { BulkDescription } from '../../service/bulk-descriptions.ts'
import type { Description } from '../../service/descriptions.ts'
import type { ShapeChange } from '../../service/extents.ts'
import type { ListedEntry } from '../../service/folder-listing.ts'
import type {
  Attribute,
  CommittedDatatype,
  Dataset,
  DomainEntry,
  Group,
  Link,
  ObjectStatus,
} from '../../service/model.ts'
import type { ObjectView } from '../../service/objects.ts'
import type { DomainScan } from '../../service/statistics.ts'
import type { StreamedBody } from '../body/json-stream.ts'
import type { Target } from '../target.ts'
import type { Buckets } from './buckets.ts'
import type { Href } from './hrefs.ts'

/** Where a request stands: what the hrefs of its answer are written against. */
export interface Place {
  /** `scheme://host`, as the client spelled the host. */
  readonly base: string
  /** Appended to every href: how the request named its domain in the query, or nothing. */
  readonly suffix: string
  readonly domain: DomainPath
  /** The name of the bucket that the domain is in. */
  readonly bucket: string
  /** The DNS name of the domain as the client gave it, without its port; for links to other domains. */
  readonly dnsName: string
  /** What DNS names of domains end with. */
  readonly baseDomain: string
  /** The domain's root group; absent when the request is about a folder or no domain. */
  readonly root: ObjectId | undefined
  /** How non-finite numbers are written for this client (clients 9.6). */
  readonly nonFinite: NonFinite
  /** The version of the dialect's API that clients are told. */
  readonly apiVersion: string
}

export interface NamingSettings {
  /** What DNS names of domains end with. */
  readonly baseDomain: string
  readonly buckets: Buckets
  /** Replaces scheme and host in hrefs; its host is a name of the server, and so of no domain. */
  readonly publicUrl?: string
}

/** What a request calls its domain. */
export interface Naming {
  /** A top-level folder when the request names no domain. */
  readonly path: DomainPath
  /** The DNS name as the client gave it, without a port; empty when the domain was named by its path. */
  readonly dnsName: string
  /** What hrefs carry so that they name the domain again. */
  readonly suffix: string
  /** Other paths that the same name means if there is no domain at `path`, the first that is one. */
  readonly otherPaths?: () => Iterable<DomainPath>
}

export type Body = { readonly [name: string]: JsonOutput | undefined }

/** Which values of attributes an answer shows, and how. */
export interface ShownValues {
  readonly values: boolean
  /** Values of fixed size as the Base64 of their bytes. */
  readonly base64?: boolean
  /** Larger values are left out. */
  readonly maxDataSize?: number
}

/** What each answer looks like. Every method is a function of the place and model values. */
export interface Present {
  domain(place: Place, view: { entry: DomainEntry; status?: ObjectStatus; scan?: DomainScan }): Body
  domainCreated(place: Place, view: { entry: DomainEntry; acl: Acl }): Body
  domainDeleted(place: Place): Body
  /** What clients that ask for data nodes compare: it never changes. */
  dataNodes(): Body
  folderChildren(place: Place, entries: readonly ListedEntry[]): Body
  collection(place: Place, kind: ObjectKind, ids: readonly ObjectId[]): Body
  group(place: Place, view: Description<Group>): Body
  groupCreated(place: Place, view: ObjectView<Group>): Body
  dataset(place: Place, view: Description<Dataset>): Body
  datasetCreated(place: Place, view: ObjectView<Dataset>): Body
  datatype(place: Place, view: Description<CommittedDatatype>): Body
  datatypeCreated(place: Place, view: ObjectView<CommittedDatatype>): Body
  objectDeleted(place: Place, kind: ObjectKind): Body
  shape(place: Place, view: ObjectView<Dataset>): Body
  shapeChanged(place: Place, change: ShapeChange): Body
  type(place: Place, dataset: Dataset): Body
  /** The members beside `value` in the answer of a read; `value` comes first, streamed. */
  valueRead(place: Place, dataset: ObjectId, rawQuery: string): Body
  valueWritten(place: Place, dataset: ObjectId): Body
  /** The members beside the indexes of the elements that a query finds. */
  queryRead(place: Place, dataset: ObjectId): Body
  links(place: Place, group: ObjectId, links: readonly Link[]): Body
  /** A link in a list. */
  linkItem(place: Place, group: ObjectId, link: Link): Body
  link(place: Place, group: ObjectId, link: Link): Body
  linkPut(place: Place, group: ObjectId, title: string): Body
  linkDeleted(place: Place, group: ObjectId): Body
  attributes(place: Place, owner: ObjectReference, attributes: readonly Attribute[], shown: ShownValues): Body
  /** An attribute in a list about several objects. */
  attributeItem(place: Place, attribute: Attribute, shown: ShownValues): Body
  attribute(place: Place, owner: ObjectReference, attribute: Attribute, shown: ShownValues): Body
  attributePut(place: Place, owner: ObjectReference, name: string): Body
  attributeDeleted(place: Place, owner: ObjectReference): Body
  /** The object is that whose list the path names; none where that is the domain's or the folder's. */
  acls(place: Place, object: ObjectReference | undefined, acl: Acl): Body
  acl(place: Place, object: ObjectReference | undefined, item: AclItem): Body
  aclPut(place: Place, object: ObjectReference | undefined, userName: string | undefined): Body
}

/** What answers of a dialect look like that finds objects by their paths, and all of a domain at once. */
export interface PresentFound {
  /** As on its own but without `hrefs`, and what it is and where; the place is that of the domain it was found in. */
  object(place: Place, view: Description): Body
  /** The hrefs of an answer about one such object. */
  hrefs(place: Place): readonly Href[]
  /** One of all objects of a domain. */
  bulkObject(place: Place, view: BulkDescription): StreamedBody
}

/** The points in which the two APIs act differently, named for what they decide. */
export interface Rules {
  /** A path without the name that it should end with, or with more behind a title, is unknown; or the name is bad. */
  readonly exactPaths: boolean
  /** OPTIONS is for preflights of known paths and methods alone (hsds-objects 1.7), or always answered (classic 2). */
  readonly exactPreflights: boolean
  /** In flags of the query `0` and `false` are true like other text (classic 6.3), or false (hsds-objects 1.3). */
  readonly anyTextIsTrue: boolean
  /**
   * `CreateOrder` orders listings; `IncludeData` and `max_data_size` tell which attributes come with their values, and
   * `encoding` that these are, or are to be, Base64.
   */
  readonly listingOptions: boolean
  /** Objects may be named by their paths and described with their attributes, path and statistics. */
  readonly describesMore: boolean
  /** All objects of a domain come with their attributes, or only where these are asked for (hsds-objects 18). */
  readonly bulkAttributes: 'always' | 'asked'
  /** A second PUT of an identical link or attribute: refused, or accepted with 200. */
  readonly samePut: 'conflict' | 'accept'
  /** Bodies that contradict themselves, and flags that are no booleans, are refused, or one reading of them counts. */
  readonly strictBodies: boolean
  /** Collections list every object of the domain, or only what hard links reach from the root group. */
  readonly listsUnlinked: boolean
  /** Deleting an object removes the hard links to it, or leaves them dangling. */
  readonly deleteRemovesLinks: boolean
  /** A folder answers where a domain is asked for, or is as if it were not there. */
  readonly showsFolders: boolean
  /** Changes need an identified caller whatever the access control lists say. */
  readonly writesNeedIdentity: boolean
  /** Odd `Authorization` headers (another scheme, empty user) count as none, or are refused. */
  readonly lenientCredentials: boolean
  /** An attribute must be given a value when it is created. */
  readonly attributeValueRequired: boolean
  /** `?replace=1` lets PUT replace an attribute. */
  readonly attributeReplace: boolean
  /** A request that writes several attributes may hold none (hsds-objects 18). */
  readonly writesNoAttributes: boolean
  /** Text that does not fit a fixed string is kept for attributes, beside the bytes that it was cut to. */
  readonly keepsAttributeText: boolean
  /** References that are written must name an object that is there. */
  readonly checksReferences: boolean
  /**
   * Bodies that create objects may be lists, and tell ids, paths, attributes, links and first values (hsds-objects 17);
   * items may tell when they were made (hsds-objects 17.6). Or they tell a link at most.
   */
  readonly creationOptions: boolean
  /** How the creation properties of datasets are understood. */
  readonly creation: CreationRules
  /** A shape may shrink. */
  readonly shrinks: boolean
  /** Instead of a new shape, a body may tell by how much one dimension grows. */
  readonly extendsShape: boolean
  /** An unknown marker of a listing ends it, or is an error. */
  readonly unknownMarker: 'empty' | 'missing'
  /** A negative `Limit` means none, or is an error. */
  readonly negativeLimit: 'none' | 'refused'
  /**
   * Bytes are sent whenever they are asked for, or only by GET, and for more than one element (classic 3.3 and 7.8).
   */
  readonly binaryReads: 'all' | 'several-by-get'
  /** Opaque values have a JSON form (base64), or none. */
  readonly opaqueValues: 'base64' | 'refused'
  /** Bytes of a dataset's strings that are not UTF-8, in JSON: escaped as lone surrogates, or an error. */
  readonly nonUtf8Text: 'escaped' | 'refused'
  /** The name of a predefined type must tell its byte order where it is the whole type (hsds-objects 14.2). */
  readonly typeNamesNeedOrder: boolean
  /** Bitfields may be created (a file can hold them in any case), or not (hsds-values 3.2). */
  readonly takesBitfields: boolean
  /** Type objects are shown as they were given, or in the words of the model (hsds-values 3.2; classic 14.3). */
  readonly keepsTypes: boolean
  /** Values that are sent and taken as bytes: those of any type, or of fixed size and without references. */
  readonly binaryTypes: 'any' | 'fixed'
  /** Sequences of sequences and of variable strings: dataset values of such types are stored, or refused. */
  readonly nestedSequences: 'stored' | 'refused'
  /** Of the values in a JSON body only the count has to fit, or their nesting too (classic 7.10; hsds-values 7.2). */
  readonly valueCountsOnly: boolean
  /** Values may be written to a selection without elements (hsds-values 7.2). */
  readonly writesNothing: boolean
  /** Bodies of values whose content type is neither JSON nor bytes are refused, or read as JSON (hsds-values 1.2). */
  readonly knownContentTypes: boolean
  /**
   * Values know `fields`, `reduce_dim` and `regionref`, and when written `append` and `element_count`; POST selects like
   * PUT (hsds-values 6 to 8, 10 and 21).
   */
  readonly valueOptions: boolean
  readonly queryGrammar: QueryGrammar
  /**
   * Only one-dimensional datasets of a compound type are searched, or all but scalars (classic 7.8; hsds-values 11.2).
   */
  readonly searches: 'tables' | 'all'
  /** What a query finds is sent as bytes when bytes are asked for. */
  readonly binaryQueries: boolean
  /** A query in a write chooses the elements that are changed (hsds-values 11.5). */
  readonly queryUpdates: boolean
  /**
   * What a query finds comes with the indexes of the elements in a list beside them, or first in each row; so do
   * elements that it changes, which otherwise are not sent (hsds-objects 18).
   */
  readonly rowsOfQuery: 'index-beside' | 'index-first'
  /** A request about a null dataspace's value is an error, or answers null. */
  readonly nullValue: 'null' | 'refused'
  readonly shapeChanged: 200 | 201
  readonly aclPutMany: 200 | 201
  /**
   * A user without an access item is told what counts for him (classic 10.2), or that there is none (hsds-objects 9).
   */
  readonly aclItems: 'effective' | 'stored'
  /** A list of an object shows the items of the root group too, which hold for it. */
  readonly aclsInherited: boolean
  /** Items are for names that are known (classic 10.3), or for any: tokens bring users that nobody listed. */
  readonly aclNames: 'known' | 'any'
  /** How selections are written (classic 15.2; hsds-values 9). */
  readonly selections: SelectionGrammar
  /** A 401 answer asks for Basic credentials, so that a browser shows its dialog. */
  readonly challenges: boolean
  /** The reason phrase carries the error's message. */
  readonly reasonPhrase: boolean
}

export interface Dialect {
  readonly name: 'classic' | 'hsds'
  /** The version of its API that clients are told. */
  readonly apiVersion: string
  /** The domain that a request names, and how. */
  nameDomain(target: Target, headers: IncomingHttpHeaders, settings: NamingSettings): Naming
  readonly jsonContentType: string
  readonly rules: Rules
  readonly present: Present
  /** Absent: objects are found by their ids only. */
  readonly presentFound?: PresentFound
  readonly references: ReferenceSyntax
  /** The status of an error of the operation (the route's name), when one had begun. */
  statusOf(error: HyperslabError, operation: string | undefined): number
  /** The id in a path or body; of another spelling is an error of this dialect's choice. */
  parseId(text: string, kind: ObjectKind): ObjectId
  formatId(object: ObjectReference): string
  /** The target of a hard link: an id whose kind the text itself tells, or nobody. */
  parseTarget(text: string): { readonly id: ObjectId; readonly kind?: ObjectKind }
  /** The id of a committed datatype where a type is expected, or undefined when the text is not one. */
  parseTypeId(text: string): ObjectId | undefined
  decodeName(raw: string): string
  /** The dataspace that `shape` and `maxdims` tell. */
  parseShape(shape: JsonValue | undefined, maxdims: JsonValue | undefined): Dataspace
  /** How values of datasets and of attributes are written as JSON. */
  valueStyle(place: Place, of: 'dataset' | 'attribute'): ValueStyle
}

/** What each kind of error is in HTTP; both APIs agree on it (common 6). */
const KIND_STATUSES: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  unsupported: 501,
  busy: 503,
  timeout: 408,
}

/** Codes that HTTP has a status of their own for. */
const CODE_STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  'precondition-failed': 412,
  'storage-full': 507,
}

/** The status of an error: that of its kind, but for the codes in which the dialect differs. */
export function statusTable(
  codes: Readonly<Partial<Record<ErrorCode, number>>>,
): (error: HyperslabError) => number {
  const byCode = { ...CODE_STATUSES, ...codes }
  return error => byCode[error.code] ?? KIND_STATUSES[error.kind]
}
