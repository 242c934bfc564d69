// Where the bytes of a file come from: positions and lengths, nothing else. Files and sockets are opened above; a read
// may be a request to another machine.

export interface ByteSource {
  /** The length of the whole in bytes. */
  readonly size: number
  /** The bytes from `position` on; fewer than `length` only where the end is nearer. */
  read(position: number, length: number): Promise<Uint8Array>
}

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]

/**
 * Where the HDF5 part of the file begins, to which all its addresses are relative: the signature stands at 0, 512 or
 * a power of two beyond that. Undefined: the file is not an HDF5 file.
 */
export async function findSignature(source: ByteSource): Promise<number | undefined> {
  for (let position = 0; position < source.size; position = position === 0 ? 512 : position * 2) {
    const bytes = await source.read(position, SIGNATURE.length)
    if (SIGNATURE.every((byte, index) => bytes[index] === byte)) return position
  }
  return undefined
}
