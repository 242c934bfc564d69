// The event of a write, gathered while it runs: the domains and the objects that it changes. The commit adds it to the
// log (events.ts).

import { type DomainPath, type ObjectId, rootOf, type Timestamp } from '@hyperslab/model/names'
import { joinBounds } from '@hyperslab/model/selection'
import type {
  ChangeDetail,
  ChangeKind,
  DomainChange,
  EntryChange,
  HdfObject,
  ObjectChange,
} from '../interfaces/store.ts'
import { hexOf } from '../key-range.ts'
import { encodeRecord } from './record.ts'

/**
 * Objects of a domain, and entries of the namespace, that an event names; of more it says that there are more.
 * @limit safety, objects and entries
 */
const MAX_EVENT_CHANGES = 100

/** The part of an object that an event contains. */
export type ChangedObject = Pick<HdfObject, 'id' | 'kind' | 'acl'>

interface NotedDomain {
  stamp?: string
  /** The state of a mounted file. */
  state?: string
  more: boolean
  readonly objects: Map<ObjectId, ObjectChange>
}

/** The record of an event; `stamp` is the record of the state that the domain has then, if it is stored. */
export interface StoredEvent {
  readonly time: Timestamp
  readonly domains?: readonly (DomainChange & { readonly stamp?: string })[]
  readonly entries?: readonly EntryChange[]
  readonly more?: boolean
}

/** The event of a write, gathered while it runs. */
export class EventNotes {
  readonly #domains = new Map<ObjectId, NotedDomain>()
  readonly #paths = new Map<ObjectId, DomainPath>()
  readonly #entries: EntryChange[] = []
  #more = false

  get isEmpty(): boolean {
    return this.#domains.size + this.#entries.length === 0
  }

  /** Boxes of one dataset are joined; of several extents the last ones stay. */
  noteObject({ id, kind, acl }: ChangedObject, change: ChangeKind, detail?: ChangeDetail): void {
    const root = rootOf(id)
    if (this.#isFull(root, id)) return
    this.#addObject(root, {
      id,
      kind,
      changes: [change],
      ...detail,
      ...(acl.length > 0 && { acl }),
    })
  }

  /** Notes the record of the state that the domain of `id` has after this write. */
  noteStamp(id: ObjectId, stamp: Uint8Array): void {
    this.#domain(rootOf(id)).stamp = hexOf(stamp)
  }

  /** Notes the path by which this write has found the domain. */
  notePath(root: ObjectId, path: DomainPath): void {
    this.#paths.set(root, path)
  }

  /** Notes the new state of a mounted file, of which it is not known what has changed. */
  noteFile(root: ObjectId, path: DomainPath, state: string): void {
    const domain = this.#domain(root)
    domain.state = state
    domain.more = true
    this.#paths.set(root, path)
  }

  noteEntry(change: EntryChange): void {
    if (this.#entries.length < MAX_EVENT_CHANGES) this.#entries.push(change)
    else this.#more = true
  }

  /** Adds all of it to the event of the write that this one is within. */
  addTo(outer: EventNotes): void {
    for (const [root, { stamp, state, more, objects }] of this.#domains) {
      const domain = outer.#domain(root)
      if (stamp !== undefined) domain.stamp = stamp
      if (state !== undefined) domain.state = state
      if (more) domain.more = true
      for (const object of objects.values()) outer.#addObject(root, object)
    }
    for (const [root, path] of this.#paths) outer.#paths.set(root, path)
    for (const entry of this.#entries) outer.noteEntry(entry)
    if (this.#more) outer.#more = true
  }

  encode(time: Timestamp): Uint8Array {
    const domains = Array.from(this.#domains, ([root, { stamp, state, more, objects }]) => {
      const path = this.#paths.get(root)
      return {
        root,
        ...(path !== undefined && { path }),
        ...(stamp !== undefined && { stamp }),
        ...(state !== undefined && { state }),
        objects: [...objects.values()],
        ...(more && { more }),
      }
    })
    const event: StoredEvent = {
      time,
      ...(domains.length > 0 && { domains }),
      ...(this.#entries.length > 0 && { entries: this.#entries }),
      ...(this.#more && { more: true }),
    }
    return encodeRecord(event)
  }

  #addObject(root: ObjectId, added: ObjectChange): void {
    if (this.#isFull(root, added.id)) return
    const { objects } = this.#domain(root)
    const before = objects.get(added.id)
    objects.set(added.id, before ? joinChanges(before, added) : added)
  }

  /** Whether there is no room for the object; then it is noted that there are more. */
  #isFull(root: ObjectId, id: ObjectId): boolean {
    const domain = this.#domain(root)
    const { objects } = domain
    if (objects.size < MAX_EVENT_CHANGES || objects.has(id)) return false
    domain.more = true
    return true
  }

  #domain(root: ObjectId): NotedDomain {
    let domain = this.#domains.get(root)
    if (domain === undefined) {
      domain = { more: false, objects: new Map() }
      this.#domains.set(root, domain)
    }
    return domain
  }
}

function joinChanges(before: ObjectChange, after: ObjectChange): ObjectChange {
  const box = before.box && after.box ? joinBounds(before.box, after.box) : (after.box ?? before.box)
  return {
    ...before,
    ...after,
    changes: [...new Set([...before.changes, ...after.changes])],
    ...(box && { box }),
  }
}
