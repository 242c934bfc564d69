// The hsds dialect: the domain comes as a path, ids carry the kind of their object, times are seconds
// (docs/contract/hsds-objects.md and hsds-values.md).

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { formatPrefixed, type ObjectKind, type ObjectReference, parsePrefixed } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { parseAnyShape } from '../../input/shapes.ts'
import { decodeSegment } from '../../message/target.ts'
import type { Dialect } from '../dialect.ts'
import { parseUuid } from '../ids.ts'
import { statusTable } from '../statuses.ts'
import { hsdsDescription } from './description.ts'
import { HSDS_LEVELS, type HsdsLevel } from './levels.ts'
import { nameByPath } from './naming.ts'
import { hsdsPresent } from './present.ts'
import { hsdsPresentFound } from './present-found.ts'
import { hsdsRules } from './rules.ts'
import { hsdsValueStyle } from './values.ts'

/** Statuses that differ from those of the kinds of errors. */
const status = statusTable({
  // Callers without credentials are denied like other users (hsds-objects 3.1).
  'not-authenticated': 403,
  // Beyond `maxdims` (hsds-values 5).
  'extent-out-of-bounds': 409,
})

/** A malformed id is a bad request, as is one of another kind (hsds-objects 5.3). */
function parseReference(text: string, kind: ObjectKind | 'object'): ObjectReference {
  const reference = parsePrefixed(text)
  if (reference !== undefined && (kind === 'object' || reference.kind === kind)) return reference
  const noun = kind === 'object' ? 'an object' : `a ${kind}`
  const hint = parseUuid(text)
    ? ': ids of the hsds dialect begin with g-, d- or t-, this one is classic'
    : reference !== undefined
      ? `: it is the id of a ${reference.kind}`
      : ': g-, d- or t- and 32 hex digits, such as d-45a882e1-9d0111e8-8acf-0242ac-110009'
  throw new HyperslabError('malformed-id', `${excerpt(text)} must be the id of ${noun}${hint}`, {
    subject: text,
  })
}

const HSDS: Omit<Dialect, 'apiVersion' | 'rules'> = {
  name: 'hsds',
  description: hsdsDescription,
  nameDomain: nameByPath,
  jsonContentType: 'application/json; charset=utf-8',
  present: hsdsPresent,
  presentFound: hsdsPresentFound,
  references: PREFIXED_REFERENCES,
  statusOf: status,
  parseId: (text, kind) => parseReference(text, kind).id,
  parseMarker: (text, kind) => parseReference(text, kind).id,
  formatId: formatPrefixed,
  parseTarget: text => parseReference(text, 'object'),
  parseTypeId(text) {
    const reference = parsePrefixed(text)
    return reference?.kind === 'datatype' ? reference.id : undefined
  },
  parseShape: parseAnyShape,
  decodeName: raw => decodeSegment(raw, false),
  valueStyle: hsdsValueStyle,
}

export function hsdsAt(level: HsdsLevel): Dialect {
  const { version, rules } = HSDS_LEVELS[level]
  return { ...HSDS, apiVersion: version, rules: hsdsRules(rules) }
}
