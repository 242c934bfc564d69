// Listeners to the feed of the store. Each has a position in the feed and takes the events after it at its own pace, so
// a slow one holds nothing but its position: the events that it does not have yet stay in the store. Listeners of one
// caller share what is made of the events, and followers at one position get it together, so that one more of them
// costs hardly more than the bytes that it is sent. The rights of the caller are those of the moment at which that is
// made.

import { BoundedMap } from '../../bounded/bounded-map.ts'
import { HyperslabError } from '../../errors.ts'
import { isTopLevel } from '../../hdf5/domain-path.ts'
import type { EventId, Following, Store, StoreEvent } from '../../storage/store.ts'
import { requireFolderPermission, requirePermission } from '../access/access.ts'
import { folderAcl } from '../access/folder-access.ts'
import type { Accounts } from '../accounts.ts'
import type { Caller, Context, ServiceSettings } from '../context.ts'
import { type EventView, EventViews, openListened } from './event-views.ts'
import type { Scope } from './scope.ts'

/** Events that are kept decoded for listeners that follow closely. */
const MAX_RECENT_EVENTS = 1000
/** Events that a listener gets at once. */
const EVENTS_AT_ONCE = 100
/** Answers of one channel that are kept for its other listeners. */
const KEPT_BATCHES = 64
/** The rest after the listeners were served: this number of times what serving them took, up to some milliseconds. */
const PAUSES = 4
const MAX_PAUSE_MILLISECONDS = 40

/** The time after which followers show that they are alive; the rights of their callers are looked at then, too. */
const BEAT_MILLISECONDS = 15_000

/** The events after a position that a listener gets. Listeners of one channel get the same object. */
export interface Batch {
  readonly events: readonly EventView[]
  /** The position after it. */
  readonly position: EventId
  /** True: events after the position before have been removed, and `events` is empty. */
  readonly isGone: boolean
  /** The present state of the domain, where `isGone`. */
  readonly state?: string
}

/** A listener that gets batches for as long as it listens. */
export interface Follower {
  /** The position up to which it has the events. */
  position: EventId
  /** Takes the events up to the new position; false: it takes no more before it follows again. */
  readonly take: (batch: Batch) => boolean
  /** Shows that it is alive; false as for `take`. */
  readonly beat: () => boolean
  /** Is called when nothing more comes: the service ends or, with an error, listening has failed. */
  readonly stop: (error?: unknown) => void
}

export interface ListenersParts {
  readonly store: Store
  readonly settings: ServiceSettings
  readonly accounts: Accounts
  readonly maxListeners: number
}

