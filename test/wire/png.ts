// Images as the service sends them: each point is a byte, a colour of a palette, or four, its colour and its alpha.

import { inflateSync } from 'node:zlib'
import type { Reply } from './client.ts'

/** The bytes of the points, row by row. */
export function pixelsOf({ bytes }: Reply): readonly (readonly number[])[] {
  const columns = bytes.readUInt32BE(16) * (bytes[25] === 6 ? 4 : 1)
  const packed: Buffer[] = []
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') packed.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  }
  const lines = inflateSync(Buffer.concat(packed))
  return Array.from({ length: bytes.readUInt32BE(20) }, (_, row) => [
    ...lines.subarray(row * (columns + 1) + 1, (row + 1) * (columns + 1)),
  ])
}
