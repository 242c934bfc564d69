// The walk of an import: from the root group along the links to every object of a file, then objects, links,
// attributes and values into the target. What cannot be read or stored becomes a warning that names its path; the
// rest is imported. If a part of a dataset's values cannot be read, it has none: fill values would look like data.

import { HyperslabError } from '../errors.ts'
import { untilDamaged } from '../h5file/reader/attempt.ts'
import type { ChunkDecoder } from '../h5file/reader/value-source.ts'
import {
  type Box,
  type ChunkCoordinates,
  type FileAddress,
  type FileAttribute,
  type FileDataset,
  type FileLink,
  type FileWarning,
  type H5FileReader,
  memberPath,
  type StoredBytes,
  type StoredChunks,
} from '../h5file/reader.ts'
import { elementCount, extentsOf, product } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import { elementSize, isVariableSize } from '../hdf5/datatype/layout.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import { attributeName, linkTitle } from '../hdf5/names.ts'
import type { ObjectReference } from '../hdf5/object-id.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import { ByteGate } from '../storage/byte-gate.ts'
import { inParallel } from '../storage/in-parallel.ts'
import type { AdoptedChunk, EncodedChunk } from '../storage/store.ts'
import { isTurnOver, nextTurn } from '../turns.ts'
import { type AdoptableDataset, type AdoptionBatch, adoptionOf } from './adoption.ts'
import { boxAt, boxesOf, boxesOfChunks, boxShape, LARGE_CHUNK } from './boxes.ts'
import { type EncodedBatch, EncodedChunks } from './encoded-chunks.ts'
import { linkTargetOf, newName, openObject, PARALLEL_OBJECTS, reasonOf } from './file-objects.ts'
import { ImportNotUndone } from './import-not-undone.ts'
import { RememberedBatches } from './remembered-batches.ts'
import type { ImportTarget, Publication } from './target.ts'

/** The approximate size of the boxes in which values are read and written: bytes, or elements of variable size. */
const BOX_BYTES = 2 * 2 ** 20
const BOX_VARIABLE_ELEMENTS = 16_384

/** In bytes of values; the objects are counted as a few bytes each. */
export type ImportProgress = (done: number, total: number) => void

