// Drawings of unusual data in Chromium: images with bad pixels, pictures that come in parts, clouds of points,
// sequences of any length, and regions.

import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  holdUp,
  newDataset,
  newDomain,
  putAttribute,
  queryOf,
  REGIONS,
  ramp,
  SEQUENCES,
  STRING,
  viewAddress,
} from './ui.ts'

describe.skipIf(hasNoBrowser)('a drawing', () => {
  test('that comes in parts is stopped by a button, says so, and goes on by it', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/image', { shape: [100_000, 100_000] })
    const page = await openPage()
    const { release, released } = holdUp()
    let held = 0
    await page.route(/[?&]reduce=mean/, async route => {
      held++
      await released
      await route.continue().catch(() => undefined)
    })
    await page.goto(viewAddress(domain, { path: '/image' }))
    const note = page.locator('.plot-note')
    await note.getByRole('button', { name: 'Cancel' }).click()
    await note.getByText('Reading is stopped.').waitFor()
    expect(await note.textContent()).toContain('a sample is read so far')
    const before = held
    release()
    await note.getByRole('button', { name: 'Load all' }).click()
    await note.getByText(/^Each point is the mean of \d+ × \d+ elements\. The/).waitFor()
    expect(held).toBeGreaterThan(before)
    expect(await note.getByRole('button').count()).toBe(0)
  })

  test('of a detector leaves out masked and saturated pixels, and counts them', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/detector/data', { shape: [8, 8] }, ramp(64))
    const mask = Uint8Array.from({ length: 64 }, (_, i) => (i > 60 ? 1 : 0))
    await newDataset(domain, '/detector/pixel_mask', { type: 'H5T_STD_U8LE', shape: [8, 8] }, mask)
    await newDataset(domain, '/detector/saturation_value', { value: 60 })
    const { id } = await domain.object('/detector')
    await putAttribute(domain, id, 'NX_class', { type: STRING, value: 'NXdetector' })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/detector/data' }))
    await page.getByText('4 pixels that are masked or saturated are left out.').waitFor()
    await page.getByTitle('Max: 59').waitFor()
    // Also of an image beside it: both have one range.
    await page.goto(viewAddress(domain, { path: '/detector/data', beside: '["/detector/data"]' }))
    await expect.poll(() => page.locator('.plot-image .plot canvas').count()).toBe(2)
    await page.getByTitle('Max: 59').waitFor()
  })

  test('of many points is their density, or the points', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/points', { shape: [100_001, 2] }, ramp(200_002))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/points', tab: 'scatter' }))
    await page.getByText('All points are counted. The colours say').waitFor()
    await page.getByLabel('Drawn as').selectOption('Points')
    await page.getByText('All points are drawn. The colours span').waitFor()
    expect(queryOf(page).curve).toBe('points')
  })

  test('of sequences has a line for each, from the chosen one on', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/sequences', { type: SEQUENCES, shape: [3], value: [[1, 5, 2], [4, 3], []] })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/sequences' }))
    await page.getByText('Sequences 0 to 2 of 3, of 0 to 3 numbers.').waitFor()
    await page.keyboard.press('.')
    await page.getByText('Sequences 1 to 2 of 3, of 0 to 2 numbers.').waitFor()
  })

  test('of regions shows their dataset, at the chosen one', async () => {
    const domain = await newDomain()
    const image = await newDataset(domain, '/image', { shape: [4, 20, 20] }, ramp(1600))
    const box = {
      id: image,
      select_type: 'H5S_SEL_HYPERSLABS',
      selection: [
        [
          [0, 1, 2],
          [0, 3, 4],
        ],
      ],
    }
    const point = { id: image, select_type: 'H5S_SEL_POINTS', selection: [[3, 5, 6]] }
    await newDataset(domain, '/regions', { type: REGIONS, shape: [3], value: [null, box, point] })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/regions' }))
    await page.getByRole('region', { name: '/image' }).getByText('Each point is an element.').waitFor()
    await page.getByRole('button', { name: '2 3, 5, 6' }).click()
    await page.getByTitle('Max: 1599').waitFor()
    expect(queryOf(page).region).toBe('2')
    await page.getByRole('button', { name: '/image' }).click()
    await page.getByRole('tab', { name: 'Image' }).waitFor()
    expect(queryOf(page).path).toBe('/image')
  })
})
