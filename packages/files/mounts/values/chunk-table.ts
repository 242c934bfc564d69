// The table of a dataset with the layout H5D_CHUNKED_REF_INDIRECT: a dataset with a row for each chunk, which has the
// location of its bytes (hsds-values 18).

import { HyperslabError } from '@hyperslab/base/errors'
import { type ChunkLocation, extentsOf, readFileUri, readLocation, rowFormOf } from '@hyperslab/model/dataset'
import type { ObjectId } from '@hyperslab/model/names'
import type { Reader } from '@hyperslab/store/store'

export interface ChunkTable {
  /** The file of all chunks; absent: each row names its own. */
  readonly fileUri?: string
  readonly table: ObjectId
}

/** The location of the bytes of a chunk. */
export interface FileChunkLocation extends ChunkLocation {
  readonly uri: string
}

/** The rows of these chunks, in order; undefined: the chunk is not stored. Rows are read anew each time. */
export async function readChunkTable(
  reader: Pick<Reader, 'object' | 'readValues'>,
  { fileUri, table: id }: ChunkTable,
  chunks: readonly (readonly number[])[],
): Promise<readonly (FileChunkLocation | undefined)[]> {
  const table = await reader.object(id)
  if (table?.kind !== 'dataset') {
    throw new HyperslabError('object-not-found', `the table of chunks, dataset ${id}, is not there`, {
      subject: id,
    })
  }
  const wrongTable = (rule: string) => cannotBeTable(id, rule)
  const form = rowFormOf(table.type, wrongTable)
  if (fileUri === undefined && !form.fileUri) {
    throw wrongTable('it has no string "file_uri", and the layout names no file either')
  }
  const extents = extentsOf(table.space)
  // The dataset may have grown beyond its table.
  const inTable = chunks.map(chunk => chunk.every((index, d) => index < extents[d]))
  const listed = chunks.filter((_, i) => inTable[i])
  if (listed.length === 0) return chunks.map(() => undefined)
  const rank = extents.length
  const coordinates = Float64Array.from(listed.flat())
  const rows: (FileChunkLocation | undefined)[] = []
  for await (const elements of reader.readValues(table, { kind: 'points', rank, coordinates })) {
    for (let i = 0; i < elements.count; i++) {
      const location = readLocation(form, elements, i, wrongTable)
      const uri = location.length > 0 ? (fileUri ?? readFileUri(form, elements, i)) : undefined
      rows.push(uri === undefined ? undefined : { uri, ...location })
    }
  }
  let next = 0
  return inTable.map(isListed => (isListed ? rows[next++] : undefined))
}

function cannotBeTable(id: ObjectId, rule: string): HyperslabError {
  return new HyperslabError('values-unreadable', `the dataset ${id} cannot be a table of chunks: ${rule}`, {
    subject: id,
  })
}
