// Values that arrive once. When another write has come first, the elements are read back from what was written of them,
// and kept until their write has been committed: piece after piece, each with its number of elements and the lengths of
// its two parts before it, 32 bits each. The given pieces may be used again, so they are copied.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Datatype, isSameType } from '@hyperslab/model/datatype'
import type { StoredText } from '@hyperslab/model/json'
import type { Elements } from '@hyperslab/model/values'
import type { DecodeValues, WriteRequest } from '../../service/values/values.ts'
import type { RequestBody } from '../message/request-body.ts'

const HEAD_LENGTH = 12

/** The decoding of values that arrive once, so that it can be done again after their elements were kept. */
export function decodeOnce(body: RequestBody, decode: DecodeValues): Pick<WriteRequest, 'decode' | 'keep'> {
  let written: Datatype | undefined
  let kept: StoredText | undefined
  return {
    decode(type, shape) {
      if (kept === undefined) return decode((written = type), shape)
      // A path may lead to another dataset than before.
      if (written === undefined || isSameType(type, written)) return storedElements(kept)
      throw new HyperslabError('storage-conflict', 'the type of the dataset was changed while values arrived')
    },
    async keep(elements) {
      kept ??= await body.keep(bytesToStore(elements))
    },
  }
}

async function* bytesToStore(elements: AsyncIterable<Elements>): AsyncGenerator<Uint8Array> {
  for await (const { count, data, heap } of elements) {
    yield new Uint8Array(Uint32Array.of(count, data.length, heap.length).buffer)
    yield data.slice()
    yield heap.slice()
  }
}

async function* storedElements(stored: StoredText): AsyncGenerator<Elements> {
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
