// The feed of a store: its events, and news of new ones. A listener is called at once after a commit of this process.
// Events of other processes, and changes of mounted files, are looked for while there are listeners.

import type { CancelTimer, Clock } from '@hyperslab/base/clock'
import type { DomainPath } from '@hyperslab/model/names'
import type { KeyValue } from '../interfaces/engine.ts'
import type { EventId, Feed, Following, StoreEvent } from '../interfaces/store.ts'
import { eventsAfter, newestEvent } from '../records/events.ts'
import { withSnapshot } from '../records/with-snapshot.ts'
import type { FollowedFiles } from './followed-files.ts'

/** While looks find nothing, each rest before the next is longer than the last, up to this multiple of the first. */
const MOST_REST = 5
const LONGER = 1.1

const NOTHING_TO_FOLLOW: Following = { ready: Promise.resolve(), end() {} }

export interface StoreFeedParts {
  readonly keyValue: KeyValue
  readonly clock: Clock
  /** Absent: nothing is mounted. */
  readonly files?: FollowedFiles
  readonly report: (error: unknown) => void
}

export class StoreFeed implements Feed {
  readonly #parts: StoreFeedParts
  readonly #listeners = new Set<() => void>()
  #newest: EventId | undefined
  #cancelLook: CancelTimer | undefined
  /** The rest before the next look, as a multiple of the first. */
  #rest = 1
  #isClosed = false

  constructor(parts: StoreFeedParts) {
    this.#parts = parts
  }

  newest(): Promise<EventId> {
    return this.#read(newestEvent)
  }

  after(position: string, limit: number): Promise<readonly StoreEvent[] | 'removed' | 'unknown'> {
    return this.#read(snapshot => eventsAfter(snapshot, position, limit))
  }

  watch(listener: () => void): () => void {
    // Each watch is one of its own, also those of the same listener.
    const own = () => listener()
    this.#listeners.add(own)
    if (this.#cancelLook === undefined && !this.#isClosed) this.#lookAgain()
    return () => this.#listeners.delete(own)
  }

  follow(path: DomainPath, isFolder: boolean): Following {
    return this.#parts.files?.follow(path, isFolder) ?? NOTHING_TO_FOLLOW
  }

  /** Tells the listeners that there are new events. */
  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelLook?.()
    this.#listeners.clear()
    await this.#parts.files?.close()
  }

  #lookAgain(): void {
    const { keyValue, clock } = this.#parts
    this.#cancelLook = clock.after(
      this.#rest * keyValue.pollMilliseconds,
      () => void this.#look(),
      'while-running',
    )
  }

  async #look(): Promise<void> {
    try {
      const newest = await this.newest()
      const isNews = newest !== this.#newest
      this.#rest = isNews ? 1 : Math.min(LONGER * this.#rest, MOST_REST)
      if (isNews) this.tell()
      this.#newest = newest
    } catch (error) {
      if (!this.#isClosed) this.#parts.report(error)
    }
    this.#cancelLook = undefined
    if (this.#listeners.size > 0 && !this.#isClosed) this.#lookAgain()
  }

  #read<T>(work: (snapshot: ReturnType<KeyValue['snapshot']>) => Promise<T>): Promise<T> {
    return withSnapshot(this.#parts.keyValue, work)
  }
}