/** A file as a whole. */
export interface CopiedFile {
  readonly size: number
  /** All bytes; a piece may be used again when the next one is asked for. */
  readonly pieces: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

export interface ImportOptions {
  readonly signal: AbortSignal
  readonly progress: ImportProgress
  /** Called when everything has been read, before it is published: throws if the file was changed meanwhile. */
  readonly requireUnchanged: () => void
  /** The file; absent: none of its chunks can be taken over as they are. */
  readonly file?: CopiedFile
  /** A file with a loss is not imported: `IncompleteFile`. All chunks are decoded to find damage. */
  readonly strict?: boolean
  /** Runs the filters of chunks that are decoded only to find damage. Default: in this thread. */
  readonly decode?: ChunkDecoder
}

export interface ImportSummary {
  readonly groups: number
  readonly datasets: number
  /** The number of those datasets whose values could not be read. */
  readonly unreadable: number
  readonly datatypes: number
  readonly attributes: number
  /** The bytes of the values of the other datasets. */
  readonly bytes: number
  /** The losses. */
  readonly warnings: readonly FileWarning[]
  readonly newFolders: readonly DomainPath[]
  /** A domain of that name was replaced. */
  readonly replaced: boolean
}

/** Requests in flight, so that a distant server delays the import less. */
const PARALLEL_REQUESTS = 16
/** Objects whose attributes are put, or boxes of values. */
const PARALLEL_CONTENTS = 4
/** Attributes of one object, of each of the objects in flight. */
const PARALLEL_ATTRIBUTES = 4
/** Boxes that are read together, if they are small. */
const GROUP_BOXES = 64
const GROUP_BYTES = 2 ** 20

/**
 * In a sound file no element of variable size shares its bytes with another. Those of virtual datasets come from other files, and other
 * writers may write equal strings once.
 */
const FREE_HEAP_BYTES = 64 * 2 ** 20
const HEAP_RATIO = 4

/**
 * A chunk takes a record in the target: more than these, of fewer bytes than these, become larger chunks. Unless the dataset is sparse:
 * larger chunks also hold what was never written.
 */
const FEW_CHUNKS = 1024
const SMALL_CHUNK = 4096
const MAX_SPARSE = 2

/** The values of smaller files are converted: then they are stored with the records. */
const MIN_ADOPTED_FILE = 2 ** 20

/** A piece of work, begun by calling it. */
type Task = () => Promise<void>

/** Begins a task, and every few milliseconds lets the event loop run: most tasks find all that they need in memory. */
function beginInTurns(): (task: Task) => Promise<void> {
  return async task => {
    await task()
    if (isTurnOver()) await nextTurn()
  }
}

/** Bytes that an object counts in the progress: about as long as its records take to write. */
const OBJECT_BYTES = 1000

interface FoundObject {
  readonly address: FileAddress
  readonly kind: ObjectReference['kind']
  /** Of a dataset. */
  readonly dataset: FileDataset | undefined
  /** Of a committed datatype. */
  readonly type: Datatype | undefined
  /** Bytes of a dataset's values that the file stores, without what filters save. */
  readonly bytes: number
  /** The chunks that the file stores; undefined: all values. */
  readonly chunks: StoredChunks | undefined
  /** Of a dataset some of whose chunks can be taken over as they are, and their bytes. */
  readonly adoption: AdoptableDataset | undefined
  readonly adoptable: number
  /** Its chunks are so small that the target has larger ones. */
  readonly isJoined: boolean
  /** Why it is not known which chunks the file stores. */
  readonly damage: string | undefined
}

type StoredValues = Pick<FoundObject, 'chunks' | 'bytes' | 'damage' | 'adoption' | 'adoptable' | 'isJoined'>

/** All members at once: V8 gives an object to which some are added later memory of another object. */
function newObject(
  { address, kind }: Pick<FoundObject, 'address' | 'kind'>,
  { dataset, type }: { readonly dataset?: FileDataset; readonly type?: Datatype },
  { bytes = 0, chunks, adoption, adoptable = 0, isJoined = false, damage }: Partial<StoredValues>,
): FoundObject {
  return { address, kind, dataset, type, bytes, chunks, adoption, adoptable, isJoined, damage }
}

/** All objects of the file, in the order of the walk. What is known of all of them is gathered on the way: they may be very many. */
interface FoundObjects {
  readonly all: FoundObject[]
  readonly datatypes: FoundObject[]
  readonly groups: FoundObject[]
  readonly datasets: FoundObject[]
  /** The sums of theirs. */
  bytes: number
  adoptable: number
  /** The bytes of those of which chunks can be taken over. */
  bytesOfAdoptable: number
}

/** A box of values that must be read. */
interface ValueBox {
  readonly object: FoundObject
  readonly dataset: FileDataset
  readonly reference: ObjectReference
  readonly box: Box
}

/** Fills the target and publishes it. If it throws, the target has been abandoned. */
export async function importFile(
  reader: H5FileReader,
  target: ImportTarget,
  options: ImportOptions,
): Promise<ImportSummary> {
  try {
    const walk = new Import(reader, target, options)
    const summary = await walk.run()
    options.requireUnchanged()
    return { ...summary, ...(await target.publish(summary.warnings.length > 0)) }
  } catch (error) {
    await target.abandon().catch((second: unknown) => {
      throw new ImportNotUndone([error, second])
    })
    throw error
  }
}

/** A file with losses, which is not imported because the import is strict. */
export class IncompleteFile extends HyperslabError {
  readonly warnings: readonly FileWarning[]

  constructor(warnings: readonly FileWarning[]) {
    super('file-unreadable', 'not imported, because parts of it cannot be, and --strict is given')
    this.warnings = warnings
  }
}

class Import {
  readonly #reader: H5FileReader
  readonly #target: ImportTarget
  readonly #options: ImportOptions
  readonly #warnings: FileWarning[] = []
  readonly #warned = new Set<string>()
  /** The objects of the domain by their addresses in the file. */
  readonly #references = new Map<FileAddress, ObjectReference>()
  /** The chunks of the target, by the addresses of the datasets whose values are no single box. */
  readonly #targetChunks = new Map<FileAddress, readonly number[]>()
  /** Datasets whose values cannot be read, with the reason. */
  readonly #unreadable = new Map<FoundObject, string>()
  readonly #resolve = (address: FileAddress) => this.#references.get(address)
  /** The file itself is stored, and its chunks are taken over where that is possible. */
  #isAdopting = false
  readonly #remembered = new RememberedBatches()
  readonly #encoded: EncodedChunks
  /** Boxes that are being read and written: their bytes are in memory several times. */
  readonly #boxes = new ByteGate(BOX_BYTES)
  #heapBytes = 0
  #attributeCount = 0
  #doneBytes = 0
  #totalBytes = 0

