// Work in the background, bounded.

export class TaskLanes {
  readonly #limit: number
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly reason: unknown } | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves when another task may begin; rejects once a task has failed. */
  async free(): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running)
    this.#rethrow()
  }

  /** Begins a task; `free` must have resolved just before. */
  start(task: () => Promise<void>): void {
    const running = task()
      .catch(reason => {
        this.#failure ??= { reason }
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Resolves when all tasks have ended, and rejects if one has failed. */
  async drain(): Promise<void> {
    await this.settle()
    this.#rethrow()
  }

  /** Resolves when all tasks have ended, one way or the other. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running)
  }

  #rethrow(): void {
    if (this.#failure) throw this.#failure.reason
  }
}
