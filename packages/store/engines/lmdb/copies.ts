// Copies of the bytes that LMDB lends until the next call. Short ones share pieces of memory, because an ArrayBuffer of
// its own for each would keep the garbage collector busy.

const POOL_BYTES = 8192
/** Bytes of a copy that shares memory with others. @limit speed, bytes, bench/results.md#061-memories-that-pay */
const MAX_POOLED_BYTES = 1024

let pool = new ArrayBuffer(POOL_BYTES)
let used = 0

/** The first `lent.length` bytes: lmdb-js sets that property on a buffer that is longer. */
export function copyOf(lent: Uint8Array): Uint8Array {
  const copy = allocate(lent.length)
  copy.set(new Uint8Array(lent.buffer, lent.byteOffset, lent.length))
  return copy
}

function allocate(length: number): Uint8Array {
  if (length > MAX_POOLED_BYTES) return new Uint8Array(length)
  if (used + length > POOL_BYTES) {
    pool = new ArrayBuffer(POOL_BYTES)
    used = 0
  }
  const bytes = new Uint8Array(pool, used, length)
  used += length
  return bytes
}
