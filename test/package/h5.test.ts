// The package @hyperslab/h5 as a user gets it: built, packed, installed in an empty folder without other packages. The
// examples of its README run in Node and, bundled by Vite, in a page and in a worker of Chromium.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGE = join(ROOT, 'packages', 'h5')
// JavaScript, like the benchmarks that use it: its types are those of playwright-core.
const { launchBrowser, PROGRAM } = (await import('../browser/chromium.mjs' as string)) as {
  launchBrowser: () => Promise<Browser>
  PROGRAM: string
}
const hasNoBrowser = spawnSync(PROGRAM, ['--version']).status !== 0
if (hasNoBrowser) console.warn(`SKIPPED: there is no browser at ${PROGRAM} (apt-get install chromium)`)

const [WRITE, READ, WORKER] = [
  ...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g),
].map(([, code]) => code)

/** 1000 bytes, the numbers 0 to 6 again and again, as libbz2 encodes them. */
const BZIP2 = 'QlpoOTFBWSZTWUMX4mkAAEdAAH8AIABQhgBNVA0yFWbCrgVdCrwVYFXoVfF3JFOFCQQxfiaQ'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-h5-'))
  run(PACKAGE, process.execPath, 'build.mjs')
  const [{ filename }] = JSON.parse(
    run(join(ROOT, 'dist', 'h5'), 'npm', 'pack', '--json', '--pack-destination', folder),
  )
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename))
  await writeFile(join(folder, 'write.js'), WRITE)
  await writeFile(join(folder, 'read.js'), READ)
  await writeFile(join(folder, 'worker.js'), WORKER)
  run(folder, process.execPath, 'write.js')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

describe('in Node', () => {
  it('writes and reads a file, as its README says', () => {
    const printed = run(folder, process.execPath, 'read.js')
    expect(printed.split('\n').slice(0, 3)).toEqual([
      'entry',
      'latest',
      expect.stringMatching(/^\[ 20, 30 \] \[ 10, 10 \] K \[ 3 \] Float32Array\(3\) \[ 9, 10, 11 \]$/),
    ])
  })

  it('has types that fit', async () => {
    const program = `import { openFile, H5Dataset } from '@hyperslab/h5/reader'
import { newFile } from '@hyperslab/h5/writer'
import { TYPES, type Datatype } from '@hyperslab/h5/types'
import { codecOf } from '@hyperslab/h5/filters'
const type: Datatype = TYPES.int16
const file = newFile()
file.root.createDataset('x', [1], { type })
const found = await (await openFile(await file.toBytes())).get('x')
export const shape: readonly number[] | undefined = found instanceof H5Dataset ? found.shape : undefined
export const id: number | undefined = codecOf(1)?.id
`
    await writeFile(join(folder, 'typed.ts'), program)
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const options = ['--noEmit', '--strict', '--module', 'NodeNext', '--target', 'ES2023', '--types', '']
    run(folder, process.execPath, tsc, ...options, '--lib', 'ES2023,DOM', 'typed.ts')
  })
})

/** Pages, and a file whose parts can be requested. */
async function serveFolder(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    const type = path.endsWith('.js') ? 'text/javascript' : path === '/' ? 'text/html' : 'application/x-hdf5'
    const file = path === '/' ? 'index.html' : path
    const bytes = await readFile(join(folder, 'page', file)).catch(() => undefined)
    if (!bytes) return response.writeHead(404).end()
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined) return response.writeHead(200, { 'content-type': type }).end(bytes)
    const part = bytes.subarray(Number(first), Number(last) + 1)
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`
    return response.writeHead(206, { 'content-range': range, etag: '"1"' }).end(part)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

describe.skipIf(hasNoBrowser)('in Chromium, bundled', () => {
  let browser: Browser
  let server: Server

  beforeAll(async () => {
    const page = `import { codecOf, decodeChunk, encodeChunk, pipelineOf } from '@hyperslab/h5/filters'
import { TYPES } from '@hyperslab/h5/types'
import { blobSource, openFile, urlSource } from '@hyperslab/h5/reader'
globalThis.readHere = async data => {
  const file = await openFile(data instanceof Blob ? blobSource(data) : await urlSource(data))
  const { values } = await (await file.get('/entry/temperature')).read()
  return values[599]
}
globalThis.throughFilters = async () => {
  const failed = []
  const bytes = Uint8Array.from({ length: 4000 }, (_, i) => i % 50)
  const form = { type: TYPES.uint8, elementSize: 1, chunkDims: [4000] }
  for (const id of [1, 2, 3, 32000, 32001, 32003, 32004, 32008, 32015]) {
    const pipeline = pipelineOf([{ id, json: new Map() }], form)
    const encoded = await encodeChunk(pipeline, bytes)
    const decoded = await decodeChunk(pipeline, encoded, 4000)
    if (encoded.mask !== 0 || decoded.some((byte, i) => byte !== bytes[i])) failed.push(id)
  }
  const bzip2 = Uint8Array.from(atob('${BZIP2}'), letter => letter.charCodeAt(0))
  const decoded = await codecOf(307).decode(bzip2, [9], 1000)
  if (decoded.length !== 1000 || decoded.some((byte, i) => byte !== i % 7)) failed.push(307)
  return failed
}
globalThis.readInWorker = data => new Promise((resolve, reject) => {
  const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: { values } }) => resolve(values[599])
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.postMessage(data)
})
`
    await writeFile(join(folder, 'page.js'), page)
    await writeFile(
      join(folder, 'index.html'),
      '<!doctype html><script type="module" src="page.js"></script>',
    )
    // The filters are modules that are loaded when they are needed: a worker of Vite has them as format "es" only.
    await build({ root: folder, logLevel: 'error', build: { outDir: 'page' }, worker: { format: 'es' } })
    await writeFile(join(folder, 'page', 'measured.h5'), await readFile(join(folder, 'measured.h5')))
    server = await serveFolder()
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await new Promise(resolve => server?.close(resolve))
  })

  it('encodes and decodes by each filter', async () => {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(await page.evaluate('globalThis.throughFilters()')).toEqual([])
    await page.close()
  })

  it.each(['readHere', 'readInWorker'])('%s reads an address and a Blob', async name => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const page = await browser.newPage()
    await page.goto(address)
    // It runs in the page, whose types this project lacks.
    const found = await page.evaluate(`(async () => {
      const url = new URL('/measured.h5', location.href).href
      const blob = await (await fetch(url)).blob()
      return [await globalThis.${name}(url), await globalThis.${name}(blob)]
    })()`)
    expect(found).toEqual([Math.fround(59.9), Math.fround(59.9)])
    await page.close()
  })
})
