// The cache of blobs on the local disk: what is in it is not asked for again, it keeps its limit, several processes
// share it, and nothing that is wrong with it or its disk is seen by a read or a put.

import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openS3Blobs, type S3BlobsEngine } from '../../packages/store/engines/s3/open-s3-blobs.ts'
import { environmentOf, type S3Server, startS3Server } from '../servers/s3-server.ts'

const MIB = 2 ** 20
const PLACE = 's3://bucket/of/tests'

let server: S3Server
let folder: string
const engines: S3BlobsEngine[] = []

beforeEach(async () => {
  server = await startS3Server()
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-cache-'))
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map(engine => engine.close()))
  await server.close()
  await rm(folder, { recursive: true })
})

async function open(maxBytes = 64 * MIB, cache = folder): Promise<S3BlobsEngine> {
  const engine = await openS3Blobs(PLACE, {
    environment: environmentOf(server),
    cache: { folder: cache, maxBytes },
  })
  engines.push(engine)
  return engine
}

/** Bytes that differ from one MiB to the next, and from seed to seed. */
const pattern = (length: number, seed = 1) =>
  Buffer.alloc(length, Buffer.from(Uint8Array.from({ length: 1009 }, (_, i) => ((i * i) >> 3) + seed)))

async function read({ blobs }: S3BlobsEngine, name: string, offset: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length, 46)
  return into.subarray(0, await blobs.read(name, offset, into))
}

const gets = () => server.requests.filter(request => request.startsWith('GET /bucket/'))

async function files(below = folder): Promise<string[]> {
  const names = await readdir(below, { recursive: true, withFileTypes: true })
  return names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

async function filledBytes(): Promise<number> {
  const sizes = (await files()).map(async file => (await stat(file).catch(() => undefined))?.size ?? 0)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** A blob that only the store has. */
async function putElsewhere(name: string, bytes: Buffer): Promise<void> {
  const { blobs, close } = await openS3Blobs(PLACE, { environment: environmentOf(server) })
  await blobs.put(name, [bytes])
  await close()
}

describe('a block in the cache', () => {
  it('is not asked for again, by this process, another one, or after a restart', async () => {
    const bytes = pattern(2 * MIB + 1000)
    await putElsewhere('ab/01', bytes)
    const first = await open()
    expect((await read(first, 'ab/01', 0, bytes.length)).equals(bytes)).toBe(true)
    expect(gets()).toEqual(['GET /bucket/of/tests/ab/01 bytes=0-3145727'])
    await first.close()
    const [second, third] = [await open(), await open()]
    for (const engine of [second, third]) {
      for (const [offset, length] of [
        [0, bytes.length],
        [5, 10],
        [MIB - 5, 10],
        [65_536, 65_536],
        [2 * MIB + 990, 100],
        [3 * MIB - 10, 5],
      ] as const) {
        expect(
          (await read(engine, 'ab/01', offset, length)).equals(bytes.subarray(offset, offset + length)),
        ).toBe(true)
      }
    }
    expect(gets()).toHaveLength(1)
  })

  it('is there after a put', async () => {
    const engine = await open()
    await engine.blobs.put('ab/01', [pattern(3 * MIB)])
    expect(
      (await read(engine, 'ab/01', MIB + 7, MIB)).equals(pattern(3 * MIB).subarray(MIB + 7, 2 * MIB + 7)),
    ).toBe(true)
    await engine.close()
    expect((await read(await open(), 'ab/01', 0, MIB)).equals(pattern(MIB))).toBe(true)
    expect(gets().length).toBeLessThanOrEqual(1)
  })

  it('is asked for once by many reads', async () => {
    await putElsewhere('ab/01', pattern(MIB))
    const engine = await open()
    const reads = Array.from({ length: 50 }, (_, i) => read(engine, 'ab/01', i * 1000, 1000))
    for (const [i, found] of (await Promise.all(reads)).entries()) {
      expect(found.equals(pattern(MIB).subarray(i * 1000, (i + 1) * 1000))).toBe(true)
    }
    expect(gets()).toHaveLength(1)
  })

  it('of a large blob is read alone', async () => {
    await putElsewhere('ab/01', pattern(20 * MIB))
    const engine = await open()
    await read(engine, 'ab/01', 13 * MIB + 5, 10)
    expect(gets()).toEqual(['GET /bucket/of/tests/ab/01 bytes=13631488-14680063'])
    await expect.poll(files).toHaveLength(1)
    await read(engine, 'ab/01', 12 * MIB, 3 * MIB)
    expect(
      gets()
        .slice(1)
        .map(request => request.split('=')[1])
        .sort(),
    ).toEqual(['12582912-13631487', '14680064-15728639'])
  })

  it('is that of one store', async () => {
    await putElsewhere('ab/01', pattern(100))
    await read(await open(), 'ab/01', 0, 100)
    const other = await openS3Blobs('s3://bucket/other', {
      environment: environmentOf(server),
      cache: { folder, maxBytes: MIB },
    })
    engines.push(other)
    await expect(read(other, 'ab/01', 0, 100)).rejects.toThrow('There is no blob ab/01')
  })
})

describe('a file of the cache that is damaged', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['altered', bytes => Buffer.from(bytes.map((byte, i) => (i === 100_000 ? byte ^ 1 : byte)))],
    ['altered in its header', bytes => Buffer.from(bytes.map((byte, i) => (i === 5 ? byte ^ 1 : byte)))],
    ['too short', bytes => bytes.subarray(0, 70_000)],
    ['empty', bytes => bytes.subarray(0, 0)],
    ['zeros', bytes => Buffer.alloc(bytes.length)],
  ])('%s is removed, and its block is read from the store', async (_name, damage) => {
    await putElsewhere('ab/01', pattern(MIB))
    const first = await open()
    await read(first, 'ab/01', 0, MIB)
    await first.close()
    const [file = ''] = await files()
    await writeFile(file, damage(await readFile(file)))
    const engine = await open()
    expect((await read(engine, 'ab/01', 0, MIB)).equals(pattern(MIB))).toBe(true)
    expect(gets()).toHaveLength(2)
    await engine.close()
    expect((await read(await open(), 'ab/01', 0, MIB)).equals(pattern(MIB))).toBe(true)
    expect(gets()).toHaveLength(2)
  })

  it('while it is in use is found as well', async () => {
    await putElsewhere('ab/01', pattern(MIB))
    const engine = await open()
    await read(engine, 'ab/01', 0, MIB)
    await expect.poll(files).toHaveLength(1)
    for (const offset of [0, 500_000, 0]) await read(engine, 'ab/01', offset, 70_000)
    const [file = ''] = await files()
    const bytes = await readFile(file)
    bytes[100_000] ^= 1
    await writeFile(file, bytes)
    expect((await read(engine, 'ab/01', 0, MIB)).equals(pattern(MIB))).toBe(true)
    expect(gets()).toHaveLength(2)
  })

  it('that is in fact that of another block is read from the store', async () => {
    await putElsewhere('ab/01', pattern(1000))
    await putElsewhere('ab/02', pattern(1000, 2))
    const first = await open()
    await read(first, 'ab/01', 0, 1000)
    await first.close()
    const [one = ''] = await files()
    const other = createHash('sha256').update(`${server.address}/${PLACE}\nab/02\n0`).digest('hex')
    const second = await open()
    await read(second, 'ab/02', 0, 1000)
    await second.close()
    await writeFile(join(folder, other.slice(0, 2), other.slice(2, 40)), await readFile(one))
    expect((await read(await open(), 'ab/02', 0, 1000)).equals(pattern(1000, 2))).toBe(true)
  })
})

