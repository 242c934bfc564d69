// A domain as an HDF5 file: its own unchanged file, or one that is written anew. For ranges of the latter its plan is
// kept while the domain is unchanged, and so are blocks of the bytes before the values. So a range is written without
// most of those before it.

import { type AbortCheck, BoundedMap, SharedWork } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ChunkEncoding, ValueMark } from '@hyperslab/h5/writer'
import {
  type FileLayout,
  joined,
  type MarkMemory,
  type NewFile,
  PieceMemory,
  planFile,
  plannedFile,
} from '@hyperslab/h5/writer'
import type { ObjectId } from '@hyperslab/model/names'
import type { HdfObject, OwnFile, Reader } from '@hyperslab/store/store'
import { filledPieces } from './file-source.ts'
import type { DomainFile, FileLoss, FileRequest } from './whole-files.ts'

/** A longer part is read in pieces. */
const PIECE_BYTES = 2 ** 20
/** Bytes of all plans of files that are kept. @limit memory, bytes */
const MAX_KEPT_BYTES = 48 * 2 ** 20
/**
 * Bytes of a head of which blocks are kept; of a longer one the requested part is written anew.
 * @limit memory, bytes
 */
const MAX_HEAD_BYTES = 32 * 2 ** 20
/**
 * Blocks of the objects of a head, at most: one that begins within an object is written with all before it in that
 * object. The global heap is a block, because one object may be most of it.
 */
const HEAD_BLOCKS = 16
const MIN_HEAD_BLOCK = 2 ** 16
/** The approximate memory of a plan, and of each object in it. */
const PLAN_BYTES = 4096
const OBJECT_BYTES = 400
/**
 * Parts of the values with those of many objects are kept: writing the values of an object takes as long as sending a
 * MiB. The parts, from the beginning of the values on, are short, so that one object does not wait for many others.
 */
const BLOCK_BYTES = 2 ** 14
const MANY_OBJECTS = 16
/** Bytes of blocks of heads, and of values of many small objects. @limit memory, bytes */
const MAX_BLOCK_BYTES = 32 * 2 ** 20
/** Marks in the values of all files, of some 200 bytes each. @limit memory, marks */
const MAX_MARKS = 131_072
/** Files whose uses of other files are known, and names of those. @limit memory, files and names */
const MAX_FILES = 10_000
/**
 * The most objects with lists of their own, which are checked for each caller; with more, each caller has a plan of its
 * own, which is not kept.
 * @limit safety, objects
 */
const MAX_GUARDED = 1000

/** The plan of a domain in one state. */
interface KeptPlan {
  readonly layout: FileLayout
  readonly losses: readonly FileLoss[]
  /** The objects for which a caller may have no permission although it has one for the domain. */
  readonly guarded: readonly HdfObject[]
}

/** The end of the making of a plan. What it says is for callers that may read all `guarded` objects. */
type MadePlan = Pick<KeptPlan, 'guarded'> &
  (
    | { readonly plan: KeptPlan; readonly file: NewFile }
    | { readonly failure: HyperslabError | 'too-many-guarded' }
  )

/** A file to send, whose other files are found when they are asked for. */
type SentFile = Omit<DomainFile, 'otherFiles'>

type Uses = Awaited<ReturnType<NonNullable<OwnFile['others']>['uses']>>
const NO_USES: Uses = { hasValues: false, names: [] }

function weightOf({ layout }: KeptPlan): number {
  return PLAN_BYTES + layout.records.length * OBJECT_BYTES
}

