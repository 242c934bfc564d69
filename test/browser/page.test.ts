// The page /ui in Chromium: what users see and do, against the server of the wire tests (docs/decisions/030).

import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Locator, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Domain, Hyperslab } from '../../packages/client/index.ts'
import { startTcpProxy } from '../servers/tcp-proxy.ts'
import { send, USER1, USER2 } from '../wire/client.ts'
import { HOME, newPath, removeDomain } from '../wire/hsds/domain.ts'
import { newWorkingDirectory, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage, takePicture } from './browser.ts'
import {
  account,
  addressOf,
  button,
  choose,
  clientOfUser,
  entry,
  logIn,
  logOut,
  namesIn,
  newDomain,
  newFolder,
  openFolder,
  PASSWORD,
  programIn,
  serveWithRestarts,
} from './ui.ts'

const FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))

let client: Hyperslab
beforeAll(async () => {
  client = await clientOfUser()
})

async function rootOf(domain: Domain): Promise<string> {
  const description = await domain.describe()
  if (!('root' in description)) throw new Error('a domain has a root group')
  return description.root
}

async function newDataset(
  domain: Domain,
  name: string,
  type: unknown,
  shape: readonly number[],
  data?: Uint8Array | readonly unknown[],
  group?: string,
): Promise<string> {
  const body = { type, shape, link: { id: group ?? (await rootOf(domain)), name } } as never
  const created = await client.request('POST /datasets', { domain: domain.path }, { body })
  if (!('id' in created)) throw new Error('one dataset has an id')
  if (data !== undefined) await domain.write(created.id, data)
  return created.id
}

/** Paths of the datasets of a domain, by way of hard links. */
async function datasetsOf(domain: Domain, group?: string, path = ''): Promise<readonly string[]> {
  const found: string[] = []
  for await (const link of domain.links(group ?? (await rootOf(domain)))) {
    if (link.class !== 'H5L_TYPE_HARD') continue
    if (link.collection === 'datasets') found.push(`${path}/${link.title}`)
    if (link.collection === 'groups')
      found.push(...(await datasetsOf(domain, link.id, `${path}/${link.title}`)))
  }
  return found
}

/** The numbers of an image of 64-bit floats that are in one piece. */
function numbersOfTiff(file: Buffer) {
  expect(file.subarray(0, 4).toString('latin1')).toBe('II*\0')
  const directory = file.readUInt32LE(4)
  const fields = new Map<number, number>()
  for (let i = 0; i < file.readUInt16LE(directory); i++) {
    const at = directory + 2 + 12 * i
    const isShort = file.readUInt16LE(at + 2) === 3
    // Numbers of 16 bits are in the first half of the place.
    fields.set(file.readUInt16LE(at), isShort ? file.readUInt16LE(at + 8) : file.readUInt32LE(at + 8))
  }
  const field = (tag: number) => fields.get(tag) ?? Number.NaN
  const form = { bits: field(258), sampleFormat: field(339) }
  expect(form).toEqual({ bits: 64, sampleFormat: 3 })
  const [width, height, start] = [field(256), field(257), field(273)]
  const numbers = Array.from({ length: field(279) / 8 }, (_, i) => file.readDoubleLE(start + 8 * i))
  return { width, height, numbers }
}

const F64 = 'H5T_IEEE_F64LE'
const STRING = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
/** Waits for the numbers of axes. Some ticks have none, and take no room. */
async function axesAreDrawn(page: Page): Promise<void> {
  const numbers = async () => (await page.locator('.visx-axis-tick').allTextContents()).filter(Boolean).length
  await expect.poll(numbers).toBeGreaterThan(3)
}

