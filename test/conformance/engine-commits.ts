// Commits: atomic, serialisable, checked against what was expected; counters; sizes; closing.

import { describe, expect, it } from 'vitest'
import { logKey, logNumber } from '../../packages/store/batch.ts'
import type { Batch, Change, Engine, Expectation, Snapshot } from '../../packages/store/interfaces/engine.ts'
import { hexOf } from '../../packages/store/key-range.ts'
import {
  add,
  allEntries,
  bytes,
  collect,
  commit,
  counter,
  engineForEachTest,
  follow,
  get,
  max,
  remove,
  removeRange,
  set,
  text,
  withSnapshot,
} from './engine-fixture.ts'

const key = (name: string, value: string | undefined): Expectation => ({
  key: bytes(name),
  value: value === undefined ? undefined : bytes(value),
})

const range = (
  start: string,
  end: string,
  found: string,
  options: { limit?: number; reverse?: boolean } = {},
): Expectation => ({
  range: { start: bytes(start), end: bytes(end), ...options },
  entries: [...found].map(name => ({ key: bytes(name), value: bytes(name) })),
})

export function describeCommits(open: () => Promise<Engine>): void {
  describe('logs', () => {
    const engine = engineForEachTest(open)
    const log = (name: string, value: string): Change => ({
      op: 'log',
      key: bytes(name),
      value: bytes(value),
    })
    const logged = async (name: string): Promise<{ number: number; value: string }[]> =>
      withSnapshot(engine(), async snapshot => {
        const entries = await collect(snapshot.range({ start: bytes(name), end: bytes(`${name}\xff`) }))
        return entries.map(({ key, value }) => ({ number: logNumber(key), value: text(value) ?? '' }))
      })

    it('number their entries in the order of the commits', async () => {
      for (const value of ['a', 'b', 'c']) await commit(engine(), log('x', value), set('y', value))
      const entries = await logged('x')
      expect(entries.map(({ value }) => value)).toEqual(['a', 'b', 'c'])
      const numbers = entries.map(({ number }) => number)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      expect(numbers.every(number => number > 0)).toBe(true)
    })

    it('have every entry of commits at one time, in an order that snapshots agree on', async () => {
      const values = Array.from({ length: 300 }, (_, i) => `v${i}`)
      await Promise.all(values.map(value => commit(engine(), log('x', value))))
      const entries = await logged('x')
      expect(entries.map(({ value }) => value).sort()).toEqual([...values].sort())
      await commit(engine(), log('x', 'last'))
      expect((await logged('x')).slice(0, -1)).toEqual(entries)
    })

    it('go on after their first entries were deleted', async () => {
      for (const value of ['a', 'b']) await commit(engine(), log('x', value))
      const [, b] = await logged('x')
      const start = bytes('x')
      await commit(engine(), { op: 'deleteRange', start, end: logKey(start, b.number) })
      await commit(engine(), log('x', 'c'))
      const left = await logged('x')
      expect(left.map(({ value }) => value)).toEqual(['b', 'c'])
      expect(left[1].number).toBeGreaterThan(b.number)
    })

    it('get nothing of a batch that is in conflict', async () => {
      const result = await engine().keyValue.commit({
        expect: [key('a', 'absent')],
        changes: [log('x', 'a')],
      })
      expect(result.committed).toBe(false)
      expect(await logged('x')).toEqual([])
    })
  })

  describe('changes', () => {
    const engine = engineForEachTest(open)

    it.each<[string, Change[], string[]]>([
      ['set replaces', [set('a', 'new')], ['a=new', 'b=2', 'c=3']],
      ['delete removes, and passes over an absent key', [remove('a'), remove('x')], ['b=2', 'c=3']],
      [
        'deleteRange removes from its start, inclusive, to its end, exclusive',
        [removeRange('a', 'c')],
        ['c=3'],
      ],
      ['deleteRange of everything', [removeRange('', '\xff')], []],
      ['deleteRange of the first keys of a range', [removeRange('a', 'z', 2)], ['c=3']],
      ['deleteRange of more keys than there are', [removeRange('b', 'z', 5000)], ['a=1']],
      ['deleteRange of no keys', [removeRange('a', 'z', 0)], ['a=1', 'b=2', 'c=3']],
      ['deleteRange of an inverted range removes nothing', [removeRange('c', 'a')], ['a=1', 'b=2', 'c=3']],
      [
        'a later change sees the earlier ones: set after deleteRange',
        [removeRange('a', 'z'), set('b', 'new')],
        ['b=new'],
      ],
      ['deleteRange after set', [set('bb', 'new'), removeRange('b', 'c')], ['a=1', 'c=3']],
      ['set after delete', [remove('a'), set('a', 'new')], ['a=new', 'b=2', 'c=3']],
      ['delete after set', [set('a', 'new'), remove('a')], ['b=2', 'c=3']],
      ['the last of several sets stays', [set('a', 'x'), set('a', 'y')], ['a=y', 'b=2', 'c=3']],
      ['no changes', [], ['a=1', 'b=2', 'c=3']],
    ])('%s', async (_rule, changes, expected) => {
      await commit(engine(), set('a', '1'), set('b', '2'), set('c', '3'))
      expect(await commit(engine(), ...changes)).toEqual({ committed: true })
      expect(await allEntries(engine())).toEqual(expected)
    })

    it('bytes of a batch may be buffers, parts of larger ones, and be changed once it has committed', async () => {
      const all = Buffer.from('xkeyvaluex')
      await engine().keyValue.commit({
        expect: [],
        changes: [{ op: 'set', key: all.subarray(1, 4), value: all.subarray(4, 9) }],
      })
      all.fill(0)
      expect(await allEntries(engine())).toEqual(['key=value'])
    })

    it.each([0, 1, 2000, 4096, 65_536, 65_537, 10 << 20])('a value of %i bytes', async length => {
      const value = new Uint8Array(length).map((_, index) => (index * 31) ^ (index >> 8))
      await engine().keyValue.commit({ expect: [], changes: [{ op: 'set', key: bytes('k'), value }] })
      await withSnapshot(engine(), async snapshot => {
        const [entry] = await collect(snapshot.range({ start: bytes('a'), end: bytes('z') }))
        for (const found of [await snapshot.get(bytes('k')), entry?.value]) {
          expect(found !== undefined && Buffer.compare(found, value)).toBe(0)
        }
      })
      expect(await engine().keyValue.commit({ expect: [{ key: bytes('k'), value }], changes: [] })).toEqual({
        committed: true,
      })
    })

    it('keys of 1 byte and of the greatest length', async () => {
      const names = ['\x00', '\xff', ...[1, 2].map(more => 'k'.repeat(engine().maxKeyLength - 1) + more)]
      await commit(engine(), ...names.map(name => set(name, 'v')))
      for (const name of names) expect(await get(engine(), name)).toBe('v')
      expect(await allEntries(engine())).toHaveLength(4)
    })

    it.each<[string, (longest: number) => Change]>([
      ['a longer key', longest => set('k'.repeat(longest + 1), '')],
      ['an empty key', () => set('', '')],
      ['a counter changed by a fraction', () => add('n', 0.5)],
      ['a counter changed by 2^53', () => add('n', 2 ** 53)],
      ['a counter that has not 8 bytes', () => add('a', 1)],
      ['a counter raised to a fraction', () => max('n', 0.5)],
      ['a counter raised that has not 8 bytes', () => max('a', 1)],
      ['what follows from a value and cannot be applied', () => follow('b', () => [add('a', 1)])],
    ])('%s rejects, and nothing of its batch is applied', async (_rule, change) => {
      await commit(engine(), set('a', '1'))
      const rejected = commit(engine(), set('b', '2'), change(engine().maxKeyLength), set('c', '3'))
      const accepted = commit(engine(), set('d', '4'))
      await expect(rejected).rejects.toThrow(Error)
      expect(await accepted).toEqual({ committed: true })
      expect(await allEntries(engine())).toEqual(['a=1', 'd=4'])
    })

    it.each<[string, number, Change[], boolean]>([
      ['a counter up to its bound', 90, [add('n', 10)], true],
      ['a counter above its bound', 90, [add('n', 11)], false],
      ['one that is lowered', 120, [add('n', -1)], true],
      ['one that stays above its bound', 120, [add('n', 5), add('n', -5)], true],
      ['one that is raised above its bound', 120, [add('n', 1)], false],
      ['one that was not there', 0, [add('n', 101)], false],
      ['what follows from a value', 90, [follow('a', value => [add('n', (value?.length ?? 0) + 10)])], false],
      ['what follows and is taken back later', 90, [follow('a', () => [add('n', 50)]), add('n', -45)], true],
    ])('a bound holds for the whole batch: %s', async (_rule, before, changes, isAccepted) => {
      await commit(engine(), set('a', '1'), add('n', before))
      const done = commit(engine(), set('b', '2'), { op: 'bound', key: bytes('n'), most: 100 }, ...changes)
      if (isAccepted) expect(await done).toEqual({ committed: true })
      else await expect(done).rejects.toMatchObject({ code: 'quota-exceeded', subject: hexOf(bytes('n')) })
      expect(await get(engine(), 'b')).toBe(isAccepted ? '2' : undefined)
    })

    it('a bound is reached exactly by batches of which not all have room', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, number) =>
          commit(engine(), set(`k${number}`, ''), add('n', 3), { op: 'bound', key: bytes('n'), most: 100 }),
        ),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(33)
      expect(counter(bytes((await get(engine(), 'n')) ?? ''))).toBe(99n)
      expect((await allEntries(engine())).filter(entry => entry.startsWith('k'))).toHaveLength(33)
    })

    it('batches that fail take none of those committed at the same time with them', async () => {
      await commit(engine(), set('text', 'no counter'))
      const results = await Promise.allSettled(
        Array.from({ length: 60 }, (_, number) =>
          number % 7 === 3
            ? commit(engine(), set(`lost${number}`, ''), add('text', 1))
            : commit(engine(), set(`k${number}`, ''), add('count', 1)),
        ),
      )
      const failed = results.filter(({ status }) => status === 'rejected')
      const kept = (await allEntries(engine())).filter(entry => entry.startsWith('k'))
      expect([failed.length, kept.length]).toEqual([9, 51])
      expect(await allEntries(engine())).not.toContainEqual(expect.stringContaining('lost'))
      expect(counter(bytes((await get(engine(), 'count')) ?? ''))).toBe(51n)
    })
  })

  describe('expectations', () => {
    const engine = engineForEachTest(open)

    it.each<[string, Expectation[], number[]]>([
      ['a key with its value', [key('a', 'a')], []],
      ['an absent key', [key('x', undefined)], []],
      ['an empty value', [key('e', '')], []],
      ['another value', [key('a', 'b')], [0]],
      ['a value that is a prefix', [key('f', 'foo')], [0]],
      ['a key that should be absent', [key('a', undefined)], [0]],
      ['an empty value should be absent', [key('e', undefined)], [0]],
      ['an absent key should be empty', [key('x', '')], [0]],
      [
        'the positions of all that do not hold',
        [key('a', 'a'), key('b', 'x'), key('x', undefined), key('c', undefined)],
        [1, 3],
      ],
      ['two values of one key, of which the first holds', [key('a', 'a'), key('a', 'x')], [1]],
      ['two values of one key, of which the second holds', [key('a', 'x'), key('a', 'a')], [0]],
      ['the same value of one key twice', [key('a', 'a'), key('a', 'a')], []],
      ['a range with its entries', [range('a', 'd', 'abc')], []],
      ['a range under a limit', [range('a', 'd', 'ab', { limit: 2 })], []],
      ['a range in reverse', [range('a', 'd', 'cb', { limit: 2, reverse: true })], []],
      ['an empty range', [range('x', 'z', '')], []],
      ['an entry too many (phantom)', [range('a', 'd', 'ac')], [0]],
      ['an entry too many at the end', [range('a', 'd', 'ab')], [0]],
      ['an entry too many where there should be none', [range('a', 'd', '')], [0]],
      ['an entry too few', [range('a', 'd', 'abcd')], [0]],
      ['the wrong order', [range('a', 'd', 'cba')], [0]],
      [
        'a changed value',
        [
          {
            range: { start: bytes('a'), end: bytes('b') },
            entries: [{ key: bytes('a'), value: bytes('x') }],
          },
        ],
        [0],
      ],
      ['keys and ranges together', [range('a', 'd', 'abc'), key('a', 'x'), range('a', 'c', 'a')], [1, 2]],
    ])('%s', async (_rule, expectations, conflicts) => {
      await commit(engine(), ...[...'abc'].map(name => set(name, name)), set('e', ''), set('f', 'foobar'))
      const before = await allEntries(engine())
      const result = await engine().keyValue.commit({
        expect: expectations,
        changes: [set('a', 'changed'), remove('c')],
      })
      expect(result).toEqual(conflicts.length === 0 ? { committed: true } : { committed: false, conflicts })
      if (conflicts.length > 0) expect(await allEntries(engine())).toEqual(before)
      else expect(await get(engine(), 'a')).toBe('changed')
    })

    it('of two concurrent commits with the same expectation exactly one wins', async () => {
      const batch = (value: string): Batch => ({ expect: [key('a', undefined)], changes: [set('a', value)] })
      for (let round = 0; round < 5; round++) {
        const results = await Promise.all([
          engine().keyValue.commit(batch('1')),
          engine().keyValue.commit(batch('2')),
        ])
        expect(results.map(({ committed }) => committed).sort()).toEqual([false, true])
        expect(results).toContainEqual({ committed: false, conflicts: [0] })
        expect(await get(engine(), 'a')).toBe(results[0]?.committed ? '1' : '2')
        await commit(engine(), remove('a'))
      }
    })

    it('of two concurrent inserts into a range that was found empty exactly one wins', async () => {
      const batch = (name: string): Batch => ({ expect: [range('a', 'b', '')], changes: [set(name, name)] })
      const results = await Promise.all([
        engine().keyValue.commit(batch('a1')),
        engine().keyValue.commit(batch('a2')),
      ])
      expect(results.map(({ committed }) => committed).sort()).toEqual([false, true])
    })

    it('200 concurrent increments by read, expect and retry lose nothing', async () => {
      const increment = async (): Promise<void> => {
        const value = await withSnapshot(engine(), snapshot => snapshot.get(bytes('n')))
        const batch: Batch = {
          expect: [{ key: bytes('n'), value }],
          changes: [set('n', String(Number(text(value) ?? 0) + 1))],
        }
        if (!(await engine().keyValue.commit(batch)).committed) await increment()
      }
      const worker = async () => {
        for (let count = 0; count < 10; count++) await increment()
      }
      await Promise.all(Array.from({ length: 20 }, worker))
      expect(await get(engine(), 'n')).toBe('200')
    })

    it('a snapshot sees all of a batch or nothing of it', async () => {
      const names = Array.from({ length: 50 }, (_, number) => `k${number}`)
      const states = new Set<string>()
      const look = async (snapshot: Snapshot) => {
        const values = await snapshot.getMany(names.map(bytes))
        states.add([...new Set(values.map(text))].join())
        snapshot.close()
      }
      for (let round = 1; round <= 5; round++) {
        const writing = commit(engine(), ...names.map(name => set(name, String(round))))
        await look(engine().keyValue.snapshot())
        await writing
        await look(engine().keyValue.snapshot())
        expect([...states].at(-1)).toBe(String(round))
      }
      expect([...states].every(state => !state.includes(','))).toBe(true)
    })
  })

  describe('counters', () => {
    const engine = engineForEachTest(open)
    const read = (name: string) =>
      withSnapshot(engine(), async snapshot => counter(await snapshot.get(bytes(name))))

    it.each<[string, number[], bigint]>([
      ['an absent counter is 0', [5], 5n],
      ['it may become negative', [5, -7], -2n],
      ['it stays when it is 0', [5, -5], 0n],
      ['adding 0', [0], 0n],
      ['beyond 2^32', [2 ** 32, 2 ** 32], 8_589_934_592n],
      ['beyond 2^53', [2 ** 53 - 1, 2 ** 53 - 1, 3], 18_014_398_509_481_985n],
    ])('%s', async (_rule, deltas, sum) => {
      for (const delta of deltas) await commit(engine(), add('n', delta))
      await commit(engine(), ...deltas.map(delta => add('m', delta)))
      expect([await read('n'), await read('m')]).toEqual([sum, sum])
    })

    it('a bigint is added whole', async () => {
      await commit(engine(), add('n', 2n ** 54n + 1n), add('n', -(2n ** 53n)))
      expect(await read('n')).toBe(2n ** 53n + 1n)
    })

    it('it is 8 bytes, little-endian', async () => {
      await commit(engine(), add('n', -2), add('m', 258))
      expect(await get(engine(), 'n')).toBe('\xfe\xff\xff\xff\xff\xff\xff\xff')
      expect(await get(engine(), 'm')).toBe('\x02\x01\0\0\0\0\0\0')
    })

    it('a later add of the batch sees what earlier changes left', async () => {
      await commit(engine(), add('n', 5))
      await commit(
        engine(),
        add('n', 1),
        remove('n'),
        add('n', 2),
        set('m', '\x07\0\0\0\0\0\0\0'),
        add('m', 1),
      )
      expect([await read('n'), await read('m')]).toEqual([2n, 8n])
    })

    it.each<[string, number[], bigint]>([
      ['an absent counter is raised to any value', [-5], -5n],
      ['a higher value stays', [7, 3], 7n],
      ['a lower value is raised', [-7, 3, 5], 5n],
      ['beyond 2^32', [1, 2 ** 52, 2 ** 33], 2n ** 52n],
    ])('%s', async (_rule, values, highest) => {
      for (const value of values) await commit(engine(), max('n', value))
      await commit(engine(), ...values.map(value => max('m', value)))
      expect([await read('n'), await read('m')]).toEqual([highest, highest])
    })

    it('of many concurrent raises the highest stays', async () => {
      await Promise.all(
        Array.from({ length: 200 }, (_, number) => commit(engine(), max('n', (number * 77) % 200))),
      )
      expect(await read('n')).toBe(199n)
    })

    it('many concurrent adds sum up', async () => {
      await Promise.all(Array.from({ length: 200 }, (_, number) => commit(engine(), add('n', number - 50))))
      expect(await read('n')).toBe(9900n)
    })
  })

  describe('what follows from a value', () => {
    const engine = engineForEachTest(open)

    it('is applied at its place among the changes, on the value that is there then', async () => {
      await commit(engine(), set('a', 'old'), set('z', 'z'))
      const note = (name: string) => follow('a', value => [set(name, value ?? 'none'), remove('z')])
      await commit(engine(), note('1'), set('a', 'new'), note('2'), remove('a'), note('3'), set('z', 'again'))
      expect(await allEntries(engine())).toEqual(['1=old', '2=new', '3=none', 'z=again'])
    })

    it('may follow from the value of another key', async () => {
      await commit(engine(), set('a', 'x'), set('b', 'y'))
      const both = follow('a', a => [follow('b', b => [set('c', `${a}${b}`)]), set('b', 'z')])
      await commit(engine(), both, both)
      expect(await allEntries(engine())).toEqual(['a=x', 'b=z', 'c=xz'])
    })

    it('is not applied when the batch is not committed', async () => {
      const unmet = [{ key: bytes('a'), value: bytes('other') }]
      const batch = { expect: unmet, changes: [follow('a', () => [set('b', '')])] }
      const { committed } = await engine().keyValue.commit(batch)
      expect([committed, await allEntries(engine())]).toEqual([false, []])
    })

    it('of a key that many change so at once: each sees what those before it have made', async () => {
      const number = (name: string): Change =>
        follow('last', last => [
          follow(`entry ${last ?? 0}`, before => [
            set(`entry ${Number(last ?? 0) + 1}`, `${name} after ${before?.split(' ')[0] ?? 'none'}`),
            set('last', String(Number(last ?? 0) + 1)),
            add('n', 1),
          ]),
        ])
      const names = Array.from({ length: 60 }, (_, i) => `w${i}`)
      await Promise.all(names.map(name => commit(engine(), set(name, ''), number(name), number(`${name}b`))))
      expect(await get(engine(), 'last')).toBe('120')
      let before = 'none'
      const seen = new Set<string>()
      for (let i = 1; i <= 120; i++) {
        const entry = await get(engine(), `entry ${i}`)
        const [name, , after] = (entry ?? '').split(' ')
        expect(after).toBe(before)
        before = name
        seen.add(name)
      }
      expect(seen).toEqual(new Set(names.flatMap(name => [name, `${name}b`])))
    })

    it('counts concurrent replacements exactly, without conflicts', async () => {
      await Promise.all(
        Array.from({ length: 100 }, (_, number) => {
          const length = 1 + ((number * 37) % 50)
          const count = follow('v', value => [
            add('bytes', length - (value?.length ?? 0)),
            add('n', value === undefined ? 1 : 0),
          ])
          return commit(engine(), count, set('v', 'x'.repeat(length)))
        }),
      )
      const counters = await withSnapshot(engine(), snapshot => snapshot.getMany(['n', 'bytes'].map(bytes)))
      const length = BigInt((await get(engine(), 'v'))?.length ?? 0)
      expect(counters.map(counter)).toEqual([1n, length])
    })
  })

  describe('closing', () => {
    it('waits for commits under way and ends everything', async () => {
      const engine = await open()
      await commit(engine, set('a', '1'))
      let settled = 0
      const commits = Array.from({ length: 20 }, (_, number) =>
        commit(engine, set(`k${number}`, '')).finally(() => settled++),
      )
      // Behind a wrapper a commit begins later, so all of them have to be waited for here.
      const results = Promise.allSettled(commits)
      const closed = engine.close()
      await Promise.all([closed, results])
      expect(settled).toBe(20)
      for (const result of await results) {
        expect(result).toMatchObject(
          result.status === 'fulfilled'
            ? { value: { committed: true } }
            : { reason: { message: expect.stringContaining('closed') } },
        )
      }
      expect(() => engine.keyValue.snapshot()).toThrow('closed')
      await expect(commit(engine, set('b', '2'))).rejects.toThrow('closed')
    })
  })
}
