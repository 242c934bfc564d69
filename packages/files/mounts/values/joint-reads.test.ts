// Reads of one turn that become few reads of the source.

import type { ByteSource } from '@hyperslab/h5/reader'
import { expect, it } from 'vitest'
import { sourceOf } from '../../../../test/fixtures/file-of-structures.ts'
import { jointReads } from './joint-reads.ts'

const BYTES = Uint8Array.from({ length: 2 ** 20 }, (_, i) => (i * 7 + (i >> 8)) % 251)

function counted(bytes: Uint8Array) {
  const source = sourceOf(bytes)
  const calls: string[] = []
  const counting: ByteSource = {
    ...source,
    read(ranges) {
      calls.push(`read ${ranges.map(({ position, length }) => `${position}+${length}`).join(' ')}`)
      return source.read(ranges)
    },
    readInto(target, position) {
      calls.push(`readInto ${position}+${target.length}`)
      return source.readInto(target, position)
    },
  }
  return { read: jointReads(counting), calls }
}

it('reads what lies side by side in the file and in memory at once', async () => {
  const { read, calls } = counted(BYTES)
  const into = new Uint8Array(30)
  await Promise.all([
    read(120, into.subarray(20)),
    read(100, into.subarray(0, 10)),
    read(110, into.subarray(10, 20)),
  ])
  expect(into).toEqual(BYTES.slice(100, 130))
  expect(calls).toEqual(['readInto 100+30'])
})

it('asks for small ranges together, and reads long ones into their position', async () => {
  const { read, calls } = counted(BYTES)
  const [a, b, long] = [new Uint8Array(5), new Uint8Array(6), new Uint8Array(2 ** 18)]
  await Promise.all([read(900, a), read(4, long), read(700_000, b), read(3, new Uint8Array(0))])
  expect([a, b]).toEqual([BYTES.slice(900, 905), BYTES.slice(700_000, 700_006)])
  expect(Buffer.compare(long, BYTES.subarray(4, 4 + 2 ** 18))).toBe(0)
  expect(calls).toEqual([`readInto 4+${2 ** 18}`, 'read 900+5 700000+6'])
})

it('fails with what the source says, or where the file ends, and reads on afterwards', async () => {
  const { read } = counted(BYTES)
  const isCutOff = { code: 'file-unreadable', message: expect.stringContaining('ends before') }
  await expect(read(2 ** 20 - 2, new Uint8Array(3))).rejects.toMatchObject(isCutOff)
  const two = [read(2 ** 20 - 2, new Uint8Array(3)), read(0, new Uint8Array(3))]
  await expect(Promise.all(two)).rejects.toMatchObject(isCutOff)
  await Promise.allSettled(two)
  const again = new Uint8Array(3)
  await read(0, again)
  expect(again).toEqual(BYTES.slice(0, 3))
})

it('reads a few short parts of a local file one by one, and many or long ones together', async () => {
  const source = sourceOf(BYTES)
  const calls: string[] = []
  const read = jointReads({
    ...source,
    async readRanges(ranges, target) {
      calls.push(`readRanges ${ranges.map(({ position, length }) => `${position}+${length}`).join(' ')}`)
      for (const { position, length, offset } of ranges)
        target.set(BYTES.subarray(position, position + length), offset)
      return 0
    },
    read(ranges) {
      calls.push(`read ${ranges.length}`)
      return source.read(ranges)
    },
    readInto(target, position) {
      calls.push(`readInto ${position}+${target.length}`)
      return source.readInto(target, position)
    },
  })
  const [a, b, long] = [new Uint8Array(5), new Uint8Array(6), new Uint8Array(2 ** 16 + 1)]
  await Promise.all([read(900, a), read(700_000, b), read(2000, long)])
  expect([a, b]).toEqual([BYTES.slice(900, 905), BYTES.slice(700_000, 700_006)])
  expect(Buffer.compare(long, BYTES.subarray(2000, 2000 + long.length))).toBe(0)
  expect(calls).toEqual(['readRanges 900+5', `readInto 2000+${2 ** 16 + 1}`, 'readRanges 700000+6'])
  calls.length = 0
  const many = Array.from({ length: 17 }, () => new Uint8Array(2))
  await Promise.all(many.map((into, i) => read(100 * i, into)))
  expect(many).toEqual(many.map((_, i) => BYTES.slice(100 * i, 100 * i + 2)))
  expect(calls).toEqual(['read 17'])
})
