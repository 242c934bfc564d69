// What can be a data folder: one that is ours, is empty, or is still to be made, and belongs to the user who runs the
// command. Told here in words that help, before anything is written.

import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { syncFolder } from '../durable-file.ts'
import { foreseen, UsageError } from './usage-error.ts'

/** What stands in a data folder, also while it is made; `lost+found` is on every new disk. */
const OURS = /^(\.|hyperslab\.json|accounts\.json|config\.json$|lmdb$|blobs$|lost\+found$)/

/** Makes the folder if it is not there. True: it is a new data folder, with nothing of ours in it yet. */
export function prepareDataFolder(folder: string): boolean {
  const path = resolve(folder)
  if (!existsSync(path)) {
    makeFolder(path)
    return true
  }
  if (!statSync(path).isDirectory()) {
    throw new UsageError(`${path} is a file and not a data folder${importHint(path)}`, 1)
  }
  requireOwner(path)
  const names = readdirSync(path)
  const foreign = names.filter(name => !OURS.test(name))
  if (names.includes('hyperslab.json') || foreign.length === 0) {
    return !names.includes('hyperslab.json') && !names.includes('accounts.json')
  }
  const some = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? ', ...' : '')
  throw new UsageError(
    `${path} is not a data folder, which must be new or empty: it holds ${some}${importHint(...foreign)}`,
    1,
  )
}

/** Files that another user makes in the folder, the administrator too, would be closed to the one whom it belongs to. */
function requireOwner(path: string): void {
  const user = process.geteuid?.()
  const { uid } = statSync(path)
  if (user === undefined || user === uid) return
  throw new UsageError(
    `the data folder ${path} belongs to the user with the id ${uid}, and this command is run by the one with the id ${user}: ` +
      `run it as its owner (sudo -u '#${uid}' hyperslab ...)`,
    1,
  )
}

/** The same for a command that its user may have called in another directory than he thinks: it tells a new folder. */
export function prepareAndTell(folder: string): void {
  if (prepareDataFolder(folder)) console.error(`A new data folder: ${resolve(folder)}`)
}

/** For a command that has no use for a new data folder. */
export function requireDataFolder(folder: string): void {
  const path = resolve(folder)
  if (!existsSync(path))
    throw new UsageError(`there is no data folder ${path}: name the folder that is served`, 1)
  prepareDataFolder(folder)
}

function importHint(...names: readonly string[]): string {
  const file = names.find(name => /\.(h5|hdf5|hdf|he5|nc)$/i.test(name))
  return file === undefined
    ? ''
    : `. Import HDF5 files into a data folder: hyperslab import ${file} --to /files --data data`
}

/** With those above it that are missing, durably; `recursive` would never end where none can be made (/proc). */
function makeFolder(path: string): void {
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(path)
    syncFolder(parent)
  } catch (error) {
    const reason = foreseen(error)
    if (reason === undefined) throw error
    // Another process has made it meanwhile.
    if (reason.startsWith('EEXIST')) return
    throw new UsageError(`the folder ${path} cannot be made: ${reason}`, 1)
  }
}
