// The answers of the classic dialect (classic 5 to 10). Ids are UUIDs, times ISO strings, and every
// answer carries `hrefs`, in the order that these sections give for each resource.

import { type JsonOutput, lazyList } from '@hyperslab/model/json'
import type { AclItem } from '@hyperslab/model/names'
import {
  COLLECTIONS,
  formatIsoSeconds,
  formatUuid,
  type ObjectId,
  type ObjectReference,
  type Timestamp,
} from '@hyperslab/model/names'
import type { Attribute, ListedLink } from '../../../service/model.ts'
import { encodeName } from '../../message/target.ts'
import { valueJson } from '../attribute-json.ts'
import type { Body, Presentation } from '../dialect.ts'
import { presentEvent } from '../event-json.ts'
import type { Place } from '../hrefs.ts'
import { type Href, homeLink, hrefTo, link } from '../hrefs.ts'
import { dataLink } from '../preview.ts'
import { externalAddress, externalDnsName } from './external.ts'
import { presentShape, presentType, presentTypeUse } from './types.ts'
import { classicValueStyle } from './values.ts'

function groupPath(id: ObjectId): string {
  return `/groups/${formatUuid(id)}`
}

function objectPath(object: ObjectReference): string {
  return `/${COLLECTIONS[object.kind]}/${formatUuid(object.id)}`
}

function datasetPath(id: ObjectId): string {
  return `/datasets/${formatUuid(id)}`
}

function rootLink(place: Place): Href {
  return link(place, 'root', place.root === undefined ? '/' : groupPath(place.root))
}

function severalHrefs(place: Place): Body {
  return { hrefs: [link(place, 'self', '/values'), rootLink(place), homeLink(place)] }
}

function times(created: Timestamp, lastModified: Timestamp): { created: string; lastModified: string } {
  const text = formatIsoSeconds(created)
  return { created: text, lastModified: lastModified === created ? text : formatIsoSeconds(lastModified) }
}

function domainLinks(place: Place): Href[] {
  return [
    link(place, 'self', '/'),
    link(place, 'database', '/datasets'),
    link(place, 'groupbase', '/groups'),
    link(place, 'typebase', '/datatypes'),
    rootLink(place),
  ]
}

/** The members of a link. Written out for each class, see `groups`. */
function linkMembers(place: Place, { title, target }: ListedLink): Body {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return { title, class: target.class, collection: COLLECTIONS[target.kind], id: formatUuid(target.id) }
    case 'H5L_TYPE_SOFT':
      return { title, class: target.class, h5path: target.h5path }
    case 'H5L_TYPE_EXTERNAL': {
      const h5domain = externalDnsName(place, target)
      return { title, class: target.class, h5path: target.h5path, h5domain }
    }
    case 'H5L_TYPE_USER_DEFINED':
      return { title, class: target.class }
    case 'H5L_TYPE_ERROR':
      return { title, class: target.class, unreadable: target.reason.message }
  }
}

/** The address of `rel: target`; a user-defined link has none (specification 2.4). */
function targetAddress(place: Place, target: ListedLink['target']): string | undefined {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return hrefTo(place, objectPath(target))
    case 'H5L_TYPE_SOFT':
      return `${hrefTo(place, '/')}#h5path(${target.h5path})`
    case 'H5L_TYPE_EXTERNAL':
      return externalAddress(place, target)
    case 'H5L_TYPE_USER_DEFINED':
    case 'H5L_TYPE_ERROR':
      return undefined
  }
}

function linkPath(group: ObjectId, title: string): string {
  return `${groupPath(group)}/links/${encodeName(title)}`
}

function attributePath(owner: ObjectReference, name: string): string {
  return `${objectPath(owner)}/attributes/${encodeName(name)}`
}

function attributeMembers(attribute: Attribute): Body {
  const { name, type, committedType, space, created, lastModified } = attribute
  const shape =
    space.class === 'H5S_SIMPLE' ? { class: space.class, dims: space.dims } : { class: space.class }
  return { name, type: presentTypeUse(type, committedType), shape, ...times(created, lastModified) }
}

/** Null for a null dataspace; absent for opaque types, which have no JSON form here (classic 9.2). */
function attributeValue(place: Place, attribute: Attribute): JsonOutput | undefined {
  const { type, value } = attribute
  if (type.class === 'H5T_OPAQUE') return undefined
  return value === undefined ? null : valueJson(attribute, value, classicValueStyle(place))
}

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

