// A full disk is not our defect: whoever asked is told, and may ask again when there is room.

import { statfs } from 'node:fs/promises'
import { HyperslabError } from '../../../errors.ts'

/** LMDB extends its file by pages; with less than this it may fail for want of room. */
const SCARCE_BYTES = 1 << 20

export function storageFull(cause: unknown): HyperslabError {
  return new HyperslabError('storage-full', 'the disk of the data folder is full; nothing was changed', {
    cause,
  })
}

/** Whether the disk that holds the folder has next to no room left. */
export async function hasNoRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < SCARCE_BYTES
}
