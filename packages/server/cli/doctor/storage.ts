// Checks of the store: whether its records and its values can be reached, and which callers may change them.
// Nothing is created: a database keeps a lease while it is read, which is removed.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isInFolder, needsFolder, openEngineToRead } from '@hyperslab/store/engines'
import { type AccountsState, readAccounts } from '@hyperslab/store/records'
import { closedToNetwork, isOnlyFiles, refuseOpenNetwork } from '../serve/guard-network.ts'
import { isOpenUntilAccounts, namesUsers } from '../settings/open-service.ts'
import type { Settings } from '../settings/table.ts'
import { type Finding, note, ok, reasonOf, withinTime, wrong } from './finding.ts'

/** Seconds that a database and a bucket have together. */
const STORE_SECONDS = 20
/** No dataset has this id: listing costs one request and returns nothing. */
const NO_BLOBS = `${'0'.repeat(32)}/`

/** The store, and its accounts; undefined accounts: they could not be read. */
export async function checkStore(
  settings: Settings,
): Promise<{ readonly findings: readonly Finding[]; readonly accounts: AccountsState | undefined }> {
  const subject = 'store'
  const text = placeOf(settings)
  if (isNewFolder(settings)) return { findings: [ok(subject, `${text}, which is new`)], accounts: undefined }
  try {
    const accounts = await withinTime(STORE_SECONDS, () => readStore(settings))
    const isDamaged = accounts.damaged.length > 0
    const findings = isDamaged
      ? [wrong('accounts', 'some cannot be read', 'see hyperslab check, and add them again')]
      : []
    return { findings: [ok(subject, `${text} answers`), ...findings], accounts }
  } catch (error) {
    const reason = reasonOf(error)
    // The service creates it.
    if (/it holds no store$/.test(reason))
      return { findings: [ok(subject, `${text}, which is new`)], accounts: undefined }
    return {
      findings: [wrong(subject, `${text} cannot be used (${reason})`, remedyOf(settings))],
      accounts: undefined,
    }
  }
}

function isNewFolder(settings: Settings): boolean {
  const isThere = existsSync(join(settings.dataFolder, 'hyperslab.json'))
  return settings.records.kind === 'folder' && needsFolder(settings) && !isThere
}

/** The location in words, without passwords. */
function placeOf({ records, blobs, dataFolder }: Settings): string {
  const place = records.kind === 'postgres' ? `PostgreSQL at ${new URL(records.address).host}` : dataFolder
  return blobs.kind === 's3' ? `${place}, with values in ${blobs.address},` : place
}

function remedyOf(settings: Settings): string {
  if (isInFolder(settings)) return 'run hyperslab check, or copy a backup back'
  return 'see that the database and the bucket run, their addresses are right, and the password or key is valid'
}

async function readStore(settings: Settings): Promise<AccountsState> {
  const { keyValue, blobs, close } = await openEngineToRead(settings)
  try {
    const accounts = await readAccounts(keyValue)
    if (settings.blobs.kind === 's3') for await (const _ of blobs.list(NO_BLOBS)) break
    return accounts
  } finally {
    await close()
  }
}

/** Whether callers without an account may change data. */
export function checkAccess(settings: Settings, accounts: AccountsState | undefined): Finding {
  const subject = 'access'
  const served = isOnlyFiles(settings) ? closedToNetwork(settings) : settings
  try {
    refuseOpenNetwork(served)
  } catch (error) {
    return wrong(subject, reasonOf(error))
  }
  const count = accounts?.users.size ?? 0
  const users = namesUsers(settings) ? 'users come from elsewhere too' : `${count} accounts`
  if (isOpenUntilAccounts(settings) && count === 0 && !namesUsers(settings)) {
    return note(
      subject,
      'every caller of this machine may do everything, until there is an account',
      'hyperslab user add NAME --admin',
    )
  }
  const { create, update, delete: remove, updateACL } = served.defaultAcl
  if (create || update || remove || updateACL)
    return note(
      subject,
      `${users}; callers may change data without a list of their own`,
      '--default-acl read or none',
    )
  return ok(subject, `${users}; only users change data`)
}
