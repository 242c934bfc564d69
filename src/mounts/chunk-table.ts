// The table of a dataset with the layout H5D_CHUNKED_REF_INDIRECT: a dataset with a row for each chunk, which says where its bytes
// lie (hsds-values 18).

import { HyperslabError } from '../errors.ts'
import type { CompoundType, Datatype } from '../hdf5/datatype/datatype.ts'
import { elementSize, fieldOffsets } from '../hdf5/datatype/layout.ts'
import type { ObjectId } from '../hdf5/object-id.ts'
import { readInteger } from '../hdf5/values/numbers.ts'
import { decodeText, endOfFixedText, isFixedString } from '../hdf5/values/text.ts'
import type { Dataset, Reader } from '../storage/store.ts'

export interface ChunkTable {
  /** The file of all chunks; absent: each row names its own. */
  readonly fileUri?: string
  readonly table: ObjectId
}

export interface TableRow {
  readonly uri: string
  readonly position: number
  readonly length: number
}

/** The rows of these chunks, in order; undefined: the chunk is not stored. Rows are read anew each time. */
export async function readChunkTable(
  reader: Pick<Reader, 'object' | 'readValues'>,
  { fileUri, table: id }: ChunkTable,
  chunks: readonly (readonly number[])[],
): Promise<readonly (TableRow | undefined)[]> {
  const table = await reader.object(id)
  if (table?.kind !== 'dataset') {
    throw new HyperslabError('object-not-found', `the table of chunks, dataset ${id}, is not there`, {
      subject: id,
    })
  }
  const rowAt = rowDecoder(table, fileUri)
  const extents = table.space.class === 'H5S_SIMPLE' ? table.space.dims : []
  // The dataset may have grown beyond its table.
  const inTable = chunks.map(chunk => chunk.every((index, d) => index < extents[d]))
  const listed = chunks.filter((_, i) => inTable[i])
  if (listed.length === 0) return chunks.map(() => undefined)
  const rank = extents.length
  const coordinates = Float64Array.from(listed.flat())
  const rows: (TableRow | undefined)[] = []
  for await (const { count, data } of reader.readValues(table, { kind: 'points', rank, coordinates })) {
    for (let i = 0; i < count; i++) rows.push(rowAt(data, i))
  }
  let next = 0
  return inTable.map(isListed => (isListed ? rows[next++] : undefined))
}

/** Reads the row at an index of packed elements. Throws unless the table has the members that it needs. */
function rowDecoder(
  { id, type }: Dataset,
  fileUri: string | undefined,
): (data: Uint8Array, index: number) => TableRow | undefined {
  const size = elementSize(type)
  const offset = integerMember(id, type, 'offset')
  const length = integerMember(id, type, 'size')
  const uri = fileUri === undefined ? textMember(id, type, 'file_uri') : () => fileUri
  return (data, index) => {
    const at = index * size
    const row = { uri: uri(data, at), position: offset(data, at), length: length(data, at) }
    return row.length > 0 ? row : undefined
  }
}

type ReadMember<T> = (data: Uint8Array, at: number) => T

function integerMember(id: ObjectId, type: Datatype, name: string): ReadMember<number> {
  const { member, offset } = memberOf(id, type, name)
  if (member.class !== 'H5T_INTEGER') throw wrongTable(id, `its member "${name}" must be an integer`)
  return (data, at) => {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    const value = Number(readInteger(member, view, at + offset))
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value
    throw wrongTable(id, `its member "${name}" must not be negative or beyond 2^53, it is ${value}`)
  }
}

function textMember(id: ObjectId, type: Datatype, name: string): ReadMember<string> {
  const { member, offset } = memberOf(id, type, name)
  if (member.class !== 'H5T_STRING' || !isFixedString(member)) {
    throw wrongTable(
      id,
      `its member "${name}" must be a string of fixed length, because the layout has no file_uri`,
    )
  }
  return (data, at) => {
    const start = at + offset
    return decodeText(data, start, endOfFixedText(member, data, start))
  }
}

function memberOf(
  id: ObjectId,
  type: Datatype,
  name: string,
): { readonly member: CompoundType['fields'][number]['type']; readonly offset: number } {
  const index = type.class === 'H5T_COMPOUND' ? type.fields.findIndex(field => field.name === name) : -1
  if (type.class !== 'H5T_COMPOUND' || index < 0) throw wrongTable(id, `it has no member "${name}"`)
  return { member: type.fields[index].type, offset: fieldOffsets(type)[index] }
}

function wrongTable(id: ObjectId, rule: string): HyperslabError {
  return new HyperslabError('values-unreadable', `the dataset ${id} cannot be a table of chunks: ${rule}`, {
    subject: id,
  })
}
