// The classic dialect (docs/contract/classic.md). The domain comes from the host name, ids are UUIDs.

import { HyperslabError } from '@hyperslab/base/errors'
import { type ObjectKind, parsePrefixed } from '@hyperslab/model/names'
import { parseShape } from '../../input/shapes.ts'
import { decodeSegment } from '../../message/target.ts'
import type { Dialect } from '../dialect.ts'
import { formatUuid, parseUuid } from '../ids.ts'
import { statusTable } from '../statuses.ts'
import { classicDescription } from './description.ts'
import { nameByHost } from './naming.ts'
import { classicPresent } from './present/index.ts'
import { classicRules } from './rules.ts'
import { classicReferences, classicValueStyle } from './values.ts'

/** Statuses that differ from those of the kinds of errors. */
const status = statusTable({
  // A path that matches nothing is a bad request here (classic 2).
  'route-not-found': 400,
  // A domain that was deleted counts as unknown (classic 3.10).
  'domain-deleted': 404,
  'domain-is-folder': 404,
  // The host is the server's own name.
  'domain-not-named': 404,
  // An id of another domain is an unknown id.
  'object-not-in-domain': 404,
})

/** Operations for which an object that was deleted counts as unknown (classic 3.2 and 3.10). */
const GONE_IS_MISSING: ReadonlySet<string> = new Set([
  'create-group',
  'create-dataset',
  'create-datatype',
  'delete-group',
  'delete-dataset',
  'delete-datatype',
  'delete-link',
  'delete-attribute',
  'put-link',
  'put-attribute',
])

/** A malformed id is an unknown one: 404 (classic 3.7). */
function parseId(text: string, kind: ObjectKind | 'object'): ReturnType<Dialect['parseId']> {
  const id = parseUuid(text)
  if (id === undefined) {
    const reason = parsePrefixed(text)
      ? 'this is an id of the hsds dialect: name the domain by ?domain=/path'
      : 'an id must be a UUID'
    throw new HyperslabError('object-not-found', `there is no ${kind} "${text}": ${reason}`, {
      subject: text,
    })
  }
  return id
}

export const classic: Dialect = {
  name: 'classic',
  description: classicDescription,
  apiVersion: '0.2',
  nameDomain: nameByHost,
  jsonContentType: 'application/json',
  rules: classicRules,
  present: classicPresent,
  references: classicReferences,
  statusOf(error, operation = '') {
    return error.kind === 'gone' && GONE_IS_MISSING.has(operation) ? 404 : status(error)
  },
  parseId,
  // An unknown marker ends the listing (classic 3.8).
  parseMarker: parseUuid,
  formatId: ({ id }) => formatUuid(id),
  parseTarget: text => ({ id: parseId(text, 'object') }),
  parseTypeId: parseUuid,
  parseShape,
  decodeName: raw => decodeSegment(raw, true),
  valueStyle: classicValueStyle,
}
