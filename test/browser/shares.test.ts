// A share in Chromium: its user makes and ends it, and a browser that has never seen the service shows what is shared,
// asks for no login, and offers nothing that changes something.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  account,
  addressOf,
  button,
  choose,
  newDataset,
  newDomain,
  newFolder,
  openFolder,
  ramp,
} from './ui.ts'

const CHANGES = /^(log in|log out|upload files|new folder|access|rename|delete|edit$)/i

/** The page in a new browser context, and the paths and referrers of its requests. */
async function openWatched(address: string) {
  const page = await openPage()
  const paths: string[] = []
  const referrers: string[] = []
  page.on('request', request => {
    paths.push(new URL(request.url()).pathname)
    const { referer } = request.headers()
    if (referer) referrers.push(referer)
  })
  await page.goto(address)
  return { page, paths, referrers }
}

/** The names of the way to what is shown. */
function wayIn(page: Page): Promise<readonly string[]> {
  return page.getByRole('navigation', { name: 'Folders' }).locator('.service, .crumb').allTextContents()
}

describe.skipIf(hasNoBrowser)('a share', () => {
  test('is made for a person without a login, shows itself and nothing else, and ends in the account', async () => {
    const folder = await newFolder()
    const domain = await newDomain(`${folder}run.h5`)
    await newDataset(domain, '/entry/counts', { shape: [3, 4] }, ramp(12))
    const page = await openFolder(folder)
    await choose(page, 'run.h5', 'Share')
    await page.getByLabel('Note for yourself').fill('for Bo')
    await button(page, 'Make the address').click()
    const { pathname } = new URL((await page.locator('.secret code').textContent()) ?? '')
    const address = new URL(pathname, addressOf({})).href

    const { page: stranger, paths, referrers } = await openWatched(address)
    await stranger.getByText('Shared for reading until').waitFor()
    await stranger.getByRole('treeitem', { name: 'entry' }).click()
    await stranger.getByRole('treeitem', { name: 'counts' }).click()
    await expect.poll(() => new URL(stranger.url()).searchParams.get('path')).toBe('/entry/counts')
    await stranger.reload()
    await stranger.getByRole('treeitem', { name: 'counts' }).waitFor()
    await stranger.getByRole('button', { name: 'Download' }).waitFor()
    expect(await stranger.getByRole('button', { name: CHANGES }).count()).toBe(0)
    expect(await wayIn(stranger)).toEqual(['Hyperslab', 'run.h5'])
    expect(paths.filter(path => !path.startsWith(pathname))).toEqual([])
    expect(referrers).toEqual([])
    expect(await stranger.context().cookies()).toEqual([])

    // It stays that of the share in the browser of its user, and the login stays.
    const own = await page.context().newPage()
    await own.goto(address)
    await own.getByText('Shared for reading until').waitFor()
    await own.getByRole('treeitem', { name: 'entry' }).waitFor()
    expect(await own.getByRole('button', { name: CHANGES }).count()).toBe(0)

    await button(page, 'Close').click()
    await account(page).click()
    await page.getByRole('menuitem', { name: 'Shares' }).click()
    await page.getByText('for Bo').first().waitFor()
    await page.getByRole('button', { name: `Stop sharing ${folder}run.h5` }).click()
    await button(page, 'Stop sharing').click()
    await page.getByText('for Bo').waitFor({ state: 'detached' })
    // A page that is open says it too.
    await own.getByRole('treeitem', { name: 'entry' }).click()
    await own.getByText('this address shows nothing').first().waitFor()
    expect((await stranger.reload())?.status()).toBe(404)
    await stranger.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
  })
})
