// The answers of the hsds dialect (contract 20, sections 8 to 13; 30, sections 3 to 6). Ids carry their kind, times
// are seconds, `hrefs` come last and in the order of contract 20, 1.9. No answer has a member `statusCode`.

import type { AclItem } from '../../../hdf5/acl.ts'
import { extentsOf, product } from '../../../hdf5/dataspace.ts'
import { elementSize, isVariableSize } from '../../../hdf5/datatype/layout.ts'
import { pathInBucket } from '../../../hdf5/domain-path.ts'
import { lazyList, lazyMap } from '../../../hdf5/json.ts'
import {
  COLLECTIONS,
  formatPrefixed,
  type ObjectId,
  type ObjectReference,
  rootOf,
} from '../../../hdf5/object-id.ts'
import { type Timestamp, toEpochSeconds } from '../../../hdf5/timestamp.ts'
import { encodeBase64 } from '../../../hdf5/values/base64.ts'
import { elementsToJson } from '../../../hdf5/values/json-tree.ts'
import type { Description } from '../../../service/descriptions.ts'
import type {
  Attribute,
  CommittedDatatype,
  Dataset,
  DomainEntry,
  Group,
  Link,
  LinkTarget,
  ObjectStatus,
} from '../../../service/model.ts'
import type { ObjectView } from '../../../service/objects.ts'
import type { Body, Place, Present, ShownValues } from '../dialect.ts'
import { hrefTo, link } from '../hrefs.ts'
import { presentTopLevel } from '../top-level.ts'
import {
  aclLinks,
  attributePath,
  dataLinks,
  datasetPath,
  domainLinks,
  folderLinks,
  groupPath,
  home,
  linkPath,
  objectPath,
  rootLink,
} from './addresses.ts'
import { scanMembers } from './statistics.ts'
import { effectiveLayout, presentCreationProperties, presentShape, presentTypeUse } from './types.ts'
import { hsdsValueStyle } from './values.ts'

const LIMITS = { min_chunk_size: 1_048_576, max_chunk_size: 4_194_304, max_request_size: 104_857_600 }
const COMPRESSORS = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'gzip', 'zstd', 'deflate']

function rootId(id: ObjectId): string {
  return formatPrefixed({ kind: 'group', id: rootOf(id) })
}

function times(created: Timestamp, lastModified: Timestamp): { created: number; lastModified: number } {
  return { created: toEpochSeconds(created), lastModified: toEpochSeconds(lastModified) }
}

function entryMembers(entry: DomainEntry, status: ObjectStatus | undefined): Body {
  const { root, owner = '', created, lastModified } = entry
  return {
    ...(root !== undefined && { root: formatPrefixed({ kind: 'group', id: root }) }),
    class: root === undefined ? 'folder' : 'domain',
    owner,
    ...times(created, Math.max(lastModified, status?.lastModified ?? 0)),
  }
}

function abilities(place: Place): Body {
  return { version: place.apiVersion, limits: LIMITS, compressors: COMPRESSORS }
}

/** What every answer about an object starts with. */
function objectMembers(object: { readonly id: ObjectId } & ObjectReference): Body {
  return { id: formatPrefixed(object), root: rootId(object.id) }
}

function datasetMembers({ nonFinite }: Place, { object, status }: ObjectView<Dataset>): Body {
  return {
    ...objectMembers(object),
    ...times(object.created, status.lastModified),
    attributeCount: status.attributeCount,
    // Before every member that holds a key `type` (contract 40, 4.6).
    shape: presentShape(object.space),
    type: presentTypeUse(object),
    layout: effectiveLayout(object),
    creationProperties: presentCreationProperties(object, nonFinite),
  }
}

