// All nodes below a group, for its consolidated metadata. Each group is walked once, at its first path, so circles end.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { isOnlyName } from '@hyperslab/meaning/meaning'
import { compareUtf8, isSameDomain, type ObjectId } from '@hyperslab/model/names'
import type { Dataset, HdfObject, ListedLink, ObjectDetails } from '@hyperslab/store/store'
import type { ZarrFormat } from '@hyperslab/views/zarr'
import {
  ConsolidatedMetadata,
  type NodeDocuments,
  nameFault,
  type ShownAttribute,
} from '@hyperslab/views/zarr'
import { hasPermission } from '../access/access.ts'
import { knownAttributes } from '../attributes/known-attributes.ts'
import type { Context, OpenDomain } from '../context.ts'
import { ALL_LINKS, locate, resultOrError } from '../links/paths.ts'
import { LinksAhead } from '../objects/read-together.ts'
import type { KeptScales } from './array-dimensions.ts'
import { type DatasetNode, datasetNode, type GroupNode, reachError } from './locate.ts'
import { type ArrayNode, DocumentMaker, isArray } from './nodes.ts'
import { DETAILS_AT_ONCE, readDetails } from './objects.ts'

/**
 * Groups and arrays in consolidated metadata: with more there is none, since readers would wait for a document of some
 * 50 MB.
 * @limit safety, nodes
 */
export const MAX_NODES = 50_000

/** Takes the documents of a node, whose path is from where the walk begins; those of an array with its node. */
export type VisitNode = (path: string, documents: NodeDocuments, array?: ArrayNode) => void

export interface WalkedGroup {
  readonly documents: NodeDocuments
  /** False: there are too many nodes, and not all were visited. */
  readonly isWhole: boolean
  /** True: no link has led to another domain, so the documents depend on the state of this one only. */
  readonly isOfOneDomain: boolean
}

export interface ConsolidatedGroup extends Pick<WalkedGroup, 'documents' | 'isOfOneDomain'> {
  /** Absent: there are too many nodes. */
  readonly metadata?: ConsolidatedMetadata
}

/** The documents of a group, and of all nodes below it. */
export async function consolidate(
  context: Context,
  node: GroupNode,
  format: ZarrFormat,
  scales: KeptScales,
): Promise<ConsolidatedGroup> {
  const metadata = new ConsolidatedMetadata(format)
  const visit: VisitNode = (path, documents) => metadata.add(path, documents)
  const { documents, isWhole, isOfOneDomain } = await walkNodes(context, node, format, visit, scales)
  return { documents, isOfOneDomain, ...(isWhole && { metadata }) }
}

/** Visits a group, and all that is below it. */
export async function walkNodes(
  context: Context,
  { domain, group }: GroupNode,
  format: ZarrFormat,
  visit: VisitNode,
  scales?: KeptScales,
): Promise<WalkedGroup> {
  return new Walk(context, format, visit, scales).run({ path: '', domain, object: group })
}

/** The documents of a group alone. */
export async function groupAlone(
  context: Context,
  { domain, group }: GroupNode,
  format: ZarrFormat,
): Promise<NodeDocuments> {
  return new Walk(context, format, () => undefined).documents({ path: '', domain, object: group })
}

interface FoundObject {
  /** The path from the group where the walk begins; empty for that group. */
  readonly path: string
  readonly domain: OpenDomain
  readonly object: HdfObject
  readonly details?: ObjectDetails | undefined
}

type FoundDetails = ObjectDetails | HyperslabError | undefined

class Walk {
  readonly #context: Context
  readonly #format: ZarrFormat
  readonly #maker: DocumentMaker
  readonly #visit: VisitNode
  readonly #seen = new Set<string>()
  readonly #groups: FoundObject[] = []
  readonly #links: LinksAhead
  /** Details of members that were read together. */
  #ofMembers = new Map<ObjectId, FoundDetails>()
  /** Details of the groups that are walked next. */
  readonly #ahead = new Map<ObjectId, ObjectDetails>()
  #nodes = 0
  #isOfOneDomain = true

