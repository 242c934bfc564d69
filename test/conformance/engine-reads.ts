// Snapshots: order, ranges, isolation, and whose the returned bytes are.

import type { Engine, Snapshot } from '@hyperslab/store/engines'
import { describe, expect, it } from 'vitest'
import {
  allEntries,
  bytes,
  collect,
  commit,
  engineForEachTest,
  entries,
  get,
  remove,
  set,
  text,
  withSnapshot,
} from './engine-fixture.ts'

export function describeReads(open: () => Promise<Engine>): void {
  describe('keys and ranges', () => {
    const engine = engineForEachTest(open)

    it('keys sort as unsigned bytes, a prefix before what it begins', async () => {
      const inOrder = [
        '\x00',
        '\x00\x00',
        '\x01',
        'a',
        'a\x00',
        'a\x00b',
        'aa',
        'ab',
        'b',
        '\x7f',
        '\x80',
        '\xff',
        '\xff\x00',
        '\xff\xff',
      ]
      await commit(engine(), ...[...inOrder].reverse().map(key => set(key, '')))
      expect(await allEntries(engine())).toEqual(inOrder.map(key => `${key}=`))
    })

    it.each<[string, string, string, { limit?: number; reverse?: boolean }, string]>([
      ['from the start, inclusive, to the end, exclusive', 'b', 'd', {}, 'bc'],
      ['bounds that are no keys', 'aa', 'cc', {}, 'bc'],
      ['an empty start is before every key', '', 'c', {}, 'ab'],
      ['an empty end is before every key', '', '', {}, ''],
      ['an empty range', 'b', 'b', {}, ''],
      ['an inverted range', 'd', 'b', {}, ''],
      ['an inverted range in reverse', 'd', 'b', { reverse: true }, ''],
      ['a limit', 'a', 'z', { limit: 2 }, 'ab'],
      ['a limit above what there is', 'c', 'z', { limit: 9 }, 'cde'],
      ['the limit 0', 'a', 'z', { limit: 0 }, ''],
      ['reverse', 'b', 'd', { reverse: true }, 'cb'],
      ['reverse from bounds that are no keys', 'aa', 'cc', { reverse: true }, 'cb'],
      ['reverse down to the first key', '', 'c', { reverse: true }, 'ba'],
      ['reverse from behind the last key', 'd', '\xff', { reverse: true }, 'ed'],
      ['reverse with a limit', 'a', 'z', { limit: 2, reverse: true }, 'ed'],
      ['nothing below the first key', '', 'a', { reverse: true }, ''],
      ['nothing above the last key', 'e\x00', 'z', {}, ''],
    ])('%s', async (_rule, start, end, options, keys) => {
      await commit(engine(), ...[...'abcde'].map(key => set(key, key)))
      const found = await withSnapshot(engine(), snapshot => entries(snapshot, start, end, options))
      expect(found).toEqual([...keys].map(key => `${key}=${key}`))
    })

    it('a range over many entries is complete in both directions and under any limit', async () => {
      const keys = Array.from({ length: 1000 }, (_, number) => `k${String(number).padStart(4, '0')}`)
      await commit(engine(), ...keys.map(key => set(key, key)))
      await withSnapshot(engine(), async snapshot => {
        const expected = keys.map(key => `${key}=${key}`)
        expect(await entries(snapshot)).toEqual(expected)
        expect(await entries(snapshot, '', 'z', { reverse: true })).toEqual([...expected].reverse())
        for (const limit of [255, 256, 257, 512, 999, 1000, 1001]) {
          expect(await entries(snapshot, '', 'z', { limit })).toEqual(expected.slice(0, limit))
        }
        expect((await entries(snapshot, '', 'z', { limit: 513, reverse: true })).at(-1)).toBe(expected[487])
      })
    })

    it('a range over large values is complete', async () => {
      const value = 'v'.repeat(300_000)
      await commit(engine(), ...[...'abcdefghij'].map(key => set(key, value + key)))
      const found = await withSnapshot(engine(), snapshot => entries(snapshot, 'b', 'j'))
      expect(found).toEqual([...'bcdefghi'].map(key => `${key}=${value}${key}`))
    })

    it('bounds may be longer than the longest key', async () => {
      const { maxKeyLength } = engine()
      const longest = 'k'.repeat(maxKeyLength)
      await commit(engine(), set(longest.slice(1), '0'), set(longest, '1'), set('l', '2'))
      await withSnapshot(engine(), async snapshot => {
        const values = async (start: string, end: string, reverse: boolean) =>
          (await entries(snapshot, start, end, { reverse })).map(entry => entry.at(-1)).join('')
        expect(await values(`${longest}\x00`, 'z', false)).toBe('2')
        expect(await values(`${longest}\x00`, 'z', true)).toBe('2')
        expect(await values('', `${longest}\x00`, false)).toBe('01')
        expect(await values('', `${longest}\x00`, true)).toBe('10')
        expect(await values('', longest, true)).toBe('0')
      })
    })

    it('the first step of a reader that stops early is all that is read', async () => {
      await commit(engine(), set('a', '1'), set('b', '2'))
      await withSnapshot(engine(), async snapshot => {
        for await (const entry of snapshot.range({ start: bytes(''), end: bytes('z') })) {
          expect(text(entry.key)).toBe('a')
          break
        }
        expect(await entries(snapshot)).toEqual(['a=1', 'b=2'])
      })
    })
  })

  describe('get and getMany', () => {
    const engine = engineForEachTest(open)

    it('an absent key is undefined, an empty value is not', async () => {
      await commit(engine(), set('empty', ''))
      expect(await get(engine(), 'empty')).toBe('')
      expect(await get(engine(), 'absent')).toBeUndefined()
    })

    it('a key that cannot be stored is absent', async () => {
      expect(await get(engine(), '')).toBeUndefined()
      expect(await get(engine(), 'k'.repeat(engine().maxKeyLength + 1))).toBeUndefined()
    })

    it('getMany answers in the order of the keys, repeated and absent ones included', async () => {
      await commit(engine(), set('a', '1'), set('b', '2'), set('c', '3'))
      const found = await withSnapshot(engine(), snapshot => snapshot.getMany([...'cxaac'].map(bytes)))
      expect(found.map(text)).toEqual(['3', undefined, '1', '1', '3'])
      expect(await withSnapshot(engine(), snapshot => snapshot.getMany([]))).toEqual([])
    })

    it('returned bytes are plain and the caller may change them', async () => {
      await commit(engine(), set('a', '1'))
      await withSnapshot(engine(), async snapshot => {
        const [entry] = await collect(snapshot.range({ start: bytes('a'), end: bytes('b') }))
        const found = [
          await snapshot.get(bytes('a')),
          ...(await snapshot.getMany([bytes('a')])),
          entry?.key,
          entry?.value,
        ]
        for (const value of found) {
          expect(value?.constructor).toBe(Uint8Array)
          value?.fill(0)
        }
        expect(await entries(snapshot)).toEqual(['a=1'])
      })
      expect(await allEntries(engine())).toEqual(['a=1'])
    })

    it('returned bytes stay as they are after later reads, commits and the end of the snapshot', async () => {
      await commit(engine(), set('a', '1'.repeat(5000)), set('b', '2'.repeat(5000)))
      const first = await withSnapshot(engine(), async snapshot => {
        const value = await snapshot.get(bytes('a'))
        await snapshot.get(bytes('b'))
        return value
      })
      await commit(engine(), set('a', '3'.repeat(5000)), remove('b'))
      await commit(engine(), set('b', '4'.repeat(5000)))
      expect(text(first)).toBe('1'.repeat(5000))
    })
  })

  describe('snapshots', () => {
    const engine = engineForEachTest(open)

    it('a snapshot does not see later commits, a later one does', async () => {
      await commit(engine(), set('a', '1'), set('b', '1'))
      const before = engine().keyValue.snapshot()
      await commit(engine(), set('a', '2'), remove('b'), set('c', '2'))
      const after = engine().keyValue.snapshot()
      await commit(engine(), set('a', '3'))
      expect(await entries(before)).toEqual(['a=1', 'b=1'])
      expect(text(await before.get(bytes('a')))).toBe('1')
      expect(await entries(after)).toEqual(['a=2', 'c=2'])
      before.close()
      expect((await after.getMany([bytes('a'), bytes('b')])).map(text)).toEqual(['2', undefined])
      after.close()
      expect(await allEntries(engine())).toEqual(['a=3', 'c=2'])
    })

    it('many snapshots at different states can be open at once and be closed in any order', async () => {
      const snapshots = []
      for (let number = 0; number < 40; number++) {
        await commit(engine(), set('n', String(number)))
        snapshots.push(engine().keyValue.snapshot(), engine().keyValue.snapshot())
      }
      for (const [position, snapshot] of snapshots.entries()) {
        expect(text(await snapshot.get(bytes('n')))).toBe(String(position >> 1))
      }
      for (let position = 0; position < snapshots.length; position += 3) snapshots[position]?.close()
      for (const [position, snapshot] of snapshots.entries()) {
        if (position % 3 === 0) continue
        expect(text(await snapshot.get(bytes('n')))).toBe(String(position >> 1))
        snapshot.close()
      }
    })

    it('a range that is being read is not disturbed by commits', async () => {
      const keys = Array.from({ length: 600 }, (_, number) => `k${String(number).padStart(3, '0')}`)
      await commit(engine(), ...keys.map(key => set(key, 'old')))
      await withSnapshot(engine(), async snapshot => {
        let position = 0
        for await (const entry of snapshot.range({ start: bytes('k'), end: bytes('l') })) {
          if (position === 10) await commit(engine(), ...keys.map(key => set(key, 'new')))
          if (position === 300) await commit(engine(), ...keys.map(remove))
          expect(text(entry.key)).toBe(keys[position++])
          expect(text(entry.value)).toBe('old')
        }
        expect(position).toBe(600)
      })
    })

    it('reads of a closed snapshot reject', async () => {
      await commit(engine(), set('a', '1'), set('b', '2'))
      const snapshot = engine().keyValue.snapshot()
      const range = snapshot.range({ start: bytes(''), end: bytes('z') })[Symbol.asyncIterator]()
      await range.next()
      snapshot.close()
      await expect(range.next()).rejects.toThrow('closed')
      await expect(snapshot.get(bytes('a'))).rejects.toThrow('closed')
      await expect(snapshot.getMany([bytes('a')])).rejects.toThrow('closed')
      await expect(collect(snapshot.range({ start: bytes(''), end: bytes('z') }))).rejects.toThrow('closed')
    })

    it('a snapshot that expires says why, and keeps its state no longer', async () => {
      await commit(engine(), set('a', '1'), set('b', '2'))
      const snapshot = engine().keyValue.snapshot()
      const range = snapshot.range({ start: bytes(''), end: bytes('z') })[Symbol.asyncIterator]()
      await range.next()
      await commit(engine(), set('a', '2'))
      const { newest, oldest } = await engine().keyValue.openSnapshots()
      expect(oldest).toBeLessThan(newest)
      snapshot.expire(new Error('it took too long'))
      snapshot.expire(new Error('it took longer'))
      expect(await engine().keyValue.openSnapshots()).toEqual({ newest, oldest: newest })
      await expect(range.next()).rejects.toThrow('it took too long')
      await expect(snapshot.get(bytes('a'))).rejects.toThrow('it took too long')
      snapshot.close()
      expect(() => snapshot.close()).toThrow('it took too long')
    })

    it('the numbers of states grow with each commit, and tell the oldest state that is being read', async () => {
      const { keyValue } = engine()
      const snapshots: Snapshot[] = []
      const numbers: number[] = []
      for (let state = 0; state < 4; state++) {
        await commit(engine(), set('n', String(state)))
        snapshots.push(keyValue.snapshot())
        numbers.push((await keyValue.openSnapshots()).newest)
      }
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      expect((await keyValue.openSnapshots()).oldest).toBe(numbers[0])
      expect(keyValue.snapshotSlots().taken).toBeGreaterThanOrEqual(4)
      for (const [closed, oldest] of [
        [1, 0],
        [0, 2],
        [3, 2],
        [2, 3],
      ] as const) {
        snapshots[closed].close()
        expect((await keyValue.openSnapshots()).oldest).toBe(numbers[oldest])
      }
    })

    it('this process is alive, others are not', async () => {
      const { keyValue } = engine()
      expect(await keyValue.isAlive(keyValue.process)).toBe(true)
      for (const other of ['', `${keyValue.process}1`, '1 1'])
        expect(await keyValue.isAlive(other)).toBe(false)
    })
  })
}
