// The addresses in answers of the hsds dialect: paths of objects and their parts, and the longer lists of hrefs, each
// in the order of hsds-objects 1.9.

import {
  COLLECTIONS,
  formatPrefixed,
  isTopLevel,
  type ObjectId,
  type ObjectReference,
  parentOf,
} from '@hyperslab/model/names'
import type { Dataset } from '@hyperslab/store/store'
import { pathInBucket } from '../../../service/domains/path-names.ts'
import { type Href, homeLink, hrefToDomain, link, type Place } from '../hrefs.ts'
import { dataLink } from '../preview.ts'

export function objectPath(object: ObjectReference): string {
  return `/${COLLECTIONS[object.kind]}/${formatPrefixed(object)}`
}

export function groupPath(id: ObjectId): string {
  return objectPath({ kind: 'group', id })
}

export function datasetPath(id: ObjectId): string {
  return objectPath({ kind: 'dataset', id })
}

export function linkPath(group: ObjectId, title: string): string {
  return `${groupPath(group)}/links/${encodeURIComponent(title)}`
}

export function attributePath(owner: ObjectReference, name: string): string {
  return `${objectPath(owner)}/attributes/${encodeURIComponent(name)}`
}

export function rootLink(place: Place): Href {
  return link(place, 'root', place.root === undefined ? '/' : groupPath(place.root))
}

/** The folder above, named by its bucket and path however the request named its domain; none at the top level. */
function parentLinks(place: Place): Href[] {
  const parent = parentOf(place.domain)
  if (isTopLevel(parent)) return []
  return [{ href: hrefToDomain(place, place.bucket + pathInBucket(parent)), rel: 'parent' }]
}

export function domainLinks(place: Place): Href[] {
  return [
    link(place, 'self', '/'),
    link(place, 'database', '/datasets'),
    link(place, 'groupbase', '/groups'),
    link(place, 'typebase', '/datatypes'),
    rootLink(place),
    link(place, 'acls', '/acls'),
    ...parentLinks(place),
  ]
}

/** The links in an answer about one object that was found by its path. */
export function foundLinks(place: Place): Href[] {
  return domainLinks(place).flatMap(item => (item.rel === 'acls' ? [homeLink(place), item] : [item]))
}

export function folderLinks(place: Place): Href[] {
  return [
    link(place, 'self', '/'),
    link(place, 'domains', '/domains'),
    link(place, 'acls', '/acls'),
    ...parentLinks(place),
  ]
}

/** The link to the values, unless the dataspace is null or they cannot be read. */
export function dataLinks(place: Place, { id, space, unreadable }: Dataset): Href[] {
  if (space.class === 'H5S_NULL' || unreadable !== undefined) return []
  return [dataLink(place, `${datasetPath(id)}/value`, space)]
}

/** A folder has no root group. */
export function aclLinks(place: Place, self: string): Href[] {
  const root = place.root === undefined ? [] : [rootLink(place)]
  return [link(place, 'self', self), ...root, homeLink(place), link(place, 'owner', '/')]
}
