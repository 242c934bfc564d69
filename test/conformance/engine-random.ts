// Random programs on an engine and on memory, the executable model: the same results step by step. fast-check prints
// the seed and the shortest program that differs.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type {
  Batch,
  Change,
  CommitResult,
  Engine,
  Entry,
  Expectation,
  KeyRange,
  Snapshot,
} from '../../packages/store/interfaces/engine.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { bytes, collect, counter, text } from './engine-fixture.ts'

/** Few keys, so that they meet; all kinds of bytes, so that the order matters. */
const key = fc
  .oneof(
    {
      weight: 8,
      arbitrary: fc.array(fc.constantFrom(0, 1, 97, 127, 128, 255), { minLength: 1, maxLength: 3 }),
    },
    { weight: 1, arbitrary: fc.nat(9).map(last => [...new Array<number>(1977).fill(97), last]) },
  )
  .map(values => Uint8Array.from(values))
const bound = fc.oneof(
  { weight: 5, arbitrary: key },
  { weight: 1, arbitrary: fc.constantFrom(bytes(''), bytes('\xff'.repeat(1979))) },
)
const value = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(255), fc.constantFrom(2000, 4095, 70_000))
      .map(([fill, length]) => new Uint8Array(length).fill(fill)),
  },
)
const range = fc.record<KeyRange>(
  { start: bound, end: bound, limit: fc.nat(5), reverse: fc.boolean() },
  { requiredKeys: ['start', 'end'] },
)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant('set' as const), key, value }),
  fc.record({ op: fc.constant('delete' as const), key }),
  fc.record({ op: fc.constant('deleteRange' as const), start: bound, end: bound }),
  // Counters have keys of their own, but deleteRange and set may hit them: then adding fails on both engines.
  fc.record({
    op: fc.constant('add' as const),
    key: fc.constantFrom(bytes('n'), bytes('a\x01')),
    delta: fc.maxSafeInteger(),
  }),
  fc.record({
    op: fc.constant('max' as const),
    key: fc.constantFrom(bytes('n'), bytes('a\x01')),
    value: fc.maxSafeInteger(),
  }),
  fc.tuple(key, key).map(([from, to]) => ({
    op: 'follow' as const,
    key: from,
    changes: (value: Uint8Array | undefined): Change[] =>
      value === undefined ? [{ op: 'delete', key: to }] : [{ op: 'set', key: to, value }],
  })),
)

/** The state that a commit expects: the current one, or another. */
type ExpectedState = { readonly read: Uint8Array | KeyRange; readonly otherwise: boolean }
type Step =
  | {
      readonly step: 'commit'
      readonly changes: readonly Change[]
      readonly expected: readonly ExpectedState[]
    }
  | { readonly step: 'open' }
  | {
      readonly step: 'read'
      readonly which: number
      readonly keys: readonly Uint8Array[]
      readonly range: KeyRange
    }
  | { readonly step: 'close'; readonly which: number }

const expected = fc.record<ExpectedState>({
  read: fc.oneof(key, range),
  otherwise: fc.integer({ min: 0, max: 5 }).map(draw => draw === 0),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('commit' as const),
      changes: fc.array(change, { maxLength: 6 }),
      expected: fc.array(expected, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('open' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('read' as const),
      which: fc.nat(3),
      keys: fc.array(key, { maxLength: 4 }),
      range,
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('close' as const), which: fc.nat(3) }) },
)

/** Runs the program; what each step gave, so that it can be compared. */
async function run(engine: Engine, program: readonly Step[]): Promise<unknown[]> {
  const everything: Change = { op: 'deleteRange', start: bytes(''), end: bytes('\xff'.repeat(2000)) }
  await engine.keyValue.commit({ expect: [], changes: [everything] })
  const snapshots: Snapshot[] = []
  const results: unknown[] = []
  for (const step of program) results.push(await runStep(engine, snapshots, step))
  for (const snapshot of snapshots) results.push(await readAll(snapshot))
  for (const snapshot of snapshots) snapshot.close()
  return results
}

async function runStep(engine: Engine, snapshots: Snapshot[], step: Step): Promise<unknown> {
  if (step.step === 'open') return snapshots.push(engine.keyValue.snapshot())
  if (step.step === 'commit') return commitStep(engine, step.changes, step.expected)
  const snapshot = snapshots[step.which]
  if (snapshot === undefined) return 'no such snapshot'
  if (step.step === 'close') {
    snapshot.close()
    return snapshots.splice(step.which, 1).length
  }
  const found = await snapshot.getMany(step.keys)
  return [found.map(text), (await collect(snapshot.range(step.range))).map(readable)]
}

async function commitStep(
  engine: Engine,
  changes: readonly Change[],
  expected: readonly ExpectedState[],
): Promise<unknown> {
  const snapshot = engine.keyValue.snapshot()
  const expect: Expectation[] = []
  for (const { read, otherwise } of expected) {
    if (read instanceof Uint8Array) {
      expect.push({ key: read, value: otherwise ? bytes('other') : await snapshot.get(read) })
    } else {
      const entries = await collect(snapshot.range(read))
      expect.push({
        range: read,
        entries: otherwise ? [...entries, { key: bytes('a'), value: bytes('') }] : entries,
      })
    }
  }
  snapshot.close()
  const batch: Batch = { expect, changes }
  const result: CommitResult | string = await engine.keyValue
    .commit(batch)
    .catch((error: Error) => error.message)
  const after = engine.keyValue.snapshot()
  const state = await readAll(after)
  after.close()
  return [result, state]
}

async function readAll(snapshot: Snapshot): Promise<string[]> {
  return (await collect(snapshot.range({ start: bytes(''), end: bytes('\xff'.repeat(2000)) }))).map(readable)
}

const readable = ({ key, value }: Entry) =>
  `${text(key)}=${value.length === 8 ? counter(value) : text(value)}`

/** Each program begins with an empty engine. */
export function describeRandomPrograms(engine: () => Engine, programs: number): void {
  it('a random program gives the same as on memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async program => {
        const memory = openMemoryEngine()
        expect(await run(engine(), program)).toEqual(await run(memory, program))
        await memory.close()
      }),
      { numRuns: programs },
    )
  })
}
