// The answers of the hsds dialect (hsds-objects 8 to 13; hsds-values 3 to 6). Ids carry their kind, times
// are seconds, `hrefs` come last and in the order of hsds-objects 1.9. No answer has a member `statusCode`.

import { extentsOf } from '@hyperslab/model/dataset'
import { COLLECTIONS, compareUtf8, formatPrefixed, type ObjectId } from '@hyperslab/model/names'
import type { DomainEntry, DomainStatistics, ObjectStatus } from '@hyperslab/store/store'
import { lazyList } from '../../message/lazy-json.ts'
import { toEpochSeconds } from '../../message/times.ts'
import { areLong } from '../attribute-json.ts'
import type { Body, Presentation } from '../dialect.ts'
import { joinMembers, mountedMembers, shownOwner } from '../folder-children.ts'
import { homeLink, hrefTo, link, type Place } from '../hrefs.ts'
import { presentEvent } from '../schemas/events.ts'
import { aclMembers, aclsPath, flagsOf, namedTwice } from './acls.ts'
import {
  aclLinks,
  attributePath,
  dataLinks,
  datasetPath,
  domainLinks,
  folderLinks,
  groupPath,
  linkPath,
  objectPath,
  rootLink,
} from './addresses.ts'
import { attributeItem, attributeMembers, attributeValue } from './attributes.ts'
import { LIMITS } from './limits.ts'
import { collectionMember, linkItem, linkMembers } from './links.ts'
import {
  datasetMembers,
  datatypeMembers,
  describedDataset,
  describedDatatype,
  describedGroup,
  groupMembers,
  times,
} from './objects.ts'
import { scanMembers } from './statistics.ts'
import { presentShape, presentTypeUse } from './types.ts'

const COMPRESSORS = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'gzip', 'zstd', 'deflate']

function entryMembers(
  place: Place,
  entry: DomainEntry,
  status?: ObjectStatus,
  statistics?: DomainStatistics,
): Body {
  const { root, created, lastModified } = entry
  return {
    ...(root !== undefined && { root: formatPrefixed({ kind: 'group', id: root }) }),
    class: root === undefined ? 'folder' : 'domain',
    owner: shownOwner(place, entry),
    ...times(created, Math.max(lastModified, status?.lastModified ?? 0)),
    ...mountedMembers(entry, status?.damage ?? statistics?.damage),
  }
}

function abilities(place: Place): Body {
  return { version: place.apiVersion, limits: LIMITS, compressors: COMPRESSORS }
}

/** The elements that a dataset has gained, if it grew along one dimension and shrank along none (hsds-values 5). */
function newRegion(before: readonly number[], after: readonly number[]): string | undefined {
  const changed = after.flatMap((extent, axis) => (extent === before[axis] ? [] : [axis]))
  const [grown] = changed
  if (grown === undefined || changed.length > 1 || after[grown] < before[grown]) return undefined
  const ranges = after.map((extent, axis) => (axis === grown ? `${before[axis]}:${extent}` : ':'))
  return `[${ranges.join(',')}]`
}

/** The body of an answer that says nothing. */
function nothing(): Body {
  return {}
}

function valueHrefs(place: Place, dataset: ObjectId, part: 'value' | 'query'): Body {
  const path = datasetPath(dataset)
  return {
    hrefs: [
      link(place, 'self', `${path}/${part}`),
      rootLink(place),
      homeLink(place),
      link(place, 'owner', path),
    ],
  }
}

