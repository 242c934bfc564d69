// The context that all parts of a written file share: the source of the domain, the objects of the file with their
// addresses, and the losses.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { firstIndex } from '@hyperslab/model/dataset'
import { isRoot, type ObjectId } from '@hyperslab/model/names'
import { type FileWarning, memberPath } from '../file-reader.ts'
import type { GlobalHeapReference } from '../format/heaps/global-heap.ts'
import { PieceMemory } from './piece-memory.ts'
import { type OnUnreadable, RememberedObjects } from './remembered-objects.ts'
import type { DomainSource, SourceAttribute, SourceObject } from './source.ts'
import { ChunkEncoding } from './values/chunk-encoding.ts'
import type { ElementContext } from './values/elements.ts'

/** The objects of a file, in the order in which they are in it. */
export class ObjectTable {
  readonly #ids: ObjectId[] = []
  readonly #indexes = new Map<ObjectId, number>()
  readonly #referenceCounts: number[] = []
  readonly #addresses: number[] = []

  get size(): number {
    return this.#ids.length
  }

  add(id: ObjectId): void {
    this.#indexes.set(id, this.#ids.length)
    this.#ids.push(id)
    this.#referenceCounts.push(0)
    this.#addresses.push(0)
  }

  has(id: ObjectId): boolean {
    return this.#indexes.has(id)
  }

  idAt(index: number): ObjectId {
    return this.#ids[index]
  }

  /** At most `count` ids from an index on. */
  idsFrom(index: number, count: number): readonly ObjectId[] {
    return this.#ids.slice(index, index + count)
  }

  /** Counts a hard link to an object, or a use of a committed datatype. */
  countReference(id: ObjectId): void {
    this.#referenceCounts[this.#indexOf(id)]++
  }

  referenceCountAt(index: number): number {
    return this.#referenceCounts[index]
  }

  referenceCount(id: ObjectId): number {
    return this.#referenceCounts[this.#indexOf(id)]
  }

  place(index: number, address: number): void {
    this.#addresses[index] = address
  }

  /** The address of an object, 0 until it is placed; undefined: the file does not have the object. */
  addressOf(id: ObjectId): number | undefined {
    const index = this.#indexes.get(id)
    return index === undefined ? undefined : this.#addresses[index]
  }

  /** The last object whose address is not after this one; 0 if there is none. All must be placed. */
  lastAt(address: number): number {
    return Math.max(0, firstIndex(this.#addresses, other => other > address) - 1)
  }

  #indexOf(id: ObjectId): number {
    const index = this.#indexes.get(id)
    if (index === undefined) throw new Error(`the file has no object ${id}`)
    return index
  }
}

interface Loss {
  readonly id: ObjectId
  readonly message: string
  readonly link?: string
}

export interface ContextOptions {
  readonly signal?: AbortCheck
  /**
   * True: datasets without values, or whose first or last stored values cannot be read, and links and attributes that
   * cannot be read, are left out; otherwise they are an error.
   */
  readonly skipUnreadable?: boolean
  /** Default: one for this file alone, in this thread. */
  readonly encoding?: ChunkEncoding
  /** Default: memory of this file alone. */
  readonly memory?: PieceMemory
}

export class FileContext<Found extends SourceObject = SourceObject> {
  readonly source: DomainSource<Found>
  /** Objects, links and attributes of the source. */
  readonly remembered: RememberedObjects<Found>
  readonly objects: ObjectTable
  readonly encoding: ChunkEncoding
  readonly memory: PieceMemory
  readonly #signal: AbortCheck | undefined
  readonly #skipUnreadable: boolean
  /** Losses by path and message: each is listed once. */
  readonly #losses = new Map<string, Loss>()

  constructor(
    source: DomainSource<Found>,
    { signal, skipUnreadable = false, encoding, memory }: ContextOptions = {},
    objects = new ObjectTable(),
  ) {
    this.source = source
    this.objects = objects
    this.encoding = encoding ?? new ChunkEncoding()
    this.memory = memory ?? new PieceMemory()
    this.remembered = new RememberedObjects(source, {
      onUnreadable: (owner, part) => this.#leaveOutMember(owner, part),
    })
    this.#signal = signal
    this.#skipUnreadable = skipUnreadable
  }

  get signal(): AbortCheck | undefined {
    return this.#signal
  }

  get skipsUnreadable(): boolean {
    return this.#skipUnreadable
  }

