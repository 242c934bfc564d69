// Groups in Chromium: the first look at a domain beside its members, the variables of netCDF, and groups that are
// tables.

import { beforeAll, describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  clientOfUser,
  newDataset,
  newDomain,
  plotText,
  putAttribute,
  queryOf,
  ramp,
  STRING,
  viewAddress,
} from './ui.ts'

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

  test('lists variables with the names of their dimensions and their units, in one request', async () => {
    const domain = await newDomain()
    const scale = await newDataset(domain, '/緯度', { shape: [3] }, ramp(3))
    const text = (value: string) => ({ type: STRING, value })
    await putAttribute(domain, scale, 'CLASS', text('DIMENSION_SCALE'))
    const field = await newDataset(domain, '/t', { shape: [3, 2] }, ramp(6))
    await putAttribute(domain, field, 'DIMENSION_LIST', {
      type: { class: 'H5T_VLEN', base: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' } },
      shape: [2],
      value: [[`datasets/${scale}`], []],
    })
    await putAttribute(domain, field, 'units', text('K'))
    await putAttribute(domain, field, 'long_name', text('Temperature <b>'))
    const page = await openPage()
    const found: string[] = []
    page.on('request', request => {
      if (/\/(datasets|groups)\/[^/]*\/attributes/.test(request.url())) found.push(request.url())
    })
    await page.goto(viewAddress(domain, {}))
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: 't Temperature' })
    await row.getByText('緯度 × 2').waitFor()
    expect(await row.locator('th, td').allTextContents()).toEqual([
      't',
      'Temperature <b>',
      'K',
      '緯度 × 2',
      'dataset',
      '3 × 2',
      'float64',
    ])
    expect(found.filter(url => url.includes(field))).toEqual([])
  })
})
