// The members of access control items in the hsds dialect, and the paths of lists (hsds-objects 4).

import type { AclItem, ObjectReference } from '@hyperslab/model/names'
import { pathInBucket } from '../../../service/domains/path-names.ts'
import type { Body } from '../dialect.ts'
import type { Place } from '../hrefs.ts'
import { objectPath } from './addresses.ts'

/** Seven members, and eight where a request put the item (hsds-objects 4). */
export function aclMembers({ bucket }: Place, item: AclItem): Body {
  const { userName, origin } = item
  return { userName, ...flagsOf(item), domain: origin && bucket + pathInBucket(origin) }
}

/**
 * In items of objects h5pyd's `hsls` reads the name from another member; those of domains and folders have one (common
 * 8).
 */
export function namedTwice(object: ObjectReference | undefined, { userName }: AclItem): Body {
  return object === undefined ? {} : { username: userName }
}

export function aclsPath(object: ObjectReference | undefined): string {
  return object === undefined ? '/acls' : `${objectPath(object)}/acls`
}

export function flagsOf(item: AclItem): Body {
  const { create, read, update, readACL, updateACL } = item
  return { create, read, update, delete: item.delete, readACL, updateACL }
}
