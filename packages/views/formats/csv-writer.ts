// Values as CSV (RFC 4180), streamed: elements go in piece by piece, bytes of rows come out. A compound is a row, with
// a column for each member and a first line of names. Other values are rows and columns of numbers or strings without
// such a line. Numbers are written as in JSON, so they give back what was stored; the bytes of strings are written as
// they are.

import { HyperslabError } from '@hyperslab/base/errors'
import { dateText, type NumpyDates } from '@hyperslab/meaning/meaning'
import type { CompoundType, Datatype } from '@hyperslab/model/datatype'
import { datesOf, elementSize, elementsOfType, fieldOffsets } from '@hyperslab/model/datatype'
import {
  type AppendLeaves,
  appendersOf,
  isNumber,
  LONG_VALUE,
  leafAppender,
  leafToJson,
  MAX_READ,
  NUMBER_BATCH,
  type Source,
  sourceOf,
  stringifyJson,
  textAt,
} from '@hyperslab/model/json'
import type { Elements, Piece, ReferenceSyntax, RepeatedElement, ValueStyle } from '@hyperslab/model/values'
import { appendBase64, encodeText, GrowingBytes, repeatElement } from '@hyperslab/model/values'
import { withoutOnes } from './extents.ts'

/** A piece of text is returned when it has about this length. */
const PIECE_LENGTH = 128 * 1024
/** The limit of spreadsheets. @limit format, columns */
const MAX_COLUMNS = 16_384

const COMMA = 0x2c
const QUOTE = 0x22
const SPACE = 0x20
const CR = 0x0d
const LF = 0x0a
const NOTHING = new Uint8Array(0)

/**
 * The number of elements in a row of a selection of this shape, to which an array type adds dimensions.
 * `format-unsupported` if it has more than two dimensions, or for a compound more than one; those of extent 1 do not
 * count.
 */
export function rowLengthOf(type: Datatype, shape: readonly number[]): number {
  const { base, dims } = elementsOfType(type)
  const maxRank = base.class === 'H5T_COMPOUND' ? 1 : 2
  const extents = withoutOnes([...shape, ...dims], maxRank)
  if (extents.length > maxRank) {
    const values = base.class === 'H5T_COMPOUND' ? 'compounds' : 'values'
    throw new HyperslabError(
      'format-unsupported',
      `CSV has rows and columns, and cannot hold ${values} of the extents [${[...shape, ...dims].join(', ')}]: ` +
        `select at most ${maxRank === 1 ? 'one dimension' : 'two dimensions'} of more than one element`,
    )
  }
  return maxRank === 2 && extents.length === 2 ? extents[1] : 1
}

/** Writes values: call `header`, then `write` with each piece of elements, then `finish`. */
export class CsvWriter {
  readonly #out = new GrowingBytes(PIECE_LENGTH + 16 * 1024)
  readonly #type: Datatype
  readonly #leaf: Datatype
  readonly #leavesPerElement: number
  readonly #leafSize: number
  readonly #rowLength: number
  /** Writes many numbers at once; absent: the leaves are not numbers. */
  readonly #appendNumbers: AppendLeaves | undefined
  readonly #cells: readonly Cell[]
  readonly #names: readonly string[]
  #inRow = 0

  /** `rowLength`: `rowLengthOf` the selection. `format-unsupported` if a compound has too many columns. */
  constructor(type: Datatype, rowLength: number, references: ReferenceSyntax) {
    const style: ValueStyle = { references, nonFinite: 'bare', float32: 'shortest' }
    const { base, dims } = elementsOfType(type)
    this.#type = type
    this.#leaf = base
    this.#leavesPerElement = dims.reduce((product, extent) => product * extent, 1)
    this.#leafSize = elementSize(base)
    this.#rowLength = rowLength
    this.#appendNumbers = isNumber(base) ? leafAppender(base, style, this.#out) : undefined
    const columns = base.class === 'H5T_COMPOUND' ? columnsOf(base) : [{ name: '', type: base, offset: 0 }]
    this.#cells = columns.map(({ type, offset }) => newCell(type, offset, style, this.#out))
    this.#names = columns.map(({ name }) => name)
  }

  /** Whether the first line has the names of the columns. */
  get hasHeader(): boolean {
    return this.#leaf.class === 'H5T_COMPOUND'
  }

  /**
   * The text that is ready after these elements, in pieces that must not be changed; an empty one lets other work run.
   */
  write(piece: Piece): Iterable<Uint8Array> {
    return 'element' in piece ? this.#writeEqual(piece) : this.#writeElements(piece)
  }

