// The files of a cache on the disk, as they are found in its folder.

import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inParallel } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'

/** The ending of the names of files that are being written. */
export const TEMPORARY = '.tmp'
/** A temporary file that is older was left by a process that ended. */
const TEMPORARY_MILLISECONDS = 3600_000
/** Files of the cache whose state is asked for at once. @limit safety, files */
const STATS_AT_ONCE = 8

export interface CacheEntry {
  readonly path: string
  readonly bytes: number
  /** The time of its last use, in milliseconds since the epoch. */
  readonly time: number
}

/** All files of the cache, in any order. */
export async function entriesOf(folder: string): Promise<readonly CacheEntry[]> {
  const entries: CacheEntry[] = []
  await inParallel(filesBelow(folder), STATS_AT_ONCE, async path => {
    const stats = await stat(path).catch(() => undefined)
    if (stats === undefined) return
    const isLeft = path.endsWith(TEMPORARY) && SYSTEM_CLOCK.now() - stats.mtimeMs > TEMPORARY_MILLISECONDS
    if (isLeft) await rm(path, { force: true })
    else entries.push({ path, bytes: stats.size, time: stats.mtimeMs })
  })
  return entries
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isFolder } of listEntries(folder)) {
    if (!isFolder || !/^[0-9a-f]{2}$/.test(name)) continue
    for await (const file of listEntries(join(folder, name))) {
      if (!file.isFolder) yield join(folder, name, file.name)
    }
  }
}

async function* listEntries(
  folder: string,
): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  const directory = await opendir(folder, { bufferSize: 256 }).catch(() => undefined)
  if (!directory) return
  for await (const entry of directory) yield { name: entry.name, isFolder: entry.isDirectory() }
}
