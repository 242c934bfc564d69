// A condition for the rows of a table whose columns are datasets of their own, tested by the page: no request of the
// service searches several datasets. The language is that of the service (hsds-values 11.2), `temp > 20 AND (kind ==
// 'go' OR n IN (1, 2))`, without the old form `where`. A value that is missing is equal to nothing, and not unequal.

import { numberForm } from '@hyperslab/client/elements'
import type { Column } from './columns.ts'
import { COMPARISONS, type Comparison } from './query.ts'

/** Whether the condition holds for a row; `valuesOf` has the values of each column that is named. */
type Test = (row: number) => boolean

export interface RowCondition {
  readonly columns: readonly Column[]
  readonly compile: (valuesOf: ReadonlyMap<Column, ArrayLike<unknown>>) => Test
}

/** Throws with the reason if the text is no condition on the columns. */
export function parseCondition(text: string, columns: readonly Column[]): RowCondition {
  const parser = new Parser(text, columns)
  const compile = parser.parse()
  return { columns: [...parser.used], compile }
}

type Compile = RowCondition['compile']

interface Token {
  readonly text: string
  /** The text between quotes; undefined: there are none. */
  readonly quoted: string | undefined
  readonly position: number
}

const TOKENS = /\s*(?:b?'((?:[^'\\]|\\.)*)'|b?"((?:[^"\\]|\\.)*)"|([=!<>]=|[<>(),&|]|[^\s"'()<>=!,&|]+))/y

/** The longest condition. @limit safety, characters */
const MAX_LENGTH = 65_536

function tokensOf(text: string): readonly Token[] {
  if (text.length > MAX_LENGTH) throw new Error(`A condition has at most ${MAX_LENGTH} characters.`)
  const tokens: Token[] = []
  const end = text.trimEnd().length
  for (let position = 0; position < end; position = TOKENS.lastIndex) {
    TOKENS.lastIndex = position
    const found = TOKENS.exec(text)
    if (found === null) throw new Error(`Character ${position} of the condition begins nothing: ${text}`)
    const quoted = (found[1] ?? found[2])?.replace(/\\(.)/g, '$1')
    tokens.push({ text: quoted ?? found[3] ?? '', quoted, position: position + found[0].search(/\S/) })
  }
  return tokens
}

/** Operators from the weakest on, each with its sign. */
const OPERATORS: readonly (readonly [word: string, sign: string, of: (a: boolean, b: boolean) => boolean])[] =
  [
    ['OR', '|', (a, b) => a || b],
    ['XOR', 'XOR', (a, b) => a !== b],
    ['AND', '&', (a, b) => a && b],
  ]

const FLIPPED: Readonly<Record<string, Comparison>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

class Parser {
  readonly used = new Set<Column>()
  readonly #tokens: readonly Token[]
  readonly #columns: ReadonlyMap<string | undefined, Column>
  #at = 0

  constructor(text: string, columns: readonly Column[]) {
    this.#tokens = tokensOf(text)
    this.#columns = new Map(columns.map(column => [column.field, column]))
  }

  /** The columns that are used are known then. */
  parse(): Compile {
    const found = this.#any(0)
    if (this.#at < this.#tokens.length) throw this.#unexpected('AND, OR or the end')
    return found
  }

  #any(level: number): Compile {
    const operator = OPERATORS[level]
    if (operator === undefined) return this.#not()
    const [word, sign, of] = operator
    let left = this.#any(level + 1)
    while (this.#take(word) || this.#take(sign)) {
      const [before, after] = [left, this.#any(level + 1)]
      left = values => {
        const [a, b] = [before(values), after(values)]
        return row => of(a(row), b(row))
      }
    }
    return left
  }

  #not(): Compile {
    if (this.#take('NOT')) return negated(this.#not())
    if (!this.#take('(')) return this.#comparison()
    const inner = this.#any(0)
    if (!this.#take(')')) throw this.#unexpected(')')
    return inner
  }

  #comparison(): Compile {
    const left = this.#next('a column')
    const column = this.#columns.get(left.text)
    if (column) {
      const isNegated = this.#take('NOT')
      if (this.#take('IN')) return isNegated ? negated(this.#membership(column)) : this.#membership(column)
      if (isNegated) throw this.#unexpected('IN')
    }
    const comparison = this.#comparator()
    const right = this.#next('a value')
    if (column) return this.#compare(column, comparison, right)
    const other = right.quoted === undefined ? this.#columns.get(right.text) : undefined
    if (other === undefined) throw new Error(`The table has no column ${left.text}.`)
    return this.#compare(other, FLIPPED[comparison] ?? comparison, left)
  }

  #membership(column: Column): Compile {
    if (!this.#take('(')) throw this.#unexpected('(')
    const tests = [this.#compare(column, '==', this.#next('a value'))]
    while (this.#take(',')) tests.push(this.#compare(column, '==', this.#next('a value')))
    if (!this.#take(')')) throw this.#unexpected(')')
    return values => {
      const all = tests.map(compile => compile(values))
      return row => all.some(test => test(row))
    }
  }

  #comparator(): Comparison {
    const { text } = this.#next('a comparison')
    const found = COMPARISONS.find(one => one === text)
    if (found === undefined) throw new Error(`${text} is no comparison: ${COMPARISONS.join(' ')}`)
    return found
  }

  #compare(column: Column, comparison: Comparison, token: Token): Compile {
    this.used.add(column)
    const literal = literalOf(column, token)
    const holds = HOLDS[comparison]
    return values => {
      const list = values.get(column) ?? []
      return row => {
        const value = list[row]
        return (
          value !== undefined && holds(orderOf(typeof value === 'boolean' ? Number(value) : value, literal))
        )
      }
    }
  }

  #take(word: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.quoted !== undefined || token?.text.toUpperCase() !== word) return false
    this.#at++
    return true
  }

  #next(wanted: string): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw this.#unexpected(wanted)
    this.#at++
    return token
  }

  #unexpected(wanted: string): Error {
    const token = this.#tokens[this.#at]
    const place = token ? `at character ${token.position}, not ${token.text}` : 'at its end'
    return new Error(`The condition needs ${wanted} ${place}.`)
  }
}

function negated(compile: Compile): Compile {
  return values => {
    const test = compile(values)
    return row => !test(row)
  }
}

/** A literal for a float of 32 bits has its precision. */
function literalOf({ name, type }: Column, { text, quoted }: Token): string | number | bigint {
  if (type.class === 'H5T_STRING') return text
  const form = numberForm(type)
  if (quoted !== undefined || form === undefined || text.trim() === '' || Number.isNaN(Number(text)))
    throw new Error(`${name} cannot be compared with ${quoted === undefined ? text : `'${text}'`}.`)
  const number = Number(text)
  if (form.kind === 'float') return form.size === 4 ? Math.fround(number) : number
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^[+-]?\d+$/.test(text)
    ? BigInt(text)
    : number
}

/** Negative, 0 or positive; NaN: they cannot be ordered. */
function orderOf(value: unknown, literal: string | number | bigint): number {
  const known = value as typeof literal
  return known < literal ? -1 : known > literal ? 1 : Number.isNaN(known) ? Number.NaN : 0
}

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '==': order => order === 0,
  '!=': order => order !== 0,
  '<': order => order < 0,
  '<=': order => order <= 0,
  '>': order => order > 0,
  '>=': order => order >= 0,
}
