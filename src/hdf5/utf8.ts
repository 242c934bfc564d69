// UTF-8, the only encoding of names and text: which strings can be encoded, and how many bytes they take.

/** Half a surrogate pair, standing alone: such a string cannot be encoded. */
const LONE_SURROGATE = /\p{Cs}/u
const encoder = new TextEncoder()

export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}

/** True when the text takes more than `limit` bytes. Does not encode text whose length already tells. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true
  return text.length * 3 > limit && encoder.encode(text).length > limit
}
