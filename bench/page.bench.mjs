// The page /ui in Chromium: how long a user waits from an empty cache, for lines and images of any size, groups of
// many members, and fields of 400 MB. Beside it a page of another origin which shows the same with h5web's own provider
// for the hsds dialect (`hsds-page`): HsdsProvider, which reads values as JSON. Where that one shows nothing, its error
// is the result, and a smaller field is compared. Server, browser and computed WebGL share the machine.

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
const SIDES = [10_000, 5000, 2500]
const LINE = 50_000_000
const WIDE = 100_000
/** Written parts of the wide image, each of a million elements: the rest is the fill value. */
const WIDE_PARTS = 20
const MEMBERS = 5000
const OBJECTS_DOMAIN = '/home/objects.h5'
/** Groups and datasets of a domain with 25,000 objects. */
const GROUPS = 250
const DATASETS = 99
const STACK = [100, 1000, 1000]
const ROWS_AT_ONCE = 500
/** Text of 400 MB takes its time. */
const DEADLINE_MS = 60_000

await benchmark(async ({ directory, hyperslab }) => {
  const server = await hyperslab()
  await makeHome(server)
  const headers = { 'x-hdf-domain': HSDS_DOMAIN, authorization: AUTHORIZATION }
  const json = { ...headers, 'content-type': 'application/json' }
  const { root } = await sendJson(server, 'PUT', '/', { headers })
  await sendJson(server, 'PUT', '/acls/default', { headers: json, body: { read: true } })
  for (const side of SIDES) await fill(server, headers, root, nameOf(side), [side, side])
  await fill(server, headers, root, 'stack', STACK)
  await fill(server, headers, root, 'line', [LINE])
  await fillWide(server, headers, root)
  await fillGroup(server, json, root, 'many', MEMBERS)
  await fillObjects(server)

  const hsdsPages = await serveHsdsPage(directory)
  const browser = await launchBrowser()
  try {
    const service = `http://127.0.0.1:${server.port}`
    const ours = (query, look) => opened(browser, `${service}/ui?${new URLSearchParams(query)}`, look)
    const theirs = (path, look) => {
      const query = new URLSearchParams({ url: service, domain: HSDS_DOMAIN, path })
      return opened(browser, `${hsdsPages.resolvedUrls.local[0]}?${query}`, look)
    }
    const compare = async (name, path, look, lookAtTheirs = look) => {
      const [page, provider] = await alternate(REPETITIONS, [
        ours({ domain: HSDS_DOMAIN, path }, look),
        theirs(path, lookAtTheirs),
      ])
      print(name, page, 'ms')
      print('  with HsdsProvider', provider, 'ms')
      printRatio('  time / HsdsProvider', page, provider, 'none set')
    }

    const scripts = []
    const [list] = await alternate(REPETITIONS, [
      ours({ folder: '/home/' }, async page => {
        await page.getByRole('link', { name: 'bench.h5' }).waitFor()
        scripts.push(await scriptBytes(page))
      }),
    ])
    print('a folder is listed (goal 1,000)', list, 'ms')
    print(
      '  its scripts, compressed (goal 150)',
      scripts.map(bytes => bytes / 1024),
      'KiB',
    )
    await compare('a domain is listed', '/', page => page.getByRole('treeitem', { name: 'stack' }).waitFor())

    for (const [name, path] of [
      ['50 million points', '/line'],
      ['100,000 x 100,000', '/wide'],
    ]) {
      const address = { domain: HSDS_DOMAIN, path }
      const zooms = []
      const [first, all] = await alternate(REPETITIONS, [
        ours(address, isPictured),
        ours(address, async page => {
          await isComplete(page)
          const end = performance.now()
          zooms.push(await zoom(page), await zoom(page))
          return end
        }),
      ])
      print(`${name}: first picture (goal 1,000)`, first, 'ms')
      print('  all elements are in the picture', all, 'ms')
      // The zooms of the first round warm up.
      print('  a zoom to a quarter is drawn (goal 300)', zooms.slice(2), 'ms')
      console.log(`  HsdsProvider: ${await errorOf(theirs(path, isDrawn))}`)
    }

    const openMany = async (page, isThere) => {
      const group = page.getByRole('treeitem', { name: 'many' })
      await group.waitFor()
      const start = performance.now()
      await group.click()
      await isThere(page)
      return { took: performance.now() - start }
    }
    const [many] = await alternate(REPETITIONS, [
      ours({ domain: HSDS_DOMAIN }, page =>
        openMany(page, () => page.locator(`[role=treeitem][aria-setsize="${MEMBERS}"]`).first().waitFor()),
      ),
    ])
    print('a group of 5,000 members is open (goal 1,000)', many, 'ms')
    // It requests each member by itself.
    const theirMany = theirs('/', page =>
      openMany(page, () => page.getByRole('treeitem', { name: memberName(MEMBERS - 1) }).waitFor()),
    )
    await theirMany().then(
      milliseconds => print('  with HsdsProvider', [milliseconds], 'ms'),
      ({ message }) => console.log(`  HsdsProvider: ${message.split('\n')[0]}`),
    )

    const searched = count => async page => {
      const field = page.getByRole('searchbox', { name: 'Search' })
      await field.waitFor()
      const start = performance.now()
      await field.fill('value07')
      if (count === undefined) await page.locator('.results li').first().waitFor()
      else await page.getByText(`${count} objects found`, { exact: true }).waitFor()
      return { took: performance.now() - start }
    }
    const [found, foundAll] = await alternate(REPETITIONS, [
      ours({ domain: OBJECTS_DOMAIN }, searched(undefined)),
      ours({ domain: OBJECTS_DOMAIN }, searched(GROUPS)),
    ])
    print('25,000 objects: the search finds the first', found, 'ms')
    print('  and all', foundAll, 'ms')

    const [side] = SIDES
    const coloured = page => page.getByText('The colours span all elements').waitFor()
    const field = { domain: HSDS_DOMAIN, path: `/${nameOf(side)}` }
    const [image, range] = await alternate(REPETITIONS, [
      ours(field, isPictured),
      ours({ ...field, span: 'all' }, coloured),
    ])
    print(`a field of ${side} x ${side} float32 is drawn`, image, 'ms')
    print('  its colours span all elements', range, 'ms')
    for (const side of SIDES) {
      const path = `/${nameOf(side)}`
      const error = await errorOf(theirs(path, isDrawn))
      if (error === undefined) {
        await compare(`a field of ${side} x ${side} float32 is drawn`, path, isPictured, isDrawn)
        break
      }
      console.log(`  HsdsProvider shows no field of ${side} x ${side}: ${error}`)
    }
    await compare('the first slice of a stack, 1000 x 1000, is drawn', '/stack', isPictured, isDrawn)
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
 * nothing before; or until the time that `look` returns, or those that it has taken itself.
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
      const result = await Promise.race([look(page), crash])
      return result?.took ?? (typeof result === 'number' ? result : performance.now()) - start
    } finally {
      await context.close()
    }
  }
}

