// Checks of this machine: Node, the data folder with its file system and its room, and the limit of
// open files. A trial folder is made beside the data, and removed.

import { accessSync, constants, existsSync, realpathSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  existingFolder,
  fileSystemOf,
  requireUsableFileSystem,
  tryFolder,
} from '../data-folder/file-system.ts'
import { checkDataFolder, folderWarnings } from '../data-folder/prepare-folder.ts'
import { connectionLimit, openFilesLimit } from '../settings/connection-limit.ts'
import type { Settings } from '../settings/table.ts'
import { type Finding, note, ok, reasonOf, wrong } from './finding.ts'

const GIB = 2 ** 30
/** With less, writes may soon fail. */
const LITTLE_ROOM = 4 * GIB
/** Below this, connections and files of values compete for descriptors. */
const FEW_OPEN_FILES = 4096

/** Oldest versions of Node with which the service runs; `start.cjs` refuses older ones. */
export function checkNode(version = process.version): Finding {
  const [major = 0] = version.slice(1).split('.').map(Number)
  if (major % 2 === 0) return ok('Node', `${version} for ${process.platform} ${process.arch}`)
  return note('Node', `${version} gets repairs for some months only`, 'use a version with an even number')
}

/** The permissions of the data folder; what is not there yet can be made. */
export function checkPermissions({ dataFolder }: Settings): readonly Finding[] {
  const subject = 'data folder'
  try {
    const isNew = checkDataFolder(dataFolder)
    const there = existingFolder(resolve(dataFolder))
    if (!existsSync(dataFolder) && !mayWrite(there)) {
      return [
        wrong(subject, `it cannot be made, since this user may not write ${there}`, `make ${dataFolder}`),
      ]
    }
    const warnings = existsSync(dataFolder) ? folderWarnings(dataFolder) : []
    if (warnings.length > 0) return warnings.map(text => ({ state: 'note', subject, text }))
    return [ok(subject, `${dataFolder}${isNew ? ' is new' : ''}, and this user may write it`)]
  } catch (error) {
    return [wrong(subject, reasonOf(error))]
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether LMDB can map and lock files in the data folder. */
export function checkFileSystem({ dataFolder, records, dataOnNetwork }: Settings): Finding {
  const subject = 'file system'
  const there = existingFolder(resolve(dataFolder))
  const kind = kindOf(there)
  if (records.kind !== 'folder') return ok(subject, `${kind}; the records are elsewhere`)
  try {
    requireUsableFileSystem(dataFolder, dataOnNetwork)
  } catch (error) {
    return wrong(subject, reasonOf(error))
  }
  if (!mayWrite(there)) return note(subject, `${kind}, not tried`, `this user may not write ${there}`)
  const failure = tryFolder(there)
  return failure === undefined
    ? ok(subject, `${kind}, which maps and locks files`)
    : wrong(
        subject,
        `${kind} cannot map or lock files (${failure})`,
        'use a folder on a disk of this machine',
      )
}

function kindOf(path: string): string {
  if (process.platform !== 'linux') return process.platform
  return fileSystemOf(realpathSync(path)) ?? 'of an unknown kind'
}

interface Room {
  readonly bavail: number
  readonly bsize: number
  readonly files: number
  readonly ffree: number
}

/** Bytes and files that the disk of the data folder can still take. */
export function checkRoom({ dataFolder }: Pick<Settings, 'dataFolder'>, room = roomAt(dataFolder)): Finding {
  const subject = 'disk'
  const free = room.bavail * room.bsize
  const text = `${(free / GIB).toFixed(1)} GiB are free`
  // File systems without a fixed number of files report none at all.
  if (room.files > 0 && room.ffree === 0) return wrong(subject, 'it can take no more files', 'delete some')
  if (free < LITTLE_ROOM / 16) return wrong(subject, text, 'make room, or writes will be 507 storage-full')
  if (free < LITTLE_ROOM) return note(subject, text, 'keep some GiB, and twice what requests overwrite')
  return ok(subject, text)
}

function roomAt(folder: string): Room {
  return statfsSync(existingFolder(resolve(folder)))
}

export function checkOpenFiles(
  { maxConnections }: Pick<Settings, 'maxConnections'>,
  limit = openFilesLimit(),
): Finding {
  const subject = 'open files'
  if (limit === Number.POSITIVE_INFINITY) return ok(subject, 'no limit')
  const text = `at most ${limit}, so ${connectionLimit(maxConnections, limit)} connections`
  if (limit >= FEW_OPEN_FILES) return ok(subject, text)
  return note(subject, text, `raise it (LimitNOFILE= of systemd, ulimit -n) to ${FEW_OPEN_FILES} or more`)
}