  /** The text of equal rows is made once. */
  *#writeEqual({ count, element }: RepeatedElement): Iterable<Uint8Array> {
    const inRow = this.#rowLength / this.#leavesPerElement
    const hasRows = Number.isInteger(inRow) && inRow <= MAX_COLUMNS
    const before = hasRows ? ((this.#rowLength - this.#inRow) / this.#leavesPerElement) % inRow : count
    yield* this.#writeOneByOne(Math.min(before, count), element)
    const rows = hasRows ? Math.floor(Math.max(0, count - before) / inRow) : 0
    if (rows > 0) {
      yield this.#out.take()
      const text: Uint8Array[] = [
        ...this.#writeElements(repeatElement(this.#type, element, inRow)),
        this.#out.take(),
      ]
      const row = Buffer.concat(text)
      const atOnce = Math.min(rows, Math.max(1, Math.floor(PIECE_LENGTH / row.length)))
      const block = Buffer.alloc(atOnce * row.length, row)
      for (let left = rows; left > 0; left -= atOnce)
        yield block.subarray(0, Math.min(left, atOnce) * row.length)
    }
    yield* this.#writeOneByOne(count - Math.min(before, count) - rows * inRow, element)
  }

  *#writeOneByOne(count: number, element: Elements): Iterable<Uint8Array> {
    if (count === 0) return
    const some = repeatElement(this.#type, element, Math.min(count, NUMBER_BATCH))
    for (let left = count; left > 0; left -= some.count)
      yield* this.#writeElements({ ...some, count: Math.min(left, some.count) })
  }

  *#writeElements(elements: Elements): Iterable<Uint8Array> {
    const data = sourceOf(elements.data)
    const heap = sourceOf(elements.heap)
    const leaves = elements.count * this.#leavesPerElement
    let read = 0
    for (let done = 0; done < leaves; ) {
      const offset = done * this.#leafSize
      const count = this.#appendNumbers
        ? Math.min(leaves - done, this.#rowLength - this.#inRow, NUMBER_BATCH)
        : 1
      if (this.#inRow > 0) this.#out.appendByte(COMMA)
      if (this.#appendNumbers) this.#appendNumbers(data, offset, count, heap)
      else yield* this.#appendCells(data, offset, heap)
      done += count
      this.#inRow += count
      if (this.#inRow === this.#rowLength) this.#endRow()
      read += count * this.#leafSize
      if (this.#out.length >= PIECE_LENGTH) yield this.#out.take()
      else if (read >= MAX_READ) yield NOTHING
      else continue
      read = 0
    }
  }

  /** The line of names, if there is one. */
  header(): Uint8Array {
    if (!this.hasHeader) return NOTHING
    for (const [i, name] of this.#names.entries()) {
      if (i > 0) this.#out.appendByte(COMMA)
      const bytes = encodeText(name)
      appendText(this.#out, bytes, 0, bytes.length)
    }
    this.#endRow()
    return this.#out.take()
  }

  /** The rest of the text. */
  finish(): Uint8Array {
    return this.#out.take()
  }

  *#appendCells(data: Source, offset: number, heap: Source): Iterable<Uint8Array> {
    for (const [i, cell] of this.#cells.entries()) {
      if (i > 0) this.#out.appendByte(COMMA)
      const steps = cell(data, offset, heap)
      if (!steps) continue
      for (const _ of steps) yield this.#out.length >= PIECE_LENGTH ? this.#out.take() : NOTHING
    }
  }

  #endRow(): void {
    this.#inRow = 0
    this.#out.appendByte(CR)
    this.#out.appendByte(LF)
  }
}

interface Column {
  readonly name: string
  readonly type: Datatype
  readonly offset: number
}

/** Members of members are named `a.b`, elements of arrays `a[0]`. */
function columnsOf(type: CompoundType): readonly Column[] {
  const columns: Column[] = []
  addColumns(type, '', 0, columns)
  return columns
}

function addColumns(type: Datatype, name: string, offset: number, columns: Column[]): void {
  if (type.class === 'H5T_COMPOUND') {
    const offsets = fieldOffsets(type)
    const prefix = name === '' ? '' : `${name}.`
    for (const [i, field] of type.fields.entries())
      addColumns(field.type, prefix + field.name, offset + offsets[i], columns)
  } else if (type.class === 'H5T_ARRAY') {
    const [extent, ...inner] = type.dims
    const base: Datatype = inner.length === 0 ? type.base : { ...type, dims: inner }
    const size = elementSize(base)
    for (let i = 0; i < extent; i++) addColumns(base, `${name}[${i}]`, offset + i * size, columns)
  } else {
    if (columns.length === MAX_COLUMNS) {
      const rule = `CSV cannot hold compounds of more than ${MAX_COLUMNS} columns`
      throw new HyperslabError('format-unsupported', `${rule}: ask for fewer members, or for format=json`)
    }
    columns.push({ name, type, offset })
  }
}

/** Appends the part at an offset of the element at `offset`; the generator has steps if that may take long. */
type Cell = (data: Source, offset: number, heap: Source) => Generator<void> | undefined

function newCell(type: Datatype, offset: number, style: ValueStyle, out: GrowingBytes): Cell {
  if (isNumber(type)) {
    const append = leafAppender(type, style, out)
    return (data, position, heap) => {
      append(data, position + offset, 1, heap)
      return undefined
    }
  }
  switch (type.class) {
    case 'H5T_STRING':
      return (data, position, heap) => {
        const { bytes, from, to } = textAt(type, data, position + offset, heap)
        if (to - from > LONG_VALUE) return appendLongText(out, bytes, from, to)
        appendText(out, bytes, from, to)
        return undefined
      }
    case 'H5T_OPAQUE': {
      const dates = datesOf(type)
      if (dates) return dateCell(dates, offset, out)
      return (data, position) => {
        const from = position + offset
        if (type.size > LONG_VALUE) return appendLongBase64(out, data.bytes, from, from + type.size)
        appendBase64(out, data.bytes, from, from + type.size)
        return undefined
      }
    }
    case 'H5T_REFERENCE':
      return (data, position, heap) => {
        const json = leafToJson(type, data, position + offset, heap.bytes, style)
        const bytes = encodeText(typeof json === 'string' ? json : stringifyJson(json))
        appendText(out, bytes, 0, bytes.length)
        return undefined
      }
    default:
      return jsonCell(type, offset, style, out)
  }
}

function dateCell(dates: NumpyDates, offset: number, out: GrowingBytes): Cell {
  return (data, position) => {
    const stored = data.view.getBigInt64(position + offset, dates.isLittleEndian)
    const bytes = encodeText(dateText(dates, stored))
    appendText(out, bytes, 0, bytes.length)
    return undefined
  }
}

/** The JSON of a sequence. */
function jsonCell(type: Datatype, offset: number, style: ValueStyle, out: GrowingBytes): Cell {
  const json = new GrowingBytes()
  const { isLong, append, appendInSteps } = appendersOf(type, style, json)
  function* inSteps(data: Source, offset: number, heap: Source): Generator<void> {
    out.appendByte(QUOTE)
    for (const _ of appendInSteps(data, offset, heap)) {
      appendDoublingQuotes(out, json.bytes, 0, json.length)
      json.length = 0
      yield
    }
    appendDoublingQuotes(out, json.bytes, 0, json.length)
    json.length = 0
    out.appendByte(QUOTE)
  }
  return (data, position, heap) => {
    if (isLong(data, position + offset)) return inSteps(data, position + offset, heap)
    append(data, position + offset, 1, heap)
    appendText(out, json.bytes, 0, json.length)
    json.length = 0
    return undefined
  }
}

/**
 * Appends a string, in quotes if it must be, or if it is empty or begins or ends with a space: readers skip such lines
 * and spaces.
 */
function appendText(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): void {
  if (!needsQuotes(bytes, from, to)) {
    out.append(bytes, from, to - from)
    return
  }
  out.appendByte(QUOTE)
  appendDoublingQuotes(out, bytes, from, to)
  out.appendByte(QUOTE)
}

function needsQuotes(bytes: Uint8Array, from: number, to: number): boolean {
  if (from === to || bytes[from] === SPACE || bytes[to - 1] === SPACE) return true
  for (let offset = from; offset < to; offset++) {
    const byte = bytes[offset]
    if (byte === COMMA || byte === QUOTE || byte === CR || byte === LF) return true
  }
  return false
}

function* appendLongText(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): Generator<void> {
  out.appendByte(QUOTE)
  for (let offset = from; offset < to; offset += LONG_VALUE) {
    appendDoublingQuotes(out, bytes, offset, Math.min(to, offset + LONG_VALUE))
    yield
  }
  out.appendByte(QUOTE)
}

/** Three bytes become four characters. */
const BASE64_STEP = 3 * 4096

function* appendLongBase64(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): Generator<void> {
  for (let offset = from; offset < to; offset += BASE64_STEP) {
    appendBase64(out, bytes, offset, Math.min(to, offset + BASE64_STEP))
    yield
  }
}

function appendDoublingQuotes(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): void {
  const text = bytes.subarray(from, to)
  for (let offset = 0; offset < text.length; ) {
    const quote = text.indexOf(QUOTE, offset)
    const end = quote === -1 ? text.length : quote + 1
    out.append(text, offset, end - offset)
    if (quote !== -1) out.appendByte(QUOTE)
    offset = end
  }
}
