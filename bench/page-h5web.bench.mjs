// The page beside h5web's own (@h5web/app) on the same data in the same run: with HsdsProvider, which asks the service,
// and with h5wasm, which reads the file of the domain from /h5/. Slices of 256 x 256: the first picture from an empty
// cache, also over a line whose answers take 50 ms longer, the next dataset, the next frame; requests, and the time of
// the main thread. HYPERSLAB_BENCH_H5WEB names a folder where npm has installed @h5web/app, @h5web/h5wasm, react,
// react-dom and esbuild; without it, the page is measured alone.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { launchBrowser } from '../test/browser/chromium.mjs'
import {
  AUTHORIZATION,
  alternate,
  benchmark,
  HSDS_DOMAIN,
  makeHome,
  print,
  send,
  sendJson,
} from './measure.mjs'

const REPETITIONS = 5
const SHAPE = [50, 256, 256]
const IMAGES = ['image0', 'image1', 'image2', 'image3']
/** Other members of the group, as a file has them. */
const OTHERS = 40
const FRAMES = 5
const LATENCY_MS = 50
const PACKAGES = process.env.HYPERSLAB_BENCH_H5WEB

const H5WEB_PAGE = `
import { App, createBasicFetcher, HsdsProvider } from '@h5web/app'
import { H5WasmBufferProvider } from '@h5web/h5wasm'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import '@h5web/app/styles.css'
const { url, domain, path, kind } = Object.fromEntries(new URLSearchParams(location.search))
const app = createElement(App, { initialPath: path })
const root = createRoot(document.body.appendChild(document.createElement('div')))
if (kind === 'hsds')
  root.render(createElement(HsdsProvider, { url, filepath: domain, fetcher: createBasicFetcher() }, app))
else
  fetch(url + '/h5' + domain)
    .then(answer => answer.arrayBuffer())
    .then(buffer => root.render(createElement(H5WasmBufferProvider, { filename: 'bench.h5', buffer }, app)))
`

await benchmark(async ({ hyperslab }) => {
  const pages = PACKAGES === undefined ? undefined : await serveH5web(PACKAGES)
  const origin = pages && `http://127.0.0.1:${pages.port}`
  const server = await hyperslab({ settings: origin ? ['--cors-origins', origin] : [] })
  await fill(server)
  const service = `http://127.0.0.1:${server.port}`
  const path = `/entry/data/${IMAGES[0]}`
  const apps = [
    {
      name: 'the page',
      address: `${service}/ui?${new URLSearchParams({ domain: HSDS_DOMAIN, path })}`,
      isPictured: page => page.locator('.plot-note:not(:empty)').waitFor(),
      bar: 'figure',
      nextFrame: page => page.keyboard.press('.'),
    },
    ...(origin ? ['hsds', 'h5wasm'] : []).map(kind => ({
      name: `h5web with ${kind}`,
      address: `${origin}/?${new URLSearchParams({ url: service, domain: HSDS_DOMAIN, path, kind })}`,
      isPictured: page => page.locator('canvas').first().waitFor(),
      bar: '[class*="colorBar"]',
      nextFrame: page => page.getByRole('slider').first().press('ArrowUp'),
    })),
  ]
  const browser = await launchBrowser()
  try {
    const near = await alternate(
      REPETITIONS,
      apps.map(app => () => visit(browser, app, 0)),
    )
    const far = await alternate(
      REPETITIONS,
      apps.map(app => () => visit(browser, app, LATENCY_MS)),
    )
    for (const [i, { name }] of apps.entries()) {
      const all = key => near[i].map(figures => figures[key])
      print(`${name}: first picture (goal 1,000)`, all('first'), 'ms')
      print('  of it the main thread', all('thread'), 'ms')
      print('  requests', all('requests'), '')
      print(
        `  first picture, answers take ${LATENCY_MS} ms longer`,
        far[i].map(({ first }) => first),
        'ms',
      )
      print('  the next dataset (goal 300)', all('next'), 'ms')
      print('  its requests', all('nextRequests'), '')
      print('  a frame (goal 150)', all('frame'), 'ms')
    }
  } finally {
    await browser.close()
    pages?.close()
  }
})

