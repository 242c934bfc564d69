// Files that survive a crash of the machine: their bytes, and their names in a folder, which are durable only when the
// folder itself is written.

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Replaces the content of a file, or makes the file with a mode. Readers see the old content or the new
 * one. It is durable when this returns; an old file's owner and mode are kept.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const old = statSync(path, { throwIfNoEntry: false })
  try {
    const file = openSync(temporary, 'wx', mode)
    try {
      writeSync(file, text)
      if (old !== undefined) {
        fchownSync(file, old.uid, old.gid)
        fchmodSync(file, old.mode & 0o777)
      }
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/**
 * Makes a file with a mode, durably, unless another process has made it: then its content stays. Readers see all of it
 * or none.
 */
export function createFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  replaceFile(temporary, text, mode)
  try {
    linkSync(temporary, path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // File systems without links, such as exFAT, are not shared by several servers.
    if (code === 'EPERM' || code === 'ENOTSUP') replaceFile(path, text, mode)
    else if (code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
  syncFolder(dirname(path))
}

/** Makes the entries of a folder durable, but not the folder itself. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