export const hsdsPresent: Presentation = {
  domains: {
    shown(place, { entry, status, state, scan }) {
      const members = { ...entryMembers(place, entry, status, scan?.statistics), ...joinMembers(entry) }
      if (entry.root === undefined) return { ...members, hrefs: folderLinks(place) }
      return {
        ...members,
        ...(state && { state: state.state }),
        ...abilities(place),
        ...(scan && scanMembers(scan, place.bucket)),
        hrefs: domainLinks(place),
      }
    },

    created(place, { entry, acl }) {
      return {
        ...entryMembers(place, entry),
        acls: new Map(acl.map(item => [item.userName, flagsOf(item)])),
        ...abilities(place),
      }
    },
  },

  objects: {
    list(place, kind, ids) {
      const collection = COLLECTIONS[kind]
      return {
        [collection]: lazyList(ids, id => formatPrefixed({ kind, id })),
        hrefs: [link(place, 'self', `/${collection}`), rootLink(place), homeLink(place)],
      }
    },

    deleted: nothing,
  },

  groups: {
    shown(place, view) {
      const path = groupPath(view.object.id)
      return {
        ...describedGroup(place, view),
        hrefs: [
          link(place, 'self', path),
          link(place, 'links', `${path}/links`),
          rootLink(place),
          homeLink(place),
          link(place, 'attributes', `${path}/attributes`),
        ],
      }
    },

    created: groupMembers,
  },

  datasets: {
    shown(place, view) {
      const path = datasetPath(view.object.id)
      return {
        ...describedDataset(place, view),
        hrefs: [
          link(place, 'self', path),
          rootLink(place),
          homeLink(place),
          link(place, 'attributes', `${path}/attributes`),
          ...dataLinks(place, view.object),
        ],
      }
    },

    created: datasetMembers,

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
  },

  datatypes: {
    shown(place, view) {
      const path = objectPath(view.object)
      return {
        ...describedDatatype(place, view),
        hrefs: [
          link(place, 'self', path),
          rootLink(place),
          homeLink(place),
          link(place, 'attributes', `${path}/attributes`),
        ],
      }
    },

    created: datatypeMembers,
  },

  values: {
    read(place, dataset) {
      return valueHrefs(place, dataset, 'value')
    },

    written: nothing,

    several(place, path) {
      return { hrefs: [link(place, 'self', path), rootLink(place), homeLink(place)] }
    },

    severalWritten: nothing,

    queried(place, dataset) {
      return valueHrefs(place, dataset, 'query')
    },
  },

  links: {
    list(place, group, links) {
      const path = groupPath(group)
      return {
        links: lazyList(links, item => linkItem(place, group, item)),
        hrefs: [link(place, 'self', `${path}/links`), homeLink(place), link(place, 'owner', path)],
      }
    },

    item: linkItem,

    shown(place, group, { title, target, created }) {
      return {
        link: { title, ...linkMembers(target), ...collectionMember(target) },
        ...times(created, created),
        hrefs: [
          link(place, 'self', linkPath(group, title)),
          homeLink(place),
          link(place, 'owner', groupPath(group)),
          ...(target.class === 'H5L_TYPE_HARD' ? [link(place, 'target', objectPath(target))] : []),
        ],
      }
    },

    put: () => ({ hrefs: [] }),

    deleted: nothing,
  },

  attributes: {
    list(place, owner, attributes, shown) {
      const path = objectPath(owner)
      return {
        attributes: lazyList(
          attributes,
          attribute => ({
            ...attributeItem(place, attribute, shown),
            href: hrefTo(place, attributePath(owner, attribute.name)),
          }),
          shown.values && areLong(attributes),
        ),
        hrefs: [link(place, 'self', `${path}/attributes`), homeLink(place), link(place, 'owner', path)],
      }
    },

    item: attributeItem,

    shown(place, owner, attribute, shown) {
      return {
        ...attributeMembers(attribute),
        ...attributeValue(place, attribute, shown),
        ...times(attribute.created, attribute.lastModified),
        hrefs: [
          link(place, 'self', attributePath(owner, attribute.name)),
          homeLink(place),
          link(place, 'owner', objectPath(owner)),
        ],
      }
    },

    put: nothing,

    deleted: nothing,
  },

  events: {
    shown: event => presentEvent(event, { formatId: formatPrefixed, formatTime: toEpochSeconds }),
  },

  acls: {
    list(place, object, acl) {
      const byName = [...acl].sort((a, b) => compareUtf8(a.userName, b.userName))
      return {
        acls: byName.map(item => ({ ...namedTwice(object, item), ...aclMembers(place, item) })),
        hrefs: aclLinks(place, aclsPath(object)),
      }
    },

    shown(place, object, item) {
      const self = `${aclsPath(object)}/${encodeURIComponent(item.userName)}`
      return {
        acl: { ...namedTwice(object, item), ...aclMembers(place, item) },
        hrefs: aclLinks(place, self),
      }
    },

    put: nothing,
  },
}
