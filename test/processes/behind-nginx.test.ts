// Files in ranges, the Zarr view and references behind nginx, with and without its compression: lengths, ranges and
// tags are those of the service, for a mounted and for a stored domain. And files of mounts that nginx sends itself.

import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDomains } from '../clients/clients.ts'
import { isMissing, PYTHON } from '../h5py/h5py.ts'
import { freePort } from '../servers/free-port.mjs'
import { hasNginx, type RunningNginx, startNginx } from '../servers/nginx.mjs'
import { type Reply, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const missing = isMissing('a Python with h5py, or nginx', PYTHON !== undefined && hasNginx())

describe.skipIf(missing).each([
  ['without compression', 'gzip off;'],
  ['with compression of JSON', 'gzip on; gzip_proxied any; gzip_min_length 1; gzip_types application/json;'],
])('nginx %s', (_, gzip) => {
  let directory: string
  let server: RunningServer
  let nginx: RunningNginx
  let address: string

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    const files = join(directory, 'files')
    mkdirSync(files)
    makeDomains(files)
    await runCommand(directory, ['import', '-r', files, '--to', '/imported'])
    server = await startServer(directory, ['--mount', `${files}=/mounted`, '--new-domains', 'anyone'])
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const proxy = `proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;`
    const location = `location / { proxy_pass ${server.address}; }`
    nginx = await startNginx(
      directory,
      port,
      `${gzip} server { listen 127.0.0.1:${port}; ${proxy} ${location} }`,
    )
  })

  afterAll(async () => {
    await nginx?.end()
    await server?.end('SIGTERM')
    rmSync(directory, { recursive: true, force: true })
  })

  /** The request of a browser, whose `fetch` accepts compression always. */
  function ask(
    path: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<Reply> {
    return sendTo(address, method, path, undefined, {
      headers: { 'Accept-Encoding': 'gzip', ...headers },
      undeclared: true,
    })
  }

  const FILES = ['/mounted/all.h5', '/imported/all.h5']

  it.each(FILES)('hands on lengths, ranges and tags of the file %s', async path => {
    const direct = await sendTo(server.address, 'GET', `/h5${path}`)
    expect(direct.bytes.equals(readFileSync(join(directory, 'files/all.h5')))).toBe(true)
    const { etag } = direct.headers
    const length = String(direct.bytes.length)
    const head = await ask(`/h5${path}`, {}, 'HEAD')
    expect([
      head.status,
      head.headers['content-length'],
      head.headers.etag,
      head.headers['accept-ranges'],
    ]).toEqual([200, length, etag, 'bytes'])
    const whole = await ask(`/h5${path}`)
    expect([whole.headers['content-length'], whole.headers['content-encoding']]).toEqual([length, undefined])
    expect(whole.bytes.equals(direct.bytes)).toBe(true)
    for (const range of ['bytes=0-7', 'bytes=100-299', 'bytes=-50']) {
      const part = await ask(`/h5${path}`, { Range: range, 'If-Range': String(etag) })
      const same = await sendTo(server.address, 'GET', `/h5${path}`, undefined, { headers: { Range: range } })
      expect([part.status, part.headers['content-range'], part.headers.etag]).toEqual([
        206,
        same.headers['content-range'],
        etag,
      ])
      expect(part.bytes.equals(same.bytes)).toBe(true)
    }
    expect((await ask(`/h5${path}`, { Range: `bytes=${length}-` })).status).toBe(416)
    expect((await ask(`/h5${path}`, { Range: 'bytes=0-7', 'If-Range': '"other"' })).status).toBe(200)
    expect((await ask(`/h5${path}`, { 'If-None-Match': String(etag) })).status).toBe(304)
  })

  it.each(FILES)('hands on documents and chunks of %s, and their tags', async path => {
    for (const document of [`/zarr/v3${path}/zarr.json`, `/zarr/refs${path}`]) {
      const plain = await sendTo(address, 'GET', document)
      const length = String(plain.bytes.length)
      const head = await sendTo(address, 'HEAD', document)
      expect([head.headers['content-length'], plain.headers['content-length']]).toEqual([length, length])
      // The addresses of references are those that the client used.
      if (document.includes('refs')) expect(plain.text).toContain(`${address}/`)
      const packed = await ask(document)
      expect(packed.headers['content-encoding'] === 'gzip').toBe(gzip !== 'gzip off;')
      const known = await ask(document, { 'If-None-Match': String(packed.headers.etag) })
      expect(known.status).toBe(304)
    }
    const chunk = await ask(`/zarr/v3${path}/deflate/c/0/0`)
    expect(chunk.status, chunk.story).toBe(200)
    expect([chunk.headers['content-length'], chunk.headers['content-encoding']]).toEqual([
      String(chunk.bytes.length),
      undefined,
    ])
    const part = await ask(`/zarr/v3${path}/deflate/c/0/0`, {
      Range: 'bytes=2-3',
      'If-Range': String(chunk.headers.etag),
    })
    expect([part.status, part.bytes]).toEqual([206, chunk.bytes.subarray(2, 4)])
  })
})

