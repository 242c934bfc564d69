// The differences between the two APIs, as data. Each rule is one difference that a client can see, named for what it
// decides (docs/decisions/019).

import type { CreationRules } from '@hyperslab/model/dataset'
import type { QueryGrammar } from '../../service/query/parse.ts'
import type { SelectionGrammar } from '../../service/selection/request.ts'

/** The rules of a dialect, by resource. */
export interface Rules {
  readonly requests: RequestRules
  readonly listings: ListingRules
  readonly domains: DomainRules
  readonly objects: ObjectRules
  readonly links: LinkRules
  readonly attributes: AttributeRules
  readonly types: TypeRules
  readonly datasets: DatasetRules
  readonly values: ValueRules
  readonly queries: QueryRules
  readonly acls: AclRules
}

/** The reading and rejecting of requests. */
export interface RequestRules {
  /** A path that lacks the name at its end, or has more after a title, is unknown; or it has a malformed name. */
  readonly exactPaths: boolean
  /** OPTIONS is answered for preflights of known paths and methods only (hsds-objects 1.7), or always (classic 2). */
  readonly exactPreflights: boolean
  /**
   * Unknown parameters and members are errors if they were probably meant to have an effect (hsds-objects 1.3), or
   * never.
   */
  readonly refusesUnknown: boolean
  /** Flags of the query: `0` and `false` are true like any other string (classic 6.3), or false (hsds-objects 1.3). */
  readonly anyStringIsTrue: boolean
  /** A body `null` counts as none (hsds-objects 1.5), or is malformed. */
  readonly nullIsNoBody: boolean
  /** Writes need an identified caller, whatever the access control lists permit. */
  readonly writesNeedIdentity: boolean
  /** An `Authorization` header with another scheme or an empty user counts as none, or is rejected. */
  readonly lenientCredentials: boolean
  /** A 401 answer asks for Basic credentials: browsers show their dialog. */
  readonly challenges: boolean
  /** The reason phrase carries the error's message. */
  readonly reasonPhrase: boolean
}

/** Listings of links, attributes, objects and folders. */
export interface ListingRules {
  /** An unknown marker of a listing ends it, or is an error. */
  readonly unknownMarker: 'empty' | 'missing'
  /** A negative `Limit` means none, or is an error. */
  readonly negativeLimit: 'none' | 'error'
}

/** Domains and folders. */
export interface DomainRules {
  /** All objects of a domain come with their attributes, or only with `include_attrs` (hsds-objects 18). */
  readonly bulkAttributes: 'always' | 'asked'
}

/** Groups, datasets and committed datatypes. */
export interface ObjectRules {
  /** Collections list every object of the domain, or only those that hard links reach from the root group. */
  readonly listsUnlinked: boolean
  /** Deleting an object removes the hard links to it, or leaves them dangling. */
  readonly deleteRemovesLinks: boolean
  /** A body may be a list of objects to create (hsds-objects 17.1), or is one object (classic 6.2). */
  readonly createsSeveral: boolean
  /** The link of a new object may name no group: then it is put into the root group (hsds-objects 17.2). */
  readonly linksIntoRoot: boolean
  /**
   * The members of creating bodies that hsds-objects 17 adds (ids, paths, first values, times, ...) count, or have no
   * effect.
   */
  readonly creationOptions: boolean
  /** References that are written must name an existing object. */
  readonly checksReferences: boolean
}

/** Links. */
export interface LinkRules {
  /** A second PUT of an identical link: rejected, or accepted with 200. */
  readonly samePut: 'conflict' | 'accept'
  /** A body with the members of two forms is an error (hsds-objects 11.1), or the first form counts (classic 6.7). */
  readonly twoForms: 'error' | 'first'
}

/** Attributes. */
export interface AttributeRules {
  /** A second PUT of an identical attribute: rejected, or accepted with 200. */
  readonly samePut: 'conflict' | 'accept'
  /** A new attribute with a null dataspace may come with a value, which has no effect, or this is an error. */
  readonly nullTakesValue: boolean
  /** A new attribute needs a value (classic 9.3), or may come without (hsds-objects 12.2). */
  readonly valueRequired: boolean
  /** In bodies `encoding` may say that `value` is the Base64 of its bytes (hsds-objects 16.4). */
  readonly base64: boolean
  /** A request that writes several attributes may come without any (hsds-objects 18). */
  readonly emptyBatch: boolean
  /**
   * A string that is too long for its type is kept whole, beside its bytes (hsds-objects 16.1), or cut (classic 9.3).
   */
  readonly keepsText: boolean
}

