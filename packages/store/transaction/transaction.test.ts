import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { Changes } from '../changes.ts'
import type { Engine, Snapshot } from '../interfaces/engine.ts'
import { EventNotes } from '../records/event-notes.ts'
import { Transaction } from './transaction.ts'

const keyOf = (name: string): Uint8Array => Buffer.from(name)
const begin = (engine: Engine): Transaction =>
  new Transaction({ engine, clock: testClock(), random: seededRandom(1) })
const always = (): boolean => true

async function stateOf(snapshot: Snapshot): Promise<Record<string, string>> {
  const state: Record<string, string> = {}
  for await (const { key, value } of snapshot.range({ start: keyOf('a'), end: keyOf('c') })) {
    state[Buffer.from(key).toString()] = Buffer.from(value).toString('latin1')
  }
  snapshot.close()
  return state
}

/** Keys are `a` and a digit. What is written depends on all that was read before it. */
type Step =
  | { readonly op: 'get' | 'getMany' | 'set' | 'delete' | 'add' | 'raise'; readonly key: number }
  | { readonly op: 'range'; readonly key: number; readonly length: number; readonly limit: number }
  | { readonly op: 'deleteRange'; readonly key: number; readonly length: number }

const digit = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constantFrom('get', 'getMany', 'set', 'set', 'delete'), key: digit }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('add', 'raise'), key: digit }) },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('range'), key: digit, length: fc.nat(9), limit: fc.nat(4) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('deleteRange'), key: digit, length: fc.nat(3) }) },
)
/** The entries that exist when a test begins: enough to be in the way of limits and ranges. */
const FULL: readonly Step[] = [0, 1, 2, 3, 4, 5].map(key => ({ op: 'set', key }))
const program = fc.array(step, { minLength: 1, maxLength: 12, size: 'max' })

/** Counters have keys of their own, since `add` needs a counter. */
const plain = (number: number): Uint8Array => keyOf(`a${number}`)
const counter = (number: number): Uint8Array => keyOf(`b${number}`)
const highest = (number: number): Uint8Array => keyOf(`b${number}max`)

async function run(changes: Changes, steps: readonly Step[], name: string): Promise<string> {
  let seen = name
  const note = (value: Uint8Array | undefined): void => {
    seen = `${seen.slice(-30)}.${value === undefined ? '-' : Buffer.from(value).toString('latin1').slice(-8)}`
  }
  for (const step of steps) {
    switch (step.op) {
      case 'get':
        note(await changes.get(plain(step.key)))
        break
      case 'getMany':
        for (const value of await changes.getMany([plain, counter, highest].map(keyAt => keyAt(step.key)))) {
          note(value)
        }
        break
      case 'set':
        changes.set(plain(step.key), Buffer.from(seen, 'latin1'))
        break
      case 'delete':
        changes.delete(plain(step.key))
        break
      case 'add':
        changes.add(counter(step.key), 1)
        break
      case 'raise':
        changes.raise(highest(step.key), steps.length)
        break
      case 'range': {
        const range = { start: plain(step.key), end: plain(Math.min(9, step.key + step.length)) }
        for await (const { key, value } of changes.range({ ...range, limit: step.limit })) {
          note(key)
          note(value)
        }
        break
      }
      case 'deleteRange':
        changes.deleteRange({ start: plain(step.key), end: plain(Math.min(9, step.key + step.length)) })
        changes.deleteRange({ start: counter(step.key), end: counter(Math.min(9, step.key + step.length)) })
    }
  }
  return seen
}

async function write(engine: Engine, steps: readonly Step[], name: string): Promise<string> {
  for (;;) {
    const transaction = begin(engine)
    const seen = await run(transaction, steps, name)
    const committed = await transaction.commit(always)
    await transaction.end()
    if (committed) return seen
  }
}