export const classicPresent: Presentation = {
  domains: {
    shown(place, { entry, status, state }) {
      return {
        ...(place.root !== undefined && { root: formatUuid(place.root) }),
        ...times(entry.created, state?.lastModified ?? entry.lastModified),
        damage: entry.damage ?? status?.damage?.message,
        ...(state && { state: state.state }),
        hrefs: domainLinks(place),
      }
    },

    created(place, { entry }) {
      return {
        ...(entry.root !== undefined && { root: formatUuid(entry.root) }),
        ...times(entry.created, entry.lastModified),
        hrefs: domainLinks({ ...place, root: entry.root }),
      }
    },
  },

  objects: {
    list(place, kind, ids) {
      const collection = COLLECTIONS[kind]
      return {
        [collection]: lazyList(ids, formatUuid),
        hrefs: [link(place, 'self', `/${collection}`), rootLink(place), homeLink(place)],
      }
    },

    deleted(place, kind) {
      return { hrefs: [link(place, 'self', `/${COLLECTIONS[kind]}`), rootLink(place), homeLink(place)] }
    },
  },

  groups: {
    // The members are written out, because spreading parts into one another takes longer than the rest of a short
    // answer.
    shown(place, { object, status, links }) {
      const path = groupPath(object.id)
      return {
        id: formatUuid(object.id),
        created: formatIsoSeconds(object.created),
        lastModified: formatIsoSeconds(status.lastModified),
        attributeCount: status.attributeCount,
        linkCount: status.linkCount,
        damage: status.damage?.message,
        links:
          links && links.length > 0
            ? lazyList(links, item => classicPresent.links.item(place, object.id, item))
            : undefined,
        hrefs: [
          link(place, 'self', path),
          link(place, 'links', `${path}/links`),
          rootLink(place),
          homeLink(place),
          link(place, 'attributes', `${path}/attributes`),
        ],
      }
    },

    created(place, view) {
      return classicPresent.groups.shown(place, view)
    },
  },

  datasets: {
    shown(place, { object, status }) {
      const path = datasetPath(object.id)
      return {
        id: formatUuid(object.id),
        created: formatIsoSeconds(object.created),
        lastModified: formatIsoSeconds(status.lastModified),
        attributeCount: status.attributeCount,
        damage: status.damage?.message,
        type: presentTypeUse(object.type, object.committedType),
        shape: presentShape(object.space),
        creationProperties: object.creationProperties.json,
        hrefs: [
          ...(object.unreadable === undefined ? [dataLink(place, `${path}/value`, object.space)] : []),
          link(place, 'self', path),
          rootLink(place),
          link(place, 'attributes', `${path}/attributes`),
          homeLink(place),
        ],
      }
    },

    created(place, { object, status }) {
      const path = datasetPath(object.id)
      return {
        id: formatUuid(object.id),
        created: formatIsoSeconds(object.created),
        lastModified: formatIsoSeconds(status.lastModified),
        attributeCount: status.attributeCount,
        hrefs: [
          link(place, 'self', path),
          rootLink(place),
          link(place, 'attributes', `${path}/attributes`),
          link(place, 'value', `${path}/value`),
        ],
      }
    },

    shape(place, { object, status }) {
      const path = datasetPath(object.id)
      return {
        shape: presentShape(object.space),
        ...times(object.created, status.lastModified),
        hrefs: [link(place, 'self', path), link(place, 'owner', path), rootLink(place)],
      }
    },

    shapeChanged(place, { object }) {
      const path = datasetPath(object.id)
      return { hrefs: [link(place, 'self', path), link(place, 'owner', path), rootLink(place)] }
    },

    type(place, dataset) {
      const path = datasetPath(dataset.id)
      return {
        type: presentType(dataset.type),
        hrefs: [link(place, 'self', `${path}/type`), link(place, 'owner', path), rootLink(place)],
      }
    },
  },

  datatypes: {
    shown(place, { object, status }) {
      const path = objectPath(object)
      return {
        id: formatUuid(object.id),
        created: formatIsoSeconds(object.created),
        lastModified: formatIsoSeconds(status.lastModified),
        attributeCount: status.attributeCount,
        damage: status.damage?.message,
        type: presentType(object.type),
        hrefs: [
          link(place, 'self', path),
          rootLink(place),
          link(place, 'attributes', `${path}/attributes`),
          homeLink(place),
        ],
      }
    },

    created(place, { object, status }) {
      const path = objectPath(object)
      return {
        id: formatUuid(object.id),
        created: formatIsoSeconds(object.created),
        lastModified: formatIsoSeconds(status.lastModified),
        attributeCount: status.attributeCount,
        hrefs: [link(place, 'self', path), rootLink(place), link(place, 'attributes', `${path}/attributes`)],
      }
    },
  },

  values: {
    read(place, dataset, rawQuery) {
      const path = datasetPath(dataset)
      const selecting = rawQuery
        .split('&')
        .filter(pair => pair.startsWith('select=') || pair.startsWith('query='))
        .join('&')
      const more = selecting === '' ? '' : (place.suffix === '' ? '?' : '&') + selecting
      return {
        hrefs: [
          { href: hrefTo(place, `${path}/value`) + more, rel: 'self' },
          rootLink(place),
          link(place, 'owner', path),
          homeLink(place),
        ],
      }
    },

    written(place, dataset) {
      const path = datasetPath(dataset)
      return {
        hrefs: [
          link(place, 'self', `${path}/value`),
          rootLink(place),
          link(place, 'owner', path),
          homeLink(place),
        ],
      }
    },

    several: severalHrefs,

    severalWritten: severalHrefs,

    queried(place, dataset) {
      const path = datasetPath(dataset)
      return {
        hrefs: [
          link(place, 'self', `${path}/query`),
          rootLink(place),
          link(place, 'owner', path),
          homeLink(place),
        ],
      }
    },
  },

  links: {
    list(place, group, links) {
      const path = groupPath(group)
      return {
        links: lazyList(links, item => classicPresent.links.item(place, group, item)),
        hrefs: [
          link(place, 'self', `${path}/links`),
          rootLink(place),
          homeLink(place),
          link(place, 'owner', path),
        ],
      }
    },

    /** Hard and external links have the address of their target (classic 6.5). */
    item(place, group, item) {
      const { target } = item
      const hasAddress = target.class === 'H5L_TYPE_HARD' || target.class === 'H5L_TYPE_EXTERNAL'
      return {
        ...linkMembers(place, item),
        href: hrefTo(place, linkPath(group, item.title)),
        target: hasAddress ? targetAddress(place, target) : undefined,
      }
    },

    shown(place, group, item) {
      const target = targetAddress(place, item.target)
      const time = formatIsoSeconds(item.created)
      const hrefs = [
        link(place, 'self', linkPath(group, item.title)),
        rootLink(place),
        homeLink(place),
        link(place, 'owner', groupPath(group)),
      ]
      if (target !== undefined) hrefs.push({ href: target, rel: 'target' })
      return {
        link: linkMembers(place, item),
        created: time,
        lastModified: time,
        hrefs,
      }
    },

    put(place, group, title) {
      return {
        hrefs: [
          link(place, 'self', linkPath(group, title)),
          rootLink(place),
          homeLink(place),
          link(place, 'owner', groupPath(group)),
        ],
      }
    },

    deleted(place, group) {
      return { hrefs: [rootLink(place), homeLink(place), link(place, 'owner', groupPath(group))] }
    },
  },

  attributes: {
    list(place, owner, attributes) {
      const path = objectPath(owner)
      return {
        attributes: lazyList(attributes, attribute => ({
          ...classicPresent.attributes.item(place, attribute, { values: false }),
          href: hrefTo(place, attributePath(owner, attribute.name)),
        })),
        hrefs: [
          link(place, 'self', `${path}/attributes`),
          link(place, 'owner', path),
          rootLink(place),
          homeLink(place),
        ],
      }
    },

    item(_, attribute) {
      if (!('reason' in attribute)) return attributeMembers(attribute)
      const { name, reason, created, lastModified } = attribute
      return { name, unreadable: reason.message, ...times(created, lastModified) }
    },

    shown(place, owner, attribute) {
      return {
        ...attributeMembers(attribute),
        value: attributeValue(place, attribute),
        hrefs: [
          link(place, 'self', attributePath(owner, attribute.name)),
          link(place, 'owner', objectPath(owner)),
          rootLink(place),
          homeLink(place),
        ],
      }
    },

    put(place, owner, name) {
      return {
        hrefs: [
          link(place, 'self', attributePath(owner, name)),
          link(place, 'owner', objectPath(owner)),
          rootLink(place),
        ],
      }
    },

    deleted(place, owner) {
      const path = objectPath(owner)
      return {
        hrefs: [
          link(place, 'self', `${path}/attributes`),
          link(place, 'owner', path),
          rootLink(place),
          homeLink(place),
        ],
      }
    },
  },

  events: {
    shown: event =>
      presentEvent(event, { formatId: ({ id }) => formatUuid(id), formatTime: formatIsoSeconds }),
  },

  acls: {
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
  },
}
