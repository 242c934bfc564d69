// The hash FNV-1a, of 32 bits.

const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** Hashes the bytes from `start` to `end`, `end` excluded; another seed gives other collisions. */
export function fnv1a(bytes: Uint8Array, start: number, end: number, seed = OFFSET_BASIS): number {
  let hash = seed
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], PRIME)
  return hash
}
