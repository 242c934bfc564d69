// The plots of the viewer in Chromium: their requests, titles, numbers, zoom, and growing data.

import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { newDataset, newDomain, putAttribute, queryOf, ramp, STRING, viewAddress } from './ui.ts'

describe.skipIf(hasNoBrowser)('a plot', () => {
  test('zooms an image of squares at the pointer, and stays there', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/image', { shape: [100, 100] }, ramp(10_000))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/image', tab: 'image' }))
    await page.getByText('Each point is an element.').waitFor()
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.viewer canvas').boundingBox()) ?? {}
    const zoom = () => (queryOf(page).zoom ?? '').split(',').map(Number)
    // All of the image has the height of the canvas: a quarter above the middle is row 75.
    await page.mouse.move(x + width / 2, y + height / 4)
    for (let i = 1; i <= 12; i++) {
      await page.mouse.wheel(0, -100)
      // One step at a time, as a hand turns it: the canvas is drawn and the address follows.
      await expect
        .poll(() => {
          const [, , bottom = 0, top = 0] = zoom()
          return (top - bottom) / 100
        })
        .toBeCloseTo(0.95 ** i, 2)
      const [, , bottom = 0, top = 0] = zoom()
      expect(bottom + 0.75 * (top - bottom)).toBeCloseTo(75, 1)
    }
    // The address is that of the user, whatever the shape of the window.
    const before = queryOf(page).zoom
    await page.setViewportSize({ width: 900, height: 900 })
    const colleague = await openPage({ viewport: { width: 700, height: 900 } })
    await colleague.goto(page.url())
    await colleague.getByText('Each point is an element.').waitFor()
    await colleague.getByRole('button', { name: 'Reset zoom' }).waitFor()
    expect(queryOf(colleague).zoom).toBe(before)
    expect(queryOf(page).zoom).toBe(before)
  })

  test('has coloured points where a signal has two axes for its one dimension', async () => {
    const domain = await newDomain()
    const numbers = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer)
    await newDataset(domain, '/map/sx', { shape: [4] }, numbers(0, 1, 2, 3))
    await newDataset(domain, '/map/sy', { shape: [4] }, numbers(10, 30, 20, 40))
    const counts = await newDataset(domain, '/map/counts', { shape: [4] }, numbers(5, -1, 7, 8))
    const map = await domain.object('/map')
    const text = (value: string) => ({ type: STRING, value })
    await putAttribute(domain, map.id, 'NX_class', text('NXdata'))
    await putAttribute(domain, map.id, 'signal', text('counts'))
    await putAttribute(domain, map.id, 'axes', { type: STRING, shape: [2], value: ['sx', 'sy'] })
    await putAttribute(domain, counts, '_FillValue', { type: 'H5T_IEEE_F64LE', value: -1 })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/map' }))
    await page.getByRole('tab', { name: 'Scatter', selected: true }).waitFor()
    await page.getByText('All points are drawn but 1, of which a number is missing.').waitFor()
    await page.getByTitle('Min: 5').waitFor()
    await expect.poll(() => page.locator('.visx-axis-tick').allTextContents()).toContain('40')
    // The nearest point says its numbers; the greatest coordinates are at the right and at the top.
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.viewer canvas').boundingBox()) ?? {}
    await page.mouse.move(x + 0.97 * width, y + 0.03 * height)
    await page.getByText('sx = 3, sy = 40').waitFor()
    await page.getByText('counts = 8').waitFor()
    await page.getByRole('button', { name: 'Grid', pressed: true }).click()
    await expect.poll(() => queryOf(page).grid).toBe('0')
  })

  test('of times has dates on its axis and in the tip', async () => {
    const domain = await newDomain()
    const id = await newDataset(domain, '/time', { shape: [31] }, ramp(31))
    await putAttribute(domain, id, 'units', { type: STRING, value: 'days since 2000-01-01' })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/time', tab: 'line' }))
    const ticks = () => page.locator('[data-type="ordinate"] .visx-axis-tick').allTextContents()
    await expect.poll(ticks).toContain('2000-01-11')
    await page.locator('.viewer canvas').hover()
    await page.getByRole('strong').getByText('2000-01-16').waitFor()
  })
})
