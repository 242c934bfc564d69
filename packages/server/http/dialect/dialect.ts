// A dialect: how requests name the domain, how ids, names and times are written, which status an error has, the form of
// each answer, and the rules in which the two APIs differ. Routes and the service do not branch on its name, except
// that a route or a parameter may be known to one dialect only.

import type { IncomingHttpHeaders } from 'node:http'
import type { HyperslabError } from '@hyperslab/base/errors'
import type { Dataspace } from '@hyperslab/model/dataset'
import type { JsonOutput, JsonValue } from '@hyperslab/model/json'
import type {
  Acl,
  AclItem,
  DomainPath,
  ObjectId,
  ObjectKind,
  ObjectReference,
  Timestamp,
} from '@hyperslab/model/names'
import type { ReferenceSyntax, ValueStyle } from '@hyperslab/model/values'
import type {
  Attribute,
  CommittedDatatype,
  Dataset,
  DomainEntry,
  Group,
  Link,
  ListedAttribute,
  ListedLink,
} from '@hyperslab/store/store'
import type { NameMeanings } from '../../service/context.ts'
import type { BulkDescription } from '../../service/descriptions/bulk-descriptions.ts'
import type { Description } from '../../service/descriptions/descriptions.ts'
import type { ShownDomain } from '../../service/domains/domains.ts'
import type { EventView } from '../../service/feed/event-views.ts'
import type { ObjectView } from '../../service/objects/objects.ts'
import type { DetailedStatistics } from '../../service/statistics.ts'
import type { ShapeChange } from '../../service/values/extents.ts'
import type { StreamedBody } from '../message/json-stream.ts'
import type { Target } from '../message/target.ts'
import type { Buckets } from './buckets.ts'
import type { ApiDescription } from './description.ts'
import type { Href, Place } from './hrefs.ts'
import type { Rules } from './rules.ts'

export interface NamingSettings {
  /** The end of all DNS names of domains. */
  readonly baseDomain: string
  readonly buckets: Buckets
  /** The name of the folder at the top level that holds the homes of users. */
  readonly homeFolder: string
  /** Replaces scheme and host in hrefs; its host is a name of the server, and so not of a domain. */
  readonly publicUrl?: string
}

/** The name of a request's domain, and the form in which the request has it. */
export interface Naming {
  /** A top-level folder when the request names no domain. */
  readonly path: DomainPath
  /** The DNS name as the client gave it, without a port; empty when the domain was named by its path. */
  readonly dnsName: string
  /** The query of hrefs, by which they name the same domain. */
  readonly suffix: string
  /** The meanings of the name; absent: it is the path of a domain or folder, and nothing else. */
  readonly meanings?: NameMeanings
  /** Other possible paths of the same name if there is no domain at `path`: the first one with a domain counts. */
  readonly otherPaths?: () => Iterable<DomainPath>
}

export type Body = { readonly [name: string]: JsonOutput | undefined }

/** The values of attributes that an answer shows, and their form. */
export interface ShownValues {
  readonly values: boolean
  /** Values of fixed size as the Base64 of their bytes. */
  readonly base64?: boolean
  /** Larger values are left out. */
  readonly maxDataSize?: number
}

/** The statistics of a domain, and the time of the count. */
export interface TimedStatistics extends DetailedStatistics {
  readonly time: Timestamp
}

