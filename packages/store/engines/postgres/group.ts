// Batches that commit in one call of the database. A batch joins a group if no earlier batch changes a key that it
// expects, so all expectations of a group are about the state before it. The changes become stages: in each, ranges are
// deleted first, and then each key is changed once; a change that needs the value in between begins the next stage.
// Changes that depend on a value are derived here from the assumed value, which becomes an expectation.

import { createHash, hash } from 'node:crypto'
import { changeCounter, checkChange, isSameValue } from '../../batch.ts'
import type { Batch, Change, Entry, Expectation, KeyRange } from '../../interfaces/engine.ts'
import { isWithin, type KeyText, keyTextOf } from '../../key-range.ts'
import { bigintArray, booleanArray, bytesArray, integerArray, textArray } from './arrays.ts'
import type { Parameter } from './connections.ts'

/** The longest key: an index of PostgreSQL takes some 2,700 bytes. @limit format, bytes */
export const MAX_KEY_LENGTH = 2048

/** Assumed values by key; the commit compares them with the stored ones. */
export type AssumedValues = Map<KeyText, Uint8Array | undefined>

type KeyChange =
  | { readonly op: 'set'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly op: 'delete'; readonly key: Uint8Array }
  | { readonly op: 'add' | 'max'; readonly key: Uint8Array; readonly number: bigint }
  | { readonly op: 'log'; readonly key: Uint8Array; readonly value: Uint8Array; readonly number: bigint }

interface Drop {
  readonly start: Uint8Array
  readonly end: Uint8Array
  readonly limit: number | undefined
}

interface Stage {
  readonly drops: Drop[]
  readonly keys: Map<KeyText, KeyChange>
}

/** A batch, and the positions of its expectations in those of the group. */
interface Member {
  readonly batch: Batch
  readonly positions: readonly Position[]
}

interface Position {
  readonly list: 'keys' | 'ranges'
  readonly index: number
}

interface ExpectedKey {
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
  readonly position: number
}

/** A needed value is not among the assumed ones. */
class UnknownValue extends Error {
  readonly key: Uint8Array

  constructor(key: Uint8Array) {
    super('a value is not known')
    this.key = key
  }
}

export class CommitGroup {
  readonly #stages: Stage[] = []
  /** The expected keys in the order of their positions. */
  readonly #expected: ExpectedKey[] = []
  /** The first of each key. A batch may expect a second value, which does not hold if the first one does. */
  readonly #expectedKeys = new Map<KeyText, ExpectedKey>()
  readonly #expectedRanges: Extract<Expectation, { readonly range: KeyRange }>[] = []
  readonly #members: Member[] = []
  readonly #bounds: Extract<Change, { readonly op: 'bound' }>[] = []
  /** The positions of the assumed values among the expectations. */
  readonly #assumed = new Set<number>()
  #time = 0
  /** Entries of logs; the database gives each a number that ends with its position among them. */
  #logged = 0

  /** The latest time that the changes contain. */
  get time(): number {
    return this.#time
  }

  get size(): number {
    return this.#members.length
  }

  /** Changes of keys and ranges. */
  get weight(): number {
    return this.#stages.reduce((sum, { drops, keys }) => sum + drops.length + keys.size, 0)
  }

