// Values as an Arrow IPC stream (Apache Arrow, "Columnar Format", "IPC Streaming Format"), written by the library
// apache-arrow: elements go in piece by piece, and record batches of about one MiB come out. A compound has a column
// for each member; of other values there is the one column `value`. Members of members are structs, array types lists
// of fixed size, sequences lists, enumerations the integers of their base, and references text. No value is null.
//
// Loading the library takes some hundred milliseconds: import this module when a request needs it.

import type {
  BitfieldType,
  ByteOrder,
  CompoundType,
  Datatype,
  IntegerType,
  ReferenceType,
  VlenType,
} from '@hyperslab/model/datatype'
import { datesOf, elementSize, fieldOffsets, isBoolean, isVariableSize } from '@hyperslab/model/datatype'
import { leafToJson, type Source, sourceOf, stringifyJson, textAt } from '@hyperslab/model/json'
import type { Elements, ReferenceSyntax, ValueStyle } from '@hyperslab/model/values'
import { encodeText, GrowingBytes, slotLength, slotStart } from '@hyperslab/model/values'
import {
  AsyncByteQueue,
  Bool,
  type Data,
  DataType,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow'
import { DatesColumn, isInArrow } from './arrow-dates.ts'

/** A record batch is written when its columns have about this number of bytes. */
const BATCH_BYTES = 1 << 20
/** Bytes of elements that are read between two pieces of an answer. @limit memory, bytes */
const MAX_READ = 256 << 10
const NOTHING = new Uint8Array(0)

/** Writes values: call `header`, then `write` with each piece of elements, then `finish`. */
export class ArrowWriter {
  readonly #size: number
  /** Rows that are appended at once: one where a row may be of any size. */
  readonly #step: number
  readonly #schema: Schema
  readonly #table: StructColumn
  readonly #sink = new PieceSink()
  readonly #writer = new RecordBatchStreamWriter()

  /** `count` is the number of all elements, if it is known. */
  constructor(type: Datatype, count: number | undefined, references: ReferenceSyntax) {
    const row: CompoundType =
      type.class === 'H5T_COMPOUND' ? type : { class: 'H5T_COMPOUND', fields: [{ name: 'value', type }] }
    this.#size = elementSize(type)
    this.#step = isVariableSize(type) ? 1 : Math.max(1, Math.floor(MAX_READ / this.#size))
    const room = Math.ceil((BATCH_BYTES + MAX_READ) / this.#size)
    this.#table = new StructColumn(row, { room: Math.min(count ?? room, room), references })
    this.#schema = new Schema(this.#table.type.children)
  }

  header(): Uint8Array {
    this.#writer.reset(this.#sink, this.#schema)
    return this.#sink.take()
  }

  /**
   * The bytes that are ready after these elements, in pieces that belong to the receiver; an empty one lets other work
   * run.
   */
  *write(elements: Elements): Iterable<Uint8Array> {
    const data = sourceOf(elements.data)
    const heap = sourceOf(elements.heap)
    let yielded = this.#table.bytes
    for (let done = 0; done < elements.count; ) {
      const count = Math.min(this.#step, elements.count - done)
      this.#table.append(data, done * this.#size, this.#size, count, heap)
      done += count
      // It is computed once for each step, since it is the sum over the columns.
      const { bytes } = this.#table
      if (bytes >= BATCH_BYTES) {
        yield* this.#endBatch()
        yielded = this.#table.bytes
      } else if (bytes - yielded >= MAX_READ) {
        yield NOTHING
        yielded = bytes
      }
    }
  }

  /** The rest of the stream. */
  *finish(): Iterable<Uint8Array> {
    if (this.#table.length > 0) yield* this.#endBatch()
    this.#writer.finish()
    yield this.#sink.take()
  }

  *#endBatch(): Iterable<Uint8Array> {
    this.#writer.write(new RecordBatch(this.#schema, this.#table.take()))
    yield* this.#sink.takeAll()
  }
}

/** Keeps the output of the library until it is taken: so the next batch is made when the one before is sent. */
class PieceSink extends AsyncByteQueue {
  #pieces: Uint8Array[] = []

  override write(piece: Uint8Array): void {
    this.#pieces.push(piece)
  }

  takeAll(): readonly Uint8Array[] {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }

  take(): Uint8Array {
    return Buffer.concat(this.takeAll())
  }
}

/** Gathers the values of a column until a batch is written. */
interface Column {
  readonly type: DataType
  /** Bytes of the values since the last `take`, estimated. */
  readonly bytes: number
  /** `count` values of storage form, the first at `offset`, the next `stride` bytes further. */
  append(source: Source, offset: number, stride: number, count: number, heap: Source): void
  /** Returns the values, which the column gives up. */
  take(): Data
}

interface ColumnOptions {
  /** Values for which memory is taken at once. */
  readonly room: number
  readonly references: ReferenceSyntax
}

function newColumn(type: Datatype, options: ColumnOptions): Column {
  switch (type.class) {
    case 'H5T_INTEGER':
      return new FixedColumn(integer(type), type, options)
    case 'H5T_BITFIELD':
      return new FixedColumn(integer(type), type, options)
    case 'H5T_FLOAT':
      return new FixedColumn(FLOATS[type.size], type, options)
    case 'H5T_ENUM':
      return isBoolean(type) ? new BooleanColumn() : newColumn(type.base, options)
    case 'H5T_OPAQUE': {
      const dates = datesOf(type)
      if (dates && isInArrow(dates)) return new DatesColumn(dates)
      return new FixedColumn(new FixedSizeBinary(type.size), { size: type.size, order: 'LE' }, options)
    }
    case 'H5T_STRING':
      return new TextColumn((source, offset, heap) => textAt(type, source, offset, heap), options)
    case 'H5T_REFERENCE':
      return new TextColumn(referenceFinder(type, options.references), options)
    case 'H5T_COMPOUND':
      return new StructColumn(type, options)
    case 'H5T_ARRAY':
      return newArrayColumn(type.dims, type.base, options)
    case 'H5T_VLEN':
      return new ListColumn(type, options)
  }
}

const SIGNED = { 1: new Int8(), 2: new Int16(), 4: new Int32(), 8: new Int64() }
const UNSIGNED = { 1: new Uint8(), 2: new Uint16(), 4: new Uint32(), 8: new Uint64() }
const FLOATS = { 2: new Float16(), 4: new Float32(), 8: new Float64() }

function integer(type: IntegerType | BitfieldType): DataType {
  return (type.class === 'H5T_INTEGER' && type.signed ? SIGNED : UNSIGNED)[type.size]
}

/** Numbers, which Arrow stores little-endian, and bytes. */
class FixedColumn implements Column {
  readonly type: DataType
  readonly #size: number
  readonly #order: ByteOrder
  readonly #out: GrowingBytes

  constructor(
    type: DataType,
    { size, order }: { readonly size: number; readonly order: ByteOrder },
    { room }: ColumnOptions,
  ) {
    this.type = type
    this.#size = size
    this.#order = order
    this.#out = new GrowingBytes(room * size)
  }

  get bytes(): number {
    return this.#out.length
  }

  append({ bytes, view }: Source, offset: number, stride: number, count: number): void {
    const size = this.#size
    const isLittle = this.#order === 'LE' || size === 1
    const start = this.#out.reserve(count * size)
    if (stride === size && isLittle) {
      this.#out.bytes.set(bytes.subarray(offset, offset + count * size), start)
      return
    }
    const out = this.#out.view
    const end = start + count * size
    switch (size) {
      case 1:
        for (let to = start, from = offset; to < end; to++, from += stride) out.setUint8(to, bytes[from])
        return
      case 2:
        for (let to = start, from = offset; to < end; to += 2, from += stride)
          out.setUint16(to, view.getUint16(from, isLittle), true)
        return
      case 4:
        for (let to = start, from = offset; to < end; to += 4, from += stride)
          out.setUint32(to, view.getUint32(from, isLittle), true)
        return
      case 8: {
        const low = isLittle ? 0 : 4
        for (let to = start, from = offset; to < end; to += 8, from += stride) {
          out.setUint32(to, view.getUint32(from + low, isLittle), true)
          out.setUint32(to + 4, view.getUint32(from + 4 - low, isLittle), true)
        }
        return
      }
      default:
        for (let to = start, from = offset; to < end; to += size, from += stride)
          this.#out.bytes.set(bytes.subarray(from, from + size), to)
    }
  }

  take(): Data {
    const data = this.#out.take()
    // The callers of the constructor pass the type of this size.
    const type = this.type as FixedSizeBinary
    return makeData({ type, length: data.length / this.#size, nullCount: 0, data })
  }
}

/** The boolean of h5py, as bits. */
class BooleanColumn implements Column {
  readonly type = new Bool()
  readonly #out = new GrowingBytes()
  length = 0

  get bytes(): number {
    return this.#out.length
  }

  append({ bytes }: Source, offset: number, stride: number, count: number): void {
    for (let i = 0; i < count; i++) {
      if (this.length % 8 === 0) this.#out.appendByte(0)
      if (bytes[offset + i * stride] !== 0) this.#out.bytes[this.length >> 3] |= 1 << (this.length & 7)
      this.length++
    }
  }

  take(): Data {
    const { type, length } = this
    this.length = 0
    return makeData({ type, length, nullCount: 0, data: this.#out.take() })
  }
}

/** The ends of values of variable size, each of which begins at the end of the previous one. */
class Offsets {
  readonly #out: GrowingBytes

  constructor({ room }: ColumnOptions) {
    this.#out = new GrowingBytes((room + 1) * 4)
    this.append(0)
  }

  get bytes(): number {
    return this.#out.length
  }

  append(end: number): void {
    const offset = this.#out.reserve(4)
    this.#out.view.setInt32(offset, end, true)
  }

  take(): { readonly length: number; readonly valueOffsets: Int32Array<ArrayBuffer> } {
    const { buffer, byteOffset, byteLength } = this.#out.take()
    this.append(0)
    const valueOffsets = new Int32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4)
    return { length: valueOffsets.length - 1, valueOffsets }
  }
}

/** Finds the text of the value at the offset `offset`. */
type FindText = (
  source: Source,
  offset: number,
  heap: Source,
) => { readonly bytes: Uint8Array; readonly from: number; readonly to: number }

class TextColumn implements Column {
  readonly type = new Utf8()
  readonly #find: FindText
  readonly #out = new GrowingBytes()
  readonly #offsets: Offsets

  constructor(find: FindText, options: ColumnOptions) {
    this.#find = find
    this.#offsets = new Offsets(options)
  }

  get bytes(): number {
    return this.#out.length + this.#offsets.bytes
  }

  append(source: Source, offset: number, stride: number, count: number, heap: Source): void {
    for (let i = 0; i < count; i++) {
      const { bytes, from, to } = this.#find(source, offset + i * stride, heap)
      this.#out.append(bytes, from, to - from)
      this.#offsets.append(this.#out.length)
    }
  }

  take(): Data {
    return makeData({ type: this.type, nullCount: 0, ...this.#offsets.take(), data: this.#out.take() })
  }
}

/** References as in JSON. */
function referenceFinder(type: ReferenceType, references: ReferenceSyntax): FindText {
  const style: ValueStyle = { references, nonFinite: 'bare', float32: 'shortest' }
  return (source, offset, heap) => {
    const json = leafToJson(type, source, offset, heap.bytes, style)
    const bytes = encodeText(typeof json === 'string' ? json : stringifyJson(json))
    return { bytes, from: 0, to: bytes.length }
  }
}

class ListColumn implements Column {
  readonly type: List
  readonly #items: Column
  readonly #itemSize: number
  readonly #offsets: Offsets
  #itemCount = 0

  constructor({ base }: VlenType, options: ColumnOptions) {
    this.#items = newColumn(base, { ...options, room: 0 })
    this.#itemSize = elementSize(base)
    this.#offsets = new Offsets(options)
    this.type = new List(itemField(this.#items))
  }

  get bytes(): number {
    return this.#items.bytes + this.#offsets.bytes
  }

  append({ bytes }: Source, offset: number, stride: number, count: number, heap: Source): void {
    for (let i = 0; i < count; i++) {
      const slot = offset + i * stride
      const itemCount = slotLength(bytes, slot) / this.#itemSize
      if (itemCount > 0) this.#items.append(heap, slotStart(bytes, slot), this.#itemSize, itemCount, heap)
      this.#itemCount += itemCount
      this.#offsets.append(this.#itemCount)
    }
  }

  take(): Data {
    this.#itemCount = 0
    return makeData({ type: this.type, nullCount: 0, ...this.#offsets.take(), child: this.#items.take() })
  }
}

function itemField({ type }: Column): Field {
  return new Field('item', type, isNullable(type))
}

/** Only dates and durations have values that are none. */
function isNullable(type: DataType): boolean {
  return DataType.isTimestamp(type) || DataType.isDuration(type)
}

/** A column of nested lists, one for each dimension. */
function newArrayColumn(dims: readonly number[], base: Datatype, options: ColumnOptions): Column {
  const [extent, ...inner] = dims
  const itemOptions = { ...options, room: options.room * extent }
  const item: Datatype = inner.length > 0 ? { class: 'H5T_ARRAY', base, dims: inner } : base
  return new ArrayColumn(newColumn(item, itemOptions), elementSize(item), extent)
}

class ArrayColumn implements Column {
  readonly type: FixedSizeList
  readonly #items: Column
  readonly #itemSize: number
  readonly #extent: number
  #length = 0

  constructor(items: Column, itemSize: number, extent: number) {
    this.type = new FixedSizeList(extent, itemField(items))
    this.#items = items
    this.#itemSize = itemSize
    this.#extent = extent
  }

  get bytes(): number {
    return this.#items.bytes
  }

  append(source: Source, offset: number, stride: number, count: number, heap: Source): void {
    const size = this.#itemSize
    this.#length += count
    if (stride === size * this.#extent) {
      this.#items.append(source, offset, size, count * this.#extent, heap)
      return
    }
    for (let i = 0; i < count; i++) this.#items.append(source, offset + i * stride, size, this.#extent, heap)
  }

  take(): Data {
    const length = this.#length
    this.#length = 0
    return makeData({ type: this.type, length, nullCount: 0, child: this.#items.take() })
  }
}

class StructColumn implements Column {
  readonly type: Struct
  readonly #members: readonly { readonly column: Column; readonly offset: number }[]
  /** Values since the last `take`. */
  length = 0

  constructor(type: CompoundType, options: ColumnOptions) {
    const offsets = fieldOffsets(type)
    this.#members = type.fields.map((field, i) => ({
      column: newColumn(field.type, options),
      offset: offsets[i],
    }))
    this.type = new Struct(
      this.#members.map(
        ({ column }, i) => new Field(type.fields[i].name, column.type, isNullable(column.type)),
      ),
    )
  }

  get bytes(): number {
    let bytes = 0
    for (const { column } of this.#members) bytes += column.bytes
    return bytes
  }

  append(source: Source, position: number, stride: number, count: number, heap: Source): void {
    this.length += count
    for (const { column, offset } of this.#members)
      column.append(source, position + offset, stride, count, heap)
  }

  take(): Data<Struct> {
    const { length } = this
    this.length = 0
    const children = this.#members.map(({ column }) => column.take())
    return makeData({ type: this.type, length, nullCount: 0, children })
  }
}
