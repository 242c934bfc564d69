// The values of datasets with a reference layout: bytes of mounted files, which the layout names (hsds-values 18). A
// location of a chunk becomes the same stored chunk that a mounted dataset has, so they are read by the same code.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { type ByteSource, type ChunkCoordinates, damaged } from '@hyperslab/h5/reader'
import { product, type ReferencedStorage, referencedStorage, rowSlab } from '@hyperslab/model/dataset'
import type { Selection } from '@hyperslab/model/selection'
import type { Piece } from '@hyperslab/model/values'
import { type ChunkIndex, type ChunkLayout, layoutOfChunks } from '@hyperslab/store/chunks'
import type { Dataset, Reader, ValueParts } from '@hyperslab/store/store'
import { type FileChunkLocation, readChunkTable } from './chunk-table.ts'
import { type ChunkFile, chunkInFile, fileIndex, fileValues, slabsFrom } from './file-chunks.ts'
import { jointReads, rangeReads } from './joint-reads.ts'
import { unreadableValues } from './unreadable-values.ts'

/** Chunks whose locations are looked up at once. */
const LOOKUPS = 1024

export interface ReferencedParts extends ValueParts {
  /** The reader of tables of chunks. */
  readonly reader: Pick<Reader, 'object' | 'readValues'>
  /** The bytes of the file that a `file_uri` names. Throws `file-not-found`. */
  readonly openFile: (uri: string) => Promise<ByteSource>
}

/**
 * `Reader.readPieces` for a dataset with a reference layout. A part that cannot be read is HyperslabError
 * `values-unreadable`.
 */
export async function* readReferenced(
  parts: ReferencedParts,
  dataset: Dataset,
  selection: Selection,
  signal?: AbortCheck,
): AsyncGenerator<Piece> {
  const storage = referencedStorage(dataset.creationProperties)
  const layout = layoutOfReferenced(dataset, storage, parts.pieceBytes)
  const files = new ReferencedFiles(parts.openFile)
  const index =
    storage.kind === 'contiguous'
      ? contiguousIndex(layout, storage, files)
      : chunkIndex(layout, locatorOf(parts, storage), files)
  const values = fileValues(parts, layout, index, PARALLEL_READS)
  try {
    yield* values.read(selection, signal)
  } catch (error) {
    throw unreadableValues(error, `the dataset ${dataset.id}`, dataset.id)
  }
}

/** Chunks that are read at once. */
const PARALLEL_READS = 8

/** The layout with the chunks of the file; contiguous values are slabs of whole rows. */
function layoutOfReferenced(dataset: Dataset, storage: ReferencedStorage, pieceBytes: number): ChunkLayout {
  const layout = layoutOfChunks(dataset, pieceBytes)
  const { dims } = layout.grid
  if (storage.kind === 'contiguous') {
    // Elements after `size` are zero, whatever the fill value.
    return { ...layout, fillValue: undefined, grid: { dims, chunkDims: rowSlab(dims, layout.elementSize) } }
  }
  const { chunkDims } = storage
  return layoutOfChunks(
    { ...dataset, creationProperties: { ...dataset.creationProperties, chunkDims } },
    pieceBytes,
  )
}

/** The files that layouts and tables name, each opened once. */
class ReferencedFiles {
  readonly #openFile: ReferencedParts['openFile']
  readonly #opened = new Map<string, Promise<ChunkFile>>()

  constructor(openFile: ReferencedParts['openFile']) {
    this.#openFile = openFile
  }

  open(uri: string): Promise<ChunkFile> {
    const opened = this.#opened.get(uri) ?? this.#open(uri)
    this.#opened.set(uri, opened)
    return opened
  }

  async #open(uri: string): Promise<ChunkFile> {
    const source = await this.#openFile(uri)
    const [readBytes, readRanges] = [jointReads(source), rangeReads(source)]
    return { size: source.size, stamp: `${uri} ${source.stamp}`, readBytes, readRanges }
  }
}

function contiguousIndex(
  layout: ChunkLayout,
  { fileUri, offset, size }: ReferencedStorage & { readonly kind: 'contiguous' },
  files: ReferencedFiles,
): ChunkIndex {
  return fileIndex(layout, {
    lookups: LOOKUPS,
    async chunksOf(slabs) {
      const file = await files.open(fileUri)
      const end = offset + Math.min(size, product(layout.grid.dims) * layout.elementSize)
      if (end > file.size) {
        throw damaged(`the values in ${fileUri}`, offset, `they end at ${end}, and the file at ${file.size}`)
      }
      return slabs.map(slabsFrom(layout, offset, { ...file, size: end }))
    },
  })
}

function chunkIndex(layout: ChunkLayout, locateChunks: LocateChunks, files: ReferencedFiles): ChunkIndex {
  const chunkAt = async (coordinates: ChunkCoordinates, { uri, position, length }: FileChunkLocation) =>
    chunkInFile(layout, { coordinates, position, length, mask: 0 }, await files.open(uri))
  return fileIndex(layout, {
    lookups: LOOKUPS,
    async chunksOf(chunks) {
      const found = await locateChunks(chunks)
      return Promise.all(
        found.map((location, i) => (location?.length ? chunkAt(chunks[i], location) : undefined)),
      )
    },
  })
}

/** Locates the chunks, in their order; undefined: a chunk is not stored. */
type LocateChunks = (
  chunks: readonly (readonly number[])[],
) => Promise<readonly (FileChunkLocation | undefined)[]>

function locatorOf(
  { reader }: ReferencedParts,
  storage: ReferencedStorage & { readonly kind: 'chunks' | 'table' },
): LocateChunks {
  if (storage.kind === 'chunks') {
    const { fileUri: uri, locate } = storage
    return async chunks =>
      chunks.map(chunk => {
        const location = locate(chunk)
        return location && { uri, ...location }
      })
  }
  return chunks => readChunkTable(reader, storage, chunks)
}
