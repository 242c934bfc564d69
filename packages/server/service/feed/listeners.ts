// Listeners to the feed of the store. Each has a position in the feed and takes the events after it at its own pace, so
// a slow one holds nothing but its position: the events that it does not have yet stay in the store. Listeners of one
// caller share what is made of the events, and followers at one position get it together, so that one more of them
// costs hardly more than the bytes that it is sent. The rights of the caller are those of the moment at which that is
// made.

import { type CancelTimer, type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { EventId, Store, StoreEvent } from '@hyperslab/store/store'
import type { Caller } from '../context.ts'
import { type Batch, Channel, type ChannelParts, type Follower, type ReadEvents } from './channel.ts'
import { ListenerPlaces } from './listener-places.ts'
import type { Scope } from './scope.ts'

/** Events that are kept decoded for listeners that follow closely. @limit memory, events */
const MAX_RECENT_EVENTS = 1000
/** The rest after the listeners were served: this number of times what serving them took, up to some milliseconds. */
const PAUSES = 4
/**
 * Milliseconds of rest after new events were read and the listeners woken: four times what that took.
 * @limit safety, milliseconds
 */
const MAX_PAUSE_MILLISECONDS = 40

/** The time after which followers show that they are alive; the rights of their callers are looked at then, too. */
const BEAT_MILLISECONDS = 15_000

export interface ListenersParts extends ChannelParts {
  readonly maxListeners: number
  /** Default: that of the system. */
  readonly clock?: Clock
}

export class Listeners implements ReadEvents {
  readonly clock: Clock
  readonly #parts: ListenersParts
  readonly #channels = new Map<string, Channel>()
  #recent: readonly StoreEvent[] = []
  /** The position before the recent events. */
  #before: EventId | undefined
  readonly #places: ListenerPlaces
  #version = 0
  #news = 0
  readonly #waiting = new Set<() => void>()
  #endWatch: (() => void) | undefined
  #hasNews = false
  #isPulling = false
  #endBeats: CancelTimer | undefined
  #isClosed = false

  constructor(parts: ListenersParts) {
    this.clock = parts.clock ?? SYSTEM_CLOCK
    this.#parts = parts
    this.#places = new ListenerPlaces(parts.maxListeners)
  }

  get count(): number {
    return this.#places.taken
  }

  /**
   * Begins to listen, or throws: there are too many listeners. `end` of the listener must be called. `user`: for which
   * it counts. Listeners of the same caller, scope and `form` get the same batches.
   */
  begin(
    caller: Caller,
    scope: Scope,
    { user, form }: { readonly user: string; readonly form: string },
  ): Listener {
    if (this.#isClosed) {
      const message = 'the service is stopping: listen again in a moment'
      throw new HyperslabError('too-busy', message, { retryAfter: 5 })
    }
    const leave = this.#places.take(user, caller.name !== undefined)
    this.#endWatch ??= this.#parts.store.feed.watch(() => this.#tell())
    this.#endBeats ??= this.clock.every(BEAT_MILLISECONDS, () => this.#beat())
    const key = JSON.stringify([caller, scope, form])
    let channel = this.#channels.get(key)
    if (channel === undefined) {
      channel = new Channel(this.#parts, this, caller, scope)
      this.#channels.set(key, channel)
    }
    channel.count++
    return new Listener(this, channel, () => {
      leave()
      this.#end(key, channel)
    })
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
    if (--channel.count === 0) {
      this.#channels.delete(key)
      channel.end()
    }
    if (this.count > 0) return
    this.#endWatch?.()
    this.#endWatch = undefined
    this.#endBeats?.()
    this.#endBeats = undefined
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
        cancel()
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      const cancel = this.clock.after(milliseconds, wake)
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
    while (this.#hasNews && this.count > 0 && !this.#isClosed) {
      this.#hasNews = false
      const begun = this.clock.elapsed()
      await this.#read()
      this.#wake()
      // The listeners that were woken write in the next two rounds of the event loop.
      for (let round = 0; round < 2; round++) await new Promise(resolve => setImmediate(resolve))
      const taken = this.clock.elapsed() - begun
      if (taken > 1) await this.clock.sleep(Math.min(PAUSES * taken, MAX_PAUSE_MILLISECONDS))
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
    const isNew = this.#follower === undefined
    this.#follower = follower
    this.#channel.follow(follower, isNew)
  }

  /** The newest position, and the state of the domain there or later. */
  begin(): Promise<Batch> {
    return this.#channel.begin()
  }

  /** Throws for a position that no event has. */
  requireKnown(position: EventId): Promise<void> {
    return this.#channel.requireKnown(position)
  }

  /**
   * The events after the position, as soon as there are any. Undefined: there were none in that time, the service ends
   * or the client has left. Throws when the caller may not listen any more, and for a position that no event has.
   */
  async next(position: EventId, milliseconds: number, signal: AbortSignal): Promise<Batch | undefined> {
    const { clock } = this.#listeners
    const until = clock.elapsed() + milliseconds
    while (!signal.aborted) {
      const left = until - clock.elapsed()
      if (left <= 0 || this.#listeners.isClosed) return this.#channel.batchNow(position)
      const { version } = this.#listeners
      const batch = await this.#channel.batchAfter(position)
      if (batch) return batch
      await this.#listeners.newsSince(version, left, signal)
    }
    return undefined
  }
}
