// Folders in the page: what a list asks for, keys, uploads, and changes of what is in it.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { send, USER1, USER2 } from '../wire/client.ts'
import { hasNoBrowser, openPage, takePicture } from './browser.ts'
import {
  button,
  choose,
  clientOfUser,
  entry,
  HOSTILE,
  holdUp,
  logIn,
  logOut,
  namesIn,
  newDomain,
  newFolder,
  openFolder,
  serveFiles,
} from './ui.ts'

const FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))

/** Presses a key until the control of a name has the focus. */
async function reach(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press(key)
    const focused = await page.evaluate(
      () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent,
    )
    if (focused === name) return
  }
  throw new Error(`the key ${key} does not reach ${name}`)
}

describe.skipIf(hasNoBrowser)('a folder in the page', () => {
  test('the first one has recent and favourite files of the user, says if one is gone, and keeps nothing of others', async () => {
    const folder = await newFolder()
    await newDomain(`${folder}a.h5`)
    const gone = await newDomain(`${folder}b.h5`)
    const page = await openFolder(folder)
    await page.getByRole('button', { name: 'Favourite: a.h5' }).click()
    await entry(page, 'b.h5').click()
    // A file that the user may read.
    await page.getByRole('button', { name: 'Favourite: b.h5' }).waitFor()
    await page.getByRole('link', { name: 'Hyperslab' }).click()
    const list = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('link')
    await expect.poll(() => list('Favourites').allTextContents()).toEqual(['a.h5'])
    await expect.poll(() => list('Recent').allTextContents()).toEqual(['b.h5'])
    const client = await clientOfUser()
    await client.request('DELETE /', { domain: gone.path })
    await list('Recent').click()
    await page.getByText(`There is nothing at ${gone.path}`).waitFor()
    await page.getByRole('button', { name: 'Remove it from favourites' }).click()
    await page.getByRole('link', { name: 'Hyperslab' }).click()
    await expect.poll(() => list('Favourites').count()).toBe(1)
    expect(await list('Recent').count()).toBe(0)
    await logOut(page)
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await expect.poll(() => list('Favourites').count()).toBe(0)
    await logIn(page)
    await page.getByRole('button', { name: 'Remove a.h5 from the list' }).click()
    await expect.poll(() => list('Favourites').count()).toBe(0)
  })

  test('asks for little: 150 KiB of script, sizes without opening files, and the pictures in sight', async () => {
    const { server } = await serveFiles(Array.from({ length: 60 }, (_, i) => `run${100 + i}.h5`))
    const page = await openPage()
    const pictures: string[] = []
    const listings: string[] = []
    const scripts: Promise<number>[] = []
    page.on('response', response => {
      const { pathname, searchParams } = new URL(response.url())
      if (pathname.endsWith('/thumbnail')) pictures.push(searchParams.get('domain') ?? '')
      if (pathname.endsWith('/domains')) listings.push(response.url())
      if (pathname.endsWith('.js'))
        scripts.push(response.allHeaders().then(headers => Number(headers['content-length'])))
    })
    await page.goto(`${server.address}/ui?folder=/files/`)
    await page.getByText('60 entries', { exact: true }).waitFor()
    await page.getByRole('cell', { name: /KiB$/ }).first().waitFor()
    expect(listings.length).toBeGreaterThan(0)
    expect(listings.filter(url => url.includes('verbose'))).toEqual([])
    // Nobody can log in: the page says so, and does not offer it.
    await page.getByRole('button', { name: 'Read only' }).waitFor()
    await page.getByRole('button', { name: 'No accounts' }).waitFor()
    expect(await page.getByRole('button', { name: 'Log in' }).count()).toBe(0)
    const script = (await Promise.all(scripts)).reduce((sum, length) => sum + length, 0)
    expect(script).toBeGreaterThan(0)
    expect(script).toBeLessThan(150 * 1024)
    const firstName = () => expect.poll(async () => (await namesIn(page))[0])
    await page.getByRole('button', { name: 'Name' }).click()
    await firstName().toBe('run159.h5')
    await page.getByRole('button', { name: 'Name' }).click()
    await firstName().toBe('run100.h5')
    await page.getByRole('button', { name: 'Pictures' }).click()
    await entry(page, 'run100.h5').waitFor()
    await expect.poll(() => pictures).toContain('/files/run100.h5')
    await expect.poll(() => pictures).toContain('/files/run105.h5')
    // A domain without a picture has its icon.
    await page.locator('.thumbnail .icon-domain').first().waitFor()
    // Rows beyond those in sight are drawn, too.
    await entry(page, 'run125.h5').waitFor({ state: 'attached' })
    expect(pictures).not.toContain('/files/run125.h5')
    await page.getByRole('region', { name: 'Entries' }).evaluate(element => {
      element.scrollTop = element.scrollHeight
    })
    await expect.poll(() => pictures).toContain('/files/run159.h5')
    expect(pictures).not.toContain('/files/run125.h5')
  })

  test('is used by keys: filter, help, selection, menu, rename, the folder above, and into a domain', async () => {
    const folder = await newFolder()
    for (const name of ['a.h5', 'b.h5']) await newDomain(`${folder}${name}`)
    const page = await openFolder(folder)
    await entry(page, 'b.h5').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('b.h')
    await expect.poll(() => namesIn(page)).toEqual(['b.h5'])
    await page.getByLabel('Filter by name').fill('?')
    await page.getByText('No name has').waitFor()
    await page.getByRole('button', { name: 'Show all' }).press('Enter')
    await entry(page, 'a.h5').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await expect.poll(() => page.getByLabel('Select b.h5').isChecked()).toBe(true)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Search or filter').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByLabel('Filter by name').focus()
    await reach(page, 'Actions for a.h5')
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await reach(page, 'Rename …', 'ArrowDown')
    await page.keyboard.press('Enter')
    // The field that opens next has the focus, and the name is selected: the user types a new one.
    await page.getByLabel('New name or path').waitFor()
    await page.keyboard.type('renamed.h5')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await entry(page, 'renamed.h5').waitFor()
    await page.getByLabel('Filter by name').focus()
    await reach(page, 'Actions for renamed.h5')
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await page.getByRole('region', { name: `Contents of /home/${USER1}/` }).waitFor()
    await page.goBack()
    await entry(page, 'renamed.h5').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('treeitem').first().waitFor()
  })

  test('creates, renames and deletes folders and domains, and gives access to them', async () => {
    const folder = await newFolder()
    const client = await clientOfUser()
    const domain = client.domain(`${folder}before.h5`)
    await domain.create()
    const page = await openFolder(folder)
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByLabel('Name', { exact: true }).fill('made here')
    await button(page, 'Create').click()
    await entry(page, 'made here').waitFor()

    await choose(page, 'before.h5', 'Rename')
    await page.getByLabel('New name or path').fill(`${folder}after.h5`)
    await button(page, 'Rename').click()
    await entry(page, 'after.h5').waitFor()
    await expect.poll(() => namesIn(page)).toEqual(['made here', 'after.h5'])

    await choose(page, 'made here', 'Rename')
    await page.getByLabel('New name or path').fill(HOSTILE)
    await button(page, 'Rename').click()
    await entry(page, HOSTILE).waitFor()
    // A name is no program.
    expect(await page.locator('img').count()).toBe(0)
    await choose(page, HOSTILE, 'Delete')
    await button(page, 'Delete').click()
    await expect.poll(() => namesIn(page)).toEqual(['after.h5'])

    await choose(page, 'after.h5', 'Access')
    await page.getByLabel('Another user').fill(USER2)
    await button(page, 'Let them read').click()
    await page.getByLabel(`Update: ${USER2}`).click()
    await expect.poll(() => page.getByLabel(`Update: ${USER2}`).isChecked()).toBe(true)
    await takePicture(page, 'access')
    const { acls } = await client.request('GET /acls', { domain: `${folder}after.h5` })
    expect(acls.find(({ userName }) => userName === USER2)).toMatchObject({
      read: true,
      update: true,
      delete: false,
    })
    const { path } = client.domain(`${folder}after.h5`)
    const flagsOf = async (name: string) =>
      (await client.request('GET /acls', { domain: path })).acls.find(({ userName }) => userName === name)
    await page.getByRole('rowheader', { name: 'Everybody, without login' }).waitFor()
    await page.getByLabel('Read: everybody').click()
    await expect.poll(() => page.getByLabel('Read: everybody').isChecked()).toBe(true)
    expect(await flagsOf('default')).toMatchObject({ read: true, update: false })
    await button(page, `Remove ${USER2}`).click()
    await expect.poll(() => flagsOf(USER2)).toBeUndefined()
    // Users confirm that they take a permission from themselves.
    await page.getByLabel(`Change access: ${USER1}`).click()
    await page.getByText('This is your own permission').waitFor()
    expect(await flagsOf(USER1)).toMatchObject({ updateACL: true })
    await button(page, 'Leave it').click()
    await button(page, `Remove ${USER1}`).click()
    await page.getByText('This is your own row').waitFor()
    await button(page, 'Leave it').click()
    expect(await flagsOf(USER1)).toMatchObject({ updateACL: true })
    await button(page, 'Close').click()

    await choose(page, 'after.h5', 'Delete')
    await page.getByText(/The domain .*after\.h5 goes with 1 object/).waitFor()
    await button(page, 'Delete').click()
    await page.getByText('There is nothing in this folder').waitFor()
  })

  test('uploads files that are chosen or dropped, with the error of each, and downloads what it has', async () => {
    const folder = await newFolder()
    const good = await readFile(FILE)
    const files = Array.from({ length: 10 }, (_, i) => ({
      name: `file${i}.h5`,
      mimeType: 'application/x-hdf5',
      // The fifth is damaged, the eighth lacks its end.
      buffer: i === 4 ? good.subarray(0, 100) : i === 7 ? good.subarray(0, good.length - 100) : good,
    }))
    const page = await openFolder(folder, { acceptDownloads: true })
    await page.getByText('There is nothing in this folder').waitFor()
    const { release, released } = holdUp()
    await page.route(
      url => url.searchParams.get('domain')?.startsWith(folder) === true,
      async route => {
        if (route.request().method() === 'PUT') await released
        await route.continue()
      },
    )
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByText('0 of 10 files uploaded').waitFor()
    // The browser asks before it leaves the page.
    const question = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await question
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    release()
    await page.getByText('9 of 10 files uploaded, 1 failed').waitFor()
    const uploads = await page.getByLabel('Uploads').locator('li > .path').allTextContents()
    expect(uploads.slice(0, 3)).toEqual(['file4.h5', 'file7.h5', 'file0.h5'].map(name => `${folder}${name}`))
    await page.getByText(/^in part only: /).click()
    await page
      .getByText(/cut off/)
      .last()
      .waitFor()
    await expect.poll(() => page.getByLabel('Uploads').locator('li .error').count()).toBe(1)
    await expect.poll(() => namesIn(page)).toEqual(files.filter((_, i) => i !== 4).map(({ name }) => name))
    // The sizes come after the names.
    await page.getByRole('row', { name: /KiB/ }).nth(8).waitFor()
    await takePicture(page, 'upload')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose(page, 'file3.h5', 'Download'),
    ])
    expect(download.suggestedFilename()).toBe('file3.h5')
    const bytes = await readFile(await download.path())
    const reply = await send('GET', `/?domain=${folder}file3.h5&format=hdf5`, undefined, { user: USER1 })
    expect(bytes.equals(reply.bytes)).toBe(true)
    const content = [...good]
    // A drop cannot be made by a test with folders in it: the page gets what the browser would give it.
    await page.evaluate(bytes => {
      const file = new File([Uint8Array.from(bytes)], 'run7.h5')
      const fileEntry = {
        name: 'run7.h5',
        isFile: true,
        isDirectory: false,
        file: (done: (f: File) => void) => done(file),
      }
      const batches = [[fileEntry], []]
      const createReader = () => ({ readEntries: (done: (e: unknown) => void) => done(batches.shift()) })
      const folderEntry = { name: 'runs', isFile: false, isDirectory: true, createReader }
      const event = new Event('drop', { bubbles: true, cancelable: true })
      const dataTransfer = { items: [{ webkitGetAsEntry: () => folderEntry }], types: ['Files'] }
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
      document.querySelector('.folder')?.dispatchEvent(event)
    }, content)
    await page.getByText('10 of 11 files uploaded, 1 failed').waitFor()
    // Programs other than those for files drop what is in no folder.
    await page.evaluate(bytes => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], 'alone.h5'))
      document.querySelector('.folder')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    }, content)
    await page.getByText('11 of 12 files uploaded, 1 failed').waitFor()
    await entry(page, 'alone.h5').waitFor()
    await entry(page, 'runs').click()
    await entry(page, 'run7.h5').waitFor()
    // The list stays in another folder.
    await page.getByText('11 of 12 files uploaded, 1 failed').waitFor()
  })
})