/** The elements that a dataset has gained, if it grew along one dimension and shrank along none (contract 30, 5). */
function newRegion(before: readonly number[], after: readonly number[]): string | undefined {
  const changed = after.flatMap((extent, axis) => (extent === before[axis] ? [] : [axis]))
  const [grown] = changed
  if (grown === undefined || changed.length > 1 || after[grown] < before[grown]) return undefined
  const ranges = after.map((extent, axis) => (axis === grown ? `${before[axis]}:${extent}` : ':'))
  return `[${ranges.join(',')}]`
}

/** What a link leads to (contract 20, 11.1). */
function linkMembers(target: LinkTarget): Body {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return { class: target.class, id: formatPrefixed(target) }
    case 'H5L_TYPE_SOFT':
      return { class: target.class, h5path: target.h5path }
    case 'H5L_TYPE_EXTERNAL': {
      // Old clients read `h5domain`, new ones `file` (contract 00, decision 9).
      const { h5path, h5domain } = target
      return { class: target.class, h5path, h5domain, file: h5domain }
    }
    case 'H5L_TYPE_USER_DEFINED':
      return { class: target.class }
  }
}

function collectionMember(target: LinkTarget): Body {
  return target.class === 'H5L_TYPE_HARD' ? { collection: COLLECTIONS[target.kind] } : {}
}

function attributeMembers(attribute: Attribute): Body {
  const { name, space } = attribute
  const shape =
    space.class === 'H5S_SIMPLE' ? { class: space.class, dims: space.dims } : { class: space.class }
  return { name, shape, type: presentTypeUse(attribute) }
}

/** `value` and, when that is Base64, `encoding`; null where nothing was written (contract 20, 12.3 and 16). */
function attributeValue(
  place: Place,
  attribute: Attribute,
  { values, base64, maxDataSize }: ShownValues,
): Body {
  const { type, space, value, sent } = attribute
  if (!values || (maxDataSize !== undefined && dataSize(attribute) > maxDataSize)) return {}
  if (value === undefined) return { value: null }
  if (sent === 'base64' || (base64 && !isVariableSize(type))) {
    return { value: encodeBase64(value.data), encoding: 'base64' }
  }
  if (sent !== undefined) return { value: sent.json }
  return { value: elementsToJson(type, extentsOf(space), value, hsdsValueStyle(place, 'attribute')) }
}

/** Bytes that an element of variable size counts (contract 35, 6.2). */
const VARIABLE_DATA_SIZE = 512

function dataSize({ type, space }: Attribute): number {
  const size = isVariableSize(type) ? VARIABLE_DATA_SIZE : elementSize(type)
  return space.class === 'H5S_NULL' ? 0 : size * product(extentsOf(space))
}

/** Seven members, and eight where a request put the item (contract 20, section 4). */
function aclMembers({ bucket }: Place, item: AclItem): Body {
  const { userName, origin } = item
  return { userName, ...flagsOf(item), domain: origin && bucket + pathInBucket(origin) }
}

/** Of objects h5pyd's `hsls` reads the name under another member; 00, decision 4 is about domains and folders. */
function namedTwice(object: ObjectReference | undefined, { userName }: AclItem): Body {
  return object === undefined ? {} : { username: userName }
}

function aclsPath(object: ObjectReference | undefined): string {
  return object === undefined ? '/acls' : `${objectPath(object)}/acls`
}

function flagsOf(item: AclItem): Body {
  const { create, read, update, readACL, updateACL } = item
  return { create, read, update, delete: item.delete, readACL, updateACL }
}

