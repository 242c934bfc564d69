// Names of links, attributes and members: bytes, which should be UTF-8 or ASCII but may be neither. A byte that is not
// part of a character becomes the replacement character, `x` and two hexadecimal digits. Different names become
// different strings, and each string can be converted back to the bytes of its name.

import type { CharacterSet } from '@hyperslab/model/datatype'
import { joinBytes } from '@hyperslab/model/values'

export interface DecodedName {
  readonly text: string
  /** True when `text` has escapes: the bytes are not UTF-8, or look like an escape themselves. */
  readonly escaped: boolean
}

/** The decoder takes longer for short names, most of which are ASCII. */
const SHORT = 32

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a name; it ends at the first NUL, as in the library. */
export function decodeName(name: Uint8Array): DecodedName {
  const end = name.indexOf(0)
  const bytes = end === -1 ? name : name.subarray(0, end)
  const text = decodeUtf8(bytes)
  return text === undefined || ESCAPE.test(text)
    ? { text: escapeName(bytes), escaped: true }
    : { text, escaped: false }
}

/** The bytes of the name with this text: UTF-8, except for the escaped bytes. */
export function encodeName(text: string): Uint8Array {
  if (!ESCAPE.test(text)) return ENCODER.encode(text)
  const parts = text.split(ESCAPES)
  // Every second part is the two digits of an escape.
  return joinBytes(
    parts.map((part, i) => (i % 2 === 0 ? ENCODER.encode(part) : Uint8Array.of(Number.parseInt(part, 16)))),
  )
}

/**
 * The character set of a name, as h5py stores it: UTF-8 if it differs from ASCII. Bytes that are not UTF-8 count as
 * ASCII.
 */
export function characterSetOf(text: string): CharacterSet {
  if (ESCAPE.test(text)) return 'H5T_CSET_ASCII'
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return 'H5T_CSET_UTF8'
  return 'H5T_CSET_ASCII'
}

const ESCAPE = /\ufffdx[89a-f][0-9a-f]/
const ESCAPES = /\ufffdx([89a-f][0-9a-f])/

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
    const character = length === 0 ? undefined : DECODER.decode(bytes.subarray(position, position + length))
    if (character !== undefined && character !== REPLACEMENT) text += character
    else for (const byte of bytes.subarray(position, position + (length || 1))) text += escapeOf(byte)
    position += length || 1
  }
  return text
}

const REPLACEMENT = '\ufffd'

function escapeOf(byte: number): string {
  return `${REPLACEMENT}x${byte.toString(16).padStart(2, '0')}`
}

/** The number of bytes of the character at `position`; 0 if there is none. */
function characterLength(bytes: Uint8Array, position: number): number {
  for (let length = 1; length <= Math.min(LONGEST_CHARACTER, bytes.length - position); length++) {
    if (decodeUtf8(bytes.subarray(position, position + length)) !== undefined) return length
  }
  return 0
}
