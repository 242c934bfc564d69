// Elements in a file of their own until a write has been committed: piece after piece, each with its number of elements
// and the lengths of its two parts before it, 32 bits each. The given pieces may be used again, so they are copied.

import type { StoredText } from '@hyperslab/model/json'
import type { Elements } from '@hyperslab/model/values'

const HEAD_LENGTH = 12

export async function* bytesToStore(elements: AsyncIterable<Elements>): AsyncGenerator<Uint8Array> {
  for await (const { count, data, heap } of elements) {
    yield new Uint8Array(Uint32Array.of(count, data.length, heap.length).buffer)
    yield data.slice()
    yield heap.slice()
  }
}

export async function* storedElements(stored: StoredText): AsyncGenerator<Elements> {
  for (let offset = 0; offset < stored.length; ) {
    const head = await read(stored, offset, HEAD_LENGTH)
    const [count, dataLength, heapLength] = new Uint32Array(head.buffer)
    const data = await read(stored, offset + HEAD_LENGTH, dataLength)
    const heap = await read(stored, offset + HEAD_LENGTH + dataLength, heapLength)
    yield { count, data, heap }
    offset += HEAD_LENGTH + dataLength + heapLength
  }
}

async function read(stored: StoredText, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const found = await stored.read(offset, bytes)
  if (found < length) throw new Error(`the stored elements ended after ${offset + found} bytes`)
  return bytes
}
