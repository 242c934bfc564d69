import type { EncodedChunk } from '@hyperslab/h5/filters'
import { describe, expect, it } from 'vitest'
import { ChunkFilters, type FilteredChunk } from './chunk-filters.ts'
import type { DecodedChunk, FilterRunner } from './filter-runner.ts'

const PIPELINE = [{ id: 1, clientData: [5] }]

/** Decodes when the test lets it, and lists its calls. */
class SlowRunner implements FilterRunner {
  readonly asked: number[] = []
  #waiting: (() => void)[] = []

  encode(): Promise<never> {
    throw new Error('nothing is encoded here')
  }

  async decode(_pipeline: unknown, { bytes }: EncodedChunk, into: Uint8Array): Promise<DecodedChunk> {
    this.asked.push(into.length)
    await new Promise<void>(go => this.#waiting.push(go))
    if (into.length === 13) throw new Error('damaged')
    into.fill(into.length)
    return { chunk: into, memory: bytes }
  }

  decodeNew(): Promise<never> {
    throw new Error('all chunks have memory of the pool')
  }

  frame(): Promise<never> {
    throw new Error('no frames are made here')
  }

  close = () => Promise.resolve()

  /** Everything that is under way, and what comes after it. */
  async finish(): Promise<void> {
    for (let rounds = 0; rounds < 10; rounds++) {
      for (const go of this.#waiting.splice(0)) go()
      await new Promise(setImmediate)
    }
  }
}

function chunk(name: string, length: number): FilteredChunk {
  return { name, pipeline: PIPELINE, mask: 0, length, encodedLength: 1, read: async () => {} }
}

/** The length of bytes that the runner made. */
function lengthOf(bytes: Uint8Array): number {
  expect([bytes[0], bytes[bytes.length - 1]]).toEqual([bytes.length % 256, bytes.length % 256])
  return bytes.length
}

function setUp(maxKeptBytes: number) {
  const runner = new SlowRunner()
  const filters = new ChunkFilters(runner, maxKeptBytes)
  const lengths = async (...chunks: FilteredChunk[]): Promise<number[]> => {
    const decoded = Promise.all(chunks.map(each => filters.decode(each, lengthOf)))
    await runner.finish()
    return decoded
  }
  return { runner, filters, lengths }
}

describe('decoded chunks', () => {
  it('are kept, the ones used last, as far as there is room', async () => {
    const { runner, lengths } = setUp(100)
    const [a, b, c] = [chunk('a', 40), chunk('b', 50), chunk('c', 60)]
    expect(await lengths(a, b)).toEqual([40, 50])
    expect(await lengths(a)).toEqual([40])
    expect(runner.asked).toEqual([40, 50])
    // Drives b away, which a has been used after.
    expect(await lengths(c, a)).toEqual([60, 40])
    expect(runner.asked).toEqual([40, 50, 60])
    expect(await lengths(b)).toEqual([50])
    expect(runner.asked).toEqual([40, 50, 60, 50])
  })

  it('are kept one at a time when there is room for none', async () => {
    const { runner, lengths } = setUp(100)
    const [a, b] = [chunk('a', 200), chunk('b', 201)]
    await lengths(a)
    await lengths(a)
    await lengths(b)
    await lengths(b)
    await lengths(a)
    expect(runner.asked).toEqual([200, 201, 200])
  })

  it('are decoded once for all reads that wait for them', async () => {
    const { runner, lengths } = setUp(0)
    const a = chunk('a', 40)
    expect(await lengths(a, a, a)).toEqual([40, 40, 40])
    expect(runner.asked).toEqual([40])
  })

  it('are tried again after a failure', async () => {
    const { runner, filters } = setUp(100)
    const failing = chunk('x', 13)
    for (let times = 0; times < 2; times++) {
      const first = expect(filters.decode(failing, lengthOf)).rejects.toThrow('damaged')
      const second = expect(filters.decode(failing, lengthOf)).rejects.toThrow('damaged')
      await runner.finish()
      await Promise.all([first, second])
    }
    expect(runner.asked).toEqual([13, 13])
  })

  it('are decoded in turn when together they would take too much memory', async () => {
    const { runner, filters } = setUp(0)
    const [a, b, c] = [chunk('a', 40 * 2 ** 20), chunk('b', 100 * 2 ** 20), chunk('c', 30 * 2 ** 20)]
    const all = Promise.all([a, b, c].map(each => filters.decode(each, lengthOf)))
    await new Promise(setImmediate)
    expect(runner.asked).toEqual([a.length])
    await runner.finish()
    expect(await all).toEqual([a.length, b.length, c.length])
    expect(runner.asked).toEqual([a.length, b.length, c.length])
  })
})
