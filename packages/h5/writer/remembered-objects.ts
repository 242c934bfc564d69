// Objects, links and attributes of the domain. A file is written in several passes, each of which needs the same ones;
// for a domain with many small ones, reading them is most of the work. So they are remembered, up to a limit; the
// others are read again in each pass. Objects are read some at a time, which is faster than each by itself.

import type { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import {
  BY_CREATION,
  type DomainSource,
  type SourceAttribute,
  type SourceDetails,
  type SourceLink,
  type SourceObject,
  type UnreadableAttribute,
  type UnreadableLink,
} from './source.ts'

/**
 * Bytes of all objects that the passes of a writer share, as an estimate.
 * @limit speed, bytes, bench/results.md#023-writer
 */
const MAX_BYTES = 32 * 2 ** 20

/** The memory of each, about, without titles and values. */
const OBJECT_BYTES = 1024
const LINK_BYTES = 256
const ATTRIBUTE_BYTES = 512

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
    for (const details of await this.#source.details(unknown)) {
      if (!details) continue
      const isKept = this.#reserve(bytesOfDetails(details))
      if (!isKept) this.#hasAll = false
      const known = isKept ? this.#details : this.#ahead
      known.set(details.object.id, details)
      const damage = details.status?.damage
      if (damage) await this.#onUnreadable(details.object.id, { damage })
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
