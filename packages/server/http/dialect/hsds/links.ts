// Links in answers of the hsds dialect: alone, in lists, and in the maps of a group's links.

import { COLLECTIONS, formatPrefixed, type ObjectId } from '@hyperslab/model/names'
import type { ListedLink } from '@hyperslab/store/store'
import { toEpochSeconds } from '../../message/times.ts'
import type { Body } from '../dialect.ts'
import { hrefTo, type Place } from '../hrefs.ts'
import { linkPath, objectPath } from './addresses.ts'

/** The target of a link (hsds-objects 11.1), or the reason why it cannot be read. */
export function linkMembers(target: ListedLink['target']): Body {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return { class: target.class, id: formatPrefixed(target) }
    case 'H5L_TYPE_SOFT':
      return { class: target.class, h5path: target.h5path }
    case 'H5L_TYPE_EXTERNAL': {
      // Old clients read `h5domain`, new ones `file` (hsds-objects 11.1).
      const { h5path, h5domain } = target
      return { class: target.class, h5path, h5domain, file: h5domain }
    }
    case 'H5L_TYPE_USER_DEFINED':
      return { class: target.class }
    case 'H5L_TYPE_ERROR':
      return { class: target.class, unreadable: target.reason.message }
  }
}

export function collectionMember(target: ListedLink['target']): Body {
  return target.class === 'H5L_TYPE_HARD' ? { collection: COLLECTIONS[target.kind] } : {}
}

/** A link in a list. */
export function linkItem(place: Place, group: ObjectId, { title, target, created }: ListedLink): Body {
  return {
    title,
    ...linkMembers(target),
    created: toEpochSeconds(created),
    ...collectionMember(target),
    ...(target.class === 'H5L_TYPE_HARD' && { target: hrefTo(place, objectPath(target)) }),
    href: hrefTo(place, linkPath(group, title)),
  }
}

/** A link in a map of links. */
export function storedLink({ target, created }: ListedLink): Body {
  return { ...linkMembers(target), created: toEpochSeconds(created) }
}