/** The obvious way: every change is a commit of its own. */
async function writeDirectly(engine: Engine, steps: readonly Step[], name: string): Promise<string> {
  const commit = async (change: (transaction: Transaction) => void): Promise<void> => {
    const transaction = begin(engine)
    change(transaction)
    await transaction.commit(always)
    await transaction.end()
  }
  let pending: Promise<void> = Promise.resolve()
  const queue = (change: (transaction: Transaction) => void): void => {
    pending = pending.then(() => commit(change))
  }
  const read = async <T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> => {
    await pending
    const snapshot = engine.keyValue.snapshot()
    try {
      return await work(snapshot)
    } finally {
      snapshot.close()
    }
  }
  const changes: Changes = {
    time: 0,
    random: seededRandom(1),
    touched: new Set(),
    touchedDomains: new Map(),
    lastStamp: undefined,
    event: new EventNotes(),
    fill() {},
    isFilling: () => false,
    expectAbsent() {},
    expectEmpty() {},
    isAbsent: async key => (await read(snapshot => snapshot.get(key))) === undefined,
    noteEmpty() {},
    async applyAmendments() {},
    get stored() {
      return changes
    },
    get: key => read(snapshot => snapshot.get(key)),
    getMany: keys => read(snapshot => snapshot.getMany(keys)),
    async *range(range) {
      yield* await read(async snapshot => {
        const entries = []
        for await (const entry of snapshot.range(range)) entries.push(entry)
        return entries
      })
    },
    set: (key, value) => queue(transaction => transaction.set(key, value)),
    delete: key => queue(transaction => transaction.delete(key)),
    deleteRange: range => queue(transaction => transaction.deleteRange(range)),
    deleteLater: range => queue(transaction => transaction.deleteLater(range)),
    deleteFirst: (range, limit) => queue(transaction => transaction.deleteFirst(range, limit)),
    add: (key, delta) => queue(transaction => transaction.add(key, delta)),
    raise: (key, value) => queue(transaction => transaction.raise(key, value)),
    noteGarbage: name => queue(transaction => transaction.noteGarbage(name)),
  }
  const seen = await run(changes, steps, name)
  await pending
  return seen
}

