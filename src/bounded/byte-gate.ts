// Bounds the memory of work that runs beside other work.

/** Lets work pass in the order in which it came, as long as the bytes of what is under way are few enough. */
export class ByteGate {
  readonly #maxBytes: number
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async pass<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>(enter => {
      this.#waiting.push({ bytes, enter })
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#bytes -= bytes
      this.#admit()
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#bytes > 0 && this.#bytes + next.bytes > this.#maxBytes) return
      this.#waiting.shift()
      this.#bytes += next.bytes
      next.enter()
    }
  }
}
