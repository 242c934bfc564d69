// Patterns of names of files with a coordinate in them: `run_{n:d}.h5`, `T_{x:g}K*.nc`, `{t:%Y-%m-%dT%H%M%S}_raw.h5`.

import type { NewCoordinateValue } from './coordinates.ts'

/** The coordinate in a name; undefined: the name has another form. */
export type NamePattern = (name: string) => NewCoordinateValue | undefined

const TOKEN = /\{([^{}]*)\}|[\s\S]/gu
/** `n`, and after a colon the kind of value; a string if there is none. */
const FIELD = /^[\p{L}_][\p{L}\p{N}_]*(?::([\s\S]*))?$/u
const NUMBERS = new Map([
  ['d', '-?\\d+'],
  ['g', '-?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][-+]?\\d+)?'],
])
/** The digits of the parts of a time. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ['%Y', 4],
  ['%j', 3],
  ['%m', 2],
  ['%d', 2],
  ['%H', 2],
  ['%M', 2],
  ['%S', 2],
])

/**
 * The pattern has one field: `{n:d}` is a whole number, `{x:g}` a number, `{s}` a string, `{t:%Y%m%d}` a time of `%Y`,
 * `%m` and `%d` or `%j` (the day of the year), `%H`, `%M` and `%S`. `?` is any character, and one `*` any characters. A
 * string: the rule that it breaks.
 */
export function parseNamePattern(pattern: string): NamePattern | string {
  let expression = ''
  let field: ((text: string) => NewCoordinateValue | undefined) | undefined
  let stars = 0
  for (const [token, inner] of pattern.matchAll(TOKEN)) {
    if (inner !== undefined) {
      if (field) return `${pattern} has more than one field`
      const parsed = parseField(inner)
      if (typeof parsed === 'string') return `${token} of ${pattern} ${parsed}`
      expression += `(${parsed.expression})`
      field = parsed.read
    } else if (token === '{' || token === '}') return `${pattern} has a brace without a field`
    else if (token === '?') expression += '.'
    else if (token === '*') {
      // Each one multiplies the time that a name can take.
      if (++stars > 1) return `${pattern} has more than one *`
      expression += '.*?'
    } else expression += escaped(token)
  }
  const read = field
  if (!read) return `${pattern} has no field, such as {n:d}`
  const form = new RegExp(`^${expression}$`, 'su')
  return name => {
    const text = form.exec(name)?.[1]
    return text === undefined ? undefined : read(text)
  }
}

interface Field {
  readonly expression: string
  readonly read: (text: string) => NewCoordinateValue | undefined
}

function parseField(inner: string): Field | string {
  const match = FIELD.exec(inner)
  if (!match) return 'must have a name, and perhaps a kind: {n:d}'
  const [, kind] = match
  if (kind === undefined) return { expression: '.+', read: text => ({ value: text, isTime: false }) }
  const number = NUMBERS.get(kind)
  if (number !== undefined) {
    const read = (text: string): NewCoordinateValue => ({
      value: kind === 'd' ? BigInt(text) : Number(text),
      isTime: false,
    })
    return { expression: number, read }
  }
  return kind.includes('%') ? parseTime(kind) : `must be one of {n:d}, {x:g}, {s} and a time: {t:%Y%m%d}`
}

function parseTime(format: string): Field | string {
  const parts: readonly string[] = format.match(/%[\s\S]|[^%]|%/gu) ?? []
  const unknown = parts.find(part => part.startsWith('%') && !DIGITS.has(part))
  if (unknown !== undefined) return `has ${unknown}: a time has ${[...DIGITS.keys()].join(', ')}`
  if (!parts.includes('%Y')) return 'has no year: %Y'
  const names = parts.filter(part => DIGITS.has(part))
  if (new Set(names).size < names.length) return 'has a part twice'
  const expression = parts
    .map(part => (DIGITS.has(part) ? `\\d{${DIGITS.get(part)}}` : escaped(part)))
    .join('')
  const read = (text: string): NewCoordinateValue | undefined => {
    const values = new Map<string, number>()
    let at = 0
    for (const part of parts) {
      const length = DIGITS.get(part) ?? part.length
      if (DIGITS.has(part)) values.set(part, Number(text.slice(at, at + length)))
      at += length
    }
    const seconds = secondsOf(values)
    return seconds === undefined ? undefined : { value: seconds, isTime: true }
  }
  return { expression, read }
}

/** Seconds since 1970 in the Gregorian calendar; undefined: there is no such time. */
function secondsOf(values: ReadonlyMap<string, number>): bigint | undefined {
  const part = (name: string, otherwise: number) => values.get(name) ?? otherwise
  const [year, month, hour, minute, second] = [
    part('%Y', 0),
    part('%m', 1),
    part('%H', 0),
    part('%M', 0),
    part('%S', 0),
  ]
  const day = part('%d', part('%j', 1))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDay = values.has('%j')
    ? day > 0 && date.getUTCFullYear() === year
    : date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined
  return BigInt(date.setUTCHours(hour, minute, second) / 1000)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
