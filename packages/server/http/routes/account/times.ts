// The times in bodies and answers about logins, tokens and shares.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject } from '@hyperslab/model/json'
import { requiredString } from '../../input/members.ts'

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/
const DATE_LENGTH = 10
/** The rule of `parseEnd`, which follows "must be" in messages. */
export const END_RULE = 'a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z, later than now'

export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** The end of a token or share; undefined: it is no time after `now`. */
export function parseEnd(text: string, now: number): number | undefined {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN
  // Date.parse takes the 31st of February for a day of March.
  return time > now && formatTime(time).startsWith(text.slice(0, DATE_LENGTH)) ? time : undefined
}

/** The member `end` of a body. */
export function requiredEnd(body: JsonObject, now: number): number {
  const text = requiredString(body, 'end', 'malformed-body')
  const end = parseEnd(text, now)
  if (end !== undefined) return end
  throw new HyperslabError('malformed-body', `body.end must be ${END_RULE}, not ${excerpt(text)}`)
}