/** Datatypes. */
export interface TypeRules {
  /** A predefined name that is the whole type needs its byte order (hsds-objects 14.2), or is little-endian without. */
  readonly namesNeedOrder: boolean
  /** Bitfields can be created, or only come with imported files (hsds-values 3.2). */
  readonly takesBitfields: boolean
  /** Type objects come back as they were sent (hsds-values 3.2), or in one form (classic 14.3). */
  readonly keepsSpelling: boolean
}

/** Creation properties and extents of datasets. */
export interface DatasetRules {
  /** The rules for reading the creation properties of datasets. */
  readonly creation: CreationRules
  /** PUT of a shape may make extents smaller (hsds-values 5), or not (classic 7.6). */
  readonly shrinks: boolean
  /** Instead of a new shape, a body may have the growth of one dimension (hsds-values 5). */
  readonly extends: boolean
  /** The status of an answer to PUT of a shape. */
  readonly shapeChangedStatus: 200 | 201
}

/** Values of datasets and attributes. */
export interface ValueRules {
  /** The grammar of selections (classic 15.2; hsds-values 9). */
  readonly selections: SelectionGrammar
  /**
   * Bodies may have `fields`, and those of PUT `append`, `append_dim`, `element_count` and `query` (hsds-values 7 and
   * 10).
   */
  readonly options: boolean
  /** POST reads points only (classic 7.9), or any selection that PUT has (hsds-values 8). */
  readonly postReads: 'points' | 'any'
  /** Every read sends bytes on request, or only GET does (classic 3.3). */
  readonly binaryMethods: 'all' | 'get'
  /** A single element is sent as bytes too, or as JSON whatever the request accepts (classic 7.8). */
  readonly binaryOfOne: boolean
  /** Values that are sent and taken as bytes: those of any type, or of fixed size and without references. */
  readonly binaryTypes: 'any' | 'fixed'
  /** Bodies of values whose content type is neither JSON nor bytes are rejected, or read as JSON (hsds-values 1.2). */
  readonly knownContentTypes: boolean
  /** Opaque values have a JSON form (base64), or none. */
  readonly opaque: 'base64' | 'error'
  /** Bytes of a dataset's strings that are not UTF-8, in JSON: escaped as lone surrogates, or an error. */
  readonly nonUtf8Text: 'escaped' | 'error'
  /** Sequences of sequences and of variable strings: dataset values of such types are stored, or an error. */
  readonly nestedSequences: 'stored' | 'error'
  /**
   * Whether only the count of the values in a JSON body must fit, and not their nesting (classic 7.10; hsds-values
   * 7.2).
   */
  readonly countsOnly: boolean
  /** Values may be written to a selection without elements (hsds-values 7.2). */
  readonly writesNothing: boolean
  /** A read of a dataset with a null dataspace is answered with null, or an error. */
  readonly null: 'null' | 'error'
}

/** Queries. */
export interface QueryRules {
  readonly grammar: QueryGrammar
  /**
   * The datasets that are searched: one-dimensional ones of a compound type, or all but scalars (classic 7.8;
   * hsds-values 11.2).
   */
  readonly searches: 'tables' | 'all'
  /** The elements that a query finds are sent as bytes on request. */
  readonly binary: boolean
  /**
   * The elements that a query finds come with their indexes in a list beside them, or first in each row (hsds-objects
   * 18).
   */
  readonly rows: 'index-beside' | 'index-first'
  /**
   * A query that changes elements answers with their indexes, or with the elements too, in rows that begin with their
   * indexes (hsds-objects 18).
   */
  readonly updated: 'indexes' | 'elements'
}

/** Access control lists. */
export interface AclRules {
  /**
   * The answer for a user without an item: the permissions that apply to that user (classic 10.2), or an error
   * (hsds-objects 9).
   */
  readonly items: 'effective' | 'stored'
  /** The list of an object has the items of the root group too: they apply to the object. */
  readonly inherited: boolean
  /** Flags are booleans (hsds-objects 9), or any values, which count by their truth (classic 10.3). */
  readonly flags: 'boolean' | 'any'
  /** A body that names another user than the path is an error, or the name in the path counts. */
  readonly otherName: 'error' | 'ignored'
  /** Items are for known names (classic 10.3), or for any: the users of tokens are in no list of accounts. */
  readonly names: 'known' | 'any'
  /** The status of a PUT of several items. */
  readonly putManyStatus: 200 | 201
}
