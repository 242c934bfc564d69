// The HTTP status of each error. Each kind of error has the same status in both APIs (common 6); a dialect names the
// codes for which it differs.

import type { ErrorCode, HyperslabError } from '@hyperslab/base/errors'

const KIND_STATUSES: Readonly<Record<HyperslabError['kind'], number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  unsupported: 501,
  limited: 429,
  busy: 503,
  timeout: 408,
}

/** Codes for which HTTP has a status of their own. */
const CODE_STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  'format-unsupported': 406,
  'precondition-failed': 412,
  'state-changed': 412,
  'range-not-satisfiable': 416,
  'storage-full': 507,
  'quota-exceeded': 507,
  'provider-misconfigured': 502,
}

/** The status of an error: that of its kind, except for the codes for which the dialect differs. */
export function statusTable(
  codes: Readonly<Partial<Record<ErrorCode, number>>>,
): (error: HyperslabError) => number {
  const byCode = { ...CODE_STATUSES, ...codes }
  return error => byCode[error.code] ?? KIND_STATUSES[error.kind]
}
