// Events as a listener sees them: the changes in its scope of domains and objects that its caller may read now. A
// deleted domain or object has no list any more, so the event has the list that it had.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Acl, ObjectId, ObjectReference, Timestamp } from '@hyperslab/model/names'
import { type DomainPath, isTopLevel, isWithin, parentOf } from '@hyperslab/model/names'
import type { DomainEntry, EventId, StoreEvent } from '@hyperslab/store/store'
import { hasFolderPermission, hasPermission, heldPermissions, NO_PERMISSIONS } from '../access/access.ts'
import { folderAcl } from '../access/folder-access.ts'
import { isInScope } from '../access/scope.ts'
import { type Context, isOfFiles, type OpenDomain } from '../context.ts'
import { withRoot } from '../domains/domains.ts'
import { LinksAbove, pathTo } from '../objects/path-to.ts'
import type { Scope } from './scope.ts'

type EntryChange = StoreEvent['entries'][number]
type DomainChange = StoreEvent['domains'][number]
type ObjectChange = DomainChange['objects'][number]
/** Where `kind` is `values`. */
type ChangeDetail = Omit<ObjectChange, 'id' | 'kind' | 'changes' | 'acl'>

/**
 * Links above an object that are looked at to find its path for an event; then the event has no path.
 * @limit safety, links
 */
const MAX_PATH_STEPS = 1000
/**
 * Links above all objects that are viewed together, for each 100 of them; later objects then have no path.
 * @limit safety, links
 */
const MAX_STEPS_OF_ALL = 20_000
const OBJECTS_OF_STEPS = 100

/**
 * Changes of events that are made ready together, and sent before the next ones are; one event may have more.
 * @limit safety, changes
 */
const CHANGES_AT_ONCE = 500

/** Made once, since its stack takes longer than finding a path. */
const TOO_FAR = new Error('the path is hard to find')

/** The changes of one domain or folder in a commit. */
export interface EventView {
  readonly id: EventId
  readonly time: Timestamp
  readonly path: DomainPath
  /** The state of the domain after the commit; absent: it is a folder, or was deleted. */
  readonly state?: string
  readonly changes: readonly ChangeView[]
  /** True: there are changes that are not listed. */
  readonly more: boolean
}

export interface ChangeView extends ChangeDetail {
  readonly kind: ObjectChange['changes'][number]
  /** Absent: the domain or folder itself. */
  readonly object?: ObjectReference
  readonly isFolder?: boolean
  /** A path of the object; absent: none is known. */
  readonly path?: string
}

/**
 * The domain of an entry; undefined for a folder. A mounted file that cannot be read at this moment, perhaps because a
 * program writes it, has the list of its folder.
 */
async function openListened(context: Context, entry: DomainEntry): Promise<OpenDomain | undefined> {
  const { root: id, path, created } = entry
  try {
    return await withRoot(context, entry)
  } catch (error) {
    if (!(error instanceof HyperslabError) || !isOfFiles(entry) || id === undefined) throw error
    const acl = (await folderAcl(context.reader, parentOf(path))) ?? []
    return { entry, root: { kind: 'group', id, created, acl } }
  }
}

/** The part of a view, of one change in the event. */
type ViewPart = Omit<EventView, 'id' | 'time'>

/** A change of a domain that the caller may see, and the changed objects that it may see. */
interface VisibleChange {
  readonly change: DomainChange
  readonly path: DomainPath
  readonly domain: OpenDomain
  readonly objects: readonly VisibleObject[]
}

interface VisibleObject {
  readonly change: ObjectChange
  /** It is there now, and so may have a path. */
  readonly exists: boolean
}

/** Makes the views of several events in one state of the store, in which it looks up each domain and path once. */
export class EventViews {
  readonly #context: Context
  readonly #scope: Scope
  readonly #domains = new Map<DomainPath, Promise<OpenDomain | undefined>>()
  readonly #links: LinksAbove
  readonly #paths = new Map<ObjectId, Promise<string | undefined>>()
  #stepsLeft = 0

  constructor(context: Context, scope: Scope) {
    this.#context = context
    this.#scope = scope
    this.#links = new LinksAbove(context.reader)
  }

