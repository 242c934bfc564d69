// The changes of a batch without any `follow`: each is replaced by the changes that it derives from an assumed value,
// which the commit must then expect. A followed value may be one that an earlier change of the batch has made.

import { type CounterChange, changeCounter } from '../../batch.ts'
import type { Batch, Change, Expectation } from '../../interfaces/engine.ts'
import { isWithin, type KeyText, keyTextOf } from '../../key-range.ts'

export type PlainChange = Exclude<Change, { readonly op: 'follow' }>

/** Assumed values by key. */
export type AssumedValues = ReadonlyMap<KeyText, Uint8Array | undefined>

/** The value of a key within a batch, computed when a change follows it. */
type ComputeValue = () => Uint8Array | undefined

interface ChangedValue {
  /** The number of changes before it. */
  readonly position: number
  readonly compute: ComputeValue
  /** Changes of the counter after that. */
  readonly counters: readonly CounterChange[]
}

/** A needed value is not among the assumed ones. */
export class UnknownValue extends Error {
  readonly key: Uint8Array

  constructor(key: Uint8Array) {
    super('a value is not known')
    this.key = key
  }
}

export interface DerivedChanges {
  readonly changes: readonly PlainChange[]
  /** The assumed values on which the changes depend, but for those that the batch expects itself. */
  readonly assumptions: readonly Expectation[]
}

/** Throws `UnknownValue` if a value is needed that is not assumed. */
export function deriveChanges({ expect, changes }: Batch, assumed: AssumedValues): DerivedChanges {
  const derivation = new Derivation(expect, assumed)
  for (const change of changes) derivation.apply(change)
  return derivation
}

class Derivation implements DerivedChanges {
  readonly changes: PlainChange[] = []
  readonly assumptions: Expectation[] = []
  readonly #assumed: AssumedValues
  readonly #expected = new Map<KeyText, Uint8Array | undefined>()
  readonly #values = new Map<KeyText, ChangedValue>()
  readonly #drops: { readonly position: number; readonly drop: Extract<Change, { op: 'deleteRange' }> }[] = []

  constructor(expect: Batch['expect'], assumed: AssumedValues) {
    this.#assumed = assumed
    for (const expectation of expect) {
      if (!('key' in expectation)) continue
      const text = keyTextOf(expectation.key)
      // A second value of the same key does not hold if the first one does.
      if (!this.#expected.has(text)) this.#expected.set(text, expectation.value)
    }
  }

  apply(change: Change): void {
    if (change.op === 'follow') {
      for (const following of change.changes(this.#valueOf(change.key))) this.apply(following)
      return
    }
    const position = this.changes.push(change)
    if (change.op === 'deleteRange') this.#drops.push({ position, drop: change })
    else if (change.op !== 'log' && change.op !== 'bound')
      this.#values.set(keyTextOf(change.key), this.#changed(change, position))
  }

  #changed(
    change: Exclude<PlainChange, { readonly op: 'deleteRange' | 'log' | 'bound' }>,
    position: number,
  ): ChangedValue {
    if (change.op === 'set') return { position, compute: () => change.value, counters: [] }
    if (change.op === 'delete') return { position, compute: () => undefined, counters: [] }
    const { compute, counters } = this.#current(change.key)
    return { position, compute, counters: [...counters, change] }
  }

  #valueOf(key: Uint8Array): Uint8Array | undefined {
    const { compute, counters } = this.#current(key)
    return counters.reduce(changeCounter, compute())
  }

  #current(key: Uint8Array): ChangedValue {
    const text = keyTextOf(key)
    const changed = this.#values.get(text) ?? {
      position: 0,
      compute: () => this.#assume(key, text),
      counters: [],
    }
    const dropped = this.#drops.findLast(({ drop }) => isWithin(key, drop))
    if (dropped === undefined || dropped.position < changed.position) return changed
    const { limit } = dropped.drop
    const compute = () => {
      if (limit === undefined) return undefined
      throw new Error(
        'A batch may not follow the value of a key after it has deleted the first keys of a range with it',
      )
    }
    return { position: dropped.position, compute, counters: [] }
  }

  #assume(key: Uint8Array, text: KeyText): Uint8Array | undefined {
    if (this.#expected.has(text)) return this.#expected.get(text)
    if (!this.#assumed.has(text)) throw new UnknownValue(key)
    const value = this.#assumed.get(text)
    this.#expected.set(text, value)
    this.assumptions.push({ key, value })
    return value
  }
}
