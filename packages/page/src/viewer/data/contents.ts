// The contents of a domain as the viewer knows them: objects by their paths, in this domain or another one that a link
// leads to, and the members of groups. Each is requested once, until it is forgotten because it has changed.

import { type Api, type Datatype, type Domain, type Hyperslab, RequestError } from '@hyperslab/client'
import { extentsOf, parseDatatype } from '@hyperslab/client/elements'
import { type Attributes, attributesIn, MAX_VALUE_BYTES } from '../meaning/attributes.ts'
import type { ShownDataset } from '../meaning/letters.ts'
import { Batches } from './batches.ts'

export type Kind = Api.FoundObject['class']

/** An object at a path. Two paths may lead to one. */
export interface Entity {
  readonly path: string
  readonly name: string
  readonly kind: Kind
  readonly object: Api.FoundObject
  /** The attributes that came with the object. They are decoded when they are needed first. */
  readonly attributes: Attributes
  /** Of a dataset. */
  readonly dataset: StoredShape | undefined
  /** Of a committed datatype or a dataset. */
  readonly type: Datatype | undefined
}

export interface StoredShape extends ShownDataset {
  /** The extents of filtered chunks, which are decoded as a whole: a few of their elements cost as much as all. */
  readonly filteredChunk?: readonly number[] | undefined
  /** Another number after each change. It comes with the extents: old ones are never used to read new values. */
  readonly stamp: number
}

/** A link of a group. */
export interface Member {
  readonly title: string
  readonly path: string
  readonly link: 'hard' | 'soft' | 'external' | 'other'
  /** Undefined: only the object says it, which is requested when it is in sight. */
  readonly kind: Kind | undefined
  /** Hard links: the id of the object. */
  readonly id: string | undefined
  /** Soft and external links: what they lead to, for people. */
  readonly target: string | undefined
}

/** Links of one request: the first are shown while the next come. */
const PAGE_SIZE = 5000

export class Contents {
  readonly domain: Domain
  readonly client: Hyperslab
  readonly #objects = new Batches(paths => this.#find(paths))
  readonly #known = new Map<string, Promise<Entity>>()
  readonly #lists = new Map<string, MemberList>()
  /** The paths of lists that are read again when they are needed next. */
  readonly #oldLists = new Set<string>()
  readonly #changes = new Map<string, number>()
  #allChanges = 0

  constructor(client: Hyperslab, path: string) {
    this.client = client
    this.domain = client.domain(path)
  }

