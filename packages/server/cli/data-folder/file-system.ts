// The file system of a data folder. LMDB maps its file into memory and locks it, which needs a disk of this machine: a
// network keeps neither equal in several machines, and some file systems can do neither.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { systemCode } from '@hyperslab/base/files'
import { inFolder } from '@hyperslab/store/engines'
import { foreseen, UsageError } from '../usage-error.ts'
import { openEngineAt } from './open.ts'

/** Disks and memory of this machine. */
const LOCAL = /^(ext[234]|xfs|btrfs|zfs|f2fs|bcachefs|jfs|tmpfs|overlay|aufs)$/
/** File systems that other machines share. */
const NETWORK =
  /^(nfs\d?|cifs|smb\w*|afs|ceph|lustre|beegfs\w*|gpfs|panfs|pvfs2|orangefs|ocfs2|gfs2|wekafs|davfs|fuse\.(sshfs|glusterfs|ceph.*|s3fs|mount-s3|gcsfuse|goofys|rclone|juicefs|curlftpfs|davfs2?|blobfuse\w*))$/

/**
 * Throws unless records can be stored in the folder, or, if it is missing, in the folder above. `isForced`: also on a
 * file system of a network. One that is not known is tried, in another process: where it cannot map files, LMDB ends
 * the process. On systems other than Linux nothing is known.
 */
export function requireUsableFileSystem(folder: string, isForced: boolean): void {
  if (process.platform !== 'linux') return
  const path = existingFolder(resolve(folder))
  const kind = fileSystemOf(realpathSync(path))
  if (kind !== undefined && LOCAL.test(kind)) return
  const remedy =
    'use a folder on a disk of this machine (in a container: a volume), or a database for the records (--records)'
  if (kind !== undefined && NETWORK.test(kind) && !isForced) {
    throw new UsageError(
      `the data folder ${folder} is on a file system of a network (${kind}), where its records can be damaged: ${remedy}; ` +
        '--data-on-network allows it, for one machine at a time',
      1,
    )
  }
  const failure = tryFolder(path, resolve(folder))
  if (failure === undefined) return
  throw new UsageError(
    `the data folder ${folder} is on a file system (${kind ?? 'unknown'}) that cannot map files into memory, or lock them (${failure}): ${remedy}`,
    1,
  )
}

/** The text of the mounts that this process sees. Other systems than Linux have none, and a chroot may lack it. */
function readMounts(): string {
  const file = '/proc/self/mountinfo'
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** The kind of file system at a real path, by the mounts of the process (proc(5), mountinfo); undefined: not known. */
export function fileSystemOf(path: string, mounts = readMounts()): string | undefined {
  let found: { readonly place: string; readonly kind: string } | undefined
  for (const line of mounts.split('\n')) {
    const [place, kind] = [line.split(' ')[4], line.split(' - ')[1]?.split(' ')[0]]
    if (place === undefined || kind === undefined) continue
    const plain = place.replace(/\\(\d{3})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    )
    const isAbove = path === plain || path.startsWith(plain.endsWith(sep) ? plain : plain + sep)
    // The later one of two mounts at one place is seen.
    if (isAbove && plain.length >= (found?.place.length ?? 0)) found = { place: plain, kind }
  }
  return found?.kind
}

/** The folder, or the nearest one above it that exists. */
export function existingFolder(path: string): string {
  return existsSync(path) ? path : existingFolder(dirname(path))
}

/** Seconds that a store has to open in a new folder. */
const TRIAL_SECONDS = 10

/**
 * Opens a store in a new folder within this one; returns the end of a process that could not. Errors name `wanted`. The
 * folder stays where that does not come back: removing it could hang, too.
 */
export function tryFolder(folder: string, wanted = folder, seconds = TRIAL_SECONDS): string | undefined {
  const [program] = process.argv.slice(1)
  const trial = makeTrial(folder, wanted)
  const limits = { timeout: seconds * 1000, killSignal: 'SIGKILL' } as const
  const child = spawnSync(process.execPath, [program, 'try-folder', trial], { encoding: 'utf8', ...limits })
  if (child.error && systemCode(child.error) === 'ETIMEDOUT') return `no answer within ${seconds} s`
  rmSync(trial, { recursive: true, force: true })
  if (child.status === 0) return undefined
  return child.stderr?.trim() || String(child.error?.message ?? child.signal ?? child.status)
}

function makeTrial(folder: string, wanted: string): string {
  try {
    return mkdtempSync(join(folder, '.hyperslab-'))
  } catch (error) {
    throw new UsageError(`the folder ${wanted} cannot be created: ${foreseen(error) ?? String(error)}`, 1)
  }
}

/** Opens a new store in the folder, and closes it: the command `try-folder`. */
export async function openTrial(folder: string): Promise<void> {
  const engine = await openEngineAt(inFolder(folder), { use: 'store' })
  await engine.close()
}
