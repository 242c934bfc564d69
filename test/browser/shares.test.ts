// The page below the address of a share, in a browser that has never seen the service: it shows the shared domain or
// folder, asks for no login, and offers nothing that changes something.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { send, USER1, uniqueName } from '../wire/client.ts'
import { HOME, makeHome, newDomain, removeDomain } from '../wire/hsds/domain.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import { account, logIn } from './ui.ts'

beforeAll(makeHome)

interface Share {
  readonly id: string
  /** The address at the server under test, whatever its setting `public_url` is. */
  readonly address: string
}

async function newShare(domain: string, view?: string): Promise<Share> {
  const body = { domain, end: '2999-01-01', ...(view !== undefined && { view }) }
  const reply = await send('POST', '/shares', body, { user: USER1 })
  expect(reply.status, reply.story).toBe(201)
  const { id, address } = reply.json<Share>()
  return { id, address: new URL(new URL(address).pathname, inject('address')).href }
}

/** A folder with a domain that nobody but its owner may read. */
async function newFolder() {
  const folder = `${HOME}/${uniqueName()}`
  await send('PUT', `/?domain=${folder}`, { folder: true }, { user: USER1 })
  onTestFinished(() => removeDomain(folder))
  const domain = await newDomain(`${folder}/run7.h5`)
  const group = await domain.group('entry')
  const dataset = await domain.dataset({
    type: 'H5T_STD_I16LE',
    shape: [3, 4],
    link: { id: group, name: 'counts' },
  })
  const value = [0, 1, 2].map(row => [0, 1, 2, 3].map(column => 4113 + 10 * row + column))
  await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value })
  return { folder, domain }
}

const CHANGES = /^(log in|log out|upload files|new folder|access|rename|delete)/i

/** The page in a new browser context, and the addresses and referrers of its requests. */
async function open(address: string): Promise<{ page: Page; paths: string[]; referrers: string[] }> {
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

describe.skipIf(hasNoBrowser)('the page of a share', () => {
  test('shows the domain, also after a reload, and all that it asks for is below the address', async () => {
    const { domain } = await newFolder()
    const { address } = await newShare(domain.path)
    const { page, paths, referrers } = await open(address)
    await page.getByRole('treeitem', { name: 'entry' }).click()
    await page.getByRole('treeitem', { name: 'counts' }).click()
    await page.getByText('Shared for reading until').waitFor()
    expect(new URL(page.url()).searchParams.get('path')).toBe('/entry/counts')
    await page.reload()
    await page.getByRole('treeitem', { name: 'counts' }).waitFor()
    await page.getByRole('button', { name: 'Download' }).waitFor()
    expect(await page.getByRole('button', { name: CHANGES }).count()).toBe(0)
    expect(await wayIn(page)).toEqual(['Hyperslab', 'run7.h5'])
    const { pathname } = new URL(address)
    expect(paths.filter(path => !path.startsWith(pathname))).toEqual([])
    expect(referrers).toEqual([])
    expect(await page.context().cookies()).toEqual([])
  })

  test('that is revoked says that there is nothing, to a page that is open too', async () => {
    const { domain } = await newFolder()
    const { address, id } = await newShare(domain.path)
    const { page } = await open(address)
    await page.getByRole('treeitem', { name: 'entry' }).waitFor()
    expect((await send('DELETE', `/shares/${id}`, undefined, { user: USER1 })).status).toBe(200)
    await page.getByRole('treeitem', { name: 'entry' }).click()
    await page.getByText('this address shows nothing').first().waitFor()
    const answer = await page.reload()
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
  })

  test('stays that of the share in a browser that has logged in, and the login stays', async () => {
    const { domain } = await newFolder()
    const { address } = await newShare(domain.path)
    const page = await openPage()
    await page.goto(`${inject('address')}/ui`)
    await logIn(page)
    await account(page).waitFor()
    await page.goto(address)
    await page.getByText('Shared for reading until').waitFor()
    expect(await page.getByRole('button', { name: CHANGES }).count()).toBe(0)
    await page.goto(`${inject('address')}/ui`)
    await account(page).waitFor()
  })
})
