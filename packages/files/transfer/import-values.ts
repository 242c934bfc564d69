// The import of values: chunks that are taken over as bytes of the file or in their filtered form, and boxes of values
// that are read and written. If a part of a dataset's values cannot be read, it has none: fill values would look like
// data.

import { ByteGate, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type {
  Box,
  ChunkCoordinates,
  ChunkDecoder,
  FileAddress,
  FileDataset,
  H5FileReader,
  StoredChunks,
} from '@hyperslab/h5/reader'
import { elementCount, extentsOf, product } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectReference } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import type { AdoptedChunk, EncodedChunk } from '@hyperslab/store/store'
import type { AdoptionBatch } from './adoption.ts'
import { boxAt, boxesOf, boxesOfChunks, boxShape, LARGE_CHUNK } from './boxes.ts'
import { type EncodedBatch, EncodedChunks } from './encoded-chunks.ts'
import { reasonOf } from './file-objects.ts'
import type { FoundObject } from './found-objects.ts'
import type { ImportTarget } from './target.ts'

/** The approximate size of the boxes in which values are read and written: bytes, or elements of variable size. */
const BOX_BYTES = 2 * 2 ** 20
const BOX_VARIABLE_ELEMENTS = 16_384
/** Boxes that are read together, if they are small. */
const GROUP_BOXES = 64
const GROUP_BYTES = 2 ** 20

/**
 * In a sound file no element of variable size shares its bytes with another. Those of virtual datasets come from other
 * files, and other writers may write equal strings once.
 */
const FREE_HEAP_BYTES = 64 * 2 ** 20
const HEAP_RATIO = 4
/**
 * In a sound file no two datasets share bytes of values that went through no filters. References take six times the
 * bytes here that they have in the file.
 */
const FREE_PLAIN_BYTES = 64 * 2 ** 20
const PLAIN_RATIO = 8

export interface ValueImportOptions {
  readonly signal: AbortSignal
  /** Called with bytes of values that are in the target now. */
  readonly advance: (bytes: number) => void
  /** The object of the target that represents an object of the file. */
  readonly resolve: (address: FileAddress) => ObjectReference | undefined
  /** The length of the file; absent: it is not known. */
  readonly fileSize?: number
  /** True: all chunks are decoded to find damage. */
  readonly strict?: boolean
  /** Runs the filters of chunks that are decoded only to find damage. Default: in this thread. */
  readonly decode?: ChunkDecoder
}

/** A piece of work, which begins when it is called; several can run at once. */
export type Task = () => Promise<void>

/** A box of values that must be read. */
interface ValueBox {
  readonly object: FoundObject
  readonly dataset: FileDataset
  readonly reference: ObjectReference
  readonly box: Box
}

export class ValueImport {
  /** True: the file itself is stored, and its chunks are taken over if possible. */
  isAdopting = false
  /** Datasets whose values cannot be read, with the reason. */
  readonly unreadable = new Map<FoundObject, string>()
  readonly #reader: H5FileReader
  readonly #target: ImportTarget
  readonly #options: ValueImportOptions
  /** The chunks of the target, by the addresses of the datasets whose values are more than one box. */
  readonly #targetChunks = new Map<FileAddress, readonly number[]>()
  readonly #encoded: EncodedChunks
  /** Boxes that are being read and written: their bytes are in memory several times. */
  readonly #boxes = new ByteGate(BOX_BYTES)
  #heapBytes = 0
  #plainBytes = 0

  constructor(reader: H5FileReader, target: ImportTarget, options: ValueImportOptions) {
    this.#reader = reader
    this.#target = target
    this.#options = options
    this.#encoded = new EncodedChunks(options.decode, options.strict)
  }

  /**
   * The chunks of the target, if they are not those of the file: slabs that are adopted; boxes of values where several
   * chunks are joined, and where they are parts of a chunk, which would be read and written again for each of them.
   */
  chunkDimsOf({ adoption, isJoined }: FoundObject, dataset: FileDataset): readonly number[] | undefined {
    const { space, creationProperties } = dataset
    const { layout, chunkDims } = creationProperties
    if (adoption && (this.isAdopting || adoption.filtered)) return adoption.chunkDims
    if (layout !== 'H5D_CHUNKED' || !chunkDims || space.class !== 'H5S_SIMPLE') return undefined
    const maxElements = maxElementsOf(dataset)
    if (isJoined) return boxShape(space.dims, chunkDims, maxElements)
    return product(chunkDims) <= LARGE_CHUNK * maxElements
      ? undefined
      : boxShape(chunkDims, undefined, maxElements)
  }

