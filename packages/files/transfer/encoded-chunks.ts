// Chunks that went through filters, of a file that is not kept as a whole: their bytes are stored as they are, since
// decoding and encoding them again costs as much as they claim. Some are decoded all the same, to find damage while the
// file is imported.

import { ByteGate } from '@hyperslab/base/bounded'
import { isUndecodable, isUnfiltered } from '@hyperslab/h5/filters'
import { type ChunkCoordinates, type ChunkDecoder, decodeInTurns } from '@hyperslab/h5/reader'
import type { AdoptedChunk, EncodedChunk } from '@hyperslab/store/store'
import type { AdoptableDataset, FilteredDataset } from './adoption.ts'

/** Bytes of all chunks of a file that are decoded to find damage. @limit memory, bytes */
const MAX_VERIFIED_BYTES = 64 * 2 ** 20
/** Bytes of one chunk that is decoded to find damage. @limit safety, bytes */
const MAX_VERIFIED_CHUNK = 4 * 2 ** 20
/** Bytes of chunks that are in memory at once, unless one alone has more. */
const BATCH_BYTES = 4 * 2 ** 20
/** Decoded bytes of chunks that are decoded at once, unless one alone has more. @limit memory, bytes */
const DECODED_AT_ONCE = 8 * 2 ** 20

export interface EncodedBatch {
  readonly encoded: readonly EncodedChunk[]
  /** Chunks that went through no filter, or cannot be stored as they are. */
  readonly converted: readonly ChunkCoordinates[]
}

/** The encoded chunks of one file. */
export class EncodedChunks {
  readonly #decode: ChunkDecoder
  readonly #verifiesAll: boolean
  #verifiedBytes = 0
  readonly #decoding = new ByteGate(DECODED_AT_ONCE)

  constructor(decode: ChunkDecoder = decodeInTurns(), verifiesAll = false) {
    this.#decode = decode
    this.#verifiesAll = verifiesAll
  }

  /** The chunks that can be decoded, or went through no filter; all are decoded to check this. */
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
    const read = chunks.map(({ coordinates, mask }, index) => ({ coordinates, mask, bytes: pieces[index] }))
    const areSound = await Promise.all(read.map(chunk => this.#isSound(filtered, chunk)))
    const encoded = read.filter((_, index) => areSound[index])
    // Reading their values reports the damage, or finds that only elements beyond the extents were left out.
    const converted = read.filter((_, index) => !areSound[index]).map(({ coordinates }) => coordinates)
    return { encoded, converted }
  }

  /** Whether the chunk is sound; true also when this is unknown. */
  async #isSound({ pipeline, chunkBytes }: FilteredDataset, chunk: EncodedChunk): Promise<boolean> {
    if (isUndecodable(pipeline, chunk.mask)) return true
    this.#verifiedBytes += chunkBytes
    const isCheap = chunkBytes <= MAX_VERIFIED_CHUNK && this.#verifiedBytes <= MAX_VERIFIED_BYTES
    if (!isCheap && !this.#verifiesAll) return true
    try {
      await this.#decoding.pass(chunkBytes, () => this.#decode(pipeline, chunk, chunkBytes, chunkBytes))
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
