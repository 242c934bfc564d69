// `hyperslab user` and `hyperslab group`: the accounts of a data folder, usable at once by servers that run on it.

import { hash } from '@node-rs/argon2'
import { AccountsFile } from '../accounts/accounts-file.ts'
import { isNameOfMany } from '../hdf5/acl.ts'
import { readNewPassword } from './password.ts'
import { prepareAndReport, requireDataFolder } from './prepare-folder.ts'
import { UsageError } from './usage-error.ts'

/** Adds an account, or sets a new password of an existing one; an administrator stays one. */
export async function addUser(dataFolder: string, text: string, options: { admin: boolean }): Promise<void> {
  const name = accountName(text)
  const isKnown = new AccountsFile(dataFolder).isKnownUser(name)
  const stored = await hash(await readNewPassword(isKnown ? `the existing ${name}` : name))
  let existed = false
  let admin = options.admin
  prepareAndReport(dataFolder)
  await new AccountsFile(dataFolder).change(({ users }) => {
    const user = users.get(name)
    existed = user !== undefined
    admin ||= user?.admin ?? false
    users.set(name, { hash: stored, admin })
  })
  const what = admin ? 'administrator' : 'user'
  console.log(
    existed ? `The password of the ${what} ${name} was changed.` : `The ${what} ${name} can log in now.`,
  )
}

/** Revokes the rights of an administrator; the password stays. */
export async function demoteUser(dataFolder: string, name: string): Promise<void> {
  requireDataFolder(dataFolder)
  await new AccountsFile(dataFolder).change(({ users }) => {
    const user = users.get(name)
    if (user === undefined) throw new UsageError(`there is no user "${name}"`, 1)
    if (!user.admin) throw new UsageError(`the user "${name}" was not made with --admin`, 1)
    users.set(name, { ...user, admin: false })
  })
  console.log(
    `The user ${name} is no longer an administrator, unless the setting admin_user or admin_group says so.`,
  )
}

export function listUsers(dataFolder: string): void {
  requireDataFolder(dataFolder)
  const { users, groupsOf } = new AccountsFile(dataFolder).read()
  const rows = [...users.keys()].sort().map(name => {
    const groups = (groupsOf.get(name) ?? []).map(group => `g:${group}`)
    return [name, users.get(name)?.admin ? 'admin' : '', groups.join(' ')]
  })
  printRows(rows, 'There are no users; add one with `hyperslab user add NAME`.')
}

export async function removeUser(dataFolder: string, name: string): Promise<void> {
  requireDataFolder(dataFolder)
  await new AccountsFile(dataFolder).change(({ users, groups }) => {
    if (!users.delete(name)) throw new UsageError(`there is no user "${name}"`, 1)
    for (const [group, members] of groups) {
      groups.set(
        group,
        members.filter(member => member !== name),
      )
    }
  })
  console.log(`The user ${name} was removed. Access control lists that name it are unchanged.`)
}

/** Creates a group of users, or adds users to it. */
export async function addToGroup(dataFolder: string, text: string, names: readonly string[]): Promise<void> {
  const group = accountName(text)
  requireDataFolder(dataFolder)
  await new AccountsFile(dataFolder).change(({ users, groups }) => {
    const unknown = names.find(name => !users.has(name))
    if (unknown !== undefined) throw new UsageError(`there is no user "${unknown}"`, 1)
    groups.set(group, [...new Set([...(groups.get(group) ?? []), ...names])])
  })
  console.log(`Access control lists name the group as g:${group}.`)
}

export function listGroups(dataFolder: string): void {
  requireDataFolder(dataFolder)
  const { groups } = new AccountsFile(dataFolder).read()
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => [`g:${name}`, members.join(' ')])
  printRows(rows, 'There are no groups; add one with `hyperslab group add NAME USER...`.')
}

/** Removes users from a group or, without any, the group. */
export async function removeFromGroup(
  dataFolder: string,
  group: string,
  names: readonly string[],
): Promise<void> {
  requireDataFolder(dataFolder)
  await new AccountsFile(dataFolder).change(({ groups }) => {
    const members = groups.get(group)
    if (!members) throw new UsageError(`there is no group "${group}"`, 1)
    const stranger = names.find(name => !members.includes(name))
    if (stranger !== undefined) throw new UsageError(`"${stranger}" is not in the group "${group}"`, 1)
    if (names.length === 0) groups.delete(group)
    else
      groups.set(
        group,
        members.filter(member => !names.includes(member)),
      )
  })
  console.log(
    names.length === 0
      ? `The group ${group} was removed.`
      : `Removed from the group ${group}: ${names.join(', ')}.`,
  )
}

function printRows(rows: readonly (readonly string[])[], none: string): void {
  if (rows.length === 0) console.log(none)
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

const NAME = /^[A-Za-z0-9_.@-]{1,64}$/

/** The name of an account or of a group of users, if it can be one. */
export function accountName(text: string): string {
  if (!NAME.test(text)) {
    throw new UsageError(
      `"${text}" cannot be a name: it must have 1 to 64 letters, digits or characters of _ . - @`,
    )
  }
  if (isNameOfMany(text)) {
    throw new UsageError(`"${text}" cannot be a name: it stands for every user`)
  }
  return text
}
