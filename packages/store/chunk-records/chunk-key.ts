// Coordinates in the chunk grid as part of a key: each is the number of its bytes followed by those bytes, most
// significant first, so that keys sort like coordinates and the usual small ones take two bytes. Products of extents
// stay below 2^53, so all coordinates of a chunk together take at most 39 bytes.

export function encodeCoordinates(chunk: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (const coordinate of chunk) {
    const digits: number[] = []
    for (let rest = coordinate; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
    bytes.push(digits.length, ...digits)
  }
  return Uint8Array.from(bytes)
}

export function decodeCoordinates(bytes: Uint8Array): number[] {
  const chunk: number[] = []
  for (let position = 0; position < bytes.length; ) {
    const end = position + 1 + bytes[position]
    let coordinate = 0
    for (position++; position < end; position++) coordinate = coordinate * 256 + bytes[position]
    chunk.push(coordinate)
  }
  return chunk
}
