// A domain as a share of one dataset shows it: the dataset with its attributes, its committed datatype, and the groups
// on the way to it, each with the one link that leads there and without attributes. All else is missing, for whatever
// reads the domain: routes, the Zarr view, files. A method that the reader gets has to be decided here.

import { logicalBytes } from '@hyperslab/model/dataset'
import { type DomainPath, isSameDomain, type ObjectId, type ObjectKind } from '@hyperslab/model/names'
import type {
  ContentsOf,
  Dataset,
  DomainEntry,
  DomainState,
  DomainStatistics,
  Link,
  ObjectDetails,
  ObjectStatus,
  Page,
  PlacedChunk,
  Reader,
} from '@hyperslab/store/store'
import { titlesOf } from './links/paths.ts'

/** The objects that are shown. */
interface Shown {
  /** The link of each group; undefined: it leads nowhere any more. */
  readonly groups: ReadonlyMap<ObjectId, Link | undefined>
  readonly dataset?: Dataset
}

const NOTHING: Shown = { groups: new Map() }

export class DatasetView implements Reader {
  readonly #reader: Reader
  readonly #domain: DomainPath
  readonly #h5path: string
  readonly #share: string
  #shown: Promise<Shown> | undefined

  /** `h5path` leads to the dataset through hard links; `share` is the id of the share, 16 hexadecimal digits. */
  constructor(reader: Reader, domain: DomainPath, h5path: string, share: string) {
    this.#reader = reader
    this.#domain = domain
    this.#h5path = h5path
    this.#share = share
  }

  /** The dataset, if it is there. */
  async dataset(): Promise<Dataset | undefined> {
    return (await this.#look()).dataset
  }

  #look(): Promise<Shown> {
    this.#shown ??= this.#find()
    return this.#shown
  }

  async #find(): Promise<Shown> {
    const root = (await this.#reader.domain(this.#domain))?.root
    if (root === undefined) return NOTHING
    const groups = new Map<ObjectId, Link | undefined>()
    let id = root
    for (const title of titlesOf(this.#h5path)) {
      const link = await this.#reader.link(id, title)
      if (link?.target.class !== 'H5L_TYPE_HARD') return { groups: new Map([[root, undefined]]) }
      groups.set(id, link)
      id = link.target.id
    }
    const object = await this.#reader.object(id)
    return object?.kind === 'dataset' ? { groups, dataset: object } : { groups: new Map([[root, undefined]]) }
  }

  async #isShown(id: ObjectId): Promise<boolean> {
    const { groups, dataset } = await this.#look()
    return groups.has(id) || dataset?.id === id || dataset?.committedType === id
  }

  async #isDataset(id: ObjectId): Promise<boolean> {
    return (await this.#look()).dataset?.id === id
  }

