// Twenty tabs of the page in one browser, over HTTP/1.1: six connections to the service, for all tabs together.

import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Hyperslab } from '../../packages/client/index.ts'
import { newWorkingDirectory, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'

const TABS = 20
/** The number of windows with a stream: `packages/page/src/feed/place.ts`. */
const STREAMS = 4

interface Tab extends Window {
  see(isSeen: boolean): void
}

/** In a browser without a screen every tab counts as seen: here tests say which is. */
function letTestsHide(): void {
  let isSeen = true
  Object.defineProperties(document, {
    hidden: { get: () => !isSeen },
    visibilityState: { get: () => (isSeen ? 'visible' : 'hidden') },
  })
  const see = (now: boolean) => {
    isSeen = now
    document.dispatchEvent(new Event('visibilitychange'))
  }
  // A page without TLS has no locks.
  Object.defineProperty(navigator, 'locks', { value: undefined })
  Object.assign(window, { see })
}

const see = (tab: Page, isSeen: boolean) => tab.evaluate(now => (window as unknown as Tab).see(now), isSeen)

/** Tabs of folders and of a domain take turns. */
const isFolder = (tab: Page) => new URL(tab.url()).searchParams.has('folder')
const following = (tab: Page) =>
  tab.locator(isFolder(tab) ? '[data-connection="live"]' : '.live:not(.not-yet)').waitFor()
const notFollowing = (tab: Page) =>
  tab
    .locator(isFolder(tab) ? '[data-connection="connecting"]' : '.live.not-yet')
    .waitFor({ state: 'attached' })

async function startService() {
  const directory = await newWorkingDirectory()
  const server = await startServer(directory)
  onTestFinished(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true })
  })
  const client = new Hyperslab(server.address)
  await client.domain('/shown.h5').create()
  return {
    address: (i: number) => `${server.address}/ui?${i % 2 === 0 ? 'folder=/' : 'domain=/shown.h5'}`,
    /** A change that each tab shows, by its name. */
    async change(name: string) {
      await client.domain(`/${name}`).create()
      const body = { link: { id: await rootOf(client), name } } as never
      await client.request('POST /groups', { domain: '/shown.h5' }, { body })
    },
    /** Requests that the service is at work for, besides this one. */
    async streams() {
      const figures = await (await fetch(`${server.address}/metrics`)).text()
      return Number(/^hyperslab_requests_in_flight (\d+)$/m.exec(figures)?.[1]) - 1
    },
  }
}

async function rootOf(client: Hyperslab): Promise<string> {
  const domain = await client.domain('/shown.h5').describe()
  return 'root' in domain ? String(domain.root) : ''
}

const shows = (tab: Page, name: string) =>
  isFolder(tab)
    ? tab.getByRole('link', { name, exact: true }).waitFor()
    : tab.getByRole('treeitem', { name, exact: true }).waitFor()

describe.skipIf(hasNoBrowser)('twenty tabs over HTTP/1.1', () => {
  test('all load; the one in sight follows, and the others hold no connection until they are shown', async () => {
    const { address, change, streams } = await startService()
    const first = await openPage()
    await first.context().addInitScript(letTestsHide)
    const tabs: Page[] = []
    for (let i = 0; i < TABS; i++) {
      const before = tabs.at(-1)
      if (before) await see(before, false)
      const tab = i === 0 ? first : await first.context().newPage()
      await tab.goto(address(i))
      await following(tab)
      tabs.push(tab)
    }
    const last = tabs[TABS - 1]
    if (last === undefined) throw new Error('there are tabs')
    await Promise.all(tabs.slice(0, -1).map(notFollowing))
    await expect.poll(streams).toBe(1)
    await change('one')
    await shows(last, 'one')
    await see(last, false)
    await notFollowing(last)
    await expect.poll(streams).toBe(0)
    await change('two')
    for (const tab of tabs.slice(0, 2)) {
      await see(tab, true)
      await following(tab)
      await shows(tab, 'one')
      await shows(tab, 'two')
    }
  })

  test('all load and follow when all are in sight, most of them without a stream', async () => {
    const { address, change, streams } = await startService()
    const first = await openPage()
    const tabs: Page[] = [first]
    for (let i = 1; i < TABS; i++) tabs.push(await first.context().newPage())
    await Promise.all(tabs.map((tab, i) => tab.goto(address(i))))
    await Promise.all(tabs.map(following))
    await expect.poll(streams).toBe(STREAMS)
    await change('one')
    await Promise.all(tabs.map(tab => shows(tab, 'one')))
  })
})
