// Groups, datasets and committed datatypes in answers of the classic dialect (classic 6 to 8).

import { COLLECTIONS } from '@hyperslab/model/names'
import type { CommittedDatatype, Dataset } from '@hyperslab/store/store'
import type { ObjectView } from '../../../../service/objects/objects.ts'
import { lazyList } from '../../../message/lazy-json.ts'
import { formatIsoSeconds } from '../../../message/times.ts'
import type { Body, Presentation } from '../../dialect.ts'
import { homeLink, link, type Place } from '../../hrefs.ts'
import { formatUuid } from '../../ids.ts'
import { dataLink } from '../../preview.ts'
import { presentShape, presentType, presentTypeUse } from '../types.ts'
import { linkAnswers } from './links.ts'
import { datasetPath, groupPath, objectPath, rootLink, times } from './paths.ts'

export const objectAnswers: Presentation['objects'] = {
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
}

export const groupAnswers: Presentation['groups'] = {
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
          ? lazyList(links, item => linkAnswers.item(place, object.id, item))
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
    return groupAnswers.shown(place, view)
  },
}

export const datasetAnswers: Presentation['datasets'] = {
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

  created: (place, view) => createdMembers(place, view, ['attributes', 'value']),

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
}

export const datatypeAnswers: Presentation['datatypes'] = {
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

  created: (place, view) => createdMembers(place, view, ['attributes']),
}

/** The members of a new object, with links to its parts. */
function createdMembers(
  place: Place,
  { object, status }: ObjectView<CommittedDatatype | Dataset>,
  parts: readonly string[],
): Body {
  const path = objectPath(object)
  return {
    id: formatUuid(object.id),
    ...times(object.created, status.lastModified),
    attributeCount: status.attributeCount,
    hrefs: [
      link(place, 'self', path),
      rootLink(place),
      ...parts.map(part => link(place, part, `${path}/${part}`)),
    ],
  }
}
