// The hsds dialect: the domain comes as a path, ids carry the kind of their object, times are seconds.

import { HyperslabError } from '../../../errors.ts'
import { formatPrefixed, type ObjectId, type ObjectKind, parsePrefixed } from '../../../hdf5/object-id.ts'
import { decodeSegment } from '../../target.ts'
import { nameByPath } from '../choose.ts'
import { type Dialect, statusTable } from '../dialect.ts'
import { hsdsPresent } from './present.ts'
import { hsdsReferences, hsdsValueStyle } from './values.ts'

/** Which status each error has (contract 20, 1.6; 30, 1.6). */
const status = statusTable(
  {
    invalid: 400,
    unauthenticated: 401,
    forbidden: 403,
    missing: 404,
    method: 405,
    conflict: 409,
    gone: 410,
    'too-large': 413,
    unsupported: 501,
    busy: 503,
  },
  {
    // Reading what is not open to everybody is denied like to any other user (contract 00, decision 13).
    'not-authenticated': 403,
    // Beyond `maxdims` (contract 30, section 5).
    'extent-out-of-bounds': 409,
  },
)

/** A malformed id, or one of another kind, is a bad request (contract 20, 5.3). */
function parseId(text: string, kind?: ObjectKind): ObjectId {
  const reference = parsePrefixed(text)
  if (reference === undefined || (kind !== undefined && reference.kind !== kind)) {
    throw new HyperslabError(
      'malformed-id',
      `"${text}" is not the id of ${kind === undefined ? 'an object' : `a ${kind}`}`,
      { subject: text },
    )
  }
  return reference.id
}

export const hsds: Dialect = {
  name: 'hsds',
  nameDomain: nameByPath,
  jsonContentType: 'application/json; charset=utf-8',
  rules: {
    exactPaths: true,
    anyTextIsTrue: false,
    listingOptions: true,
    sameLink: 'accept',
    deleteRemovesLinks: false,
    createsParents: false,
    fallbackExtension: undefined,
    ownedDomains: true,
    writesNeedIdentity: true,
    lenientCredentials: false,
    attributeValueRequired: false,
    attributeReplace: true,
    checksReferences: false,
    shrinks: true,
    extendsShape: true,
    unknownMarker: 'missing',
    negativeLimit: 'refused',
    binarySingleElement: true,
    nullValue: 'refused',
    shapeChanged: 201,
    aclPutMany: 201,
    emptyRanges: 'refused',
    challenges: false,
    reasonPhrase: true,
  },
  present: hsdsPresent,
  references: hsdsReferences,
  statusOf: status,
  parseId,
  formatId: formatPrefixed,
  parseTargetId: text => parseId(text),
  parseTypeId(text) {
    const reference = parsePrefixed(text)
    return reference?.kind === 'datatype' ? reference.id : undefined
  },
  decodeName: raw => decodeSegment(raw, false),
  valueStyle: hsdsValueStyle,
}
