// The resolution of a PNG, which canvases leave out: text processors take the size on paper from it (PNG 11.3.4.3).

const INCHES_IN_METRE = 1 / 0.0254
/** Signature, and the header with its length, name and checksum: it is always the first part. */
const HEADER_END = 8 + 25
const NAME = [112, 72, 89, 115]

/** The same picture with a part `pHYs` after its header. */
export function withResolution(png: Uint8Array, dotsInInch: number): Uint8Array<ArrayBuffer> {
  const part = new DataView(new ArrayBuffer(21))
  const dots = Math.round(dotsInInch * INCHES_IN_METRE)
  part.setUint32(0, 9)
  for (const [i, byte] of NAME.entries()) part.setUint8(4 + i, byte)
  part.setUint32(8, dots)
  part.setUint32(12, dots)
  // The unit is the metre.
  part.setUint8(16, 1)
  part.setUint32(17, checksum(new Uint8Array(part.buffer, 4, 13)))
  const result = new Uint8Array(png.length + part.byteLength)
  result.set(png.subarray(0, HEADER_END))
  result.set(new Uint8Array(part.buffer), HEADER_END)
  result.set(png.subarray(HEADER_END), HEADER_END + part.byteLength)
  return result
}

/** CRC-32, as PNG has it. */
function checksum(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0)
  }
  return ~rest >>> 0
}
