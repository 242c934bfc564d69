// Objects, links and attributes of the domain. A file is written in several passes, each of which asks for the same ones; of a domain
// with many small ones, reading them is most of the work. So they are remembered, up to a limit: of a larger domain, the rest is
// read anew in each pass. Objects are read some at a time, which is faster than each by itself.

import type { ObjectId } from '../../hdf5/object-id.ts'
import {
  BY_CREATION,
  type DomainSource,
  type SourceAttribute,
  type SourceDetails,
  type SourceLink,
  type SourceObject,
} from './source.ts'

/** Of all that is remembered, as it is estimated. */
const MAX_BYTES = 32 * 2 ** 20

/** What each takes in memory, about, without titles and values. */
const OBJECT_BYTES = 1024
const LINK_BYTES = 256
const ATTRIBUTE_BYTES = 512

export class RememberedObjects<Found extends SourceObject = SourceObject> {
  readonly #source: DomainSource<Found>
  readonly #details = new Map<ObjectId, SourceDetails<Found>>()
  /** Those that were read ahead last and for which there was no room. */
  readonly #ahead = new Map<ObjectId, SourceDetails<Found>>()
  readonly #links = new Map<ObjectId, readonly SourceLink[]>()
  readonly #attributes = new Map<ObjectId, readonly SourceAttribute[]>()
  #bytesLeft: number
  #hasAll = true

  constructor(source: DomainSource<Found>, maxBytes = MAX_BYTES) {
    this.#source = source
    this.#bytesLeft = maxBytes
  }

  /** All objects that were ever read ahead are remembered. */
  get hasAll(): boolean {
    return this.#hasAll
  }

  /** Until this is called again, the functions below find what they are asked for of these objects. Some hundred at most. */
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
    }
  }

  /** What was read ahead of an object. */
  known(id: ObjectId): SourceDetails<Found> | undefined {
    return this.#details.get(id) ?? this.#ahead.get(id)
  }

  /** At once, if it was read ahead. */
  object(id: ObjectId): Found | Promise<Found | undefined> {
    return this.known(id)?.object ?? this.#source.object(id)
  }

  /** Stored chunks of a dataset. */
  chunkCount(dataset: ObjectId): number | Promise<number> {
    return this.known(dataset)?.chunks ?? this.#source.allocation(dataset).then(({ chunks }) => chunks)
  }

  /** In the order of creation. */
  links(group: ObjectId): Iterable<SourceLink> | AsyncIterable<SourceLink> {
    const known = this.#links.get(group)
    if (known) return known
    return this.#remember(this.#links, group, this.#source.links(group, BY_CREATION), bytesOfLink)
  }

  /** In the order of creation. */
  attributes(owner: ObjectId): readonly SourceAttribute[] | AsyncIterable<SourceAttribute> {
    const known = this.known(owner)?.attributes ?? this.#attributes.get(owner)
    if (known) return known
    const attributes = this.#source.attributes(owner, BY_CREATION)
    return this.#remember(this.#attributes, owner, attributes, bytesOfAttribute)
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