export class DomainFileMaker {
  readonly #encoding: ChunkEncoding
  readonly #memory = new PieceMemory()
  /** Plans of files of which ranges are read. @limit memory, bytes */
  readonly #kept = new BoundedMap<string, KeptPlan>(MAX_KEPT_BYTES, { weightOf })
  /** Plans that are being made: one of each domain at a time. */
  readonly #planning = new SharedWork<MadePlan>()
  readonly #planningAlone = new SharedWork<NewFile>()
  #alone = 0
  /** Uses that files make of others, by their states. @limit memory, files and names */
  readonly #uses = new BoundedMap<string, Uses>(MAX_FILES, { weightOf: ({ names }) => 1 + names.length })
  /** Marks in the values of files, from which a range can be written. @limit memory, marks */
  readonly #marks = new BoundedMap<string, readonly ValueMark[]>(MAX_MARKS, {
    weightOf: marks => marks.length,
  })

  /** Blocks of heads, and of values of many small objects. @limit speed, bytes, bench/results.md#067-files-in-ranges */
  readonly #blocks = new BoundedMap<string, Uint8Array>(MAX_BLOCK_BYTES, { weightOf: ({ length }) => length })

  constructor(encoding: ChunkEncoding) {
    this.#encoding = encoding
  }

  /** The implementation of `DomainFiles.open`. */
  async open(reader: Reader, root: ObjectId, request: FileRequest): Promise<DomainFile> {
    const own = await reader.ownFile(root)
    const file = await this.#ownOrNew(reader, root, own, request)
    return { ...file, otherFiles: async () => (await this.#usesOf(root, own, request.signal)).names }
  }

  async #ownOrNew(
    reader: Reader,
    root: ObjectId,
    own: OwnFile | undefined,
    request: FileRequest,
  ): Promise<SentFile> {
    const { form, lastModified } = await reader.state(root)
    if (own && !(request.repack ?? (await this.#hasValuesOfOthers(root, own, request.signal)))) {
      const { size, version, place } = own
      const pieces: DomainFile['pieces'] = (position, length) =>
        ownPieces(own, this.#memory, position, length)
      const file = {
        length: size,
        version: `${root} ${version}`,
        lastModified,
        losses: async () => [],
        pieces,
      }
      return place === undefined ? file : { ...file, place }
    }
    const states = `${form} ${request.skipUnreadable}`
    if (own?.others) return this.#openAnew(reader, root, request, states, own.others)
    return { ...(await this.#openPlanned(reader, root, request, states)), lastModified }
  }

  /**
   * A file that is written anew although there is one. The states of the files that it gets values from are known when
   * it is planned, since that opens them.
   */
  async #openAnew(
    reader: Reader,
    root: ObjectId,
    request: FileRequest,
    states: string,
    others: NonNullable<OwnFile['others']>,
  ): Promise<SentFile> {
    const before = `${states} ${await others.state()}`
    const known = this.#kept.use(before)
    if (known) return this.#knownFile(reader, before, known, request)
    const file = await this.#planAlone(reader, root, request)
    const version = `${states} ${await others.state()}`
    // Mounted files have no lists of objects, so any caller that may read the root group may have the plan.
    const plan = { layout: file.layout, losses: await file.losses(), guarded: [] }
    if (weightOf(plan) <= MAX_KEPT_BYTES) this.#kept.set(version, plan)
    return this.#asFile(file, version)
  }

  /** Throws where it is not known: as it lies, the file might have fill values in the place of others. */
  async #hasValuesOfOthers(root: ObjectId, own: OwnFile, signal: AbortCheck): Promise<boolean> {
    const { hasValues } = await this.#usesOf(root, own, signal)
    if (hasValues !== undefined) return hasValues
    throw new HyperslabError(
      'values-unreadable',
      'the file has more objects than are searched for values in other files: repack=0 gives it as it is',
    )
  }

  /** Answers from memory for each state of the file: it is asked for each range. */
  async #usesOf(root: ObjectId, own: OwnFile | undefined, signal: AbortCheck): Promise<Uses> {
    if (!own?.others) return NO_USES
    const name = `${root} ${own.version}`
    const known = this.#uses.use(name)
    if (known !== undefined) return known
    const found = await own.others.uses(signal)
    this.#uses.set(name, found)
    return found
  }

  async #openPlanned(
    reader: Reader,
    root: ObjectId,
    request: FileRequest,
    version: string,
  ): Promise<SentFile> {
    const known = this.#kept.use(version)
    if (known) return this.#knownFile(reader, version, known, request)
    let isOwn = false
    const made = await this.#planning.run(root, version, request.signal, signal => {
      isOwn = true
      return this.#newPlan(reader, root, version, request, signal)
    })
    if ('failure' in made) {
      const { failure, guarded } = made
      if (failure === 'too-many-guarded')
        return this.#asFile(await this.#planAlone(reader, root, request), version)
      for (const object of guarded) request.visit(object)
      throw failure
    }
    if (!isOwn) return this.#knownFile(reader, version, made.plan, request)
    for (const object of made.guarded) request.visit(object)
    return this.#asFile(made.file, version)
  }

  /** The plan for all callers that may read its guarded objects; `shared` is aborted when none waits any more. */
  async #newPlan(
    reader: Reader,
    root: ObjectId,
    version: string,
    request: FileRequest,
    shared: AbortCheck,
  ): Promise<MadePlan> {
    const guarded: HdfObject[] = []
    let signal = shared
    try {
      const file = await planFile(reader, root, {
        ...request,
        ...this.#shared,
        signal: { throwIfAborted: () => signal.throwIfAborted() },
        marks: this.#marksOf(version),
        visit(object: HdfObject) {
          if (object.acl.length > 0) guarded.push(object)
          if (guarded.length > MAX_GUARDED) throw new Error('too many objects have lists of their own')
        },
      })
      const plan = { layout: file.layout, losses: await file.losses(), guarded }
      if (weightOf(plan) <= MAX_KEPT_BYTES) this.#kept.set(version, plan)
      signal = request.signal
      return { plan, file, guarded }
    } catch (error) {
      if (guarded.length > MAX_GUARDED) return { failure: 'too-many-guarded', guarded }
      if (error instanceof HyperslabError) return { failure: error, guarded }
      throw error
    }
  }

  /** A plan that is not shared; one of each domain is made at a time. */
  #planAlone(reader: Reader, root: ObjectId, request: FileRequest): Promise<NewFile> {
    const make = () => planFile(reader, root, { ...request, ...this.#shared })
    return this.#planningAlone.run(root, `${++this.#alone}`, request.signal, make)
  }

  #knownFile(reader: Reader, version: string, plan: KeptPlan, request: FileRequest): SentFile {
    for (const object of plan.guarded) request.visit(object)
    const options = { ...request, ...this.#shared, marks: this.#marksOf(version) }
    const file = plannedFile(reader, plan.layout, options)
    return { ...this.#asFile(file, version), losses: async () => plan.losses }
  }

  #asFile(file: NewFile, version: string): SentFile {
    return {
      length: file.length,
      version,
      losses: () => file.losses(),
      pieces: (position, length) => this.#pieces(file, version, position, length),
    }
  }

  /** Parts that all files share. */
  get #shared() {
    return { encoding: this.#encoding, memory: this.#memory }
  }

  #marksOf(version: string): MarkMemory {
    return {
      get: index => this.#marks.use(`${version} ${index}`),
      set: (index, marks) => this.#marks.set(`${version} ${index}`, marks),
    }
  }

  /** A part of a file that is written anew; of the whole, no byte is kept. */
  async *#pieces(
    file: NewFile,
    version: string,
    position: number,
    length: number,
  ): AsyncGenerator<Uint8Array> {
    const { headLength } = file
    const inHead = Math.max(0, Math.min(length, headLength - position))
    if (length === file.length) {
      yield* file.pieces()
      return
    }
    if (inHead > 0) yield* this.#head(file, version, position, position + inHead)
    if (inHead < length) yield* this.#values(file, version, position + inHead, position + length)
  }

  async *#head(file: NewFile, version: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    const { headLength } = file
    // Without a plan that is kept, nothing says that the bytes are still the same.
    if (headLength > MAX_HEAD_BYTES || !this.#kept.get(version)) {
      yield* file.pieces(from, to - from)
      return
    }
    const { heapAddress } = file.layout
    const most = Math.max(MIN_HEAD_BLOCK, Math.ceil(heapAddress / HEAD_BLOCKS))
    for (let position = from; position < to; ) {
      const isInHeap = position >= heapAddress
      const start = isInHeap ? heapAddress : position - (position % most)
      const end = isInHeap ? headLength : Math.min(start + most, heapAddress)
      const block = await this.#block(version, start, () => file.pieces(start, end - start))
      yield block.subarray(position - start, to - start)
      position = end
    }
  }

  async *#values(file: NewFile, version: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    if (!this.#kept.get(version) || file.objectsIn(from, to - from) < MANY_OBJECTS) {
      yield* file.values(from, to - from)
      return
    }
    for (let position = from; position < to; ) {
      const start = position - ((position - file.headLength) % BLOCK_BYTES)
      const length = Math.min(BLOCK_BYTES, file.length - start)
      const end = Math.min(start + length, to)
      if (file.objectsIn(start, length) < MANY_OBJECTS) yield* file.values(position, end - position)
      else {
        const block = await this.#block(version, start, () => file.values(start, length))
        yield block.subarray(position - start, end - start)
      }
      position = end
    }
  }

  async #block(version: string, start: number, pieces: () => AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const name = `${version} ${start}`
    const known = this.#blocks.use(name)
    if (known) return known
    const block = await joined(pieces())
    this.#blocks.set(name, block)
    return block
  }
}

async function* ownPieces(
  { read }: OwnFile,
  memory: PieceMemory,
  position: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  if (length <= PIECE_BYTES) {
    const bytes = memory.take(length)
    yield bytes.subarray(0, await read(bytes, position))
    // It is not used again after a failure, nor after a client that left: some of it may still be read or sent.
    memory.give(bytes)
    return
  }
  let done = 0
  yield* filledPieces(async buffer => {
    const count = await read(buffer.subarray(0, length - done), position + done)
    done += count
    return count
  })
}
