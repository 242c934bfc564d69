// Paths and times that answers of several resources have in the classic dialect.

import { COLLECTIONS, type ObjectId, type ObjectReference, type Timestamp } from '@hyperslab/model/names'
import { formatIsoSeconds } from '../../../message/times.ts'
import { type Href, link, type Place } from '../../hrefs.ts'
import { formatUuid } from '../../ids.ts'

export function groupPath(id: ObjectId): string {
  return `/groups/${formatUuid(id)}`
}

export function objectPath(object: ObjectReference): string {
  return `/${COLLECTIONS[object.kind]}/${formatUuid(object.id)}`
}

export function datasetPath(id: ObjectId): string {
  return `/datasets/${formatUuid(id)}`
}

export function rootLink(place: Place): Href {
  return link(place, 'root', place.root === undefined ? '/' : groupPath(place.root))
}

export function times(
  created: Timestamp,
  lastModified: Timestamp,
): { created: string; lastModified: string } {
  const text = formatIsoSeconds(created)
  return { created: text, lastModified: lastModified === created ? text : formatIsoSeconds(lastModified) }
}
