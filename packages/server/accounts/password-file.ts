// Password files and groups files in the form of HSDS (hsds-objects 3.2 and 3.4): a line for each user,
// `user:password`, and for each group, `group: user user`. A malformed line is skipped with a warning, which never
// contains the line itself.

import type { StoredPassword } from '../service/accounts.ts'
import { isNameOfMany } from '../service/user-names.ts'

const SHORTEST = 3

const ARGON2 = /^\$argon2(id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/

/** The beginning of hashes of passwords, in the form that argon2, bcrypt, scrypt and others share. */
const ANY_HASH = /^\$[a-z0-9-]+\$/

type Warn = (message: string) => void

/** The users with their passwords, or argon2 hashes of these. The first of two lines for a user counts. */
export function parsePasswordFile(text: string, warn: Warn): Map<string, StoredPassword> {
  const users = new Map<string, StoredPassword>()
  for (const { line, number } of numberedLines(text)) {
    // A password cannot contain a colon: the rest of the line is ignored.
    const [name = '', password] = line.split(':')
    if (password === undefined) {
      warn(`line ${number} of the password file is skipped: it is not "user:password"`)
      continue
    }
    const wrong = whyNoUser(name, password) ?? (users.has(name) ? 'its user has a line above' : undefined)
    if (wrong !== undefined) warn(`line ${number} of the password file is skipped: ${wrong}`)
    else users.set(name, ARGON2.test(password) ? { hash: password } : { plain: password })
  }
  return users
}

function whyNoUser(name: string, password: string): string | undefined {
  if (name.length < SHORTEST || password.length < SHORTEST) {
    return `name and password must have at least ${SHORTEST} characters`
  }
  if (isNameOfMany(name)) return '"default" and "anonymous" mean everybody'
  if (ANY_HASH.test(password) && !ARGON2.test(password))
    return 'its password is a hash, but not an argon2 hash'
  return undefined
}

/** The members of each group. A group may have several lines. */
export function parseGroupsFile(text: string, warn: Warn): Map<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const { line, number } of numberedLines(text)) {
    const [, name, list = ''] = /^([^\s:]+)\s*:(.*)$/.exec(line) ?? []
    if (name === undefined) {
      warn(`line ${number} of the groups file is skipped: it is not "group: user user"`)
      continue
    }
    const members = list.split(/\s+/).filter(member => member !== '')
    const short = members.filter(member => member.length < SHORTEST)
    if (short.length > 0) {
      warn(`line ${number} of the groups file: names of users must have at least ${SHORTEST} characters`)
    }
    const known = members.filter(member => member.length >= SHORTEST)
    groups.set(name, [...new Set([...(groups.get(name) ?? []), ...known])])
  }
  return groups
}

/** The lines with their numbers, without blank lines and comments. */
function numberedLines(text: string): { readonly line: string; readonly number: number }[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
}
