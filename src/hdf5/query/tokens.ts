// The words and signs of a query's text. What is not a sign, a quoted text or a blank is part of a word, so that names
// in any script and numbers are words alike.

import { HyperslabError } from '../../errors.ts'
import { encodeText } from '../values/text.ts'
import type { Comparator } from './query.ts'

export type Token = { readonly at: number; readonly end: number } & (
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
  for (let at = 0; ; ) {
    at += matchAt(BLANK, query, at).length
    const token = at === query.length ? undefined : tokenAt(query, at)
    tokens.push(token ?? { kind: 'end', text: '', at, end: at })
    if (token === undefined) return tokens
    at = token.end
  }
}

function tokenAt(query: string, at: number): Token {
  const marked = query[at] === 'b' && isQuote(query[at + 1])
  if (marked || isQuote(query[at])) return quotedAt(query, at, marked)
  const word = matchAt(WORD, query, at)
  if (word !== '') return { kind: 'word', text: word, at, end: at + word.length }
  const comparator = matchAt(COMPARATOR, query, at)
  if (comparator !== '') {
    return { kind: 'comparator', text: comparator as Comparator, at, end: at + comparator.length }
  }
  const sign = matchAt(SIGN, query, at)
  if (sign === '') throw malformedQuery(query, at, `"${query[at]}" compares nothing: == and != do`)
  return { kind: 'sign', text: sign as '(', at, end: at + 1 }
}

/** The text that a sticky expression matches at this place; empty for none. */
function matchAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at
  return expression.exec(text)?.[0] ?? ''
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'"
}

/** A byte by two hexadecimal digits, or the sign itself. */
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|([\\'"]))/y

/** But for the halves that stand for bytes that are not UTF-8 (values/text.ts). */
const HALF_PAIR = /^[\ud800-\udc7f\udd00-\udfff]$/

/** Escapes `\\`, `\'`, `\"` and `\xHH`; all else stands for itself, in UTF-8. */
function quotedAt(query: string, start: number, marked: boolean): Token {
  const open = marked ? start + 1 : start
  const bytes: number[] = []
  for (let at = open + 1; at < query.length; ) {
    if (query[at] === query[open]) {
      const text = query.slice(open + 1, at)
      return { kind: 'quoted', text, bytes: Uint8Array.from(bytes), marked, at: start, end: at + 1 }
    }
    ESCAPE.lastIndex = at
    const escaped = ESCAPE.exec(query)
    if (escaped !== null) {
      bytes.push(escaped[1] === undefined ? escaped[2].charCodeAt(0) : Number.parseInt(escaped[1], 16))
      at += escaped[0].length
    } else if (query[at] === '\\') {
      throw malformedQuery(
        query,
        at,
        'after a backslash comes a backslash, a quote, or x and two hexadecimal digits',
      )
    } else {
      const character = String.fromCodePoint(query.codePointAt(at) ?? 0)
      if (HALF_PAIR.test(character))
        throw malformedQuery(query, at, 'half a surrogate pair stands for nothing')
      bytes.push(...encodeText(character))
      at += character.length
    }
  }
  throw malformedQuery(query, start, 'the quoted text does not end')
}

const SHOWN_LENGTH = 200

/** `at`: the character of the text that the rule is about, the first is 0. */
export function malformedQuery(query: string, at: number, rule: string): HyperslabError {
  const shown = query.length > SHOWN_LENGTH ? `${query.slice(0, SHOWN_LENGTH)}...` : query
  return new HyperslabError('malformed-query', `query=${shown}: at character ${at}, ${rule}`)
}
