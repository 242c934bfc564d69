// The page in a frame of a page of another site: only with the setting frame_ancestors, and without the session of its
// user, whose cookie browsers do not send there.

import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, Hyperslab } from '../../packages/client/index.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'

/** A page that shows the address in its query in a frame. */
function portalPage(url = ''): string {
  const shown = new URL(url, 'http://portal').searchParams.get('shown') ?? ''
  return `<!doctype html><title>Portal</title><iframe width="900" height="600" src="${encodeURI(shown)}"></iframe>`
}

/** Everybody may read domains in folders that everybody may read. */
const CLOSED = ['--default-acl', 'none', '--default-public', 'true']

describe.skipIf(hasNoBrowser)('/ui in a frame', () => {
  const directories: string[] = []
  const servers: RunningServer[] = []
  let portal: Server
  /** `localhost` is another site than 127.0.0.1. */
  let origin: string

  async function start(frameAncestors: string): Promise<string> {
    const directory = await newWorkingDirectory()
    directories.push(directory)
    await runCommand(directory, ['user', 'add', 'root', '--admin'], 'root\n')
    const server = await startServer(directory, ['--frame-ancestors', frameAncestors, ...CLOSED])
    servers.push(server)
    const client = new Hyperslab(server.address, { authorization: basic('root', 'root') })
    await client.request('PUT /', { domain: '/open' }, { body: { folder: true } as never })
    const everybody = { read: true } as never
    await client.request('PUT /acls/{user}', { user: 'default', domain: '/open' }, { body: everybody })
    for (const path of ['/open/run.h5', '/private.h5']) await client.domain(path).create()
    const line = { h5path: '/line', type: 'H5T_STD_I32LE', shape: [3] } as never
    await client.request('POST /datasets', { domain: '/open/run.h5' }, { body: line })
    return server.address
  }

  beforeAll(async () => {
    portal = createServer(({ url }, response) => {
      response.setHeader('Content-Type', 'text/html').end(portalPage(url))
    })
    await new Promise<void>(resolve => portal.listen(0, '127.0.0.1', resolve))
    origin = `http://localhost:${(portal.address() as AddressInfo).port}`
  })

  afterAll(async () => {
    portal?.close()
    for (const server of servers) await server.end('SIGTERM')
    for (const directory of directories) await rm(directory, { recursive: true, force: true })
  })

  /** Opens the portal; the frame in it has the page, or the error of the browser in its place. */
  async function openPortal(page: Page, shown: string): Promise<Frame> {
    await page.goto(`${origin}/?shown=${encodeURIComponent(shown)}`)
    const frame = page.frames().find(each => each.parentFrame() !== null)
    if (!frame) throw new Error('the portal has no frame')
    await expect.poll(() => frame.url()).toMatch(/^(http|chrome-error):/)
    return frame
  }

  test('pages show it only where their origin is listed: a view, without the frame of folders', async () => {
    const [closed, other] = [await start(''), await start('https://portal.example.org')]
    const page = await openPage()
    const isRefused = async (target: string) =>
      expect([target, new URL((await openPortal(page, target)).url()).protocol]).toEqual([
        target,
        'chrome-error:',
      ])
    for (const path of ['/ui?folder=/open', '/', '/docs/guide']) await isRefused(closed + path)
    await isRefused(`${other}/ui?folder=/open`)
    const address = await start(origin)
    const view = 'domain=/open/run.h5&path=/line&curve=both'
    const frame = await openPortal(page, `${address}/ui/embed?${view}`)
    await frame.getByText('The line goes through all elements').waitFor()
    for (const role of ['tree', 'banner'] as const) expect(await frame.getByRole(role).count()).toBe(0)
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: 'Open in Hyperslab' }).click(),
    ])
    await popup.getByRole('treeitem', { name: 'line', selected: true }).waitFor()
    expect(Object.fromEntries(new URL(popup.url()).searchParams)).toEqual({
      domain: '/open/run.h5',
      path: '/line',
      curve: 'both',
    })
  })

  test('nobody is logged in there: it shows what everybody may read, or the user of a share', async () => {
    const address = await start(origin)
    const client = new Hyperslab(address, { authorization: basic('root', 'root') })
    const body = { domain: '/private.h5', end: '2999-01-01' } as never
    const { address: share } = await client.request('POST /shares', {}, { body })
    const page = await openPage()
    await page.goto(`${address}/about`)
    const read = (target: string) => fetch(target).then(({ status }) => status)
    await page.evaluate(
      async authorization => {
        await fetch('/login', { method: 'POST', headers: { authorization } })
      },
      basic('root', 'root'),
    )
    expect(await page.evaluate(read, '/?domain=/private.h5')).toBe(200)
    const frame = await openPortal(page, `${address}/ui?folder=/open`)
    await frame.getByText('run.h5').first().waitFor()
    expect(await frame.evaluate(read, '/?domain=/private.h5')).toBe(403)
    expect(await frame.evaluate(read, '/?domain=/open/run.h5')).toBe(200)
    const shared = await openPortal(page, `${share}ui?domain=/private.h5`)
    await shared.getByText('private.h5').first().waitFor()
    const targets = [
      `${share}?domain=/private.h5`,
      `${address}/?domain=/private.h5`,
      `${share}?domain=/open/run.h5`,
    ]
    const statuses = await Promise.all(targets.map(target => shared.evaluate(read, target)))
    expect(statuses).toEqual([200, 403, 403])
  })
})
