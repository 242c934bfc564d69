// Bytes by address: whatever lies across blocks, and how many reads of the source it takes.

import type { ByteRange } from '@hyperslab/base/bounded'
import { describe, expect, it, vi } from 'vitest'
import { sourceOf } from '../../../../test/fixtures/file-of-structures.ts'
import type { ByteSource } from '../../byte-source.ts'
import { FileBytes } from './file-bytes.ts'

const WIDTHS = { offsets: 8, lengths: 8 }
const BASE = 512
const BYTES = Uint8Array.from({ length: 40 * 65_536 + 100 }, (_, index) => (index * 7919) >> 3)

function openBytes(): { bytes: FileBytes; reads: (readonly ByteRange[])[] } {
  const reads: (readonly ByteRange[])[] = []
  const source: ByteSource = {
    ...sourceOf(BYTES),
    async read(ranges) {
      reads.push(ranges)
      return ranges.map(({ position, length }) => BYTES.subarray(position, position + length))
    },
  }
  return { bytes: new FileBytes(source, BASE, WIDTHS), reads }
}

describe('bytes of metadata', () => {
  it('are read where a file has grown since, in the block in which it ended too', async () => {
    let size = BASE + 1000
    const source = {
      ...sourceOf(BYTES),
      get size() {
        return size
      },
    }
    const bytes = new FileBytes(source, BASE, WIDTHS)
    expect(await bytes.read(900, 100, 'a leaf')).toEqual(BYTES.slice(BASE + 900, BASE + 1000))
    expect(() => bytes.read(950, 100, 'a leaf')).toThrow('the file ends at 1000')
    size = BYTES.length
    expect(await bytes.read(950, 100, 'a leaf')).toEqual(BYTES.slice(BASE + 950, BASE + 1050))
    expect(await bytes.read(70_000, 100, 'a leaf')).toEqual(BYTES.slice(BASE + 70_000, BASE + 70_100))
  })

  it('lets the event loop run while all that is read is in the cache', async () => {
    const { bytes } = openBytes()
    let hasRun = false
    setImmediate(() => {
      hasRun = true
    })
    for (let reads = 0; !hasRun && reads < 5_000_000; reads++) await bytes.read(0, 16, 'the heap')
    expect(hasRun).toBe(true)
  })

  it.each([
    [0, 16],
    [65_536 - BASE, 1],
    [65_536 - BASE - 1, 2],
    [100, 3 * 65_536],
    [7, 39 * 65_536],
    [BYTES.length - BASE - 1, 1],
    [BYTES.length - BASE - 70_000, 70_000],
    [5, 0],
  ])('at %d, %d bytes', async (address, length) => {
    const { bytes } = openBytes()
    const start = BASE + address
    const expected = BYTES.subarray(start, start + length)
    expect(Buffer.compare(await bytes.read(address, length, 'the heap'), expected)).toBe(0)
  })

  it('that are asked for together are one read, and are in the cache afterwards', async () => {
    const { bytes, reads } = openBytes()
    await Promise.all([1, 70_000, 140_000, 2].map(address => bytes.read(address, 16, 'the heap')))
    expect(reads.map(ranges => ranges.length)).toEqual([3])
    expect(await bytes.read(70_010, 16, 'the heap')).toBeInstanceOf(Uint8Array)
    expect(reads.length).toBe(1)
  })

  it('that are asked for one block after another are read ahead, to the end', async () => {
    const { bytes, reads } = openBytes()
    for (let address = 0; address < bytes.end; address += 1000) {
      const length = Math.min(16, bytes.end - address)
      const start = BASE + address
      expect(await bytes.read(address, length, 'the heap')).toEqual(BYTES.slice(start, start + length))
    }
    const blocks = reads.flat().map(({ position }) => position / 65_536)
    expect(blocks).toEqual(Array.from({ length: 41 }, (_, number) => number))
    expect(reads.length).toBeLessThan(10)
  })

  it('are no Buffers, whose copies would be views', async () => {
    const read = async () => [Buffer.alloc(100)]
    const bytes = new FileBytes({ ...sourceOf(new Uint8Array(100)), read }, 0, WIDTHS)
    expect(await bytes.read(0, 10, 'the heap')).not.toBeInstanceOf(Buffer)
    const [values] = await bytes.readValues([{ position: 0, length: 10 }], 'the values')
    expect(values).not.toBeInstanceOf(Buffer)
  })

  it('that a source has no more are an error', async () => {
    const { bytes } = openBytes()
    const shorter = new FileBytes({ ...sourceOf(BYTES.subarray(0, 1000)), size: 2000 }, 0, WIDTHS)
    const target = new Uint8Array(10)
    await bytes.readInto(target, 7, 'the values')
    expect(target).toEqual(BYTES.slice(BASE + 7, BASE + 17))
    await expect(shorter.readInto(target, 995, 'the values')).rejects.toThrow('ended after 5 of 10 bytes')
    await expect(shorter.readInto(target, 1995, 'the values')).rejects.toThrow('the file ends at 2000')
  })

  it('beyond the end name the structure', () => {
    const { bytes } = openBytes()
    expect(() => bytes.read(bytes.end - 1, 2, 'the heap')).toThrow(
      `the heap at ${bytes.end - 1} cannot be read: it needs 2 bytes, and the file ends at ${bytes.end}`,
    )
  })

  it('after a failure are read again', async () => {
    let isFailing = true
    const source: ByteSource = {
      ...sourceOf(new Uint8Array(1000)),
      async read(ranges) {
        if (isFailing) throw new Error('broken')
        return ranges.map(({ length }) => new Uint8Array(length))
      },
    }
    const bytes = new FileBytes(source, 0, WIDTHS)
    await expect(bytes.read(0, 1, 'the heap')).rejects.toThrow('broken')
    isFailing = false
    expect((await bytes.read(0, 1, 'the heap')).length).toBe(1)
  })
})

it('are no Buffers, of which a slice would be no copy', async () => {
  const source: ByteSource = {
    ...sourceOf(new Uint8Array(1000)),
    read: async ranges => ranges.map(({ length }) => Buffer.alloc(length)),
  }
  const bytes = new FileBytes(source, 0, WIDTHS)
  const [value] = await bytes.readValues([{ position: 0, length: 10 }], 'the values')
  expect(value).not.toBeInstanceOf(Buffer)
  expect(await bytes.read(0, 10, 'the heap')).not.toBeInstanceOf(Buffer)
})

it('lets the event loop go on between reads that are begun together, also of bytes in memory', async () => {
  const { bytes } = openBytes()
  await bytes.read(0, 8, 'a node')
  let [given, most] = [0, 0]
  // Each turn is over when that is first looked at.
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 10
    return now
  })
  let next = setImmediate(function tick() {
    given = 0
    next = setImmediate(tick)
  })
  const readNode = async (index: number) => {
    await bytes.read(8 * index, 8, 'a node')
    most = Math.max(most, ++given)
  }
  await Promise.all(Array.from({ length: 1000 }, (_, index) => readNode(index)))
  clearImmediate(next)
  clock.mockRestore()
  // The number of reads that begin before the first look at the clock is less.
  expect(most).toBeLessThan(100)
})