export const hsdsPresent: Present = {
  domain(place, { entry, status, scan }) {
    const members = entryMembers(entry, status)
    if (entry.root === undefined) return { ...members, hrefs: folderLinks(place) }
    return {
      ...members,
      ...abilities(place),
      ...(scan && scanMembers(scan, place.bucket, Date.now() / 1000)),
      hrefs: domainLinks(place),
    }
  },

  domainCreated(place, { entry, acl }) {
    return {
      ...entryMembers(entry, undefined),
      acls: new Map(acl.map(item => [item.userName, flagsOf(item)])),
      ...abilities(place),
    }
  },

  domainDeleted() {
    return {}
  },

  dataNodes() {
    return { dn_ids: ['dn-001'] }
  },

  folderChildren: presentTopLevel,

  collection(place, kind, ids) {
    const collection = COLLECTIONS[kind]
    return {
      [collection]: lazyList(ids, id => formatPrefixed({ kind, id })),
      hrefs: [link(place, 'self', `/${collection}`), rootLink(place), home(place)],
    }
  },

  group(place, view) {
    const path = groupPath(view.object.id)
    return {
      ...describedGroup(place, view),
      hrefs: [
        link(place, 'self', path),
        link(place, 'links', `${path}/links`),
        rootLink(place),
        home(place),
        link(place, 'attributes', `${path}/attributes`),
      ],
    }
  },

  groupCreated(_, { object, status }) {
    return {
      ...objectMembers(object),
      ...times(object.created, status.lastModified),
      linkCount: status.linkCount,
      attributeCount: status.attributeCount,
      creationProperties: object.creationProperties,
    }
  },

  dataset(place, view) {
    const path = datasetPath(view.object.id)
    return {
      ...describedDataset(place, view),
      hrefs: [
        link(place, 'self', path),
        rootLink(place),
        home(place),
        link(place, 'attributes', `${path}/attributes`),
        ...dataLinks(place, view.object),
      ],
    }
  },

  datasetCreated: datasetMembers,

  datatype(place, view) {
    const path = objectPath(view.object)
    return {
      ...describedDatatype(place, view),
      hrefs: [
        link(place, 'self', path),
        rootLink(place),
        home(place),
        link(place, 'attributes', `${path}/attributes`),
      ],
    }
  },

  datatypeCreated(_, { object, status }) {
    return {
      ...objectMembers(object),
      ...times(object.created, status.lastModified),
      attributeCount: status.attributeCount,
      type: presentTypeUse(object),
    }
  },

  objectDeleted() {
    return {}
  },

  shape(place, { object, status }) {
    const path = datasetPath(object.id)
    return {
      shape: presentShape(object.space),
      ...times(object.created, status.lastModified),
      hrefs: [link(place, 'self', `${path}/shape`), link(place, 'owner', path), rootLink(place)],
    }
  },

  shapeChanged(_, { object, before }) {
    const selection = newRegion(before, extentsOf(object.space))
    return selection === undefined ? {} : { selection }
  },

  type(place, dataset) {
    const path = datasetPath(dataset.id)
    return {
      type: presentTypeUse(dataset),
      hrefs: [link(place, 'self', `${path}/type`), link(place, 'owner', path), rootLink(place)],
    }
  },

  valueRead(place, dataset) {
    const path = datasetPath(dataset)
    return {
      hrefs: [link(place, 'self', `${path}/value`), rootLink(place), home(place), link(place, 'owner', path)],
    }
  },

  queryRead(place, dataset) {
    const path = datasetPath(dataset)
    return {
      hrefs: [link(place, 'self', `${path}/query`), rootLink(place), home(place), link(place, 'owner', path)],
    }
  },

  valueWritten() {
    return {}
  },

  links(place, group, links) {
    const path = groupPath(group)
    return {
      links: lazyList(links, item => hsdsPresent.linkItem(place, group, item)),
      hrefs: [link(place, 'self', `${path}/links`), home(place), link(place, 'owner', path)],
    }
  },

  linkItem(place, group, { title, target, created }) {
    return {
      title,
      ...linkMembers(target),
      created: toEpochSeconds(created),
      ...collectionMember(target),
      ...(target.class === 'H5L_TYPE_HARD' && { target: hrefTo(place, objectPath(target)) }),
      href: hrefTo(place, linkPath(group, title)),
    }
  },

  link(place, group, { title, target, created }) {
    return {
      link: { title, ...linkMembers(target), ...collectionMember(target) },
      ...times(created, created),
      hrefs: [
        link(place, 'self', linkPath(group, title)),
        home(place),
        link(place, 'owner', groupPath(group)),
        ...(target.class === 'H5L_TYPE_HARD' ? [link(place, 'target', objectPath(target))] : []),
      ],
    }
  },

  linkPut() {
    return { hrefs: [] }
  },

  linkDeleted() {
    return {}
  },

  attributes(place, owner, attributes, shown) {
    const path = objectPath(owner)
    return {
      attributes: lazyList(attributes, attribute => ({
        ...hsdsPresent.attributeItem(place, attribute, shown),
        href: hrefTo(place, attributePath(owner, attribute.name)),
      })),
      hrefs: [link(place, 'self', `${path}/attributes`), home(place), link(place, 'owner', path)],
    }
  },

  attributeItem(place, attribute, shown) {
    return {
      ...attributeMembers(attribute),
      ...attributeValue(place, attribute, shown),
      created: toEpochSeconds(attribute.created),
    }
  },

  attribute(place, owner, attribute, shown) {
    return {
      ...attributeMembers(attribute),
      ...attributeValue(place, attribute, shown),
      ...times(attribute.created, attribute.lastModified),
      hrefs: [
        link(place, 'self', attributePath(owner, attribute.name)),
        home(place),
        link(place, 'owner', objectPath(owner)),
      ],
    }
  },

  attributePut() {
    return {}
  },

  attributeDeleted() {
    return {}
  },

  acls(place, object, acl) {
    const byName = [...acl].sort((a, b) => Buffer.compare(Buffer.from(a.userName), Buffer.from(b.userName)))
    return {
      acls: byName.map(item => ({ ...namedTwice(object, item), ...aclMembers(place, item) })),
      hrefs: aclLinks(place, aclsPath(object)),
    }
  },

  acl(place, object, item) {
    const self = `${aclsPath(object)}/${encodeURIComponent(item.userName)}`
    return {
      acl: { ...namedTwice(object, item), ...aclMembers(place, item) },
      hrefs: aclLinks(place, self),
    }
  },

  aclPut() {
    return {}
  },
}

