// Folders in the page: what a list says, several entries at once, keys, and addresses that show nothing.

import { describe, expect, test } from 'vitest'
import { USER1 } from '../wire/client.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  account,
  addressOf,
  button,
  choose,
  clientOfUser,
  entry,
  logIn,
  namesIn,
  newDomain,
  newFolder,
  openFolder,
  serveFiles,
} from './ui.ts'

describe.skipIf(hasNoBrowser)('a folder in the page', () => {
  test('of mounted files says that it is read only, and has their sizes without opening them', async () => {
    const { server } = await serveFiles(['a.h5', 'b.h5'])
    const page = await openPage()
    const asked: string[] = []
    page.on('request', request => {
      if (new URL(request.url()).pathname.endsWith('/domains')) asked.push(request.url())
    })
    await page.goto(`${server.address}/ui?folder=/files/`)
    await entry(page, 'a.h5').waitFor()
    await page.getByRole('cell', { name: /KiB$/ }).first().waitFor()
    await page.getByRole('button', { name: 'Read only' }).click()
    await page.getByText('cannot change them').waitFor()
    await page.keyboard.press('Escape')
    // Nobody can log in: the page says so, and does not offer it.
    await page.getByRole('button', { name: 'No accounts' }).waitFor()
    expect(await page.getByRole('button', { name: 'Log in' }).count()).toBe(0)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter(url => url.includes('verbose'))).toEqual([])
  })

  test('is used by keys: search, help, rows, selection, the folder above', async () => {
    const folder = await newFolder()
    for (const name of ['a.h5', 'b.h5']) await newDomain(`${folder}${name}`)
    const page = await openFolder(folder)
    await entry(page, 'b.h5').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('b.h')
    await expect.poll(() => namesIn(page)).toEqual(['b.h5'])
    await page.getByLabel('Filter by name').fill('?')
    await page.getByText('No name has').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await entry(page, 'a.h5').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await expect.poll(() => page.getByLabel('Select b.h5').isChecked()).toBe(true)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Search or filter').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await page.getByRole('region', { name: `Contents of /home/${USER1}/` }).waitFor()
  })

  test('opens menus and dialogs beside the row, within a phone too, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const folder = await newFolder()
      await newDomain(`${folder}run.h5`)
      const page = await openFolder(folder, { viewport: { width: 360, height: 740 }, colorScheme })
      await page.getByRole('button', { name: 'Actions for run.h5' }).click()
      const within = async (role: 'menu' | 'dialog') => {
        const { x = -1, y = -1, width = 999, height = 999 } = (await page.getByRole(role).boundingBox()) ?? {}
        expect([x >= 0, y >= 0, x + width <= 360, y + height <= 740]).toEqual([true, true, true, true])
      }
      await within('menu')
      await page.keyboard.press('Escape')
      for (const action of ['Access', 'Delete']) {
        await choose(page, 'run.h5', action)
        await within('dialog')
        await button(page, 'Close').click()
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      await account(page).waitFor()
    }
  })

  test('is there within 150 KiB of script, and never holds a place for what does not come', async () => {
    const folder = await newFolder()
    await newDomain(`${folder}empty.h5`)
    const page = await openPage()
    let script = 0
    page.on('response', async response => {
      if (/\.js$/.test(new URL(response.url()).pathname))
        script += Number((await response.allHeaders())['content-length'])
    })
    await page.goto(addressOf({ folder }))
    await logIn(page)
    await entry(page, 'empty.h5').waitFor()
    expect(script).toBeGreaterThan(0)
    expect(script).toBeLessThan(150 * 1024)
    await page.getByRole('button', { name: 'Pictures' }).click()
    // A domain without a picture has its icon.
    await page.locator('.thumbnail .icon-domain').waitFor()
  })

  test('is sorted, and asks for the pictures in sight only', async () => {
    const { server } = await serveFiles(Array.from({ length: 60 }, (_, i) => `run${100 + i}.h5`))
    const page = await openPage()
    const asked: string[] = []
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/thumbnail')) asked.push(searchParams.get('domain') ?? '')
    })
    await page.goto(`${server.address}/ui?folder=/files/`)
    await page.getByText('60 entries', { exact: true }).waitFor()
    const firstName = () => expect.poll(async () => (await namesIn(page))[0])
    await page.getByRole('button', { name: 'Name' }).click()
    await firstName().toBe('run159.h5')
    await page.getByRole('button', { name: 'Name' }).click()
    await firstName().toBe('run100.h5')
    await page.getByRole('button', { name: 'Pictures' }).click()
    await entry(page, 'run100.h5').waitFor()
    await expect.poll(() => asked).toContain('/files/run100.h5')
    await expect.poll(() => asked).toContain('/files/run105.h5')
    // Rows beyond those in sight are drawn, too.
    await entry(page, 'run125.h5').waitFor({ state: 'attached' })
    expect(asked).not.toContain('/files/run125.h5')
    await page.getByRole('region', { name: 'Entries' }).evaluate(element => {
      element.scrollTop = element.scrollHeight
    })
    await expect.poll(() => asked).toContain('/files/run159.h5')
    expect(asked).not.toContain('/files/run125.h5')
  })

  test('follows what others change', async () => {
    const client = await clientOfUser()
    const folder = await newFolder()
    await newDomain(`${folder}a.h5`)
    const page = await openFolder(folder)
    await entry(page, 'a.h5').waitFor()
    await newDomain(`${folder}b.h5`)
    await entry(page, 'b.h5').waitFor()
    await client.request(
      'PUT /',
      { domain: `${folder}c.h5` },
      { body: { moved_from: `${folder}b.h5` } as never },
    )
    await expect.poll(() => namesIn(page)).toEqual(['a.h5', 'c.h5'])
    await client.domain(`${folder}c.h5`).delete()
    await expect.poll(() => namesIn(page)).toEqual(['a.h5'])
  })

  test('is shared by an address with an end, which the account lists and ends', async () => {
    const folder = await newFolder()
    await newDomain(`${folder}run.h5`)
    const page = await openFolder(folder)
    await choose(page, 'run.h5', 'Share')
    await page.getByLabel('Note for yourself').fill('for Bo')
    await button(page, 'Make the address').click()
    const address = (await page.locator('.secret code').textContent()) ?? ''
    const stranger = await openPage()
    const { pathname } = new URL(address)
    await stranger.goto(new URL(pathname, addressOf({})).href)
    await stranger.getByText('Shared for reading until').waitFor()
    await button(page, 'Close').click()
    await account(page).click()
    await page.getByRole('menuitem', { name: 'Shares' }).click()
    await page.getByText('for Bo').first().waitFor()
    await page.getByRole('button', { name: `Stop sharing ${folder}run.h5` }).click()
    await button(page, 'Stop sharing').click()
    await page.getByText('for Bo').waitFor({ state: 'detached' })
    expect((await stranger.reload())?.status()).toBe(404)
  })
})
