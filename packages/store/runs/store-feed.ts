// The feed of a store: its events, and news of new ones. A listener is called at once after a commit of this process.
// Events of other processes, and changes of mounted files, are looked for while there are listeners.

import type { DomainPath } from '@hyperslab/model/names'
import type { KeyValue } from '../interfaces/engine.ts'
import type { EventId, Feed, Following, StoreEvent } from '../interfaces/store.ts'
import { eventsAfter, newestEvent } from '../records/events.ts'
import { withSnapshot } from '../records/with-snapshot.ts'
import type { FollowedFiles } from './followed-files.ts'

const NOTHING_TO_FOLLOW: Following = { ready: Promise.resolve(), end() {} }

export class StoreFeed implements Feed {
  readonly #keyValue: KeyValue
  readonly #files: FollowedFiles | undefined
  readonly #report: (error: unknown) => void
  readonly #listeners = new Set<() => void>()
  #newest: EventId | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `files`: absent when nothing is mounted. */
  constructor(keyValue: KeyValue, files: FollowedFiles | undefined, report: (error: unknown) => void) {
    this.#keyValue = keyValue
    this.#files = files
    this.#report = report
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
    if (this.#timer === undefined && !this.#isClosed) this.#lookAgain()
    return () => this.#listeners.delete(own)
  }

  follow(path: DomainPath, isFolder: boolean): Following {
    return this.#files?.follow(path, isFolder) ?? NOTHING_TO_FOLLOW
  }

  /** Tells the listeners that there are new events. */
  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#listeners.clear()
    await this.#files?.close()
  }

  #lookAgain(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#keyValue.pollMilliseconds).unref()
  }

  async #look(): Promise<void> {
    try {
      const newest = await this.newest()
      if (newest !== this.#newest) this.tell()
      this.#newest = newest
    } catch (error) {
      if (!this.#isClosed) this.#report(error)
    }
    this.#timer = undefined
    if (this.#listeners.size > 0 && !this.#isClosed) this.#lookAgain()
  }

  #read<T>(work: (snapshot: ReturnType<KeyValue['snapshot']>) => Promise<T>): Promise<T> {
    return withSnapshot(this.#keyValue, work)
  }
}
