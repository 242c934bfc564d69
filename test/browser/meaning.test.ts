// The meaning of the numbers of a file, on the page: a climate file as netCDF programs write it, information on
// objects, and tables of compounds with a million rows (docs/decisions/089).

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Domain, Hyperslab } from '../../packages/client/index.ts'
import { basic, USER1 } from '../wire/client.ts'
import { makeHome, newPath, removeDomain } from '../wire/hsds/domain.ts'
import { hasNoBrowser, openPage } from './browser.ts'

let client: Hyperslab
beforeAll(async () => {
  await makeHome()
  client = new Hyperslab(inject('address'), { authorization: basic(USER1) })
})

async function newDomain(): Promise<Domain> {
  const domain = client.domain(newPath())
  await domain.create()
  onTestFinished(() => removeDomain(domain.path))
  const acl = { body: { read: true } }
  await client.request('PUT /acls/{user}', { user: 'default', domain: domain.path }, acl)
  return domain
}

interface NewDataset {
  readonly type: unknown
  readonly shape: readonly number[]
  readonly data?: Uint8Array | readonly unknown[]
  readonly properties?: unknown
  /** Their types, shapes and values by their names, as in a request. */
  readonly attributes?: Readonly<Record<string, { type: unknown; shape?: unknown; value: unknown }>>
}

async function put(domain: Domain, name: string, dataset: NewDataset): Promise<string> {
  const { type, shape, data, properties, attributes = {} } = dataset
  const creation = properties === undefined ? {} : { creationProperties: properties }
  const body = { h5path: `/${name}`, type, shape, ...creation } as never
  const created = await client.request('POST /datasets', { domain: domain.path }, { body })
  if (!('id' in created)) throw new Error('one dataset has an id')
  const { id } = created
  if (data !== undefined) await domain.write(id, data as never)
  if (Object.keys(attributes).length > 0) {
    const target = { id, domain: domain.path }
    await client.request('PUT /datasets/{id}/attributes', target, { body: { attributes } as never })
  }
  return id
}

