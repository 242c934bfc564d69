// Measuring on a drawing in Chromium: a profile and a box of an image, an interval of a line, by the pointer and by
// keys.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { axesAreDrawn, newDataset, newDomain, placeOfPoints, queryOf, ramp, viewAddress } from './ui.ts'

async function openNumbers(shape: readonly number[], view: Readonly<Record<string, string>> = {}) {
  const domain = await newDomain()
  await newDataset(domain, '/numbers', { shape }, ramp(shape.reduce((count, extent) => count * extent, 1)))
  const page = await openPage()
  await page.goto(viewAddress(domain, { path: '/numbers', ...view }))
  await axesAreDrawn(page)
  return page
}

/** Drags between two parts of the drawing, from the left and from the top. */
async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  const { x, y, width, height } = await placeOfPoints(page)
  await page.mouse.move(x + from[0] * width, y + from[1] * height)
  await page.mouse.down()
  await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 4 })
  await page.mouse.up()
}

const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function numbersOf(page: Page, name: string): Promise<Record<string, string>> {
  const rows = await panel(page, name)
    .getByRole('row')
    .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent ?? '')))
  return Object.fromEntries(rows)
}

async function put(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).fill(value)
  await page.keyboard.press('Enter')
}

describe.skipIf(hasNoBrowser)('measuring', () => {
  test('an image in colours has the numbers of each colour: in a box, along a line, and at the pointer', async () => {
    const page = await openNumbers([20, 30, 3], { tab: 'rgb', box: '0,0,2,1' })
    const rows = () => panel(page, 'Box').getByRole('row').allTextContents()
    // Two elements: 0, 1, 2 and 3, 4, 5.
    await expect.poll(rows).toEqual(expect.arrayContaining(['Numbers222', 'Sum357', 'Least012']))
    const { width, height } = await placeOfPoints(page)
    await page
      .locator('.plot-surface')
      .first()
      .hover({ position: { x: width / 2, y: height / 2 } })
    await expect.poll(() => page.locator('.plot-tip strong').textContent()).toMatch(/^\d+, \d+, \d+$/)
    await tool(page, 'Profile').click()
    await panel(page, 'Profile').getByText('All elements of the line').waitFor()
  })

  test('a box that is dragged has the sum, mean and more of all its elements', async () => {
    const page = await openNumbers([10, 10], { ratio: 'auto' })
    await tool(page, 'Box').click()
    // Before it is dragged it is in the middle.
    await expect.poll(() => queryOf(page).box).toBe('2.5,2.5,7.5,7.5')
    await expect.poll(() => numbersOf(page, 'Box')).toMatchObject({ Numbers: '25' })
    await drag(page, [0.2, 0.9], [0.4, 0.8])
    // Columns 2 and 3 of row 1: 12 and 13.
    await expect.poll(() => numbersOf(page, 'Box')).toMatchObject({ Numbers: '2', Sum: '25', Mean: '12.5' })
    expect(queryOf(page).zoom).toBeUndefined()
    await page.reload()
    const numbers = { Numbers: '2', 'Standard deviation': '0.5', Least: '12', Greatest: '13' }
    await expect.poll(() => numbersOf(page, 'Box')).toMatchObject(numbers)
    await page.keyboard.press('Escape')
    await expect.poll(() => queryOf(page).box).toBeUndefined()
    await expect.poll(() => panel(page, 'Box').count()).toBe(0)
  })

  test('the ends of a profile are typed: along an axis it has the elements', async () => {
    const page = await openNumbers([600, 400])
    await tool(page, 'Profile').click()
    await put(page, 'From y', '10.5')
    await put(page, 'To y', '10.5')
    await put(page, 'From x', '100')
    await put(page, 'To x', '199.5')
    await expect.poll(() => queryOf(page).profile).toBe('100,10.5,199.5,10.5')
    const text = () => panel(page, 'Profile').locator('figcaption').textContent()
    // Row 10 begins with 4,000.
    await expect.poll(text).toContain('Numbers from 4100 to 4199.')
    await put(page, 'To y', '300')
    await expect.poll(() => panel(page, 'Profile').getByRole('status').textContent()).toContain('oblique')
    await tool(page, 'Profile').click()
    await expect.poll(() => queryOf(page).profile).toBeUndefined()
  })

  test('an interval of a line has the integral too, and leaves with another tab', async () => {
    const page = await openNumbers([2, 101], { tab: 'line', slice: '0,x' })
    await tool(page, 'Interval').click()
    await put(page, 'From', '10')
    await put(page, 'To', '20')
    const numbers = { Numbers: '11', Sum: '165', Mean: '15', Integral: '150' }
    await expect.poll(() => numbersOf(page, 'Interval')).toMatchObject(numbers)
    await page.getByRole('tab', { name: 'Matrix' }).click()
    await expect.poll(() => queryOf(page).interval).toBeUndefined()
  })
})
