// The viewer in Chromium: the address carries the view, any size at the size of the screen, changes as they happen, and
// the tree by mouse and keyboard.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Hyperslab } from '../../packages/client/index.ts'
import { hasNoBrowser, openPage, takePicture } from './browser.ts'
import {
  axesAreDrawn,
  clientOfUser,
  entry,
  HOSTILE,
  holdUp,
  isFocused,
  namesIn,
  newDataset,
  newDomain,
  newFolder,
  openFolder,
  placeOfPoints,
  plotText,
  putAttribute,
  queryOf,
  ramp,
  STRING,
  viewAddress,
} from './ui.ts'

let client: Hyperslab
beforeAll(async () => {
  client = await clientOfUser()
})

/** Circles around the middle of each plane. */
function newField([planes, rows, columns]: readonly [number, number, number]): Uint8Array {
  const numbers = Float64Array.from({ length: planes * rows * columns }, (_, i) => {
    const [plane, row, column] = [
      Math.floor(i / (rows * columns)),
      Math.floor(i / columns) % rows,
      i % columns,
    ]
    return Math.cos(Math.hypot(row - rows / 2, column - columns / 2) / (4 + plane))
  })
  return new Uint8Array(numbers.buffer)
}

/**
 * Turns the wheel until the address has another zoom: a slow machine draws late, and a turn has no effect while the
 * canvas is made anew.
 */
async function zoomIn(page: Page): Promise<void> {
  const { zoom } = queryOf(page)
  const turnWheel = async () => {
    await page.mouse.wheel(0, -100)
    return queryOf(page).zoom
  }
  await expect.poll(turnWheel, { interval: 1000 }).not.toBe(zoom)
}

