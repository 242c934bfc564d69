// Faults of S3 stores, and their outcome: a request that can succeed later is tried again, other failures are errors of
// the storage without addresses and secrets, and bytes that are not those that were put are never given.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { S3Limits } from '../../packages/store/engines/s3/client.ts'
import { openS3Blobs, type S3BlobsEngine } from '../../packages/store/engines/s3/open-s3-blobs.ts'
import { environmentOf, type Fault, type S3Server, startS3Server } from '../servers/s3-server.ts'
import { SECRET } from '../servers/s3-signature.ts'

const MIB = 2 ** 20
const NAME = 'ab/cd/01'

let server: S3Server
let engine: S3BlobsEngine

beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.close())
beforeEach(async () => {
  engine = await open()
  server.requests.length = 0
})
afterEach(async () => {
  server.plan = () => undefined
  await engine.close()
  server.objects.clear()
  server.uploads.clear()
})

const open = (limits: S3Limits = {}) =>
  openS3Blobs('s3://bucket/of/tests', { environment: environmentOf(server), settle: 0, ...limits })

/** Opens the engine anew, so that failures take less time than in a service. */
async function hurry(fault: Fault, limits: S3Limits): Promise<void> {
  await engine.close()
  engine = await open({ ...limits, ...(fault === 'stall' && { timeout: 300 }) })
}

/** Bytes that differ from one MiB to the next. */
const PERIOD = Buffer.from(Uint8Array.from({ length: 1009 }, (_, i) => (i * i) >> 3))
const pattern = (length: number) => Buffer.alloc(length, PERIOD)

/** The first `count` requests of the blob have the fault. */
function failing(fault: Fault, count = Number.POSITIVE_INFINITY, which = NAME): void {
  let left = count
  server.plan = request => (request.includes(which) && left-- > 0 ? fault : undefined)
}

async function read(offset: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length, 46)
  return into.subarray(0, await engine.blobs.read(NAME, offset, into))
}

/** Requests with the words. */
const targets = (words: string) => server.requests.filter(request => request.includes(words)).length

async function names(): Promise<string[]> {
  const found: string[] = []
  for await (const name of engine.blobs.list('')) found.push(name)
  return found
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )
}

const PASSING: [string, Fault][] = [
  ['500', { status: 500, code: 'InternalError' }],
  ['503 SlowDown', { status: 503, code: 'SlowDown' }],
  ['503 of a proxy, without XML', { status: 503 }],
  ['429 that names a time', { status: 429, headers: { 'retry-after': '0.2' } }],
  ['400 RequestTimeout', { status: 400, code: 'RequestTimeout' }],
  ['a connection that ends', 'reset'],
  ['an answer that is lost', 'lose'],
  ['silence', 'stall'],
]

describe('failures that pass', () => {
  it.each(PASSING)('%s: a put is tried again, and a read', async (_name, fault) => {
    await hurry(fault, {})
    failing(fault, 2)
    await engine.blobs.put(NAME, [pattern(1000)])
    failing(fault, 2)
    expect(await read(10, 20)).toEqual(pattern(1000).subarray(10, 30))
    failing(fault, 2)
    expect(await engine.blobs.size(NAME)).toBe(1000)
    failing(fault, 2)
    await engine.blobs.delete(NAME)
    failing(fault, 2, 'list-type')
    expect(await names()).toEqual([])
  })

  it.each<Fault & string>(['cut', 'truncate', 'alter', 'shift'])(
    'a body that is faulty once (%s) is read again',
    async fault => {
      await engine.blobs.put(NAME, [pattern(3 * MIB)])
      failing(fault, 1)
      expect((await read(0, 3 * MIB)).equals(pattern(3 * MIB))).toBe(true)
    },
  )
})

