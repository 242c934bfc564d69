// A limit to the files that are open at once. A slot is taken for each file before it is opened; requests for slots
// wait in order while too few are free. So the process keeps the descriptors that it needs for connections.

interface WaitingOpen {
  readonly count: number
  readonly admit: () => void
}

export class FileSlots {
  #free: number
  readonly #waiting: WaitingOpen[] = []
  #giveUp: () => void = () => undefined

  constructor(most: number) {
    this.#free = most
  }

  get areWanted(): boolean {
    return this.#waiting.length > 0
  }

  /** `giveUp` is called when a request begins to wait: it returns the slots of files that are not in use. */
  onWait(giveUp: () => void): void {
    this.#giveUp = giveUp
  }

  /**
   * Slots that are needed at the same time are taken together: a holder of one that waits for another could block
   * others.
   */
  async take(count: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#free >= count) {
      this.#free -= count
      return
    }
    const admitted = new Promise<void>(admit => this.#waiting.push({ count, admit }))
    this.#giveUp()
    await admitted
  }

  /** Must be called when the files are closed. */
  give(count: number): void {
    this.#free += count
    for (let [next] = this.#waiting; next !== undefined && next.count <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#free -= next.count
      next.admit()
    }
  }
}
