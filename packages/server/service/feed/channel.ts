// A channel: the listeners of one caller to one scope. It makes what they get of the events, once for all of them and
// with the rights of that moment, and gives it to those that follow, each at its own pace.

import { BoundedMap } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { isTopLevel } from '@hyperslab/model/names'
import type { EventId, Store, StoreEvent } from '@hyperslab/store/store'
import { requireFolderPermission, requirePermission } from '../access/access.ts'
import { folderAcl } from '../access/folder-access.ts'
import type { Accounts } from '../accounts.ts'
import type { Caller, Context, ServiceSettings } from '../context.ts'
import { type EventView, EventViews } from './event-views.ts'
import type { Scope } from './scope.ts'

/**
 * Events that are looked at for a listener at once, while they have few changes (`EventViews.firstOf`).
 * @limit memory, events
 */
const EVENTS_AT_ONCE = 100
/** Answers of one channel that are kept for its other listeners. */
const KEPT_BATCHES = 64

/** The next events after a position that a listener gets. Listeners of one channel get the same object. */
export interface Batch {
  readonly events: readonly EventView[]
  /** The position after it. */
  readonly position: EventId
  /** There are more events after it, of which it is not known yet whether they are for the listener. */
  readonly hasMore: boolean
  /** True: the feed begins at `position`, or events before it have been removed; `events` is empty. */
  readonly isGone: boolean
  /** The present state of the domain, where `isGone`. */
  readonly state?: string
}

/** A listener that gets batches for as long as it listens. */
export interface Follower {
  /** The position up to which it has the events; undefined: the feed is to begin at the newest one. */
  position: EventId | undefined
  /** Takes the events up to the new position; false: it takes no more before it follows again. */
  readonly take: (batch: Batch) => boolean
  /** Shows that it is alive, also while its next events are made; false as for `take`. */
  readonly beat: () => boolean
  /** Is called when nothing more comes: the service ends or, with an error, listening has failed. */
  readonly stop: (error?: unknown) => void
}

export interface ChannelParts {
  readonly store: Store
  readonly settings: ServiceSettings
  readonly accounts: Accounts
}

/** The events that the process has read for its listeners. */
export interface ReadEvents extends Pick<Store['feed'], 'after'> {
  /** Raised each time that new events were read. */
  readonly version: number
  /** Raised with each news of events, before they are read. */
  readonly news: number
  readonly isClosed: boolean
}

/** Events after a position that were read, and are not made ready yet. */
interface AwaitingEvents {
  readonly position: EventId
  readonly events: readonly StoreEvent[]
  /** There may be events after them. */
  readonly hasMore: boolean
}

/** Followers for which events are being made. */
interface Serving {
  followers: readonly Follower[]
}

/** Listeners of one caller to one scope. */
export class Channel {
  readonly #parts: ChannelParts
  readonly #listeners: ReadEvents
  readonly #scope: Scope
  readonly #caller: Caller
  readonly #hadAccount: boolean
  readonly #following: ReturnType<Store['feed']['follow']>
  /** Batches that are kept for other listeners of the same caller and scope. @limit memory, batches */
  #batches = new BoundedMap<EventId, Promise<Batch | undefined>>(KEPT_BATCHES)
  /** The news after which the batches were made. */
  #news = 0
  readonly #followers = new Set<Follower>()
  /** Followers that have all events that were read, and can take the next ones. */
  #idle = new Set<Follower>()
  readonly #servings = new Set<Serving>()
  /** For the next batch, so that each event is read once for a listener that is behind. */
  #awaiting: AwaitingEvents | undefined
  count = 0

  constructor(parts: ChannelParts, listeners: ReadEvents, caller: Caller, scope: Scope) {
    this.#parts = parts
    this.#listeners = listeners
    this.#caller = caller
    this.#scope = scope
    this.#following = parts.store.feed.follow(scope.path, scope.isFolder)
    this.#hadAccount = caller.name !== undefined && parts.accounts.find(caller.name).password !== undefined
  }

  /**
   * The batch after a position, which listeners share until there is news, since that may be the end of a right.
   * Undefined: no events after it have been read yet. Throws when the caller may not listen.
   */
  batchAfter(position: EventId): Promise<Batch | undefined> {
    const { news } = this.#listeners
    if (news !== this.#news) {
      this.#batches = new BoundedMap(KEPT_BATCHES)
      this.#news = news
    }
    const batches = this.#batches
    const kept = batches.get(position)
    if (kept) return kept
    const batch = this.#make(position, this.#listeners)
    batches.set(position, batch)
    const forget = () => batches.forget(position)
    batch.then(made => made ?? forget(), forget)
    return batch
  }

