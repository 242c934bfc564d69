// `hyperslab diff`: the differences of two domains: objects and links, types, shapes, attributes and values.

import type { Api, Domain } from '@hyperslab/client'
import { extentsOf, fixedSize, formatDatatype, formatShape, parseDatatype } from '@hyperslab/client/elements'
import { Progress, type ProgressOptions } from '../progress.ts'
import { UsageError } from '../usage-error.ts'
import { shownName } from './output.ts'
import { type Service, type ServiceOptions, withService } from './service.ts'

export interface DiffOptions extends ServiceOptions, ProgressOptions {
  readonly json: boolean
}

/** The exit code when the domains could not be compared: 1 means that they differ. */
const CANNOT_COMPARE = 2

interface Difference {
  readonly path: string
  readonly difference: string
}

/** Resolves with the exit code. */
export async function runDiff(one: string, other: string, options: DiffOptions): Promise<number> {
  let count = 0
  try {
    await withService(options, false, async service => {
      const progress = new Progress(options)
      const domains = [service.client.domain(one), service.client.domain(other)] as const
      let compared = 0
      const onCompared = () => {
        compared++
        progress.show(() => `${compared} objects compared, ${count} differences`)
      }
      for await (const { path, difference } of new Comparison(service, domains, onCompared).differences()) {
        count++
        progress.end()
        const line = options.json
          ? JSON.stringify({ path, difference })
          : `${shownName(path)}: ${shownName(difference)}`
        await service.print(line)
      }
      progress.end()
    })
  } catch (error) {
    throw error instanceof UsageError && error.exitCode === 1
      ? new UsageError(error.message, CANNOT_COMPARE)
      : error
  }
  return count > 0 ? 1 : 0
}

type Pair<T> = readonly [T, T]

class Comparison {
  readonly #service: Service
  readonly #domains: Pair<Domain>
  readonly #onCompared: () => void
  /** Pairs of objects that were compared: objects may have several names. */
  readonly #met = new Set<string>()
  /** Attributes that differ unless each of their pairs of references leads to objects with one path. */
  readonly #referring: (Difference & { readonly pairs: readonly string[] })[] = []

  constructor(service: Service, domains: Pair<Domain>, onCompared: () => void) {
    this.#service = service
    this.#domains = domains
    this.#onCompared = onCompared
  }

  async *differences(): AsyncGenerator<Difference> {
    yield* this.#groups('/')
    // All objects have been met now.
    for (const { pairs, ...difference } of this.#referring)
      if (!pairs.every(pair => this.#met.has(pair))) yield difference
  }

  /** The differences of the groups at the path, and of all below them, without those of references. */
  async *#groups(path: string): AsyncGenerator<Difference> {
    yield* this.#objects(path, await this.#both(domain => domain.object(path, this.#options())))
  }

  #options() {
    return { attributes: true, signal: this.#service.signal }
  }

  #both<T>(read: (domain: Domain) => Promise<T>): Promise<[T, T]> {
    const [one, other] = this.#domains
    return Promise.all([read(one), read(other)])
  }

  async *#objects(path: string, objects: Pair<Api.FoundObject>): AsyncGenerator<Difference> {
    const [one, other] = objects
    const key = `${one.id} ${other.id}`
    if (this.#met.has(key)) return
    this.#met.add(key)
    this.#onCompared()
    if (one.class !== other.class) return yield { path, difference: `${one.class} and ${other.class}` }
    yield* this.#attributes(path, objects)
    if (one.class === 'group' && other.class === 'group') yield* this.#members(path, [one.id, other.id])
    else if (one.class === 'dataset' && other.class === 'dataset') yield* this.#datasets(path, [one, other])
    else if (typeOf(one) !== typeOf(other))
      yield { path, difference: `types ${shownType(one)} and ${shownType(other)}` }
  }

  *#attributes(path: string, [one, other]: Pair<Api.FoundObject>): Generator<Difference> {
    const [a, b] = [one.attributes ?? {}, other.attributes ?? {}]
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [mine, its] = [a[name], b[name]]
      const difference = `attribute ${name}`
      if (mine === undefined) yield { path, difference: `${difference} only in the second domain` }
      else if (its === undefined) yield { path, difference: `${difference} only in the first domain` }
      else {
        const pairs = pairsOfReferences(mine, its)
        if (pairs === undefined) yield { path, difference }
        else if (pairs.length > 0) this.#referring.push({ path, difference, pairs })
      }
    }
  }

  /** Both lists are in the order of titles. */
  async *#members(path: string, [one, other]: Pair<string>): AsyncGenerator<Difference> {
    const above = path === '/' ? '' : path
    const [first, second] = this.#domains
    const { signal } = this.#service
    const pairs = inStep(first.links(one, { signal }), second.links(other, { signal }))
    for await (const [link, counterpart] of pairs) {
      const below = `${above}/${(link ?? counterpart)?.title ?? ''}`
      if (link === undefined) yield { path: below, difference: 'only in the second domain' }
      else if (counterpart === undefined) yield { path: below, difference: 'only in the first domain' }
      else if (link.class === 'H5L_TYPE_HARD' && counterpart.class === 'H5L_TYPE_HARD')
        yield* this.#groups(below)
      else if (targetOf(link) !== targetOf(counterpart))
        yield { path: below, difference: `links ${targetOf(link)} and ${targetOf(counterpart)}` }
    }
  }

  async *#datasets(path: string, datasets: Pair<Dataset>): AsyncGenerator<Difference> {
    const [one, other] = datasets
    if (typeOf(one) !== typeOf(other)) {
      yield { path, difference: `types ${shownType(one)} and ${shownType(other)}` }
      return
    }
    if (shapeOf(one) !== shapeOf(other)) {
      yield { path, difference: `shapes ${shapeOf(one)} and ${shapeOf(other)}` }
      return
    }
    const shape = extentsOf(one.shape)
    if (shape === undefined || shape.includes(0)) return
    const at = await this.#firstDifference(datasets)
    if (at === undefined) return
    const size = fixedSize(parseDatatype(one.type))
    const element = size === undefined ? '' : `, the first at ${formatIndex(Math.floor(at / size), shape)}`
    yield { path, difference: `values${element}` }
  }

  /** The offset of the first byte of the values that differs. */
  async #firstDifference([one, other]: Pair<Dataset>): Promise<number | undefined> {
    const { client, signal } = this.#service
    const [first, second] = this.#domains
    const headers = { accept: 'application/octet-stream' }
    const read = (domain: Domain, { id }: Dataset) =>
      client.open('GET /datasets/{id}/value', { id, domain: domain.path }, { headers, signal })
    const [a, b] = await Promise.all([read(first, one), read(second, other)])
    return firstDifferentByte(a.body, b.body)
  }
}

