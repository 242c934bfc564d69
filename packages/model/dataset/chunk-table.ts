// The rows of a table of chunks: compounds with the locations of the chunks of another dataset (hsds-values 18).

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype, IntegerType, StringType } from '../datatype/datatype.ts'
import { elementSize, fieldOffsets } from '../datatype/layout.ts'
import { excerpt } from '../json/json.ts'
import { MAX_PATH_BYTES } from '../names/domain-path.ts'
import { dataViewOf } from '../values/bytes.ts'
import { type Elements, EMPTY_HEAP } from '../values/elements.ts'
import { readInteger, writeInteger } from '../values/numbers.ts'
import { slotLength, slotStart, writeSlot } from '../values/slots.ts'
import { decodeText, encodeText, endOfFixedText, isFixedString, writeFixedText } from '../values/text.ts'

/** A member of the rows. */
interface Member<Type> {
  readonly name: string
  readonly type: Type
  /** The offset from the first byte of the row. */
  readonly offset: number
}

/** The location of the bytes of a chunk. */
export interface ChunkLocation {
  readonly position: number
  /** 0: the chunk is not stored. */
  readonly length: number
}

/** The members that rows need, with their offsets in a packed row. */
export interface RowForm {
  readonly rowSize: number
  readonly offset: Member<IntegerType>
  readonly size: Member<IntegerType>
  /** The name of the file; absent: rows have no such string, so the layout must name the file. */
  readonly fileUri?: Member<StringType>
}

/** Makes the error of a table that breaks a rule. */
export type WrongTable = (rule: string) => HyperslabError

/** Throws unless the type has the integers `offset` and `size`. */
export function rowFormOf(type: Datatype, wrongTable: WrongTable): RowForm {
  const offset = memberOf(type, 'offset', 'H5T_INTEGER')
  const size = memberOf(type, 'size', 'H5T_INTEGER')
  if (!offset || !size) throw wrongTable(`it has no integer "${offset ? 'size' : 'offset'}"`)
  const fileUri = memberOf(type, 'file_uri', 'H5T_STRING')
  return { rowSize: elementSize(type), offset, size, ...(fileUri && { fileUri }) }
}

function memberOf<Class extends Datatype['class']>(
  type: Datatype,
  name: string,
  memberClass: Class,
): Member<Extract<Datatype, { readonly class: Class }>> | undefined {
  if (type.class !== 'H5T_COMPOUND') return undefined
  const index = type.fields.findIndex(field => field.name === name)
  const member = type.fields[index]?.type
  return isOfClass(member, memberClass)
    ? { name, type: member, offset: fieldOffsets(type)[index] }
    : undefined
}

function isOfClass<Class extends Datatype['class']>(
  type: Datatype | undefined,
  name: Class,
): type is Extract<Datatype, { readonly class: Class }> {
  return type?.class === name
}

/** The content of the row at an index. */
export function readLocation(
  { rowSize, offset, size }: RowForm,
  { data }: Elements,
  index: number,
  wrongTable: WrongTable,
): ChunkLocation {
  const row = data.subarray(index * rowSize, (index + 1) * rowSize)
  return { position: readWhole(row, offset, wrongTable), length: readWhole(row, size, wrongTable) }
}

/**
 * Bytes of a `file_uri` in a table of chunks: `file://` and a path. Many rows are in memory at once.
 * @limit memory, bytes
 */
const MAX_FILE_URI_BYTES = 'file://'.length + MAX_PATH_BYTES

/**
 * The file that the row at an index names. Undefined: the rows name none. `file-not-found` for a name that is too long.
 */
export function readFileUri(
  { rowSize, fileUri }: RowForm,
  { data, heap }: Elements,
  index: number,
): string | undefined {
  if (!fileUri) return undefined
  const { type } = fileUri
  const offset = index * rowSize + fileUri.offset
  if (isFixedString(type)) return decodeUri(data, offset, endOfFixedText(type, data, offset))
  const start = slotStart(data, offset)
  return decodeUri(heap, start, start + slotLength(data, offset))
}

function decodeUri(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= MAX_FILE_URI_BYTES) return decodeText(bytes, start, end)
  throw new HyperslabError(
    'file-not-found',
    `a file_uri must take at most ${MAX_FILE_URI_BYTES} bytes of UTF-8, and the table of chunks has one of ` +
      `${end - start}`,
  )
}

function readWhole(
  row: Uint8Array,
  { name, type, offset }: Member<IntegerType>,
  wrongTable: WrongTable,
): number {
  const value = Number(readInteger(type, dataViewOf(row), offset))
  if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value
  throw wrongTable(`its member "${name}" must not be negative or beyond 2^53, it is ${value}`)
}

/** A row without a chunk that names the file, if rows do; other members are zeros. */
export function rowOfFile({ rowSize, fileUri }: RowForm, uri: string, wrongTable: WrongTable): Elements {
  const data = new Uint8Array(rowSize)
  if (!fileUri) return { count: 1, data, heap: EMPTY_HEAP }
  const { type, offset } = fileUri
  const heap = encodeText(uri)
  if (!isFixedString(type)) {
    writeSlot(data, offset, 0, heap.length)
    return { count: 1, data, heap }
  }
  if (heap.length > type.length) {
    throw wrongTable(`its member "file_uri" has ${type.length} bytes, and ${excerpt(uri)} has ${heap.length}`)
  }
  writeFixedText(type, heap, 0, heap.length, data, offset)
  return { count: 1, data, heap: EMPTY_HEAP }
}

/** Writes the location of a chunk into the row at an index. */
export function writeLocation(
  { rowSize, offset, size }: RowForm,
  rows: DataView,
  index: number,
  { position, length }: ChunkLocation,
): void {
  const at = index * rowSize
  writeInteger(offset.type, rows, at + offset.offset, position)
  writeInteger(size.type, rows, at + size.offset, length)
}