describe.skipIf(hasNoBrowser)('the viewer', () => {
  test('is as the address says, changes the address, goes back, and is the same for a colleague', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/line', { shape: [200] }, ramp(200))
    await newDataset(domain, '/stack', { shape: [5, 40, 60] }, newField([5, 40, 60]))
    const page = await openPage()
    const { release, released } = holdUp()
    await page.route('**/login', async route => {
      await released
      await route.continue()
    })
    // Its program is loaded while the service says whose session it is.
    const script = page.waitForRequest(/\/Viewer[^/]*\.js$/)
    await page.goto(viewAddress(domain, { path: '/line' }))
    await script
    release()
    await page.getByText('The line goes through all elements').waitFor()
    await page.getByRole('treeitem', { name: 'stack' }).click()
    await expect.poll(() => queryOf(page)).toEqual({ path: '/stack' })
    await page.getByText('Each point is an element.').waitFor()
    // The axes have their numbers in the frame in which the image is drawn.
    await axesAreDrawn(page)
    await takePicture(page, 'heat-map')
    const isShown = (name: string) => page.getByRole('treeitem', { name, selected: true }).waitFor()
    await page.goBack()
    await isShown('line')
    await page.goForward()
    await isShown('stack')
    const view = {
      path: '/stack',
      tab: 'image',
      slice: 'y,3,x',
      range: '0.1,0.9',
      colours: 'Magma',
      scale: 'sqrt',
    }
    await page.goto(viewAddress(domain, view))
    await page.getByText('Each point is an element.').waitFor()
    await page.getByRole('tab', { name: 'Image', selected: true }).waitFor()
    const slider = page.getByRole('slider', { name: 'D1' })
    expect(await slider.inputValue()).toBe('3')
    await page.getByTitle('Max: 0.9').waitFor()
    await page.getByText('Magma').waitFor()
    await slider.press('ArrowRight')
    await expect.poll(() => queryOf(page)).toEqual({ ...view, slice: 'y,4,x' })
    await page.getByRole('button', { name: 'Dimension along x: D2' }).click()
    await page.getByRole('menuitemradio', { name: 'D1' }).click()
    await expect.poll(() => queryOf(page)).toEqual({ ...view, slice: 'y,x,4' })
    await page.getByRole('tab', { name: 'Line' }).click()
    await page.getByText('The line goes through all elements').waitFor()
    expect(queryOf(page).tab).toBe('line')
    await page.goBack()
    await page.getByRole('tab', { name: 'Image', selected: true }).waitFor()
    expect(queryOf(page)).toEqual({ ...view, slice: 'y,x,4' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    const link = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(link).toBe(page.url())
    const colleague = await openPage()
    await colleague.goto(await link())
    await page.reload()
    for (const one of [colleague, page]) {
      await one.getByTitle('Max: 0.9').waitFor()
      await one.getByRole('treeitem', { name: 'stack', selected: true }).waitFor()
      expect(await one.getByRole('slider', { name: 'D2' }).inputValue()).toBe('4')
    }
    // An address that names what is not there is as the viewer chooses.
    await page.goto(viewAddress(domain, { ...view, slice: '9,y,x', colours: 'no', range: 'a' }))
    await page.getByText('Each point is an element.').waitFor()
    expect(await page.getByRole('slider', { name: 'D0' }).inputValue()).toBe('0')
  })

  test('has handles for the range of the colours, which the next image of the kind takes over', async () => {
    const domain = await newDomain()
    for (const path of ['/one', '/two']) {
      const id = await newDataset(domain, path, { shape: [40, 50] }, ramp(2000))
      await putAttribute(domain, id, 'long_name', { type: STRING, value: 'frame' })
    }
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/one' }))
    await page.getByText('Each point is an element.').waitFor()
    const handle = page.getByRole('slider', { name: 'Min' })
    const range = page.getByLabel('Range', { exact: true })
    expect(await range.inputValue()).toBe('auto')
    await handle.press('ArrowRight')
    await expect.poll(() => queryOf(page).range).toMatch(/^\d+,$/)
    expect(await range.inputValue()).toBe('own')
    const own = queryOf(page).range
    await page.getByRole('treeitem', { name: 'two' }).click()
    await expect.poll(() => queryOf(page)).toEqual({ path: '/two', range: own })
    await expect.poll(() => handle.isEnabled()).toBe(true)
    // The end of the data is no range of the user.
    await handle.press('ArrowLeft')
    await expect.poll(() => queryOf(page)).toEqual({ path: '/two' })
    for (const span of ['all', 'symmetric', undefined]) {
      await page.keyboard.press('r')
      await expect.poll(() => queryOf(page).span).toBe(span)
    }
    await range.selectOption('In sight')
    await page.getByText('The colours span what is in sight.').waitFor()
    await page.getByRole('treeitem', { name: 'one' }).click()
    await expect.poll(() => queryOf(page)).toEqual({ path: '/one', span: 'seen' })
  })

  test('plays a stack in the colours of its first frame, and shows a drawing on the full screen', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/stack', { shape: [3, 40, 50] }, ramp(6000))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/stack' }))
    await page.getByText('The colours span all elements.').waitFor()
    await page.keyboard.press('p')
    for (const slice of ['1,y,x', '2,y,x']) {
      await expect.poll(() => queryOf(page).slice).toBe(slice)
      expect(await page.locator('.colour-bar p').first().textContent()).toBe('2000')
    }
    await page.getByText('While it plays, the colours span one range.').waitFor()
    await page.keyboard.press('p')
    await page.getByText('The colours span all elements.').waitFor()
    const shown = () => page.evaluate(() => document.fullscreenElement?.className)
    for (const name of ['plot-frame', undefined]) {
      await page.keyboard.press('f')
      await expect.poll(shown).toBe(name)
    }
  })

  test('zooms a line into what it reads anew, and the address leads to the same part', async () => {
    const domain = await newDomain()
    // The service stores two chunks.
    const id = await newDataset(domain, '/long', { shape: [50_000_000] })
    await domain.write(id, ramp(4), { select: [{ start: 30_000_000, stop: 30_000_004 }] })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/long' }))
    await page.getByText('the least and the greatest of each 32,768 elements').waitFor()
    const { x, y, width, height } = await placeOfPoints(page)
    await page.mouse.move(x + width / 2, y + height / 2)
    const note = page.getByText('The line goes through')
    while ((await note.textContent())?.includes('32,768')) await zoomIn(page)
    await page
      .getByText(/The line goes through (all|the least .* (16,384|\d,\d{3}|\d{1,3})) elements/)
      .waitFor()
    // The address follows the canvas after a moment.
    await expect.poll(() => queryOf(page).zoom).toMatch(/^[\d.]+,[\d.]+/)
    const colleague = await openPage()
    await colleague.goto(viewAddress(domain, { path: '/long', zoom: '29999990,30000010' }))
    await colleague.getByText('The line goes through all elements in sight.').waitFor()
    // The other axis spans all elements, also those out of sight.
    await expect
      .poll(() => plotText(colleague))
      .toBe('x from 29999990 to 30000010. y from -0.15 to 3.15. Numbers from 0 to 3.')
    await colleague.getByRole('button', { name: 'Reset zoom' }).click()
    await expect.poll(() => queryOf(colleague).zoom).toBeUndefined()
  })

  test('zooms an image of 100,000 x 100,000 at the pointer, stays there, and has a part in all detail', async () => {
    const domain = await newDomain()
    const id = await newDataset(domain, '/image', { shape: [100_000, 100_000] })
    const middle = { start: 50_000, stop: 50_002 }
    await domain.write(id, ramp(4), { select: [middle, middle] })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/image' }))
    await page.locator('.plot-surface').waitFor()
    const heightOf = async () => (await page.locator('.plot-area').boundingBox())?.height
    const heightWithoutNote = await heightOf()
    await page.getByText(/^Each point is the mean of \d+ × \d+ elements/).waitFor()
    // A canvas that became smaller would read everything anew.
    expect(await heightOf()).toBe(heightWithoutNote)
    const { x, y, width, height } = await placeOfPoints(page)
    const zoom = () => (queryOf(page).zoom ?? '').split(',').map(Number)
    // All of the image has the height of the canvas: a quarter above the middle is row 75,000.
    await page.mouse.move(x + width / 2, y + height / 4)
    for (let i = 1; i <= 6; i++) {
      await zoomIn(page)
      const [, , bottom = 0, top = 0] = zoom()
      const turns = Math.log((top - bottom) / 100_000) / Math.log(0.95)
      expect([turns > i - 0.1, turns - Math.round(turns)]).toEqual([true, expect.closeTo(0, 1)])
      // The pointer is at a whole pixel.
      expect(Math.abs(bottom + 0.75 * (top - bottom) - 75_000)).toBeLessThan(50_000 / height + 1)
    }
    // The address is that of the user, whatever the shape of the window.
    const before = '5000,95000,30000,90000'
    await page.goto(viewAddress(domain, { path: '/image', zoom: before }))
    await page.getByText(/^Each point is/).waitFor()
    await page.setViewportSize({ width: 900, height: 900 })
    const colleague = await openPage({ viewport: { width: 700, height: 900 } })
    await colleague.goto(page.url())
    await colleague.getByText(/^Each point is/).waitFor()
    await colleague.getByRole('button', { name: 'Reset zoom' }).waitFor()
    expect(queryOf(colleague).zoom).toBe(before)
    expect(queryOf(page).zoom).toBe(before)
    await page.goto(viewAddress(domain, { path: '/image', zoom: '49990,50010,49990,50010', span: 'seen' }))
    await page.getByText('Each point is an element. The colours span what is in sight.').waitFor()
    await page.getByTitle('Max: 3').waitFor()
  })

  test('shows changes as they happen: the names in a folder, a new run in it, and the end of that', async () => {
    const folder = await newFolder()
    const page = await openFolder(folder)
    await page.getByText('There is nothing in this folder').waitFor()
    await newDomain(`${folder}a.h5`)
    await entry(page, 'a.h5').waitFor()
    const move = { body: { moved_from: `${folder}a.h5` } as never }
    await client.request('PUT /', { domain: `${folder}b.h5` }, move)
    await expect.poll(() => namesIn(page)).toEqual(['b.h5'])
    await client.domain(`${folder}b.h5`).delete()
    await page.getByText('There is nothing in this folder').waitFor()
    const domain = await newDomain(`${folder}run.h5`)
    await entry(page, 'run.h5').click()
    await page.getByText('live', { exact: true }).waitFor()
    const id = await newDataset(domain, '/frames', { shape: [0, 4], maxdims: [0, 4] })
    const append = (first: number) => {
      const body = { append: 1, value: [[first, 1, 2, 3]] } as never
      return client.request('PUT /datasets/{id}/value', { id, domain: domain.path }, { body })
    }
    await append(10)
    await page.getByRole('treeitem', { name: 'frames' }).waitFor()
    await page.goto(viewAddress(domain, { path: '/frames', tab: 'line', follow: '1' }))
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('1 × 4, float64').waitFor()
    await append(20)
    await page.getByText('2 × 4, float64').waitFor()
    await append(30)
    const slider = page.getByRole('slider', { name: 'D0' })
    await expect.poll(() => slider.inputValue()).toBe('2')
    await expect.poll(() => plotText(page)).toContain('Numbers from 1 to 30.')
    // A user that goes back stays there.
    await slider.press('ArrowLeft')
    await expect.poll(() => queryOf(page)).toEqual({ path: '/frames', tab: 'line', slice: '1,x' })
    await append(40)
    await page.getByText('4 × 4, float64').waitFor()
    expect(await slider.inputValue()).toBe('1')
  })

  test('has a tree that takes no focus when it comes, and is used by keys, whatever is in it', async () => {
    const domain = await newDomain()
    const line = await newDataset(domain, '/line', { shape: [3] }, ramp(3))
    await newDataset(domain, '/entry/temperature', { shape: [2] }, ramp(2))
    const titles = Array.from({ length: 5000 }, (_, i) => `m${String(i).padStart(4, '0')}`)
    const links = {
      ...Object.fromEntries(titles.map(title => [title, { id: line }])),
      [HOSTILE]: { h5path: '/nowhere' },
    }
    const { id } = await domain.object('/')
    await client.request('PUT /groups/{id}/links', { id, domain: domain.path }, { body: { links } as never })
    const page = await openPage()
    const { release, released } = holdUp()
    await page.route(/\/links\?/, async route => {
      await released
      await route.continue()
    })
    await page.goto(viewAddress(domain, { path: '/line', tab: 'matrix' }))
    await page.getByRole('gridcell').first().waitFor()
    const exports = page.getByRole('button', { name: 'Export', exact: true })
    await exports.click()
    const choice = page.getByRole('menuitem', { name: 'Export to CSV' })
    await expect.poll(() => isFocused(choice)).toBe(true)
    const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
    expect(await item('line').count()).toBe(0)
    release()
    await item('line').waitFor()
    // The tree is drawn, and a focus that comes with it has come.
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await isFocused(choice)).toBe(true)
    // One row for each member, of which those in sight are drawn; a name is no program.
    await expect.poll(() => item('line').getAttribute('aria-setsize')).toBe('5003')
    expect(await page.getByRole('treeitem').count()).toBeLessThan(100)
    await item(HOSTILE).waitFor()
    await item('line').click()
    await page.keyboard.press('End')
    await expect.poll(() => item('m4999').count()).toBe(1)
    await expect.poll(() => isFocused(item('m4999'))).toBe(true)
    await page.keyboard.press('Home')
    await expect.poll(() => isFocused(page.getByRole('treeitem').first())).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.type('m4998')
    await page.getByText('1 object found', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('treeitem').first().waitFor()
    await page.keyboard.type('entry')
    await page.getByText('2 objects found', { exact: true }).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.locator('canvas').waitFor()
    await expect.poll(() => queryOf(page).path).toBe('/entry/temperature')
    expect(await page.locator('img').count()).toBe(0)
  })
})