  constructor(context: Context, format: ZarrFormat, visit: VisitNode, scales?: KeptScales) {
    this.#context = context
    this.#format = format
    this.#maker = new DocumentMaker(context, format, scales)
    this.#visit = visit
    this.#links = new LinksAhead(context.reader)
  }

  async run(start: FoundObject): Promise<WalkedGroup> {
    this.#seen.add(start.object.id)
    this.#groups.push(start)
    let documents: NodeDocuments | undefined
    // The list grows while it is walked.
    for (const [i, group] of this.#groups.entries()) {
      if (!this.#ahead.has(group.object.id)) await this.#readAhead(this.#groups.slice(i, i + DETAILS_AT_ONCE))
      const next = this.#groups.slice(i + 1, i + DETAILS_AT_ONCE).map(({ object }) => object.id)
      const made = await this.#walkGroup(group, next)
      documents ??= made
      this.#visit(group.path, made)
      if (this.#nodes > MAX_NODES) break
    }
    if (!documents) throw new Error('a walk has not made the documents of its start')
    return { documents, isWhole: this.#nodes <= MAX_NODES, isOfOneDomain: this.#isOfOneDomain }
  }

  async documents(start: FoundObject): Promise<NodeDocuments> {
    const leftOut = new Map<string, string>()
    for await (const [title, found] of this.#members(start)) {
      if (typeof found === 'string') leftOut.set(title, found)
      else if (found.object.kind !== 'group') {
        const reason = this.#reasonOf(found)
        if (reason !== undefined) leftOut.set(title, reason)
      }
    }
    return this.#maker.group(await this.#maker.attributes(start.object.id), leftOut)
  }

  async #walkGroup(group: FoundObject, next: readonly ObjectId[]): Promise<NodeDocuments> {
    const leftOut = new Map<string, string>()
    for await (const [title, member] of this.#members(group, next)) {
      if (typeof member === 'string') {
        leftOut.set(title, member)
        continue
      }
      const { object } = member
      if (object.kind === 'group') {
        if (this.#seen.has(object.id)) continue
        this.#seen.add(object.id)
        this.#nodes++
        this.#groups.push({ ...member, details: undefined })
      } else {
        const reason = this.#reasonOf(member)
        if (reason !== undefined) leftOut.set(title, reason)
        else if (object.kind === 'dataset') await this.#addDataset(member, object)
      }
      if (this.#nodes > MAX_NODES) break
    }
    const known = byName((group.details ?? this.#ahead.get(group.object.id))?.attributes)
    return this.#maker.group(await this.#maker.attributes(group.object.id, known), leftOut)
  }

  /** Reads details of the next groups together. */
  async #readAhead(groups: readonly FoundObject[]): Promise<void> {
    this.#ahead.clear()
    const [{ domain }] = groups
    const ids = groups.filter(group => group.domain === domain).map(({ object }) => object.id)
    for await (const [id, details] of readDetails(this.#context, ids))
      if (details && !(details instanceof HyperslabError)) this.#ahead.set(id, details)
  }

  #reasonOf({ domain, object }: FoundObject): string | undefined {
    if (object.kind !== 'dataset') return 'it is a committed datatype'
    const { type } = datasetNode(domain, object, [], this.#format)
    return type.kind === 'left-out' ? type.reason : undefined
  }

  async #addDataset({ path, domain, details }: FoundObject, dataset: Dataset): Promise<void> {
    const attributes = await this.#maker.attributes(dataset.id, details?.attributes)
    if (isOnlyName(knownAttributes(attributes))) return
    await this.#addNode(path, datasetNode(domain, dataset, [], this.#format), attributes)
  }

  async #addNode(path: string, node: DatasetNode, attributes: readonly ShownAttribute[]): Promise<void> {
    if (isTurnOver()) await nextTurn()
    if (isArray(node)) {
      this.#nodes++
      this.#visit(path, await this.#maker.array(node, attributes), node)
    } else if (node.type.kind === 'members') {
      this.#nodes++
      this.#visit(path, this.#maker.members(node, attributes))
      for (const { name } of node.type.members) {
        const { domain, dataset, members } = node
        const member = datasetNode(domain, dataset, [...members, name], this.#format)
        await this.#addNode(`${path}/${name}`, member, attributes)
      }
    }
  }

  /**
   * The members by their titles, each with its object or the reason why it cannot be shown. `next`: groups whose
   * members are read next.
   */
  async *#members(
    group: FoundObject,
    next: readonly ObjectId[] = [],
  ): AsyncGenerator<readonly [title: string, found: FoundObject | string]> {
    let batch: ListedLink[] = []
    for await (const link of this.#links.of(group.object.id, next)) {
      if (isTurnOver()) await nextTurn()
      this.#context.signal.throwIfAborted()
      if (batch.push(link) < DETAILS_AT_ONCE) continue
      yield* this.#found(group, batch)
      batch = []
    }
    yield* this.#found(group, batch)
  }

  async *#found(
    group: FoundObject,
    links: readonly ListedLink[],
  ): AsyncGenerator<readonly [title: string, found: FoundObject | string]> {
    const ids = links.flatMap(({ target }) => (target.class === 'H5L_TYPE_HARD' ? [target.id] : []))
    const details = await this.#detailsOf(ids, group)
    for (const { title, target } of links) {
      const path = group.path === '' ? title : `${group.path}/${title}`
      const fault = nameFault(title, this.#format)
      if (fault !== undefined) yield [title, fault]
      else if (target.class === 'H5L_TYPE_ERROR') yield [title, target.reason.message]
      else if (target.class === 'H5L_TYPE_HARD') {
        const detail = details.get(target.id)
        if (detail instanceof HyperslabError) yield [title, detail.message]
        else if (!detail) yield [title, 'it leads to a deleted object']
        else if (!hasPermission(this.#context, 'read', group.domain, detail.object))
          yield [title, NOT_READABLE]
        else yield [title, { path, domain: group.domain, object: detail.object, details: detail }]
      } else {
        const located = await this.#behind(group, title, path)
        if (target.class === 'H5L_TYPE_EXTERNAL' || isElsewhere(located, group)) this.#isOfOneDomain = false
        yield [title, located]
      }
    }
  }

  /** The details of members of a group, read together with those of members of the next groups. */
  async #detailsOf(
    ids: readonly ObjectId[],
    { domain }: FoundObject,
  ): Promise<ReadonlyMap<ObjectId, FoundDetails>> {
    const known = this.#ofMembers
    if (ids.every(id => known.has(id))) return known
    this.#ofMembers = new Map()
    const isNext = (id: ObjectId) => isSameDomain(id, domain.root.id) && !known.has(id)
    const next = [...this.#links.targets()].filter(isNext).slice(0, DETAILS_AT_ONCE)
    for await (const [id, details] of readDetails(this.#context, [...new Set([...ids, ...next])]))
      this.#ofMembers.set(id, details)
    return this.#ofMembers
  }

  async #behind(group: FoundObject, title: string, path: string): Promise<FoundObject | string> {
    const from = { start: group.object.id, titles: [title] }
    const located = await resultOrError(locate(this.#context, group.domain, from, ALL_LINKS))
    if (!(located instanceof HyperslabError)) return { path, ...located }
    const error = reachError(located)
    const isHidden =
      error instanceof HyperslabError && (error.kind === 'forbidden' || error.kind === 'unauthenticated')
    return isHidden ? NOT_READABLE : located.message
  }
}

function byName(attributes: ObjectDetails['attributes']): ObjectDetails['attributes'] {
  return attributes && [...attributes].sort((a, b) => compareUtf8(a.name, b.name))
}

/** A soft link that leads nowhere may lead through another domain. */
function isElsewhere(located: FoundObject | string, { domain }: FoundObject): boolean {
  return typeof located === 'string' || located.domain.root.id !== domain.root.id
}

const NOT_READABLE = 'the caller may not read it'
