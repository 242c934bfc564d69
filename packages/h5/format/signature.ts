// The signature of HDF5 files, and its possible positions in a file (file format specification, II.A).

export const HDF5_SIGNATURE = '\x89HDF\r\n\x1a\n'

/** Whether the bytes begin with the signature. */
export function isSignature(bytes: Uint8Array): boolean {
  for (let i = 0; i < HDF5_SIGNATURE.length; i++) if (bytes[i] !== HDF5_SIGNATURE.charCodeAt(i)) return false
  return true
}

/** The positions before `end` where a signature may be: 0, 512, and the following powers of two. */
export function* signaturePositions(end: number): Generator<number> {
  for (let position = 0; position < end; position = position === 0 ? 512 : position * 2) yield position
}
