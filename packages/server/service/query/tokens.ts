// The words and signs of a query's text. All but signs, quoted strings and blanks is part of a word, so that names
// in any script and numbers are words alike.

import { HyperslabError } from '@hyperslab/base/errors'
import { encodeText } from '@hyperslab/model/values'
import type { Comparator } from './query.ts'

export type Token = { readonly position: number; readonly end: number } & (
  | { readonly kind: 'word'; readonly text: string }
  /** `marked`: b'...', which is never a name. */
  | { readonly kind: 'quoted'; readonly text: string; readonly bytes: Uint8Array; readonly marked: boolean }
  | { readonly kind: 'comparator'; readonly text: Comparator }
  | { readonly kind: 'sign'; readonly text: '(' | ')' | ',' | '&' | '|' | '~' }
  | { readonly kind: 'end'; readonly text: '' }
)

const BLANK = /\s*/y
const WORD = /[^\s"'()<>=!,&|~]+/y
const COMPARATOR = /[=!<>]=|[<>]/y
const SIGN = /[(),&|~]/y

/** The last token is the end. */
export function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = []
  for (let position = 0; ; ) {
    position += matchAt(BLANK, query, position).length
    const token = position === query.length ? undefined : tokenAt(query, position)
    tokens.push(token ?? { kind: 'end', text: '', position, end: position })
    if (token === undefined) return tokens
    position = token.end
  }
}

function tokenAt(query: string, position: number): Token {
  const marked = query[position] === 'b' && isQuote(query[position + 1])
  if (marked || isQuote(query[position])) return quotedAt(query, position, marked)
  const word = matchAt(WORD, query, position)
  if (word !== '') return { kind: 'word', text: word, position, end: position + word.length }
  const comparator = matchAt(COMPARATOR, query, position)
  if (comparator !== '') {
    return { kind: 'comparator', text: comparator as Comparator, position, end: position + comparator.length }
  }
  const sign = matchAt(SIGN, query, position)
  if (sign === '')
    throw malformedQuery(query, position, `"${query[position]}" is not an operator: use == or !=`)
  return { kind: 'sign', text: sign as '(', position, end: position + 1 }
}

/** The text that a sticky expression matches at this position; empty for none. */
function matchAt(expression: RegExp, text: string, position: number): string {
  expression.lastIndex = position
  return expression.exec(text)?.[0] ?? ''
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'"
}

/**
 * Characters that represent themselves; half a surrogate pair may represent a byte that is not UTF-8 (values/text.ts).
 */
const PLAIN = /(?:[^\\'"\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff]|[\udc80-\udcff])+/y
/** A byte by two hexadecimal digits, or the sign itself. */
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|([\\'"]))/y

/** Escapes `\\`, `\'`, `\"` and `\xHH`; all else represents itself, in UTF-8. */
function quotedAt(query: string, start: number, marked: boolean): Token {
  const open = marked ? start + 1 : start
  const parts: Uint8Array[] = []
  let position = open + 1
  while (position < query.length && query[position] !== query[open]) {
    const plain = isQuote(query[position]) ? query[position] : matchAt(PLAIN, query, position)
    if (plain !== '') {
      parts.push(encodeText(plain))
      position += plain.length
      continue
    }
    ESCAPE.lastIndex = position
    const escaped = ESCAPE.exec(query)
    if (escaped === null) {
      throw malformedQuery(
        query,
        position,
        query[position] === '\\'
          ? 'a backslash must be followed by a backslash, a quote, or x and two hexadecimal digits'
          : 'half of a surrogate pair is not a character',
      )
    }
    const [whole, hexadecimal, sign = ''] = escaped
    parts.push(Uint8Array.of(hexadecimal ? Number.parseInt(hexadecimal, 16) : sign.charCodeAt(0)))
    position += whole.length
  }
  if (position >= query.length) throw malformedQuery(query, start, 'the closing quote of a string is missing')
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let length = 0
  for (const part of parts) {
    bytes.set(part, length)
    length += part.length
  }
  return {
    kind: 'quoted',
    text: query.slice(open + 1, position),
    bytes,
    marked,
    position: start,
    end: position + 1,
  }
}

/** A hint for classic queries with the words of the hsds grammar. */
export const SIGNS_ONLY = ' (this dialect writes &, | and ~, not words)'

const SHOWN_LENGTH = 200

/** `position`: the character of the text that the rule is about, the first is 0. */
export function malformedQuery(query: string, position: number, rule: string): HyperslabError {
  const shown = query.length > SHOWN_LENGTH ? `${query.slice(0, SHOWN_LENGTH)}...` : query
  return new HyperslabError('malformed-query', `query=${shown}: at character ${position}, ${rule}`)
}