const TEXT = { class: 'H5T_STRING', length: 'H5T_VARIABLE', charSet: 'H5T_CSET_UTF8' }
const REFERENCES = { class: 'H5T_VLEN', base: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' } }
const text = (value: string) => ({ type: TEXT, value })
const double = (value: number) => ({ type: 'H5T_IEEE_F64LE', value })
const scales = (...ids: readonly string[]) => ({
  type: REFERENCES,
  shape: [ids.length],
  value: ids.map(id => [`datasets/${id}`]),
})

/** Temperatures at 2 times, 2 levels, 3 latitudes and 4 longitudes, packed in 16 bits. */
async function newClimate(): Promise<Domain> {
  const domain = await newDomain()
  const CLASS = text('DIMENSION_SCALE')
  const time = await put(domain, 'time', {
    type: 'H5T_IEEE_F64LE',
    shape: [2],
    data: [54_765, 54_795.5],
    attributes: { CLASS, units: text('days since 1850-01-01'), calendar: text('noleap') },
  })
  const level = await put(domain, 'level', {
    type: 'H5T_STD_I32LE',
    shape: [2],
    data: [1000, 850],
    attributes: { CLASS, units: text('hPa'), positive: text('down'), long_name: text('Pressure') },
  })
  const lat = await put(domain, 'lat', {
    type: 'H5T_IEEE_F32LE',
    shape: [3],
    data: [60, 0, -30.1],
    attributes: { CLASS, units: text('degrees_north') },
  })
  const lon = await put(domain, 'lon', {
    type: 'H5T_IEEE_F32LE',
    shape: [4],
    data: [0, 90, 180, 270],
    attributes: { CLASS, units: text('degrees_east') },
  })
  await put(domain, 't2m', {
    type: 'H5T_STD_I16LE',
    shape: [2, 2, 3, 4],
    data: new Uint8Array(Int16Array.from({ length: 48 }, (_, i) => (i === 0 ? -32_767 : i)).buffer),
    properties: { layout: { class: 'H5D_CHUNKED', dims: [2, 2, 3, 4] }, filters: ['shuffle', 'gzip'] },
    attributes: {
      DIMENSION_LIST: scales(time, level, lat, lon),
      scale_factor: double(0.01),
      add_offset: double(273.15),
      _FillValue: { type: 'H5T_STD_I16LE', value: -32_767 },
      units: text('K'),
      long_name: text('Air temperature'),
      history: text('x'.repeat(10_000)),
    },
  })
  return domain
}

/** A swath of 6 lines of 5 elements, over the antimeridian. */
async function newSwath(): Promise<Domain> {
  const domain = await newDomain()
  const shape = [6, 5]
  const places = (at: (line: number, element: number) => number) =>
    Array.from({ length: 6 }, (_, line) => Array.from({ length: 5 }, (_, element) => at(line, element)))
  const put2 = (name: string, data: readonly unknown[], attributes: NewDataset['attributes']) =>
    put(domain, name, { type: 'H5T_IEEE_F64LE', shape, data, ...(attributes && { attributes }) })
  const longitudes = places((line, element) => {
    const longitude = 170 + 5 * element + line
    return longitude > 180 ? longitude - 360 : longitude
  })
  await put2('longitude', longitudes, { units: text('degrees_east') })
  await put2(
    'latitude',
    places((line, element) => 10 * line - element),
    { units: text('degrees_north') },
  )
  await put2(
    'no2',
    places((line, element) => 10 * line + element),
    { coordinates: text('longitude latitude') },
  )
  return domain
}

async function show(domain: Domain, path: string, tab: string): Promise<Page> {
  const page = await openPage()
  const query = new URLSearchParams({ domain: domain.path, path, tab })
  await page.goto(`${inject('address')}/ui?${query}`)
  return page
}

/** The strings of the cells of a table, row by row, with its heads. */
function cells(page: Page, label: string): Promise<string[][]> {
  return page
    .getByLabel(label, { exact: true })
    .locator('tr')
    .evaluateAll(rows =>
      rows.map(row => Array.from(row.querySelectorAll('th, td'), cell => cell.textContent?.trim() ?? '')),
    )
}

describe.skipIf(hasNoBrowser)('the meaning of numbers', () => {
  test('of a climate file: dates, pressures, unpacked values and missing ones', async () => {
    const domain = await newClimate()
    const page = await show(domain, '/t2m', 'matrix')
    const table = () => cells(page, 'Elements of /t2m')
    await expect.poll(async () => (await table())[1]).toEqual(['60°N', '—', '273.16', '273.17', '273.18'])
    expect(await table()).toEqual([
      ['', '0°', '90°E', '180°E', '270°E'],
      ['60°N', '—', '273.16', '273.17', '273.18'],
      ['0°', '273.19', '273.2', '273.21', '273.22'],
      ['30.1°S', '273.23', '273.24', '273.25', '273.26'],
    ])
    const time = page.getByRole('slider', { name: 'time', exact: true })
    await expect.poll(() => time.getAttribute('aria-valuetext')).toBe('2000-01-16')
    await time.press('ArrowRight')
    await expect.poll(() => time.getAttribute('aria-valuetext')).toBe('2000-02-15 12:00')
    const level = page.getByRole('slider', { name: 'level', exact: true })
    await level.press('ArrowRight')
    await expect.poll(() => level.getAttribute('aria-valuetext')).toBe('850 hPa')
    await expect.poll(async () => (await table())[1]?.[1]).toBe('273.51')
    await page.getByRole('tab', { name: 'Inspect' }).click()
    await page.getByText('(time: 2, level: 2, lat: 3, lon: 4)').waitFor()
    await page.getByRole('row', { name: 'Filters' }).getByText('shuffle, gzip').waitFor()
    // A long text has its lines within the window, and ids of objects are not for people.
    const long = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'history' }) })
    const right = await long.evaluate(element => element.getBoundingClientRect().right)
    expect(right).toBeLessThanOrEqual(1280)
    expect(await page.locator('body').textContent()).not.toMatch(/\b[gdt]-[0-9a-f]{8}/)
    await page.getByLabel('Attributes', { exact: true }).getByRole('button', { name: '/level' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe('/level')
  })
})

const ROWS = 1_000_000
const ROW_BYTES = 24
const COMPOUND = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'id', type: 'H5T_STD_I64LE' },
    {
      name: 'pos',
      type: {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'x', type: 'H5T_IEEE_F32LE' },
          { name: 'pair', type: { class: 'H5T_ARRAY', base: 'H5T_STD_I16LE', dims: [2] } },
        ],
      },
    },
    { name: 'n', type: 'H5T_STD_I32LE' },
    { name: 'station', type: { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_ASCII' } },
  ],
}

/** Rows with the greatest ids there are; `n` is 7 i modulo the number of rows. */
function tableBytes(): Uint8Array {
  const bytes = new Uint8Array(ROWS * ROW_BYTES)
  const view = new DataView(bytes.buffer)
  const stations = ['N1', 'S2'].map(name => new TextEncoder().encode(name))
  for (let i = 0; i < ROWS; i++) {
    const at = i * ROW_BYTES
    view.setBigInt64(at, 9_223_372_036_854_775_807n - BigInt(i), true)
    view.setFloat32(at + 8, i / 8, true)
    view.setInt16(at + 12, i % 100, true)
    view.setInt16(at + 14, -(i % 100), true)
    view.setInt32(at + 16, (i * 7) % ROWS, true)
    bytes.set(stations[i % 2] ?? [], at + 20)
  }
  return bytes
}

