// Groups in Chromium: the first look at a domain beside its members, the variables of netCDF, and groups that are
// tables.

import { beforeAll, describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import { clientOfUser, newDataset, newDomain, plotText, queryOf, ramp, viewAddress } from './ui.ts'

beforeAll(clientOfUser)

describe.skipIf(hasNoBrowser)('a group', () => {
  test('that is the root has the dataset of the thumbnail drawn, and others by a click', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/deep/Bild 最終', { shape: [20, 30] }, ramp(600))
    await newDataset(domain, '/line', { shape: [4] }, new Uint8Array(Float64Array.of(3, 1, 4, 1).buffer))
    const page = await openPage()
    await page.goto(viewAddress(domain, {}))
    const look = page.getByRole('region', { name: 'First look' })
    await look.getByText('Each point is an element.').waitFor()
    expect(await plotText(page)).toContain('599')
    // The list is there too.
    await page.getByRole('table', { name: 'Members' }).getByRole('button', { name: 'deep' }).waitFor()
    await look.getByRole('button', { name: 'Another (1 of 2)' }).click()
    await look.getByText('The line goes through all elements').waitFor()
    await look.getByRole('button', { name: 'Another (2 of 2)' }).click()
    await look.getByRole('button', { name: '/deep/Bild 最終' }).click()
    await expect.poll(() => queryOf(page)).toEqual({ path: '/deep/Bild 最終' })
    await expect.poll(() => look.count()).toBe(0)
  })
})
