// A limit of the memory of concurrent work.

/** Starts work in the order of arrival, as long as the bytes of all running work are within the limit. */
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
