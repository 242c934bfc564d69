// Which chunks may be decoded. A chunk is in memory as a whole, perhaps more than once, and a few bytes can claim any
// number: so a large chunk must have bytes for what it claims.

/** The most bytes of all chunks. */
const MAX_BYTES = 2 ** 28
/** Up to here whatever they were encoded to. */
const MAX_CHEAP_BYTES = 2 ** 26
/** Above that: bytes for each encoded byte. LZ4 makes 255 of one at most: the frames of a detector that saw nothing. */
const MAX_RATIO = 256

/** The rule that a chunk of `length` bytes breaks, `encodedLength` when encoded; undefined: it may be decoded. */
export function decodedSizeFault(encodedLength: number, length: number): string | undefined {
  if (length > MAX_BYTES) return `it has ${length} bytes, and ${MAX_BYTES} are the most that can be decoded`
  if (length <= Math.max(MAX_CHEAP_BYTES, MAX_RATIO * encodedLength)) return undefined
  return (
    `its ${encodedLength} bytes become ${length}: above ${MAX_CHEAP_BYTES} bytes the limit is ${MAX_RATIO} ` +
    'times the encoded length'
  )
}
