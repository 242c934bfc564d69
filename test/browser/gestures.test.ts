// Gestures on a drawing in Chromium: what the mouse and two fingers do with it, and the text at the pointer.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { axesAreDrawn, newDataset, newDomain, placeOfPoints, queryOf, ramp, viewAddress } from './ui.ts'

/** Places in a drawing, as parts of it from the left and from the top. */
type Part = readonly [across: number, down: number]

async function pixelOf(page: Page, [across, down]: Part): Promise<[number, number]> {
  const { x, y, width, height } = await placeOfPoints(page)
  return [x + across * width, y + down * height]
}

/** Drags with keys held; `during` comes before the button is released. */
async function drag(
  page: Page,
  [from, to]: readonly [Part, Part],
  keys: readonly string[] = [],
  during = async () => {},
): Promise<void> {
  for (const key of keys) await page.keyboard.down(key)
  await page.mouse.move(...(await pixelOf(page, from)))
  await page.mouse.down()
  await page.mouse.move(...(await pixelOf(page, to)), { steps: 4 })
  await during()
  await page.mouse.up()
  for (const key of keys) await page.keyboard.up(key)
}

const ends = (page: Page) => (queryOf(page).zoom ?? '').split(',').filter(Boolean).map(Number)
const near = (...numbers: readonly number[]) => numbers.map(number => expect.closeTo(number, -0.5))

async function openLine(hasTouch = false): Promise<Page> {
  const domain = await newDomain()
  await newDataset(domain, '/line', { shape: [201] }, ramp(201))
  const page = await openPage({ hasTouch })
  await page.goto(viewAddress(domain, { path: '/line' }))
  await axesAreDrawn(page)
  return page
}

describe.skipIf(hasNoBrowser)('gestures on a drawing', () => {
  test('zoom to a part, move it, and leave it by a button', async () => {
    const page = await openLine()
    // The axes span 0 to 200 and a little more: a hundredth of x, a twentieth of y.
    await drag(
      page,
      [
        [0.25, 0.25],
        [0.75, 0.75],
      ],
      ['Control'],
    )
    await expect.poll(() => ends(page)).toEqual(near(49, 151, 45, 155))
    // The view lies to the right of what the pointer takes to the left.
    await drag(page, [
      [0.75, 0.5],
      [0.25, 0.5],
    ])
    await expect.poll(() => ends(page)).toEqual(near(100, 202, 45, 155))
    // There is no more to the right.
    await drag(page, [
      [0.75, 0.5],
      [0.25, 0.5],
    ])
    await page.getByRole('button', { name: 'Reset zoom' }).click()
    await expect.poll(() => ends(page)).toEqual([])
    await expect.poll(() => page.getByRole('button', { name: 'Reset zoom' }).count()).toBe(0)
  })

  test('zoom one axis with keys, and give a part up with Escape', async () => {
    const page = await openLine()
    await drag(
      page,
      [
        [0.25, 0.5],
        [0.75, 0.6],
      ],
      ['Control', 'Alt'],
    )
    await expect.poll(() => ends(page)).toEqual(near(49, 151))
    await drag(
      page,
      [
        [0.4, 0.25],
        [0.5, 0.75],
      ],
      ['Control', 'Shift'],
    )
    await expect.poll(() => ends(page)).toEqual(near(49, 151, 45, 155))
    await drag(
      page,
      [
        [0.25, 0.25],
        [0.75, 0.75],
      ],
      ['Control'],
      async () => {
        await page.locator('.plot-selection').waitFor()
        await page.keyboard.press('Escape')
        await expect.poll(() => page.locator('.plot-selection').count()).toBe(0)
      },
    )
    const [left = 0, right = 0, bottom = 0, top = 0] = ends(page)
    expect([left, right, bottom, top]).toEqual(near(49, 151, 45, 155))
    const turn = async (key: string) => {
      await page.mouse.move(...(await pixelOf(page, [0.5, 0.5])))
      await page.keyboard.down(key)
      await page.mouse.wheel(0, -100)
      await page.keyboard.up(key)
    }
    await turn('Alt')
    await expect.poll(() => (ends(page)[1] ?? 0) - (ends(page)[0] ?? 0)).toBeCloseTo(0.95 * (right - left), 0)
    expect(ends(page).slice(2)).toEqual([bottom, top])
    await turn('Shift')
    await expect.poll(() => (ends(page)[3] ?? 0) - (ends(page)[2] ?? 0)).toBeCloseTo(0.95 * (top - bottom), 0)
  })

  test('tell what is at the pointer, and nothing while a button is held', async () => {
    const page = await openLine()
    const tip = page.locator('.plot-tip')
    await page.mouse.move(...(await pixelOf(page, [0.5, 0.3])))
    await expect.poll(() => tip.textContent()).toBe('D0 = 100100')
    await expect.poll(() => page.locator('.plot-guide').count()).toBe(1)
    await page.mouse.down()
    await expect.poll(() => tip.count()).toBe(0)
    await page.mouse.up()
    await expect.poll(() => tip.count()).toBe(1)
    await page.mouse.move(1, 1)
    await expect.poll(() => tip.count()).toBe(0)
  })

  test('of two fingers zoom, and a finger leaves the text of what it has touched', async () => {
    const page = await openLine(true)
    const { width } = await placeOfPoints(page)
    const [x, y] = await pixelOf(page, [0.5, 0.5])
    const browser = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: readonly number[]) => {
      const touchPoints = places.map((across, id) => ({ x: x + across * width, y, id }))
      return browser.send('Input.dispatchTouchEvent', { type, touchPoints })
    }
    await touch('touchStart', -0.1)
    await touch('touchStart', -0.1, 0.1)
    await touch('touchMove', -0.15, 0.15)
    await touch('touchMove', -0.2, 0.2)
    await touch('touchEnd')
    // Half of both axes.
    await expect.poll(() => ends(page)).toEqual(near(49, 151, 45, 155))
    await touch('touchStart', 0)
    await touch('touchEnd')
    await expect.poll(() => page.locator('.plot-tip').textContent()).toBe('D0 = 100100')
  })
})
