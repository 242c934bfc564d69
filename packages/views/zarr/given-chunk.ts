// The elements of a chunk that a writer of Zarr sends.

import { SLOT_SIZE } from '@hyperslab/model/datatype'
import { type Elements, endOfUtf8, writeSlot } from '@hyperslab/model/values'

/** The elements of a chunk that are inside the extents, from its first one on, packed. */
export function insideOf(
  bytes: Uint8Array,
  chunkDims: readonly number[],
  inside: readonly number[],
  elementSize: number,
): Uint8Array {
  if (inside.every((extent, d) => extent === chunkDims[d])) return bytes
  const last = chunkDims.length - 1
  const row = inside[last] * elementSize
  const count = inside.reduce((product, extent) => product * extent, elementSize)
  const packed = new Uint8Array(count)
  const coordinates = inside.map(() => 0)
  for (let offset = 0; offset < count; offset += row) {
    const index = coordinates.reduce((sum, index, d) => sum * chunkDims[d] + index, 0)
    packed.set(bytes.subarray(index * elementSize, index * elementSize + row), offset)
    for (let d = last - 1; d >= 0 && ++coordinates[d] === inside[d]; d--) coordinates[d] = 0
  }
  return packed
}

const LENGTH_LENGTH = 4

/**
 * Decodes `vlen-utf8`: the number of strings, and each with its length. Of a chunk of `chunkDims` those inside the
 * extents are taken. Throws an Error for damaged bytes.
 */
export function itemsFrom(
  bytes: Uint8Array,
  chunkDims: readonly number[],
  inside: readonly number[],
): Elements {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const total = chunkDims.reduce((product, extent) => product * extent, 1)
  const claimed = bytes.length < LENGTH_LENGTH ? 0 : view.getUint32(0, true)
  if (claimed !== total) throw new Error(`it has ${claimed} strings instead of ${total}`)
  if (bytes.length < LENGTH_LENGTH * (1 + total)) throw new Error(`it ends before string ${total - 1}`)
  const slots = new Uint8Array(total * SLOT_SIZE)
  let offset = LENGTH_LENGTH
  for (let i = 0; i < total; i++) {
    if (offset + LENGTH_LENGTH > bytes.length) throw new Error(`it ends within string ${i}`)
    const length = view.getUint32(offset, true)
    offset += LENGTH_LENGTH
    if (offset + length > bytes.length) throw new Error(`it ends within string ${i}`)
    if (endOfUtf8(bytes, offset, offset + length) < offset + length)
      throw new Error(`string ${i} is not UTF-8`)
    writeSlot(slots, i * SLOT_SIZE, offset, length)
    offset += length
  }
  const data = insideOf(slots, chunkDims, inside, SLOT_SIZE)
  return { count: data.length / SLOT_SIZE, data, heap: bytes }
}
