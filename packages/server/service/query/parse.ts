// Parses the text of a query. There are two grammars: `signs` is that of the classic dialect (classic 15.5), `words`
// that of hsds (hsds-values 11.2).
//
//   signs any := all { "|" all } all := not { "&" not } not := [ "~" ] not | "(" any ")" | condition
//   words query := [ any ] "where" condition | any
//             any := one { OR one } one := all { XOR all } all := not { AND not }
//             not := NOT not | "(" any ")" | condition "|" is OR, "&" is AND
//   condition := operand comparator operand one a field, the other a literal
//              | field [ NOT ] IN "(" literal { "," literal } ")" words

import type { Comparator, Condition, FieldName, Literal, Query } from './query.ts'
import { malformedQuery, SIGNS_ONLY, type Token, tokensOf } from './tokens.ts'

/** Conditions are joined by signs (`&`, `|`, `~`), or by words too (`AND`, `OR`, `NOT`). */
export type QueryGrammar = 'signs' | 'words'

/** `malformed-query`, with the character that is wrong, when the text is not a query. */
export function parseQuery(text: string, grammar: QueryGrammar): Query {
  if (text.length > MAX_LENGTH) {
    throw malformedQuery(text, MAX_LENGTH, `a query must have at most ${MAX_LENGTH} characters`)
  }
  return { text, condition: new Parser(text, grammar).parse() }
}

/** The length of the longest URL: parsing a longer query would block the event loop. @limit safety, bytes */
const MAX_LENGTH = 1 << 18

type Word = 'AND' | 'OR' | 'XOR' | 'NOT' | 'IN' | 'WHERE'

const WORDS: ReadonlySet<string> = new Set<Word>(['AND', 'OR', 'XOR', 'NOT', 'IN', 'WHERE'])

const OPERATORS: ReadonlySet<string> = new Set<Word>(['AND', 'OR', 'XOR', 'NOT'])

/** Conditions within each other: far from the end of the stack. @limit safety, levels */
const MAX_DEPTH = 256

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
/** Making a bigint of a longer integer takes time that grows with the square of its length. @limit safety, digits */
const MAX_NUMBER_LENGTH = 400

const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** One side of a comparison: quoted text may be a name or a literal. */
type Operand =
  | { readonly kind: 'name'; readonly field: FieldName }
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: 'quoted'; readonly field: FieldName; readonly literal: Literal }

class Parser {
  readonly #text: string
  readonly #grammar: QueryGrammar
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(text: string, grammar: QueryGrammar) {
    this.#text = text
    this.#grammar = grammar
    this.#tokens = tokensOf(text)
  }

  parse(): Condition {
    const conditions: Condition[] = []
    if (!this.#isWord('WHERE')) conditions.push(this.#any())
    if (this.#skipWord('WHERE')) {
      const field = this.#fieldOf(this.#operand())
      if (!this.#isWord('IN') && !this.#isWord('NOT'))
        throw this.#unexpected('IN: "where" must be followed by a list')
      conditions.push(this.#membership(field))
    }
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator or the end')
    return joinConditions('and', conditions)
  }

  get #token(): Token {
    return this.#tokens[this.#next]
  }

  #any(): Condition {
    return this.#chain('or', '|', 'OR', () =>
      this.#chain('xor', undefined, 'XOR', () => this.#chain('and', '&', 'AND', () => this.#not())),
    )
  }

