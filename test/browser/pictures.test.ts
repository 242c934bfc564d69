// Drawings of unusual data in Chromium: images with bad pixels, pictures that come in parts, clouds of points,
// sequences of any length, and regions.

import { describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { holdUp, newDataset, newDomain, viewAddress } from './ui.ts'

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
    expect(await note.textContent()).toContain('in 0 of')
    const before = held
    release()
    await note.getByRole('button', { name: 'Load all' }).click()
    await note.getByText(/^Each point is the mean of \d+ × \d+ elements\. The/).waitFor()
    expect(held).toBeGreaterThan(before)
    expect(await note.getByRole('button').count()).toBe(0)
  })
})
