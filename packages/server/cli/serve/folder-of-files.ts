// `hyperslab serve DIR` if DIR is not a data folder but a folder of HDF5 files, or one such file: it is mounted at the
// top level, and nothing is written into it. The data folder that the server needs for itself is in the user's folder
// for state, one for each DIR.

import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HDF5_SIGNATURE, isSignature, signaturePositions } from '@hyperslab/h5/reader'
import { endProcess } from '@hyperslab/store/engines'
import { isDataFolderEntry } from '../data-folder/prepare-folder.ts'
import { foreseen, UsageError } from '../usage-error.ts'

/**
 * True for an HDF5 file, and for a folder that is not a data folder and holds one, itself or in a folder below it.
 * Throws UsageError when the folder cannot be read.
 */
export function holdsFilesToServe(folder: string): boolean {
  const status = statSync(folder, { throwIfNoEntry: false })
  if (status?.isFile()) return isHdf5(folder)
  if (!status?.isDirectory()) return false
  const names = listNames(folder)
  if (names.includes('hyperslab.json') || names.every(isDataFolderEntry)) return false
  return holdsHdf5(folder)
}

const PATIENCE_MILLISECONDS = 10_000

/** Ends the process unless the folder answers soon: the calls that follow would wait for it for ever. */
export async function requireAnswer(folder: string): Promise<void> {
  const looking = readdir(folder).then(
    () => true,
    () => true,
  )
  const timer = new AbortController()
  const late = SYSTEM_CLOCK.sleep(PATIENCE_MILLISECONDS, timer.signal).then(
    () => false,
    () => false,
  )
  const isAnswered = await Promise.race([looking, late])
  timer.abort()
  if (!isAnswered) endProcess(`${folder} does not answer: the server of its file system may be gone`)
}

/** `$XDG_STATE_HOME/hyperslab/` and 16 digits that follow from the path of the folder, symbolic links resolved. */
export function stateFolderOf(folder: string, environment: NodeJS.ProcessEnv): string {
  const given = environment.XDG_STATE_HOME
  // The rule of XDG: a path that is not absolute counts as none.
  const states = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.local', 'state')
  const digits = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16)
  return join(states, 'hyperslab', digits)
}

/**
 * Entries that are read before the search ends, because a folder of other files can be large.
 * @limit safety, entries
 */
const MAX_ENTRIES = 100_000

/** Whether the folder holds an HDF5 file; near folders are searched first. Hidden and unreadable ones are skipped. */
function holdsHdf5(top: string): boolean {
  const folders = [top]
  let entries = 0
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      if (++entries > MAX_ENTRIES) return false
      if (entry.name.startsWith('.')) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile() && isHdf5(path)) return true
    }
  }
  return false
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const reason = foreseen(error)
    if (reason === undefined) throw error
    throw new UsageError(`the folder ${folder} cannot be read: ${reason}`, 1)
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function isHdf5(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = new Uint8Array(HDF5_SIGNATURE.length)
      for (const position of signaturePositions(fstatSync(file).size)) {
        if (readSync(file, bytes, { position }) === bytes.length && isSignature(bytes)) return true
      }
      return false
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
