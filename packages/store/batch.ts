// The part of a commit that is the same in every key-value engine: it checks a change, computes counters and finds
// conflicts. An engine only finds and stores bytes, so all engines follow the same rules.

import { HyperslabError } from '@hyperslab/base/errors'
import { dataViewOf } from '@hyperslab/model/values'
import type { Change, Entry, Expectation, KeyRange } from './interfaces/engine.ts'
import { hexOf } from './key-range.ts'

/** Throws if the change breaks a rule that does not depend on the state; nothing of its batch may stay applied. */
export function checkChange(change: Change, maxKeyLength: number): void {
  if (change.op === 'deleteRange') return
  checkKey(change.key, maxKeyLength)
  const number = numberOf(change)
  if (typeof number === 'number' && !Number.isSafeInteger(number)) {
    throw new Error(`A counter is changed by a whole number below 2^53, or a bigint, and not by ${number}`)
  }
}

function numberOf(change: Exclude<Change, { readonly op: 'deleteRange' }>): number | bigint {
  switch (change.op) {
    case 'add':
      return change.delta
    case 'max':
      return change.value
    case 'bound':
      return change.most
    default:
      return 0
  }
}

function checkKey(key: Uint8Array, maxKeyLength: number): void {
  if (key.length === 0 || key.length > maxKeyLength) {
    throw new Error(`A key has 1 to ${maxKeyLength} bytes, this one ${key.length}`)
  }
}

export const COUNTER_LENGTH = 8

/** A change of a counter. */
export type CounterChange = Extract<Change, { readonly op: 'add' | 'max' }>

/** The bytes of a counter after the change, when `value` is stored before it. A sum wraps around at 2^63. */
export function changeCounter(value: Uint8Array | undefined, change: CounterChange): Uint8Array {
  if (value !== undefined && value.length !== COUNTER_LENGTH) {
    throw new Error(`A counter has ${COUNTER_LENGTH} bytes, the value to change has ${value.length}`)
  }
  const before = value === undefined ? undefined : dataViewOf(value).getBigInt64(0, true)
  // allocUnsafe takes memory from Node's pool: LMDB looks up the address of the pool once, not of each buffer.
  const after = Buffer.allocUnsafe(COUNTER_LENGTH)
  dataViewOf(after).setBigInt64(
    0,
    change.op === 'add' ? (before ?? 0n) + BigInt(change.delta) : raised(before, BigInt(change.value)),
    true,
  )
  return after
}

function raised(before: bigint | undefined, value: bigint): bigint {
  return before === undefined || before < value ? value : before
}

/** A counter that a batch must not raise above `most`, and its value before the batch. */
interface BoundCounter {
  readonly key: Uint8Array
  readonly most: number
  readonly before: bigint
}

/** The bounds among the changes of a batch that is about to be applied. */
export function boundsOf(changes: readonly Change[], get: CurrentState['get']): readonly BoundCounter[] {
  return changes.flatMap(change =>
    change.op === 'bound' ? [{ ...change, before: numberIn(get(change.key)) }] : [],
  )
}

/** Throws if the batch, whose changes are applied, has raised a counter above its bound. */
export function requireBounds(bounds: readonly BoundCounter[], get: CurrentState['get']): void {
  for (const { key, most, before } of bounds) {
    const after = numberIn(get(key))
    if (after > BigInt(most) && after > before) throw boundExceeded(hexOf(key))
  }
}

/** `key`: in hexadecimal digits. */
export function boundExceeded(key: string): HyperslabError {
  return new HyperslabError('quota-exceeded', 'the write would raise a counter above its bound', {
    subject: key,
  })
}

function numberIn(counter: Uint8Array | undefined): bigint {
  return counter === undefined ? 0n : dataViewOf(counter).getBigInt64(0, true)
}

const NUMBER_LENGTH = 8

/** The key of the entry of that number in a log. */
export function logKey(log: Uint8Array, number: number): Uint8Array {
  const key = Buffer.allocUnsafe(log.length + NUMBER_LENGTH)
  key.set(log)
  key.writeUInt32BE(Math.floor(number / 2 ** 32), log.length)
  key.writeUInt32BE(number % 2 ** 32, log.length + 4)
  return key
}

/** The number of an entry of a log. */
export function logNumber(key: Uint8Array): number {
  return Number(dataViewOf(key).getBigUint64(key.length - NUMBER_LENGTH))
}

/** The changes that make the records of one map those of another; a value that is the same object has not changed. */
export function changesOf<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  keyOf: (name: string) => Uint8Array,
  encode: (value: T) => Uint8Array,
): Change[] {
  const removed = [...before.keys()].filter(name => !after.has(name))
  const set = [...after].filter(([name, value]) => before.get(name) !== value)
  return [
    ...removed.map((name): Change => ({ op: 'delete', key: keyOf(name) })),
    ...set.map(([name, value]): Change => ({ op: 'set', key: keyOf(name), value: encode(value) })),
  ]
}

/** The access of an engine to the state that a batch is about to change. */
export interface CurrentState {
  get(key: Uint8Array): Uint8Array | undefined
  range(range: KeyRange): Iterable<Entry>
}

/** Yields the positions of the expectations that do not hold, and undefined after each step that found none. */
export function* findConflicts(
  expect: readonly Expectation[],
  state: CurrentState,
): Generator<number | undefined> {
  for (const [position, expectation] of expect.entries()) {
    if ('key' in expectation) {
      yield isSameValue(state.get(expectation.key), expectation.value) ? undefined : position
      continue
    }
    const { range, entries } = expectation
    let matched = 0
    for (const entry of state.range(range)) {
      const expected = entries[matched++]
      const isSame =
        expected !== undefined &&
        isSameValue(entry.key, expected.key) &&
        isSameValue(entry.value, expected.value)
      if (!isSame) {
        matched = Number.NaN
        break
      }
      yield undefined
    }
    yield matched === entries.length ? undefined : position
  }
}

export function isSameValue(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0
}
