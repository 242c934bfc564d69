// The target of an import. Objects and values are written in batches, each in its own transaction, under a root group
// that no domain has. `publish` makes it the root group of the domain in the last transaction: until then, readers see
// no domain of that name, or the one that is replaced. After a failure the caller calls `abandon`, which removes
// everything. Each batch renews a mark that the import is alive; other processes delete what a killed import leaves. A
// small file is one batch, which is the last one too.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { Box } from '@hyperslab/h5/reader'
import type { CreationProperties, Dataspace } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { Acl, DomainPath, ObjectId, ObjectReference, Timestamp } from '@hyperslab/model/names'
import type { Elements, Piece } from '@hyperslab/model/values'
import type {
  AdoptedChunk,
  Dataset,
  EncodedChunk,
  HdfObject,
  LinkTarget,
  Store,
  StoredFile,
  Writer,
} from '@hyperslab/store/store'

export interface NewDataset {
  readonly type: Datatype
  readonly committedType?: ObjectReference
  readonly space: Dataspace
  readonly creationProperties: CreationProperties
  /** Absent: it has no list of its own. */
  readonly acl?: Acl
}

export interface NewAttribute {
  readonly name: string
  readonly type: Datatype
  readonly committedType?: ObjectReference
  readonly space: Dataspace
  /** Absent for a null dataspace. */
  readonly value?: Elements
  /** The number of the attribute among those of the object, in the order of their creation. */
  readonly order: number
}

export interface CreatedDataset extends ObjectReference {
  /** The chunks in which its values are stored there: whole ones are written once. */
  readonly chunkDims?: readonly number[]
}

/** The result of publishing the imported objects as a domain. */
export interface Publication {
  /** The folders created for it, the outermost first. */
  readonly newFolders: readonly DomainPath[]
  readonly replaced: boolean
}

export interface ContentsOptions {
  /** The creation time of everything that is imported. */
  readonly time: Timestamp
  /**
   * Makes the contents with this root group a domain, in the last transaction, which may run several times. `acl`: the
   * list that the file has for the root group.
   */
  readonly publish: (writer: Writer, root: ObjectId, inPart: boolean, acl?: Acl) => Promise<Publication>
}

/**
 * A batch is written when it has this many changes, or values of this many bytes: some batches are in memory at once.
 */
const BATCH_CHANGES = 2000
const BATCH_BYTES = 4 * 2 ** 20

/** Much less than the hour after which an import counts as dead. */
const RENEWAL_MICROSECONDS = 5 * 60 * 1e6

type Change = (writer: Writer) => Promise<unknown>

/** The empty list, one for all objects, which may be very many. */
const NO_ACL: Acl = []

/** Contents that no domain has yet. */
export class ImportTarget {
  /** The root group. */
  readonly root: ObjectReference
  readonly #store: Store
  readonly #options: ContentsOptions
  readonly #datasets = new Map<ObjectId, Dataset>()
  #file: StoredFile | undefined
  /** True: chunks take over bytes of it. */
  #isFileUsed = false
  #batch: Change[] = []
  #batchBytes = 0
  /** The batches that have been passed to the store; undefined: none yet. */
  #flushed: Promise<void> | undefined

  constructor(store: Store, options: ContentsOptions) {
    this.#store = store
    this.#options = options
    this.root = { kind: 'group', id: store.ids.newRoot() }
  }

  /**
   * Stores the file; the pieces are its bytes, and may be iterated twice. Must be called once, before `adoptChunks`.
   */
  async putFile(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    this.#isFileUsed = true
    this.#file ??= await this.#storeFile(pieces, false)
  }

  /**
   * Stores the file before it is read, piece by piece as it arrives. If none of its chunks can be taken over, it is
   * removed when the contents are published.
   */
  async storeFile(pieces: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    this.#file = await this.#storeFile(pieces, true)
    return this.#file
  }

  async #storeFile(pieces: AsyncIterable<Uint8Array>, once: boolean): Promise<StoredFile> {
    await this.#flush()
    const renewing = { [Symbol.asyncIterator]: () => this.#renewing(pieces) }
    return this.#store.write(writer => writer.putFile(this.root.id, renewing), { time: this.#time, once })
  }

