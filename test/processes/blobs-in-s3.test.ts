// `hyperslab serve --blobs s3://...` as a process: values are in the bucket and survive the server and its cache, other
// stores are kept away from the bucket, a store moves there and back, and a bucket that does not answer is a 503.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { connect, prepare, verify, WRITERS } from '../crash/writers.ts'
import { environmentOf, type S3Server, startS3Server } from '../servers/s3-server.ts'
import {
  COMMAND,
  commandEnvironment,
  newWorkingDirectory,
  type RunningServer,
  startServer,
} from '../wire/server.ts'

const BUCKET = 's3://bucket/store'
const WRITES = 12

let s3: S3Server
let environment: NodeJS.ProcessEnv
const directories: string[] = []
let server: RunningServer | undefined

beforeAll(async () => {
  s3 = await startS3Server()
  environment = environmentOf(s3)
})
afterEach(async () => {
  await server?.end('SIGTERM')
  server = undefined
})
afterAll(async () => {
  await s3.close()
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

async function newDirectory(): Promise<string> {
  const directory = await newWorkingDirectory()
  directories.push(directory)
  return directory
}

async function start(directory: string, ...options: readonly string[]): Promise<RunningServer> {
  server = await startServer(directory, options, { environment })
  return server
}

async function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...commandEnvironment(), ...environment },
  })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status: child.exitCode, out, err }
}

async function write(address: string) {
  const world = await prepare(connect(address))
  const client = connect(address, world)
  for (let done = 0; done < WRITES; done++) {
    for (const each of WRITERS) await each(client)
  }
  return world
}

const sound = { status: 0, err: '', out: expect.stringMatching(/: nothing is wrong\n$/) }

it('puts nothing into the bucket before small changes are answered, and one object for 400 of them', async () => {
  const directory = await newDirectory()
  const { address } = await start(directory, '--blobs', 's3://bucket/small')
  const client = connect(address)
  await client.want(201, 'PUT', '/')
  const chunk = 2 ** 18
  const { id } = await client.want<{ id: string }>(201, 'POST', '/datasets', {
    type: 'H5T_STD_I32LE',
    shape: [chunk],
    creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [chunk] } },
  })
  const put = (start: number, value: readonly number[]) =>
    client.want(200, 'PUT', `/datasets/${id}/value`, { start, stop: start + value.length, value })
  const puts = () =>
    s3.requests.filter(request => request.startsWith('PUT ') && request.includes('small/')).length
  const half = new Array<number>(chunk / 2).fill(1)
  const before = puts()
  await put(0, half)
  expect(puts()).toBe(before + 1)
  const row = Array.from({ length: 140 }, (_, i) => i)
  for (let i = 0; i < 100; i++) await put(half.length + i * row.length, row)
  expect(puts()).toBe(before + 1)
  for (let i = 100; i < 400; i++) await put(half.length + i * row.length, row)
  // The fold may still be under way.
  expect(puts()).toBeLessThanOrEqual(before + 2)
  const { value } = await client.want<{ value: number[] }>(200, 'GET', `/datasets/${id}/value`)
  const rest = new Array<number>(chunk - half.length - 400 * row.length).fill(0)
  expect(value).toEqual([...half, ...Array.from({ length: 400 }, () => row).flat(), ...rest])
})

it('keeps large values in the bucket, whatever happens to the cache', async () => {
  const directory = await newDirectory()
  const { address } = await start(directory, '--blobs', BUCKET)
  // An operator set it up, so nothing of a first start is put into it.
  expect((await fetch(`${address}/?domain=/sample.h5`)).status).toBe(404)
  const world = await write(address)
  const data = join(directory, 'data')
  const doctor = ['doctor', data, '--port', '0', '--blobs', BUCKET]
  const store = `${data}, with values in ${BUCKET},`
  expect(await run(...doctor)).toMatchObject({
    status: 0,
    out: expect.stringContaining(`ok     store: ${store} answers`),
  })
  await server?.end('SIGKILL')
  expect(readdirSync(data).sort()).toEqual(['.temporary', 'cache', 'hyperslab.json', 'lmdb'])
  await rm(join(data, 'cache'), { recursive: true })
  const again = await start(directory, '--blobs', BUCKET)
  await verify(connect(again.address, world))
  expect(await run('check', data, '--blobs', BUCKET, '--values')).toEqual(sound)
})

it('is refused to another store, and without the bucket', async () => {
  const other = await newDirectory()
  const refused = await run('serve', join(other, 'data'), '--blobs', BUCKET, '--port', '0')
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('belongs to another store')])
  expect(refused.err.trim().split('\n')).toHaveLength(1)
  const [first] = directories
  const without = await run('serve', join(first, 'data'), '--port', '0')
  expect([without.status, without.err]).toEqual([
    1,
    expect.stringContaining('the setting "blobs" must say where its values are'),
  ])
  const absent = await run('serve', join(other, 'new'), '--blobs', 's3://no-such-bucket', '--port', '0')
  expect([absent.status, absent.err]).toEqual([1, expect.stringContaining('no-such-bucket')])
  const malformed = await run('serve', join(other, 'new'), '--blobs', 'bucket')
  expect([malformed.status, malformed.err]).toEqual([2, expect.stringContaining('--blobs: "bucket" must be')])
})

it('takes a store that was a folder, and gives it back', async () => {
  const directory = await newDirectory()
  const { address } = await start(directory)
  const world = await write(address)
  await server?.end('SIGTERM')
  const [data, moved, back] = ['data', 'moved', 'back/data'].map(name => join(directory, name))
  const bucket = 's3://bucket/moved'
  expect(await run('copy', data, '--to', moved, '--to-blobs', bucket)).toMatchObject({ status: 0, err: '' })
  expect(await run('check', moved, '--blobs', bucket, '--values')).toEqual(sound)
  expect(await run('copy', moved, '--blobs', bucket, '--to', back)).toMatchObject({ status: 0, err: '' })
  const again = await start(join(directory, 'back'))
  await verify(connect(again.address, world))
})

it('that does not answer is a 503 for what needs it, and works again by itself', async () => {
  const directory = await newDirectory()
  const { address } = await start(directory, '--blobs', 's3://bucket/away', '--blob-cache-size', '0')
  const world = await write(address)
  s3.plan = () => ({ status: 503, code: 'SlowDown' })
  const client = connect(address, world)
  const { id } = world.datasets[1]
  const reply = await client.send('GET', `/datasets/${id}/value`)
  expect([reply.status, reply.json<{ code: string }>().code], reply.story).toEqual([503, 'storage-failed'])
  expect(reply.headers['retry-after']).toBeDefined()
  expect((await client.send('GET', `/datasets/${id}`)).status).toBe(200)
  s3.plan = () => undefined
  await verify(client)
})