  /** Must be called with the chunks of a dataset in the target: its values are read along them. */
  noteChunks({ address }: FoundObject, dataset: FileDataset, chunkDims: readonly number[]): void {
    if (elementCount(dataset.space) > maxElementsOf(dataset)) this.#targetChunks.set(address, chunkDims)
  }

  /** Throws when elements of variable size have more bytes than a sound file has for them. */
  countHeap(elements: Elements | undefined): void {
    this.#heapBytes += elements?.heap.length ?? 0
    const most = FREE_HEAP_BYTES + HEAP_RATIO * (this.#options.fileSize ?? Infinity)
    if (this.#heapBytes <= most) return
    const rule = `more than ${most} bytes, ${HEAP_RATIO} times those of the file`
    throw new HyperslabError('file-unreadable', `the elements of variable size have ${rule}`)
  }

  /** Throws when values that went through no filters have more bytes than a sound file has for them. */
  #countPlain({ isOfOthers, creationProperties: { filters } }: FileDataset, { data }: Elements): void {
    if (isOfOthers || filters.length > 0) return
    this.#plainBytes += data.length
    const most = FREE_PLAIN_BYTES + PLAIN_RATIO * (this.#options.fileSize ?? Infinity)
    if (this.#plainBytes <= most) return
    const rule = `more than ${most} bytes, ${PLAIN_RATIO} times those of the file`
    throw new HyperslabError('file-unreadable', `with the datasets before it, its values have ${rule}`)
  }

  /**
   * Tasks that bring the values of these objects into the target; small boxes are together, so that a reader can read
   * adjacent bytes at once.
   */
  async *tasks(objects: readonly FoundObject[]): AsyncGenerator<Task> {
    let group: ValueBox[] = []
    let bytes = 0
    const writeAll = (boxes: readonly ValueBox[]) => async () => {
      await Promise.all(boxes.map(box => this.#writeBox(box)))
      await nextTurn()
    }
    for (const object of objects) {
      const reference = this.#options.resolve(object.address)
      const { dataset } = object
      if (!reference || !dataset || dataset.space.class === 'H5S_NULL') continue
      if (object.damage !== undefined) {
        this.unreadable.set(object, object.damage)
        continue
      }
      try {
        for await (const box of this.#adoptedAndBoxes(object, dataset)) {
          // A box could not be read, so the dataset has no values, and the other boxes are not read.
          if (this.unreadable.has(object)) break
          if ('adopted' in box) {
            yield () => this.#adopt(reference, box.adopted)
            continue
          }
          if ('encoded' in box) {
            yield () => this.#putEncoded(object, dataset, reference, box.encoded)
            continue
          }
          const valueBox = { object, dataset, reference, box }
          group.push(valueBox)
          bytes += weightOf(valueBox)
          if (group.length < GROUP_BOXES && bytes < GROUP_BYTES) continue
          yield writeAll(group)
          group = []
          bytes = 0
        }
      } catch (error) {
        this.unreadable.set(object, reasonOf(error))
      }
    }
    if (group.length > 0) yield writeAll(group)
  }

  #writeBox(valueBox: ValueBox): Promise<void> {
    return this.#boxes.pass(weightOf(valueBox), () => this.#writeNextBox(valueBox))
  }

  async #writeNextBox({ object, dataset, reference, box }: ValueBox): Promise<void> {
    if (this.unreadable.has(object)) return
    let elements: Elements
    try {
      const { resolve, signal } = this.#options
      elements = await this.#reader.readValues(object.address, box.start, box.count, resolve, { signal })
      this.countHeap(elements)
      this.#countPlain(dataset, elements)
    } catch (error) {
      this.unreadable.set(object, reasonOf(error))
      return
    }
    // Values that are not stored read as the fill value.
    const { fillValue } = dataset.creationProperties
    if (!isFillValue(elements, fillValue)) await this.#target.writeValues(reference, box, elements)
    this.#options.advance(elements.count * elementSize(dataset.type))
  }

  async #adopt(reference: ObjectReference, chunks: readonly AdoptedChunk[]): Promise<void> {
    this.#options.signal.throwIfAborted()
    await this.#target.adoptChunks(reference, chunks)
  }

  async #putEncoded(
    object: FoundObject,
    { space, type }: FileDataset,
    reference: ObjectReference,
    chunks: readonly EncodedChunk[],
  ): Promise<void> {
    if (this.unreadable.has(object)) return
    await this.#target.putEncodedChunks(reference, chunks)
    const { chunkDims = [] } = object.adoption ?? {}
    for (const { coordinates } of chunks) {
      this.#options.advance(
        product(boxAt(coordinates, chunkDims, extentsOf(space)).count) * elementSize(type),
      )
    }
  }