describe.skipIf(hasNoBrowser)('the page', () => {
  test('is at / for a browser, and lists folders and domains that lead on', async () => {
    const domain = await newDomain()
    const page = await openPage()
    await page.goto(inject('address'))
    await entry(page, 'home').click()
    await entry(page, USER1).click()
    await entry(page, domain.path.slice(HOME.length + 1)).click()
    await page.getByRole('treeitem').first().waitFor()
    expect(new URL(page.url()).searchParams.get('domain')).toBe(domain.path)
    await expect.poll(() => page.title()).toContain(domain.path.slice(HOME.length + 1))
  })

  test('opens a NeXus file without default attributes with the signal of its NXdata', async () => {
    const domain = await newDomain()
    const newGroup = async (parent: string, name: string, attributes: Readonly<Record<string, string>>) => {
      const body = { link: { id: parent, name } }
      const created = await client.request('POST /groups', { domain: domain.path }, { body })
      if (!('id' in created)) throw new Error('one group has an id')
      const { id } = created
      for (const [name, value] of Object.entries(attributes)) {
        const parameters = { id, name, domain: domain.path }
        const attribute = { body: { type: STRING, value } } as never
        await client.request('PUT /groups/{id}/attributes/{name}', parameters, attribute)
      }
      return id
    }
    const entry = await newGroup(await rootOf(domain), 'entry', { NX_class: 'NXentry' })
    const other = await newGroup(entry, 'aaa', { NX_class: 'NXdetector' })
    const mask = new Uint8Array(Float64Array.from({ length: 9 }).buffer)
    await newDataset(domain, 'mask', F64, [3, 3], mask, other)
    const data = await newGroup(entry, 'data', { NX_class: 'NXdata', signal: 'counts' })
    const counts = new Uint8Array(Float64Array.from({ length: 20 }, (_, i) => i).buffer)
    const signal = await newDataset(domain, 'counts', F64, [4, 5], counts, data)
    const page = await openPage()
    const attributeRequests: string[] = []
    page.on('request', request => {
      if (/\/attributes\b/.test(request.url())) attributeRequests.push(request.url())
    })
    await page.goto(addressOf({ domain: domain.path }))
    await page.getByRole('tab', { name: 'Image', selected: true }).waitFor()
    await page.locator('.viewer canvas').waitFor()
    await page.locator('.viewer').getByText('counts').first().waitFor()
    // Strings come with the groups: groups of NeXus are not asked one by one, but for that of the plot.
    const ofOthers = attributeRequests.filter(url => !url.includes(data) && !url.includes(signal))
    expect(ofOthers).toEqual([])
  })

  test('draws a line, an image and a slice of a stack, which an address leads to', async () => {
    const domain = await newDomain()
    const wave = Float64Array.from({ length: 200 }, (_, i) => Math.sin(i / 10) * Math.exp(-i / 80))
    await newDataset(domain, 'line', F64, [200], new Uint8Array(wave.buffer))
    const field = Float64Array.from({ length: 3 * 40 * 60 }, (_, i) => {
      const [plane, row, column] = [Math.floor(i / 2400), Math.floor(i / 60) % 40, i % 60]
      return Math.cos(Math.hypot(row - 20, column - 30) / (4 + plane))
    })
    await newDataset(domain, 'stack', F64, [3, 40, 60], new Uint8Array(field.buffer))
    const page = await openPage()
    await page.goto(addressOf({ domain: domain.path, path: '/line' }))
    await page.locator('canvas').waitFor()
    await page.getByText('The line goes through all elements').waitFor()
    const [values] = await Promise.all([
      page.waitForResponse(response => response.url().includes('/value?')),
      page.getByRole('treeitem', { name: 'stack' }).click(),
    ])
    await page.locator('canvas').waitFor()
    expect(new URL(values.url()).searchParams.get('select')).toBe('[0,0:40,0:60]')
    await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe('/stack')
    // The axes have their numbers in the frame in which the image is drawn.
    await axesAreDrawn(page)
    await takePicture(page, 'heat-map')
    const colleague = await openPage()
    await colleague.goto(page.url())
    await colleague.locator('canvas').waitFor()
    await colleague.getByRole('treeitem', { name: 'stack', selected: true }).waitFor()
    await page.goBack()
    await page.getByRole('treeitem', { name: 'line', selected: true }).waitFor()
    await page.goForward()
    await page.getByRole('treeitem', { name: 'stack', selected: true }).waitFor()
    await page.reload()
    await page.getByRole('treeitem', { name: 'stack', selected: true }).waitFor()
  })

  test('finds objects by a part of their path', async () => {
    const domain = await newDomain()
    const group = await client.request(
      'POST /groups',
      { domain: domain.path },
      { body: { link: { id: await rootOf(domain), name: 'entry' } } },
    )
    if (!('id' in group)) throw new Error('one group has an id')
    await newDataset(domain, 'temperature', F64, [2], [1, 2], group.id)
    const page = await openPage()
    await page.goto(addressOf({ domain: domain.path }))
    await page.getByText('group of 1', { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('temp')
    await page.getByText('1 object found', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('treeitem', { name: 'entry' }).waitFor()
    await page.keyboard.type('entry')
    await page.getByText('2 objects found', { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('canvas').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe('/entry/temperature')
  })

  test('exports what is shown', async () => {
    const domain = await newDomain()
    await newDataset(domain, 'line', F64, [3], [1, 2.5, -3])
    const numbers = Float64Array.from({ length: 24 }, (_, i) => i + 0.5)
    await newDataset(domain, 'stack', F64, [2, 3, 4], new Uint8Array(numbers.buffer))
    // Wide enough for all tools of the viewer.
    const page = await openPage({ acceptDownloads: true, viewport: { width: 2200, height: 800 } })
    await page.goto(addressOf({ domain: domain.path, path: '/line' }))
    await logIn(page)
    await account(page).waitFor()
    await page.getByRole('tab', { name: 'Matrix' }).click()
    const exported = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menu').getByText(`Export to ${format}`).click(),
      ])
      return readFile(await saved.path())
    }
    expect((await exported('CSV')).toString()).toContain('2.5')
    const npy = await exported('NPY')
    expect(npy.subarray(1, 6).toString()).toBe('NUMPY')
    expect(npy.readDoubleLE(npy.length - 8)).toBe(-3)
    await page.getByRole('treeitem', { name: 'stack' }).click()
    await page.getByRole('tab', { name: 'Image' }).click()
    await page.locator('canvas').waitFor()
    const slider = page.locator('.viewer').getByRole('slider', { name: 'D0', exact: true })
    await slider.press('ArrowUp')
    // The tools are those of the slice when its range is shown.
    await page.getByTitle('Max: 23.5').waitFor()
    // The slice that is shown, with its numbers.
    const image = numbersOfTiff(await exported('TIFF'))
    expect(image).toEqual({ width: 4, height: 3, numbers: [...numbers.slice(12)] })
  })

  test('keeps a menu open and the focus when the tree comes later than the values', async () => {
    const domain = await newDomain()
    await newDataset(domain, 'line', F64, [3], [1, 2.5, -3])
    const page = await openPage()
    let release = (): void => undefined
    const isHeld = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/\/links\?/, async route => {
      await isHeld
      await route.continue()
    })
    await page.goto(addressOf({ domain: domain.path, path: '/line' }))
    await page.getByRole('tab', { name: 'Matrix' }).click()
    await page.getByRole('gridcell').first().waitFor()
    const exports = page.getByRole('button', { name: 'Export', exact: true })
    await exports.click()
    await page.getByRole('menu').waitFor()
    const item = page.getByRole('treeitem', { name: 'line', selected: true })
    expect(await item.count()).toBe(0)
    release()
    await item.waitFor()
    // The tree is drawn, and a focus that comes with it has come.
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await exports.evaluate(element => element === document.activeElement)).toBe(true)
    await page.getByRole('menu').getByText('Export to CSV').waitFor()
    // The keys of the tree work as before.
    await item.click()
    await page.keyboard.press('Home')
    const file = page.getByRole('treeitem').first()
    expect(await file.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    expect(await item.evaluate(element => element === document.activeElement)).toBe(true)
  })

  test('gives a large image the range of its elements, which their means hide, and asks no longer than it is shown', async () => {
    const domain = await newDomain()
    const id = await newDataset(domain, 'large', F64, [3, 6000, 6000])
    // Means of 8 x 8 elements, or of 16 along a side or both, as large as the canvas is.
    await domain.write(id, [[[1]]], { select: [0, 0, 0] })
    await domain.write(id, [[[12800]]], { select: [1, 3000, 3000] })
    await domain.write(id, [[[-5]]], { select: [1, 0, 0] })
    const page = await openPage()
    let release = (): void => undefined
    const isHeld = new Promise<void>(resolve => {
      release = resolve
    })
    const asked: string[] = []
    await page.route(/statistics=1/, async route => {
      const select = new URL(route.request().url()).searchParams.get('select') ?? ''
      asked.push(select)
      if (select === '[0,:,:]') await isHeld
      await route.continue().catch(() => undefined)
    })
    await page.goto(addressOf({ domain: domain.path, path: '/large' }))
    // The image waits for nothing but its means.
    await page.getByTitle(/^Max: 0\.0(156|0781|0391)$/).waitFor()
    await page.getByText('The colours span the points, until all elements are read.').waitFor()
    const [given] = await Promise.all([
      page.waitForEvent('requestfailed', request => request.url().includes('statistics=1')),
      page.getByRole('slider', { name: 'D0' }).press('ArrowRight'),
    ])
    expect(given.failure()?.errorText).toBe('net::ERR_ABORTED')
    release()
    await page.getByText('The colours span all elements').waitFor()
    await page.getByTitle('Max: 12800').waitFor()
    await page.getByTitle('Min: -5').waitFor()
    // A canvas that gets another size begins anew.
    expect(asked.at(-1)).toBe('[1,:,:]')
    expect(new Set(asked.slice(0, -1))).toEqual(new Set(['[0,:,:]']))
  })

  test('shows names as text, and follows links that are hostile or lead nowhere', async () => {
    const folder = await newFolder()
    const name = `<img src=x onerror=alert(1)> " ' &.h5`
    const domain = await newDomain(`${folder}${name}`)
    const root = await rootOf(domain)
    const link = { h5path: '/nowhere' }
    const title = '<script>alert(1)<x>'
    await client.request(
      'PUT /groups/{id}/links/{title}',
      { id: root, title, domain: domain.path },
      { body: link },
    )
    const page = await openPage()
    page.on('dialog', dialog => {
      throw new Error(`a name became a program: ${dialog.message()}`)
    })
    await page.goto(addressOf({ folder }))
    await logIn(page)
    await entry(page, name).click()
    await page.getByRole('treeitem', { name: title }).waitFor()
    expect(await page.locator('img').count()).toBe(0)
  })

  test('logs in and out; tells why it does not; keeps no password', async () => {
    const domain = client.domain(newPath())
    await domain.create()
    onTestFinished(() => removeDomain(domain.path))
    const page = await openPage()
    await page.goto(addressOf({ domain: domain.path }))
    await page.getByText(/is not public/).waitFor()
    await logIn(page, USER1, 'wrong')
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .filter({ hasText: /password/ })
      .waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await button(page, 'Log in').click()
    await page.getByRole('treeitem').first().waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(kept).not.toContain(PASSWORD)
    await logOut(page)
    await page.getByText(/is not public/).waitFor()
    await logIn(page, USER2)
    await page
      .getByText(/permission|not allowed|may not/)
      .first()
      .waitFor()
  })

  test('keeps a login over a reload and in a new tab, until it is ended, and the page does not see its secret', async () => {
    const page = await openFolder(await newFolder())
    await page.reload()
    await account(page).waitFor()
    const other = await page.context().newPage()
    await other.goto(addressOf({ folder: HOME }))
    await account(other).waitFor()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await logOut(other)
    await other.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    expect(await page.context().cookies()).toEqual([])
    // The first tab knows it without a reload, and that of a login too.
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    await logIn(other)
    await account(page).waitFor()
  })

  test('of another origin on the same host can neither read nor change anything with the session', async () => {
    const page = await openFolder(await newFolder())
    const line = await startTcpProxy(() => Number(new URL(inject('address')).port))
    onTestFinished(() => line.close())
    const evil = await page.context().newPage()
    // The same host at another port: browsers send the cookie there, too.
    await evil.goto(`http://127.0.0.1:${line.port}/health`)
    const outcomes = await evil.evaluate(async address => {
      const outcome = (path: string, init: RequestInit) =>
        fetch(address + path, { credentials: 'include', ...init }).then(
          response => String(response.status),
          () => 'refused',
        )
      const form = document.createElement('form')
      form.action = `${address}/tokens`
      form.method = 'POST'
      form.target = 'frame'
      document.body.append(form)
      form.submit()
      return Promise.all([
        outcome('/login', {}),
        outcome('/tokens', { method: 'POST', body: '{"name":"evil","end":"2999-01-01"}' }),
        outcome('/tokens', { method: 'POST', headers: { 'x-requested-with': 'x' }, body: '{}' }),
        outcome('/login', { method: 'DELETE' }),
      ])
    }, inject('address'))
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused'])
    const tokens = await send('GET', '/tokens', undefined, { user: USER1 })
    expect(tokens.json<{ tokens: { name: string }[] }>().tokens.map(({ name }) => name)).not.toContain('evil')
    await page.reload()
    await account(page).waitFor()
  })

  test('uploads files that are dropped, with the error of each, and downloads what it has', async () => {
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
    await page.locator('input[type=file]').setInputFiles(files)
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
    await page.getByRole('link', { name: 'Hyperslab' }).click()
    await entry(page, 'home').waitFor()
    await page.getByText('9 of 10 files uploaded, 1 failed').waitFor()
  })

  test('uploads many files chosen at once: what runs is on top, and one total says how far all are', async () => {
    const folder = await newFolder()
    const buffer = await readFile(FILE)
    const files = Array.from({ length: 30 }, (_, i) => ({
      name: `file${i}.h5`,
      mimeType: 'application/x-hdf5',
      buffer,
    }))
    const page = await openFolder(folder)
    await page.getByText('There is nothing in this folder').waitFor()
    // The first five go through; the others wait until the list was looked at.
    let begun = 0
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const isOfFolder = (url: URL) => url.searchParams.get('domain')?.startsWith(folder) === true
    await page.route(isOfFolder, async route => {
      if (route.request().method() === 'PUT' && ++begun > 5) await released
      await route.continue()
    })
    await page.locator('input[type=file]').setInputFiles(files)
    const uploads = page.getByLabel('Uploads', { exact: true })
    await uploads.getByText('5 of 30 files uploaded').waitFor()
    const rows = uploads.locator('li')
    await expect.poll(() => uploads.locator('li progress').count()).toBe(2)
    expect(await rows.nth(0).locator('progress').count()).toBe(1)
    expect(await rows.nth(1).locator('progress').count()).toBe(1)
    expect(await rows.nth(2).textContent()).toContain('waiting')
    expect(await rows.nth(29).textContent()).toContain('✓')
    const total = uploads.getByLabel('All uploads')
    expect(await total.evaluate(({ max }: HTMLProgressElement) => max)).toBe(30 * buffer.length)
    expect(await total.evaluate(({ value }: HTMLProgressElement) => value)).toBeGreaterThanOrEqual(
      5 * buffer.length,
    )
    // The browser asks before it leaves the page.
    const question = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await question
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    release()
    await uploads.getByText('30 of 30 files uploaded').waitFor()
    expect(await total.count()).toBe(0)
    await expect.poll(async () => (await namesIn(page)).length).toBe(30)
  })

  test('takes files that are dropped with their folders', async () => {
    const folder = await newFolder()
    const page = await openFolder(folder)
    await page.getByText('There is nothing in this folder').waitFor()
    const bytes = [...(await readFile(FILE))]
    // A drop cannot be made by a test with folders in it: the page gets what the browser would give it.
    await page.evaluate(content => {
      const file = new File([Uint8Array.from(content)], 'run7.h5')
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
    }, bytes)
    await page.getByText('1 of 1 file uploaded').waitFor()
    // Programs other than those for files drop what is in no folder.
    await page.evaluate(content => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([Uint8Array.from(content)], 'alone.h5'))
      document.querySelector('.folder')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    }, bytes)
    await page.getByText('2 of 2 files uploaded').waitFor()
    await entry(page, 'alone.h5').waitFor()
    await entry(page, 'runs').click()
    await entry(page, 'run7.h5').waitFor()
  })

  test('creates, renames and deletes folders and domains, and shares them', async () => {
    const folder = await newFolder()
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
    await page.getByLabel('New name or path').fill('renamed')
    await button(page, 'Rename').click()
    await entry(page, 'renamed').waitFor()
    await choose(page, 'renamed', 'Delete')
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

  test('copies also where browsers give pages no clipboard, as over http from another machine', async () => {
    const domain = await newDomain()
    await newDataset(domain, 'd', F64, [2], [1, 2])
    const page = await openPage()
    await page.addInitScript(() => {
      delete (Navigator.prototype as { clipboard?: unknown }).clipboard
    })
    await page.goto(addressOf({ domain: domain.path, path: '/d' }))
    const paste = async () => {
      await page.getByRole('button', { name: 'Log in' }).click()
      const field = page.getByLabel('Name', { exact: true })
      await field.press('ControlOrMeta+V')
      const text = await field.inputValue()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      return text
    }
    await page.getByRole('button', { name: 'Copy code' }).click()
    const code = await programIn(page, 'curl')
    await button(page, 'Copy the curl program').click()
    await page.getByRole('button', { name: 'Copy the curl program' }).getByText('Copied').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // A field of one line has spaces for the ends of lines.
    const words = (text: string) => text.split(/\s+/)
    expect(words(await paste())).toEqual(words(code))
    // The viewer copies paths.
    await page.getByRole('button', { name: 'Copy path' }).click()
    expect(await paste()).toBe('/d')
  })

  test.each(['mouse', 'keyboard'])('leads from the first start to the first plot, by %s', async hand => {
    const directory = await newWorkingDirectory()
    const server = await startServer(directory)
    onTestFinished(async () => {
      await server.end('SIGTERM')
      await rm(directory, { recursive: true })
    })
    const page = await openPage()
    const choose = async (found: Locator) => {
      await found.waitFor()
      if (hand === 'mouse') return found.click()
      for (let i = 0; !(await found.evaluate(element => element === document.activeElement)); i++) {
        if (i === 30) throw new Error('the Tab key does not reach it')
        // The arrow keys move in a tree.
        const isInTree = await page.evaluate(() => document.activeElement?.role === 'treeitem')
        await page.keyboard.press(isInTree ? 'ArrowDown' : 'Tab')
      }
      await page.keyboard.press('Enter')
    }
    await page.goto(server.address)
    await entry(page, 'sample.h5').waitFor()
    // The size comes after the name.
    await page.getByText(/KiB$/).waitFor()
    await takePicture(page, 'first-visit')
    await choose(entry(page, 'sample.h5'))
    await choose(page.getByRole('treeitem', { name: 'waves' }))
    await choose(page.getByRole('treeitem', { name: 'height' }))
    await axesAreDrawn(page)
    await takePicture(page, 'first-plot')
  })

  test('opens each dataset of the sample in each of its views', async () => {
    const directory = await newWorkingDirectory()
    const server = await startServer(directory)
    onTestFinished(async () => {
      await server.end('SIGTERM')
      await rm(directory, { recursive: true })
    })
    const sample = new Hyperslab(server.address).domain('/sample.h5')
    const page = await openPage()
    const shown: string[] = []
    for (const path of await datasetsOf(sample)) {
      const query = new URLSearchParams({ domain: sample.path, path })
      await page.goto(`${server.address}/ui?${query}`)
      const tabs = page.getByRole('tab').filter({ hasText: /./, hasNotText: /Members|Inspect/ })
      await tabs.first().waitFor()
      for (const name of await tabs.allTextContents()) {
        await page.getByRole('tab', { name, exact: true }).click()
        const isDrawn = page.locator('.viewer').locator('canvas:visible, [role=grid] td:visible').first()
        await isDrawn.waitFor()
        shown.push(name)
      }
    }
    expect(new Set(shown)).toEqual(new Set(['Matrix', 'Table', 'Line', 'Image']))
  })

  test('goes on by itself when the service was away, and again when the user asks', async () => {
    const directory = await newWorkingDirectory()
    onTestFinished(() => rm(directory, { recursive: true }))
    const service = await serveWithRestarts(directory)
    const page = await openPage()
    await page.goto(service.address)
    await entry(page, 'sample.h5').waitFor()
    // The viewer, which is loaded later than the page.
    await service.stop()
    await entry(page, 'sample.h5').click()
    await page.getByText('The viewer cannot be loaded.').waitFor()
    await service.start()
    await page.getByRole('treeitem', { name: 'series' }).waitFor()
    await page.getByRole('button', { name: 'Copy code' }).waitFor()
    // With its styles.
    expect(await page.locator('.viewer').evaluate(element => getComputedStyle(element).display)).toBe('flex')
    // Values.
    await service.stop()
    await page.getByRole('treeitem', { name: 'stations' }).click()
    await page.locator('.viewer').getByText('The service cannot be reached.').first().waitFor()
    await page.getByText('The page tries again when the service answers.').waitFor()
    await service.start()
    await page.getByRole('gridcell').filter({ hasText: /./ }).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    // A folder.
    await service.stop()
    await page.getByRole('link', { name: 'Hyperslab' }).click()
    await page.locator('.folder').getByText('The service cannot be reached.').waitFor()
    await service.start()
    await entry(page, 'sample.h5').waitFor()
    // A request that fails for another reason waits for the user.
    const refuse = (route: Route) => {
      const body = JSON.stringify({ status: 400, code: 'x', message: 'not so' })
      return route.fulfill({ status: 400, body })
    }
    await page.route('**/domains?**', refuse)
    await page.reload()
    await page.getByText('not so').waitFor()
    await page.unroute('**/domains?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await entry(page, 'sample.h5').waitFor()
    expect(await page.getByText('not so').count()).toBe(0)
  })

  test('is used by keyboard', async () => {
    const folder = await newFolder()
    await newDomain(`${folder}run.h5`)
    const page = await openFolder(folder)
    await entry(page, 'run.h5').waitFor()
    await page.getByLabel('Filter by name').focus()
    const reach = async (name: string, key = 'Tab') => {
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press(key)
        const focused = await page.evaluate(
          () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent,
        )
        if (focused === name) return
      }
      throw new Error(`the key ${key} does not reach ${name}`)
    }
    await reach('Actions for run.h5')
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await reach('Rename …', 'ArrowDown')
    await page.keyboard.press('Enter')
    // The field that opens next has the focus, and the name is selected: the user types a new one.
    await page.getByLabel('New name or path').waitFor()
    await page.keyboard.type('renamed.h5')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await entry(page, 'renamed.h5').waitFor()
    await page.getByLabel('Filter by name').focus()
    await reach('Actions for renamed.h5')
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('treeitem').first().waitFor()
  })

  test('fits a phone', async () => {
    const folder = await newFolder()
    const domain = await newDomain(`${folder}${'long'.repeat(30)}.h5`)
    for (let i = 0; i < 40; i++) await newDataset(domain, `line${i}`, F64, [2], [1, 2])
    const page = await openFolder(folder, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await entry(page, `${'long'.repeat(30)}.h5`).waitFor()
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(await overflow()).toBeLessThanOrEqual(0)
    await entry(page, `${'long'.repeat(30)}.h5`).click()
    await page.locator('[role=treeitem][aria-setsize="40"]').first().waitFor()
    await page.getByRole('treeitem').first().press('End')
    await page.getByRole('treeitem', { name: 'line39' }).click()
    await page.locator('canvas').waitFor()
    // The tree is above the plot, and both are in sight.
    await expect
      .poll(async () => (await page.locator('canvas').boundingBox())?.height ?? 0)
      .toBeGreaterThan(150)
    const { x = -1, width = 0, y = 0, height = 0 } = (await page.locator('canvas').boundingBox()) ?? {}
    expect([x >= 0, x + width <= 390, y + height <= 844]).toEqual([true, true, true])
    expect(await overflow()).toBeLessThanOrEqual(0)
  })
})
