// Objects in answers of the hsds dialect, without `hrefs`: the members of the answer to its creation, and its
// description, which has more members, some of them on request (hsds-objects 8.10).

import { formatPrefixed, type ObjectReference, rootOf, type Timestamp } from '@hyperslab/model/names'
import type { CommittedDatatype, Dataset, Group, ListedAttribute } from '@hyperslab/store/store'
import type { Description } from '../../../service/descriptions/descriptions.ts'
import { pathInBucket } from '../../../service/domains/path-names.ts'
import type { ObjectView } from '../../../service/objects/objects.ts'
import { lazyMap } from '../../message/lazy-json.ts'
import { toEpochSeconds } from '../../message/times.ts'
import { areLong } from '../attribute-json.ts'
import type { Body, ShownValues } from '../dialect.ts'
import type { Place } from '../hrefs.ts'
import { attributeItem } from './attributes.ts'
import { storedLink } from './links.ts'
import { effectiveLayout, presentCreationProperties, presentShape, presentTypeUse } from './types.ts'

export function times(
  created: Timestamp,
  lastModified: Timestamp,
): { created: number; lastModified: number } {
  return { created: toEpochSeconds(created), lastModified: toEpochSeconds(lastModified) }
}

/** The member `root` of every answer about an object. */
function rootMember({ id }: ObjectReference): string {
  return formatPrefixed({ kind: 'group', id: rootOf(id) })
}

// There may be thousands of objects in an answer, and an object of which only a part is a spread takes V8 five times
// as long as one whose members are all written here.

export function groupMembers(_: Place, { object, status }: ObjectView<Group>): Body {
  return {
    id: formatPrefixed(object),
    root: rootMember(object),
    created: toEpochSeconds(object.created),
    lastModified: toEpochSeconds(status.lastModified),
    linkCount: status.linkCount,
    attributeCount: status.attributeCount,
    damage: status.damage?.message,
    creationProperties: object.creationProperties,
  }
}

export function datasetMembers({ nonFinite }: Place, { object, status }: ObjectView<Dataset>): Body {
  return {
    id: formatPrefixed(object),
    root: rootMember(object),
    created: toEpochSeconds(object.created),
    lastModified: toEpochSeconds(status.lastModified),
    attributeCount: status.attributeCount,
    damage: status.damage?.message,
    // It comes before every member that holds a key `type` (clients 4.6).
    shape: presentShape(object.space),
    type: presentTypeUse(object),
    layout: effectiveLayout(object),
    creationProperties: presentCreationProperties(object, nonFinite),
  }
}

export function datatypeMembers(_: Place, { object, status }: ObjectView<CommittedDatatype>): Body {
  return {
    id: formatPrefixed(object),
    root: rootMember(object),
    created: toEpochSeconds(object.created),
    lastModified: toEpochSeconds(status.lastModified),
    attributeCount: status.attributeCount,
    damage: status.damage?.message,
    type: presentTypeUse(object),
  }
}

const ALL_VALUES: ShownValues = { values: true }

export function describedGroup(place: Place, view: Description<Group>, shown = ALL_VALUES): Body {
  const { links } = view
  return {
    ...groupMembers(place, view),
    domain: pathInBucket(place.domain),
    bucket: place.bucket,
    ...describedMembers(place, view, shown),
    // The attributes also have their names inside, where some clients look for them (hsds-objects 8.10).
    links: links && lazyMap(links, item => [item.title, { title: item.title, ...storedLink(item) }]),
  }
}

export function describedDataset(place: Place, view: Description<Dataset>, shown = ALL_VALUES): Body {
  return {
    ...datasetMembers(place, view),
    domain: pathInBucket(place.domain),
    num_chunks: view.allocation?.chunks,
    allocated_size: view.allocation?.bytes,
    ...describedMembers(place, view, shown),
  }
}

export function describedDatatype(
  place: Place,
  view: Description<CommittedDatatype>,
  shown = ALL_VALUES,
): Body {
  return {
    ...datatypeMembers(place, view),
    creationProperties: view.object.creationProperties,
    domain: pathInBucket(place.domain),
    ...describedMembers(place, view, shown),
  }
}

/** The members that are sent only on request. */
function describedMembers(place: Place, { attributes, alias }: Description, shown: ShownValues): Body {
  const entry = (attribute: ListedAttribute): readonly [string, Body] => {
    return [attribute.name, attributeItem(place, attribute, shown)]
  }
  return { alias, attributes: attributes && lazyMap(attributes, entry, areLong(attributes)) }
}
