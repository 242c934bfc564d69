// Requests at about the same time become one: h5web requests each group of a tree separately.

interface WaitingRead<Value> {
  readonly path: string
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/** Paths of one request. @limit safety, paths */
const PATHS_AT_ONCE = 500
/** Requests that run at once. @limit safety, requests */
const REQUESTS_AT_ONCE = 4

export class Batches<Value> {
  readonly #ask: (paths: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  readonly #waiting: WaitingRead<Value>[] = []
  #running = 0

  /** `ask` returns the object at each path; paths that lead nowhere may be absent. */
  constructor(ask: (paths: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#ask = ask
  }

  /** Rejects if nothing is at the path. */
  get(path: string): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ path, resolve, reject })
      // All requests until the browser has time again.
      if (this.#waiting.length === 1) setTimeout(() => this.#start())
    })
  }

  #start(): void {
    while (this.#running < REQUESTS_AT_ONCE && this.#waiting.length > 0) {
      // The latest comes first, because the user looks at it.
      const batch = this.#waiting.splice(-PATHS_AT_ONCE)
      this.#running++
      void this.#load(batch).then(() => {
        this.#running--
        this.#start()
      })
    }
  }

  async #load(batch: readonly WaitingRead<Value>[]): Promise<void> {
    try {
      const found = await this.#ask(batch.map(({ path }) => path))
      for (const { path, resolve, reject } of batch) {
        const value = found.get(path)
        if (value === undefined) reject(new Error(`There is no object at ${path}`))
        else resolve(value)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
