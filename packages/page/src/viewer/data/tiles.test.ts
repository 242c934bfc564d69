import type { DatasetShape, Domain, Values } from '@hyperslab/client'
import { describe, expect, test, vi } from 'vitest'
import { drawInParts, type Progress, Redraws, type Screen, Tiles } from './tiles.ts'

const DATASET = {
  id: 'd-1',
  type: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' },
  shape: [100],
} satisfies DatasetShape

/** A domain whose answers come when they are released. */
function heldDomain() {
  const requests: { signal: AbortSignal; release: () => void; reduce: string | undefined }[] = []
  const read = (_: DatasetShape, { signal, reduce }: { signal: AbortSignal; reduce?: string }) =>
    new Promise<Values>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      requests.push({ signal, reduce, release: () => resolve({ shape: [1], data: Float64Array.of(7) }) })
    })
  return { requests, tiles: new Tiles({ read } as unknown as Domain) }
}

function tileAt(i: number) {
  return [{ start: i * 8, stop: i * 8 + 8, block: 4 }]
}

/** All that was to be done has been done: timers of the same time run in their order. */
const turn = () => new Promise(resolve => setTimeout(resolve))

/** A screen whose time passes, and whose drawings end, when the test says so. */
function testScreen() {
  const callbacks: (() => void)[] = []
  const time = { now: 0 }
  const screen: Screen = { now: () => time.now, whenDrawn: callback => callbacks.push(callback) }
  /** So much time passes, and then what was to be drawn is on the screen. */
  const draw = (milliseconds: number) => {
    time.now += milliseconds
    for (const callback of callbacks.splice(0)) callback()
  }
  return { screen, time, draw }
}

describe('tiles', () => {
  test('are requested once for all that wait, and again after a change', async () => {
    const { requests, tiles } = heldDomain()
    const { signal } = new AbortController()
    const both = Promise.all([0, 1].map(() => tiles.read(DATASET, 0, tileAt(0), 'mean', signal)))
    await turn()
    expect(requests.map(({ reduce }) => reduce)).toEqual(['mean:4'])
    requests[0]?.release()
    await both
    await tiles.read(DATASET, 0, tileAt(0), 'mean', signal)
    expect(requests).toHaveLength(1)
    void tiles.read(DATASET, 1, tileAt(0), 'mean', signal)
    void tiles.read(DATASET, 0, tileAt(0), 'max', signal)
    await turn()
    expect(requests).toHaveLength(3)
  })

  test('are given up when nobody waits any more, and a queued one is never requested', async () => {
    const { requests, tiles } = heldDomain()
    const [first, second] = [new AbortController(), new AbortController()]
    const reads = [0, 1, 2, 3, 4, 5].map(i => tiles.read(DATASET, 0, tileAt(i), 'mean', first.signal))
    const ends = Promise.allSettled(reads)
    const other = tiles.read(DATASET, 0, tileAt(0), 'mean', second.signal)
    await turn()
    expect(requests).toHaveLength(4)
    first.abort()
    await turn()
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true, true, true])
    expect(requests).toHaveLength(4)
    requests[0]?.release()
    expect((await other).data).toEqual(Float64Array.of(7))
    expect((await ends).map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
    // The places of the others are free again.
    void tiles.read(DATASET, 0, tileAt(9), 'mean', second.signal)
    await turn()
    expect(requests).toHaveLength(5)
  })

  test('that failed are requested again', async () => {
    const read = vi
      .fn()
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValueOnce({ shape: [1], data: [1] })
    const tiles = new Tiles({ read } as unknown as Domain)
    const { signal } = new AbortController()
    await expect(tiles.read(DATASET, 0, tileAt(0), 'mean', signal)).rejects.toThrow('no')
    expect((await tiles.read(DATASET, 0, tileAt(0), 'mean', signal)).data).toEqual([1])
  })
})

describe('drawings while tiles come', () => {
  test('are made some time after the beginning, and after the former one was on the screen', () => {
    const { screen, time } = testScreen()
    const redraws = new Redraws(screen)
    expect(redraws.isDue).toBe(false)
    time.now += 300
    expect(redraws.isDue).toBe(true)
    redraws.begin()
    time.now += 1e6
    expect(redraws.isDue).toBe(false)
  })

  // One that takes long is not followed by the next one at once.
  test.each([
    [100, 300],
    [500, 1500],
  ])('after one that took %d ms, the next one is due %d ms later', (taken, pause) => {
    const { screen, time, draw } = testScreen()
    const redraws = new Redraws(screen)
    redraws.begin()
    draw(taken)
    expect(redraws.isDue).toBe(false)
    time.now += pause - 1
    expect(redraws.isDue).toBe(false)
    time.now += 1
    expect(redraws.isDue).toBe(true)
  })

  test('show the sample, some parts after a while, and at last all', async () => {
    const { screen, time, draw } = testScreen()
    const shown: (Progress | undefined)[] = []
    const show = (progress: Progress | undefined) => shown.push(progress)
    const arrive: (() => void)[] = []
    const read = () => new Promise<void>(resolve => arrive.push(resolve))
    const drawing = drawInParts([0, 1, 2], { samples: [async () => {}], read, show }, screen)
    await turn()
    expect(shown).toEqual([{ done: 0, all: 3 }])
    draw(10)
    time.now += 299
    arrive[0]?.()
    await turn()
    expect(shown).toHaveLength(1)
    time.now += 1
    arrive[1]?.()
    await turn()
    expect(shown.slice(1)).toEqual([{ done: 2, all: 3 }])
    draw(10)
    time.now += 1e6
    arrive[2]?.()
    await drawing
    expect(shown.slice(2)).toEqual([undefined])
  })

  test('read smaller parts instead of one, and count what each is for', async () => {
    const { screen, time } = testScreen()
    const shown: (Progress | undefined)[] = []
    const order: string[] = []
    const read = async (part: string) => {
      order.push(part)
      time.now += 300
    }
    const steps = {
      read,
      split: (part: string) => (part === 'ab' ? ['a', 'b'] : part === 'nothing' ? [] : undefined),
      countOf: (part: string) => (part === 'nothing' ? 0 : part.length),
      show: (progress: Progress | undefined) => shown.push(progress),
    }
    await drawInParts(['ab', 'nothing', 'cd'], steps, screen)
    expect([order, shown.at(-1)]).toEqual([['a', 'b', 'cd'], undefined])
    expect(shown[0]).toEqual({ done: 1, all: 4 })
  })

  test('read no more after a failure', async () => {
    const order: number[] = []
    const read = async (part: number) => {
      order.push(part)
      throw new Error('no')
    }
    const drawing = drawInParts([0, 1, 2, 3, 4, 5, 6], { read, show: () => {} }, testScreen().screen)
    await expect(drawing).rejects.toThrow('no')
    await turn()
    expect(order).toEqual([0, 1, 2, 3])
  })

  test('show a drawing without parts', async () => {
    const shown: (Progress | undefined)[] = []
    await drawInParts(
      [],
      { read: async () => {}, show: progress => shown.push(progress) },
      testScreen().screen,
    )
    expect(shown).toEqual([undefined])
  })
})
