// The differences between the two APIs, as data. Each rule is one difference that a client can see, named for what it decides.
// The rules of a resource are declared beside the code that reads them, but for those that `routes` and `exchange` read, which
// import this folder (docs/decisions/019).

import type { CreationRules } from '../../hdf5/creation-properties.ts'
import type { AttributeRules } from '../body/attribute-rules.ts'
import type { LinkRules } from '../body/link-rules.ts'
import type { ObjectRules } from '../body/object-rules.ts'
import type { QueryRules } from '../body/query-rules.ts'
import type { TypeRules } from '../body/type-rules.ts'
import type { ValueRules } from '../body/value-rules.ts'
import type { ListingRules } from '../listing-rules.ts'

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

/** How requests are read and rejected. */
export interface RequestRules {
  /** A path that lacks the name at its end, or has more behind a title, is unknown; or it has a malformed name. */
  readonly exactPaths: boolean
  /** OPTIONS is answered for preflights of known paths and methods only (hsds-objects 1.7), or always (classic 2). */
  readonly exactPreflights: boolean
  /** Parameters and members without meaning are errors where they may have been meant (hsds-objects 1.3), or never. */
  readonly refusesUnknown: boolean
  /** Flags of the query: `0` and `false` are true as any other string (classic 6.3), or false (hsds-objects 1.3). */
  readonly anyStringIsTrue: boolean
  /** Writes need an identified caller, whatever the access control lists permit. */
  readonly writesNeedIdentity: boolean
  /** An `Authorization` header with another scheme or an empty user counts as none, or is rejected. */
  readonly lenientCredentials: boolean
  /** A 401 answer asks for Basic credentials: browsers show their dialog. */
  readonly challenges: boolean
  /** The reason phrase carries the error's message. */
  readonly reasonPhrase: boolean
}

/** Domains and folders. */
export interface DomainRules {
  /** All objects of a domain come with their attributes, or only with `include_attrs` (hsds-objects 18). */
  readonly bulkAttributes: 'always' | 'asked'
}

/** Creation properties and extents of datasets. */
export interface DatasetRules {
  /** How the creation properties of datasets are read. */
  readonly creation: CreationRules
  /** PUT of a shape may make extents smaller (hsds-values 5), or not (classic 7.6). */
  readonly shrinks: boolean
  /** Instead of a new shape, a body may say by how much one dimension grows (hsds-values 5). */
  readonly extends: boolean
  /** The status of an answer to PUT of a shape. */
  readonly shapeChangedStatus: 200 | 201
}

/** Access control lists. */
export interface AclRules {
  /** For a user without an item the answer is what holds for that user (classic 10.2), or an error (hsds-objects 9). */
  readonly items: 'effective' | 'stored'
  /** The list of an object has the items of the root group too: they hold for the object. */
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
