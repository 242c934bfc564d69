import { describe, expect, it } from 'vitest'
import { inParallel } from './in-parallel.ts'

type Task = () => Promise<void>

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

function* numbered(count: number, work: (index: number) => Promise<void>): Generator<Task> {
  for (let index = 0; index < count; index++) yield () => work(index)
}

describe('inParallel', () => {
  it('does every task once, at most the given number at once', async () => {
    const done: number[] = []
    let active = 0
    let most = 0
    await inParallel(
      numbered(20, async index => {
        most = Math.max(most, ++active)
        await turn()
        active--
        done.push(index)
      }),
      3,
      task => task(),
    )
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    expect(most).toBe(3)
  })

  it('does nothing for no tasks', async () => {
    await expect(inParallel([], 3, turn)).resolves.toBeUndefined()
  })

  it('takes tasks that arrive one after another, and begins no other when taking one fails', async () => {
    const done: number[] = []
    async function* arriving(count: number): AsyncGenerator<Task> {
      for (let index = 0; index < count; index++) {
        await turn()
        yield async () => void done.push(index)
      }
      if (count > 5) throw new Error('no more')
    }
    await inParallel(arriving(5), 3, task => task())
    expect(done).toEqual([0, 1, 2, 3, 4])
    await expect(inParallel(arriving(6), 3, task => task())).rejects.toThrow('no more')
  })

  it('begins no other task after a failure, and waits for those under way', async () => {
    let begun = 0
    let ended = 0
    const failing = inParallel(
      numbered(20, async index => {
        begun++
        if (index === 1) throw new Error('one')
        await turn()
        ended++
      }),
      3,
      task => task(),
    )
    await expect(failing).rejects.toThrow('one')
    expect([begun, ended]).toEqual([3, 2])
  })

  it('fails when the tasks cannot be listed', async () => {
    function* broken(): Generator<Task> {
      yield turn
      throw new Error('no more')
    }
    await expect(inParallel(broken(), 2, task => task())).rejects.toThrow('no more')
  })
})