  constructor(reader: H5FileReader, target: ImportTarget, options: ImportOptions) {
    this.#reader = reader
    this.#target = target
    this.#options = options
    this.#encoded = new EncodedChunks(options.decode, options.strict)
  }

  async run(): Promise<Omit<ImportSummary, keyof Publication>> {
    const found = await this.#find()
    this.#requireWhole()
    const { all, datatypes, groups, datasets, bytes, adoptable } = found
    this.#totalBytes = bytes + all.length * OBJECT_BYTES
    const size = this.#options.file?.size ?? 0
    this.#isAdopting = size >= MIN_ADOPTED_FILE && 2 * adoptable >= size
    const begin = beginInTurns()
    // Committed datatypes first, since datasets use them.
    for (const objects of [datatypes, groups, datasets]) {
      await inParallel(this.#creations(objects), PARALLEL_REQUESTS, begin)
    }
    await inParallel(this.#links(groups), PARALLEL_REQUESTS, begin)
    this.#requireWhole()
    await this.#adoptFile(found)
    await inParallel(this.#contents(all), PARALLEL_CONTENTS, begin)
    // Only when no box of these datasets is being written any more.
    await inParallel(this.#markings(), PARALLEL_REQUESTS, begin)
    this.#requireWhole()
    const unread = [...this.#unreadable.keys()].reduce((sum, object) => sum + object.bytes, 0)
    return {
      groups: groups.length,
      datasets: datasets.length,
      unreadable: this.#unreadable.size,
      datatypes: datatypes.length,
      attributes: this.#attributeCount,
      bytes: bytes - unread,
      warnings: this.#losses,
    }
  }

  get #losses(): readonly FileWarning[] {
    return [...this.#reader.warnings, ...this.#warnings]
  }

  #requireWhole(): void {
    const losses = this.#losses
    if (this.#options.strict && losses.length > 0) throw new IncompleteFile(losses)
  }

  /** Every object that hard links reach from the root group, each once, also where links form cycles. */
  async #find(): Promise<FoundObjects> {
    const found = noObjects()
    const seen = new Set([this.#reader.root])
    const waiting = [this.#reader.root]
    for (let from = 0; from < waiting.length; ) {
      const next = waiting.slice(from, from + PARALLEL_OBJECTS)
      from += next.length
      this.#options.signal.throwIfAborted()
      const opened = await Promise.all(
        next.map(address => {
          const open = () => this.#open(address)
          // Without the root group there is nothing to import.
          return address === this.#reader.root ? open() : this.#tolerate(this.#reader.pathOf(address), open)
        }),
      )
      for (const object of opened) {
        if (!object) continue
        addObject(found, object)
        if (object.kind !== 'group') continue
        for await (const link of this.#linksOf(object)) {
          if (link.class !== 'H5L_TYPE_HARD' || seen.has(link.address)) continue
          seen.add(link.address)
          waiting.push(link.address)
        }
      }
      await nextTurn()
    }
    return found
  }

  /** The links of a group, until they cannot be read. They are read twice, since there may be a million. */
  async *#linksOf({ address }: FoundObject): AsyncGenerator<FileLink> {
    const path = this.#reader.pathOf(address)
    const batches = this.#reader.links(address)
    for await (const links of untilDamaged(batches, work => this.#tolerate(path, work))) {
      this.#options.signal.throwIfAborted()
      for (const link of links) {
        if (isTurnOver()) await nextTurn()
        yield link
      }
    }
  }

  async #open(address: FileAddress): Promise<FoundObject> {
    const object = await openObject(this.#reader, address)
    switch (object.kind) {
      case 'group':
        return newObject(object, {}, {})
      case 'datatype':
        return newObject(object, { type: object.type }, {})
      case 'dataset':
        return newObject(object, { dataset: object.dataset }, await this.#stored(address, object.dataset))
    }
  }

  /** What the file stores of a dataset. */
  async #stored(address: FileAddress, dataset: FileDataset): Promise<Partial<StoredValues>> {
    const { space, type } = dataset
    const all = elementCount(space) * elementSize(type)
    const bytesOf = (chunks: readonly ChunkCoordinates[], chunkDims: readonly number[]) =>
      chunks.reduce((sum, chunk) => sum + product(boxAt(chunk, chunkDims, extentsOf(space)).count), 0) *
      elementSize(type)
    try {
      const { file } = this.#options
      const ranges = file && (await this.#storedBytes(address))
      const adoption = ranges && adoptionOf(dataset, ranges, file.size)
      const isChunked = dataset.creationProperties.layout === 'H5D_CHUNKED'
      const chunks = ranges && isChunked ? chunksOf(ranges) : await this.#storedChunks(address)
      let bytes = 0
      let adoptable = 0
      let count = 0
      if (adoption) {
        for await (const { adopted, converted } of adoption.batches()) {
          for (const { length } of adopted) adoptable += length
          const batch = [...converted, ...adopted.map(({ coordinates }) => coordinates)]
          bytes += bytesOf(batch, adoption.chunkDims)
          count += batch.length
        }
      } else if (chunks) {
        for await (const batch of chunks.batches()) {
          bytes += bytesOf(batch, chunks.chunkDims)
          count += batch.length
        }
      } else {
        bytes = all
      }
      const isJoined = chunks && count > FEW_CHUNKS && bytes < count * SMALL_CHUNK && all < MAX_SPARSE * bytes
      if (isJoined) return { chunks, bytes, isJoined }
      return { chunks, adoption, bytes, adoptable }
    } catch (error) {
      return { damage: reasonOf(error) }
    }
  }

  async #storedChunks(address: FileAddress): Promise<StoredChunks | undefined> {
    const chunks = await this.#reader.storedChunks(address)
    return chunks && { ...chunks, batches: this.#remembered.of(chunks.batches) }
  }

  async #storedBytes(address: FileAddress): Promise<StoredBytes | undefined> {
    const stored = await this.#reader.storedBytes?.(address)
    return stored && { ...stored, batches: this.#remembered.of(() => stored.batches()) }
  }

  /** Stores the file itself, if enough of it can be taken over as it is. */
  async #adoptFile({ bytesOfAdoptable }: FoundObjects): Promise<void> {
    const { file } = this.#options
    if (!this.#isAdopting || !file) return
    const advance = (length: number) => this.#advance((length / file.size) * bytesOfAdoptable)
    const pieces = { [Symbol.asyncIterator]: () => piecesOf(file, advance, this.#options.signal) }
    await this.#target.putFile(pieces)
  }

  *#creations(objects: readonly FoundObject[]): Generator<Task> {
    for (const object of objects) {
      yield async () => {
        this.#references.set(object.address, await this.#create(object))
        this.#advance(OBJECT_BYTES)
      }
    }
  }

  async #create({
    address,
    type: committed,
    dataset,
    adoption,
    isJoined,
  }: FoundObject): Promise<ObjectReference> {
    if (address === this.#reader.root) return this.#target.root
    if (committed) return this.#target.createDatatype(committed)
    if (!dataset) return this.#target.createGroup()
    const { type, space, creationProperties, committedType } = dataset
    const adopted = adoption && (this.#isAdopting || adoption.filtered) ? adoption : undefined
    const other = chunkDimsOf(dataset, adopted, isJoined)
    const { kind, id, chunkDims } = await this.#target.createDataset({
      type,
      ...this.#committed(committedType),
      space,
      // Those of the file are in memory once for all datasets that are alike.
      creationProperties: other ? { ...creationProperties, chunkDims: other } : creationProperties,
    })
    if (chunkDims && elementCount(space) > maxElementsOf(dataset)) this.#targetChunks.set(address, chunkDims)
    return { kind, id }
  }

  /** The committed datatype in the domain, if it was imported. */
  #committed(address: FileAddress | undefined): { committedType?: ObjectReference } {
    const reference = address === undefined ? undefined : this.#references.get(address)
    return reference ? { committedType: reference } : {}
  }

  async *#links(groups: readonly FoundObject[]): AsyncGenerator<Task> {
    for (const object of groups) {
      const group = this.#references.get(object.address)
      if (!group) continue
      const path = this.#reader.pathOf(object.address)
      let order = 0
      for await (const link of this.#linksOf(object)) {
        const linkPath = memberPath(path, link.title)
        const title = await this.#tolerate(linkPath, () => linkTitle(link.title))
        const position = order++
        if (title === undefined) continue
        const target = linkTargetOf(link, this.#resolve)
        if (target) {
          yield () => this.#target.putLink(group, title, target, position)
        } else if (!this.#warned.has(linkPath)) {
          this.#warn(linkPath, 'the link is left out, because its target is')
        }
      }
    }
  }

  /** Attributes and values of some objects after another, so that a reader and a target meet each object once. */
  async *#contents(objects: readonly FoundObject[]): AsyncGenerator<Task> {
    for (let from = 0; from < objects.length; from += PARALLEL_OBJECTS) {
      const some = objects.slice(from, from + PARALLEL_OBJECTS)
      yield* this.#attributes(some)
      yield* this.#values(some)
    }
  }

  *#attributes(objects: readonly FoundObject[]): Generator<Task> {
    for (const { address } of objects) {
      const owner = this.#references.get(address)
      if (!owner) continue
      yield async () => {
        this.#options.signal.throwIfAborted()
        const path = this.#reader.pathOf(address)
        const names = new Set<string>()
        const ordered = this.#attributesInOrder(address, path)
        await inParallel(ordered, PARALLEL_ATTRIBUTES, async ([order, { committedType, ...attribute }]) => {
          const name = await this.#tolerate(path, () => {
            this.#countHeap(attribute.value)
            return newName(attributeName(attribute.name), names)
          })
          if (name === undefined) return
          await this.#target.putAttribute(owner, { ...attribute, ...this.#committed(committedType), order })
          this.#attributeCount++
          if (isTurnOver()) await nextTurn()
        })
      }
    }
  }

  /** Attributes of an object with their numbers. No more of them are in memory than the reader decodes together. */
  async *#attributesInOrder(address: FileAddress, path: string): AsyncGenerator<[number, FileAttribute]> {
    const batches = this.#reader.attributes(address, this.#resolve)
    let order = 0
    for await (const batch of untilDamaged(batches, work => this.#tolerate(path, work))) {
      this.#options.signal.throwIfAborted()
      for (const attribute of batch) yield [order++, attribute]
    }
  }

  /** Small boxes together, so that a reader can read what lies side by side at once. */
  async *#values(objects: readonly FoundObject[]): AsyncGenerator<Task> {
    let group: ValueBox[] = []
    let bytes = 0
    const writeAll = (boxes: readonly ValueBox[]) => async () => {
      await Promise.all(boxes.map(box => this.#writeBox(box)))
      await nextTurn()
    }
    for (const object of objects) {
      const reference = this.#references.get(object.address)
      const { dataset } = object
      if (!reference || !dataset || dataset.space.class === 'H5S_NULL') continue
      if (object.damage !== undefined) {
        this.#unreadable.set(object, object.damage)
        continue
      }
      try {
        for await (const box of this.#adoptedAndBoxes(object, dataset)) {
          // A box could not be read: the dataset has no values, however many boxes are left.
          if (this.#unreadable.has(object)) break
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
        this.#unreadable.set(object, reasonOf(error))
      }
    }
    if (group.length > 0) yield writeAll(group)
  }

  #writeBox(valueBox: ValueBox): Promise<void> {
    return this.#boxes.pass(weightOf(valueBox), () => this.#writeNextBox(valueBox))
  }

  async #writeNextBox({ object, dataset, reference, box }: ValueBox): Promise<void> {
    if (this.#unreadable.has(object)) return
    let elements: Elements
    try {
      elements = await this.#reader.readValues(object.address, box.start, box.count, this.#resolve)
      this.#countHeap(elements)
    } catch (error) {
      this.#unreadable.set(object, reasonOf(error))
      return
    }
    // Values that are not stored read as the fill value.
    const { fillValue } = dataset.creationProperties
    if (!isFillValue(elements, fillValue)) await this.#target.writeValues(reference, box, elements)
    this.#advance(elements.count * elementSize(dataset.type))
  }

  /** Throws when elements of variable size have more bytes than a sound file has for them. */
  #countHeap(elements: Elements | undefined): void {
    this.#heapBytes += elements?.heap.length ?? 0
    const most = FREE_HEAP_BYTES + HEAP_RATIO * (this.#options.file?.size ?? Infinity)
    if (this.#heapBytes <= most) return
    const rule = `more than ${most} bytes, ${HEAP_RATIO} times those of the file`
    throw new HyperslabError('file-unreadable', `the elements of variable size have ${rule}`)
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
    if (this.#unreadable.has(object)) return
    await this.#target.putEncodedChunks(reference, chunks)
    const { chunkDims = [] } = object.adoption ?? {}
    for (const { coordinates } of chunks) {
      this.#advance(product(boxAt(coordinates, chunkDims, extentsOf(space)).count) * elementSize(type))
    }
  }

  /** Chunks that are taken over as they are, and the values that must be read. */
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
    if (adoption && this.#isAdopting) {
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
    // Along the chunks of the file or, where it has none, those of the target.
    const along = layout === 'H5D_CHUNKED' ? chunkDims : this.#targetChunks.get(address)
    return boxesOf(dims, along, maxElements)
  }

  *#markings(): Generator<Task> {
    for (const [{ address }, why] of this.#unreadable) {
      const reference = this.#references.get(address)
      if (!reference) continue
      yield async () => {
        await this.#target.markUnreadable(reference, why)
        this.#warn(
          this.#reader.pathOf(address),
          `the dataset is imported without values, because they cannot be read: ${why}`,
        )
      }
    }
  }

  #advance(bytes: number): void {
    this.#options.signal.throwIfAborted()
    this.#doneBytes += bytes
    this.#options.progress(this.#doneBytes, this.#totalBytes)
  }

  async #tolerate<T>(path: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#warn(path, reasonOf(error))
      return undefined
    }
  }

  #warn(path: string, message: string): void {
    this.#warnings.push({ path, message })
    this.#warned.add(path)
  }
}

function noObjects(): FoundObjects {
  return {
    all: [],
    datatypes: [],
    groups: [],
    datasets: [],
    bytes: 0,
    adoptable: 0,
    bytesOfAdoptable: 0,
  }
}

function addObject(found: FoundObjects, object: FoundObject): void {
  found.all.push(object)
  found[`${object.kind}s`].push(object)
  found.bytes += object.bytes
  found.adoptable += object.adoptable
  if (object.adoption) found.bytesOfAdoptable += object.bytes
}

/** Bytes of the file, which must be as many as its size says. */
async function* piecesOf(
  { size, pieces }: CopiedFile,
  advance: (length: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = size
  for await (const piece of pieces(signal)) {
    left -= piece.length
    yield piece
    advance(piece.length)
  }
  if (left !== 0) throw new HyperslabError('file-unreadable', 'the file was changed while it was copied')
}

/** Bytes, or as many as take as much memory: many chunks take more. */
function weightOf({ object, dataset, box: { count } }: ValueBox): number {
  return object.isJoined ? BOX_BYTES : (product(count) / maxElementsOf(dataset)) * BOX_BYTES
}

function chunksOf({ chunkDims, batches }: StoredBytes): StoredChunks {
  return {
    chunkDims,
    async *batches() {
      for await (const ranges of batches()) yield ranges.map(({ coordinates }) => coordinates)
    },
  }
}

/**
 * The chunks of the target, where they are not those of the file: slabs that are adopted; boxes of values where several chunks are
 * joined, and where they are parts of a chunk, which would be read and written again for each of them.
 */
function chunkDimsOf(
  dataset: FileDataset,
  adoption: AdoptableDataset | undefined,
  isJoined: boolean,
): readonly number[] | undefined {
  const { space, creationProperties } = dataset
  const { layout, chunkDims } = creationProperties
  if (adoption) return adoption.chunkDims
  if (layout !== 'H5D_CHUNKED' || !chunkDims || space.class !== 'H5S_SIMPLE') return undefined
  const maxElements = maxElementsOf(dataset)
  if (isJoined) return boxShape(space.dims, chunkDims, maxElements)
  return product(chunkDims) <= LARGE_CHUNK * maxElements
    ? undefined
    : boxShape(chunkDims, undefined, maxElements)
}

/** Of a box. */
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
