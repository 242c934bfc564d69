// Small writes on a disk that is full: they are taken, with the records, until their chunk has far too many patches.
// Then it would have to be written whole, and the answer is 507. Nothing that was acknowledged is lost, and writes go
// on when there is room again. The disk of the blobs is a file system in memory that only the server sees.

import { execFileSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { connect } from '../crash/writers.ts'
import { sendTo } from '../wire/client.ts'
import { newWorkingDirectory, startServer } from '../wire/server.ts'

/** The chunk, of 1 MiB, and two others of that length; what is left is less than that. */
const DISK = 'size=4m'
const CHUNK = 2 ** 18
/** Elements that are kept with the records. */
const PART = 15_000

/** Whether this user may mount a file system that no other process sees. */
const canMount = (() => {
  try {
    execFileSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (!canMount) console.warn('SKIPPED: this user cannot mount a file system, so no disk is full')

test.skipIf(!canMount)(
  'small writes of a chunk that cannot be folded end with 507, and lose nothing',
  async () => {
    const directory = await newWorkingDirectory()
    const first = await startServer(directory)
    await first.end('SIGTERM')
    const mount = `mount -t tmpfs -o ${DISK} tmpfs "$0" && exec "$@"`
    const wrapper = ['unshare', '-Urm', '/bin/sh', '-c', mount, join(directory, 'data', 'blobs')]
    const server = await startServer(directory, [], { wrapper })
    try {
      const client = connect(server.address)
      await client.want(201, 'PUT', '/')
      const create = async (chunks: number) => {
        const { id } = await client.want<{ id: string }>(201, 'POST', '/datasets', {
          type: 'H5T_STD_I32LE',
          shape: [chunks, CHUNK],
          creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [1, CHUNK] } },
        })
        return `/datasets/${id}`
      }
      const row = (chunk: number, value: readonly number[], start = 0) => ({
        start: [chunk, start],
        stop: [chunk + 1, start + value.length],
        value: [value],
      })
      const numbers = (length: number, seed: number) =>
        Array.from({ length }, (_, i) => Math.imul(seed, i + 1))
      const expected = numbers(CHUNK, 7919)
      const hot = await create(1)
      await client.want(200, 'PUT', `${hot}/value`, row(0, expected))
      const filler = await create(3)
      const statuses: number[] = []
      for (let chunk = 0; chunk < 3; chunk++) {
        statuses.push(
          (await client.send('PUT', `${filler}/value`, row(chunk, numbers(CHUNK, chunk + 2)))).status,
        )
      }
      expect(statuses).toEqual([200, 200, 507])

      let taken = 0
      const put = (number: number) => {
        const start = (number * 7919) % (CHUNK - PART)
        const part = numbers(PART, number + 100)
        return { start, part, reply: client.send('PUT', `${hot}/value`, row(0, part, start)) }
      }
      for (;;) {
        const { start, part, reply } = put(taken)
        const { status, text } = await reply
        if (status !== 200) {
          expect([status, text]).toEqual([507, expect.stringContaining('full')])
          break
        }
        for (const [i, number] of part.entries()) expected[start + i] = number
        taken++
        expect(taken).toBeLessThan(100)
      }
      // They are far more than half of the chunk, at which it would be folded.
      expect(4 * PART * taken).toBeGreaterThan(4 * CHUNK)
      const read = async () => (await client.want<{ value: number[][] }>(200, 'GET', `${hot}/value`)).value[0]
      expect(await read()).toEqual(expected)

      await client.want(200, 'DELETE', filler)
      await expect
        .poll(
          async () => {
            const { start, part, reply } = put(taken)
            const { status } = await reply
            if (status === 200) for (const [i, number] of part.entries()) expected[start + i] = number
            return status
          },
          { timeout: 60_000 },
        )
        .toBe(200)
      expect(await read()).toEqual(expected)
    } finally {
      await server.end('SIGTERM')
      await rm(directory, { recursive: true })
    }
  },
)

test.skipIf(!canMount)(
  'records on a full disk: writes are 507, and each line of the log is JSON',
  async () => {
    const directory = await newWorkingDirectory()
    const mount = 'mount -t tmpfs -o size=700k tmpfs "$0" && exec "$@"'
    const folder = join(directory, 'data')
    await mkdir(folder)
    const wrapper = ['unshare', '-Urm', '/bin/sh', '-c', mount, folder]
    const server = await startServer(directory, [], { wrapper })
    let log = ''
    server.process.stderr?.on('data', piece => {
      log += piece
    })
    try {
      const statuses = new Set<number>()
      for (let number = 0; number < 1000 && !statuses.has(507); number++) {
        const host = `${number}.test.hdfgroup.org`
        statuses.add((await sendTo(server.address, 'PUT', '/', undefined, { headers: { host } })).status)
      }
      expect(statuses).toEqual(new Set([201, 507]))
      await vi.waitFor(() => expect(log).toMatch(/\n$/), { timeout: 60_000 })
      for (const line of log.trimEnd().split('\n')) expect(() => JSON.parse(line), line).not.toThrow()
    } finally {
      await server.end('SIGTERM')
      await rm(directory, { recursive: true })
    }
  },
)
