// Names of links and attributes: any Unicode text that HDF5 can store. Names of users in requests obey the same rules.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '../json/json.ts'
import { DEFAULT_USER, isNameOfEverybody, isNameOfMany } from './acl.ts'
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

/** The name, checked to be one that an access item can have: of a user, of a group of users, or `default`. */
export function aclName(text: string): string {
  checkName(text, 'user name')
  return text
}

/** Rejects the name of a new item that no request could ever match. */
export function requireItemName(name: string): void {
  if (name === 'g:') throw malformedName(name, 'user name', 'must name a group of users after "g:"')
  if (name === DEFAULT_USER || !isNameOfEverybody(name)) return
  throw malformedName(
    name,
    'user name',
    'cannot have an item: use "default" for all users, also without login',
  )
}

/** The name, checked to be that of one user, which can own domains. */
export function userName(text: string): string {
  if (isNameOfMany(aclName(text)))
    throw malformedName(text, 'user name', 'means many users: give the name of one user')
  return text
}

function checkName(text: string, subject: string): void {
  if (text === '') throw malformedName(text, subject, 'must not be empty')
  if (isUtf8LongerThan(text, MAX_NAME_BYTES)) {
    throw malformedName(text, subject, `must not take more than ${MAX_NAME_BYTES} bytes of UTF-8`)
  }
  if (text.includes('\0')) throw malformedName(text, subject, 'must not hold a NUL character')
  if (!isWellFormed(text)) throw malformedName(text, subject, 'must not hold half of a surrogate pair')
}

function malformedName(text: string, subject: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-name', `the ${subject} ${excerpt(text)} ${rule}`)
}