  /** Rejects with the reason why nothing is at the path. */
  at(path: string): Promise<Entity> {
    const known = this.#known.get(path)
    if (known) return known
    const found = this.#entityAt(path)
    this.#known.set(path, found)
    // What the service could not answer is asked again; that nothing is there, too: it may come.
    found.catch(() => this.#known.delete(path))
    return found
  }

  /** The members of the group at the path. A list that failed stays: each drawing of it would request it again. */
  members(path: string): MemberList {
    const known = this.#lists.get(path)
    if (known && !this.#oldLists.delete(path)) return known
    const list = new MemberList(report => this.#list(path, report), known)
    this.#lists.set(path, list)
    return list
  }

  /** The first members of a group by their names: a group with more is not read whole. */
  async firstMembers({ path, object }: Entity, limit: number): Promise<readonly Member[]> {
    if (object.class !== 'group') return []
    if (object.linkCount <= limit) {
      const list = this.members(path)
      await list.done
      return list.members
    }
    const members: Member[] = []
    for await (const link of this.domain.links(object.id, { pageSize: limit })) {
      members.push(memberOf(path, link))
      if (members.length === limit) break
    }
    return members
  }

  /** A number that is another one after each change of the object: its values are read again. */
  changesOf(id: string): number {
    return this.#allChanges + (this.#changes.get(id) ?? 0)
  }

  /** The objects have changed: they are requested again when they are needed next. Undefined: all objects. */
  forget(ids: ReadonlySet<string> | undefined): void {
    for (const id of ids ?? []) this.#changes.set(id, (this.#changes.get(id) ?? 0) + 1)
    if (ids === undefined) {
      this.#allChanges++
      this.#known.clear()
      for (const path of this.#lists.keys()) this.#oldLists.add(path)
      return
    }
    for (const [path, known] of this.#known) {
      void known.then(
        ({ object: { id } }) => {
          if (!ids.has(id) || this.#known.get(path) !== known) return
          this.#known.delete(path)
          if (this.#lists.has(path)) this.#oldLists.add(path)
        },
        () => undefined,
      )
    }
  }

  async #entityAt(path: string): Promise<Entity> {
    const object = await this.#objects.get(path)
    if (object instanceof RequestError) throw object
    return entityOf(path, path === '/' ? this.domain.path : nameOf(path), object, this.changesOf(object.id))
  }

  #find(paths: readonly string[]): Promise<ReadonlyMap<string, Api.FoundObject | RequestError>> {
    return this.domain.objects(paths, { attributes: MAX_VALUE_BYTES })
  }

  async #list(path: string, report: (members: readonly Member[]) => void): Promise<void> {
    const { object } = await this.at(path)
    if (object.class !== 'group') throw new Error(`${path} is no group`)
    let page: Member[] = []
    for await (const link of this.domain.links(object.id, { pageSize: PAGE_SIZE })) {
      page.push(memberOf(path, link))
      if (page.length < PAGE_SIZE) continue
      report(page)
      page = []
    }
    report(page)
  }
}

/**
 * The members of a group: more of them, until all are there. A list that is read again has the members of the former
 * one until then, so that a group that always changes is never empty.
 */
export class MemberList {
  error: unknown
  readonly done: Promise<void>
  #members: readonly Member[] = []
  #isLoaded = false
  #former: MemberList | undefined
  readonly #watchers = new Set<() => void>()

  constructor(
    load: (report: (members: readonly Member[]) => void) => Promise<void>,
    former: MemberList | undefined,
  ) {
    this.#former = former
    this.done = load(page => {
      this.#members = [...this.#members, ...page]
      this.#tell()
    }).then(
      () => {
        this.#isLoaded = true
        this.#former = undefined
        this.#tell()
      },
      (error: unknown) => {
        this.error = error
        this.#tell()
        throw error
      },
    )
    // Watchers see the error.
    this.done.catch(() => undefined)
  }

  get members(): readonly Member[] {
    return this.#former?.isComplete ? this.#former.members : this.#members
  }

  get isComplete(): boolean {
    return this.#isLoaded || (this.#former?.isComplete ?? false)
  }

  /** Calls it after each change, until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher()
  }
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function childPath(path: string, title: string): string {
  return path === '/' ? `/${title}` : `${path}/${title}`
}

export function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** The paths of the groups on the way to an object, from the root. */
export function pathsTo(path: string): readonly string[] {
  const paths: string[] = []
  for (let at = path; at !== '/' && at !== ''; ) {
    at = parentPath(at)
    paths.unshift(at)
  }
  return paths
}

/** An attribute as text; undefined: there is none, or it is no text. */
export function textOf(entity: Entity, attribute: string): string | undefined {
  const data = entity.attributes.get(attribute)?.data
  return data?.length === 1 && typeof data[0] === 'string' ? data[0] : undefined
}

function memberOf(group: string, link: Api.LinkItem): Member {
  const { title } = link
  const member = { title, path: childPath(group, title), kind: undefined, id: undefined, target: undefined }
  switch (link.class) {
    case 'H5L_TYPE_HARD':
      return { ...member, link: 'hard', kind: KINDS[link.collection], id: link.id }
    case 'H5L_TYPE_SOFT':
      return { ...member, link: 'soft', target: link.h5path }
    case 'H5L_TYPE_EXTERNAL':
      return { ...member, link: 'external', target: `${link.file || link.h5domain}: ${link.h5path}` }
    default:
      return { ...member, link: 'other', target: 'unreadable' in link ? link.unreadable : undefined }
  }
}

const KINDS = { groups: 'group', datasets: 'dataset', datatypes: 'datatype' } as const

function entityOf(path: string, name: string, object: Api.FoundObject, stamp: number): Entity {
  let known: Attributes | undefined
  const type = object.class === 'group' ? undefined : parseDatatype(object.type)
  const dataset =
    object.class === 'dataset' && type
      ? {
          id: object.id,
          type,
          shape: extentsOf(object.shape),
          filteredChunk: object.creationProperties.filters?.length
            ? object.creationProperties.layout?.dims
            : undefined,
          stamp,
        }
      : undefined
  return {
    path,
    name,
    kind: object.class,
    object,
    get attributes() {
      known ??= attributesIn(Object.values(object.attributes ?? {}))
      return known
    },
    dataset,
    type,
  }
}
