// A domain as an HDF5 file: its own unchanged file, or one that is written anew. For ranges of the latter its plan is
// kept while the domain is unchanged, with the bytes before the values if they are not too many. So a range is written
// without those before it.

import { BoundedMap } from '@hyperslab/base/bounded'
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
/** Bytes of all plans of files that are kept, with their heads. @limit memory, bytes */
const MAX_KEPT_BYTES = 64 * 2 ** 20
/** Bytes of a head of a file that is kept; of a longer one the requested part is written anew. @limit memory, bytes */
const MAX_HEAD_BYTES = 32 * 2 ** 20
/** The approximate memory of a plan, and of each object in it. */
const PLAN_BYTES = 4096
const OBJECT_BYTES = 400
/**
 * Parts of the values with those of many objects are kept: writing the values of an object takes as long as sending a
 * MiB. The parts, from the beginning of the values on, are short, so that one object does not wait for many others.
 */
const BLOCK_BYTES = 2 ** 14
const MANY_OBJECTS = 16
/** Bytes of values of many small objects, as they are in files of which ranges are read. @limit memory, bytes */
const MAX_BLOCK_BYTES = 16 * 2 ** 20
/** Marks in the values of all files, of some 200 bytes each. @limit memory, marks */
const MAX_MARKS = 131_072
/**
 * The most objects with lists of their own, which are checked for each caller; a plan with more is not kept.
 * @limit safety, objects
 */
const MAX_GUARDED = 1000

/** The plan of a domain in one state. */
interface KeptPlan {
  readonly layout: FileLayout
  readonly losses: readonly FileLoss[]
  /** The objects for which a caller may have no permission although it has one for the domain. */
  readonly guarded: readonly HdfObject[]
  /** The bytes before the values; absent: not requested yet, or too many. */
  readonly head?: Uint8Array
}

function weightOf({ layout, head }: KeptPlan): number {
  return PLAN_BYTES + layout.records.length * OBJECT_BYTES + (head?.length ?? 0)
}

export class DomainFileMaker {
  readonly #encoding: ChunkEncoding
  readonly #memory = new PieceMemory()
  /** Plans of files of which ranges are read. @limit memory, bytes */
  readonly #kept = new BoundedMap<string, KeptPlan>(MAX_KEPT_BYTES, { weightOf })
  /** Plans and heads that are being made, by their version. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  /** Marks in the values of files, from which a range can be written. @limit memory, marks */
  readonly #marks = new BoundedMap<string, readonly ValueMark[]>(MAX_MARKS, {
    weightOf: marks => marks.length,
  })

  /** Values of many small objects. @limit speed, bytes, bench/results.md#067-files-in-ranges */
  readonly #blocks = new BoundedMap<string, Uint8Array>(MAX_BLOCK_BYTES, { weightOf: ({ length }) => length })

  constructor(encoding: ChunkEncoding) {
    this.#encoding = encoding
  }

  /** The implementation of `DomainFiles.open`. */
  async open(reader: Reader, root: ObjectId, request: FileRequest): Promise<DomainFile> {
    const own = await reader.ownFile(root)
    if (own && !request.repack) {
      const { size, version, place } = own
      const pieces: DomainFile['pieces'] = (position, length) =>
        ownPieces(own, this.#memory, position, length)
      const file = { length: size, version: `${root} ${version}`, losses: async () => [], pieces }
      return place === undefined ? file : { ...file, place }
    }
    const { form } = await reader.state(root)
    const version = `${form} ${request.skipUnreadable}`
    // Writing an existing file anew is seldom requested, and the file may get values from other files.
    if (own) return this.#asFile(await planFile(reader, root, { ...request, ...this.#shared }), version)
    // The first one of several requests makes the plan.
    const underWay = this.#kept.get(version) ? undefined : this.#underWay.get(version)
    if (underWay) await underWay
    const known = this.#kept.use(version)
    if (known) return this.#knownFile(reader, version, known, request)
    return this.#asFile(
      await this.#announced(version, this.#newPlan(reader, root, version, request)),
      version,
    )
  }

  async #newPlan(reader: Reader, root: ObjectId, version: string, request: FileRequest): Promise<NewFile> {
    const guarded: HdfObject[] = []
    const plan = await planFile(reader, root, {
      ...request,
      ...this.#shared,
      marks: this.#marksOf(version),
      visit(object: HdfObject) {
        request.visit(object)
        if (object.acl.length > 0 && guarded.length <= MAX_GUARDED) guarded.push(object)
      },
    })
    if (guarded.length <= MAX_GUARDED) {
      this.#keep(version, { layout: plan.layout, losses: await plan.losses(), guarded })
    }
    return plan
  }

  #knownFile(reader: Reader, version: string, plan: KeptPlan, request: FileRequest): DomainFile {
    for (const object of plan.guarded) request.visit(object)
    const options = { ...request, ...this.#shared, marks: this.#marksOf(version) }
    const file = plannedFile(reader, plan.layout, options)
    return { ...this.#asFile(file, version), losses: async () => plan.losses }
  }

  #asFile(file: NewFile, version: string): DomainFile {
    return {
      length: file.length,
      version,
      losses: () => file.losses(),
      pieces: (position, length) => this.#pieces(file, version, position, length),
    }
  }

  /** Work that requests of the same version wait for, whether it fails or not. */
  async #announced<T>(version: string, work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => undefined,
      () => undefined,
    )
    this.#underWay.set(version, ended)
    try {
      return await work
    } finally {
      if (this.#underWay.get(version) === ended) this.#underWay.delete(version)
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
    if (inHead > 0 && headLength > MAX_HEAD_BYTES) yield* file.pieces(position, inHead)
    else if (inHead > 0) yield (await this.#headOf(file, version)).subarray(position, position + inHead)
    if (inHead < length) yield* this.#values(file, version, position + inHead, position + length)
  }

  async *#values(file: NewFile, version: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    // Without a plan that is kept, nothing says that the values are still the same.
    if (!this.#kept.get(version) || file.objectsIn(from, to - from) < MANY_OBJECTS) {
      yield* file.values(from, to - from)
      return
    }
    for (let position = from; position < to; ) {
      const start = position - ((position - file.headLength) % BLOCK_BYTES)
      const length = Math.min(BLOCK_BYTES, file.length - start)
      const end = Math.min(start + length, to)
      if (file.objectsIn(start, length) < MANY_OBJECTS) yield* file.values(position, end - position)
      else yield (await this.#block(file, version, start, length)).subarray(position - start, end - start)
      position = end
    }
  }

  async #block(file: NewFile, version: string, start: number, length: number): Promise<Uint8Array> {
    const name = `${version} ${start}`
    const known = this.#blocks.use(name)
    if (known) return known
    const block = await joined(file.values(start, length))
    this.#blocks.set(name, block)
    return block
  }

  async #headOf(file: NewFile, version: string): Promise<Uint8Array> {
    const underWay = this.#kept.get(version)?.head ? undefined : this.#underWay.get(version)
    if (underWay) await underWay
    return this.#kept.get(version)?.head ?? this.#announced(version, this.#newHead(file, version))
  }

  async #newHead(file: NewFile, version: string): Promise<Uint8Array> {
    const head = new Uint8Array(file.headLength)
    let done = 0
    for await (const piece of file.pieces(0, head.length)) {
      head.set(piece, done)
      done += piece.length
    }
    const plan = this.#kept.get(version)
    if (plan) this.#keep(version, { ...plan, head })
    return head
  }

  #keep(version: string, plan: KeptPlan): void {
    if (weightOf(plan) <= MAX_KEPT_BYTES) this.#kept.set(version, plan)
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
