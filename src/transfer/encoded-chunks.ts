// Chunks that went through filters, of a file that is not kept as a whole: their bytes are stored as they are, since decoding
// them and encoding them again costs what they claim. Some are decoded all the same, to tell damage while the file is imported.

import { decodeChunk, isUnfiltered } from '../filters/pipeline.ts'
import type { ChunkCoordinates } from '../h5file/reader.ts'
import type { AdoptedChunk, EncodedChunk } from '../storage/store.ts'
import { Turns } from '../turns.ts'
import type { AdoptableDataset, FilteredDataset } from './adoption.ts'

/** Of all chunks of a file that are decoded to find damage. */
const MAX_VERIFIED_BYTES = 64 * 2 ** 20
const MAX_VERIFIED_CHUNK = 4 * 2 ** 20
/** Bytes of chunks that are in memory at once, unless one alone has more. */
const BATCH_BYTES = 4 * 2 ** 20

export interface EncodedBatch {
  readonly encoded: readonly EncodedChunk[]
  /** Chunks that went through no filter, or cannot be stored as they are. */
  readonly converted: readonly ChunkCoordinates[]
}

/** Of one file. */
export class EncodedChunks {
  readonly #verifiesAll: boolean
  #verifiedBytes = 0
  readonly #turns = new Turns()

  constructor(verifiesAll = false) {
    this.#verifiesAll = verifiesAll
  }

  /** Those of the chunks that can be decoded, or went through no filter: all are decoded, one after another. */
  async sound(
    filtered: FilteredDataset,
    chunks: readonly AdoptedChunk[],
  ): Promise<ReadonlySet<AdoptedChunk>> {
    const sound = new Set(chunks)
    for (const group of groupsOf(chunks.filter(isEncodedIn(filtered)))) {
      const converted = new Set((await this.#read(filtered, group)).converted)
      for (const chunk of group) if (converted.has(chunk.coordinates)) sound.delete(chunk)
    }
    return sound
  }

  /** The chunks of a dataset, each once. */
  async *batches(
    dataset: AdoptableDataset,
    filtered: FilteredDataset,
    signal: AbortSignal,
  ): AsyncGenerator<EncodedBatch> {
    const isEncoded = isEncodedIn(filtered)
    for await (const { adopted, converted } of dataset.batches()) {
      const plain = adopted.filter(chunk => !isEncoded(chunk)).map(({ coordinates }) => coordinates)
      yield { encoded: [], converted: [...converted, ...plain] }
      for (const group of groupsOf(adopted.filter(isEncoded))) {
        signal.throwIfAborted()
        yield await this.#read(filtered, group)
      }
    }
  }

  async #read(filtered: FilteredDataset, chunks: readonly AdoptedChunk[]): Promise<EncodedBatch> {
    const pieces = await filtered.read(chunks.map(({ offset, length }) => ({ position: offset, length })))
    const encoded: EncodedChunk[] = []
    const converted: ChunkCoordinates[] = []
    for (const [index, { coordinates, mask }] of chunks.entries()) {
      const chunk = { coordinates, mask, bytes: pieces[index] }
      if (await this.#isSound(filtered, chunk)) encoded.push(chunk)
      // Reading its values tells what is wrong, or that what lies beyond the extents was left out.
      else converted.push(coordinates)
    }
    return { encoded, converted }
  }

  /** True also when it is not known. */
  async #isSound({ pipeline, chunkBytes }: FilteredDataset, chunk: EncodedChunk): Promise<boolean> {
    this.#verifiedBytes += chunkBytes
    const isCheap = chunkBytes <= MAX_VERIFIED_CHUNK && this.#verifiedBytes <= MAX_VERIFIED_BYTES
    if (!isCheap && !this.#verifiesAll) return true
    await this.#turns.next()
    try {
      await decodeChunk(pipeline, chunk, chunkBytes)
      return true
    } catch {
      return false
    }
  }
}

/** Whether a chunk of the dataset went through a filter. */
function isEncodedIn({ pipeline }: FilteredDataset): (chunk: AdoptedChunk) => boolean {
  return ({ mask }) => !isUnfiltered(pipeline, mask)
}

function* groupsOf(chunks: readonly AdoptedChunk[]): Generator<readonly AdoptedChunk[]> {
  let group: AdoptedChunk[] = []
  let bytes = 0
  for (const chunk of chunks) {
    if (bytes + chunk.length > BATCH_BYTES && group.length > 0) {
      yield group
      group = []
      bytes = 0
    }
    group.push(chunk)
    bytes += chunk.length
  }
  if (group.length > 0) yield group
}
