// Data folders of before have the accounts and the secret of mounts in files, `accounts.json` and `mounts.key`; now they are
// records of the store. A file is removed when its content is durable as records. What the store has already stays: then the
// file was left by a crash, or another process is taking it over.

import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../durable-file.ts'
import { systemRandom } from '../../storage/clock.ts'
import type { KeyValue } from '../../storage/engine.ts'
import {
  addFirstAccounts,
  parseMembers,
  parseUser,
  type StoredAccounts,
} from '../../storage/records/accounts.ts'
import { addMountSecret, parseMountSecret } from '../../storage/records/mount-secret.ts'
import { UsageError } from '../usage-error.ts'

/** Of the data folder, which holds those records. */
export async function takeOverFiles(folder: string, keyValue: KeyValue): Promise<void> {
  await takeOver(join(folder, 'accounts.json'), parseAccounts, accounts =>
    addFirstAccounts(keyValue, systemRandom, accounts),
  )
  await takeOver(join(folder, 'mounts.key'), parseSecret, secret => addMountSecret(keyValue, secret))
}

async function takeOver<T>(
  path: string,
  parse: (text: string) => T,
  store: (content: T) => Promise<boolean>,
): Promise<void> {
  const text = readIfThere(path)
  if (text === undefined) return
  await store(parsed(path, text, parse))
  rmSync(path, { force: true })
  syncFolder(dirname(path))
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** What the parser of JSON says would quote the file. */
function parsed<T>(path: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text)
  } catch {
    throw new UsageError(
      `${path} cannot be taken over into the store: it is damaged; restore or remove it`,
      1,
    )
  }
}

function parseAccounts(text: string): StoredAccounts {
  const { users, groups } = JSON.parse(text) as { readonly users: object; readonly groups: object }
  return { users: mapOf(users, parseUser), groups: mapOf(groups, parseMembers) }
}

function mapOf<T>(json: object, parse: (json: unknown) => T): Map<string, T> {
  return new Map(Object.entries(json).map(([name, value]) => [name, parse(value)]))
}

function parseSecret(text: string): Uint8Array {
  const secret = parseMountSecret(text.trim())
  if (secret === undefined) throw new Error('no secret')
  return secret
}
