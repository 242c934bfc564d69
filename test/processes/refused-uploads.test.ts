// The rest of a refused upload is read for a while, so that its client sees the answer: not for longer than six times
// the client timeout. test/world has the rule for pauses.

import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('a refused client that never ends is cut off', async () => {
  expect(await untilCutOff(await refusedUpload())).toBeGreaterThan(1.6 * CLIENT_TIMEOUT_MS)
})
