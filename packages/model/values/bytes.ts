// Bytes as other views of the same memory, or as memory of their own.

export function dataViewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The bytes as a Uint8Array that is not a Buffer, whose `slice` does not copy. */
export function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** The bytes in memory that holds nothing else; a copy if theirs holds more. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
}
