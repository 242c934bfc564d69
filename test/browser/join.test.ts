// Mounted files that the page joins: the dialog and what it says of them, and the domain that they are read as.

import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { basic, Hyperslab } from '../../packages/client/index.ts'
import { newWorkingDirectory, runCommand, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage, takePicture } from './browser.ts'
import { account, button, choose, entry, isFocused, logIn, namesIn } from './ui.ts'

const LABELS = {
  shape: [2],
  type: { class: 'H5T_STRING', length: 'H5T_VARIABLE', charSet: 'H5T_CSET_UTF8', strPad: 'H5T_STR_NULLTERM' },
  value: ['time', 'x'],
}

const HOUR_AGO = Date.now() / 1000 - 3600

/** A service with a user whose home is /home/ann, and with the files of `addDay` mounted at /lab. */
async function serveDays() {
  const directory = await newWorkingDirectory()
  const days = join(directory, 'files', 'days')
  await mkdir(days, { recursive: true })
  await runCommand(directory, ['user', 'add', 'root', '--admin'], 'root\n')
  await runCommand(directory, ['user', 'add', 'ann'], 'ann\n')
  const server = await startServer(directory, ['--mount', `${join(directory, 'files')}=/lab`])
  onTestFinished(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true })
  })
  const client = new Hyperslab(server.address, { authorization: basic('root', 'root') })
  await client.request('PUT /', { domain: '/home' }, { body: { folder: true } })
  await client.request('PUT /', { domain: '/home/ann' }, { body: { folder: true, owner: 'ann' } })
  /** A file whose dataset `temp` has two elements of the dimension `time`; it appears whole. */
  const addDay = async (name: string, width = 3, numbers: Readonly<Record<string, number>> = {}) => {
    const domain = client.domain('/made.h5')
    await domain.create()
    const body = { h5path: '/temp', type: 'H5T_IEEE_F64LE', shape: [2, width] } as never
    const created = await client.request('POST /datasets', { domain: domain.path }, { body })
    if (!('id' in created)) throw new Error('one dataset has an id')
    const parameters = { id: created.id, name: 'DIMENSION_LABELS', domain: domain.path }
    await client.request('PUT /datasets/{id}/attributes/{name}', parameters, { body: LABELS as never })
    for (const [name, value] of Object.entries(numbers)) {
      const number = { shape: [1], type: 'H5T_IEEE_F64LE', value: [value] }
      await client.request(
        'PUT /datasets/{id}/attributes/{name}',
        { ...parameters, name },
        { body: number as never },
      )
    }
    const values = Array.from({ length: 2 * width }, (_, i) => i)
    await domain.write(created.id, new Uint8Array(Float64Array.from(values).buffer))
    const file = await domain.download()
    await writeFile(join(directory, name), new Uint8Array(await file.arrayBuffer()))
    // A new file that cannot be read might be written just now, and is left out.
    await utimes(join(directory, name), HOUR_AGO, HOUR_AGO)
    await rename(join(directory, name), join(days, name))
    await domain.delete()
  }
  for (const name of ['day_2.nc', 'day_10.nc', 'day_1.nc']) await addDay(name)
  return { client, days, addDay, address: server.address }
}

async function openDays(address: string): Promise<Page> {
  const page = await openPage()
  await page.goto(`${address}/ui?folder=/lab/days/`)
  await logIn(page, 'ann', 'ann')
  await account(page, 'ann').waitFor()
  return page
}

