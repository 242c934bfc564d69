// How a window of the page follows the feed: by a stream while somebody sees it, and not at all otherwise. A browser
// opens six connections to one server over HTTP/1.1, for all its windows together, and a stream holds one of them: so
// the windows agree that those which were shown last have a stream, and the others ask now and then. Each window hears
// of those that are shown after it, which is all that it needs to know.

import type { Later } from '../common/clock.ts'

/** `poll`: by a short request now and then. `rest`: nobody sees the window. */
export type Way = 'stream' | 'poll' | 'rest'

/** What a window says to the others. Their order is that of `at`, milliseconds, and of the numbers if that is equal. */
export type Message =
  | { readonly type: 'shown'; readonly window: number; readonly at: number }
  | { readonly type: 'hidden'; readonly window: number }

export interface Ways {
  readonly way: Way
  /** Calls back each time the way has become another one, until the result is called. */
  onChange(act: () => void): () => void
}

export interface PlaceParts {
  readonly post: (message: Message) => void
  readonly later: Later
  readonly now: () => number
  readonly random: () => number
}

/** Windows that have a stream. The other connections are for requests. @limit safety, streams */
export const STREAMS = 4
/** A window that is hidden for less time keeps its stream. */
const GRACE_MS = 1000

export class WindowPlace implements Ways {
  readonly #parts: PlaceParts
  readonly #listeners = new Set<() => void>()
  /** The windows that were shown after this one. */
  readonly #newer = new Set<number>()
  /** Undefined: the window is hidden. */
  #shown: { readonly window: number; readonly at: number } | undefined
  #cancel: (() => void) | undefined
  #way: Way = 'rest'

  constructor(parts: PlaceParts) {
    this.#parts = parts
  }

  get way(): Way {
    return this.#way
  }

  onChange(act: () => void): () => void {
    this.#listeners.add(act)
    return () => this.#listeners.delete(act)
  }

  show(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#shown) return
    const { now, random, post } = this.#parts
    this.#shown = { window: random(), at: now() }
    this.#newer.clear()
    post({ type: 'shown', ...this.#shown })
    this.#choose()
  }

  /** The window is out of sight, maybe for a moment. */
  hide(): void {
    if (this.#shown) this.#cancel ??= this.#parts.later(() => this.leave(), GRACE_MS)
  }

  /** The window closes, or has been out of sight for longer. */
  leave(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#shown === undefined) return
    this.#parts.post({ type: 'hidden', window: this.#shown.window })
    this.#shown = undefined
    this.#choose()
  }

  hear(message: Message): void {
    if (this.#shown === undefined) return
    if (message.type === 'hidden') this.#newer.delete(message.window)
    else if (isNewer(message, this.#shown)) this.#newer.add(message.window)
    this.#choose()
  }

  #choose(): void {
    const before = this.#way
    this.#way = this.#shown === undefined ? 'rest' : this.#newer.size < STREAMS ? 'stream' : 'poll'
    if (this.#way === before) return
    for (const act of [...this.#listeners]) act()
  }
}

type Shown = { readonly window: number; readonly at: number }

function isNewer(one: Shown, other: Shown): boolean {
  return one.at === other.at ? one.window > other.window : one.at > other.at
}
