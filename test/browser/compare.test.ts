// Comparing in Chromium: curves of other datasets and of another file in a drawing of lines.

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
