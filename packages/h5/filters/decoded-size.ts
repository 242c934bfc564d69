// The limits of chunks that are decoded. A chunk is in memory as a whole, perhaps more than once, and a few bytes can
// claim any length: so a large chunk must have enough encoded bytes for its length.

/** The longest chunk. @limit memory, bytes */
const MAX_BYTES = 2 ** 28
/** Chunks up to this length may have any encoded length. @limit safety, bytes */
const MAX_CHEAP_BYTES = 2 ** 26
/**
 * The limit of a longer chunk: decoded bytes for each encoded byte. LZ4 reaches 255, for empty frames of a detector.
 * @limit safety, times
 */
const MAX_RATIO = 256

/**
 * The rule that a chunk breaks whose lengths are `length` and, encoded, `encodedLength`; undefined: it may be decoded.
 */
export function decodedSizeFault(encodedLength: number, length: number): string | undefined {
  if (length > MAX_BYTES) return `it has ${length} bytes, and ${MAX_BYTES} are the most that can be decoded`
  if (length <= Math.max(MAX_CHEAP_BYTES, MAX_RATIO * encodedLength)) return undefined
  return (
    `its ${encodedLength} bytes become ${length}: above ${MAX_CHEAP_BYTES} bytes the limit is ${MAX_RATIO} ` +
    'times the encoded length'
  )
}