/** The error with which a measurement ends; undefined: it does not. */
function errorOf(measure) {
  return measure().then(
    () => undefined,
    ({ message }) => message.split('\n')[0],
  )
}

/** Bytes of the programs that the page has loaded, as they were sent. */
function scriptBytes(page) {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
}

/** Waits for the first picture: the page says below it what it is. */
async function isPictured(page) {
  await page.locator('.plot-note:not(:empty)').waitFor()
  await nextFrame(page)
}

/** Waits for a picture of which all elements are read. */
async function isComplete(page) {
  await page.locator('.plot-note:not(:empty)').filter({ hasNotText: 'so far' }).waitFor()
  await nextFrame(page)
}

function nextFrame(page) {
  return page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Milliseconds from the end of the gesture that zooms to the middle until the picture at another resolution. */
async function zoom(page) {
  const block = () =>
    page.locator('.plot-note').evaluate(({ textContent }) => /[\d,× ]+ elements/.exec(textContent)?.[0])
  const before = await block()
  const { x, y, width, height } = await page.locator('canvas').first().boundingBox()
  await page.keyboard.down('Control')
  await page.mouse.move(x + width / 4, y + height / 4)
  await page.mouse.down()
  await page.mouse.move(x + (width * 3) / 4, y + (height * 3) / 4, { steps: 3 })
  const start = performance.now()
  await page.mouse.up()
  await page.keyboard.up('Control')
  await page.waitForFunction(before => {
    const text = document.querySelector('.plot-note').textContent
    return !text.includes('so far') && /[\d,× ]+ elements/.exec(text)?.[0] !== before
  }, before)
  await nextFrame(page)
  return performance.now() - start
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

/** An image that is written in a few places only. */
async function fillWide(server, headers, root) {
  const { id } = await sendJson(server, 'POST', '/datasets', {
    headers: { ...headers, 'content-type': 'application/json' },
    body: { type: 'H5T_STD_I16LE', shape: [WIDE, WIDE], link: { id: root, name: 'wide' } },
  })
  const values = Int16Array.from({ length: 1_000_000 }, (_, i) => i % 1000)
  for (let part = 0; part < WIDE_PARTS; part++) {
    const [y, x] = [part * 4937, part * 7919].map(at => at % (WIDE - 1000))
    const select = `[${y}:${y + 1000},${x}:${x + 1000}]`
    await send(server, 'PUT', `/datasets/${id}/value?${new URLSearchParams({ select })}`, {
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: Buffer.from(values.buffer),
    })
  }
}

async function fillGroup(server, headers, parent, name, count) {
  const { id } = await sendJson(server, 'POST', '/groups', { headers, body: { link: { id: parent, name } } })
  const body = Array.from({ length: count }, (_, i) => ({
    type: 'H5T_IEEE_F64LE',
    link: { id, name: memberName(i) },
  }))
  await sendJson(server, 'POST', '/datasets', { headers, body })
}

function memberName(number) {
  return `value${String(number).padStart(2, '0')}`
}

async function fillObjects(server) {
  const headers = {
    'x-hdf-domain': OBJECTS_DOMAIN,
    authorization: AUTHORIZATION,
    'content-type': 'application/json',
  }
  const { root } = await sendJson(server, 'PUT', '/', { headers })
  await sendJson(server, 'PUT', '/acls/default', { headers, body: { read: true } })
  for (let i = 0; i < GROUPS; i++) await fillGroup(server, headers, root, `entry${i}`, DATASETS)
}

async function fill(server, headers, root, name, shape) {
  const { id } = await sendJson(server, 'POST', '/datasets', {
    headers: { ...headers, 'content-type': 'application/json' },
    body: { type: 'H5T_IEEE_F32LE', shape, link: { id: root, name } },
  })
  const rows = { 1: 2_000_000, 2: ROWS_AT_ONCE, 3: ROWS_AT_ONCE / 100 }[shape.length]
  const rowLength = shape.slice(1).reduce((a, b) => a * b, 1)
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
