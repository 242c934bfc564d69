// Names of links, attributes and members: bytes, which should be UTF-8 or ASCII and need not be.

export interface DecodedName {
  readonly text: string
  /** True when the bytes are not UTF-8: `text` has `\xNN` for each byte that fits no character. */
  readonly escaped: boolean
}

/** The decoder takes longer for short names, most of which are ASCII. */
const SHORT = 32

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a name; it ends at the first NUL, as in the library. */
export function decodeName(name: Uint8Array): DecodedName {
  const end = name.indexOf(0)
  const bytes = end === -1 ? name : name.subarray(0, end)
  const text = decodeUtf8(bytes)
  return text === undefined ? { text: escapeName(bytes), escaped: true } : { text, escaped: false }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  const ascii = bytes.length <= SHORT ? decodeAscii(bytes) : undefined
  if (ascii !== undefined) return ascii
  try {
    return DECODER.decode(bytes)
  } catch {
    return undefined
  }
}

/** Undefined if a byte is not ASCII. */
function decodeAscii(bytes: Uint8Array): string | undefined {
  let text = ''
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] >= 0x80) return undefined
    text += String.fromCharCode(bytes[at])
  }
  return text
}

const LONGEST_CHARACTER = 4

function escapeName(bytes: Uint8Array): string {
  let text = ''
  let position = 0
  while (position < bytes.length) {
    const length = characterLength(bytes, position)
    if (length === 0) text += `\\x${bytes[position].toString(16).padStart(2, '0')}`
    else text += DECODER.decode(bytes.subarray(position, position + length))
    position += length || 1
  }
  return text
}

/** How many bytes the character at `position` has; 0 if there is none. */
function characterLength(bytes: Uint8Array, position: number): number {
  for (let length = 1; length <= Math.min(LONGEST_CHARACTER, bytes.length - position); length++) {
    if (decodeUtf8(bytes.subarray(position, position + length)) !== undefined) return length
  }
  return 0
}