describe('failures that stay', () => {
  it.each<[string, Fault, string, string]>([
    ...PASSING.filter(([name]) => !name.includes('429')).map(
      ([name, fault]): [string, Fault, string, string] => [name, fault, 'storage-failed', 'S3: '],
    ),
    ['403', { status: 403, code: 'AccessDenied' }, 'storage-failed', 'AccessDenied'],
    ['a bucket that is gone', { status: 404, code: 'NoSuchBucket' }, 'storage-failed', 'NoSuchBucket'],
    ['a full quota', { status: 403, code: 'QuotaExceeded' }, 'storage-full', 'full'],
    ['a full disk', { status: 507, code: 'XMinioStorageFull' }, 'storage-full', 'full'],
  ])('%s: the error is busy, and has no address and no secret', async (_name, fault, code, message) => {
    await hurry(fault, { deadline: 500 })
    failing(fault)
    for (const work of [() => engine.blobs.put(NAME, [pattern(10)]), () => read(0, 1)]) {
      const error = await errorOf(work())
      expect(error).toMatchObject({ code, kind: 'busy', message: expect.stringContaining(message) })
      expect(String(error)).not.toContain(new URL(server.address).port)
      const { cause } = error as Error
      expect(String(cause)).toMatch(/^S3Failure: (PUT|GET) ab\/cd\/01: .*attempts: \d+/)
      expect(String(cause)).not.toContain(SECRET)
    }
  })

  it('a failure that cannot pass is not tried again', async () => {
    failing({ status: 403, code: 'AccessDenied' })
    await errorOf(read(0, 1))
    expect(targets(NAME)).toBe(1)
  })
})

describe('bytes that are not those that were put', () => {
  const path = `bucket/of/tests/${NAME}`
  const damaged = { code: 'values-damaged', kind: 'busy', message: expect.stringContaining(NAME) }

  it.each<Fault & string>(['alter', 'shift'])('are an error, however often they come: %s', async fault => {
    await engine.blobs.put(NAME, [pattern(MIB)])
    failing(fault)
    await expect(read(0, MIB)).rejects.toMatchObject(damaged)
    await expect(read(0, 2 * MIB)).rejects.toMatchObject(damaged)
  })

  it('in an object that another program changed', async () => {
    await engine.blobs.put(NAME, [pattern(2 * MIB + 5)])
    const { bytes, metadata } = server.objects.get(path) ?? expect.fail('there is no object')
    bytes[MIB + 1] ^= 1
    await expect(read(0, 2 * MIB + 5)).rejects.toMatchObject(damaged)
    // Each MiB has a checksum.
    expect((await read(0, MIB)).equals(pattern(MIB))).toBe(true)
    await expect(read(MIB - 10, MIB + 10)).rejects.toMatchObject(damaged)
    // A range that cuts it cannot be checked.
    expect(await read(2 * MIB - 3, 3)).toHaveLength(3)
    server.objects.set(path, { bytes: bytes.subarray(0, MIB), metadata })
    await expect(read(0, 10)).rejects.toMatchObject(damaged)
    server.objects.set(path, { bytes: pattern(2 * MIB + 5), metadata: {} })
    await expect(read(0, 10)).rejects.toMatchObject(damaged)
  })

  it('in an object of another blob', async () => {
    await engine.blobs.put(NAME, [pattern(100)])
    await engine.blobs.put('ab/02', [Buffer.alloc(100)])
    server.objects.set(path, server.objects.get('bucket/of/tests/ab/02') ?? expect.fail('there is no object'))
    await expect(read(0, 100)).rejects.toMatchObject(damaged)
  })

  it.each<Fault & string>(['truncate', 'cut'])('ends too early: %s', async fault => {
    await hurry(fault, { deadline: 500 })
    await engine.blobs.put(NAME, [pattern(1000)])
    failing(fault)
    await expect(read(0, 500)).rejects.toMatchObject({ code: 'storage-failed' })
  })
})

