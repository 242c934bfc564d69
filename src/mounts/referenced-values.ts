// The values of datasets with a reference layout: bytes of mounted files, which the layout names (hsds-values 18). A place of a
// chunk becomes the same record that a chunk of a mounted dataset has, so they are read by the same code.

import type { AbortCheck } from '../bounded/turns.ts'
import { type ChunkLayout, layoutOfChunks } from '../chunks/chunk-layout.ts'
import type { ByteSource } from '../h5file/byte-source.ts'
import type { ChunkCoordinates } from '../h5file/file-reader.ts'
import { damaged } from '../h5file/format/errors.ts'
import { product } from '../hdf5/dataspace.ts'
import { type ReferencedStorage, referencedStorage } from '../hdf5/referenced-storage.ts'
import type { Selection } from '../hdf5/selection/selection.ts'
import type { Piece } from '../hdf5/values/elements.ts'
import type { ChunkIndex } from '../storage/chunks/chunk-index.ts'
import { readSelection } from '../storage/chunks/read-values.ts'
import type { ValueParts } from '../storage/mounted-domains.ts'
import type { Dataset, Reader } from '../storage/store.ts'
import { slabShape } from '../transfer/adoption.ts'
import { type FilePlace, readChunkTable } from './chunk-table.ts'
import { chunkRecord, fileIndex, fileReadParts, slabRecords } from './file-chunks.ts'
import { jointReads, type ReadBytes } from './joint-reads.ts'
import { unreadableValues } from './unreadable-values.ts'

/** Chunks whose places are looked up at once. */
const LOOKUPS = 1024

export interface ReferencedParts extends ValueParts {
  /** Where tables of chunks are. */
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
      : chunkIndex(layout, placesOf(parts, storage), files)
  const readParts = fileReadParts(parts, layout, index, files.read, PARALLEL_READS)
  try {
    yield* readSelection(readParts, layout, selection, signal)
  } catch (error) {
    throw unreadableValues(error, `the dataset ${dataset.id}`, dataset.id)
  }
}

/** Chunks that are read at once. */
const PARALLEL_READS = 8

/** With the chunks of the file; contiguous values are slabs of whole rows. */
function layoutOfReferenced(dataset: Dataset, storage: ReferencedStorage, pieceBytes: number): ChunkLayout {
  const layout = layoutOfChunks(dataset, pieceBytes)
  const { dims } = layout.grid
  if (storage.kind === 'contiguous') {
    // What `size` does not cover at the end is zeros, whatever the fill value.
    return { ...layout, fillValue: undefined, grid: { dims, chunkDims: slabShape(dims, layout.elementSize) } }
  }
  const { chunkDims } = storage
  return layoutOfChunks(
    { ...dataset, creationProperties: { ...dataset.creationProperties, chunkDims } },
    pieceBytes,
  )
}

/** The files that records name, by their numbers. */
class ReferencedFiles {
  readonly #openFile: ReferencedParts['openFile']
  readonly #opened = new Map<string, Promise<ReferencedFile>>()
  readonly #files: ReferencedFile[] = []

  constructor(openFile: ReferencedParts['openFile']) {
    this.#openFile = openFile
  }

  open(uri: string): Promise<ReferencedFile> {
    const opened = this.#opened.get(uri) ?? this.#open(uri)
    this.#opened.set(uri, opened)
    return opened
  }

  /** `Blobs.read`: the name of a blob ends with the number of the file. */
  readonly read = async (name: string, position: number, into: Uint8Array): Promise<number> => {
    const file = this.#files[Number.parseInt(name.slice(-NUMBER_DIGITS), 16)]
    await file.readBytes(position, into)
    return into.length
  }

  async #open(uri: string): Promise<ReferencedFile> {
    const source = await this.#openFile(uri)
    const number = this.#files.length.toString(16).padStart(NUMBER_DIGITS, '0')
    const file = { number, size: source.size, stamp: source.stamp, readBytes: jointReads(source) }
    this.#files.push(file)
    return file
  }
}

const NUMBER_DIGITS = 8

interface ReferencedFile {
  readonly number: string
  readonly size: number
  readonly stamp: string
  readonly readBytes: ReadBytes
}

function contiguousIndex(
  layout: ChunkLayout,
  { fileUri, offset, size }: ReferencedStorage & { readonly kind: 'contiguous' },
  files: ReferencedFiles,
): ChunkIndex {
  return fileIndex(layout, {
    lookups: LOOKUPS,
    async recordsOf(slabs) {
      const { number, size: fileSize, stamp } = await files.open(fileUri)
      const end = offset + Math.min(size, product(layout.grid.dims) * layout.elementSize)
      if (end > fileSize) {
        throw damaged(`the values in ${fileUri}`, offset, `they end at ${end}, and the file at ${fileSize}`)
      }
      const recordOf = slabRecords(layout, offset, { size: end, stamp })
      return slabs.map(slab => ({ ...recordOf(slab), file: number }))
    },
  })
}

function chunkIndex(layout: ChunkLayout, places: FindPlaces, files: ReferencedFiles): ChunkIndex {
  const recordOf = async (coordinates: ChunkCoordinates, { uri, position, length }: FilePlace) => {
    const file = await files.open(uri)
    const record = chunkRecord(layout, { coordinates, position, length, mask: 0 }, file)
    return { ...record, file: file.number, version: `${uri} ${record.version}` }
  }
  return fileIndex(layout, {
    lookups: LOOKUPS,
    async recordsOf(chunks) {
      const found = await places(chunks)
      return Promise.all(found.map((place, i) => (place?.length ? recordOf(chunks[i], place) : undefined)))
    },
  })
}

/** In the order of the chunks; undefined: the chunk is not stored. */
type FindPlaces = (chunks: readonly (readonly number[])[]) => Promise<readonly (FilePlace | undefined)[]>

function placesOf(
  { reader }: ReferencedParts,
  storage: ReferencedStorage & { readonly kind: 'chunks' | 'table' },
): FindPlaces {
  if (storage.kind === 'chunks') {
    const { fileUri: uri, placeOf } = storage
    return async chunks =>
      chunks.map(chunk => {
        const place = placeOf(chunk)
        return place && { uri, ...place }
      })
  }
  return chunks => readChunkTable(reader, storage, chunks)
}
