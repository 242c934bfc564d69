// The initializer `chunklocator`: a new table of chunks gets its rows from the chunks of a dataset of a mounted file
// (hsds-values 18), once, in the transaction that creates it.

import { HyperslabError } from '@hyperslab/base/errors'
import type { ChunkLocator } from '@hyperslab/model/dataset'
import {
  elementCount,
  extentsOf,
  malformedCreationProperties,
  pathOfFileUri,
  type RowForm,
  rowFormOf,
  rowOfFile,
  writeLocation,
} from '@hyperslab/model/dataset'
import { excerpt } from '@hyperslab/model/json'
import { chunkCounts } from '@hyperslab/model/selection'
import { chooseFields, type Elements, singlePiece } from '@hyperslab/model/values'
import type { Dataset, LocatedChunk, LocatedChunks } from '@hyperslab/store/store'
import type { WriteContext } from '../context.ts'
import { openDomain } from '../domains/domains.ts'
import { locate, titlesOf } from '../links/paths.ts'
import { requireWritableValues } from '../values/values.ts'

/**
 * Rows that are written at once: each write stores the chunks of the table that hold them again.
 * @limit memory, rows
 */
const ROWS_AT_ONCE = 2 ** 16
/**
 * Bytes of rows that are written at once, unless one row has more, since a name of a file may be long.
 * @limit memory, bytes
 */
const BYTES_AT_ONCE = 4 * 2 ** 20

/**
 * Fills a table that the transaction has created. The caller needs `read` on the file. For a dataset without elements
 * nothing is read.
 */
export async function fillChunkTable(
  context: WriteContext,
  table: Dataset,
  locator: ChunkLocator,
): Promise<void> {
  try {
    requireWritableValues(table)
    const rows = new TableRows(context, table, locator.fileUri)
    if (elementCount(table.space) === 0) return
    for await (const chunks of await findChunks(context, table, locator)) {
      for (const chunk of chunks) {
        rows.add(chunk)
        if (rows.isFull) await rows.write()
      }
    }
    await rows.write()
    await context.reader.requireUnchanged()
  } catch (error) {
    throw error instanceof HyperslabError ? error.within('the initializer "chunklocator"') : error
  }
}

/** The chunks of the dataset of the file, each of which has an element of the table. */
async function findChunks(
  context: WriteContext,
  { space }: Dataset,
  { fileUri, h5path }: ChunkLocator,
): Promise<AsyncIterable<readonly LocatedChunk[]>> {
  const path = pathOfFileUri(fileUri)
  if (path === undefined)
    throw malformedCreationProperties(`${excerpt(fileUri)} is not the name of a mounted file`)
  const file = await openDomain(context, path)
  const { object } = await locate(
    context,
    file,
    { titles: titlesOf(h5path) },
    { soft: true, external: false },
  )
  const name = `${excerpt(h5path)} of ${path}`
  if (!file.entry.mounted) throw malformedCreationProperties(`${path} must be a mounted file, it is stored`)
  const located = object.kind === 'dataset' && (await context.reader.locateChunks(object))
  if (!located) throw malformedCreationProperties(`${name} must be a dataset of chunks`)
  const extents = extentsOf(space)
  const counts = chunkCounts({ dims: extentsOf(object.space), chunkDims: located.chunkDims })
  if (counts.length !== extents.length || counts.some((count, d) => count > extents[d])) {
    throw malformedCreationProperties(
      `the table must have an element for each of the [${counts.join(', ')}] chunks of ${name}, its extents are ` +
        `[${extents.join(', ')}]`,
    )
  }
  return requireFiltered(located.batches, name)
}

/** Throws for a chunk that is without one of the filters: readers of the table undo all of them. */
async function* requireFiltered(
  batches: LocatedChunks['batches'],
  name: string,
): AsyncGenerator<readonly LocatedChunk[]> {
  for await (const chunks of batches) {
    const different = chunks.find(({ hasAllFilters }) => !hasAllFilters)
    if (different) {
      throw malformedCreationProperties(
        `the chunk [${different.coordinates.join(', ')}] of ${name} went through some of the filters only, ` +
          'which a table cannot express',
      )
    }
    yield chunks
  }
}

/** Rows that are still to be written. */
class TableRows {
  readonly #context: WriteContext
  readonly #table: Dataset
  readonly #rank: number
  readonly #form: RowForm
  readonly #fields: readonly string[]
  readonly #rowOfFile: Elements
  readonly #coordinates: Float64Array
  readonly #data: Uint8Array
  readonly #view: DataView
  #count = 0

  constructor(context: WriteContext, table: Dataset, fileUri: string) {
    const { type, space } = table
    const form = rowFormOf(type, wrongTable)
    this.#context = context
    this.#table = table
    this.#rank = extentsOf(space).length
    this.#fields = [form.offset, form.size, ...(form.fileUri ? [form.fileUri] : [])].map(({ name }) => name)
    this.#form = rowFormOf(chooseFields(type, this.#fields).type, wrongTable)
    this.#rowOfFile = rowOfFile(this.#form, fileUri, wrongTable)
    const fitting = Math.max(1, Math.floor(BYTES_AT_ONCE / this.#form.rowSize))
    const rows = Math.min(elementCount(space), ROWS_AT_ONCE, fitting)
    this.#coordinates = new Float64Array(rows * this.#rank)
    this.#data = new Uint8Array(rows * this.#form.rowSize)
    this.#view = new DataView(this.#data.buffer)
  }

  get isFull(): boolean {
    return this.#data.length === this.#count * this.#form.rowSize
  }

  add(chunk: LocatedChunk): void {
    const index = this.#count++
    this.#data.set(this.#rowOfFile.data, index * this.#form.rowSize)
    writeLocation(this.#form, this.#view, index, chunk)
    this.#coordinates.set(chunk.coordinates, index * this.#rank)
  }

  async write(): Promise<void> {
    const count = this.#count
    if (count === 0) return
    this.#count = 0
    const rank = this.#rank
    const coordinates = this.#coordinates.subarray(0, count * rank)
    const data = this.#data.subarray(0, count * this.#form.rowSize)
    const { writer, signal } = this.#context
    const rows = singlePiece({ count, data, heap: this.#rowOfFile.heap })
    await writer.writeValues(this.#table, { kind: 'points', rank, coordinates }, rows, {
      fields: this.#fields,
      signal,
    })
  }
}

const wrongTable = (rule: string) =>
  malformedCreationProperties(`the dataset cannot be a table of chunks: ${rule}`)
