// Joins near ranges of bytes, so that one read or one request returns several.

export interface ByteRange {
  readonly position: number
  readonly length: number
}

/** A range of bytes of a file, and its offset in memory. */
export interface TargetRange extends ByteRange {
  readonly offset: number
}

/** Ranges that one read returns. */
export interface JoinedRange extends ByteRange {
  /** The indexes of the ranges in it. */
  readonly members: readonly number[]
}

/**
 * Joins ranges that are at most `gap` bytes apart, into ranges of at most `maxLength` bytes unless one alone is longer.
 */
export function joinRanges(
  ranges: readonly ByteRange[],
  gap: number,
  maxLength: number,
): readonly JoinedRange[] {
  const order = ranges.map((_, index) => index).sort((a, b) => ranges[a].position - ranges[b].position)
  const joined: { position: number; length: number; members: number[] }[] = []
  for (const index of order) {
    const { position, length } = ranges[index]
    const last = joined.at(-1)
    const end = position + length
    if (last && position <= last.position + last.length + gap && end - last.position <= maxLength) {
      last.length = Math.max(last.length, end - last.position)
      last.members.push(index)
    } else {
      joined.push({ position, length, members: [index] })
    }
  }
  return joined
}
