// The requests of the page from an address to its picture: few one after another, none twice.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { axesAreDrawn, holdUp, newDataset, newDomain, putAttribute, ramp, STRING, viewAddress } from './ui.ts'

/** How often React has drawn rows of the tree during `work`. */
async function rowsDrawn(page: Page, work: () => Promise<void>): Promise<number> {
  await page.coverage.startJSCoverage({ resetOnNavigation: false })
  await work()
  const scripts = await page.coverage.stopJSCoverage()
  const counts = scripts.flatMap(({ source = '', functions }) =>
    functions.flatMap(({ ranges: [whole] }) => {
      // The smallest function that makes a row.
      const text = whole ? source.slice(whole.startOffset, whole.endOffset) : ''
      return /role:[`'"]treeitem[`'"]/.test(text) ? [{ count: whole?.count ?? 0, length: text.length }] : []
    }),
  )
  const [row] = counts.toSorted((a, b) => a.length - b.length)
  // Functions that were not called are absent.
  return row?.count ?? 0
}

/** The requests of a page to the service, as `POST /` or `GET /datasets/{id}/value`. */
function requestsOf(page: Page): string[] {
  const requests: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (/^\/(ui|favicon)/.test(pathname)) return
    requests.push(`${request.method()} ${pathname.replace(/\/[gdt]-[^/]+/, '/{id}')}`)
  })
  return requests
}

/** Other datasets beside the images. */
const OTHERS = 5

async function newImages() {
  const domain = await newDomain()
  for (const name of ['first', 'second']) {
    const id = await newDataset(domain, `/entry/data/${name}`, { shape: [3, 4, 5] }, ramp(60))
    const value = { type: { ...STRING }, value: name }
    await putAttribute(domain, id, 'long_name', value)
  }
  for (let i = 0; i < OTHERS; i++) await newDataset(domain, `/entry/data/z${i}`, { shape: [7] })
  return { address: viewAddress(domain, { path: '/entry/data/first' }) }
}

describe.skipIf(hasNoBrowser)('from an address to its picture', () => {
  test('all scripts are named by the document, so that none waits for another', async () => {
    const { address } = await newImages()
    const page = await openPage()
    const scripts = new Set<string>()
    page.on('request', request => {
      if (request.resourceType() === 'script') scripts.add(request.url())
    })
    const html = await (await page.goto(address))?.text()
    await axesAreDrawn(page)
    const named = Array.from(html?.matchAll(/(?:src|href)="(ui\/[^"]+\.js)"/g) ?? [], ([, name = '']) => name)
    expect([...scripts].map(script => new URL(script).pathname.slice(1)).toSorted()).toEqual(named.toSorted())
  })

  test('one request gives the object with the groups above it, before the login is known, and the next its points', async () => {
    const { address } = await newImages()
    const page = await openPage()
    const requests = requestsOf(page)
    const { release, released } = holdUp()
    await page.route('**/login', async route => {
      await released
      await route.continue()
    })
    const asked = page.waitForRequest(request => request.method() === 'POST')
    await page.goto(address)
    expect((await asked).postDataJSON()).toEqual({
      h5paths: ['/', '/entry', '/entry/data', '/entry/data/first'],
    })
    release()
    await page.getByText('first').first().waitFor()
    await axesAreDrawn(page)
    await page.getByRole('treeitem', { name: 'second' }).waitFor()
    const once = requests.filter(request => !request.endsWith('/links'))
    // The second one describes the other rows of the tree.
    await expect
      .poll(() => once.toSorted())
      .toEqual(['GET /', 'GET /datasets/{id}/value', 'GET /events', 'GET /login', 'POST /', 'POST /'])
  })

  test('another dataset needs its points only; it draws the rows of the tree that change, and a frame draws none', async () => {
    const { address } = await newImages()
    const page = await openPage()
    await page.goto(address)
    await axesAreDrawn(page)
    // The shape is known: the rows are described.
    const rows = page.getByRole('treeitem')
    await expect.poll(() => rows.filter({ hasText: '3 × 4 × 5' }).count()).toBe(2)
    await page.getByText('live', { exact: true }).and(page.locator(':not(.not-yet)')).waitFor()
    const requests = requestsOf(page)
    const drawn = await rowsDrawn(page, async () => {
      await page.getByRole('treeitem', { name: 'second' }).click()
      await page.locator('.plot-note:not(:empty)').waitFor()
    })
    expect(requests).toEqual(['GET /datasets/{id}/value'])
    expect(drawn).toBeGreaterThan(0)
    expect(drawn).toBeLessThan(OTHERS)
    const steps = await rowsDrawn(page, async () => {
      await page.keyboard.press('.')
      await page.waitForURL(url => url.searchParams.get('slice')?.startsWith('1') ?? false)
      await page.locator('.plot-note:not(:empty)').waitFor()
    })
    expect(steps).toBe(0)
  })

  test('the image of a map, and the names that a field offers, need nothing that is known', async () => {
    const domain = await newDomain()
    const degrees = async (name: string, units: string, extent: number) => {
      const id = await newDataset(domain, `/grid/${name}`, { shape: [extent] }, ramp(extent))
      await putAttribute(domain, id, 'units', { type: STRING, value: units })
      await putAttribute(domain, id, 'standard_name', { type: STRING, value: name })
    }
    await degrees('latitude', 'degrees_north', 4)
    await degrees('longitude', 'degrees_east', 5)
    const id = await newDataset(domain, '/grid/rain', { shape: [4, 5] }, ramp(20))
    const names = { type: STRING, shape: [2], value: ['latitude', 'longitude'] }
    await putAttribute(domain, id, 'axes', names)
    await putAttribute(domain, id, 'coordinates', { type: STRING, value: 'latitude longitude' })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/grid/rain', tab: 'map' }))
    await page.locator('.plot-note:not(:empty)').waitFor()
    await page.getByRole('treeitem', { name: 'longitude' }).waitFor()
    const requests = requestsOf(page)
    await page.getByRole('tab', { name: 'Image' }).click()
    await axesAreDrawn(page)
    await page.locator('.plot-note:not(:empty)').waitFor()
    await page.getByRole('button', { name: 'Beside' }).click()
    await expect.poll(() => requests).toEqual(['GET /domains'])
  })
})
