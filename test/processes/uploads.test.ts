// An upload of an HDF5 file to a server that is killed.

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Reply, sendTo } from '../wire/client.ts'
import { RawConnection } from '../wire/raw-connection.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const SAMPLE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))
const TYPE = 'Content-Type: application/x-hdf5'
/** Longer files than this do not stay in memory. */
const LARGE = 5 << 20

let directory: string
let server: RunningServer

beforeAll(async () => {
  directory = await newWorkingDirectory()
  server = await startServer(directory)
})
afterAll(async () => {
  await server.end('SIGKILL')
  await runCommand(directory, ['check', 'data'])
  await rm(directory, { recursive: true, force: true })
})

function hostOf(name: string): string {
  return `${name}.hdfgroup.org`
}

function get(name: string): Promise<Reply> {
  return sendTo(server.address, 'GET', '/', undefined, { headers: { host: hostOf(name) } })
}

async function blobs(): Promise<readonly string[]> {
  const read = () => readdir(join(directory, 'data', 'blobs'), { recursive: true, withFileTypes: true })
  // The server may remove a folder while it is read; then the files are listed anew.
  const entries = await vi.waitFor(read, { timeout: 60_000 })
  return entries.flatMap(entry => (entry.isFile() ? [entry.name] : [])).sort()
}

/** An upload of a large file of which all but the end has been sent. */
async function beginUpload(name: string, length: string): Promise<RawConnection> {
  const connection = new RawConnection(server.address)
  connection.send(`PUT / HTTP/1.1\r\nHost: ${hostOf(name)}\r\n${TYPE}\r\n${length}\r\n\r\n`)
  return connection
}

test('of a server that is killed in the middle of an upload no domain and no file is left', async () => {
  const before = await blobs()
  const upload = await beginUpload('killed', `Content-Length: ${LARGE + 1000}`)
  upload.socket.write(await readFile(SAMPLE))
  upload.socket.write(new Uint8Array(LARGE - 10_000).fill(1))
  await vi.waitFor(async () => expect((await blobs()).length).toBe(before.length + 1), { timeout: 60_000 })
  // `once` of Node would fail with the error of the broken connection.
  const gone = new Promise(resolve => upload.socket.once('close', resolve))
  await server.end('SIGKILL')
  upload.socket.destroy()
  await gone
  expect((await blobs()).length).toBe(before.length + 1)
  server = await startServer(directory)
  expect((await get('killed')).status).toBe(404)
  await vi.waitFor(async () => expect(await blobs()).toEqual(before), { timeout: 60_000, interval: 200 })
})