describe('a transaction', () => {
  it('sees and leaves what would be if every change were made at once', async () => {
    await fc.assert(
      fc.asyncProperty(program, program, async (first, second) => {
        const [one, other] = [openMemoryEngine(), openMemoryEngine()]
        for (const engine of [one, other]) await write(engine, FULL, 'full')
        expect(await write(one, first, 'x')).toBe(await writeDirectly(other, first, 'x'))
        expect(await write(one, second, 'y')).toBe(await writeDirectly(other, second, 'y'))
        expect(await stateOf(one.keyValue.snapshot())).toEqual(await stateOf(other.keyValue.snapshot()))
      }),
    )
  })

  it('that another one got in the way of ends as if it had come after it', async () => {
    await fc.assert(
      fc.asyncProperty(program, program, program, async (before, mine, theirs) => {
        const [one, other] = [openMemoryEngine(), openMemoryEngine()]
        for (const engine of [one, other]) {
          await write(engine, FULL, 'full')
          await write(engine, before, 'x')
        }
        const transaction = begin(one)
        let seen = await run(transaction, mine, 'y')
        await write(one, theirs, 'z')
        if (!(await transaction.commit(always))) seen = await write(one, mine, 'y')
        await write(other, theirs, 'z')
        const expected = await write(other, mine, 'y')
        expect(await stateOf(one.keyValue.snapshot())).toEqual(await stateOf(other.keyValue.snapshot()))
        // A transaction that has changed nothing may have seen the state before.
        if (mine.some(({ op }) => op !== 'get' && op !== 'getMany' && op !== 'range')) {
          expect(seen).toBe(expected)
        }
      }),
    )
  })

  it('those within another one leave what they would have left one after another', async () => {
    await fc.assert(
      fc.asyncProperty(program, program, program, async (first, failed, second) => {
        const [one, other] = [openMemoryEngine(), openMemoryEngine()]
        for (const engine of [one, other]) await write(engine, FULL, 'full')
        const together = begin(one)
        const seen: string[] = []
        for (const [steps, name] of [
          [first, 'x'],
          [failed, ''],
          [second, 'y'],
        ] as const) {
          const transaction = together.within()
          const result = await run(transaction, steps, name)
          if (name !== '') {
            await transaction.commit(always)
            seen.push(result)
          }
          await transaction.end()
        }
        expect(await together.commit(always)).toBe(true)
        await together.end()
        expect(seen).toEqual([await write(other, first, 'x'), await write(other, second, 'y')])
        expect(await stateOf(one.keyValue.snapshot())).toEqual(await stateOf(other.keyValue.snapshot()))
      }),
    )
  })

  it('depends on what those within it have read', async () => {
    const engine = openMemoryEngine()
    const together = begin(engine)
    const inner = together.within()
    await inner.get(plain(1))
    inner.set(plain(2), keyOf('x'))
    await inner.commit(always)
    await write(engine, [{ op: 'set', key: 1 }], 'theirs')
    expect(await together.commit(always)).toBe(false)
    expect(together.conflict).toBe('a1')
  })

  const EXPECTATIONS: readonly (readonly [string, (of: Transaction) => void])[] = [
    ['a key that it expects to be absent', of => of.expectAbsent(plain(1))],
    ['a range that it expects to be empty', of => of.expectEmpty({ start: plain(0), end: plain(2) })],
  ]

  it.each(EXPECTATIONS)(
    'sees nothing at %s, and runs again if there is something',
    async (_, expectNothing) => {
      for (const isWithin of [false, true]) {
        const engine = openMemoryEngine()
        const together = begin(engine)
        const transaction = isWithin ? together.within() : together
        expectNothing(transaction)
        await write(engine, [{ op: 'set', key: 1 }], 'theirs')
        expect(await transaction.get(plain(1))).toBeUndefined()
        transaction.set(plain(1), keyOf('mine'))
        if (isWithin) await transaction.commit(always)
        expect(await together.commit(always)).toBe(false)
        expect((await stateOf(engine.keyValue.snapshot())).a1).toBe('theirs')
      }
    },
  )

  it.each(EXPECTATIONS)(
    'that has set a key does not find it at %s, nor do those within it',
    (_, expectNothing) => {
      const together = begin(openMemoryEngine())
      together.set(plain(1), keyOf('x'))
      expect(() => expectNothing(together)).toThrow('other writes kept changing')
      expect(() => expectNothing(together.within())).toThrow('other writes kept changing')
    },
  )

  it('does not look up what is in a range that is known to be empty, and sees its own changes there', async () => {
    const engine = openMemoryEngine()
    await write(engine, FULL, 'full')
    const transaction = begin(engine)
    transaction.noteEmpty({ start: plain(1), end: plain(3) })
    expect(await transaction.get(plain(1))).toBeUndefined()
    expect(await transaction.getMany([plain(2), plain(3)])).toEqual([
      undefined,
      new Uint8Array(keyOf('full')),
    ])
    expect(await transaction.glance(plain(2))).toBeUndefined()
    const merge = async () => expect.unreachable()
    expect(await transaction.getForMerge(plain(2), merge)).toBeUndefined()
    transaction.set(plain(2), keyOf('mine'))
    const keys = async (start: number, end: number) => {
      const found: string[] = []
      for await (const { key } of transaction.range({ start: plain(start), end: plain(end) }))
        found.push(Buffer.from(key).toString())
      return found
    }
    expect(await keys(1, 3)).toEqual(['a2'])
    expect(await keys(1, 4)).toEqual(['a1', 'a2', 'a3'])
    expect([...transaction.keysRead]).toEqual(['a3'])
  })

  it('that only reads commits nothing, and conflicts with no write', async () => {
    const engine = openMemoryEngine()
    const transaction = begin(engine)
    await transaction.get(plain(1))
    await write(engine, [{ op: 'set', key: 1 }], 'x')
    expect(await transaction.commit(always)).toBe(true)
  })

  it('counters that were added to, set, deleted and added to again', async () => {
    const engine = openMemoryEngine()
    await write(engine, [{ op: 'add', key: 1 }], 'x')
    const transaction = begin(engine)
    transaction.add(counter(1), 2)
    transaction.add(counter(1), 3)
    expect((await transaction.get(counter(1)))?.[0]).toBe(6)
    transaction.delete(counter(1))
    transaction.add(counter(1), -1)
    await transaction.commit(always)
    expect((await stateOf(engine.keyValue.snapshot())).b1).toBe('\xff'.repeat(8))
  })

  it('finds entries that were read ahead in the state that it reads, and depends on those that it uses', async () => {
    const engine = openMemoryEngine()
    const setOf = (value: string) => async (transaction: Transaction) => {
      for (const i of [1, 2]) transaction.set(plain(i), keyOf(value))
      return transaction.commit(always)
    }
    await setOf('old')(begin(engine))
    const transaction = begin(engine)
    await transaction.readAhead([plain(1), plain(2), plain(3)])
    expect([...transaction.keysRead]).toEqual([])
    await setOf('new')(begin(engine))
    expect(await transaction.glance(plain(1))).toEqual(new Uint8Array(keyOf('old')))
    expect(await transaction.get(plain(3))).toBeUndefined()
    transaction.set(plain(1), keyOf('mine'))
    expect(await transaction.glance(plain(1))).toEqual(keyOf('mine'))
    expect([...transaction.keysRead]).toEqual(['a3'])
    const inner = transaction.within()
    await inner.readAhead([plain(2)])
    expect([...transaction.keysRead]).toEqual(['a3'])
  })

  describe('what is counted of values that others replace', () => {
    /** Replaces the value under a key, and keeps count of the bytes of all values. */
    async function replace(transaction: Transaction, key: Uint8Array, value: string): Promise<void> {
      const before = (await transaction.glance(key))?.length ?? 0
      transaction.follow(key, found => {
        return [{ op: 'add', key: counter(0), delta: before - (found?.length ?? 0) }]
      })
      transaction.add(counter(0), value.length - before)
      transaction.set(key, keyOf(value))
    }
    const sizeIn = async (engine: Engine) => (await stateOf(engine.keyValue.snapshot())).b0?.charCodeAt(0)

    it('follows from what is there', async () => {
      const engine = openMemoryEngine()
      const transactions = ['x', 'yyy', 'zzzzzzz'].map(value => ({ value, transaction: begin(engine) }))
      for (const { value, transaction } of transactions) {
        for (const text of [`${value}${value}`, value]) await replace(transaction, plain(1), text)
        await replace(transaction, plain(2), 'ab')
      }
      for (const { transaction } of transactions) expect(await transaction.commit(() => false)).toBe(true)
      const state = await stateOf(engine.keyValue.snapshot())
      expect([state.a1, state.a2]).toEqual(['zzzzzzz', 'ab'])
      expect(await sizeIn(engine)).toBe(9)
    })

    it('follows no more when all values are deleted by their count', async () => {
      const engine = openMemoryEngine()
      const swap = async (first: string, second: string): Promise<void> => {
        const transaction = begin(engine)
        await replace(transaction, plain(1), first)
        await replace(transaction, plain(2), second)
        expect(await transaction.commit(always)).toBe(true)
      }
      await swap('x', 'yyy')
      const transaction = begin(engine)
      await replace(transaction, plain(1), 'zzzzz')
      const counted = (await transaction.get(counter(0)))?.[0] ?? 0
      transaction.deleteRange({ start: plain(0), end: plain(9) })
      transaction.add(counter(0), -counted)
      // The count is the same, but not what each value counts.
      await swap('yyy', 'x')
      expect(await transaction.commit(() => false)).toBe(true)
      expect(await sizeIn(engine)).toBe(0)
    })
  })

  describe('merging', () => {
    const text = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString()

    /** Appends to a value; when another transaction has changed it, appends to that. */
    async function append(transaction: Transaction, suffix: string): Promise<void> {
      const key = plain(1)
      const add = (base: Uint8Array | undefined): void =>
        transaction.set(key, Buffer.from(text(base) + suffix))
      add(await transaction.getForMerge(key, async current => add(current)))
    }
    const valueIn = async (engine: Engine): Promise<string | undefined> =>
      (await stateOf(engine.keyValue.snapshot())).a1

    it('makes the change again on what is there now, as often as it takes', async () => {
      const engine = openMemoryEngine()
      const transaction = begin(engine)
      await append(transaction, 'x')
      const other = begin(engine)
      await append(other, 'y')
      expect(await other.commit(always)).toBe(true)
      let asked = 0
      expect(await transaction.commit(() => ++asked < 5)).toBe(true)
      expect(asked).toBe(1)
      expect(await valueIn(engine)).toBe('yx')
    })

    it('is not for keys that the work has read, before or after', async () => {
      for (const when of ['before', 'after']) {
        const engine = openMemoryEngine()
        const transaction = begin(engine)
        if (when === 'before') await transaction.get(plain(1))
        await append(transaction, 'x')
        if (when === 'after') await transaction.get(plain(1))
        await append(transaction, 'x')
        await write(engine, [{ op: 'set', key: 1 }], 'theirs')
        expect(await transaction.commit(always)).toBe(false)
        expect(await valueIn(engine)).toBe('theirs')
      }
    })

    it('is not enough when something else was read that has changed', async () => {
      const engine = openMemoryEngine()
      const transaction = begin(engine)
      await append(transaction, 'x')
      await transaction.get(plain(2))
      await write(
        engine,
        [
          { op: 'set', key: 1 },
          { op: 'set', key: 2 },
        ],
        'theirs',
      )
      expect(await transaction.commit(always)).toBe(false)
    })

    it('is not needed once the value is set as a whole, or deleted', async () => {
      for (const change of ['set', 'delete', 'deleteRange'] as const) {
        const engine = openMemoryEngine()
        const transaction = begin(engine)
        await append(transaction, 'x')
        if (change === 'set') transaction.setWhole(plain(1), keyOf('whole'))
        else if (change === 'delete') transaction.delete(plain(1))
        else transaction.deleteRange({ start: plain(0), end: plain(9) })
        await write(engine, [{ op: 'set', key: 1 }], 'theirs')
        expect(await transaction.commit(() => false)).toBe(true)
        expect(await valueIn(engine)).toBe(change === 'set' ? 'whole' : undefined)
      }
    })
  })

  describe('blobs', () => {
    const exists = async (engine: Engine, name: string): Promise<boolean> => {
      for await (const blob of engine.blobs.list(name)) if (blob === name) return true
      return false
    }

    it('of a transaction that ends without a commit go, those it did not put stay', async () => {
      const engine = openMemoryEngine()
      await engine.blobs.put('aa', [])
      const transaction = begin(engine)
      await transaction.putBlob('ab', [])
      transaction.dropBlob('aa')
      await transaction.end()
      expect([await exists(engine, 'aa'), await exists(engine, 'ab')]).toEqual([true, false])
    })

    it('of a commit stay, except those that it gave up', async () => {
      const engine = openMemoryEngine()
      const transaction = begin(engine)
      await transaction.putBlob('aa', [])
      await transaction.putBlob('ab', [])
      transaction.dropBlob('ab')
      transaction.set(plain(1), keyOf('x'))
      await transaction.commit(always)
      await transaction.end()
      expect([await exists(engine, 'aa'), await exists(engine, 'ab')]).toEqual([true, false])
    })

    it('of one within another go unless both are committed; those that are replaced go too', async () => {
      const engine = openMemoryEngine()
      const together = begin(engine)
      for (const [name, replaced] of [
        ['aa', undefined],
        ['ab', 'aa'],
        ['ac', undefined],
      ] as const) {
        const inner = together.within()
        await inner.putBlob(name, [])
        if (replaced) inner.dropBlob(replaced)
        inner.set(plain(1), keyOf(name))
        if (name !== 'ac') await inner.commit(always)
        await inner.end()
      }
      const there = () => Promise.all(['aa', 'ab', 'ac'].map(name => exists(engine, name)))
      expect(await there()).toEqual([true, true, false])
      expect(await together.commit(always)).toBe(true)
      await together.end()
      expect(await there()).toEqual([false, true, false])
    })

    it('of a commit that failed stay, because it may have been done', async () => {
      const engine = openMemoryEngine()
      const transaction = begin(engine)
      await transaction.putBlob('aa', [])
      transaction.set(plain(1), keyOf('x'))
      const failure = new Error('the disk')
      Object.assign(engine.keyValue, { commit: () => Promise.reject(failure) })
      await expect(transaction.commit(always)).rejects.toBe(failure)
      await transaction.end()
      expect(await exists(engine, 'aa')).toBe(true)
    })

    it('of a commit that was refused because of the write lock go, because it was not done', async () => {
      const engine = openMemoryEngine()
      const transaction = begin(engine)
      await transaction.putBlob('aa', [])
      transaction.set(plain(1), keyOf('x'))
      const refusal = new HyperslabError('storage-locked', 'another process holds the write lock')
      Object.assign(engine.keyValue, { commit: () => Promise.reject(refusal) })
      await expect(transaction.commit(always)).rejects.toBe(refusal)
      await transaction.end()
      expect(await exists(engine, 'aa')).toBe(false)
    })
  })
})

it('has room for more changes than a call takes arguments', async () => {
  let committed = 0
  const engine = openMemoryEngine()
  engine.keyValue.commit = async ({ changes }) => {
    committed = changes.length
    return { committed: true }
  }
  const transaction = begin(engine)
  const value = keyOf('value')
  for (let i = 0; i < 300_000; i++) transaction.set(keyOf(`a${i}`), value)
  expect(await transaction.commit(always)).toBe(true)
  expect(committed).toBe(300_000)
  await transaction.end()
})