describe.skipIf(hasNoBrowser)('a table of a million rows', () => {
  test('has nested columns, is sorted, filtered, drawn and saved', async () => {
    const domain = await newDomain()
    const id = await put(domain, 'events', { type: COMPOUND, shape: [ROWS], data: tableBytes() })
    const page = await show(domain, '/events', 'table')
    const table = () => cells(page, 'Rows of /events')
    const firstRow = async () => (await table())[1]
    const status = page.getByRole('status')
    const first = ['0', '9223372036854775807', '0', '0', '0', '0']
    await expect.poll(async () => (await firstRow())?.slice(0, 6)).toEqual(first)
    expect((await table())[0]?.slice(1, 6)).toEqual([
      'idint64',
      'pos.xfloat32',
      'pos.pair[0]int16',
      'pos.pair[1]int16',
      'nint32',
    ])

    await page.getByLabel('Go to row').fill('999999')
    await expect
      .poll(async () => (await table()).at(-1)?.slice(0, 3))
      .toEqual(['999,999', '9223372036853775808', '124999.875'])

    await page.getByRole('button', { name: /^n/ }).click()
    await status.getByText('1,000,000 rows, sorted by n, least first.').waitFor()
    await page.getByRole('button', { name: /^n/ }).click()
    await status.getByText('sorted by n, greatest first.').waitFor()
    await page.getByLabel('Go to row').fill('0')
    // 7 * 857,143 is 1 more than six times the rows, and 7 * 142,857 one less than once.
    await expect.poll(async () => (await firstRow())?.[0]).toBe('142,857')

    await page.getByLabel('Column', { exact: true }).selectOption('station')
    await page.getByLabel('Value').fill('S2')
    await page.getByRole('button', { name: 'Add' }).click()
    await status.getByText('500,000 rows of 1,000,000').waitFor()
    await page.getByLabel('Rows for which').fill("station == 'S2' AND n < 15")
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await status.getByText('7 rows of 1,000,000').waitFor()
    const found = async () => (await table()).slice(1).map(row => row[5])
    await expect.poll(found).toEqual(['13', '11', '9', '7', '5', '3', '1'])

    const saved = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const csv = await (await fetch(new URL(saved ?? '', inject('address')))).text()
    expect(csv.split('\r\n')[0]).toBe('coordinate 0,id,pos.x,pos.pair[0],pos.pair[1],n,station')
    expect(csv.trim().split('\r\n')).toHaveLength(8)

    await page.getByRole('button', { name: 'Plot columns' }).click()
    await page.getByLabel('Column for y').selectOption('n')
    await page.getByLabel('n against id').locator('canvas').waitFor()

    await page.getByLabel('Rows for which').fill('n <')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('alert').getByText('query=n <').waitFor()
    // The address carries all of it, and leads a new page there.
    const copy = await openPage()
    await copy.goto(page.url())
    await copy.getByLabel('Rows for which').waitFor()
    expect(await copy.getByLabel('Rows for which').inputValue()).toBe('n <')
    expect(await page.locator('body').textContent()).not.toContain(id)
  })
})

describe.skipIf(hasNoBrowser)('maps', () => {
  const drawn = (page: Page) => page.locator('figure.plot figcaption')

  test('of latitudes and longitudes are shown first, with the place and the number at the pointer', async () => {
    const page = await show(await newClimate(), '/t2m', '')
    await page.getByRole('tab', { name: 'Map', selected: true }).waitFor()
    await expect.poll(() => drawn(page).textContent()).toContain('x from 180° to 180°')
    const box = await page.locator('figure.plot .plot-surface').boundingBox()
    if (!box) throw new Error('the map has no place')
    // At Greenwich and some 20° N the nearest element is that at 0° N and 0° E: the number 4.
    await page.mouse.move(box.x + box.width / 2 + 4, box.y + box.height / 2 - 4)
    await expect.poll(() => page.locator('.plot-tip').textContent()).toMatch(/°N, .*°E273\.19/)
  })

  test('of a swath are where its coordinates say, and around a pole as the address says', async () => {
    const page = await show(await newSwath(), '/no2', 'map')
    // From 170° E to 165° W it is 25 degrees.
    await expect.poll(() => drawn(page).textContent()).toMatch(/x from 16\d.*°E to 16\d.*°W/)
    await page.getByRole('combobox', { name: 'Map' }).selectOption('north')
    await expect.poll(() => new URL(page.url()).searchParams.get('projection')).toBe('north')
    await page.locator('figure.plot canvas').waitFor()
  })
})
