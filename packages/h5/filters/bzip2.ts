// Bzip2 (307), the filter of PyTables, reading only: the chunk as one bzip2 stream. A chunk of a dataset with this
// filter is stored without it.

import type { FilterCodec } from './filter.ts'

export const bzip2: FilterCodec = {
  id: 307,
  takesAnyBytes: true,
  clientData: () => undefined,
  encode: () => undefined,
  async decode(bytes, _clientData, maxLength) {
    const { default: seekBzip } = await import('seek-bzip')
    const output = new BoundedOutput(maxLength)
    seekBzip.decode(bytes, output)
    return output.bytes
  },
}

/** Output with a limit, at which the package is stopped: a stream of some bytes may hold gigabytes. */
class BoundedOutput {
  readonly #limit: number
  #buffer = new Uint8Array(64 * 1024)
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  writeByte(byte: number): void {
    if (this.#length === this.#limit) throw new Error(`the stream holds more than ${this.#limit} bytes`)
    if (this.#length === this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#limit, 2 * this.#length))
      grown.set(this.#buffer)
      this.#buffer = grown
    }
    this.#buffer[this.#length++] = byte
  }
}