  /** The pieces; between them it renews the mark that the import is alive. */
  async *#renewing(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const renewal = RENEWAL_MICROSECONDS
    let next = this.#store.now() + renewal
    for await (const piece of pieces) {
      yield piece
      const now = this.#store.now()
      if (now < next) continue
      await this.#store.write(writer => writer.renewUnfinished(this.root.id, now))
      next = now + renewal
    }
  }

  /** Makes bytes of the file the values of chunks; see `Writer.adoptChunks`. */
  async adoptChunks({ id }: ObjectReference, chunks: readonly AdoptedChunk[]): Promise<void> {
    const file = this.#file
    if (!file) throw new Error('no file was put whose chunks could be adopted')
    const dataset = this.#dataset(id)
    for (let from = 0; from < chunks.length; from += BATCH_CHANGES) {
      const some = chunks.slice(from, from + BATCH_CHANGES)
      const share = (some.length * BATCH_BYTES) / BATCH_CHANGES
      await this.#change(writer => writer.adoptChunks(dataset, file, some), share)
    }
  }

  /** Stores chunks that went through filters; see `Writer.putEncodedChunks`. */
  putEncodedChunks({ id }: ObjectReference, chunks: readonly EncodedChunk[]): Promise<void> {
    const dataset = this.#dataset(id)
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0)
    return this.#change(writer => writer.putEncodedChunks(dataset, chunks), bytes)
  }

  createGroup(acl?: Acl): Promise<ObjectReference> {
    return this.#create({ kind: 'group', ...this.#base(this.#newId(), acl) })
  }

  createDatatype(type: Datatype, acl?: Acl): Promise<ObjectReference> {
    return this.#create({ kind: 'datatype', type, ...this.#base(this.#newId(), acl) })
  }

  async createDataset({
    type,
    committedType,
    space,
    creationProperties,
    acl: ownAcl,
  }: NewDataset): Promise<CreatedDataset> {
    const { chunkDims } = creationProperties
    // All members at once: V8 gives an object to which some are added later memory of another object.
    const { id, created, acl } = this.#base(this.#newId(), ownAcl)
    const dataset: Dataset = {
      kind: 'dataset',
      id,
      created,
      acl,
      type,
      space,
      creationProperties,
      ...(committedType && { committedType: committedType.id }),
    }
    this.#datasets.set(dataset.id, dataset)
    const reference = await this.#create(dataset)
    return chunkDims ? { ...reference, chunkDims } : reference
  }

  /**
   * `order`: its number among the links of the group, in the order of their creation. Links and attributes are created
   * one microsecond after another, because listings are ordered by time.
   */
  putLink(group: ObjectReference, title: string, target: LinkTarget, order: number): Promise<void> {
    return this.#change(writer => writer.putLinks(group.id, { title, created: this.#time + order, target }))
  }

  putAttribute(
    owner: ObjectReference,
    { name, type, committedType, space, value, order }: NewAttribute,
  ): Promise<void> {
    const time = this.#time + order
    const stored = {
      name,
      type,
      space,
      ...(value && { value }),
      ...(committedType && { committedType: committedType.id }),
      created: time,
      lastModified: time,
    }
    return this.#change(writer => writer.putAttributes(owner.id, stored), valueBytes(value))
  }

  writeValues({ id }: ObjectReference, { start, count }: Box, elements: Elements): Promise<void> {
    const dataset = this.#dataset(id)
    const ones = count.map(() => 1)
    const selection = { kind: 'hyperslab', start, stride: ones, count, block: ones } as const
    return this.#change(
      writer => writer.writeValues(dataset, selection, pieceOf(elements)),
      valueBytes(elements),
    )
  }

  #dataset(id: ObjectId): Dataset {
    const dataset = this.#datasets.get(id)
    if (!dataset) throw new Error(`the dataset ${id} was not created by this import`)
    return dataset
  }

  /** Removes the values of a dataset that were written, and remembers why it has none. */
  markUnreadable({ id }: ObjectReference, reason: string): Promise<void> {
    return this.#change(writer => writer.markUnreadable(id, reason))
  }

  /**
   * Makes the imported objects the domain, which remembers `inPart`: parts of the file were left out or changed. `acl`:
   * the list that the file has for the root group.
   */
  async publish(inPart: boolean, acl?: Acl): Promise<Publication> {
    let published: Publication = { newFolders: [], replaced: false }
    this.#batch.push(async writer => {
      if (this.#file && !this.#isFileUsed) await writer.dropFile(this.root.id, this.#file)
      published = await this.#options.publish(writer, this.root.id, inPart, acl)
    })
    await this.#flush()
    return published
  }

  /** Removes everything imported. Its error names the remains, and the way to remove them. */
  async abandon(): Promise<void> {
    this.#batch = []
    if (this.#flushed === undefined) return
    await this.#flushed.catch(() => {})
    await this.#store.write(async writer => {
      // A commit with an error may have succeeded: then the domain stays.
      if ((await writer.nameCount(this.root.id)) === 0) await writer.dropContents(this.root.id)
    })
  }

  get #time(): Timestamp {
    return this.#options.time
  }

  #base(id: ObjectId, acl: Acl = NO_ACL): Pick<HdfObject, 'id' | 'created' | 'acl'> {
    return { id, created: this.#time, acl }
  }

  #newId(): ObjectId {
    return this.#store.ids.newObject(this.root.id)
  }

  async #create(object: HdfObject): Promise<ObjectReference> {
    await this.#change(writer => writer.createObject(object))
    return { kind: object.kind, id: object.id }
  }

  async #change(change: Change, bytes = 0): Promise<void> {
    this.#batch.push(change)
    this.#batchBytes += bytes
    if (this.#batch.length < BATCH_CHANGES && this.#batchBytes < BATCH_BYTES) return
    // The next batch is filled while this one becomes durable.
    const before = this.#flushed
    this.#flush().catch(() => {})
    await before
  }

  /** One batch after another, because changes depend on earlier ones. */
  #flush(): Promise<void> {
    const batch = this.#batch
    const before = this.#flushed
    this.#batch = []
    this.#batchBytes = 0
    const work = async (writer: Writer) => {
      if (before === undefined) await writer.createObject({ kind: 'group', ...this.#base(this.root.id) })
      await writer.renewUnfinished(this.root.id, this.#store.now())
      for (const change of batch) {
        await change(writer)
        if (isTurnOver()) await nextTurn()
      }
    }
    const write = () => this.#store.write(work, { time: this.#time })
    this.#flushed = before === undefined ? write() : before.then(write)
    return this.#flushed
  }
}

/** The elements as a piece; equal ones become one that is repeated, so that sparse files stay small. */
async function* pieceOf(elements: Elements): AsyncGenerator<Piece> {
  const { count, data, heap } = elements
  const size = data.length / count
  const isRepeated =
    count > 1 && heap.length === 0 && Buffer.compare(data.subarray(size), data.subarray(0, -size)) === 0
  yield isRepeated ? { count, element: { count: 1, data: data.subarray(0, size), heap } } : elements
}

function valueBytes(elements: Elements | undefined): number {
  return elements ? elements.data.length + elements.heap.length : 0
}
