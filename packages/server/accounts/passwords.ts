// The users of a password file, in one of two forms: lines in the form of HSDS, or an HDF5 file of h5serv. Which one it
// is, its content says. A file of h5serv is decoded when the accounts are refreshed, over several turns of the event
// loop, and may be missing until it has its first user (classic 13.1).

import { HyperslabError } from '@hyperslab/base/errors'
import { HDF5_SIGNATURE, isSignature } from '@hyperslab/h5/reader'
import type { StoredPassword } from '../service/accounts.ts'
import { FollowedFile } from './followed-file.ts'
import { type H5servUser, readH5servUsers } from './h5serv-users.ts'
import { parsePasswordFile } from './password-file.ts'

/** The name of a file that is h5serv's also while it is missing. */
const H5SERV_NAME = /\.h5$/i

type Warn = (message: string) => void

interface PasswordUsers {
  readonly passwords: ReadonlyMap<string, StoredPassword>
  /** The names by the numbers that h5serv has for users; absent: the file is not h5serv's. */
  readonly numbers?: ReadonlyMap<number, string>
}

/** The bytes of h5serv's file, or the users of another one. */
type Content = { readonly bytes: Uint8Array } | PasswordUsers

/** Bytes, and what they were decoded to. */
type DecodedFile = { readonly bytes: Uint8Array } & (
  | { readonly users: PasswordUsers }
  | { readonly error: unknown }
)

export class FollowedPasswords {
  readonly #file: FollowedFile<Content>
  readonly #warn: Warn
  readonly #report: (error: unknown) => void
  /** Lines are parsed when they are read, so that a request without a look-up does not look at their file. */
  #hasLines = false
  #decoded: DecodedFile | undefined
  #decoding: Promise<void> | undefined

  /** `report` gets the error when the file becomes unreadable, once. */
  constructor(path: string, warn: Warn, report: (error: unknown) => void) {
    this.#warn = warn
    this.#report = report
    this.#file = new FollowedFile(path, bytes => contentOf(path, bytes, warn), report)
  }

  /** Throws when the file cannot be read, or is missing and must not be. */
  requireFile(): void {
    this.#file.read()
  }

  /** Must be awaited before the look-ups of a request; undefined: no wait is needed. Does not reject. */
  refresh(): Promise<void> | undefined {
    return this.#hasLines || this.#newBytes() === undefined ? undefined : this.#decodeNew()
  }

  /** The users at the last refresh; throws when the file cannot be read. */
  read(): PasswordUsers {
    const content = this.#file.read()
    this.#hasLines = 'passwords' in content && content.numbers === undefined
    if ('passwords' in content) return content
    if (!this.#decoded)
      throw new HyperslabError('file-unreadable', 'the password file has just become one of h5serv')
    if ('error' in this.#decoded) throw this.#decoded.error
    return this.#decoded.users
  }

  /** The bytes of the file that are not decoded; undefined: there are none, or the file cannot be read. */
  #newBytes(): Uint8Array | undefined {
    try {
      const content = this.#file.read()
      return 'bytes' in content && content.bytes !== this.#decoded?.bytes ? content.bytes : undefined
    } catch {
      return undefined
    }
  }

  async #decodeNew(): Promise<void> {
    for (let bytes = this.#newBytes(); bytes; bytes = this.#newBytes()) {
      this.#decoding ??= this.#decode(bytes)
      await this.#decoding
    }
  }

  async #decode(bytes: Uint8Array): Promise<void> {
    const before = this.#decoded
    try {
      this.#decoded = { bytes, users: usersOf(await readH5servUsers(bytes, this.#warn)) }
    } catch (error) {
      this.#decoded = { bytes, error }
      const isKnown = before !== undefined && 'error' in before && String(before.error) === String(error)
      if (!isKnown) this.#report(error)
    }
    this.#decoding = undefined
  }
}

/** The users of a password file in either form, read once. */
export async function readPasswordFile(bytes: Uint8Array, warn: Warn): Promise<PasswordUsers> {
  return isH5(bytes) ? usersOf(await readH5servUsers(bytes, warn)) : linesOf(bytes, warn)
}

function contentOf(path: string, bytes: Uint8Array | undefined, warn: Warn): Content {
  if (bytes) return isH5(bytes) ? { bytes } : linesOf(bytes, warn)
  if (H5SERV_NAME.test(path)) return { passwords: new Map(), numbers: new Map() }
  throw new HyperslabError('file-not-found', `there is no file ${path}`)
}

function isH5(bytes: Uint8Array): boolean {
  return isSignature(bytes.subarray(0, HDF5_SIGNATURE.length))
}

function linesOf(bytes: Uint8Array, warn: Warn): PasswordUsers {
  return { passwords: parsePasswordFile(new TextDecoder().decode(bytes), warn) }
}

function usersOf(users: ReadonlyMap<string, H5servUser>): PasswordUsers {
  const passwords = new Map<string, StoredPassword>()
  const numbers = new Map<number, string>()
  for (const [name, { number, sha224, isActive }] of users) {
    numbers.set(number, name)
    if (isActive) passwords.set(name, { sha224 })
  }
  return { passwords, numbers }
}
