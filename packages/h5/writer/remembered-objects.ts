// Objects, links and attributes of the domain. A file is written in several passes, each of which needs the same ones;
// for a domain with many small ones, reading them is most of the work. So they are remembered, up to a limit; the
// others are read again in each pass. Objects are read some at a time, which is faster than each by itself.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import { elementCount, product } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import {
  BY_CREATION,
  type DomainSource,
  type SourceAttribute,
  type SourceChunk,
  type SourceDataset,
  type SourceDetails,
  type SourceLink,
  type SourceObject,
  type SourceSpan,
  type UnreadableAttribute,
  type UnreadableLink,
} from './source.ts'
import { wholeOf } from './values/boxes.ts'

/**
 * Bytes of all objects that the passes of a writer share, as an estimate.
 * @limit speed, bytes, bench/results.md#023-writer
 */
const MAX_BYTES = 32 * 2 ** 20

/** The memory of each, about, without titles and values. */
const OBJECT_BYTES = 1024
const LINK_BYTES = 256
const ATTRIBUTE_BYTES = 512
const CHUNK_BYTES = 1024

/** Links of a group that are read ahead with those of others; one with this number or more is read alone. */
const FEW_LINKS = 15

/** Elements of variable size of a dataset that is read with others. */
const FEW_TEXTS = 64
/** Chunks of a dataset whose list is read with those of others, and bytes of such a chunk. */
const FEW_CHUNKS = 4
const SMALL_CHUNK = 2 ** 16

/** Called each time that a list of members is read, for each member that cannot be read and is left out. */
export type OnUnreadable = (
  owner: ObjectId,
  part: UnreadableLink | UnreadableAttribute | { readonly damage: HyperslabError },
) => Promise<void>

export interface RememberedOptions {
  readonly maxBytes?: number
  /** Default: it throws. */
  readonly onUnreadable?: OnUnreadable
}

export class RememberedObjects<Found extends SourceObject = SourceObject> {
  readonly #source: DomainSource<Found>
  readonly #onUnreadable: OnUnreadable
  readonly #details = new Map<ObjectId, SourceDetails<Found>>()
  /** Objects that were read ahead last and for which there was no room. */
  readonly #ahead = new Map<ObjectId, SourceDetails<Found>>()
  readonly #links = new Map<ObjectId, readonly SourceLink[]>()
  readonly #attributes = new Map<ObjectId, readonly SourceAttribute[]>()
  /** Elements of small datasets that every pass needs, and lists of the chunks of others. */
  readonly #values = new Map<ObjectId, readonly Elements[]>()
  readonly #chunks = new Map<ObjectId, readonly SourceChunk[]>()
  #bytesLeft: number
  #hasAll = true

  constructor(
    source: DomainSource<Found>,
    { maxBytes = MAX_BYTES, onUnreadable = reject }: RememberedOptions = {},
  ) {
    this.#source = source
    this.#onUnreadable = onUnreadable
    this.#bytesLeft = maxBytes
  }

  /** All objects that were ever read ahead are remembered. */
  get hasAll(): boolean {
    return this.#hasAll
  }