  #chain(
    kind: 'and' | 'or' | 'xor',
    sign: '&' | '|' | undefined,
    word: Word,
    operand: () => Condition,
  ): Condition {
    const operands = [operand()]
    while ((sign !== undefined && this.#skipSign(sign)) || this.#skipWord(word)) operands.push(operand())
    return joinConditions(kind, operands)
  }

  #not(): Condition {
    if (++this.#depth > MAX_DEPTH)
      throw this.#malformed(`conditions must not be nested more than ${MAX_DEPTH} deep`)
    const query = this.#unnested()
    this.#depth--
    return query
  }

  #unnested(): Condition {
    const negated = this.#grammar === 'signs' ? this.#skipSign('~') : this.#skipWord('NOT')
    if (negated) return { kind: 'not', operand: this.#not() }
    if (!this.#skipSign('(')) return this.#condition()
    const query = this.#any()
    this.#needSign(')', 'an operator or ")"')
    return query
  }

  #condition(): Condition {
    const left = this.#operand()
    if (this.#isWord('IN') || this.#isWord('NOT')) return this.#membership(this.#fieldOf(left))
    const sign = this.#token
    if (sign.kind !== 'comparator') throw this.#unexpected('a comparison: ==, !=, <, <=, > or >=')
    this.#next++
    return this.#comparison(left, sign.text, this.#operand(), sign.position)
  }

  /** One side names a field, at the right only without quotes. Quoted text at the left is the field if it can be. */
  #comparison(left: Operand, comparator: Comparator, right: Operand, position: number): Condition {
    const kind = 'comparison'
    if (left.kind !== 'literal' && right.kind !== 'name') {
      return { kind, field: left.field, comparator, literal: right.literal }
    }
    if (left.kind !== 'name' && right.kind === 'name') {
      return { kind, field: right.field, comparator: MIRRORED[comparator], literal: left.literal }
    }
    const operands = left.kind === 'name' ? 'two fields (put quotes around a string)' : 'two literals'
    const rule = `${comparator} compares a field with a literal, not ${operands}${this.#hint()}`
    throw malformedQuery(this.#text, position, rule)
  }

  #membership(field: FieldName): Condition {
    const negated = this.#skipWord('NOT')
    if (!this.#skipWord('IN')) throw this.#unexpected('IN')
    this.#needSign('(', '"(" and a list of values')
    const literals: Literal[] = []
    do {
      const operand = this.#operand()
      literals.push(operand.kind === 'name' ? bareText(operand.field) : operand.literal)
    } while (this.#skipSign(','))
    this.#needSign(')', '"," or ")"')
    const membership: Condition = { kind: 'membership', field, literals }
    return negated ? { kind: 'not', operand: membership } : membership
  }

  /** A number, a quoted string, or a name of one or more words. */
  #operand(): Operand {
    const first = this.#token
    if (first.kind === 'quoted') {
      this.#next++
      const source = this.#text.slice(first.position, first.end)
      const literal: Literal = { kind: 'text', bytes: first.bytes, source, position: first.position }
      if (first.marked || this.#grammar === 'signs') return { kind: 'literal', literal }
      return {
        kind: 'quoted',
        field: { name: new TextDecoder().decode(first.bytes), position: first.position },
        literal,
      }
    }
    let { end } = first
    for (; this.#token.kind === 'word' && !this.#isKeyword(); this.#next++) end = this.#token.end
    const name = this.#text.slice(first.position, end)
    if (name === '' || this.#token === first) throw this.#unexpected('a field or a value')
    if (!NUMBER.test(name)) return { kind: 'name', field: { name, position: first.position } }
    return { kind: 'literal', literal: this.#number(name, first.position) }
  }

  #number(source: string, position: number): Literal {
    if (source.length > MAX_NUMBER_LENGTH) {
      throw malformedQuery(this.#text, position, `a number must have at most ${MAX_NUMBER_LENGTH} characters`)
    }
    const number = Number(source)
    if (!Number.isFinite(number)) {
      throw malformedQuery(this.#text, position, `the number ${source} is beyond what a double can hold`)
    }
    const isInteger = /^[+-]?\d+$/.test(source)
    const value = isInteger && !Number.isSafeInteger(number) ? BigInt(source.replace('+', '')) : number
    return { kind: 'number', value, source, position }
  }

  #fieldOf(operand: Operand): FieldName {
    if (operand.kind !== 'literal') return operand.field
    throw malformedQuery(
      this.#text,
      operand.literal.position,
      `IN needs a field before it, not ${operand.literal.source}`,
    )
  }

  #isKeyword(): boolean {
    const token = this.#token
    return this.#grammar === 'words' && token.kind === 'word' && WORDS.has(token.text.toUpperCase())
  }

  #isWord(word: Word): boolean {
    return this.#isKeyword() && this.#token.text.toUpperCase() === word
  }

  #skipWord(word: Word): boolean {
    const isMatch = this.#isWord(word)
    if (isMatch) this.#next++
    return isMatch
  }

  #skipSign(sign: string): boolean {
    const isMatch = this.#token.kind === 'sign' && this.#token.text === sign
    if (isMatch) this.#next++
    return isMatch
  }

  #needSign(sign: string, expected: string): void {
    if (!this.#skipSign(sign)) throw this.#unexpected(expected)
  }

  #unexpected(expected: string): Error {
    const { kind, position, end } = this.#token
    const found = kind === 'end' ? 'the end' : `"${this.#text.slice(position, end)}"`
    return this.#malformed(`expected ${expected}, found ${found}${this.#hint()}`)
  }

  #hint(): string {
    const hasWords = this.#tokens.some(
      ({ kind, text }) => kind === 'word' && OPERATORS.has(text.toUpperCase()),
    )
    return this.#grammar === 'signs' && hasWords ? SIGNS_ONLY : ''
  }

  #malformed(rule: string): Error {
    return malformedQuery(this.#text, this.#token.position, rule)
  }
}

/** Operands that are joined alike are one list, however the text nests them. */
function joinConditions(kind: 'and' | 'or' | 'xor', operands: readonly Condition[]): Condition {
  if (operands.length === 1) return operands[0]
  return { kind, operands: operands.flatMap(one => (one.kind === kind ? one.operands : [one])) }
}

/** A word without quotes in a list of values. */
function bareText({ name, position }: FieldName): Literal {
  return { kind: 'text', bytes: new TextEncoder().encode(name), source: name, position }
}
