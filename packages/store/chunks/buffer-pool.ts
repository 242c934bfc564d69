// Buffers that are used again, because fresh memory of this size costs more than filling it.

/** The shortest buffer that is kept: shorter ones are cheap to allocate. */
const MIN_LENGTH = 2 ** 16

export class BufferPool {
  readonly #free = new Map<number, Uint8Array[]>()
  readonly #maxBytes: number
  #freeBytes = 0

  /** Keeps at most `maxBytes` of unused buffers. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** A buffer with arbitrary content. */
  take(length: number): Uint8Array {
    if (length < MIN_LENGTH) return new Uint8Array(length)
    const size = sizeFor(length)
    const free = this.#free.get(size)?.pop()
    if (free) this.#freeBytes -= size
    return (free ?? new Uint8Array(size)).subarray(0, length)
  }

  /** Takes a buffer back, which must not be used afterwards. */
  give(buffer: Uint8Array): void {
    const size = buffer.buffer.byteLength
    if (buffer.length < MIN_LENGTH || this.#freeBytes + size > this.#maxBytes) return
    const free = this.#free.get(size) ?? []
    this.#free.set(size, free)
    free.push(new Uint8Array(buffer.buffer))
    this.#freeBytes += size
  }
}

/** The power of two, or the half between two, that is large enough. */
function sizeFor(length: number): number {
  const power = 2 ** Math.ceil(Math.log2(length))
  return length <= power * 0.75 ? power * 0.75 : power
}
