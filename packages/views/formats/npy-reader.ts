// The header of a file of NumPy, read (NumPy Enhancement Proposal 1, versions 1.0 to 3.0): a dictionary in Python's own
// syntax. A file has the elements of a datatype if its `descr` is the one that npy.ts writes for that type, or has
// complex numbers and dates as they are stored.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import { excerpt, isJsonList, isJsonObject, type JsonValue, type StoredText } from '@hyperslab/model/json'
import { describeElements, MAGIC } from './npy.ts'

export interface NpyHeader {
  /** The `descr` of its `numpy.dtype`; tuples are lists. */
  readonly descr: JsonValue
  readonly shape: readonly number[]
  /** Bytes before the first element. */
  readonly length: number
}

/**
 * Bytes of the header of a file of NumPy; that of a compound with ten thousand members is shorter.
 * @limit safety, bytes
 */
const MAX_HEADER_BYTES = 1 << 19

/** Lists within each other in such a header. @limit safety, levels */
const MAX_LEVELS = 64

export async function readNpyHeader(file: StoredText): Promise<NpyHeader> {
  const fixed = new Uint8Array(MAGIC.length + 6)
  await file.read(0, fixed)
  const version = fixed[MAGIC.length]
  const isKnown = MAGIC.every((byte, i) => byte === fixed[i]) && version >= 1 && version <= 3
  if (!isKnown || file.length < fixed.length) throw notNpy('it does not begin like one')
  const isShort = version === 1
  const view = new DataView(fixed.buffer, MAGIC.length + 2)
  const textLength = isShort ? view.getUint16(0, true) : view.getUint32(0, true)
  const start = MAGIC.length + (isShort ? 4 : 6)
  const length = start + textLength
  if (textLength > MAX_HEADER_BYTES || length > file.length) {
    throw notNpy(`it cannot have a header of ${textLength} bytes`)
  }
  const text = new Uint8Array(textLength)
  await file.read(start, text)
  const literal = new TextDecoder(version === 3 ? 'utf-8' : 'latin1').decode(text)
  return { ...parseHeader(literal), length }
}

/** Throws unless the file holds elements of the type, in an array of this shape apart from extents of 1. */
export function requireArray({ descr, shape }: NpyHeader, type: Datatype, selected: readonly number[]): void {
  const needed = describe(type)
  const neededDescr = parseLiteral(needed.descr)
  const stored = parseLiteral(describeElements(type, 'stored').descr)
  if (![neededDescr, stored].some(form => JSON.stringify(descr) === JSON.stringify(form))) {
    throw new HyperslabError(
      'type-mismatch',
      `the array has the dtype ${excerpt(descr)}, the dataset ${excerpt(neededDescr)}: convert it with astype`,
    )
  }
  const neededShape = [...selected, ...needed.dims]
  const longExtents = (extents: readonly number[]) => extents.filter(extent => extent !== 1).join()
  if (longExtents(shape) === longExtents(neededShape)) return
  throw new HyperslabError(
    'value-count-mismatch',
    `the array has the shape ${excerpt(shape)}, the selected elements have ${excerpt(neededShape)}`,
  )
}

function describe(type: Datatype): ReturnType<typeof describeElements> {
  try {
    return describeElements(type)
  } catch (cause) {
    if (!(cause instanceof HyperslabError)) throw cause
    const rule = 'values of this type cannot be sent as a file of NumPy: send them as JSON'
    throw new HyperslabError('type-mismatch', rule, { cause })
  }
}

function parseHeader(text: string): Pick<NpyHeader, 'descr' | 'shape'> {
  const header = parseLiteral(text)
  if (!isJsonObject(header)) throw notNpy('its header must be a dictionary')
  const descr = header.get('descr')
  const shape = header.get('shape')
  if (descr === undefined) throw notNpy('its header must have "descr"')
  if (!isShape(shape)) throw notNpy('"shape" in its header must be a tuple of whole numbers')
  if (header.get('fortran_order') === false) return { descr, shape }
  throw new HyperslabError(
    'type-mismatch',
    'the array is in the order of Fortran: convert it with numpy.ascontiguousarray',
  )
}

function isShape(shape: JsonValue | undefined): shape is readonly number[] {
  return (
    shape !== undefined &&
    isJsonList(shape) &&
    shape.every(extent => typeof extent === 'number' && Number.isSafeInteger(extent) && extent >= 0)
  )
}

/** The words of Python's literals: a string, a number, a name, or a sign. */
const WORD = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\d+)L?|(True|False|None)|([[\](){}:,]))/gy

/** One of them is there. */
interface Word {
  readonly text: string | undefined
  readonly number: string | undefined
  readonly name: string | undefined
  readonly sign: string | undefined
}

const NO_WORD: Partial<Word> = {}

const NAMES: Readonly<Record<string, JsonValue>> = { True: true, False: false, None: null }

/** A literal of strings, whole numbers, booleans, lists, tuples and dictionaries. */
function parseLiteral(literal: string): JsonValue {
  const words = wordsOf(literal)
  let at = 0
  const isNext = (sign: string) => words[at]?.sign === sign
  function value(levels: number): JsonValue {
    const { text, number, name, sign } = words[at++] ?? NO_WORD
    if (text !== undefined) return unescapeText(text)
    if (number !== undefined) return Number(number)
    if (name !== undefined) return NAMES[name]
    if (levels === MAX_LEVELS) throw notNpy(`its header has more than ${MAX_LEVELS} levels`)
    if (sign === '[') return items(']', () => value(levels + 1))
    if (sign === '(') return items(')', () => value(levels + 1))
    if (sign === '{') return new Map(items('}', () => member(levels + 1)))
    throw malformed()
  }
  function member(levels: number): [string, JsonValue] {
    const name = value(levels)
    if (typeof name !== 'string' || !isNext(':')) throw malformed()
    at++
    return [name, value(levels)]
  }
  function items<Item>(end: string, item: () => Item): Item[] {
    const all: Item[] = []
    while (!isNext(end)) {
      all.push(item())
      if (isNext(',')) at++
      else if (!isNext(end)) throw malformed()
    }
    at++
    return all
  }
  const parsed = value(0)
  if (at < words.length) throw malformed()
  return parsed
}

function wordsOf(literal: string): readonly Word[] {
  const words: Word[] = []
  let length = 0
  for (const [word, single, double, number, name, sign] of literal.trimEnd().matchAll(WORD)) {
    length += word.length
    words.push({ text: single ?? double, number, name, sign })
  }
  if (length !== literal.trimEnd().length) throw malformed()
  return words
}

/** The characters that an escape with a letter is for. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

function unescapeText(text: string): string {
  return text.replace(/\\(?:x(..)|u(.{4})|U(.{8})|(.))/gs, (_, x, u, long, character: string | undefined) => {
    if (character !== undefined) return ESCAPES[character] ?? character
    const code = Number.parseInt(x ?? u ?? long, 16)
    if (!(code <= 0x10ffff)) throw malformed()
    return String.fromCodePoint(code)
  })
}

function malformed(): HyperslabError {
  return notNpy('its header is not a literal of Python')
}

function notNpy(reason: string): HyperslabError {
  return new HyperslabError('malformed-value', `the values must be a file of NumPy (.npy): ${reason}`)
}
