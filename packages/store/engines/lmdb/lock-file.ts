// The files lock.mdb that this process has open. When a process closes any descriptor of a file, all its locks on that
// file end (fcntl(2)), also those of LMDB; the next process that opens the folder would then make new locks, and both
// would commit at once. So such a file has one descriptor of ours, which is closed after LMDB's, and nothing else opens
// it, whatever path leads to it.

import { closeSync, openSync, statSync } from 'node:fs'

/** A descriptor that all users of this process share. */
export interface SharedFile {
  readonly descriptor: number
  /** Whether no other user in this process had it open before. */
  readonly isFirst: boolean
  close(): void
}

/** The numbers that distinguish a file from all others of the machine. */
interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

const files = new Map<string, { readonly descriptor: number; users: number }>()

function keyOf({ dev, ino }: FileIdentity): string {
  return `${dev}:${ino}`
}

/** Opens the file; must be closed when its user has closed the folder in LMDB. */
export function openLockFile(path: string): SharedFile {
  const key = keyOf(statSync(path, { bigint: true }))
  const file = files.get(key) ?? { descriptor: openSync(path, 'r+'), users: 0 }
  files.set(key, file)
  file.users++
  return {
    descriptor: file.descriptor,
    isFirst: file.users === 1,
    close() {
      if (--file.users > 0) return
      files.delete(key)
      closeSync(file.descriptor)
    },
  }
}

/** Whether the file, by its state, is one that nothing else may open. */
export function isOpenLockFile(state: FileIdentity): boolean {
  return files.size > 0 && files.has(keyOf(state))
}
