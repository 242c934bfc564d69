// The chunks of a dataset that the target can take over from the file without decoding them: those whose bytes are the
// storage form already. Contiguous values are cut into slabs of whole rows, which follow one another.

import {
  codecOf,
  decodedSizeFault,
  hasUnavailable,
  isUndecodable,
  type Pipeline,
  pipelineOf,
} from '@hyperslab/h5/filters'
import type {
  ChunkCoordinates,
  ChunkedBytes,
  FileDataset,
  StoredBytes,
  StoredRange,
} from '@hyperslab/h5/reader'
import { crossesEdge } from '@hyperslab/h5/reader'
import { isExtensible, product, rowSlab } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import { allChunks } from '@hyperslab/model/selection'
import type { AdoptedChunk } from '@hyperslab/store/store'
import { boxAt } from './boxes.ts'

export interface AdoptableDataset {
  /** The chunk shape that the dataset must have in the target. */
  readonly chunkDims: readonly number[]
  /** True: some of the chunks may be undecodable here, and so must be taken over as they are. */
  readonly areKept?: boolean
  /** All chunks of that shape that the file stores. Can be called several times. */
  batches(): AsyncIterable<AdoptionBatch>
  /** Absent: the dataset has no filters. */
  readonly filtered?: FilteredDataset
}

/** The properties needed to store the bytes of single chunks. */
export interface FilteredDataset {
  /** The pipeline as the target runs it. */
  readonly pipeline: Pipeline
  /** Bytes of a decoded chunk. */
  readonly chunkBytes: number
  readonly read: ChunkedBytes['read']
}

/** The decoding of chunks whose bytes are the storage form. */
export interface StoredForm {
  /** Bytes of a decoded chunk. */
  readonly chunkBytes: number
  /** The pipeline as the target runs it. Absent: the dataset has no filters. */
  readonly pipeline?: Pipeline
}

export interface AdoptionBatch {
  readonly adopted: readonly AdoptedChunk[]
  /** Chunks that must be decoded. */
  readonly converted: readonly ChunkCoordinates[]
}

/**
 * The largest chunk that is written in parts: for each part the whole chunk is decoded and encoded.
 * @limit memory, bytes
 */
const MAX_CONVERTED_CHUNK = 16 * 2 ** 20

const BATCH_SLABS = 1024

/** The storage form of a chunked dataset. Undefined: the reader of the file must decode the values. */
export function storedFormOf(
  { type, creationProperties }: Pick<FileDataset, 'type' | 'creationProperties'>,
  stored: Pick<ChunkedBytes, 'chunkDims' | 'filters'>,
): StoredForm | undefined {
  const { chunkDims, filters, fillValue } = creationProperties
  if (chunkDims === undefined || chunkDims.join() !== stored.chunkDims.join()) return undefined
  const size = elementSize(type)
  const chunkBytes = product(chunkDims) * size
  const form = { type, elementSize: size, chunkDims, ...(fillValue && { fillValue: fillValue.data }) }
  const pipeline = pipelineOf(filters, form)
  if (filters.length > 0 && !(pipeline && isDecodedAlike(pipeline, stored.filters))) return undefined
  return { chunkBytes, ...(pipeline && { pipeline }) }
}

/** Undefined: all values must be decoded. */
export function adoptionOf(
  dataset: FileDataset,
  stored: StoredBytes,
  fileSize: number,
): AdoptableDataset | undefined {
  const { type, space, creationProperties } = dataset
  const { filters } = creationProperties
  if (space.class !== 'H5S_SIMPLE') return undefined
  const { dims } = space
  const size = elementSize(type)
  if (stored.layout === 'contiguous') {
    const { position, length } = stored
    const isWhole = position !== undefined && position + length <= fileSize
    return isWhole && length === product(dims) * size ? new Slabs(dims, size, position) : undefined
  }
  const form = storedFormOf(dataset, stored)
  if (!form) return undefined
  const { chunkDims } = stored
  const { pipeline, chunkBytes: all } = form
  const canGrow = isExtensible(space)
  const hasEdges = dims.some((extent, d) => extent % chunkDims[d] !== 0)
  const areKept = pipeline !== undefined && hasUnavailable(pipeline)
  if (canGrow && hasEdges && all > MAX_CONVERTED_CHUNK && !areKept) return undefined
  const unfiltered = 2 ** filters.length - 1
  const isSound = ({ coordinates, length, mask }: StoredRange) =>
    // A chunk that is not decoded now is decoded by a service later.
    (mask === unfiltered ? length === all : decodedSizeFault(length, all) === undefined) &&
    // When the dataset grows, elements of a chunk outside the extents would become visible.
    !(canGrow && crossesEdge(coordinates, chunkDims, dims))
  const isAdopted = (range: StoredRange) =>
    range.position + range.length <= fileSize &&
    ((pipeline && isUndecodable(pipeline, range.mask)) || isSound(range))
  return {
    chunkDims,
    areKept,
    batches: () => chunks(stored, isAdopted),
    ...(pipeline && { filtered: { pipeline, chunkBytes: all, read: stored.read } }),
  }
}

/** True when the target decodes chunks by the filters of the file. */
function isDecodedAlike(pipeline: Pipeline, filters: ChunkedBytes['filters']): boolean {
  return pipeline.every(({ id, clientData }, index) => {
    const codec = codecOf(id)
    // Its chunks are not decoded.
    if (!codec) return true
    if (!clientData || codec.isSelfDescribing) return clientData !== undefined
    return clientData.join() === filters[index].clientData.join()
  })
}

async function* chunks(
  stored: ChunkedBytes,
  isAdopted: (range: StoredRange) => boolean,
): AsyncGenerator<AdoptionBatch> {
  for await (const batch of stored.batches()) {
    yield {
      adopted: batch.filter(isAdopted).map(({ position, ...chunk }) => ({ ...chunk, offset: position })),
      converted: batch.filter(range => !isAdopted(range)).map(({ coordinates }) => coordinates),
    }
  }
}

/** Contiguous values. A class, since a file may have very many of them: its functions are in memory once. */
class Slabs implements AdoptableDataset {
  readonly chunkDims: readonly number[]
  readonly #dims: readonly number[]
  readonly #elementSize: number
  readonly #position: number

  constructor(dims: readonly number[], elementSize: number, position: number) {
    this.chunkDims = rowSlab(dims, elementSize)
    this.#dims = dims
    this.#elementSize = elementSize
    this.#position = position
  }

  async *batches(): AsyncGenerator<AdoptionBatch> {
    const { chunkDims } = this
    const dims = this.#dims
    let offset = this.#position
    let adopted: AdoptedChunk[] = []
    for (const coordinates of allChunks({ dims, chunkDims })) {
      const length = product(boxAt(coordinates, chunkDims, dims).count) * this.#elementSize
      adopted.push({ coordinates, offset, length, mask: 0 })
      offset += length
      if (adopted.length < BATCH_SLABS) continue
      yield { adopted, converted: [] }
      adopted = []
    }
    yield { adopted, converted: [] }
  }
}
