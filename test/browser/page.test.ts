// The page /ui in Chromium: what users see and do, against the server of the wire tests (docs/decisions/030).

import { readFile, rm } from 'node:fs/promises'
import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newWorkingDirectory, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage, takePicture } from './browser.ts'
import {
  account,
  addressOf,
  axesAreDrawn,
  button,
  choose,
  entry,
  isFocused,
  logIn,
  newDataset,
  newDomain,
  newFolder,
  openFolder,
  programIn,
  ramp,
  serveWithRestarts,
} from './ui.ts'

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

/** The page of a service that was started for the first time. */
async function startFirst(): Promise<Page> {
  const directory = await newWorkingDirectory()
  const server = await startServer(directory)
  onTestFinished(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true })
  })
  const page = await openPage()
  await page.goto(server.address)
  await entry(page, 'sample.h5').waitFor()
  return page
}

/** Goes to a control with the keys Tab and, in a tree, ArrowDown, and presses it. */
async function reach(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let i = 0; !(await isFocused(control)); i++) {
    if (i === 30) throw new Error('the Tab key does not reach it')
    const isInTree = await page.evaluate(() => document.activeElement?.role === 'treeitem')
    await page.keyboard.press(isInTree ? 'ArrowDown' : 'Tab')
  }
  await page.keyboard.press('Enter')
}

describe.skipIf(hasNoBrowser)('the page', () => {
  test('leads by mouse from the first start to the first plot, and to each view of each dataset', async () => {
    const page = await startFirst()
    // The size comes after the name.
    await page.getByText(/KiB$/).waitFor()
    await takePicture(page, 'first-visit')
    await entry(page, 'sample.h5').click()
    await page.getByRole('treeitem', { name: 'waves' }).click()
    await page.getByRole('treeitem', { name: 'height' }).click()
    await axesAreDrawn(page)
    await takePicture(page, 'first-plot')
    expect(new URL(page.url()).searchParams.get('domain')).toBe('/sample.h5')
    await expect.poll(() => page.title()).toContain('sample.h5')
    await page.getByRole('searchbox', { name: 'Search' }).fill('/')
    await page.getByText(/^\d+ objects found$/).waitFor()
    const datasets = page.locator('.results button:has(.tree-icon.dataset)')
    const shown = new Set<string>()
    for (const dataset of await datasets.all()) {
      await dataset.click()
      const path = await dataset.getAttribute('title')
      await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe(path)
      const tabs = page.getByRole('tab').filter({ hasText: /./, hasNotText: /Members|Inspect/ })
      await tabs.first().waitFor()
      for (const name of await tabs.allTextContents()) {
        await page.getByRole('tab', { name, exact: true }).click()
        await page.locator('.viewer').locator('canvas:visible, [role=grid] td:visible').first().waitFor()
        shown.add(name)
      }
    }
    expect(shown).toEqual(new Set(['Matrix', 'Table', 'Line', 'Image']))
  })

  test('leads by keyboard from the first start to the first plot', async () => {
    const page = await startFirst()
    await reach(page, entry(page, 'sample.h5'))
    for (const name of ['waves', 'height']) await reach(page, page.getByRole('treeitem', { name }))
    await axesAreDrawn(page)
  })

  test('exports what is shown', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/line', { shape: [3] }, new Uint8Array(Float64Array.of(1, 2.5, -3).buffer))
    const numbers = Float64Array.from({ length: 24 }, (_, i) => i + 0.5)
    await newDataset(domain, '/stack', { shape: [2, 3, 4] }, new Uint8Array(numbers.buffer))
    const page = await openPage({ acceptDownloads: true })
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
    await page.getByRole('button', { name: 'Figure' }).click()
    const dialog = page.getByRole('dialog', { name: 'Figure' })
    await dialog.getByLabel('Resolution of PNG').selectOption('300 dpi')
    const { width = 0 } = (await page.locator('.plot canvas').boundingBox()) ?? {}
    const [figure] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save PNG' }).click(),
    ])
    expect(figure.suggestedFilename()).toBe('stack.png')
    // An inch has 96 pixels of the screen; the bar of colours comes beside.
    expect((await readFile(await figure.path())).readUInt32BE(16)).toBeGreaterThan((width * 300) / 96)
    await page.keyboard.press('Escape')
    const printed = page.locator('body > canvas.printed')
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await printed.waitFor()
    expect(await page.locator('.viewer').isVisible()).toBe(false)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await printed.waitFor({ state: 'detached' })
    await page.emulateMedia({ media: 'screen' })
    // The slice that is shown, with its numbers.
    const image = numbersOfTiff(await exported('TIFF'))
    expect(image).toEqual({ width: 4, height: 3, numbers: [...numbers.slice(12)] })
  })

  test('copies also where browsers give pages no clipboard, as over http from another machine', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/d', { shape: [2] }, ramp(2))
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

  test('fits a phone: the menus and dialogs of a folder, long names, and the plot below the tree', async () => {
    const size = { width: 360, height: 740 }
    const folder = await newFolder()
    const name = `${'long'.repeat(30)}.h5`
    const domain = await newDomain(`${folder}${name}`)
    for (let i = 0; i < 40; i++) await newDataset(domain, `/line${i}`, { shape: [2] }, ramp(2))
    const page = await openFolder(folder, { viewport: size, colorScheme: 'dark' })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    const isWithin = async (part: Locator) => {
      const { x = -1, y = -1, width = 999, height = 999 } = (await part.boundingBox()) ?? {}
      const ends = [x >= 0, y >= 0, x + width <= size.width, y + height <= size.height]
      expect(ends).toEqual([true, true, true, true])
    }
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await isWithin(page.getByRole('menu'))
    await page.keyboard.press('Escape')
    for (const action of ['Access', 'Delete']) {
      await choose(page, name, action)
      await isWithin(page.getByRole('dialog'))
      await button(page, 'Close').click()
    }
    expect(await overflow()).toBeLessThanOrEqual(0)
    await entry(page, name).click()
    await page.locator('[role=treeitem][aria-setsize="40"]').first().waitFor()
    await page.getByRole('treeitem').first().press('End')
    await page.getByRole('treeitem', { name: 'line39' }).click()
    const canvas = page.locator('canvas')
    await canvas.waitFor()
    // The tree is above the plot, and both are in sight.
    await expect.poll(async () => (await canvas.boundingBox())?.height ?? 0).toBeGreaterThan(150)
    await isWithin(canvas)
    expect(await overflow()).toBeLessThanOrEqual(0)
  })
})
