import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { describe, expect, it } from 'vitest'
import { FigureList, Glance } from './figure-list.ts'

describe('a figure', () => {
  it('has the value of the moment at which it is read, and is left out without one', async () => {
    const figures = new FigureList()
    let value: number | undefined = 3
    figures.gauge('now', 'A gauge', () => value)
    figures.counters('kinds', 'A counter', 'kind', () => [['a', value ?? 0]])
    const lines = async () => (await figures.registry.metrics()).split('\n').filter(line => /^\w/.test(line))
    expect(await lines()).toEqual(['now 3', 'kinds{kind="a"} 3'])
    value = undefined
    expect(await lines()).toEqual(['kinds{kind="a"} 0'])
  })
})

describe('a glance', () => {
  it('waits for its call, and forgets the result of one that fails', async () => {
    const results = [Promise.resolve(1), Promise.reject(new Error('the disk is gone')), Promise.resolve(2)]
    const glance = new Glance(() => results.shift() ?? Promise.resolve(0))
    expect([await glance.take(), await glance.take(), await glance.take()]).toEqual([1, undefined, 2])
  })

  it('gives the last result while a call hangs, and makes no second call', async () => {
    const timers: (() => void)[] = []
    const after = (_: number, work: () => void) => {
      timers.push(work)
      return () => undefined
    }
    let calls = 0
    let end: (value: number) => void = () => undefined
    const hangs = () =>
      new Promise<number>(resolve => {
        end = resolve
      })
    const glance = new Glance(() => (++calls === 1 ? Promise.resolve(1) : hangs()), {
      ...SYSTEM_CLOCK,
      after,
    })
    expect(await glance.take()).toBe(1)
    const late = [glance.take(), glance.take()]
    for (const timer of timers) timer()
    expect(await Promise.all(late)).toEqual([1, 1])
    expect(calls).toBe(2)
    end(5)
    await Promise.resolve()
    expect(await glance.take()).toBe(5)
  })
})