  /** Whether all expectations of the batch are about the state before the group. */
  accepts(batch: Batch): boolean {
    return batch.expect.every(expectation => {
      if ('range' in expectation) return !this.#changesRange(expectation.range)
      const text = keyTextOf(expectation.key)
      if (this.#changesKey(text, expectation.key)) return false
      const known = this.#expectedKeys.get(text)
      return known === undefined || isSameValue(known.value, expectation.value)
    })
  }

  /**
   * The positions of the batch's expectations that the changes of the group contradict: if the group is committed, the
   * batch is not.
   */
  contradictions(batch: Batch): number[] {
    return batch.expect.flatMap((expectation, position) => {
      if ('range' in expectation) return []
      const text = keyTextOf(expectation.key)
      const change = this.#stages
        .findLast(({ drops, keys }) => keys.has(text) || drops.length > 0)
        ?.keys.get(text)
      if (change === undefined || 'number' in change) return []
      const value = change.op === 'set' ? change.value : undefined
      return isSameValue(value, expectation.value) ? [] : [position]
    })
  }

  /**
   * Adds a batch that `accepts` allows. Returns the key whose value is needed first; then, as when it throws, the group
   * must not be used any more. Throws if a change breaks a rule.
   */
  add(batch: Batch, assumed: AssumedValues): Uint8Array | undefined {
    const positions = batch.expect.map(expectation => this.#expect(expectation))
    this.#members.push({ batch, positions })
    this.#time = Math.max(this.#time, batch.time ?? 0)
    try {
      for (const change of batch.changes) this.#apply(change, assumed)
    } catch (error) {
      if (error instanceof UnknownValue) return error.key
      throw error
    }
    return undefined
  }

  /** The parameters of `hyperslab.commit` after the name of the process and the token. */
  get parameters(): Parameter[] {
    const keys = this.#expected
    const ranges = this.#expectedRanges
    const drops = this.#stages.flatMap((stage, at) => stage.drops.map(drop => ({ at, ...drop })))
    const changes = this.#stages.flatMap((stage, at) =>
      [...stage.keys.values()].map(change => ({ at, change })),
    )
    const isChanging = drops.length + changes.length > 0
    return [
      this.#time,
      bytesArray(keys.map(({ key }) => key)),
      bytesArray(keys.map(({ value }) => digestOfValue(value))),
      bytesArray(ranges.map(({ range }) => range.start)),
      bytesArray(ranges.map(({ range }) => range.end)),
      bigintArray(ranges.map(({ range }) => range.limit ?? null)),
      booleanArray(ranges.map(({ range }) => range.reverse ?? false)),
      bytesArray(ranges.map(({ entries }) => digestOfEntries(entries))),
      isChanging ? this.#stages.length - 1 : -1,
      integerArray(drops.map(({ at }) => at)),
      bytesArray(drops.map(({ start }) => start)),
      bytesArray(drops.map(({ end }) => end)),
      bigintArray(drops.map(({ limit }) => limit ?? null)),
      integerArray(changes.map(({ at }) => at)),
      textArray(changes.map(({ change }) => change.op)),
      bytesArray(changes.map(({ change }) => change.key)),
      bytesArray(changes.map(({ change }) => ('value' in change ? change.value : null))),
      bigintArray(changes.map(({ change }) => ('number' in change ? change.number : null))),
      bytesArray(this.#bounds.map(({ key }) => key)),
      bigintArray(this.#bounds.map(({ most }) => BigInt(most))),
    ]
  }

  /**
   * The expectations that do not hold, for each batch in the order of adding: their positions in `expect`, and whether
   * an assumed value was wrong. The numbers count from 1, as the database counts.
   */
  explain(
    failedKeys: readonly number[],
    failedRanges: readonly number[],
  ): { conflicts: number[][]; isAssumptionWrong: boolean } {
    const keys = new Set(failedKeys.map(position => position - 1))
    const ranges = new Set(failedRanges.map(position => position - 1))
    return {
      conflicts: this.#members.map(({ positions }) =>
        positions.flatMap(({ list, index }, position) =>
          (list === 'keys' ? keys : ranges).has(index) ? [position] : [],
        ),
      ),
      isAssumptionWrong: [...this.#assumed].some(position => keys.has(position)),
    }
  }

  #changesKey(text: KeyText, key: Uint8Array): boolean {
    return this.#stages.some(({ drops, keys }) => keys.has(text) || drops.some(drop => isWithin(key, drop)))
  }

  #changesRange({ start, end }: KeyRange): boolean {
    return this.#stages.some(
      ({ drops, keys }) =>
        drops.some(drop => Buffer.compare(drop.start, end) < 0 && Buffer.compare(start, drop.end) < 0) ||
        [...keys.values()].some(({ key }) => isWithin(key, { start, end })),
    )
  }

  #expect(expectation: Expectation): Position {
    if ('range' in expectation) return { list: 'ranges', index: this.#expectedRanges.push(expectation) - 1 }
    return { list: 'keys', index: this.#expectValue(expectation.key, expectation.value) }
  }

  #expectValue(key: Uint8Array, value: Uint8Array | undefined): number {
    const text = keyTextOf(key)
    const existing = this.#expectedKeys.get(text)
    if (existing !== undefined && isSameValue(existing.value, value)) return existing.position
    const position = this.#expected.length
    const expected = { key, value, position }
    this.#expected.push(expected)
    if (existing === undefined) this.#expectedKeys.set(text, expected)
    return position
  }

