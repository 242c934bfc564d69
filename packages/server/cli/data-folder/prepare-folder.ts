// The checks of a data folder, before anything is written to it: it is a data folder of Hyperslab, empty, or missing,
// and the user that runs the command may read and write it, also if another user owns it.

import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { syncFolder } from '@hyperslab/base/files'
import { foreseen, UsageError } from '../usage-error.ts'

/** The entries of a data folder, also while it is created, and `lost+found`, which is on every new disk. */
const OURS = /^(\.|hyperslab\.json|config\.json$|last-(check|copy)\.json$|lmdb$|blobs$|cache$|lost\+found$)/

/** False: a folder with an entry of this name and without `hyperslab.json` is not a data folder. */
export function isDataFolderEntry(name: string): boolean {
  return OURS.test(name)
}

/** Creates the folder if it is missing. True for a new data folder, which has no entry of ours yet. */
export function prepareDataFolder(folder: string): boolean {
  const isNew = checkDataFolder(folder)
  const path = resolve(folder)
  if (!existsSync(path)) makeFolder(path)
  return isNew
}

/** True for a new data folder; throws unless the folder is, or can become, a data folder. Creates nothing. */
export function checkDataFolder(folder: string): boolean {
  const path = resolve(folder)
  if (!existsSync(path)) return true
  if (!statSync(path).isDirectory()) {
    throw new UsageError(`${path} is a file and not a data folder${importHint(path)}`, 1)
  }
  requirePermission(path)
  const names = readdirSync(path)
  const foreign = names.filter(name => !isDataFolderEntry(name))
  if (names.includes('hyperslab.json') || foreign.length === 0) {
    return !names.includes('hyperslab.json')
  }
  const some = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? ', ...' : '')
  throw new UsageError(
    `${path} is not a data folder, which must be new or empty: it contains ${some}${importHint(...foreign)}`,
    1,
  )
}

/** The parts of a data folder that a process must be able to change, folders and files. */
const PARTS = ['', 'lmdb', 'lmdb/data.mdb', 'lmdb/lock.mdb', 'blobs']

/** Throws unless the user that runs the command may use the folder, and leaves nothing in it that its users cannot. */
function requirePermission(path: string): void {
  const user = process.geteuid?.()
  for (const part of PARTS.map(part => join(path, part)).filter(part => existsSync(part))) {
    const { uid } = statSync(part)
    const remedy = `run it as that user (sudo -u '#${uid}' hyperslab ...)`
    if (!mayChange(part)) {
      throw new UsageError(
        `this command runs as the user id ${user}, which may not read and write ${part} of the user id ${uid}: ${remedy}`,
        1,
      )
    }
    // The administrator of the system may do everything, and would make files that the service may not open.
    if (user === 0 && uid !== 0 && part !== path) {
      throw new UsageError(
        `${part} belongs to the user id ${uid}, but this command runs as the user id 0: ${remedy}`,
        1,
      )
    }
  }
}

function mayChange(path: string): boolean {
  const { R_OK, W_OK, X_OK } = constants
  try {
    accessSync(path, statSync(path).isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK)
    return true
  } catch (error) {
    // A file system on which nobody may write can still be read.
    return error instanceof Error && 'code' in error && error.code === 'EROFS'
  }
}

/** Warnings for the operator: of users that may not open what this process makes in the folder, or change it. */
export function folderWarnings(folder: string): readonly string[] {
  const path = resolve(folder)
  const user = process.geteuid?.()
  const { uid, mode } = statSync(path)
  const isOfAnother = user !== undefined && user !== uid
  const isOpen = (mode & constants.S_IWOTH) !== 0
  return [
    ...(isOfAnother
      ? [
          `the data folder ${path} belongs to the user id ${uid}, and this process runs as the user id ${user}: ` +
            'other users than that cannot open what it makes there, unless their group may',
        ]
      : []),
    ...(isOpen ? [`every user of this system may change the data folder ${path}: chmod o-w it`] : []),
  ]
}

/** Prepares the folder, and reports a new one: the command may run in another directory than its user thinks. */
export function prepareAndReport(folder: string): void {
  if (prepareDataFolder(folder)) console.error(`created the data folder ${resolve(folder)}`)
}

/** Throws unless the folder is a data folder, for a command that is useless on a new one. */
export function requireDataFolder(folder: string): void {
  const path = resolve(folder)
  if (!existsSync(path))
    throw new UsageError(
      `there is no data folder ${path}: give the path of the folder that the server uses`,
      1,
    )
  prepareDataFolder(folder)
}

const HDF5_NAME = /\.(h5|hdf5|hdf|he5|nc)$/i

function importHint(...names: readonly string[]): string {
  const file = names.find(name => HDF5_NAME.test(name))
  return file === undefined
    ? ''
    : `. Import HDF5 files into a data folder: hyperslab import ${file} --to /files --data data`
}

/**
 * Creates the folder and its missing parents, durably; `recursive` would never end where no folder can be created
 * (/proc).
 */
function makeFolder(path: string): void {
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(path)
    syncFolder(parent)
  } catch (error) {
    const reason = foreseen(error)
    if (reason === undefined) throw error
    // Another process has created it meanwhile.
    if (reason.startsWith('EEXIST')) return
    throw new UsageError(`the folder ${path} cannot be created: ${reason}`, 1)
  }
}