  throwIfAborted(): void {
    this.#signal?.throwIfAborted()
  }

  /** Notes a loss. `link` is the title of the lost link of the object; absent: another part of the object is lost. */
  lose(id: ObjectId, message: string, link?: string): void {
    this.#losses.set(JSON.stringify([id, message, link]), {
      id,
      message,
      ...(link !== undefined && { link }),
    })
  }

  /**
   * Leaves out an object, a link of it, or another part of it that cannot be read; throws unless such parts may be left
   * out.
   */
  async leaveOut(
    id: ObjectId,
    {
      subject,
      reason,
      link,
    }: { readonly subject: string; readonly reason: HyperslabError; readonly link?: string },
  ): Promise<void> {
    if (!this.#skipUnreadable) throw reason.within(await this.#pathOf(id, link))
    this.lose(id, `${subject} left out, because ${reason.message}`, link)
  }

  async #leaveOutMember(owner: ObjectId, part: Parameters<OnUnreadable>[1]): Promise<void> {
    if ('damage' in part) {
      await this.leaveOut(owner, { subject: 'some links or attributes are', reason: part.damage })
    } else if ('target' in part) {
      await this.leaveOut(owner, { subject: 'the link is', reason: part.target.reason, link: part.title })
    } else {
      const attribute = `attribute ${JSON.stringify(part.name)}`
      const reason = this.#skipUnreadable ? part.reason : part.reason.within(attribute)
      await this.leaveOut(owner, { subject: `the ${attribute} is`, reason })
    }
  }

  async losses(): Promise<readonly FileWarning[]> {
    const losses: FileWarning[] = []
    for (const { id, link, message } of this.#losses.values()) {
      losses.push({ path: await this.#pathOf(id, link), message })
    }
    return losses
  }

  async #pathOf(id: ObjectId, link: string | undefined): Promise<string> {
    const path = await this.pathOf(id)
    return link === undefined ? path : memberPath(path, link)
  }

  /** The context for elements of an object, of its values or of an attribute. */
  elementContext(
    id: ObjectId,
    what: string | Pick<SourceAttribute, 'name'>,
    put: (bytes: Uint8Array) => GlobalHeapReference,
  ): ElementContext {
    return new OwnElements(this, id, what, put)
  }

  /** The bytes of an object; an error that is useful for a user names the object. */
  async *namingPieces<Piece>(id: ObjectId, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    try {
      yield* pieces
    } catch (error) {
      throw await this.named(id, error)
    }
  }

  /** One of the paths that lead to the object from the root group. */
  async pathOf(id: ObjectId): Promise<string> {
    const titles: string[] = []
    const seen = new Set<ObjectId>()
    for (let current = id; !isRoot(current) && !seen.has(current); ) {
      seen.add(current)
      const [link] = await firstOf(this.source.linksTo(current), ({ group }) => this.objects.has(group))
      if (!link) return id
      titles.unshift(link.title)
      current = link.group
    }
    return titles.reduce(memberPath, '/')
  }

  /** The error, with the path of the object that it is about if it is useful for a user. */
  async named(id: ObjectId, error: unknown): Promise<unknown> {
    return error instanceof HyperslabError ? error.within(await this.pathOf(id)) : error
  }
}

/** A class, because a file may have a million attributes: it takes a third of the memory that functions would. */
class OwnElements implements ElementContext {
  readonly put: (bytes: Uint8Array) => GlobalHeapReference
  readonly #context: FileContext
  readonly #id: ObjectId
  readonly #what: string | Pick<SourceAttribute, 'name'>

  constructor(
    context: FileContext,
    id: ObjectId,
    subject: string | Pick<SourceAttribute, 'name'>,
    put: (bytes: Uint8Array) => GlobalHeapReference,
  ) {
    this.put = put
    this.#context = context
    this.#id = id
    this.#what = subject
  }

  addressOf(target: ObjectId): number | undefined {
    return this.#context.objects.addressOf(target)
  }

  onLostReference(): void {
    const what =
      typeof this.#what === 'string' ? this.#what : `the attribute ${JSON.stringify(this.#what.name)}`
    this.#context.lose(this.#id, `references in ${what} become null: their objects are not in the file`)
  }
}

async function firstOf<T>(items: AsyncIterable<T>, isSuch: (item: T) => boolean): Promise<readonly T[]> {
  for await (const item of items) if (isSuch(item)) return [item]
  return []
}