/** The form of each answer, by resource. Every method is a function of the place and model values. */
export interface Presentation {
  readonly domains: {
    shown(place: Place, view: ShownDomain & { readonly scan?: TimedStatistics }): Body
    created(place: Place, view: { entry: DomainEntry; acl: Acl }): Body
  }
  readonly objects: {
    list(place: Place, kind: ObjectKind, ids: readonly ObjectId[]): Body
    deleted(place: Place, kind: ObjectKind): Body
  }
  readonly groups: {
    shown(place: Place, view: Description<Group>): Body
    created(place: Place, view: ObjectView<Group>): Body
  }
  readonly datasets: {
    shown(place: Place, view: Description<Dataset>): Body
    created(place: Place, view: ObjectView<Dataset>): Body
    shape(place: Place, view: ObjectView<Dataset>): Body
    shapeChanged(place: Place, change: ShapeChange): Body
    type(place: Place, dataset: Dataset): Body
  }
  readonly datatypes: {
    shown(place: Place, view: Description<CommittedDatatype>): Body
    created(place: Place, view: ObjectView<CommittedDatatype>): Body
  }
  readonly values: {
    /** The members beside `value` in the answer of a read; `value` comes first, streamed. */
    read(place: Place, dataset: ObjectId, rawQuery: string): Body
    written(place: Place, dataset: ObjectId): Body
    /** The members beside a list about several datasets, which the path has. */
    several(place: Place, path: string): Body
    severalWritten(place: Place): Body
    /** The members beside the indexes of the elements that a query finds. */
    queried(place: Place, dataset: ObjectId): Body
  }
  readonly links: {
    list(place: Place, group: ObjectId, links: readonly ListedLink[]): Body
    /** A link in a list. */
    item(place: Place, group: ObjectId, link: ListedLink): Body
    shown(place: Place, group: ObjectId, link: Link): Body
    put(place: Place, group: ObjectId, title: string): Body
    deleted(place: Place, group: ObjectId): Body
  }
  readonly attributes: {
    list(
      place: Place,
      owner: ObjectReference,
      attributes: readonly ListedAttribute[],
      shown: ShownValues,
    ): Body
    /** An attribute in a list about several objects. */
    item(place: Place, attribute: ListedAttribute, shown: ShownValues): Body
    shown(place: Place, owner: ObjectReference, attribute: Attribute, shown: ShownValues): Body
    put(place: Place, owner: ObjectReference, name: string): Body
    deleted(place: Place, owner: ObjectReference): Body
  }
  readonly events: {
    shown(event: EventView): Body
  }
  readonly acls: {
    /** The list at the path: of `object` or, without it, of the domain or folder. */
    list(place: Place, object: ObjectReference | undefined, acl: Acl): Body
    shown(place: Place, object: ObjectReference | undefined, item: AclItem): Body
    put(place: Place, object: ObjectReference | undefined, userName: string | undefined): Body
  }
}

/** The answers of a dialect that finds objects by their paths, and all objects of a domain at once. */
export interface FoundPresentation {
  /** The object as its own route shows it but without `hrefs`, with its class; the place is that of its domain. */
  object(place: Place, view: Description, shown: ShownValues): Body
  /** The hrefs of an answer about one such object. */
  hrefs(place: Place): readonly Href[]
  /** One of all objects of a domain. */
  bulkObject(place: Place, view: BulkDescription): StreamedBody
}

export const DIALECT_NAMES = ['classic', 'hsds'] as const

export interface Dialect {
  readonly name: (typeof DIALECT_NAMES)[number]
  readonly description: ApiDescription
  /** The version of its API, as answers report it. */
  readonly apiVersion: string
  /** The domain that a request names, and how. */
  nameDomain(target: Target, headers: IncomingHttpHeaders, settings: NamingSettings): Naming
  readonly jsonContentType: string
  readonly rules: Rules
  readonly present: Presentation
  /** Absent: objects are found by their ids only. */
  readonly presentFound?: FoundPresentation
  readonly references: ReferenceSyntax
  /** The status of an error of the operation (the route's name), if one had begun. */
  statusOf(error: HyperslabError, operation: string | undefined): number
  /** The id in a path or body. A malformed one is an error that the dialect chooses. */
  parseId(text: string, kind: ObjectKind): ObjectId
  /** The id after which a listing of ids begins. Undefined: no id can have this spelling, so the listing ends. */
  parseMarker(text: string, kind: ObjectKind): ObjectId | undefined
  formatId(object: ObjectReference): string
  /** The target of a hard link: its id, and its kind if the string has it. */
  parseTarget(text: string): { readonly id: ObjectId; readonly kind?: ObjectKind }
  /** The id of a committed datatype where a type is expected, or undefined when the string is not one. */
  parseTypeId(text: string): ObjectId | undefined
  decodeName(raw: string): string
  /** The dataspace of the members `shape` and `maxdims`. */
  parseShape(shape: JsonValue | undefined, maxdims: JsonValue | undefined): Dataspace
  /** The form of values of datasets and of attributes in JSON. */
  valueStyle(place: Place, owner: 'dataset' | 'attribute'): ValueStyle
}