// An object without its hrefs

export function describedGroup(place: Place, view: Description<Group>): Body {
  const { links } = view
  return {
    ...hsdsPresent.groupCreated(place, view),
    domain: pathInBucket(place.domain),
    bucket: place.bucket,
    ...describedMembers(place, view),
    // With their names inside too, which some clients look for there (contract 35, 3.2).
    links: links && lazyMap(links, item => [item.title, { title: item.title, ...storedLink(item) }]),
  }
}

export function describedDataset(place: Place, view: Description<Dataset>): Body {
  return {
    ...datasetMembers(place, view),
    domain: pathInBucket(place.domain),
    num_chunks: view.allocation?.chunks,
    allocated_size: view.allocation?.bytes,
    ...describedMembers(place, view),
  }
}

export function describedDatatype(place: Place, view: Description<CommittedDatatype>): Body {
  return {
    ...hsdsPresent.datatypeCreated(place, view),
    creationProperties: view.object.creationProperties,
    domain: pathInBucket(place.domain),
    ...describedMembers(place, view),
  }
}

/** What is told of an object only when it is asked for. */
function describedMembers(place: Place, { attributes, alias }: Description): Body {
  const told = (attribute: Attribute): readonly [string, Body] => {
    return [attribute.name, hsdsPresent.attributeItem(place, attribute, { values: true })]
  }
  return { alias, attributes: attributes && lazyMap(attributes, told) }
}

/** An attribute as the maps of attributes tell it: everything but its name (contract 20, 12.1). */
export function storedAttribute(place: Place, attribute: Attribute): Body {
  const { name: _, ...members } = hsdsPresent.attributeItem(place, attribute, { values: true })
  return members
}

/** A link as the maps of links tell it. */
export function storedLink({ target, created }: Link): Body {
  return { ...linkMembers(target), created: toEpochSeconds(created) }
}
