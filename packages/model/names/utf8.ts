// UTF-8, the only encoding of names and text: which strings can be encoded, and whether they fit a limit.

/** Half a surrogate pair alone: such a string cannot be encoded. */
const LONE_SURROGATE = /\p{Cs}/u
const encoder = new TextEncoder()

export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}

/** True when the text takes more than `limit` bytes. Does not encode text whose length decides it. */
export function isUtf8LongerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true
  return text.length * 3 > limit && encoder.encode(text).length > limit
}

/** The order of two strings as UTF-8 bytes, which is that of their code points; the order of UTF-16 differs. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = rankOf(a.charCodeAt(i)) - rankOf(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Surrogates represent code points above all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}