export class Listeners {
  readonly #parts: ListenersParts
  readonly #channels = new Map<string, Channel>()
  #recent: readonly StoreEvent[] = []
  /** The position before the recent events. */
  #before: EventId | undefined
  #count = 0
  #version = 0
  #news = 0
  readonly #waiting = new Set<() => void>()
  #endWatch: (() => void) | undefined
  #hasNews = false
  #isPulling = false
  #beats: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: ListenersParts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#count
  }

  /**
   * Begins to listen, or throws: there are too many listeners. `end` of the listener must be called. Listeners of the
   * same caller, scope and `form` get the same batches.
   */
  begin(caller: Caller, scope: Scope, form: string): Listener {
    const { maxListeners } = this.#parts
    if (this.#isClosed || this.#count >= maxListeners) {
      const message = this.#isClosed
        ? 'the service is stopping: listen again in a moment'
        : `the service has ${maxListeners} listeners, its limit: try again later`
      throw new HyperslabError('too-busy', message, { retryAfter: 5 })
    }
    this.#count++
    this.#endWatch ??= this.#parts.store.feed.watch(() => this.#tell())
    this.#beats ??= setInterval(() => this.#beat(), BEAT_MILLISECONDS).unref()
    const key = JSON.stringify([caller, scope, form])
    let channel = this.#channels.get(key)
    if (channel === undefined) {
      channel = new Channel(this.#parts, this, caller, scope)
      this.#channels.set(key, channel)
    }
    channel.count++
    return new Listener(this, channel, () => this.#end(key, channel))
  }

  /** Ends all listeners, which come back to another process. */
  close(): void {
    this.#isClosed = true
    for (const channel of this.#channels.values()) channel.stop()
    this.#wake()
  }

  /** The events after a position, from memory if they are recent: then the very last ones may be missing. */
  async after(position: EventId, limit: number): ReturnType<Store['feed']['after']> {
    const index = position === this.#before ? 0 : this.#recent.findLastIndex(({ id }) => id === position) + 1
    if (position === this.#before || index > 0) return this.#recent.slice(index, index + limit)
    return this.#parts.store.feed.after(position, limit)
  }

  #end(key: string, channel: Channel): void {
    this.#count--
    if (--channel.count === 0) {
      this.#channels.delete(key)
      channel.end()
    }
    if (this.#count > 0) return
    this.#endWatch?.()
    this.#endWatch = undefined
    clearInterval(this.#beats)
    this.#beats = undefined
    this.#recent = []
    this.#before = undefined
  }

  /** Raised each time that new events were read. */
  get version(): number {
    return this.#version
  }

  /** Raised with each news of events, before they are read. */
  get news(): number {
    return this.#news
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves when the version is another one, after some milliseconds, or when the signal is aborted. */
  newsSince(version: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (version !== this.#version || signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  #wake(): void {
    this.#version++
    for (const wake of [...this.#waiting]) wake()
    for (const channel of this.#channels.values()) channel.deliver()
  }

  #beat(): void {
    for (const channel of this.#channels.values()) channel.beat()
  }

  #tell(): void {
    this.#news++
    this.#hasNews = true
    if (!this.#isPulling) void this.#pull()
  }

  /** Reads new events once for all listeners. Then it rests, so that listeners take a part of the process only. */
  async #pull(): Promise<void> {
    this.#isPulling = true
    while (this.#hasNews && this.#count > 0 && !this.#isClosed) {
      this.#hasNews = false
      const begun = performance.now()
      await this.#read()
      this.#wake()
      // The listeners that were woken write in the next two rounds of the event loop.
      for (let round = 0; round < 2; round++) await new Promise(resolve => setImmediate(resolve))
      const taken = performance.now() - begun
      if (taken > 1) await pause(Math.min(PAUSES * taken, MAX_PAUSE_MILLISECONDS))
    }
    this.#isPulling = false
  }

  /** A failure is no loss: the listeners then read for themselves, and get the error. */
  async #read(): Promise<void> {
    const { feed } = this.#parts.store
    try {
      const last = this.#recent.at(-1)?.id ?? this.#before
      const events = last === undefined ? 'unknown' : await feed.after(last, MAX_RECENT_EVENTS)
      if (typeof events === 'string') {
        this.#before = await feed.newest()
        this.#recent = []
        return
      }
      const all = [...this.#recent, ...events]
      const dropped = all.slice(0, -MAX_RECENT_EVENTS)
      if (dropped.length > 0) this.#before = dropped[dropped.length - 1].id
      this.#recent = all.slice(-MAX_RECENT_EVENTS)
    } catch {
      this.#before = undefined
      this.#recent = []
    }
  }
}

/** Listeners of one caller to one scope. */
class Channel {
  readonly #parts: ListenersParts
  readonly #listeners: Listeners
  readonly #scope: Scope
  readonly #caller: Caller
  readonly #hadAccount: boolean
  readonly #following: Following
  #batches = new BoundedMap<EventId, Promise<Batch | undefined>>(KEPT_BATCHES)
  /** The news after which the batches were made. */
  #news = 0
  readonly #followers = new Set<Follower>()
  /** Followers that have all events that were read, and can take the next ones. */
  #idle = new Set<Follower>()
  count = 0

  constructor(parts: ListenersParts, listeners: Listeners, caller: Caller, scope: Scope) {
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

  /** Begins to follow, or goes on. */
  follow(follower: Follower): void {
    if (this.#listeners.isClosed) {
      follower.stop()
      return
    }
    this.#followers.add(follower)
    void this.#serve(follower.position, [follower])
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
    for (const [position, followers] of this.#takeIdle()) void this.#serve(position, followers, true)
  }

  /** Stops all followers. */
  stop(): void {
    for (const follower of this.#followers) follower.stop()
    this.#followers.clear()
    this.#idle.clear()
  }

  /** The idle followers by their positions; they are not idle any more. */
  #takeIdle(): ReadonlyMap<EventId, readonly Follower[]> {
    const groups = new Map<EventId, Follower[]>()
    for (const follower of this.#idle) {
      const group = groups.get(follower.position)
      if (group) group.push(follower)
      else groups.set(follower.position, [follower])
    }
    this.#idle = new Set()
    return groups
  }

  /** Gives followers at one position all events behind it; `isBeat`: of now, and else a sign of life. */
  async #serve(position: EventId, followers: readonly Follower[], isBeat = false): Promise<void> {
    let at = position
    let group = followers
    let isFirst = isBeat
    const give = (send: (follower: Follower) => boolean) => {
      group = group.filter(follower => this.#followers.has(follower) && send(follower))
    }
    while (group.length > 0) {
      const { version } = this.#listeners
      try {
        const batch = await (isFirst ? this.batchNow(at) : this.batchAfter(at))
        if (batch !== undefined) {
          at = batch.position
          give(follower => {
            follower.position = at
            return follower.take(batch)
          })
        } else if (isFirst) give(follower => follower.beat())
        else if (version === this.#listeners.version) break
      } catch (error) {
        give(follower => {
          this.#followers.delete(follower)
          follower.stop(error)
          return false
        })
      }
      isFirst = false
    }
    for (const follower of group) if (this.#followers.has(follower)) this.#idle.add(follower)
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
  async present(): Promise<{ readonly position: EventId; readonly state?: string }> {
    await this.#following.ready
    const position = await this.#parts.store.feed.newest()
    return this.#read(async context => ({ position, ...(await this.#state(context)) }))
  }

  async #make(position: EventId, feed: Pick<Store['feed'], 'after'>): Promise<Batch | undefined> {
    await this.#following.ready
    const events = await feed.after(position, EVENTS_AT_ONCE)
    if (events === 'unknown') {
      throw new HyperslabError('event-unknown', `since=${position} is the id of no event of this service`)
    }
    if (events === 'removed') return { events: [], isGone: true, ...(await this.present()) }
    const last = events.at(-1)
    if (last === undefined) return undefined
    return this.#read(async context => {
      const views = new EventViews(context, this.#scope)
      const seen: EventView[] = []
      for (const event of events) seen.push(...(await views.viewsOf(event)))
      return { events: seen, position: last.id, isGone: false }
    })
  }

  async #state({ reader }: Context): Promise<{ readonly state?: string }> {
    const { path, isFolder } = this.#scope
    const root = isFolder ? undefined : (await reader.domain(path))?.root
    return root === undefined ? {} : { state: (await reader.state(root)).state }
  }

  async #read<T>(work: (context: Context) => Promise<T>): Promise<T> {
    const { store, settings } = this.#parts
    const caller = await this.#presentCaller()
    return store.read(async reader => {
      const context = { reader, caller, settings, signal: { throwIfAborted() {} } }
      await requireListening(context, this.#scope)
      return work(context)
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

/** Throws unless the caller may read what it listens to. A domain that was deleted may come again. */
async function requireListening(context: Context, { path, isFolder }: Scope): Promise<void> {
  if (isTopLevel(path)) return
  const entry = await context.reader.domain(path)
  if (entry === undefined) return
  if (isFolder) {
    requireFolderPermission(context, 'read', path, await folderAcl(context.reader, path))
    return
  }
  const domain = await openListened(context, entry)
  if (domain) requirePermission(context, 'read', domain)
}

/** One listener, which follows, or takes batches one after another. `end` must be called once. */
export class Listener {
  readonly #listeners: Listeners
  readonly #channel: Channel
  readonly #end: () => void
  #follower: Follower | undefined
  #hasEnded = false

  constructor(listeners: Listeners, channel: Channel, end: () => void) {
    this.#listeners = listeners
    this.#channel = channel
    this.#end = end
  }

  end(): void {
    this.#hasEnded = true
    if (this.#follower) this.#channel.leave(this.#follower)
    this.#end()
  }

  /** Begins to follow, or goes on after the follower could take no more. */
  follow(follower: Follower): void {
    if (this.#hasEnded) return
    this.#follower = follower
    this.#channel.follow(follower)
  }

  /** The newest position, and the state of the domain there or later. */
  present(): ReturnType<Channel['present']> {
    return this.#channel.present()
  }

  /**
   * The events after the position, as soon as there are any. Undefined: there were none in that time, the service ends
   * or the client has left. Throws when the caller may not listen any more, and for a position that no event has.
   */
  async next(position: EventId, milliseconds: number, signal: AbortSignal): Promise<Batch | undefined> {
    const until = performance.now() + milliseconds
    while (!signal.aborted) {
      const left = until - performance.now()
      if (left <= 0 || this.#listeners.isClosed) return this.#channel.batchNow(position)
      const { version } = this.#listeners
      const batch = await this.#channel.batchAfter(position)
      if (batch) return batch
      await this.#listeners.newsSince(version, left, signal)
    }
    return undefined
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
