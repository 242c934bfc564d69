// Names of links and attributes: any Unicode text that HDF5 can store. Names of users in requests obey the same rules.

import { HyperslabError } from '../errors.ts'
import { DEFAULT_USER, isNameOfEverybody, isNameOfMany } from './acl.ts'
import { excerpt } from './json.ts'
import { isLongerThan, isWellFormed } from './utf8.ts'

/** HDF5 stores the length of a name in two bytes. */
export const MAX_NAME_BYTES = 65_535

/** The text, checked to be a link's title: a name without slashes, since a slash parts the titles of a path. */
export function linkTitle(text: string): string {
  checkName(text, 'link title')
  if (text.includes('/')) throw malformed(text, 'link title', 'must not hold a slash')
  return text
}

/** The text, checked to be an attribute's name: like a link's title, but slashes are allowed. */
export function attributeName(text: string): string {
  checkName(text, 'attribute name')
  return text
}

/** The text, checked to be a name that an access item can have: of a user, of a group of users, or `default`. */
export function aclName(text: string): string {
  checkName(text, 'user name')
  return text
}

/** Denies a new item to a name that no request could ever have. */
export function requireItemName(name: string): void {
  if (name === 'g:') throw malformed(name, 'user name', 'must tell a group of users after "g:"')
  if (name === DEFAULT_USER || !isNameOfEverybody(name)) return
  throw malformed(name, 'user name', 'can have no item: everybody, also without login, is "default"')
}

/** The text, checked to be the name of one user, who can own things. */
export function userName(text: string): string {
  if (isNameOfMany(aclName(text))) throw malformed(text, 'user name', 'stands for many users')
  return text
}

function checkName(text: string, what: string): void {
  if (text === '') throw malformed(text, what, 'must not be empty')
  if (isLongerThan(text, MAX_NAME_BYTES)) {
    throw malformed(text, what, `must not take more than ${MAX_NAME_BYTES} bytes of UTF-8`)
  }
  if (text.includes('\0')) throw malformed(text, what, 'must not hold a NUL character')
  if (!isWellFormed(text)) throw malformed(text, what, 'must not hold half of a surrogate pair')
}

function malformed(text: string, what: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-name', `the ${what} ${excerpt(text)} ${rule}`)
}
