import { expect, it } from 'vitest'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { FreeBytes, HeldBlobs } from './held-blobs.ts'

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7)
const namesIn = async (blobs: HeldBlobs): Promise<string[]> => {
  const names: string[] = []
  for await (const name of blobs.list('')) names.push(name)
  return names.sort()
}

it('blobs are held while there is room, and read from where they are', async () => {
  const free = new FreeBytes(10)
  const blobs = new HeldBlobs(openMemoryEngine().blobs, free)
  await blobs.put('aa', [bytes(3), bytes(3)])
  await blobs.put('ab', [bytes(5)])
  expect(await namesIn(blobs)).toEqual(['ab'])
  expect([blobs.holds('aa'), blobs.holds('ab'), free.bytes]).toEqual([true, false, 4])
  for (const [name, length] of [
    ['aa', 4],
    ['ab', 3],
  ] as const) {
    const into = new Uint8Array(8)
    expect(await blobs.read(name, 2, into)).toBe(length)
    expect([...into]).toEqual([...bytes(length), ...new Array(8 - length).fill(0)])
  }
  await blobs.delete('aa')
  await blobs.delete('ab')
  expect([free.bytes, await namesIn(blobs)]).toEqual([10, []])
})

it('after the end of holding, what is put is durable; what is still held gives its memory back', async () => {
  const free = new FreeBytes(10)
  const blobs = new HeldBlobs(openMemoryEngine().blobs, free)
  await blobs.put('aa', [bytes(6)])
  blobs.stop()
  await blobs.put('ab', [bytes(1)])
  expect(await namesIn(blobs)).toEqual(['ab'])
  blobs.close()
  expect([blobs.holds('aa'), free.bytes]).toEqual([false, 10])
})