type Dataset = Extract<Api.FoundObject, { readonly class: 'dataset' }>

/** Types as they are stored, without the id of a committed datatype. */
function typeOf(object: Api.FoundObject): string {
  if (!('type' in object)) return ''
  return JSON.stringify(parseDatatype(object.type))
}

function shownType(object: Api.FoundObject): string {
  return 'type' in object ? formatDatatype(parseDatatype(object.type)) : ''
}

function shapeOf({ shape }: Pick<Dataset, 'shape'>): string {
  return formatShape(extentsOf(shape))
}

function targetOf(link: Api.LinkItem): string {
  if (link.class === 'H5L_TYPE_HARD') return 'hard'
  if (link.class === 'H5L_TYPE_SOFT') return `soft to ${link.h5path}`
  return link.class === 'H5L_TYPE_EXTERNAL' ? `external to ${link.h5domain} ${link.h5path}` : link.class
}

/** The ids of the objects that references lead to, in pairs. Undefined: the attributes differ in something else. */
function pairsOfReferences(one: Api.AttributeItem, other: Api.AttributeItem): readonly string[] | undefined {
  const [parts, otherParts] = [one, other].map(attribute => contentOf(attribute).split(REFERENCE))
  const pairs = new Set<string>()
  if (parts?.length !== otherParts?.length) return undefined
  for (const [i, part] of (parts ?? []).entries()) {
    const otherPart = otherParts?.[i] ?? ''
    // The ids are between the other parts.
    if (i % 2 === 1) pairs.add(`${part} ${otherPart}`)
    else if (part !== otherPart) return undefined
  }
  return [...pairs]
}

/** A reference to an object in the text of an attribute; a string that looks like one counts as one. */
const REFERENCE = /(?<=[[,]"(?:groups|datasets|datatypes)\/)([gdt]-[-0-9a-f]+)(?=")/

/** The type, the shape and the value of an attribute, as text. */
function contentOf(attribute: Api.AttributeItem): string {
  if ('unreadable' in attribute) return attribute.unreadable
  const { type, shape, value } = attribute
  return JSON.stringify([parseDatatype(type), extentsOf(shape), value])
}

/** Items of two lists in the order of their titles, those with one title together. */
async function* inStep<T extends { readonly title: string }>(
  one: AsyncIterable<T>,
  other: AsyncIterable<T>,
): AsyncGenerator<readonly [T | undefined, T | undefined]> {
  const lists = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()] as const
  let [a, b] = await Promise.all([lists[0].next(), lists[1].next()])
  while (!a.done || !b.done) {
    const order = a.done
      ? 1
      : b.done
        ? -1
        : Buffer.compare(Buffer.from(a.value.title), Buffer.from(b.value.title))
    yield [order <= 0 && !a.done ? a.value : undefined, order >= 0 && !b.done ? b.value : undefined]
    if (order <= 0) a = await lists[0].next()
    if (order >= 0) b = await lists[1].next()
  }
}

type Body = AsyncIterable<Uint8Array> | null

const NOTHING = new Uint8Array(0)

/** The streams are read in step, so that values of any size fit. */
async function firstDifferentByte(one: Body, other: Body): Promise<number | undefined> {
  const readers = [piecesOf(one), piecesOf(other)] as const
  let a: Uint8Array = NOTHING
  let b: Uint8Array = NOTHING
  for (let offset = 0; ; ) {
    if (a.length === 0) a = await nextOf(readers[0])
    if (b.length === 0) b = await nextOf(readers[1])
    const length = Math.min(a.length, b.length)
    if (length === 0) {
      const isSame = a.length === b.length
      await Promise.all(readers.map(reader => reader.return(undefined)))
      return isSame ? undefined : offset
    }
    const [left, right] = [a.subarray(0, length), b.subarray(0, length)]
    if (Buffer.compare(left, right) !== 0) {
      await Promise.all(readers.map(reader => reader.return(undefined)))
      return offset + left.findIndex((byte, index) => byte !== right[index])
    }
    offset += length
    a = a.subarray(length)
    b = b.subarray(length)
  }
}

async function* piecesOf(body: Body): AsyncGenerator<Uint8Array> {
  if (body !== null) yield* body
}

/** The next bytes; none at the end. */
async function nextOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  for (;;) {
    const { value, done } = await pieces.next()
    if (done) return NOTHING
    if (value.length > 0) return value
  }
}

/** The index of an element in each dimension. */
function formatIndex(offset: number, shape: readonly number[]): string {
  let rest = offset
  const index = shape.toReversed().map(extent => {
    const place = rest % extent
    rest = Math.floor(rest / extent)
    return place
  })
  return `[${index.reverse().join(',')}]`
}
