// Values that were made from bytes, found again by equal bytes: a value that many objects share is made once, and once
// in memory.

import { BoundedMap } from './bounded-map.ts'
import { fnv1a } from './fnv.ts'

/** Bytes of all values, each with an estimate of its overhead. @limit memory, bytes */
const MAX_BYTES = 2 ** 20
const VALUE_BYTES = 512
/**
 * The longest bytes that are compared: longer ones would take as long as making the value again.
 * @limit memory, bytes
 */
const MAX_LENGTH = 4096

interface InternedValue<Value> {
  readonly bytes: Uint8Array
  readonly value: Value
}

export class Interner<Value> {
  /** Equal records and messages are decoded once. @limit speed, bytes, bench/results.md#061-memories-that-pay */
  readonly #interned = new BoundedMap<number, InternedValue<Value>>(MAX_BYTES, {
    weightOf: ({ bytes }) => VALUE_BYTES + bytes.length,
  })

  /** The value that `make` returned for equal bytes, or returns for a copy of these. */
  intern(bytes: Uint8Array, make: (copy: Uint8Array) => Value): Value {
    const { length } = bytes
    if (length > MAX_LENGTH) return make(new Uint8Array(bytes))
    const hash = fnv1a(bytes, 0, length)
    const interned = this.#interned.get(hash)
    if (interned && isEqual(interned.bytes, bytes)) return interned.value
    // The value may have views, which would keep the memory around the bytes.
    const copy = new Uint8Array(bytes)
    const value = make(copy)
    this.#interned.set(hash, { bytes: copy, value })
    return value
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