  /** Tasks for chunks that are taken over unchanged, and for values that must be read. */
  async *#adoptedAndBoxes(
    { address, adoption, chunks }: FoundObject,
    dataset: FileDataset,
  ): AsyncGenerator<Pick<AdoptionBatch, 'adopted'> | Pick<EncodedBatch, 'encoded'> | Box> {
    const boxesOfConverted = (converted: readonly ChunkCoordinates[], chunkDims: readonly number[]) => {
      async function* batches() {
        yield converted
      }
      return this.#boxesOf(address, dataset, { chunkDims, batches })
    }
    const { strict } = this.#options
    if (adoption && this.isAdopting) {
      for await (const { adopted, converted } of adoption.batches()) {
        const { filtered } = adoption
        const sound = strict && filtered ? await this.#encoded.sound(filtered, adopted) : new Set(adopted)
        if (sound.size > 0) yield { adopted: [...sound] }
        const unsound = adopted.filter(chunk => !sound.has(chunk)).map(({ coordinates }) => coordinates)
        yield* boxesOfConverted([...converted, ...unsound], adoption.chunkDims)
      }
    } else if (adoption?.filtered) {
      const batches = this.#encoded.batches(adoption, adoption.filtered, this.#options.signal)
      for await (const { encoded, converted } of batches) {
        if (encoded.length > 0) yield { encoded }
        yield* boxesOfConverted(converted, adoption.chunkDims)
      }
    } else {
      yield* this.#boxesOf(address, dataset, chunks)
    }
  }

  /** The values that the file stores. */
  #boxesOf(
    address: FileAddress,
    dataset: FileDataset,
    stored: StoredChunks | undefined,
  ): Iterable<Box> | AsyncIterable<Box> {
    const { space, creationProperties } = dataset
    const { layout, chunkDims } = creationProperties
    const dims = extentsOf(space)
    const maxElements = maxElementsOf(dataset)
    if (stored) return boxesOfChunks(dims, stored.chunkDims, maxElements, stored.batches)
    // The boxes are along the chunks of the file or, without any, those of the target.
    const boxDims = layout === 'H5D_CHUNKED' ? chunkDims : this.#targetChunks.get(address)
    return boxesOf(dims, boxDims, maxElements)
  }
}

/** The approximate memory of a box: its bytes, and more for many chunks. */
function weightOf({ object, dataset, box: { count } }: ValueBox): number {
  return object.isJoined ? BOX_BYTES : (product(count) / maxElementsOf(dataset)) * BOX_BYTES
}

/** The most elements of a box. */
function maxElementsOf({ type, elementBytes = elementSize(type) }: FileDataset): number {
  const inBox = Math.ceil(BOX_BYTES / elementBytes)
  return isVariableSize(type) ? Math.min(BOX_VARIABLE_ELEMENTS, inBox) : inBox
}

/** True when every element is the fill value; absent: zero. */
function isFillValue({ data, heap }: Elements, fillValue: Elements | undefined): boolean {
  const size = fillValue?.data.length ?? 1
  const isFill = fillValue ? Buffer.compare(data.subarray(0, size), fillValue.data) === 0 : data[0] === 0
  // Every element equals the one after it.
  return isFill && heap.length === 0 && Buffer.compare(data.subarray(size), data.subarray(0, -size)) === 0
}