describe('the limit of the cache', () => {
  it('holds, and what was used least recently goes', async () => {
    const engine = await open(10.5 * MIB)
    await engine.blobs.put('aa', [pattern(MIB, 5)])
    for (let i = 1; i <= 30; i++) {
      await engine.blobs.put(`bb/${i.toString(16)}`, [pattern(MIB, i)])
      await read(engine, 'aa', 0, 10)
      expect(await filledBytes()).toBeLessThanOrEqual(10.5 * MIB)
    }
    server.requests.length = 0
    expect((await read(engine, 'aa', 0, MIB)).equals(pattern(MIB, 5))).toBe(true)
    expect(gets()).toEqual([])
    expect((await read(engine, 'bb/1', 0, MIB)).equals(pattern(MIB, 1))).toBe(true)
    expect(gets()).toHaveLength(1)
    await engine.close()
    expect(await filledBytes()).toBeGreaterThan(7 * MIB)
  })

  it('counts what was there before, and what another process keeps', async () => {
    const [one, other] = [await open(8 * MIB), await open(8 * MIB)]
    for (let i = 1; i <= 20; i++) {
      await one.blobs.put(`aa/${i.toString(16)}`, [pattern(MIB, i)])
      await other.blobs.put(`bb/${i.toString(16)}`, [pattern(MIB, i)])
    }
    await Promise.all([one.close(), other.close()])
    expect(await filledBytes()).toBeLessThanOrEqual(8.5 * MIB)
    const third = await open(4 * MIB)
    await third.blobs.put('cc', [pattern(MIB)])
    await third.close()
    expect(await filledBytes()).toBeLessThanOrEqual(4 * MIB)
  })

  it('removes what a process that ended has not finished', async () => {
    const engine = await open()
    await engine.blobs.put('aa', [pattern(10)])
    await engine.close()
    const [file = ''] = await files()
    const left = `${file}.1-1.tmp`
    await writeFile(left, 'x')
    const old = Date.now() / 1000 - 7200
    await utimes(left, old, old)
    const again = await open()
    await again.blobs.put('bb', [pattern(10)])
    await again.close()
    expect(await files()).not.toContain(left)
  })
})

describe('a disk that takes nothing', () => {
  it('is passed over: reads and puts go on', async () => {
    const engine = await open()
    await rm(folder, { recursive: true })
    await writeFile(folder, 'no folder')
    await engine.blobs.put('ab/01', [pattern(MIB)])
    for (let times = 0; times < 2; times++) {
      expect((await read(engine, 'ab/01', 0, MIB)).equals(pattern(MIB))).toBe(true)
    }
    await engine.blobs.delete('ab/01')
    await expect(read(engine, 'ab/01', 0, 1)).rejects.toThrow('There is no blob ab/01')
  })
})
