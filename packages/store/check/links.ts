// Links, the back links of their targets, and the order of creation.

import { isSameDomain, type ObjectId } from '@hyperslab/model/names'
import { isSameValue } from '../batch.ts'
import type { HdfObject, Link } from '../interfaces/store.ts'
import { component, TIME_LENGTH, timeOf } from '../key-range.ts'
import { recordBytes } from '../records/counters.ts'
import {
  backLinkRest,
  creationOrder,
  nameOfCreationOrder,
  objectKey,
  parseBackLink,
  restOfObjectKey,
} from '../records/keys.ts'
import { decodeRecord } from '../records/record.ts'
import { fits, reportBroken, requireRecord } from './lookups.ts'
import { type CheckParts, decoded } from './parts.ts'
import type { ObjectWalk } from './walks.ts'

export function checkLink(
  parts: CheckParts,
  root: ObjectId,
  walk: ObjectWalk,
  key: Uint8Array,
  value: Uint8Array,
): void {
  const { id } = walk
  walk.counts.linkCount++
  walk.counts.memberBytes += recordBytes(key, value)
  const link = decoded(parts, { object: id, key }, () => {
    const { title, created, target } = decodeRecord<Link>(value)
    return {
      title,
      target: { ...target },
      name: component(title),
      order: creationOrder(created, component(title)),
    }
  })
  if (link === undefined) return
  const { title, target, name } = link
  const location = { object: id, name: title }
  if (!isSameValue(name, restOfObjectKey(key))) {
    parts.report({ kind: 'misplaced-record', ...location, key })
    return
  }
  requireRecord(parts, objectKey(id, 'linkByCreation', link.order), {
    kind: 'member-without-place',
    ...location,
  })
  if (target.class !== 'H5L_TYPE_HARD') return
  if (!isSameDomain(target.id, root)) {
    parts.report({ kind: 'link-out-of-domain', ...location, found: target.id })
    return
  }
  parts.later.get(objectKey(target.id, 'record'), record => {
    if (record === undefined) {
      parts.report({ kind: 'dangling-link', ...location, found: target.id })
      return
    }
    if (!fits<HdfObject>(record, ({ kind }) => kind === target.kind)) {
      parts.report({ kind: 'link-of-wrong-kind', ...location, found: target.kind })
    }
    const back = objectKey(target.id, 'backLink', backLinkRest(id, name))
    requireRecord(parts, back, { kind: 'link-without-back-link', ...location, expected: target.id })
  })
}

/** Checks that the hard link that a back link of the object `id` names exists. */
export function checkBackLink(parts: CheckParts, id: ObjectId, rest: Uint8Array, key: Uint8Array): void {
  const source = decoded(parts, { object: id, key }, () => parseBackLink(id, rest))
  if (source === undefined) return
  parts.later.get(objectKey(source.group, 'link', source.title), record => {
    const isLinkHere = ({ target }: Link) => target.class === 'H5L_TYPE_HARD' && target.id === id
    if (fits(record, isLinkHere)) return
    const location = { object: id, name: Buffer.from(source.title).toString() }
    parts.report({ kind: 'back-link-without-link', ...location, expected: source.group })
  })
}

/** Checks an entry in the order of creation. */
export function checkOrderEntry(
  parts: CheckParts,
  id: ObjectId,
  part: 'link' | 'attribute',
  rest: Uint8Array,
  key: Uint8Array,
): void {
  if (rest.length < TIME_LENGTH) {
    reportBroken(parts, id, key, `${rest.length} bytes`)
    return
  }
  const name = nameOfCreationOrder(rest)
  parts.later.get(objectKey(id, part, name), record => {
    if (fits<Link>(record, ({ created }) => created === timeOf(rest))) return
    const location = { object: id, name: Buffer.from(name).toString() }
    parts.report({ kind: 'place-without-member', ...location })
  })
}
