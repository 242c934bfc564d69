// LZ4 (32004): the length of the chunk (64 bits) and of a block (32 bits), then the blocks, each after its length; a
// block that LZ4 cannot make smaller is stored as it is. All numbers big-endian. Client data: the length of a block,
// or nothing. Format: https://github.com/HDFGroup/hdf5_plugins, docs/RegisteredFilterPlugins

import { joinBytes, uint32sBE } from '@hyperslab/model/values'
import { parametersOf } from './client-data.ts'
import { compressors, decompressLz4 } from './compression/installed.ts'
import type { FilterCodec } from './filter.ts'

const HEADER_LENGTH = 12
/** Length of a block of the LZ4 filter. @limit format, bytes */
const MAX_BLOCK_LENGTH = 2 ** 30

export const lz4: FilterCodec = { ...lz4Filter(32004), isSelfDescribing: true }

/**
 * "lz4hc" of HSDS. Its id is that of another filter with The HDF Group, so it has no form of its own: ours is that of
 * LZ4, which has one format for both ways to compress.
 */
export const lz4hc: FilterCodec = lz4Filter(32005)

function lz4Filter(id: number): FilterCodec {
  return {
    id,
    takesAnyBytes: true,
    clientData: options => parametersOf(options).slice(0, 1),
    encode,
    decode: (bytes, _clientData, maxLength) => decode(bytes, maxLength),
  }
}

async function encode(
  bytes: Uint8Array,
  [requestedLength]: readonly number[],
): Promise<Uint8Array | undefined> {
  const blockLength = Math.min(requestedLength || MAX_BLOCK_LENGTH, MAX_BLOCK_LENGTH, bytes.length)
  const header = uint32sBE(Math.floor(bytes.length / 2 ** 32), bytes.length, blockLength)
  const pieces: Uint8Array[] = [header]
  let length = HEADER_LENGTH
  for (let start = 0; start < bytes.length; start += blockLength) {
    const block = bytes.subarray(start, start + blockLength)
    const compressed = await compressors().compressLz4(block)
    const stored = compressed.length < block.length ? compressed : block
    pieces.push(uint32sBE(stored.length), stored)
    length += 4 + stored.length
  }
  return length < bytes.length ? joinBytes(pieces) : undefined
}

async function decode(bytes: Uint8Array, maxLength: number): Promise<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = Number(view.getBigUint64(0))
  const blockLength = view.getUint32(8)
  if (length > maxLength) throw new Error(`the header claims ${length} bytes`)
  if (length > 0 && blockLength === 0) throw new Error('the header claims the block size 0')
  const decoded = new Uint8Array(length)
  let position = HEADER_LENGTH
  for (let start = 0; start < length; start += blockLength) {
    const inBlock = Math.min(blockLength, length - start)
    const end = position + 4 + view.getUint32(position)
    if (end > bytes.length) throw new Error(`the block at byte ${position} is cut off`)
    const block = bytes.subarray(position + 4, end)
    decoded.set(block.length === inBlock ? block : await decompressLz4(block, inBlock), start)
    position = end
  }
  return decoded
}
