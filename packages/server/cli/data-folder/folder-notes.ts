// Notes in the data folder about the last check and the last copy of the store, which commands write and the figures of
// the service show. They are no part of the store: each is one small file, which can be deleted without harm.

import { existsSync } from 'node:fs'
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { replaceFile, systemCode } from '@hyperslab/base/files'
import type { CheckNote, CopyNote, DataFolderFigures } from '../../http/watch/service-figures.ts'

const FILES = { check: 'last-check.json', copy: 'last-copy.json' } as const

export function noteCheck(folder: string, note: Omit<CheckNote, 'time'>): void {
  writeNote(folder, FILES.check, note)
}

export function noteCopy(folder: string): void {
  writeNote(folder, FILES.copy, {})
}

/** The command has done its work, so that it does not fail when there can be no note. */
function writeNote(folder: string, file: string, note: object): void {
  if (!existsSync(folder)) return
  const time = Math.round(SYSTEM_CLOCK.now() / 1000)
  try {
    replaceFile(join(folder, file), `${JSON.stringify({ time, ...note })}\n`, 0o666)
  } catch (error) {
    // No service has a folder that is mounted for reading.
    if (systemCode(error) === 'EROFS') return
    console.error(`hyperslab: no note for the figures of the service: ${String(error)}`)
  }
}

export function folderFigures(folder: string): DataFolderFigures {
  return {
    async room() {
      const { bavail, blocks, bsize } = await statfs(folder)
      return { freeBytes: bavail * bsize, bytes: blocks * bsize }
    },
    lastCheck: () => readNote<CheckNote>(folder, FILES.check),
    lastCopy: () => readNote<CopyNote>(folder, FILES.copy),
  }
}

async function readNote<T>(folder: string, file: string): Promise<T | undefined> {
  try {
    // Commands of this program have written it.
    return JSON.parse(await readFile(join(folder, file), 'utf8')) as T
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
