import type { AclItem, ObjectReference } from '@hyperslab/model/names'
import { encodeName } from '../../../message/target.ts'
import type { Body, Presentation } from '../../dialect.ts'
import { type Href, homeLink, link, type Place } from '../../hrefs.ts'
import { objectPath, rootLink } from './paths.ts'

/** Exactly seven members (classic 10). */
function aclMembers(item: AclItem): Body {
  const { userName, create, read, update, readACL, updateACL } = item
  return { userName, create, read, update, delete: item.delete, readACL, updateACL }
}

function aclPath(object: ObjectReference | undefined): string {
  return object === undefined ? '/acls' : `${objectPath(object)}/acls`
}

function aclLinks(place: Place, object: ObjectReference | undefined, self: string): Href[] {
  const owner = object === undefined ? '/' : objectPath(object)
  return [link(place, 'self', self), rootLink(place), homeLink(place), link(place, 'owner', owner)]
}

export const aclAnswers: Presentation['acls'] = {
  list(place, object, acl) {
    return { acls: acl.map(aclMembers), hrefs: aclLinks(place, object, aclPath(object)) }
  },

  shown(place, object, item) {
    const self = `${aclPath(object)}/${encodeName(item.userName)}`
    return { acl: aclMembers(item), hrefs: aclLinks(place, object, self) }
  },

  put(place, object, userName) {
    const self = aclPath(object) + (userName === undefined ? '' : `/${encodeName(userName)}`)
    return { hrefs: aclLinks(place, object, self) }
  },
}
