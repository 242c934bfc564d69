// Processes of other containers. LMDB tells processes apart by their ids, and the kernel the owner of a lock by the id
// of its thread. In containers with process ids of their own two processes may have the same id: then the end of one
// could free the lock that the other one holds, and both would commit at once. So a process does not use a folder that
// a process of another container has open.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The number of looks: a process may end between the reading of the two lists. */
const LOOKS = 3

/**
 * Throws if one of the processes that read the folder has no lock on it under its own id, as this process sees it in
 * /proc/locks (proc(5)). Does nothing where this process does not see its own lock there: on other systems than Linux,
 * and on some file systems. `listProcesses` gives the ids in LMDB's table, this process included.
 */
export function requireOwnProcesses(folder: string, listProcesses: () => ReadonlySet<string>): void {
  let foreign: readonly string[] = []
  for (let look = 0; look < LOOKS; look++) {
    const processes = listProcesses()
    const locked = readLockedIds(join(folder, 'lock.mdb'))
    if (!locked.has(String(process.pid))) return
    foreign = [...processes].filter(id => !locked.has(id))
    if (foreign.length === 0) return
  }
  throw foreignProcesses(foreign)
}

export function foreignProcesses(ids: readonly string[]): Error {
  return new Error(
    `a process of another container or pid namespace has it open (its process id there is ${ids.join(', ')}): ` +
      'processes that share a data folder must see each other; run them in one container, or keep the records in PostgreSQL',
  )
}

/** Ids of the processes that hold the lock of their id: LMDB's readers lock the byte with the number of their id. */
function readLockedIds(file: string): ReadonlySet<string> {
  const ids = new Set<string>()
  const { ino } = statSync(file)
  for (const [, id = '', inode, start] of readLocks().matchAll(LOCK))
    if (inode === String(ino) && start === id) ids.add(id)
  return ids
}

/** The id of the owner, the inode, and the first locked byte. */
const LOCK = /^\d+: POSIX +ADVISORY +WRITE (\d+) [0-9a-f]+:[0-9a-f]+:(\d+) (\d+) \d+$/gm

function readLocks(): string {
  try {
    return readFileSync('/proc/locks', 'utf8')
  } catch {
    return ''
  }
}