  async #shownStatus(id: ObjectId, status: ObjectStatus): Promise<ObjectStatus> {
    if (await this.#isDataset(id)) return status
    const linkCount = (await this.#look()).groups.get(id) ? 1 : 0
    return { ...status, linkCount, attributeCount: 0 }
  }

  domain(path: DomainPath) {
    return this.#reader.domain(path)
  }

  linkedFile(holder: DomainEntry, name: string) {
    return this.#reader.linkedFile(holder, name)
  }

  children(folder: DomainPath, page?: Page) {
    return this.#reader.children(folder, page)
  }

  reviewJoin(...given: Parameters<Reader['reviewJoin']>) {
    return this.#reader.reviewJoin(...given)
  }

  wasDomainDeleted(path: DomainPath) {
    return this.#reader.wasDomainDeleted(path)
  }

  hasHeldDomains(path: DomainPath) {
    return this.#reader.hasHeldDomains(path)
  }

  tableOfContents(of: ContentsOf) {
    return this.#reader.tableOfContents(of)
  }

  async *use(): AsyncGenerator<never> {}

  async quotas(): Promise<readonly never[]> {
    return []
  }

  async statistics(path: DomainPath): Promise<DomainStatistics | undefined> {
    const { groups, dataset } = await this.#look()
    if (path !== this.#domain || dataset === undefined) return undefined
    const { chunks, bytes } = await this.allocation(dataset.id)
    const { lastModified } = await this.status(dataset.id)
    const datatypes = dataset.committedType === undefined ? 0 : 1
    const counts = { groups: groups.size, datasets: 1, datatypes, chunks, allocatedBytes: bytes }
    return { ...counts, logicalBytes: logicalBytes(dataset), metadataBytes: 0, entryBytes: 0, lastModified }
  }

  /** States of its own, so that no answer that is kept for the whole domain is given for a part of it. */
  async state(root: ObjectId): Promise<DomainState> {
    const { state, form, lastModified } = await this.#reader.state(root)
    return { state: this.#ofView(state), form: this.#ofView(form), lastModified }
  }

  /** Ids of shares are random, so no other state becomes the same. */
  #ofView(state: string): string {
    const changed = BigInt(`0x${state}`) ^ BigInt(`0x${this.#share}`)
    return changed.toString(16).padStart(state.length, '0')
  }

  async ownFile(): Promise<undefined> {
    return undefined
  }

  nameCount(root: ObjectId) {
    return this.#reader.nameCount(root)
  }

  async object(id: ObjectId) {
    return (await this.#isShown(id)) ? this.#reader.object(id) : undefined
  }

  async details(ids: readonly ObjectId[]): Promise<readonly (ObjectDetails | undefined)[]> {
    const all: (ObjectDetails | undefined)[] = []
    for (const [position, found] of (await this.#reader.details(ids)).entries()) {
      const id = ids[position]
      if (found === undefined || id === undefined || !(await this.#isShown(id))) all.push(undefined)
      else if (await this.#isDataset(id)) all.push(found)
      else {
        const { object } = found
        const status = await this.status(id)
        all.push({ object, status, attributes: [] })
      }
    }
    return all
  }

  async status(id: ObjectId) {
    return this.#shownStatus(id, await this.#reader.status(id))
  }

  async *objects(root: ObjectId, kind: ObjectKind, { marker, limit }: Page<ObjectId> = {}) {
    const { groups, dataset } = await this.#look()
    const ids = { group: [...groups.keys()], dataset: [dataset?.id], datatype: [dataset?.committedType] }[
      kind
    ]
    const shown: ObjectId[] = []
    for (const id of ids) {
      if (id !== undefined && isSameDomain(id, root) && (marker === undefined || id > marker)) shown.push(id)
    }
    yield* shown.sort().slice(0, limit)
  }

  async link(group: ObjectId, title: string) {
    const link = (await this.#look()).groups.get(group)
    return link?.title === title ? link : undefined
  }

  async *links(group: ObjectId, { marker, limit, order }: Page = {}) {
    const link = (await this.#look()).groups.get(group)
    if (link === undefined || limit === 0) return
    // Nothing follows the only link, whatever the order.
    const isAfter =
      order !== 'created' && Buffer.compare(Buffer.from(link.title), Buffer.from(marker ?? '')) > 0
    if (marker === undefined || isAfter) yield link
  }

  async *linksTo(id: ObjectId) {
    for (const [group, link] of (await this.#look()).groups) {
      if (link?.target.class === 'H5L_TYPE_HARD' && link.target.id === id) yield { group, title: link.title }
    }
  }

  async attribute(owner: ObjectId, name: string) {
    return (await this.#isDataset(owner)) ? this.#reader.attribute(owner, name) : undefined
  }

  async *attributes(owner: ObjectId, page?: Page) {
    if (await this.#isDataset(owner)) yield* this.#reader.attributes(owner, page)
  }

  async wasDeleted(): Promise<boolean> {
    return false
  }

  allocation(dataset: ObjectId) {
    return this.#reader.allocation(dataset)
  }

  readValues(...[dataset, selection, signal]: Parameters<Reader['readValues']>) {
    return this.#reader.readValues(dataset, selection, signal)
  }

  readPieces(...[dataset, selection, signal]: Parameters<Reader['readPieces']>) {
    return this.#reader.readPieces(dataset, selection, signal)
  }

  storedChunks(...[dataset, span]: Parameters<Reader['storedChunks']>) {
    return this.#reader.storedChunks(dataset, span)
  }

  chunkOnDisk(dataset: Dataset, coordinates: readonly number[]) {
    return this.#reader.chunkOnDisk(dataset, coordinates)
  }

  /** The file of the whole domain, where they have places, is not shown. */
  async placedChunks(dataset: Dataset) {
    const chunks = await this.#reader.placedChunks(dataset)
    return chunks && withoutPlaces(chunks)
  }

  locateChunks(dataset: Dataset) {
    return this.#reader.locateChunks(dataset)
  }

  requireValues(...[dataset, signal]: Parameters<Reader['requireValues']>) {
    return this.#reader.requireValues(dataset, signal)
  }

  requireUnchanged() {
    return this.#reader.requireUnchanged()
  }

  finishDomain(root: ObjectId) {
    return this.#reader.finishDomain(root)
  }
}

async function* withoutPlaces(chunks: AsyncIterable<PlacedChunk>): AsyncGenerator<PlacedChunk> {
  for await (const { coordinates } of chunks) yield { coordinates }
}
