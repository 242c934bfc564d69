// Blobs in S3 behave as the conformance suite has it, with and without a cache, and a store works on them. With
// HYPERSLAB_TEST_S3 set to an empty location (`s3://bucket/prefix`), and the key and the address of the store in the
// environment, they are in that store, too.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@hyperslab/store/engines'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openS3Blobs } from '../../packages/store/engines/s3/open-s3-blobs.ts'
import { describeEngine } from '../conformance/engine.ts'
import { describeBlobs } from '../conformance/engine-blobs.ts'
import { describeStore } from '../conformance/store.ts'
import { environmentOf, type S3Server, startS3Server } from '../servers/s3-server.ts'
import { openMemoryEngine } from './memory.ts'

const folders: string[] = []
let server: S3Server | undefined
let opened = 0

beforeAll(async () => {
  server = await startS3Server()
})
afterAll(async () => {
  await server?.close()
  await Promise.all(folders.map(folder => rm(folder, { recursive: true })))
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-s3-'))
  folders.push(folder)
  return folder
}

/** The engine with its blobs in a location of its own. */
async function withS3Blobs(
  records: Engine,
  { isCached, location }: { readonly isCached: boolean; readonly location: string | undefined },
): Promise<Engine> {
  if (!server) throw new Error('the server has not started')
  const { blobs, claim, close } = await openS3Blobs(`${location ?? 's3://bucket'}/store-${opened++}`, {
    ...(location === undefined && { environment: environmentOf(server) }),
    ...(isCached && { cache: { folder: await newFolder(), maxBytes: 64 * 2 ** 20 } }),
    settle: 0,
  })
  await claim({ id: 'a store' })
  return {
    ...records,
    keyValue: records.keyValue,
    blobs,
    async close() {
      await records.close()
      await close()
    },
  }
}

const given = process.env.HYPERSLAB_TEST_S3
if (given === undefined) console.log('SKIPPED: blobs in a real S3 store: HYPERSLAB_TEST_S3 names none')

const locations: Record<string, string | undefined> = {
  'a store in memory': undefined,
  ...(given !== undefined && { [given]: given }),
}
const onLmdb = async (isCached: boolean, location: string | undefined) =>
  withS3Blobs(await openEngine(inFolder(await newFolder())), { isCached, location })

for (const [name, location] of Object.entries(locations)) {
  describeEngine(`records in LMDB and blobs in S3, ${name}`, () => onLmdb(false, location), {
    replaces: true,
  })
  it(`a blob of parts, ${name}`, async () => {
    const engine = await onLmdb(false, location)
    const piece = Buffer.alloc(1_000_003)
    async function* pieces() {
      for (let index = 0; index < 40; index++) yield piece.fill(index)
    }
    await engine.blobs.put('ab/01', pieces())
    const into = Buffer.alloc(39 * piece.length + 1)
    expect(await engine.blobs.read('ab/01', piece.length - 1, into)).toBe(into.length)
    const starts = Array.from({ length: 39 }, (_, index) => into[index * piece.length + 1])
    expect(starts).toEqual(Array.from({ length: 39 }, (_, index) => index + 1))
    expect([into[0], await engine.blobs.size('ab/01')]).toEqual([0, 40 * piece.length])
    await engine.blobs.delete('ab/01')
    expect(await engine.blobs.size('ab/01')).toBeUndefined()
    await engine.close()
  })
  describe(`with a cache, ${name}`, () => describeBlobs(() => onLmdb(true, location), { replaces: true }))
  describeStore(`a store in memory with blobs in S3, ${name}`, () =>
    withS3Blobs(openMemoryEngine(), { isCached: true, location }),
  )
}
