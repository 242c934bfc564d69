// Uploads of HDF5 files to a service that takes no large ones, and from curl.

import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { type Reply, sendTo } from '../wire/client.ts'
import { RawConnection } from '../wire/raw-connection.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const SAMPLE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))
const TYPE = 'Content-Type: application/x-hdf5'
const MAX_UPLOAD = 8 << 20

let directory: string
let server: ServedHere

beforeAll(async () => {
  directory = await newWorkingDirectory()
  server = await serveHere({ maxUpload: String(MAX_UPLOAD) }, { dataFolder: join(directory, 'data') })
})
afterAll(async () => {
  expect(await server.findings()).toEqual([])
  await server.end()
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
  // The service may remove a folder while it is read; then the files are listed anew.
  const entries = await vi.waitFor(read, { timeout: 60_000 })
  return entries.flatMap(entry => (entry.isFile() ? [entry.name] : [])).sort()
}

/** An upload of a large file of which all but the end has been sent. */
async function beginUpload(name: string, length: string): Promise<RawConnection> {
  const connection = new RawConnection(server.address)
  connection.send(`PUT / HTTP/1.1\r\nHost: ${hostOf(name)}\r\n${TYPE}\r\n${length}\r\n\r\n`)
  return connection
}

test('a file beyond max_upload is refused, by its announced length or when so much has come', async () => {
  const before = await blobs()
  const announced = await beginUpload('large', `Content-Length: ${MAX_UPLOAD + 1}\r\nExpect: 100-continue`)
  const refused = await announced.answer()
  expect(refused?.status).toBe(413)
  expect(JSON.parse(String(refused?.body))).toMatchObject({
    code: 'body-too-large',
    message: expect.stringContaining(`${MAX_UPLOAD} bytes, the setting max_upload`),
  })
  const chunked = await beginUpload('large', 'Transfer-Encoding: chunked')
  const size = MAX_UPLOAD + 1
  chunked.socket.write(`${size.toString(16)}\r\n`)
  chunked.socket.write(Buffer.alloc(size, 1))
  expect((await chunked.answer())?.status).toBe(413)
  await Promise.all([announced.leave(), chunked.leave()])
  expect((await get('large')).status).toBe(404)
  await expect.poll(blobs).toEqual(before)
})

test('curl -T puts a file in, curl -o takes it out', async context => {
  const curl = async (...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)('curl', ['--silent', '--show-error', ...args])
    return stdout
  }
  if (!(await curl('--version').catch(() => undefined))) {
    console.log('SKIPPED: curl is not installed')
    context.skip()
  }
  const url = `${server.address}/?host=${hostOf('by-curl')}`
  const created = JSON.parse(await curl('-T', SAMPLE, '-H', TYPE, url))
  expect(created).toMatchObject({ root: expect.any(String), warnings: [] })
  const file = join(directory, 'out.h5')
  await curl('-o', file, `${url}&format=hdf5`)
  const again = JSON.parse(await curl('-T', file, '-H', TYPE, `${url}&replace=1`))
  expect(again.root).not.toBe(created.root)
  expect((await get('by-curl')).json()).toMatchObject({ root: again.root })
})
