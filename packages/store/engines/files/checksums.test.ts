import { appendFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileBlobs } from './blobs.ts'
import { ChecksumWriter, PART_BYTES } from './checksums.ts'

const NAME = 'ab/01'
const LENGTH = 3 * PART_BYTES + 1000
const BYTES = Uint8Array.from({ length: LENGTH }, (_, i) => (i * 31 + (i >> 8)) & 255)

let folder: string
let blobs: FileBlobs

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-checksums-'))
  blobs = new FileBlobs(folder)
})
afterEach(async () => {
  await blobs.close()
  await rm(folder, { recursive: true })
})

const path = () => join(folder, NAME)

async function flip(at: number): Promise<void> {
  const bytes = await readFile(path())
  bytes[at] ^= 4
  await writeFile(path(), bytes)
}

/** The bytes of a range, compared or not. */
async function read(offset = 0, length = LENGTH, how: 'read' | 'readCompared' = 'readCompared') {
  const into = new Uint8Array(length)
  return into.subarray(0, await blobs[how](NAME, offset, into))
}

/** Compared at once: `toEqual` takes seconds for this many elements. */
function expectSame(found: Uint8Array, expected: Uint8Array): void {
  expect(Buffer.compare(found, expected)).toBe(0)
}

const damaged = { code: 'values-damaged', message: expect.stringContaining(NAME) }

describe('checksums of a file', () => {
  it('are the same however the bytes are cut into pieces', () => {
    const whole = new ChecksumWriter(PART_BYTES)
    whole.add(BYTES)
    for (const size of [1, 999, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES, LENGTH]) {
      const pieces = new ChecksumWriter(PART_BYTES)
      for (let at = 0; at < LENGTH; at += size) pieces.add(BYTES.subarray(at, at + size))
      expect(pieces.end(NAME)).toEqual(whole.end(NAME))
    }
    expect(whole.end('ab/02')).not.toEqual(whole.end(NAME))
  })

  it.each([0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, LENGTH])(
    'a blob of %i bytes, put as a whole or in pieces, is read as it was put',
    async length => {
      const bytes = BYTES.subarray(0, length)
      await blobs.put(NAME, [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)])
      expectSame(await read(), bytes)
      expectSame(await read(0, LENGTH, 'read'), bytes)
      expect(await blobs.size(NAME)).toBe(length)
      expect(await blobs.hasChecksums(NAME)).toBe(true)
      const pieces = async function* () {
        for (let at = 0; at < length; at += 5000) yield bytes.slice(at, at + 5000)
        yield new Uint8Array(3 * 2 ** 20)
      }
      await blobs.put('ab/02', pieces())
      expect(await blobs.size('ab/02')).toBe(length + 3 * 2 ** 20)
      const into = new Uint8Array(length)
      expect(await blobs.readCompared('ab/02', 0, into)).toBe(length)
      expectSame(into, bytes)
    },
  )

  it.each([0, 1, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES + 5, LENGTH - 1])(
    'a changed byte at %i is found',
    async at => {
      await blobs.put(NAME, [BYTES])
      await flip(at)
      await expect(read()).rejects.toMatchObject(damaged)
      // Another part is right, and what is not compared is read as it is.
      const part = Math.floor(at / PART_BYTES) === 1 ? 2 : 1
      const other = [part * PART_BYTES, PART_BYTES] as const
      expectSame(await read(...other), BYTES.subarray(other[0], other[0] + other[1]))
      expect((await read(0, LENGTH, 'read')).length).toBe(LENGTH)
    },
  )

  it('no changed byte of the checksums themselves passes', async () => {
    await blobs.put(NAME, [BYTES])
    const { length } = await readFile(path())
    for (let at = LENGTH; at < length; at++) {
      await flip(at)
      const again = new FileBlobs(folder)
      const size = await again.size(NAME)
      const found = await again.readCompared(NAME, 0, new Uint8Array(LENGTH)).catch(({ code }) => code)
      // Records of chunks know the length.
      expect(size !== LENGTH || found === 'values-damaged', `byte ${at}: ${size}, ${found}`).toBe(true)
      await again.close()
      await flip(at)
    }
    expectSame(await read(), BYTES)
  })

  it('the bytes of another blob, and a file that was cut short or is longer, are found', async () => {
    await blobs.put(NAME, [BYTES])
    await blobs.put('ab/02', [BYTES])
    await rename(join(folder, 'ab/02'), path())
    await expect(read()).rejects.toMatchObject(damaged)
    for (const change of [() => truncate(path(), LENGTH - 5), () => appendFile(path(), 'more')]) {
      await blobs.delete(NAME)
      await blobs.put(NAME, [BYTES])
      await change()
      expect(await blobs.size(NAME)).not.toBe(LENGTH)
    }
  })

  it('a file of an earlier release has none, and is read as it is', async () => {
    await blobs.put('ab/02', [BYTES])
    for (const length of [0, 5, 24, 1000, LENGTH]) {
      await blobs.delete(NAME)
      await writeFile(path(), BYTES.subarray(0, length))
      expect(await blobs.size(NAME)).toBe(length)
      expect(await blobs.hasChecksums(NAME)).toBe(false)
      expectSame(await read(), BYTES.subarray(0, length))
      expect(await read(length, 10)).toHaveLength(0)
    }
  })

  it('a part that was compared is not compared again while the file is open', async () => {
    await blobs.put(NAME, [BYTES])
    await read()
    await flip(7)
    // writeFile changes the file that is open.
    expect((await read())[7]).toBe(BYTES[7] ^ 4)
    const again = new FileBlobs(folder)
    await expect(again.readCompared(NAME, 0, new Uint8Array(LENGTH))).rejects.toMatchObject(damaged)
    await again.close()
  })
})
