// The accounts of a data folder: DATA/accounts.json, readable by its owner only unless its mode has been changed. A change
// replaces the file as a whole and keeps its owner and mode, so a reader, of this process or another, sees the old
// accounts or the new ones; a lock file beside it allows one change at a time. A look-up notices a new file. Without a file
// there are no accounts; once the file has been seen, its absence is an error.

import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { replaceFile } from '../durable-file.ts'
import { HyperslabError } from '../errors.ts'
import { FollowedFile } from './followed-file.ts'

interface StoredUser {
  readonly hash: string
  readonly admin: boolean
}

/** The content of the file. Maps, because a plain object mishandles names like `__proto__`. */
export interface StoredAccounts {
  readonly users: Map<string, StoredUser>
  /** The members of each group of users, in the order in which they were added. */
  readonly groups: Map<string, readonly string[]>
}

/** The same, with the groups of each user. */
interface KnownAccounts extends StoredAccounts {
  readonly groupsOf: ReadonlyMap<string, readonly string[]>
}

const MISSING =
  'is missing: restore it, or add an account with "hyperslab user add NAME", which makes a new file'

/** A process that holds the lock for longer than this counts as dead. */
const STALE_LOCK_MS = 10_000

export class AccountsFile {
  readonly #path: string
  readonly #file: FollowedFile<KnownAccounts>

  constructor(dataFolder: string, report?: (error: unknown) => void) {
    const path = join(dataFolder, 'accounts.json')
    this.#path = path
    let wasThere = false
    const parse = (text: string | undefined): KnownAccounts => {
      // A lost file must not look like a service without accounts.
      if (text === undefined && wasThere)
        throw new HyperslabError('accounts-unavailable', `${path} ${MISSING}`)
      wasThere ||= text !== undefined
      const stored = text === undefined ? emptyAccounts() : parseAccounts(text, path)
      return { ...stored, groupsOf: groupsOfUsers(stored.groups) }
    }
    this.#file = new FollowedFile(path, parse, report)
  }

  isKnownUser(name: string): boolean {
    const { users, groups } = this.read()
    return name.startsWith('g:') ? groups.has(name.slice(2)) : users.has(name)
  }

  /** The accounts as they are now; callers must not change them. */
  read(): KnownAccounts {
    return this.#file.read()
  }

  /** Lets `work` change a copy of the accounts and stores it durably; the folder must exist. If it throws, nothing changes. */
  async change(work: (accounts: StoredAccounts) => void): Promise<void> {
    const lock = `${this.#path}.lock`
    await takeLock(lock)
    try {
      const { users, groups } = this.#file.readNow()
      const copy = { users: new Map(users), groups: new Map(groups) }
      work(copy)
      replaceFile(this.#path, `${JSON.stringify(toJson(copy), undefined, 2)}\n`, 0o600)
      this.#file.readNow()
    } finally {
      rmSync(lock, { force: true })
    }
  }
}

/** The groups of each user, from the members of each group. */
export function groupsOfUsers(
  groups: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const ofUser = new Map<string, string[]>()
  for (const [group, members] of groups) {
    for (const member of members) {
      const known = ofUser.get(member)
      if (known) known.push(group)
      else ofUser.set(member, [group])
    }
  }
  return ofUser
}

async function takeLock(lock: string): Promise<void> {
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      return
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
    }
    const stat = statSync(lock, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > STALE_LOCK_MS) rmSync(lock, { force: true })
    await delay(20)
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function emptyAccounts(): StoredAccounts {
  return { users: new Map(), groups: new Map() }
}

function toJson({ users, groups }: StoredAccounts): unknown {
  return { users: Object.fromEntries(users), groups: Object.fromEntries(groups) }
}

function parseAccounts(text: string, path: string): StoredAccounts {
  const notAccounts = (rule: string) =>
    new HyperslabError('accounts-unavailable', `${path} is not an accounts file: ${rule}`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw notAccounts(String(error))
  }
  if (!isRecord(json) || !isRecord(json.users) || !isRecord(json.groups)) {
    throw notAccounts('it must have the members "users" and "groups"')
  }
  const users = Object.entries(json.users).map(([name, user]): [string, StoredUser] => {
    if (!isRecord(user) || typeof user.hash !== 'string' || typeof user.admin !== 'boolean') {
      throw notAccounts(`the user "${name}" must have a "hash" and "admin"`)
    }
    return [name, { hash: user.hash, admin: user.admin }]
  })
  const groups = Object.entries(json.groups).map(([name, members]): [string, string[]] => {
    if (!Array.isArray(members) || !members.every(member => typeof member === 'string')) {
      throw notAccounts(`the group "${name}" must be a list of user names`)
    }
    return [name, members]
  })
  return { users: new Map(users), groups: new Map(groups) }
}

function isRecord(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
