// A value that requests give, without the page: it is loaded, again when it may be another one, and given up when
// nobody wants it any more.

export interface Loaded<Value> {
  /** The latest value, also while a newer one is loaded. */
  readonly value: Value | undefined
  /** The reason why the newest value could not be loaded. */
  readonly error: unknown
  readonly isLoading: boolean
}

export interface LoadEnds {
  readonly succeed?: () => void
  readonly fail: (error: unknown) => void
}

const NOTHING = { value: undefined, error: undefined, isLoading: true }

export class Loader<Value> {
  readonly #watchers = new Set<() => void>()
  #state: Loaded<Value> = NOTHING
  #subject: unknown

  /** The value of a subject: one of another subject is none. */
  loadedOf(subject: unknown): Loaded<Value> {
    return Object.is(this.#subject, subject) ? this.#state : NOTHING
  }

  /** Another object after each change. */
  readonly state = (): unknown => this.#state

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Begins to load. Returns the function that gives up: the request is aborted, and what comes of it is not used. */
  load(subject: unknown, load: (signal: AbortSignal) => Promise<Value>, ends: LoadEnds): () => void {
    const abort = new AbortController()
    const { value } = this.loadedOf(subject)
    this.#subject = subject
    this.#set({ value, error: undefined, isLoading: true })
    load(abort.signal).then(
      loaded => {
        if (abort.signal.aborted) return
        this.#set({ value: loaded, error: undefined, isLoading: false })
        ends.succeed?.()
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        this.#set({ value, error, isLoading: false })
        ends.fail(error)
      },
    )
    return () => abort.abort()
  }

  #set(state: Loaded<Value>): void {
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }
}
