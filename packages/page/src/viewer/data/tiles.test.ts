import type { DatasetShape, Domain, Values } from '@hyperslab/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { drawInParts, type Progress, Redraws, Tiles } from './tiles.ts'

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

const turn = () => new Promise(resolve => setTimeout(resolve, 5))

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
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const redraws = new Redraws()
    expect(redraws.isDue).toBe(false)
    vi.advanceTimersByTime(300)
    expect(redraws.isDue).toBe(true)
    const frames: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    redraws.begin()
    vi.advanceTimersByTime(50)
    frames.shift()?.()
    expect(redraws.isDue).toBe(false)
    vi.advanceTimersByTime(50)
    frames.shift()?.()
    expect(redraws.isDue).toBe(false)
    vi.advanceTimersByTime(299)
    expect(redraws.isDue).toBe(false)
    vi.advanceTimersByTime(1)
    expect(redraws.isDue).toBe(true)
    // One that takes long is not followed by the next one at once.
    redraws.begin()
    frames.shift()?.()
    vi.advanceTimersByTime(500)
    frames.shift()?.()
    vi.advanceTimersByTime(1499)
    expect(redraws.isDue).toBe(false)
    vi.advanceTimersByTime(1)
    expect(redraws.isDue).toBe(true)
  })

  test('show the sample, some parts after a while, and at last all', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => setTimeout(frame, 10))
    onTestFinished(() => {
      vi.useRealTimers()
      vi.unstubAllGlobals()
    })
    const shown: (Progress | undefined)[] = []
    const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))
    const drawing = drawInParts([100, 500, 900], {
      sample: () => pause(50),
      read: pause,
      show: progress => shown.push(progress),
    })
    await vi.runAllTimersAsync()
    await drawing
    expect(shown).toEqual([{ done: 0, all: 3 }, { done: 2, all: 3 }, undefined])
    shown.length = 0
    await drawInParts([], { read: pause, show: progress => shown.push(progress) })
    expect(shown).toEqual([undefined])
  })
})
