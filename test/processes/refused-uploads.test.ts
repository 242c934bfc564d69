// The rest of a refused upload is read for a while, so that its client sees the answer: not for longer than the client
// timeout without a byte, and not for longer than six times that.

import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RawConnection, request } from '../wire/raw-connection.ts'
import { newWorkingDirectory, type RunningServer, startServer } from '../wire/server.ts'

const CLIENT_TIMEOUT_MS = 2000

let directory: string
let server: RunningServer

beforeAll(async () => {
  directory = await newWorkingDirectory()
  server = await startServer(directory, ['--client-timeout', String(CLIENT_TIMEOUT_MS / 1000)])
})

afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

/** A connection on which an upload has begun and was refused. */
async function refusedUpload(): Promise<Socket> {
  const connection = new RawConnection(server.address)
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': '100000000000' }
  connection.send(request('PUT', '/datasets/d-0/value?domain=/no/such.h5', headers))
  expect((await connection.answer())?.status).toBe(404)
  return connection.socket
}

/** Milliseconds until what is written, a little every 100 ms, arrives nowhere. */
async function untilCutOff(socket: Socket): Promise<number> {
  const start = performance.now()
  const timer = setInterval(() => socket.write('more'), 100)
  await new Promise(resolve => socket.once('error', resolve))
  clearInterval(timer)
  return performance.now() - start
}

describe.concurrent('a refused client is cut off', () => {
  test('when it pauses', async () => {
    const socket = await refusedUpload()
    await pause(1.4 * CLIENT_TIMEOUT_MS)
    expect(await untilCutOff(socket)).toBeLessThan(4 * CLIENT_TIMEOUT_MS)
  })

  test('when it never ends', async () => {
    const taken = await untilCutOff(await refusedUpload())
    expect(taken).toBeGreaterThan(1.6 * CLIENT_TIMEOUT_MS)
    expect(taken).toBeLessThan(60_000)
  })
})
