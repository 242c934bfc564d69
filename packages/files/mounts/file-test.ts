// The beginning of a file, read before it is opened: whether it is an HDF5 file, and whether it is cut off.

import { type ByteSource, findTruncation } from '@hyperslab/h5/reader'

export interface FileTest {
  readonly isHdf5: boolean
  /** The reason why a part of it cannot be read: it is cut off. */
  readonly damage?: string
}

export const NOT_HDF5: FileTest = { isHdf5: false }
const SOUND: FileTest = { isHdf5: true }

/** `base`: the position of the signature; undefined: there is none. */
export async function testAt(source: ByteSource, base: number | undefined): Promise<FileTest> {
  if (base === undefined) return NOT_HDF5
  const damage = await findTruncation(source, base)
  return damage === undefined ? SOUND : { isHdf5: true, damage }
}
