// The page /ui in Chromium with fields of 400 MB: how long a user waits from an empty cache. Server, browser and computed WebGL share the
// machine. Beside it, the way of h5web's own provider for the hsds dialect (HsdsProvider): the values as JSON.

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
const SIDE = 10_000
const STACK = [100, 1000, 1000]
const ROWS_AT_ONCE = 500

await benchmark(async ({ hyperslab }) => {
  const server = await hyperslab()
  await makeHome(server)
  const headers = { 'x-hdf-domain': HSDS_DOMAIN, authorization: AUTHORIZATION }
  const json = { ...headers, 'content-type': 'application/json' }
  const { root } = await sendJson(server, 'PUT', '/', { headers })
  await sendJson(server, 'PUT', '/acls/default', { headers: json, body: { read: true } })
  await fill(server, headers, root, 'field', [SIDE, SIDE])
  const stack = await fill(server, headers, root, 'stack', STACK)

  const browser = await launchBrowser()
  try {
    const base = `http://127.0.0.1:${server.port}`
    const address = query => `${base}/ui?${new URLSearchParams(query)}`
    /** Milliseconds until the page shows what `look` waits for, in a browser that has loaded nothing before. */
    const opened = (query, look) => async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      const start = performance.now()
      await page.goto(address(query))
      await look(page)
      const milliseconds = performance.now() - start
      await context.close()
      return milliseconds
    }
    // The axes have their numbers in the frame in which the image is drawn.
    const drawn = page => page.locator('.visx-axis-tick').first().waitFor()
    const [list] = await alternate(REPETITIONS, [
      opened({ folder: '/home/' }, page => page.getByRole('link', { name: 'bench.h5' }).waitFor()),
    ])
    print('a folder is listed', list, 'ms')
    const coloured = page => page.getByText('The colours span all elements').waitFor()
    const [field, range, first] = await alternate(REPETITIONS, [
      opened({ domain: HSDS_DOMAIN, path: '/field' }, drawn),
      opened({ domain: HSDS_DOMAIN, path: '/field' }, coloured),
      opened({ domain: HSDS_DOMAIN, path: '/stack' }, drawn),
    ])
    print(`a field of ${SIDE} x ${SIDE} float32 is drawn`, field, 'ms')
    print('its colours span all elements', range, 'ms')
    print('the first slice of a stack, 1000 x 1000, is drawn', first, 'ms')

    const page = await browser.newPage()
    await page.goto(address({ folder: '/home/' }))
    let slice = 0
    /** Milliseconds until the numbers of another slice are in a typed array. */
    const taken = asJson => () =>
      page.evaluate(
        async ([url, accept, isJson]) => {
          const start = performance.now()
          const response = await fetch(url, { headers: { accept }, cache: 'no-store' })
          const values = isJson
            ? Float32Array.from((await response.json()).value.flat(Number.POSITIVE_INFINITY))
            : new Float32Array(await response.arrayBuffer())
          if (values.length !== 1_000_000) throw new Error(`${values.length} values`)
          return performance.now() - start
        },
        [
          `${base}/datasets/${stack}/value?${new URLSearchParams({ domain: HSDS_DOMAIN, select: `[${slice++ % STACK[0]},:,:]` })}`,
          asJson ? 'application/json' : 'application/octet-stream',
          asJson,
        ],
      )
    const [bytes, text] = await alternate(REPETITIONS, [taken(false), taken(true)])
    print('another slice as bytes, as the page reads it', bytes, 'ms')
    print('as JSON, as HsdsProvider reads it', text, 'ms')
    printRatio('time / JSON', bytes, text, 'none set')
  } finally {
    await browser.close()
  }
})

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
