// Whether files are on a disk of this machine. Their state is looked up in the thread of the event loop, because the
// system has it in memory, and passing the call to another thread takes some 50 times as long. A network may block the
// thread for ever.

import type { BigIntStats } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { BoundedMap } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { DIRECT_CALLS } from '../transfer/file-descriptor.ts'

/** statfs(2) of Linux. File systems over a network or in a program (FUSE) are not here, nor those of other systems. */
const LOCAL_FILE_SYSTEMS = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
])

/**
 * Whether an existing file or folder is on a local disk. False: it is not, or this is not known.
 * Throws the errors of `calls` itself.
 */
export async function isOnLocalDisk(path: string, calls = DIRECT_CALLS): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    const { type } = await calls.run(() => statfs(path))
    return LOCAL_FILE_SYSTEMS.has(type)
  } catch (error) {
    if (error instanceof HyperslabError) throw error
    // It has been removed meanwhile, which the next access finds.
    return false
  }
}

/** Devices that are remembered. @limit memory, devices */
const MAX_DEVICES = 256
/** A device that was unmounted may give its number to another one. */
const KNOWN_MILLISECONDS = 1000

/** Devices of local disks, with the time until which they are known. @limit speed, devices, bench/joins.bench.mjs */
const LOCAL_DEVICES = new BoundedMap<bigint, number>(MAX_DEVICES)

/** Whether files of this device are known to be on a local disk. */
export function isLocalDevice(dev: bigint): boolean {
  return SYSTEM_CLOCK.elapsed() < (LOCAL_DEVICES.get(dev) ?? 0)
}

/** `isOnLocalDisk` for a file with this state, with one call in a second for all files of a device. */
export async function isFileOnLocalDisk(
  { dev }: Pick<BigIntStats, 'dev'>,
  path: string,
  calls = DIRECT_CALLS,
): Promise<boolean> {
  if (isLocalDevice(dev)) return true
  const isLocal = await isOnLocalDisk(path, calls)
  if (isLocal) LOCAL_DEVICES.set(dev, SYSTEM_CLOCK.elapsed() + KNOWN_MILLISECONDS)
  return isLocal
}
