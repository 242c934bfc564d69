// Events as a listener sees them: the changes in its scope of domains and objects that its caller may read now. A
// deleted domain or object has no list any more, so the event has the list that it had.

import { HyperslabError } from '../../errors.ts'
import type { Acl } from '../../hdf5/acl.ts'
import { type DomainPath, isTopLevel, isWithin, parentOf } from '../../hdf5/domain-path.ts'
import type { ObjectId, ObjectReference } from '../../hdf5/object-id.ts'
import type { Bounds } from '../../hdf5/selection/bounds.ts'
import type { Timestamp } from '../../hdf5/timestamp.ts'
import type {
  ChangeKind,
  DomainChange,
  DomainEntry,
  EntryChange,
  EventId,
  ObjectChange,
  StoreEvent,
} from '../../storage/store.ts'
import { hasFolderPermission, hasPermission, heldPermissions, NO_PERMISSIONS } from '../access/access.ts'
import { folderAcl } from '../access/folder-access.ts'
import { isInScope } from '../access/scope.ts'
import type { Context, OpenDomain } from '../context.ts'
import { withRoot } from '../domains/domains.ts'
import { pathTo } from '../objects/reachable.ts'
import type { Scope } from './scope.ts'

/** Links above an object that are looked at to find its path. */
const MAX_PATH_STEPS = 1000
/** Such links for all objects of the events that are viewed together; later objects then have no path. */
const MAX_STEPS_OF_ALL = 20_000

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

export interface ChangeView {
  readonly kind: ChangeKind | 'changed'
  /** Absent: the domain or folder itself. */
  readonly object?: ObjectReference
  readonly isFolder?: boolean
  /** A path of the object; absent: none is known. */
  readonly path?: string
  /** The smallest box around the elements that were written, and the new extents, where `kind` is `values`. */
  readonly box?: Bounds
  readonly dims?: readonly number[]
}

/**
 * The domain of an entry; undefined for a folder. A mounted file that cannot be read at this moment, perhaps because a
 * program writes it, has the list of its folder.
 */
export async function openListened(context: Context, entry: DomainEntry): Promise<OpenDomain | undefined> {
  const { root: id, path, created, mounted } = entry
  try {
    return await withRoot(context, entry)
  } catch (error) {
    if (!(error instanceof HyperslabError) || !mounted || id === undefined) throw error
    const acl = (await folderAcl(context.reader, parentOf(path))) ?? []
    return { entry, root: { kind: 'group', id, created, acl } }
  }
}

/** Makes the views of several events in one state of the store, in which it looks up each domain and path once. */
export class EventViews {
  readonly #context: Context
  readonly #scope: Scope
  readonly #domains = new Map<DomainPath, Promise<OpenDomain | undefined>>()
  readonly #paths = new Map<ObjectId, Promise<string | undefined>>()
  #steps = 0

  constructor(context: Context, scope: Scope) {
    this.#context = context
    this.#scope = scope
  }

  /** The views of an event, one for each domain; none: the event is not for this listener. */
  async viewsOf(event: StoreEvent): Promise<readonly EventView[]> {
    const { id, time, more } = event
    const views = new Map<DomainPath, EventView>()
    const add = (part: Omit<EventView, 'id' | 'time'>) => {
      const before = views.get(part.path)
      const changes = [...(before?.changes ?? []), ...part.changes]
      views.set(part.path, {
        ...before,
        ...part,
        id,
        time,
        changes,
        more: part.more || (before?.more ?? false),
      })
    }
    for (const entry of event.entries) {
      if (!this.#covers(entry.path) || !(await this.#maySee(entry))) continue
      const isFolder = entry.root === undefined
      const state = entry.change === 'deleted' || isFolder ? undefined : await this.#stateOf(entry.root)
      add({ path: entry.path, ...(state && { state }), changes: [{ kind: entry.change, isFolder }], more })
    }
    for (const change of event.domains) {
      const part = await this.#viewOfDomain(change)
      if (part) add(part)
    }
    return [...views.values()]
  }

  async #viewOfDomain(change: DomainChange): Promise<Omit<EventView, 'id' | 'time'> | undefined> {
    const { root, state, more = false } = change
    const path = this.#scope.isFolder ? change.path : this.#scope.path
    if (path === undefined || !this.#covers(path)) return undefined
    const domain = await this.#open(path)
    // Another domain may have the path by now; the event of its creation follows.
    if (domain?.root.id !== root || !hasPermission(this.#context, 'read', domain)) return undefined
    const changes: ChangeView[] = []
    for (const object of change.objects) changes.push(...(await this.#viewsOfObject(domain, object)))
    if (changes.length === 0 && !more) return undefined
    return { path, ...(state !== undefined && { state }), changes, more }
  }

  async #viewsOfObject(domain: OpenDomain, change: ObjectChange): Promise<ChangeView[]> {
    const { id, kind, changes, box, dims } = change
    if (this.#scope.object !== undefined && this.#scope.object !== id) return []
    const now = await this.#context.reader.object(id)
    const acl: Acl = now?.acl ?? change.acl ?? []
    if (!hasPermission(this.#context, 'read', domain, { acl })) return []
    const path = now && (await this.#pathOf(domain, id))
    const common = { object: { kind, id }, ...(path !== undefined && { path }) }
    return changes.map(kind => {
      return { kind, ...common, ...(kind === 'values' && { ...(box && { box }), ...(dims && { dims }) }) }
    })
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
      const domain = await this.#open(path)
      if (root !== undefined) return domain?.root.id === root && hasPermission(this.#context, 'read', domain)
      return hasFolderPermission(this.#context, 'read', await folderAcl(reader, path))
    }
    if (root === undefined && acl === undefined)
      return hasFolderPermission(this.#context, 'read', await folderAcl(reader, path))
    const fallback = root === undefined || closed ? NO_PERMISSIONS : settings.defaultAcl
    return heldPermissions(caller, acl ?? [], acl ?? [], fallback).read
  }

  #open(path: DomainPath): Promise<OpenDomain | undefined> {
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
    const tooFar = new Error('the path is hard to find')
    let steps = 0
    const signal = {
      throwIfAborted: () => {
        if (++steps > MAX_PATH_STEPS || ++this.#steps > MAX_STEPS_OF_ALL) throw tooFar
      },
    }
    try {
      const [path] = await pathTo({ ...this.#context, signal }, domain, id)
      return path
    } catch (error) {
      if (error === tooFar) return undefined
      throw error
    }
  }
}