  /** Begins to follow, with all that was committed before, by whichever process; or goes on. */
  follow(follower: Follower, isNew: boolean): void {
    if (this.#listeners.isClosed) {
      follower.stop()
      return
    }
    this.#followers.add(follower)
    void this.#serve(follower.position, [follower], isNew)
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower)
    this.#idle.delete(follower)
  }

  /** Gives the followers the events that were read. */
  deliver(): void {
    for (const [position, followers] of this.#takeIdle()) void this.#serve(position, followers)
  }

  /** Lets the followers show that they are alive, if their caller may still listen. */
  beat(): void {
    for (const serving of this.#servings) this.#give(serving, follower => follower.beat())
    for (const [position, followers] of this.#takeIdle()) void this.#serve(position, followers, true)
  }

  /** Stops all followers. */
  stop(): void {
    for (const follower of this.#followers) follower.stop()
    this.#followers.clear()
    this.#idle.clear()
  }

  /** The idle followers by their positions; they are not idle any more. */
  #takeIdle(): ReadonlyMap<EventId | undefined, readonly Follower[]> {
    const groups = new Map<EventId | undefined, Follower[]>()
    for (const follower of this.#idle) {
      const group = groups.get(follower.position)
      if (group) group.push(follower)
      else groups.set(follower.position, [follower])
    }
    this.#idle = new Set()
    return groups
  }

  /**
   * Gives followers at one position all events behind it, one batch after another. `ofNow`: the first batch is that of
   * now, or else a sign of life.
   */
  async #serve(
    position: EventId | undefined,
    followers: readonly Follower[],
    ofNow: boolean = false,
  ): Promise<void> {
    const serving = { followers }
    this.#servings.add(serving)
    let at = position
    let isFirst = ofNow
    while (serving.followers.length > 0) {
      const { version } = this.#listeners
      try {
        const batch = await this.#next(at, isFirst)
        if (batch !== undefined) {
          at = batch.position
          this.#give(serving, follower => {
            follower.position = at
            return follower.take(batch)
          })
        } else if (isFirst) this.#give(serving, follower => follower.beat())
        else if (version === this.#listeners.version) break
      } catch (error) {
        this.#give(serving, follower => {
          this.#followers.delete(follower)
          follower.stop(error)
          return false
        })
      }
      isFirst = false
    }
    this.#servings.delete(serving)
    for (const follower of serving.followers) if (this.#followers.has(follower)) this.#idle.add(follower)
  }

  #give(serving: Serving, send: (follower: Follower) => boolean): void {
    serving.followers = serving.followers.filter(follower => this.#followers.has(follower) && send(follower))
  }

  #next(position: EventId | undefined, ofNow: boolean): Promise<Batch | undefined> {
    if (position === undefined) return this.begin()
    return ofNow ? this.batchNow(position) : this.batchAfter(position)
  }

  /** The same as of now: it has all that was committed before, by whichever process. */
  async batchNow(position: EventId): Promise<Batch | undefined> {
    const batch = await this.#make(position, this.#parts.store.feed)
    if (batch === undefined) await this.#read(async () => {})
    return batch
  }

  /** Must be called once, after the last listener. */
  end(): void {
    this.#following.end()
  }

  /** The newest position, and the state of the domain there or later. */
  async begin(): Promise<Batch> {
    await this.#following.ready
    const position = await this.#parts.store.feed.newest()
    return this.#read(async context => {
      return { events: [], position, hasMore: false, isGone: true, ...(await this.#state(context)) }
    })
  }

  /** Throws for a position that no event has. */
  async requireKnown(position: EventId): Promise<void> {
    if ((await this.#parts.store.feed.after(position, 0)) === 'unknown') throw unknownEvent(position)
  }

  async #make(position: EventId, feed: Pick<Store['feed'], 'after'>): Promise<Batch | undefined> {
    await this.#following.ready
    const read = await this.#after(position, feed)
    if (read === 'unknown') throw unknownEvent(position)
    if (read === 'removed') return this.begin()
    if (read.events.length === 0) return undefined
    return this.#read(async (_, views) => {
      const first = await views.firstOf(read.events)
      const { id } = first[first.length - 1]
      const events = read.events.slice(first.length)
      this.#awaiting = events.length > 0 ? { ...read, position: id, events } : undefined
      const hasMore = events.length > 0 || read.hasMore
      return { events: await views.viewsOf(first), position: id, hasMore, isGone: false }
    })
  }

  async #after(
    position: EventId,
    feed: Pick<Store['feed'], 'after'>,
  ): Promise<AwaitingEvents | 'unknown' | 'removed'> {
    const awaiting = this.#awaiting
    if (feed === this.#listeners && awaiting?.position === position) return awaiting
    const events = await feed.after(position, EVENTS_AT_ONCE)
    return typeof events === 'string'
      ? events
      : { position, events, hasMore: events.length === EVENTS_AT_ONCE }
  }

  async #state({ reader }: Context): Promise<{ readonly state?: string }> {
    const { path, isFolder } = this.#scope
    const root = isFolder ? undefined : (await reader.domain(path))?.root
    return root === undefined ? {} : { state: (await reader.state(root)).state }
  }

  async #read<T>(work: (context: Context, views: EventViews) => Promise<T>): Promise<T> {
    const { store, settings } = this.#parts
    const caller = await this.#presentCaller()
    return store.read(async reader => {
      const context = { reader, caller, settings, signal: { throwIfAborted() {} } }
      const views = new EventViews(context, this.#scope)
      await requireListening(context, this.#scope, views)
      return work(context, views)
    })
  }

  /** The caller with the groups and rights of now. */
  async #presentCaller(): Promise<Caller> {
    const { accounts } = this.#parts
    const { name, login } = this.#caller
    if (login) return login.renew()
    if (name === undefined || !this.#hadAccount) return this.#caller
    await accounts.refresh()
    const { password, groups, admin } = accounts.find(name)
    if (password !== undefined) return { ...this.#caller, groups, admin }
    throw new HyperslabError('not-authenticated', `the account of ${name} has ended`)
  }
}

function unknownEvent(position: EventId): HyperslabError {
  return new HyperslabError('event-unknown', `since=${position} is the id of no event of this service`)
}

/** Throws unless the caller may read what it listens to. A domain that was deleted may come again. */
async function requireListening(
  context: Context,
  { path, isFolder }: Scope,
  views: EventViews,
): Promise<void> {
  if (isTopLevel(path)) return
  if (!isFolder) {
    const domain = await views.domain(path)
    if (domain) requirePermission(context, 'read', domain)
  } else if (await context.reader.domain(path)) {
    requireFolderPermission(context, 'read', path, await folderAcl(context.reader, path))
  }
}