describe.skipIf(hasNoBrowser)('mounted files that are joined', () => {
  test('are reviewed while the user types, and saved as a domain that grows with its folder', async () => {
    const { days, addDay, address } = await serveDays()
    const page = await openDays(address)
    const dialog = page.getByRole('dialog', { name: 'Read many files as one' })
    const [sources, along, to] = ['Files: a path', 'Along', 'Saved as'].map(name => dialog.getByLabel(name))
    if (!sources || !along || !to) throw new Error('the dialog has three fields')
    const fault = (field: typeof sources) =>
      field.evaluate(
        element => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
      )
    await page.getByRole('button', { name: 'Join files' }).press('Enter')
    await dialog.getByText('3 files, from day_1.nc to day_10.nc: time has 6 elements.').waitFor()
    expect([await sources.inputValue(), await along.inputValue(), await to.inputValue()]).toEqual([
      '/lab/days/day_*.nc',
      'time',
      '/home/ann/day_all.nc',
    ])
    expect(await isFocused(sources)).toBe(true)
    await dialog.getByRole('row', { name: '/temp 6 × 3' }).waitFor()
    await takePicture(page, 'join')

    await along.fill('depth')
    await dialog.getByText('no dataset has the dimension depth').waitFor()
    await dialog.getByText('day_1.nc, day_2.nc, day_10.nc').waitFor()
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await along.fill('time')
    await sources.fill('days/*.nc')
    await expect.poll(() => fault(sources)).toMatch(/"days\/\*\.nc" must be a path/)
    expect(await sources.getAttribute('aria-invalid')).toBe('true')
    await sources.fill('/lab/days/day_*.nc')
    await dialog.getByText('time has 6 elements').waitFor()
    await expect.poll(() => fault(sources)).toBe('')
    await to.fill('/home/ann/none/all.nc')
    await expect.poll(() => fault(to)).toMatch(/no folder \/home\/ann\/none/)
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await to.fill('/top.nc')
    await expect.poll(() => fault(to)).toMatch(/only an administrator/)
    await to.fill('/home/ann/all.nc')
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(false)
    await to.press('Enter')

    await page.getByText('made of 3 files').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Read only' }).waitFor()
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Inspect' }).click()
    const facts = page.getByRole('table', { name: 'Joined files' })
    await facts.getByRole('row', { name: 'Sources /lab/days/day_*.nc' }).waitFor()
    await facts.getByRole('row', { name: 'Along time' }).waitFor()

    await page.getByRole('treeitem', { name: /^temp/ }).click()
    await page.getByRole('tab', { name: 'Matrix' }).click()
    await page.getByText('6 × 3, float64').waitFor()
    await page.locator('.live:not(.not-yet)').waitFor()
    await addDay('day_11.nc')
    await page.getByText('made of 4 files').waitFor()
    await page.getByText('8 × 3, float64').waitFor()
    await page.getByRole('rowheader', { name: '7', exact: true }).waitFor()

    // While a file differs the domain says so. It is whole again without it.
    await addDay('day_12.nc', 4)
    const alerts = page.getByRole('alert').filter({ hasText: 'day_12.nc' })
    await alerts.first().waitFor()
    await page.reload()
    await alerts.first().waitFor()
    await rm(join(days, 'day_12.nc'))
    await page.getByText('made of 4 files').waitFor()
    await page.getByRole('rowheader', { name: '7', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Read only' }).waitFor()
    await expect.poll(() => alerts.count()).toBe(0)

    // A file that goes keeps its place, and is named.
    await rm(join(days, 'day_2.nc'))
    const mark = page.getByRole('button', { name: 'Files that cannot be read' })
    await mark.filter({ hasText: '1 not readable' }).click()
    const named = page.getByRole('list', { name: 'Files that cannot be read' })
    await named.getByText('the file /lab/days/day_2.nc is gone').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${address}/ui?domain=/home/ann/all.nc&tab=inspect`)
    await page.locator('.inspect').getByText('the file /lab/days/day_2.nc is gone').waitFor()

    await page.goto(`${address}/ui?folder=/home/ann/`)
    await page.getByText('made of 4 files').waitFor()
    await choose(page, 'all.nc', 'Rename')
    await page.getByLabel('New name or path').fill('days.nc')
    await button(page, 'Rename').click()
    await entry(page, 'days.nc').waitFor()
    await choose(page, 'days.nc', 'Delete')
    await page.getByText('The joined domain /home/ann/days.nc goes. Its files stay.').waitFor()
    await button(page, 'Delete').click()
    await page.getByText('There is nothing in this folder').waitFor()
  })

  test('may differ: the dialog offers what joins them, or a new dimension', async () => {
    const { client, days, addDay, address } = await serveDays()
    await writeFile(join(days, 'day_13.nc'), 'no HDF5')
    const page = await openDays(address)
    const dialog = page.getByRole('dialog', { name: 'Read many files as one' })
    await page.getByRole('button', { name: 'Join files' }).click()
    await dialog.getByText('time has 6 elements').waitFor()
    await dialog.getByText('it is no HDF5 file').getByText('day_13.nc').waitFor()

    // Numbers that are packed in two ways.
    const differences = dialog.getByText('Where files differ')
    const unpack = dialog.getByLabel('Unpack numbers')
    expect(await unpack.isVisible()).toBe(false)
    await addDay('day_11.nc', 3, { scale_factor: 0.5 })
    await dialog.getByLabel('Files: a path').fill('/lab/days/day_1*.nc')
    await dialog.getByRole('button', { name: 'Unpack the numbers' }).click()
    await dialog.getByText('3 files, from day_1.nc to day_11.nc: time has 6 elements.').waitFor()
    expect(await unpack.isChecked()).toBe(true)
    expect(await isFocused(dialog.getByRole('region', { name: 'Preview' }))).toBe(true)
    await differences.click()
    await unpack.waitFor({ state: 'hidden' })
    await differences.click()
    await dialog.getByLabel('Show fill values').check()
    await dialog.getByLabel('Coordinates that overlap').selectOption('keep the later file')

    await dialog.getByLabel('a new one').check()
    const coordinate = dialog.getByLabel('Coordinate of a file')
    expect([await dialog.getByLabel('Along').inputValue(), await coordinate.inputValue()]).toEqual([
      'day',
      'day_{n:d}.nc',
    ])
    await dialog.getByText('3 files, from day_1.nc to day_11.nc: day has 3 elements.').waitFor()
    await coordinate.fill('day.nc')
    await dialog.getByRole('alert').filter({ hasText: 'join.along.coordinate' }).waitFor()
    await coordinate.fill('x_{n:d}.nc')
    await dialog.getByText('no coordinate of the form').waitFor()
    await coordinate.fill('day_{n:d}.nc')
    await dialog.getByText('3 files, from day_1.nc to day_11.nc: day has 3 elements.').waitFor()
    await dialog.getByRole('row', { name: '/temp 3 × 2 × 3' }).waitFor()
    await dialog.getByLabel('Datasets that').fill('/none')
    await dialog.getByText('it has no dataset /none').waitFor()
    await dialog.getByLabel('Datasets that').fill('/temp')
    await dialog.getByRole('row', { name: '/temp 3 × 2 × 3' }).waitFor()
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(false)
    await button(page, 'Save').click()
    await page.getByText('made of 3 files').waitFor()
    const { join: made } = (await client.domain('/home/ann/day_1_all.nc').describe()) as { join?: unknown }
    expect(made).toEqual({
      sources: '/lab/days/day_1*.nc',
      along: { new: 'day', coordinate: 'day_{n:d}.nc', datasets: '/temp' },
      unpack: true,
      missing: 'fill',
    })
    await page.getByRole('tab', { name: 'Inspect' }).click()
    const facts = page.getByRole('table', { name: 'Joined files' })
    await facts.getByRole('row', { name: 'New dimension day' }).waitFor()
    // Its name is taken now.
    await client.request('PUT /', { domain: '/home/ann/day_all.nc' }, { body: { folder: true } })
    await page.goto(`${address}/ui?folder=/lab/days/`)
    await page.getByRole('button', { name: 'Join files' }).click()
    const to = dialog.getByLabel('Saved as')
    await expect.poll(() => to.inputValue()).toBe('/home/ann/day_all_2.nc')
    await dialog.getByRole('button', { name: 'Unpack the numbers' }).waitFor()
    await to.fill('/home/ann/day_all.nc')
    await dialog.getByText('/home/ann/day_all.nc already exists').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`${address}/ui?domain=/home/ann/day_1_all.nc&tab=inspect`)
    await facts.getByRole('row', { name: 'Coordinate day_{n:d}.nc' }).waitFor()
  })

  test('are those that are selected', async () => {
    const { address } = await serveDays()
    const page = await openDays(address)
    await expect.poll(() => namesIn(page)).toEqual(['day_1.nc', 'day_2.nc', 'day_10.nc'])
    await page.getByLabel('Select day_10.nc').check()
    await page.getByLabel('Select day_1.nc').check()
    const bar = page.getByRole('toolbar', { name: 'Selected entries' })
    await bar.getByText('2 selected').waitFor()
    expect(await bar.getByRole('button').allTextContents()).toEqual(['Join files', ''])
    await bar.getByRole('button', { name: 'Join files' }).click()
    await page.getByText('2 files, from day_1.nc to day_10.nc: time has 4 elements.').waitFor()
    expect(await page.getByLabel('Files: a path').inputValue()).toBe(
      '/lab/days/day_1.nc\n/lab/days/day_10.nc',
    )
    expect(await page.getByLabel('Saved as').inputValue()).toBe('/home/ann/days.nc')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await isFocused(bar.getByRole('button', { name: 'Join files' }))).toBe(true)
  })
})