  /** The first of the events, up to the one with which they have `CHANGES_AT_ONCE` changes within the scope. */
  async firstOf(events: readonly StoreEvent[]): Promise<readonly StoreEvent[]> {
    let changes = 0
    for (const [i, event] of events.entries()) {
      changes += event.entries.filter(({ path }) => this.#covers(path)).length
      for (const change of event.domains) if (await this.#concerns(change)) changes += change.objects.length
      if (changes >= CHANGES_AT_ONCE) return events.slice(0, i + 1)
    }
    return events
  }

  async #concerns({ path, root }: DomainChange): Promise<boolean> {
    if (this.#scope.isFolder) return path !== undefined && this.#covers(path)
    return (await this.domain(this.#scope.path))?.root.id === root
  }

  /**
   * The views of events, for each event one for each domain; none: the event is not for this listener. All records that
   * they need are requested together, and then the paths of the objects are found one after another.
   */
  async viewsOf(events: readonly StoreEvent[]): Promise<readonly EventView[]> {
    const found = await Promise.all(
      events.map(async ({ entries, domains, more }) => {
        const [parts, changes] = await Promise.all([
          Promise.all(entries.map(entry => this.#partOfEntry(entry, more))),
          Promise.all(domains.map(change => this.#visibleChange(change))),
        ])
        return { parts: parts.flatMap(part => part ?? []), changes: changes.flatMap(change => change ?? []) }
      }),
    )
    const all = found.flatMap(({ changes }) => changes).flatMap(({ objects }) => objects)
    this.#stepsLeft = MAX_STEPS_OF_ALL * Math.ceil(all.length / OBJECTS_OF_STEPS)
    await this.#links.readAhead(all.filter(({ exists }) => exists).map(({ change }) => change.id))
    const views: EventView[] = []
    for (const [i, { id, time }] of events.entries()) {
      const { parts, changes } = found[i]
      for (const change of changes) parts.push(await this.#partOfDomain(change))
      for (const part of joined(parts)) views.push({ ...part, id, time })
    }
    return views
  }

  async #partOfEntry(entry: EntryChange, more: boolean): Promise<ViewPart | undefined> {
    const { path, change, root } = entry
    if (!this.#covers(path) || !(await this.#maySee(entry))) return undefined
    const isFolder = root === undefined
    const state = change === 'deleted' || isFolder ? undefined : await this.#stateOf(root)
    // An entry is changed by a change of its list.
    const kind = change === 'changed' ? 'acl' : change
    return { path, ...(state && { state }), changes: [{ kind, isFolder }], more }
  }

  /** Undefined: the caller sees nothing of it. */
  async #visibleChange(change: DomainChange): Promise<VisibleChange | undefined> {
    const path = this.#scope.isFolder ? change.path : this.#scope.path
    if (path === undefined || !this.#covers(path)) return undefined
    const domain = await this.domain(path)
    // Another domain may have the path by now; the event of its creation follows.
    if (domain?.root.id !== change.root || !hasPermission(this.#context, 'read', domain)) return undefined
    const objects = await Promise.all(change.objects.map(object => this.#visibleObject(domain, object)))
    const visible = objects.flatMap(object => object ?? [])
    return visible.length > 0 || change.more ? { change, path, domain, objects: visible } : undefined
  }

  async #visibleObject(domain: OpenDomain, change: ObjectChange): Promise<VisibleObject | undefined> {
    const { id } = change
    if (this.#scope.object !== undefined && this.#scope.object !== id) return undefined
    const now = await this.#links.object(id)
    const acl: Acl = now?.acl ?? change.acl ?? []
    const isVisible = hasPermission(this.#context, 'read', domain, { acl })
    return isVisible ? { change, exists: now !== undefined } : undefined
  }

  async #partOfDomain({ change, path, domain, objects }: VisibleChange): Promise<ViewPart> {
    const { state, more = false } = change
    const changes: ChangeView[] = []
    for (const { change: object, exists } of objects) {
      const { id, kind: kindOfObject, changes: kinds, acl: _, ...detail } = object
      const h5path = exists ? await this.#pathOf(domain, id) : undefined
      const common = { object: { kind: kindOfObject, id }, ...(h5path !== undefined && { path: h5path }) }
      for (const kind of kinds) changes.push({ kind, ...common, ...(kind === 'values' && detail) })
    }
    return { path, ...(state !== undefined && { state }), changes, more }
  }

  #covers(path: DomainPath): boolean {
    // A token may be for a part of the folder.
    if (!isInScope(this.#context.caller, path)) return false
    const { path: scope, isFolder } = this.#scope
    return isFolder ? isWithin(scope, path) : path === scope
  }

  async #maySee({ path, change, root, acl, closed = false }: EntryChange): Promise<boolean> {
    const { reader, caller, settings } = this.#context
    if (change !== 'deleted') {
      const domain = await this.domain(path)
      if (root !== undefined) return domain?.root.id === root && hasPermission(this.#context, 'read', domain)
      return hasFolderPermission(this.#context, 'read', await folderAcl(reader, path))
    }
    if (root === undefined && acl === undefined)
      return hasFolderPermission(this.#context, 'read', await folderAcl(reader, path))
    const fallback = root === undefined || closed ? NO_PERMISSIONS : settings.defaultAcl
    return heldPermissions(caller, acl ?? [], acl ?? [], fallback).read
  }

  /** The domain at the path; undefined: there is none, or a folder. */
  domain(path: DomainPath): Promise<OpenDomain | undefined> {
    let domain = this.#domains.get(path)
    if (domain === undefined) {
      domain = this.#find(path)
      this.#domains.set(path, domain)
    }
    return domain
  }

  async #find(path: DomainPath): Promise<OpenDomain | undefined> {
    if (isTopLevel(path)) return undefined
    const entry = await this.#context.reader.domain(path)
    return entry && openListened(this.#context, entry)
  }

  async #stateOf(root: ObjectId): Promise<string> {
    return (await this.#context.reader.state(root)).state
  }

  #pathOf(domain: OpenDomain, id: ObjectId): Promise<string | undefined> {
    let path = this.#paths.get(id)
    if (path === undefined) {
      path = this.#findPath(domain, id)
      this.#paths.set(id, path)
    }
    return path
  }

  /** The first path through groups that the caller may read; undefined: there is none, or it is hard to find. */
  async #findPath(domain: OpenDomain, id: ObjectId): Promise<string | undefined> {
    let steps = 0
    const signal = {
      throwIfAborted: () => {
        if (++steps > MAX_PATH_STEPS || --this.#stepsLeft < 0) throw TOO_FAR
      },
    }
    try {
      const [path] = await pathTo({ ...this.#context, signal }, domain, id, this.#links)
      return path
    } catch (error) {
      if (error === TOO_FAR) return undefined
      throw error
    }
  }
}

/** The parts of one event, joined for each domain or folder. */
function joined(parts: readonly ViewPart[]): Iterable<ViewPart> {
  const views = new Map<DomainPath, ViewPart>()
  for (const part of parts) {
    const before = views.get(part.path)
    const changes = [...(before?.changes ?? []), ...part.changes]
    views.set(part.path, { ...before, ...part, changes, more: part.more || (before?.more ?? false) })
  }
  return views.values()
}
