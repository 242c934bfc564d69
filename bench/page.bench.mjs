// The page /ui in Chromium with fields of 400 MB: how long a user waits from an empty cache. Beside it a page of
// another origin which shows the same with h5web's own provider for the hsds dialect (`hsds-page`): HsdsProvider, which
// reads values as JSON. Where that one shows nothing, its error is the result, and a smaller field is compared. Server,
// browser and computed WebGL share the machine.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { launchBrowser } from '../test/browser/chromium.mjs'
import {
  AUTHORIZATION,
  alternate,
  benchmark,
  HSDS_DOMAIN,
  makeHome,
  print,
  printRatio,
  send,
  sendJson,
} from './measure.mjs'

const REPETITIONS = 5
/** The sides of square fields of 400 MB and less: the provider shows the first one that it can. */
const SIDES = [10_000, 8000, 7000, 6000, 5000, 4000]
const STACK = [100, 1000, 1000]
const ROWS_AT_ONCE = 500
/** Text of 400 MB takes its time. */
const DEADLINE_MS = 180_000

await benchmark(async ({ directory, hyperslab }) => {
  const server = await hyperslab()
  await makeHome(server)
  const headers = { 'x-hdf-domain': HSDS_DOMAIN, authorization: AUTHORIZATION }
  const json = { ...headers, 'content-type': 'application/json' }
  const { root } = await sendJson(server, 'PUT', '/', { headers })
  await sendJson(server, 'PUT', '/acls/default', { headers: json, body: { read: true } })
  for (const side of SIDES) await fill(server, headers, root, nameOf(side), [side, side])
  await fill(server, headers, root, 'stack', STACK)

  const hsdsPages = await serveHsdsPage(directory)
  const browser = await launchBrowser()
  try {
    const service = `http://127.0.0.1:${server.port}`
    const ours = (query, look) => opened(browser, `${service}/ui?${new URLSearchParams(query)}`, look)
    const theirs = (path, look) => {
      const query = new URLSearchParams({ url: service, domain: HSDS_DOMAIN, path })
      return opened(browser, `${hsdsPages.resolvedUrls.local[0]}?${query}`, look)
    }
    const compare = async (name, path, look) => {
      const [page, provider] = await alternate(REPETITIONS, [
        ours({ domain: HSDS_DOMAIN, path }, look),
        theirs(path, look),
      ])
      print(name, page, 'ms')
      print('  with HsdsProvider', provider, 'ms')
      printRatio('  time / HsdsProvider', page, provider, 'none set')
    }

    const [list] = await alternate(REPETITIONS, [
      ours({ folder: '/home/' }, page => page.getByRole('link', { name: 'bench.h5' }).waitFor()),
    ])
    print('a folder is listed', list, 'ms')
    await compare('a domain is listed', '/', page => page.getByRole('treeitem', { name: 'stack' }).waitFor())

    const [side] = SIDES
    const coloured = page => page.getByText('The colours span all elements').waitFor()
    const field = { domain: HSDS_DOMAIN, path: `/${nameOf(side)}` }
    const [image, range] = await alternate(REPETITIONS, [
      ours(field, isDrawn),
      ours({ ...field, span: 'all' }, coloured),
    ])
    print(`a field of ${side} x ${side} float32 is drawn`, image, 'ms')
    print('  its colours span all elements', range, 'ms')
    for (const side of SIDES) {
      const path = `/${nameOf(side)}`
      const error = await theirs(path, isDrawn)().then(
        () => undefined,
        ({ message }) => message,
      )
      if (error === undefined) {
        await compare(`a field of ${side} x ${side} float32 is drawn`, path, isDrawn)
        break
      }
      console.log(`  HsdsProvider shows no field of ${side} x ${side}: ${error}`)
    }
    await compare('the first slice of a stack, 1000 x 1000, is drawn', '/stack', isDrawn)
  } finally {
    await browser.close()
    await hsdsPages.close()
  }
})

/** Bundles the page with HsdsProvider and serves it. */
async function serveHsdsPage(directory) {
  const options = {
    configFile: false,
    root: fileURLToPath(new URL('hsds-page', import.meta.url)),
    logLevel: 'error',
    build: { outDir: join(directory, 'hsds-page') },
    preview: { host: '127.0.0.1' },
  }
  await build(options)
  return preview(options)
}

/**
 * A function that gives the milliseconds until an address shows what `look` waits for, in a browser that has loaded
 * nothing before.
 */
function opened(browser, address, look) {
  return async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    try {
      context.setDefaultTimeout(DEADLINE_MS)
      const page = await context.newPage()
      const crash = new Promise((_resolve, reject) =>
        page.once('crash', () => reject(new Error('the page ran out of memory'))),
      )
      const start = performance.now()
      await page.goto(address)
      await Promise.race([look(page), crash])
      return performance.now() - start
    } finally {
      await context.close()
    }
  }
}

/**
 * Waits until h5web has drawn an image: the axes get their numbers in the same frame. Fails with the error that h5web
 * shows.
 */
async function isDrawn(page) {
  const tick = page.locator('.visx-axis-tick').first()
  // h5web marks its errors for its style sheet only; those with a cause can be opened.
  const error = page.locator('p[class*="_error_"], details[class*="_detailedError_"]').first()
  // Above a large image the page says that h5web did not load it.
  await Promise.race([
    tick.waitFor(),
    error.waitFor().then(async () => {
      const text = await error.textContent()
      if (!text.startsWith('These elements are not loaded')) throw new Error(text)
      return tick.waitFor()
    }),
  ])
}

function nameOf(side) {
  return `field${side}`
}

async function fill(server, headers, root, name, shape) {
  const { id } = await sendJson(server, 'POST', '/datasets', {
    headers: { ...headers, 'content-type': 'application/json' },
    body: { type: 'H5T_IEEE_F32LE', shape, link: { id: root, name } },
  })
  const rows = shape.length === 2 ? ROWS_AT_ONCE : ROWS_AT_ONCE / 100
  const rowLength = shape.slice(1).reduce((a, b) => a * b)
  const values = new Float32Array(rows * rowLength)
  const octets = { ...headers, 'content-type': 'application/octet-stream' }
  for (let from = 0; from < shape[0]; from += rows) {
    for (let i = 0; i < values.length; i++)
      values[i] = Math.sin((from * rowLength + i) / 1e5) + (i % 1000) / 1e4
    const select = `[${from}:${from + rows}${',:'.repeat(shape.length - 1)}]`
    const { status } = await send(server, 'PUT', `/datasets/${id}/value?${new URLSearchParams({ select })}`, {
      headers: octets,
      body: Buffer.from(values.buffer),
    })
    if (status !== 200) throw new Error(`the values were not written: ${status}`)
  }
  return id
}