/** The times that a user waits in a browser that has loaded nothing before. */
async function visit(browser, { address, isPictured, nextFrame, bar }, latency) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    let requests = 0
    page.on('request', () => requests++)
    let start = performance.now()
    await page.goto(address)
    await isPictured(page)
    await isDrawn(page)
    const first = performance.now() - start
    const { metrics } = await session.send('Performance.getMetrics')
    const thread = 1000 * metrics.find(({ name }) => name === 'TaskDuration').value
    const ofFirst = requests
    const [, nextName] = IMAGES
    await page.getByRole('treeitem', { name: nextName }).waitFor()
    // Requests that come after the picture are answered.
    await page.waitForLoadState('load')
    await page.waitForTimeout(500)
    requests = 0
    const before = await bounds(page, bar)
    start = performance.now()
    await page.getByRole('treeitem', { name: nextName }).click()
    await changed(page, bar, before)
    const next = performance.now() - start
    const nextRequests = requests
    await page.waitForTimeout(300)
    start = performance.now()
    for (let i = 0; i < FRAMES; i++) {
      const shown = await bounds(page, bar)
      await nextFrame(page)
      await changed(page, bar, shown)
    }
    return {
      first,
      thread,
      requests: ofFirst,
      next,
      nextRequests,
      frame: (performance.now() - start) / FRAMES,
    }
  } finally {
    await context.close()
  }
}

/** The ends of the colours: those of each slice are others. */
function bounds(page, bar) {
  return page.locator(bar).last().textContent()
}

async function changed(page, bar, before) {
  await page.waitForFunction(
    ([bar, before]) => {
      const now = Array.from(document.querySelectorAll(bar)).at(-1)?.textContent ?? ''
      return now !== '' && now !== before
    },
    [bar, before],
    { polling: 'raf' },
  )
  await isDrawn(page)
}

function isDrawn(page) {
  return page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

async function fill(server) {
  await makeHome(server)
  const headers = { 'x-hdf-domain': HSDS_DOMAIN, authorization: AUTHORIZATION }
  const json = { ...headers, 'content-type': 'application/json' }
  await sendJson(server, 'PUT', '/', { headers })
  await sendJson(server, 'PUT', '/acls/default', { headers: json, body: { read: true } })
  const create = (name, shape) =>
    sendJson(server, 'POST', '/datasets?implicit=1', {
      headers: json,
      body: { type: 'H5T_IEEE_F32LE', shape, h5path: `/entry/data/${name}` },
    })
  const [frames, height, width] = SHAPE
  for (const [n, name] of IMAGES.entries()) {
    const { id } = await create(name, SHAPE)
    const values = Float32Array.from(
      { length: frames * height * width },
      (_, i) => Math.sin(i / 100) * (100 * n + 10 + Math.floor(i / (height * width)) * 3),
    )
    await send(server, 'PUT', `/datasets/${id}/value`, {
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: Buffer.from(values.buffer),
    })
  }
  for (let i = 0; i < OTHERS; i++) await create(`other${i}`, [10])
}

/** A server of h5web's page, built from the packages in a folder. */
async function serveH5web(packages) {
  const folder = mkdtempSync(join(tmpdir(), 'hyperslab-h5web-'))
  const { build } = createRequire(join(packages, 'package.json'))('esbuild')
  await build({
    stdin: { contents: H5WEB_PAGE, resolveDir: packages, sourcefile: 'page.js' },
    bundle: true,
    minify: true,
    format: 'esm',
    outfile: join(folder, 'page.js'),
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    loader: { '.wasm': 'file' },
  })
  const types = { '.js': 'text/javascript', '.css': 'text/css' }
  const server = http.createServer(({ url = '/' }, response) => {
    const name = new URL(url, 'http://localhost').pathname.slice(1)
    if (name === '') {
      response.setHeader('content-type', 'text/html')
      response.end(
        '<!doctype html><link rel="stylesheet" href="page.css"><style>html, body, body > div { height: 100%; margin: 0 }</style><body><script type="module" src="page.js"></script>',
      )
    } else {
      response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream')
      try {
        response.end(readFileSync(join(folder, name)))
      } catch {
        response.writeHead(404).end()
      }
    }
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: server.address().port,
    close() {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
