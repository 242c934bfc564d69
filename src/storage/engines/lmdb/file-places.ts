// How many files may be open at once. Whoever opens files takes a place for each first, and waits in order while too few are
// free; so the process keeps the descriptors that it needs for connections.

interface Waiting {
  readonly count: number
  readonly admit: () => void
}

export class FilePlaces {
  #free: number
  readonly #waiting: Waiting[] = []
  #giveUp: () => void = () => undefined

  constructor(most: number) {
    this.#free = most
  }

  get areWanted(): boolean {
    return this.#waiting.length > 0
  }

  /** `giveUp` is called when somebody begins to wait: it gives back the places of files that nobody uses. */
  onWait(giveUp: () => void): void {
    this.#giveUp = giveUp
  }

  /** All places that are needed at the same time, together: who held one and waited for another could block others. */
  async take(count: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#free >= count) {
      this.#free -= count
      return
    }
    const admitted = new Promise<void>(admit => this.#waiting.push({ count, admit }))
    this.#giveUp()
    await admitted
  }

  /** When the files are closed. */
  give(count: number): void {
    this.#free += count
    for (let [next] = this.#waiting; next !== undefined && next.count <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#free -= next.count
      next.admit()
    }
  }
}
