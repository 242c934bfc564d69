import type { Engine } from '@hyperslab/store/engines'
import { describe, expect, it } from 'vitest'
import { openMemoryEngine } from './memory.ts'
import { withCounters } from './with-counters.ts'
import { seededFaults, withFaults } from './with-faults.ts'
import { withLatency } from './with-latency.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const setTo = (value: string) =>
  ({ expect: [], changes: [{ op: 'set', key: bytes('k'), value: bytes(value) }] }) as const

async function value(engine: Engine): Promise<string | undefined> {
  const snapshot = engine.keyValue.snapshot()
  const found = await snapshot.get(bytes('k'))
  snapshot.close()
  return found && Buffer.from(found).toString()
}

describe('with counters', () => {
  it('counts what a piece of work costs', async () => {
    const engine = withCounters(openMemoryEngine())
    await engine.keyValue.commit(setTo('before'))
    const cost = await engine.count(async () => {
      await engine.keyValue.commit({ ...setTo('1'), expect: [{ key: bytes('k'), value: undefined }] })
      await engine.keyValue.commit(setTo('2'))
      const snapshot = engine.keyValue.snapshot()
      await snapshot.get(bytes('k'))
      await snapshot.getMany([bytes('a'), bytes('k'), bytes('z')])
      for await (const _ of snapshot.range({ start: bytes('a'), end: bytes('z') }));
      snapshot.close()
      await engine.blobs.put('ab', [bytes('01'), bytes('234')])
      await engine.blobs.read('ab', 3, new Uint8Array(10))
      await engine.blobs.delete('ab')
      for await (const _ of engine.blobs.list(''));
    })
    expect(cost).toEqual({
      snapshots: 1,
      gets: 2,
      keys: 4,
      ranges: 1,
      entries: 1,
      commits: 2,
      conflicts: 1,
      changes: 1,
      blobPuts: 1,
      blobBytesWritten: 5,
      blobReads: 1,
      blobBytesRead: 2,
      blobDeletes: 1,
      blobLists: 1,
    })
    expect(engine.counters.commits).toBe(3)
  })
})

describe('with faults', () => {
  it('a fault before an operation leaves it undone, one after it does not', async () => {
    const memory = openMemoryEngine()
    const plan: ('before' | 'after' | undefined)[] = ['before', 'after', undefined]
    const engine = withFaults(memory, operation => (operation === 'commit' ? plan.shift() : undefined))
    await expect(engine.keyValue.commit(setTo('1'))).rejects.toThrow(
      'Injected fault: commit fails before it is done',
    )
    expect(await value(memory)).toBeUndefined()
    await expect(engine.keyValue.commit(setTo('2'))).rejects.toThrow(
      'Injected fault: commit fails after it is done',
    )
    expect(await value(memory)).toBe('2')
    expect(await engine.keyValue.commit(setTo('3'))).toEqual({ committed: true })
  })

  it('a range can fail at its start or on the way', async () => {
    const memory = openMemoryEngine()
    await memory.keyValue.commit(setTo('1'))
    for (const [failing, found] of [
      ['range', 0],
      ['entry', 1],
    ] as const) {
      const engine = withFaults(memory, operation => (operation === failing ? 'before' : undefined))
      const snapshot = engine.keyValue.snapshot()
      let count = 0
      const reading = async () => {
        for await (const _ of snapshot.range({ start: bytes('a'), end: bytes('z') })) count++
      }
      await expect(reading()).rejects.toThrow(`${failing} fails`)
      expect(count).toBe(found)
      snapshot.close()
    }
  })

  it('the same seed gives the same faults, at the rates asked for', () => {
    const draw = (seed: number) => {
      const plan = seededFaults(seed, { commit: 0.3, get: 0 })
      return Array.from({ length: 2000 }, () => [plan('commit'), plan('get'), plan('put')])
    }
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
    const failures = draw(1).flat()
    expect(failures.filter(fault => fault === 'before').length).toBeGreaterThan(200)
    expect(failures.filter(fault => fault === 'after').length).toBeGreaterThan(200)
    expect(failures.filter(fault => fault !== undefined).length).toBeLessThan(700)
    expect(draw(1).every(([, get, put]) => get === undefined && put === undefined)).toBe(true)
  })
})

describe('with latency', () => {
  it('operations end in another order than they began, the same for the same seed', async () => {
    const order = async (seed: number) => {
      const engine = withLatency(openMemoryEngine(), { seed, maxMilliseconds: 40 })
      const snapshot = engine.keyValue.snapshot()
      const ended: number[] = []
      await Promise.all([0, 1, 2].map(number => snapshot.get(bytes('k')).then(() => ended.push(number))))
      return ended.join('')
    }
    // Seeds whose first three delays are well apart.
    expect([await order(4), await order(4), await order(10)]).toEqual(['210', '210', '021'])
  })
})
