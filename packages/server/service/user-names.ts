// Names of users in requests: of one user, of many, and those that an account can have.

import { checkName, DEFAULT_USER, malformedName } from '@hyperslab/model/names'

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

/** The name of callers without login; their item is that of `default`. */
export const ANONYMOUS_USER = 'anonymous'

/** Whether the name represents all users, in any capitalisation. */
export function isNameOfEverybody(name: string): boolean {
  return [DEFAULT_USER, ANONYMOUS_USER].includes(name.toLowerCase())
}

/** The most characters of the name of an account. */
export const ACCOUNT_NAME_LENGTH = 64

const ACCOUNT_NAME = new RegExp(`^[A-Za-z0-9_.@-]{1,${ACCOUNT_NAME_LENGTH}}$`)

/** The rule of `isAccountName`, which follows "must" in messages. */
export const ACCOUNT_NAME_RULE = `have 1 to ${ACCOUNT_NAME_LENGTH} letters, digits or characters of _ . - @`

/** Whether an account can have the name: in the records, or at an identity provider. */
export function isAccountName(name: string): boolean {
  return ACCOUNT_NAME.test(name)
}

/** Whether the name represents several users, or looks like one that does; no user can have such a name. */
export function isNameOfMany(name: string): boolean {
  return isNameOfEverybody(name) || name.startsWith('g:')
}
