// The page below the path of a proxy that takes it off and encodes the rest anew, as jupyter-server-proxy: a user logs
// in, uploads a file, opens a plot and follows a change, and every request of the page is below that path.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { startPrefixProxy } from '../servers/prefix-proxy.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  account,
  clientOfUser,
  entry,
  logIn,
  logOut,
  newDataset,
  newDomain,
  newFolder,
  plotText,
} from './ui.ts'

const PREFIX = '/user/ann/proxy/5101'
const FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))

describe.skipIf(hasNoBrowser)('the page behind jupyter-server-proxy', () => {
  test('logs in, uploads, opens a plot, follows a change and logs out, all below its path', async () => {
    const proxy = await startPrefixProxy('jupyter', PREFIX, () => inject('address'))
    onTestFinished(() => proxy.close())
    const folder = await newFolder()
    const domain = await newDomain(`${folder}run 1+2%.h5`)
    const id = await newDataset(domain, '/frames', { shape: [0, 4], maxdims: [0, 4] })
    const client = await clientOfUser()
    const append = (first: number) => {
      const body = { append: 1, value: [[first, 1, 2, 3]] } as never
      return client.request('PUT /datasets/{id}/value', { id, domain: domain.path }, { body })
    }
    await append(10)

    const page = await openPage()
    const paths: string[] = []
    page.on('request', request => {
      const { protocol, pathname } = new URL(request.url())
      if (protocol === 'http:') paths.push(pathname)
    })
    await page.goto(`${proxy.address}/`)
    await page.waitForURL(`${proxy.address}/ui`)
    await logIn(page)
    await account(page).waitFor()
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([{ httpOnly: true, path: PREFIX }])

    await page.goto(`${proxy.address}/ui?${new URLSearchParams({ folder })}`)
    await entry(page, 'run 1+2%.h5').waitFor()
    const buffer = await readFile(FILE)
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'file.h5', mimeType: 'application/x-hdf5', buffer }])
    await page.getByText('1 of 1 file uploaded').waitFor()
    await entry(page, 'file.h5').waitFor()

    await entry(page, 'run 1+2%.h5').click()
    await page.getByRole('treeitem', { name: 'frames' }).click()
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('1 × 4, float64').waitFor()
    await append(20)
    await page.getByText('2 × 4, float64').waitFor()
    const view = { domain: domain.path, path: '/frames', tab: 'line', follow: '1' }
    await page.goto(`${proxy.address}/ui?${new URLSearchParams(view)}`)
    await page.getByText('live', { exact: true }).waitFor()
    await expect.poll(() => plotText(page)).toContain(' to 20.')
    await append(30)
    await expect.poll(() => plotText(page)).toContain(' to 30.')

    await page.goto(`${proxy.address}/docs/guide`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${proxy.address}/ui`)
    await logOut(page)
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    expect(await page.context().cookies()).toEqual([])
    expect(paths.filter(path => !path.startsWith(`${PREFIX}/`))).toEqual([])
  })
})
