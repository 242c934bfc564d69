// The end of a JSON value in text that arrives in blocks. Only brackets and strings are followed; the parser of the
// value checks the rest.

import { BACKSLASH, CLOSE, CLOSE_OBJECT, COMMA, isBlank, OPEN, OPEN_OBJECT, QUOTE } from './json-syntax.ts'

/** 1 for the bytes that open and close strings, arrays and objects. */
const SIGNS = new Uint8Array(256)
for (const sign of [QUOTE, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT]) SIGNS[sign] = 1

/** The index of the next such byte, or of the last byte; there may be millions of numbers before it. */
function nextSign(block: Uint8Array, from: number): number {
  const last = block.length - 1
  let offset = from
  while (offset < last && SIGNS[block[offset]] === 0) offset++
  return offset
}

export class ValueEnd {
  /** Open brackets. */
  #depth = 0
  #inString = false
  #isEscaped = false

  /**
   * The index after the value, which begins or continues at `from`. Undefined: it continues in the next block, or is a
   * number or a word at the end of the text.
   */
  find(block: Uint8Array, from: number): number | undefined {
    for (let offset = from; offset < block.length; offset++) {
      if (this.#depth > 0 && !this.#inString) offset = nextSign(block, offset)
      const code = block[offset]
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) {
          this.#inString = false
          if (this.#depth === 0) return offset + 1
        }
      } else if (code === QUOTE) {
        this.#inString = true
      } else if (code === OPEN || code === OPEN_OBJECT) {
        this.#depth++
      } else if (code === CLOSE || code === CLOSE_OBJECT) {
        if (this.#depth === 0) return offset
        if (--this.#depth === 0) return offset + 1
      } else if (this.#depth === 0 && (code === COMMA || isBlank(code))) {
        return offset
      }
    }
    return undefined
  }
}