describe.skipIf(missing)('nginx that sends files itself', () => {
  const NAME = 'ä 100%?.h5'
  let directory: string
  let server: RunningServer
  let nginx: RunningNginx
  let address: string
  let bytes: Buffer

  beforeAll(async () => {
    directory = realpathSync(await newWorkingDirectory())
    const files = join(directory, 'files')
    mkdirSync(files)
    makeDomains(files)
    bytes = readFileSync(join(files, 'all.h5'))
    writeFileSync(join(files, NAME), bytes)
    await runCommand(directory, ['import', join(files, 'all.h5'), '--to', '/imported'])
    const settings = ['--accel-redirect', '/sent', '--new-domains', 'anyone']
    server = await startServer(directory, ['--mount', `${files}=/mounted`, ...settings])
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const location = `location / { proxy_set_header X-Sendfile-Type X-Accel-Redirect; proxy_pass ${server.address}; }`
    const sent = `location /sent${files}/ { internal; alias ${files}/; }`
    nginx = await startNginx(directory, port, `server { listen 127.0.0.1:${port}; ${location} ${sent} }`)
  })

  afterAll(async () => {
    await nginx?.end()
    await server?.end('SIGTERM')
    rmSync(directory, { recursive: true, force: true })
  })

  function ask(
    from: string,
    path: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) {
    return sendTo(from, method, path, undefined, { headers, undeclared: true })
  }

  it.each(['all.h5', NAME])('sends %s, ranges and conditions', async name => {
    const path = `/h5/mounted/${encodeURIComponent(name)}`
    const whole = await ask(address, path)
    expect(whole.bytes.equals(bytes)).toBe(true)
    // A tag of nginx, of the time and the length.
    expect(whole.headers.etag).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/)
    const { 'content-type': type, 'content-disposition': disposition } = (await ask(server.address, path))
      .headers
    expect(whole.headers).toMatchObject({ 'content-type': type, 'content-disposition': disposition })
    const head = await ask(address, path, {}, 'HEAD')
    expect([head.status, head.headers['content-length']]).toEqual([200, String(bytes.length)])
    const tag = String(whole.headers.etag)
    const part = await ask(address, path, { Range: 'bytes=100-299', 'If-Range': tag })
    expect([part.status, part.bytes.equals(bytes.subarray(100, 300))]).toEqual([206, true])
    expect((await ask(address, path, { 'If-None-Match': tag })).status).toBe(304)
    expect((await ask(address, path, { 'If-Match': tag })).status).toBe(200)
    // nginx closes the connection behind this answer, without a word.
    expect((await ask(address, path, { 'If-Match': '"other"', Connection: 'close' })).status).toBe(412)
    expect((await ask(address, path, { Range: `bytes=${bytes.length}-` })).status).toBe(416)
  })

  it('gets no name of a file without the rights, or for another state', async () => {
    const unknown = await ask(address, '/h5/mounted/all.h5', { Authorization: 'Basic YW5uOndyb25n' })
    expect([unknown.status, unknown.bytes.length < bytes.length]).toEqual([401, true])
    expect((await ask(address, '/h5/mounted/none.h5')).status).toBe(404)
    expect((await ask(address, `/sent${directory}/files/all.h5`)).status).toBe(404)
    const state = await ask(address, '/h5/mounted/all.h5', { 'If-State': '0'.repeat(32) })
    expect([state.status, state.headers['x-accel-redirect']]).toEqual([412, undefined])
  })

  it('leaves imported files, pages of other origins and other callers to the service', async () => {
    const own = await ask(server.address, '/h5/mounted/all.h5')
    expect(own.bytes.equals(bytes)).toBe(true)
    expect(own.headers['x-accel-redirect']).toBeUndefined()
    const page = await ask(address, '/h5/mounted/all.h5', { Origin: 'https://other.example' })
    expect([page.headers.etag, page.headers['access-control-allow-origin']]).toEqual([own.headers.etag, '*'])
    const imported = await ask(address, '/h5/imported/all.h5')
    expect(imported.status, imported.story).toBe(200)
    expect(imported.bytes.equals(bytes)).toBe(true)
  })
})
