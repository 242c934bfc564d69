// The page as its tests use it: what they prepare in the service, and what they find and do in the page.

import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { type Domain, Hyperslab } from '../../packages/client/index.ts'
import { startTcpProxy } from '../servers/tcp-proxy.ts'
import { basic, USER1, uniqueName } from '../wire/client.ts'
import { HOME, makeHome, newPath, removeDomain } from '../wire/hsds/domain.ts'
import { newWorkingDirectory, type RunningServer, startServer } from '../wire/server.ts'
import { openPage } from './browser.ts'

export const PASSWORD = 'test'

let user: Hyperslab | undefined

/** A client of the user whose home the tests use. */
export async function clientOfUser(): Promise<Hyperslab> {
  if (user === undefined) {
    await makeHome()
    user = new Hyperslab(inject('address'), { authorization: basic(USER1) })
  }
  return user
}

/** A folder of the user's own, gone after the test with all that is in it. */
export async function newFolder(): Promise<string> {
  const client = await clientOfUser()
  const path = `${HOME}/${uniqueName()}`
  await client.request('PUT /', { domain: path }, { body: { folder: true } })
  onTestFinished(() => removeFolder(path))
  return `${path}/`
}

async function removeFolder(folder: string): Promise<void> {
  const client = await clientOfUser()
  const removals: Promise<void>[] = []
  for await (const { name, class: kind } of client.folder(folder)) {
    removals.push(kind === 'folder' ? removeFolder(name) : removeDomain(name))
  }
  await Promise.all(removals)
  await removeDomain(folder)
}

const FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))

/** A service of its own, without accounts, that serves a folder of files where they are. */
export async function serveFiles(
  names: readonly string[],
): Promise<{ server: RunningServer; files: string }> {
  const directory = await newWorkingDirectory()
  const files = join(directory, 'files')
  await mkdir(files)
  for (const name of names) await copyFile(FILE, join(files, name))
  const server = await startServer(directory, ['--mount', `${files}=/files`])
  onTestFinished(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true })
  })
  return { server, files }
}

export interface ServiceThatRestarts {
  readonly address: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** A service whose address the test keeps while the service is away: no other program gets its port. */
export async function serveWithRestarts(
  directory: string,
  options: readonly string[] = [],
): Promise<ServiceThatRestarts> {
  let server: RunningServer | undefined = await startServer(directory, options)
  const line = await startTcpProxy(() => server && Number(new URL(server.address).port))
  onTestFinished(async () => {
    await line.close()
    await server?.end('SIGTERM')
  })
  return {
    address: `http://127.0.0.1:${line.port}`,
    async stop() {
      const stopped = server
      server = undefined
      await stopped?.end('SIGKILL')
    },
    async start() {
      server = await startServer(directory, options)
    },
  }
}

export async function newDomain(path = newPath()): Promise<Domain> {
  const client = await clientOfUser()
  const domain = client.domain(path)
  await domain.create()
  onTestFinished(() => removeDomain(path))
  const acl = { body: { read: true } }
  await client.request('PUT /acls/{user}', { user: 'default', domain: path }, acl)
  return domain
}

export const STRING = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

export const SEQUENCES = { class: 'H5T_VLEN', base: 'H5T_IEEE_F64LE' }
export const REGIONS = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }

/** The square of an image between an index and twice that. */
export function regionOf(id: string, index: number): object {
  const ends = [index, 2 * index - 1].map(end => [end, end])
  return { id, select_type: 'H5S_SEL_HYPERSLABS', selection: [ends] }
}

/** Floats of 64 bits, unless the members say otherwise. */
export async function newDataset(
  domain: Domain,
  h5path: string,
  members: object,
  data?: Uint8Array,
): Promise<string> {
  const client = await clientOfUser()
  const body = { h5path, type: 'H5T_IEEE_F64LE', ...members } as never
  const created = await client.request('POST /datasets', { domain: domain.path, implicit: 1 }, { body })
  if (!('id' in created)) throw new Error('one dataset has an id')
  if (data) await domain.write(created.id, data)
  return created.id
}