  /** Reads some objects, at most some hundred; until the next call the functions below find them in memory. */
  async readAhead(ids: readonly ObjectId[]): Promise<void> {
    const unknown = ids.filter(id => !this.#details.has(id))
    if (unknown.length === 0) return
    this.#ahead.clear()
    const kept: SourceDetails[] = []
    for (const details of await this.#source.details(unknown)) {
      if (!details) continue
      const isKept = this.#reserve(bytesOfDetails(details))
      if (isKept) kept.push(details)
      else this.#hasAll = false
      const known = isKept ? this.#details : this.#ahead
      known.set(details.object.id, details)
      const damage = details.status?.damage
      if (damage) await this.#onUnreadable(details.object.id, { damage })
    }
    await Promise.allSettled(kept.map(details => this.#readSmall(details)))
  }

  /** Chunks and elements that cannot be read fail when they are asked for. */
  async #readSmall({ object, chunks = 0 }: SourceDetails): Promise<void> {
    if (object.kind !== 'dataset' || chunks === 0 || chunks > FEW_CHUNKS) return
    if (isSmallChunked(object)) {
      const list = await listed(this.#source.storedChunks(object))
      if (list.length <= FEW_CHUNKS && this.#reserve(list.length * CHUNK_BYTES))
        this.#chunks.set(object.id, list)
    } else if (isSmallText(object)) {
      const pieces: Elements[] = []
      for await (const { data, heap, ...rest } of this.#source.readValues(object, wholeOf(object)))
        pieces.push({ ...rest, data: data.slice(), heap: heap.slice() })
      const bytes = pieces.reduce((sum, { data, heap }) => sum + data.length + heap.length, OBJECT_BYTES)
      if (this.#reserve(bytes)) this.#values.set(object.id, pieces)
    }
  }

  /** All elements of a dataset. A piece is valid until the next one is requested. */
  values(dataset: SourceDataset, signal?: AbortCheck): Iterable<Elements> | AsyncIterable<Elements> {
    const known = this.#values.get(dataset.id)
    return known ?? this.#source.readValues(dataset, wholeOf(dataset), signal)
  }

  /** The stored chunks of a dataset in the order of their coordinates. */
  chunks(dataset: SourceDataset, span?: SourceSpan): Iterable<SourceChunk> | AsyncIterable<SourceChunk> {
    return (span ? undefined : this.#chunks.get(dataset.id)) ?? this.#source.storedChunks(dataset, span)
  }

  /** Reads the links of groups that have few; until they are forgotten `links` finds them in memory. */
  async readLinksAhead(groups: readonly ObjectId[]): Promise<void> {
    const page = { ...BY_CREATION, limit: FEW_LINKS }
    const unknown = groups.length === 1 ? [] : groups.filter(id => !this.#links.has(id))
    const read = unknown.map(async group => ({ group, links: await listed(this.#source.links(group, page)) }))
    for (const result of await Promise.allSettled(read)) {
      // Links that cannot be read fail when they are asked for.
      if (result.status === 'rejected') continue
      const { group, links } = result.value
      const readable = links.filter(isReadable)
      if (links.length === FEW_LINKS || readable.length < links.length) continue
      const bytes = readable.reduce((sum, link) => sum + bytesOfLink(link), 0)
      if (this.#reserve(bytes)) this.#links.set(group, readable)
    }
  }

  /** The details of an object that was read ahead. */
  known(id: ObjectId): SourceDetails<Found> | undefined {
    return this.#details.get(id) ?? this.#ahead.get(id)
  }

  /** The object, at once if it was read ahead. */
  object(id: ObjectId): Found | Promise<Found | undefined> {
    return this.known(id)?.object ?? this.#source.object(id)
  }

  /** The time of the last change of an object. */
  lastModified(id: ObjectId): Timestamp | Promise<Timestamp> {
    return (
      this.known(id)?.status?.lastModified ?? this.#source.status(id).then(({ lastModified }) => lastModified)
    )
  }

  /** Stored chunks of a dataset. */
  chunkCount(dataset: ObjectId): number | Promise<number> {
    return this.known(dataset)?.chunks ?? this.#source.allocation(dataset).then(({ chunks }) => chunks)
  }

  /** The links of the group in the order of creation. */
  links(group: ObjectId): Iterable<SourceLink> | AsyncIterable<SourceLink> {
    const known = this.#links.get(group)
    if (known) return known
    return this.#remember(this.#links, group, this.#readableLinks(group), bytesOfLink)
  }

  /** The attributes in the order of creation. */
  attributes(owner: ObjectId): readonly SourceAttribute[] | AsyncIterable<SourceAttribute> {
    const known = this.known(owner)?.attributes ?? this.#attributes.get(owner)
    if (known) return known
    return this.#remember(this.#attributes, owner, this.#readableAttributes(owner), bytesOfAttribute)
  }

  async *#readableLinks(group: ObjectId): AsyncGenerator<SourceLink> {
    for await (const link of this.#source.links(group, BY_CREATION)) {
      if (isReadable(link)) yield link
      else await this.#onUnreadable(group, link)
    }
  }

  async *#readableAttributes(owner: ObjectId): AsyncGenerator<SourceAttribute> {
    for await (const attribute of this.#source.attributes(owner, BY_CREATION)) {
      if ('reason' in attribute) await this.#onUnreadable(owner, attribute)
      else yield attribute
    }
  }

  /** The members, which are remembered together when all of them have been read. */
  async *#remember<Member>(
    lists: Map<ObjectId, readonly Member[]>,
    owner: ObjectId,
    members: AsyncIterable<Member>,
    bytesOf: (member: Member) => number,
  ): AsyncGenerator<Member> {
    let list: Member[] | undefined = []
    let bytes = 0
    try {
      for await (const member of members) {
        const more = bytesOf(member)
        if (list && this.#reserve(more)) {
          list.push(member)
          bytes += more
        } else list = undefined
        yield member
      }
      if (list) {
        lists.set(owner, list)
        bytes = 0
      }
    } finally {
      this.#bytesLeft += bytes
    }
  }

  #reserve(bytes: number): boolean {
    if (bytes > this.#bytesLeft) return false
    this.#bytesLeft -= bytes
    return true
  }
}

const reject: OnUnreadable = async (_, part) => {
  throw 'damage' in part ? part.damage : 'target' in part ? part.target.reason : part.reason
}

function isReadable(link: SourceLink | UnreadableLink): link is SourceLink {
  return link.target.class !== 'H5L_TYPE_ERROR'
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Whether the elements are few and lead to objects in the global heap. */
function isSmallText({ type, space, creationProperties: { layout } }: SourceDataset): boolean {
  return layout !== 'H5D_CHUNKED' && isVariableSize(type) && elementCount(space) <= FEW_TEXTS
}

function isSmallChunked({ type, creationProperties: { layout, chunkDims } }: SourceDataset): boolean {
  if (layout !== 'H5D_CHUNKED' || chunkDims === undefined || isVariableSize(type)) return false
  return product(chunkDims) * elementSize(type) <= SMALL_CHUNK
}

function bytesOfDetails({ attributes = [] }: SourceDetails): number {
  return attributes.reduce((bytes, attribute) => bytes + bytesOfAttribute(attribute), OBJECT_BYTES)
}

function bytesOfLink({ title }: SourceLink): number {
  return LINK_BYTES + 2 * title.length
}

/** A value in pieces is read once only. */
function bytesOfAttribute({ name, value }: SourceAttribute): number {
  if (value && 'pieces' in value) return Number.POSITIVE_INFINITY
  return ATTRIBUTE_BYTES + 2 * name.length + (value ? value.data.length + value.heap.length : 0)
}
