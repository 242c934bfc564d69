// The threads of filters run from the built service only: no thread of Node 20 reads TypeScript.

import { availableParallelism } from 'node:os'
import type { FilterRunner } from '@hyperslab/store/chunks'
import { afterAll, describe, expect, it } from 'vitest'

const BUILT = new URL('../../dist/modules/store/chunks/filter-threads.js', import.meta.url).href
const { openFilterThreads } = (await import(/* @vite-ignore */ BUILT)) as {
  openFilterThreads: () => FilterRunner
}

const LENGTH = 400_000
const PIPELINE = [
  { id: 2, clientData: [4] },
  { id: 32015, clientData: [3] },
]

function chunk(first = 0): Uint8Array {
  return new Uint8Array(Int32Array.from({ length: LENGTH / 4 }, (_, i) => first + i).buffer)
}

describe('filters in threads', () => {
  const threads = openFilterThreads()
  afterAll(() => threads.close())

  async function encoded(first = 0): Promise<Uint8Array> {
    const { bytes, mask, memory } = await threads.encode(PIPELINE, chunk(first))
    expect([mask, memory.length]).toEqual([0, LENGTH])
    return bytes
  }

  it('give back what they were given, more at once than there are threads', async () => {
    const firsts = Array.from({ length: 3 * availableParallelism() + 2 }, (_, i) => i * 1000)
    await Promise.all(
      firsts.map(async first => {
        const bytes = await encoded(first)
        const decoded = await threads.decode(PIPELINE, { bytes, mask: 0 }, new Uint8Array(LENGTH))
        expect(Buffer.compare(decoded.chunk, chunk(first))).toBe(0)
      }),
    )
  })

  it('take memory over and give it back', async () => {
    const given = chunk()
    const { memory, bytes } = await threads.encode(PIPELINE, given)
    expect([given.length, memory.length]).toEqual([0, LENGTH])
    const into = memory.subarray(0, LENGTH)
    const decoded = await threads.decode(PIPELINE, { bytes, mask: 0 }, into)
    expect([into.length, bytes.length, decoded.chunk.length]).toEqual([0, 0, LENGTH])
    expect(decoded.memory.length).toBeGreaterThan(0)
  })

  it('decode chunks that end where the extents do into memory of their own', async () => {
    const bytes = await encoded(3)
    const decode = (length: number, least: number) =>
      threads.decodeNew(PIPELINE, { bytes: bytes.slice(), mask: 0 }, length, least)
    const decoded = await decode(LENGTH + 8, LENGTH)
    expect([decoded.length, decoded.buffer.byteLength]).toEqual([LENGTH, LENGTH])
    expect(Buffer.compare(decoded, chunk(3))).toBe(0)
    await expect(decode(LENGTH + 8, LENGTH + 4)).rejects.toThrow(`instead of ${LENGTH + 8}`)
  })

  it('leave what came in unfiltered apart from its memory', async () => {
    const unknown = [{ id: 65_000 }]
    const { bytes, mask } = await threads.encode(unknown, chunk(7))
    expect(mask).toBe(1)
    expect(Buffer.compare(bytes, chunk(7))).toBe(0)
  })

  it('go on after damaged chunks, however many', async () => {
    const good = await encoded()
    for (let times = 0; times < 20; times++) {
      const damaged = good.slice(0, good.length - 100)
      await expect(
        threads.decode(PIPELINE, { bytes: damaged, mask: 0 }, new Uint8Array(LENGTH)),
      ).rejects.toThrow('filter 32015 cannot decode it')
    }
    const decoded = await threads.decode(PIPELINE, { bytes: good, mask: 0 }, new Uint8Array(LENGTH))
    expect(Buffer.compare(decoded.chunk, chunk())).toBe(0)
  })
})
