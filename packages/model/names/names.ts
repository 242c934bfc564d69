// Names of links and attributes: any Unicode text that HDF5 can store.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '../json/json.ts'
import { isUtf8LongerThan, isWellFormed } from './utf8.ts'

/** HDF5 stores the length of a name in two bytes. @limit format, bytes */
export const MAX_NAME_BYTES = 65_535

/** The name, checked to be a link's title: a name without slashes, since a slash parts the titles of a path. */
export function linkTitle(text: string): string {
  checkName(text, 'link title')
  if (text.includes('/')) throw malformedName(text, 'link title', 'must not hold a slash')
  return text
}

/** The name, checked to be an attribute's name: like a link's title, but slashes are allowed. */
export function attributeName(text: string): string {
  checkName(text, 'attribute name')
  return text
}

export function checkName(text: string, subject: string): void {
  if (text === '') throw malformedName(text, subject, 'must not be empty')
  if (isUtf8LongerThan(text, MAX_NAME_BYTES)) {
    throw malformedName(text, subject, `must not take more than ${MAX_NAME_BYTES} bytes of UTF-8`)
  }
  if (text.includes('\0')) throw malformedName(text, subject, 'must not hold a NUL character')
  if (!isWellFormed(text)) throw malformedName(text, subject, 'must not hold half of a surrogate pair')
}

export function malformedName(text: string, subject: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-name', `the ${subject} ${excerpt(text)} ${rule}`)
}