  #apply(change: Change, assumed: AssumedValues): void {
    checkChange(change, MAX_KEY_LENGTH)
    if (change.op === 'deleteRange') {
      this.#stageFor(({ keys }) => keys.size === 0).drops.push({ limit: undefined, ...change })
      return
    }
    const text = keyTextOf(change.key)
    switch (change.op) {
      case 'bound':
        this.#bounds.push(change)
        break
      case 'set':
        this.#change(text, change)
        break
      case 'delete':
        this.#change(text, { op: 'delete', key: change.key })
        break
      case 'add':
        this.#count(text, { op: 'add', key: change.key, number: BigInt.asIntN(64, BigInt(change.delta)) })
        break
      case 'max':
        this.#count(text, { op: 'max', key: change.key, number: BigInt(change.value) })
        break
      case 'log': {
        const number = BigInt(this.#logged++)
        const { key, value } = change
        this.#stageFor(() => true).keys.set(`${text}${number}`, { op: 'log', key, value, number })
        break
      }
      case 'follow':
        for (const following of change.changes(
          this.#valueOf(change.key, text, this.#stages.length - 1, assumed),
        ))
          this.#apply(following, assumed)
    }
  }

  /** The last stage if it is suitable, or else a new one. */
  #stageFor(willDo: (stage: Stage) => boolean): Stage {
    const last = this.#stages.at(-1)
    if (last !== undefined && willDo(last)) return last
    const stage: Stage = { drops: [], keys: new Map() }
    this.#stages.push(stage)
    return stage
  }

  #change(text: KeyText, change: KeyChange): void {
    // The counter is changed all the same, which fails if the value is not a counter.
    const willDo = ({ keys }: Stage) => {
      const before = keys.get(text)
      return before === undefined || before.op === 'set' || before.op === 'delete'
    }
    this.#stageFor(willDo).keys.set(text, change)
  }

  #count(text: KeyText, change: Extract<KeyChange, { readonly op: 'add' | 'max' }>): void {
    const stage = this.#stageFor(({ keys }) => {
      const before = keys.get(text)
      return before === undefined || before.op === change.op
    })
    const before = stage.keys.get(text)
    const number =
      before?.op === 'add'
        ? BigInt.asIntN(64, before.number + change.number)
        : before?.op === 'max' && before.number > change.number
          ? before.number
          : change.number
    stage.keys.set(text, { ...change, number })
  }

  /** The value after the stage `index`; the value before all stages is assumed. */
  #valueOf(key: Uint8Array, text: KeyText, index: number, assumed: AssumedValues): Uint8Array | undefined {
    const stage = this.#stages.at(index)
    if (index < 0 || stage === undefined) return this.#assume(key, text, assumed)
    const change = stage.keys.get(text)
    if (change?.op === 'set') return change.value
    if (change?.op === 'delete') return undefined
    const drops = stage.drops.filter(drop => isWithin(key, drop))
    if (drops.some(({ limit }) => limit !== undefined))
      throw new Error(
        'A batch may not follow the value of a key after it has deleted the first keys of a range with it',
      )
    const before = drops.length > 0 ? undefined : this.#valueOf(key, text, index - 1, assumed)
    if (change === undefined) return before
    return changeCounter(
      before,
      change.op === 'add'
        ? { op: 'add', key, delta: change.number }
        : { op: 'max', key, value: Number(change.number) },
    )
  }

  #assume(key: Uint8Array, text: KeyText, assumed: AssumedValues): Uint8Array | undefined {
    const expected = this.#expectedKeys.get(text)
    if (expected !== undefined) return expected.value
    if (!assumed.has(text)) throw new UnknownValue(key)
    const value = assumed.get(text)
    this.#assumed.add(this.#expectValue(key, value))
    return value
  }
}

function digestOfValue(value: Uint8Array | undefined): Uint8Array | null {
  return value === undefined ? null : hash('sha256', value, 'buffer')
}

/** The digest that `hyperslab.digest_of` computes: of the keys and values, each after its length. */
function digestOfEntries(entries: readonly Entry[]): Uint8Array {
  const hash = createHash('sha256')
  const length = Buffer.alloc(4)
  for (const { key, value } of entries) {
    for (const bytes of [key, value]) {
      length.writeInt32BE(bytes.length)
      hash.update(length).update(bytes)
    }
  }
  return hash.digest()
}