export async function putAttribute(domain: Domain, id: string, name: string, body: object): Promise<void> {
  const client = await clientOfUser()
  const kind = id.startsWith('g-') ? 'groups' : 'datasets'
  const parameters = { id, name, domain: domain.path }
  await client.request(`PUT /${kind}/{id}/attributes/{name}`, parameters, { body: body as never })
}

/** 0, 1, 2 and so on. */
export function ramp(length: number): Uint8Array {
  return new Uint8Array(Float64Array.from({ length }, (_, i) => i).buffer)
}

export function viewAddress(domain: Domain, view: Readonly<Record<string, string>>, page = 'ui'): string {
  return `${inject('address')}/${page}?${new URLSearchParams({ domain: domain.path, ...view })}`
}

/** A name that is a program if it is not shown as text. */
export const HOSTILE = `<img src=x onerror=alert(1)><script>alert(1)<x> " ' &`

/** A promise that resolves when the test says so. */
export function holdUp() {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  return { release, released }
}

/** The drawing in words: the ends of its axes in sight, and its numbers. */
export async function plotText(page: Page): Promise<string> {
  return (await page.locator('.plot figcaption').textContent()) ?? ''
}

/** The place of the points of a drawing, without its axes. */
export async function placeOfPoints(page: Page) {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.plot-surface').boundingBox()) ?? {}
  return { x, y, width, height }
}

/** Waits for a picture with an axis: points between the ends, and ticks and numbers on the left of them. */
export async function axesAreDrawn(page: Page): Promise<void> {
  const points = await placeOfPoints(page)
  const inked = () =>
    page.locator('.plot canvas').evaluate((element, { x, y, height, width }) => {
      // The element is the canvas of the drawing.
      const canvas = element as HTMLCanvasElement
      const { left, top, width: all } = canvas.getBoundingClientRect()
      const ratio = canvas.width / all
      const isInked = (from: number, length: number) => {
        const parts = [from - left, y - top, length, height].map(part => Math.round(part * ratio))
        const [atX = 0, atY = 0, across = 0, down = 0] = parts
        return canvas
          .getContext('2d')
          ?.getImageData(atX, atY, across, down)
          .data.some(part => part > 0)
      }
      return [isInked(left, x - left), isInked(x, width)]
    }, points)
  await expect.poll(inked).toEqual([true, true])
}

export function isFocused(found: Locator): Promise<boolean> {
  return found.evaluate(element => element === document.activeElement)
}

/** The address of the page without the domain. */
export function queryOf(page: Page): Record<string, string> {
  const { domain: _, ...view } = Object.fromEntries(new URL(page.url()).searchParams)
  return view
}

export function addressOf(query: Readonly<Record<string, string>>): string {
  return `${inject('address')}/ui?${new URLSearchParams(query)}`
}

export async function logIn(page: Page, name = USER1, password = PASSWORD): Promise<void> {
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
}

/** A new page that shows the folder to the user. */
export async function openFolder(folder: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await openPage(options)
  await page.goto(addressOf({ folder }))
  await logIn(page)
  // Until then the page shows what everybody may see.
  await account(page).waitFor()
  return page
}

/** The button of the menu of the user's account. */
export function account(page: Page, name = USER1) {
  return page.getByRole('button', { name: `Account of ${name}` })
}

export async function logOut(page: Page, name = USER1): Promise<void> {
  await account(page, name).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

/** Names in the first column of the table. */
export function namesIn(page: Page) {
  return page.getByRole('region', { name: 'Entries' }).locator('td.name a').allTextContents()
}

export function entry(page: Page, name: string) {
  return page.getByRole('region', { name: 'Entries' }).getByRole('link', { name, exact: true })
}

/** Opens the menu of an entry and chooses an action. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

export function button(page: Page, name: string) {
  return page.getByRole('dialog').getByRole('button', { name })
}

/** The program of a language in the dialog of Copy code. */
export async function programIn(page: Page, language: string): Promise<string> {
  await page.getByRole('dialog').getByRole('button', { name: language, exact: true }).click()
  return (await page.getByRole('region', { name: language, exact: true }).locator('pre').textContent()) ?? ''
}
