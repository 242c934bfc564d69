// Zstandard (32015): the chunk as one frame (RFC 8878). Client data: the level.

import { parametersOf, wholeOption } from './client-data.ts'
import { compressors } from './compression/installed.ts'
import type { FilterCodec } from './filter.ts'

/** The default of the library. */
const DEFAULT_LEVEL = 3
/** Level of compression. @limit format, level */
const MAX_LEVEL = 22

export const zstd: FilterCodec = {
  id: 32015,
  takesAnyBytes: true,
  isSelfDescribing: true,
  mayLeak: true,
  clientData(options) {
    const level = wholeOption(options, 'level', 1, MAX_LEVEL) ?? parametersOf(options)[0]
    return [level === undefined || level < 1 ? DEFAULT_LEVEL : Math.min(level, MAX_LEVEL)]
  },
  async encode(bytes, [level]) {
    const frame = await compressZstd(bytes, level)
    return frame.length < bytes.length ? frame : undefined
  },
  decode: (bytes, _clientData, maxLength) => decompressZstd(bytes, maxLength),
}

export async function compressZstd(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  return compressors().compressZstd(bytes, level)
}

/** Decompresses a frame that contains its decompressed length. */
export async function decompressZstd(frame: Uint8Array, maxLength: number): Promise<Uint8Array> {
  const length = contentLength(frame)
  if (length === undefined) throw new Error('a Zstandard frame has no content length')
  if (length > maxLength) throw new Error(`a Zstandard frame claims ${length} bytes`)
  return compressors().decompressZstd(frame, length)
}

const MAGIC = 0xfd2fb528

/** RFC 8878, 3.1.1.1. Compressors make a buffer of this length, whatever it is. */
function contentLength(frame: Uint8Array): number | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (view.getUint32(0, true) !== MAGIC) throw new Error('it is not a Zstandard frame')
  const descriptor = view.getUint8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionaryIdLength = [0, 1, 2, 4][descriptor & 3]
  const start = 5 + (isSingleSegment ? 0 : 1) + dictionaryIdLength
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? view.getUint8(start) : undefined
    case 1:
      return view.getUint16(start, true) + 256
    case 2:
      return view.getUint32(start, true)
    default:
      return Number(view.getBigUint64(start, true))
  }
}
