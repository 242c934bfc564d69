// Comparing in Chromium: curves and images of other datasets and of another file, and another axis.

import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { axesAreDrawn, newDataset, newDomain, plotText, queryOf, ramp, viewAddress } from './ui.ts'

describe.skipIf(hasNoBrowser)('comparing', () => {
  test('a curve of this file and one of another file are added, kept in the address, and removed', async () => {
    const [domain, other] = [await newDomain(), await newDomain()]
    await newDataset(domain, '/first', { shape: [11] }, ramp(11))
    await newDataset(domain, '/second', { shape: [21] }, ramp(21))
    await newDataset(other, '/first', { shape: [41] }, ramp(41))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/first' }))
    await axesAreDrawn(page)
    await page.getByRole('button', { name: 'Add curve', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Add curve' })
    const offered = () => form.locator('datalist').first().locator('option').allTextContents()
    await expect.poll(offered).toEqual(['/first', '/second'])
    await form.getByLabel('Dataset').fill('/second')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => queryOf(page).with).toBe('[["/second"]]')
    await expect.poll(() => plotText(page)).toMatch(/x from -0\.2 to 20\.2\..* from 0 to 20\./)
    // A choice ends it.
    await form.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add curve', exact: true }).click()
    await form.getByLabel('File').fill(other.path)
    await form.getByLabel('Dataset').fill('/first')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => plotText(page)).toMatch(/x from -0\.4 to 40\.4\..* from 0 to 40\./)
    await page.reload()
    const name = `${other.path} /first`
    await expect.poll(() => plotText(page)).toContain(`Numbers of first, /second, ${name} from 0 to 40.`)
    await page.getByRole('button', { name: 'Add curve', exact: true }).click()
    await form.getByRole('button', { name: `Remove ${name}`, exact: true }).click()
    await expect.poll(() => queryOf(page).with).toBe('[["/second"]]')
    await expect.poll(() => plotText(page)).toMatch(/x from -0\.2 to 20\.2\..* from 0 to 20\./)
  })

  test('a dataset that is not there is said below the drawing', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/first', { shape: [11] }, ramp(11))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/first', with: '[["/gone"]]' }))
    await axesAreDrawn(page)
    await expect.poll(() => page.locator('.plot-note').textContent()).toContain('/gone is not drawn')
  })
})

describe.skipIf(hasNoBrowser)('comparing images', () => {
  test('two of them have one range, slice and zoom, a difference, and blink', async () => {
    const [domain, other] = [await newDomain(), await newDomain()]
    await newDataset(domain, '/image', { shape: [2, 10, 20] }, ramp(400))
    const half = new Uint8Array(Float64Array.from({ length: 400 }, (_, i) => i / 2).buffer)
    await newDataset(other, '/half', { shape: [2, 10, 20] }, half)
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/image', tab: 'image' }))
    await axesAreDrawn(page)
    await page.getByRole('button', { name: 'Beside', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Beside' })
    await form.getByLabel('File').fill(other.path)
    await form.getByLabel('Dataset').fill('/half')
    await form.getByRole('button', { name: 'Add' }).click()
    const name = `${other.path} /half`
    const texts = () => page.locator('.plot figcaption').allTextContents()
    const values = 'Colours: image from 0 to 199.'
    const both = [expect.stringContaining(values), expect.stringContaining('from 0 to 199.')]
    await expect.poll(texts).toEqual(both)
    await expect.poll(() => page.locator('.plot-image > p').allTextContents()).toEqual(['/image', name])
    expect(queryOf(page).beside).toBe(JSON.stringify(['/half', other.path]))
    await form.waitFor({ state: 'detached' })
    expect(await page.locator('.plot-note').textContent()).toContain(
      'The colours span 0 to 199 in both images.',
    )
    // The next frame of both.
    await page.locator('.viewer').click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('.')
    await expect
      .poll(texts)
      .toEqual([expect.stringContaining('from 100 to 399.'), expect.stringContaining('from 100 to 399.')])
    // A figure is as wide as both, and their bar.
    await page.getByRole('button', { name: 'Figure', exact: true }).click()
    const figure = page.getByRole('dialog', { name: 'Figure' })
    const widthOf = (one: Element) => (one as HTMLCanvasElement).width
    const drawn = await page
      .locator('.plot canvas')
      .evaluateAll(all => all.reduce((sum, one) => sum + one.getBoundingClientRect().width, 0))
    expect(await figure.locator('canvas').evaluate(widthOf)).toBeGreaterThan(2 * drawn)
    await page.keyboard.press('Escape')
    await page.getByLabel('Two images').selectOption('Difference')
    await expect.poll(texts).toEqual([expect.stringContaining('Colours: image − half from -199.5 to 199.5.')])
    await page.reload()
    const note = () => page.locator('.plot-note').textContent()
    await expect.poll(note).toContain(`the difference of the points that are drawn: /image − ${name}.`)
    await page.locator('body').press('b')
    await expect.poll(note).toContain('Shown: /image.')
    await page.locator('body').press('b')
    await expect.poll(note).toContain(`Shown: ${name}.`)
    await page.getByRole('button', { name: 'Beside', exact: true }).click()
    await form.getByRole('button', { name: `Remove ${name}` }).click()
    await expect.poll(() => queryOf(page)).toEqual({ path: '/image', tab: 'image', slice: '1,y,x' })
  })
})

describe.skipIf(hasNoBrowser)('the axis of a line', () => {
  test('is a dataset of equal length that the user chooses, until that of the file is wanted again', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/counts', { shape: [11] }, ramp(11))
    const energies = new Uint8Array(Float64Array.from({ length: 11 }, (_, i) => 700 + 2 * i).buffer)
    await newDataset(domain, '/energy', { shape: [11] }, energies)
    await newDataset(domain, '/short', { shape: [5] }, ramp(5))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/counts', axis: '/short' }))
    await axesAreDrawn(page)
    const note = () => page.locator('.plot-note').textContent()
    await expect.poll(note).toContain('/short is not the axis: The axis short has 5 values')
    await page.getByRole('button', { name: 'X axis', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'X axis' })
    await expect.poll(() => form.locator('option').allTextContents()).toEqual(['/energy'])
    await form.getByRole('combobox').fill('energy')
    await form.getByRole('button', { name: 'Use' }).click()
    await expect.poll(() => queryOf(page).axis).toBe('/energy')
    await expect.poll(() => plotText(page)).toContain('x: energy from 699.8 to 720.2.')
    await form.getByRole('button', { name: 'As the file says' }).click()
    await expect.poll(() => plotText(page)).toContain('x from -0.1 to 10.1.')
    expect(queryOf(page).axis).toBeUndefined()
  })
})
