// The requests of the page from an address to its picture: few one after another, none twice.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { axesAreDrawn, holdUp, newDataset, newDomain, putAttribute, ramp, STRING, viewAddress } from './ui.ts'

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

async function newImages() {
  const domain = await newDomain()
  const ids = []
  for (const name of ['first', 'second']) {
    const id = await newDataset(domain, `/entry/data/${name}`, { shape: [3, 4, 5] }, ramp(60))
    const value = { type: { ...STRING }, value: name }
    await putAttribute(domain, id, 'long_name', value)
    ids.push(id)
  }
  return { domain, address: viewAddress(domain, { path: '/entry/data/first' }) }
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
})