describe('a blob of unknown length', () => {
  async function* pieces(count: number, end = () => {}) {
    for (let index = 0; index < count; index++) yield pattern(MIB).fill(index, 0, 4)
    end()
  }
  const isWhole = async (count: number) => {
    for (let index = 0; index < count; index += 7) {
      const expected = pattern(MIB).fill(index, 0, 4)
      if (!(await read(index * MIB, MIB)).equals(expected)) return false
    }
    return (await engine.blobs.size(NAME)) === count * MIB
  }

  it.each([0, 1, 16, 17, 32, 50])('of %i MiB is put, in parts when it is long', async count => {
    await engine.blobs.put(NAME, pieces(count))
    expect(await isWhole(count)).toBe(true)
    expect(server.uploads.size).toBe(0)
    expect(targets('partNumber=')).toBe(count > 16 ? Math.ceil(count / 16) : 0)
  })

  it('leaves no part when its source fails', async () => {
    const work = engine.blobs.put(
      NAME,
      pieces(40, () => {
        throw new Error('give up')
      }),
    )
    await expect(work).rejects.toThrow('give up')
    expect([server.uploads.size, server.objects.size]).toEqual([0, 0])
  })

  it('leaves no part when the store refuses one, and its source ends', async () => {
    failing({ status: 403, code: 'AccessDenied' }, Number.POSITIVE_INFINITY, 'partNumber=2')
    let isEnded = false
    async function* source() {
      try {
        yield* pieces(100)
      } finally {
        isEnded = true
      }
    }
    await expect(engine.blobs.put(NAME, source())).rejects.toMatchObject({ code: 'storage-failed' })
    expect([server.uploads.size, server.objects.size, isEnded]).toEqual([0, 0, true])
  })

  it.each(PASSING)('is put whole when each kind of request has %s once', async (_name, fault) => {
    await hurry(fault, {})
    const failed = new Set<string>()
    server.plan = request => {
      const kind = `${request.split(' ')[0]} ${/[?&](uploads|partNumber|uploadId)/.exec(request)?.[1]}`
      if (failed.has(kind)) return undefined
      failed.add(kind)
      return fault
    }
    await engine.blobs.put(NAME, pieces(33))
    server.plan = () => undefined
    expect(await isWhole(33)).toBe(true)
    expect(failed.size).toBeGreaterThan(2)
  })

  it('forgotten parts are removed after a week, by a process that claims the place', async () => {
    const upload = { path: `bucket/of/tests/${NAME}`, metadata: {}, parts: new Map() }
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000)
    server.uploads.set('old', { ...upload, begun: daysAgo(8) })
    server.uploads.set('young', { ...upload, begun: daysAgo(6) })
    const other = await open()
    await other.blobs.size(NAME)
    expect(server.requests.filter(request => request.includes('?uploads'))).toEqual([])
    await other.claim({ id: 'a store' })
    await expect.poll(() => [...server.uploads.keys()]).toEqual(['young'])
    await other.close()
  })

  it('takes no more memory than some parts', async () => {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    // Only the parts that the source makes are counted, not what the server keeps.
    const source = async function* () {
      for await (const piece of pieces(200)) {
        const held = [...server.uploads.values()].flatMap(({ parts }) => [...parts.values()])
        const kept = held.reduce((sum, { length }) => sum + length, 0)
        most = Math.max(most, process.memoryUsage().arrayBuffers - before - kept)
        yield piece
      }
    }
    await engine.blobs.put(NAME, source())
    // Three parts, and as much again on its way into the server of the test, with what is not collected yet.
    expect(most).toBeLessThan(160 * MIB)
  })
})

describe('requests', () => {
  it('are no more than 32 at once', async () => {
    await engine.blobs.put(NAME, [pattern(1000)])
    server.plan = request => (request.startsWith('GET') ? { status: 503, code: 'SlowDown' } : undefined)
    const work = Array.from({ length: 200 }, () => engine.blobs.size(NAME))
    await Promise.all(work)
    expect(server.mostAtOnce).toBeLessThanOrEqual(32)
  })

  it('small ranges of one blob that are asked for together are one request', async () => {
    await engine.blobs.put(NAME, [pattern(MIB)])
    server.requests.length = 0
    const offsets = [500_000, 0, 100, 90, 40_000, 999_999_999]
    const found = await Promise.all(offsets.map(offset => read(offset, 50)))
    const expected = offsets.map(offset => pattern(MIB).subarray(offset, offset + 50))
    expect(found).toEqual(expected)
    expect(targets(NAME)).toBe(3)
  })

  it('of a closed engine end', async () => {
    failing('stall')
    const work = errorOf(read(0, 1))
    await expect.poll(() => targets(NAME)).toBe(1)
    await engine.close()
    expect(await work).toMatchObject({ code: 'storage-failed' })
  })
})
