// Bytes as other views of the same memory, or as memory of their own; joined, compared, as text and from text. Nothing
// here needs Node.

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

/** The bytes of all pieces, one after another. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}

export function areEqualBytes(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && first.every((byte, at) => byte === second[at])
}

/** The bytes, `count` times. */
export function repeatedBytes(bytes: Uint8Array, count: number): Uint8Array {
  const repeated = new Uint8Array(count * bytes.length)
  repeated.set(bytes.subarray(0, repeated.length))
  for (let done = bytes.length; done < repeated.length; done *= 2) repeated.copyWithin(done, 0, done)
  return repeated
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text; bytes that are not UTF-8 become replacement characters. */
export function utf8Of(bytes: Uint8Array): string {
  return UTF8.decode(bytes)
}

/** A character for each byte, with its number. For a short string. */
export function latin1Of(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** Numbers of 32 bits, little-endian. */
export function uint32sLE(...numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length)
  const view = dataViewOf(bytes)
  for (const [index, number] of numbers.entries()) view.setUint32(4 * index, number, true)
  return bytes
}

/** Numbers of 32 bits, big-endian. */
export function uint32sBE(...numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length)
  const view = dataViewOf(bytes)
  for (const [index, number] of numbers.entries()) view.setUint32(4 * index, number)
  return bytes
}

let allocate = (length: number): Uint8Array => new Uint8Array(length)

/** Replaces how memory is made that need not be filled with zeros, in this thread: systems may have a faster way. */
export function useUnfilledMemory(allocateUnfilled: (length: number) => Uint8Array): void {
  allocate = allocateUnfilled
}

/** Memory with arbitrary content, alone in its buffer. */
export function unfilledMemory(length: number): Uint8Array {
  return allocate(length)
}
