import { describe, expect, test } from 'vitest'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { Reads } from '../changes.ts'
import type { Change, KeyValue } from '../interfaces/engine.ts'
import { RememberedReads } from './remembered-reads.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const set = (key: string, value: string): Change => ({ op: 'set', key: bytes(key), value: bytes(value) })

function setUp(limit = 10) {
  const { keyValue } = openMemoryEngine()
  const remembered = new RememberedReads(limit)
  let runs = 0
  const names = new Set<string>()
  const ask = async (work: (reads: Reads) => Promise<unknown>, name = 'name', isKept = true) => {
    const snapshot = keyValue.snapshot()
    const counted = (reads: Reads) => {
      runs++
      return work(reads)
    }
    try {
      // A result is kept from the second time on.
      if (!names.has(name)) await remembered.read(snapshot, { name, isKept: () => isKept }, work)
      names.add(name)
      const before = runs
      const result = await remembered.read(snapshot, { name, isKept: () => isKept }, counted)
      return { result, ran: runs > before }
    } finally {
      snapshot.close()
    }
  }
  return { ask, change: (...changes: Change[]) => commit(keyValue, changes) }
}

async function commit(keyValue: KeyValue, changes: readonly Change[]): Promise<void> {
  await keyValue.commit({ expect: [], changes })
}

/** The text at `a`, and at the key that it names, if there are any. */
async function follow(reads: Reads): Promise<string> {
  const text = (value: Uint8Array | undefined) => (value ? new TextDecoder().decode(value) : 'none')
  const name = text(await reads.get(bytes('a')))
  const [value] = await reads.getMany([bytes(name)])
  return `${name}: ${text(value)}`
}

describe('RememberedReads', () => {
  test('gives a result again until one of its records changes, appears or goes', async () => {
    const { ask, change } = setUp()
    expect(await ask(follow)).toEqual({ result: 'none: none', ran: true })
    expect(await ask(follow)).toEqual({ result: 'none: none', ran: false })
    await change(set('a', 'b'))
    expect(await ask(follow)).toEqual({ result: 'b: none', ran: true })
    await change(set('unrelated', 'x'))
    expect(await ask(follow)).toEqual({ result: 'b: none', ran: false })
    await change(set('b', 'x'))
    expect(await ask(follow)).toEqual({ result: 'b: x', ran: true })
    await change({ op: 'delete', key: bytes('b') })
    expect(await ask(follow)).toEqual({ result: 'b: none', ran: true })
    expect(await ask(follow)).toEqual({ result: 'b: none', ran: false })
  })

  test('keeps nothing of a name that comes once', async () => {
    const { keyValue } = openMemoryEngine()
    const remembered = new RememberedReads(10)
    const snapshot = keyValue.snapshot()
    const ran: number[] = []
    for (let time = 1; time <= 3; time++) {
      await remembered.read(snapshot, { name: 'name', isKept: () => true }, async () => ran.push(time))
    }
    expect(ran).toEqual([1, 2])
    snapshot.close()
  })

  test('tells names apart, and keeps a limited number, the newest', async () => {
    const { ask } = setUp(2)
    for (const name of ['1', '2', '3']) expect((await ask(async () => name, name)).result).toBe(name)
    expect(await ask(async () => 'other', '3')).toEqual({ result: '3', ran: false })
    expect(await ask(async () => 'other', '1')).toEqual({ result: 'other', ran: true })
  })

  test('keeps no failure, nothing that walked a range, read much or is not to be kept', async () => {
    const { ask, change } = setUp()
    await change(set('large', 'x'.repeat(5000)))
    const walk = async (reads: Reads) => {
      for await (const _ of reads.range({ start: bytes('a'), end: bytes('b') })) break
    }
    const many = async (reads: Reads) => {
      for (let i = 0; i < 20; i++) await reads.get(bytes(`${i}`))
    }
    const large = (reads: Reads) => reads.get(bytes('large'))
    const fail = () => Promise.reject(new Error('no'))
    for (const [name, work] of Object.entries({ walk, many, large })) {
      expect((await ask(work, name)).ran).toBe(true)
      expect((await ask(work, name)).ran).toBe(true)
    }
    await expect(ask(fail, 'fail')).rejects.toThrow('no')
    await expect(ask(fail, 'fail')).rejects.toThrow('no')
    expect((await ask(follow, 'not kept', false)).ran).toBe(true)
    expect((await ask(follow, 'not kept', false)).ran).toBe(true)
  })

  test('a read that meets others of its name gives what its own snapshot holds', async () => {
    const { ask, change } = setUp()
    await change(set('a', '1'))
    let go = () => {}
    const wait = new Promise<void>(resolve => {
      go = resolve
    })
    const slow = ask(async reads => {
      const result = await follow(reads)
      await wait
      return result
    })
    await change(set('a', '2'))
    expect((await ask(follow)).result).toBe('2: none')
    go()
    expect((await slow).result).toBe('1: none')
    expect(await ask(follow)).toEqual({ result: '2: none', ran: true })
  })
})
