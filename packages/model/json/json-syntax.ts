// The syntax of JSON, for all that read it: its characters, each one byte of UTF-8, its limits, and the rules of
// strings.

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const MINUS = 0x2d
export const PLUS = 0x2b
export const POINT = 0x2e
export const ZERO = 0x30
export const LETTER_E = 0x65
export const CAPITAL_E = 0x45

/**
 * Objects and arrays within each other. Keeps recursion over them far from the end of the stack.
 * @limit safety, levels
 */
export const MAX_DEPTH = 512

export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}

/** The control characters that have a letter of their own after a backslash. */
export const CONTROL_ESCAPES = { b: 0x08, t: 0x09, n: 0x0a, f: 0x0c, r: 0x0d }

/** Codes below are control characters, which a string must escape. */
export const FIRST_PRINTABLE = 0x20

export const BARE_CONTROL_CHARACTER = 'a control character in a string must be escaped'
export const WRONG_ESCAPE =
  'after a backslash the string must have one of "\\/bfnrt, or u and four hexadecimal digits'
