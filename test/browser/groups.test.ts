// Groups in Chromium: the first look at a domain beside its members, the variables of netCDF, and groups that are
// tables.

import { beforeAll, describe, expect, test } from 'vitest'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  clientOfUser,
  newDataset,
  newDomain,
  placeOfPoints,
  plotText,
  putAttribute,
  queryOf,
  REGIONS,
  ramp,
  regionOf,
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

  test('of columns is a table that sorts, draws columns against each other, and saves CSV', async () => {
    const domain = await newDomain()
    const count = 1000
    const numbers = (value: (row: number) => number, length = count) =>
      new Uint8Array(Float64Array.from({ length }, (_, row) => value(row)).buffer)
    await newDataset(domain, '/trials/id', { shape: [count] }, ramp(count))
    const start = await newDataset(
      domain,
      '/trials/開始',
      { shape: [count] },
      numbers(row => (row * 7) % count),
    )
    await putAttribute(domain, start, 'description', { type: STRING, value: 'when it began' })
    await newDataset(domain, '/trials/spikes', { shape: [2 * count] }, ramp(2 * count))
    await newDataset(
      domain,
      '/trials/spikes_index',
      { shape: [count] },
      numbers(row => 2 * (row + 1)),
    )
    await newDataset(domain, '/trials/short', { shape: [5] }, ramp(5))
    const group = (await domain.object('/trials')).id
    const names = ['開始', 'spikes', 'short', 'gone']
    await putAttribute(domain, group, 'colnames', { type: STRING, shape: [names.length], value: names })
    await putAttribute(domain, group, 'neurodata_type', { type: STRING, value: 'TimeIntervals' })
    const page = await openPage()
    const reads: string[] = []
    page.on('request', request => {
      if (/\/values?\?/.test(request.url())) reads.push(request.url())
    })
    await page.goto(viewAddress(domain, { path: '/trials' }))
    const grid = page.getByRole('grid')
    const firstRow = () => grid.locator('tbody tr').first().locator('td').allTextContents()
    await expect.poll(firstRow).toEqual(['0', '0', '2'])
    // The columns in sight are one request.
    expect(reads).toHaveLength(1)
    await page.getByText('Left out: short (5 rows), gone (not there).').waitFor()
    await page.getByTitle('開始: when it began').click()
    await page.getByTitle('開始: when it began').click()
    await expect.poll(firstRow).toEqual(['857', '999', '2'])
    await page.getByLabel('Go to row').fill('999')
    await expect
      .poll(() => grid.locator('tbody tr').last().locator('td').allTextContents())
      .toEqual(['0', '0', '2'])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('trials.csv')
    const chunks: Uint8Array[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk)
    const lines = Buffer.concat(chunks).toString().split('\r\n')
    // The order is that of the page: the greatest first.
    expect([lines.length, ...lines.slice(0, 3)]).toEqual([
      count + 2,
      'id,開始,spikes (count)',
      '857,999,2',
      '714,998,2',
    ])
    await page.getByLabel('Rows for which').fill('id >= 997 AND 開始 < 990')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('2 rows of 1,000, sorted by 開始, greatest first.').waitFor()
    await page.getByRole('button', { name: 'All rows' }).click()
    await page.getByRole('button', { name: 'Plot columns' }).click()
    await page.getByText('All rows are drawn.').waitFor()
  })
})

describe.skipIf(hasNoBrowser)('a domain', () => {
  test('has in a narrow window the name of the domain, the regions above their picture, and shapes', async () => {
    const domain = await newDomain()
    const image = await newDataset(domain, '/image', { shape: [40, 50] }, ramp(2000))
    await newDataset(domain, '/regions', { type: REGIONS, shape: [1], value: [regionOf(image, 3)] })
    await putAttribute(domain, image, 'units', { type: STRING, value: 'counts' })
    const page = await openPage({ viewport: { width: 800, height: 800 } })
    await page.goto(viewAddress(domain, { path: '/regions' }))
    await page.getByText('Each point is an element.').waitFor()
    const name = page.locator('header strong.crumb')
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => clientWidth / scrollWidth)).toBeGreaterThan(
      0.9,
    )
    const list = await page.getByRole('navigation', { name: 'Regions' }).boundingBox()
    expect((await placeOfPoints(page)).y).toBeGreaterThan((list?.y ?? 0) + (list?.height ?? 0))
    await page.setViewportSize({ width: 390, height: 780 })
    await page.goto(viewAddress(domain, {}))
    await page.getByRole('table', { name: 'Members' }).getByText('40 × 50').waitFor()
    await page.getByText('Each point is').waitFor()
    expect((await placeOfPoints(page)).height).toBeGreaterThan(100)
  })

  test('has the name of a bar of colours behind its numbers, however long they are', async () => {
    const domain = await newDomain()
    const values = Float64Array.from({ length: 100 }, (_, i) => -0.264 - i * 1e-5)
    await newDataset(domain, '/image', { shape: [10, 10] }, new Uint8Array(values.buffer))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/image' }))
    await page.getByText('Each point is an element.').waitFor()
    const right = () =>
      page
        .locator('.colour-tick')
        .evaluateAll(ticks => Math.max(...ticks.map(tick => tick.getBoundingClientRect().right)))
    const label = await page.locator('.colour-bar figcaption').boundingBox()
    expect(await right()).toBeLessThanOrEqual(label?.x ?? 0)
  })
})
