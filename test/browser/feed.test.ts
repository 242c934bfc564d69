// The feed of changes in a page: `EventSource` of Chromium through nginx with its default settings. It goes on behind
// its last event after nginx was started again.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, Hyperslab } from '../../packages/client/index.ts'
import { hasNginx, type RunningNginx, startNginx } from '../servers/nginx.mjs'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { hasNoBrowser, openPage } from './browser.ts'

const isMissing = hasNoBrowser || !hasNginx()
if (isMissing) console.warn('SKIPPED: EventSource through nginx needs Chromium and nginx')

const PATH = '/live.h5'

/** The variables of the page of the test. */
interface Listening extends Window {
  items: { type: string; shape?: number[] }[]
}

describe.skipIf(isMissing)('EventSource through nginx', () => {
  let directory: string
  let server: RunningServer
  let nginx: RunningNginx | undefined
  /** Keeps the port of nginx while nginx is away. */
  let line: TcpProxy

  async function startProxy(): Promise<RunningNginx> {
    const site = `location / { proxy_pass ${server.address}; proxy_set_header Host $http_host; }`
    const socket = join(directory, 'nginx.sock')
    return startNginx(directory, socket, `server { listen unix:${socket}; ${site} }`)
  }

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    await runCommand(directory, ['user', 'add', 'root', '--admin'], 'root\n')
    server = await startServer(directory)
    nginx = await startProxy()
    line = await startTcpProxy(() => nginx && join(directory, 'nginx.sock'))
  })

  afterAll(async () => {
    await line?.close()
    await nginx?.end()
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  test('tells each change as it is made, and goes on after the connection was lost', async () => {
    const client = new Hyperslab(server.address, { authorization: basic('root', 'root') })
    const domain = client.domain(PATH)
    await domain.create()
    const everybody = { read: true } as never
    await client.request('PUT /acls/{user}', { user: 'default', domain: PATH }, { body: everybody })
    const body = { h5path: '/frames', type: 'H5T_STD_U8LE', shape: [0, 2], maxdims: [0, 2] } as never
    const created = await client.request('POST /datasets', { domain: PATH }, { body })
    if (!('id' in created)) throw new Error('one dataset has an id')
    const target = { id: created.id, domain: PATH }
    const append = () =>
      client.request('PUT /datasets/{id}/value', target, { body: { append: 1, value: [[1, 2]] } as never })

    const page = await openPage()
    await page.goto(`http://127.0.0.1:${line.port}/about`)
    await page.evaluate(address => {
      const items: Listening['items'] = []
      Object.assign(window, { items })
      const feed = new EventSource(address)
      for (const type of ['start', 'gone']) feed.addEventListener(type, () => items.push({ type }))
      feed.onmessage = ({ data }) => items.push({ type: 'event', shape: JSON.parse(data).changes[0].shape })
    }, `/events?domain=${PATH}&h5path=/frames`)
    const seen = async (count: number) => {
      await page.waitForFunction(n => (window as unknown as Listening).items.length >= n, count)
      return page.evaluate(() => (window as unknown as Listening).items)
    }
    const shapes = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => ({ type: 'event', shape: [from + i, 2] }))

    expect(await seen(1)).toEqual([{ type: 'start' }])
    // Nothing is held back: each comes before the next one is written.
    for (let i = 1; i <= 5; i++) {
      await append()
      await seen(1 + i)
    }
    const stopped = nginx
    nginx = undefined
    await stopped?.end()
    for (let i = 6; i <= 8; i++) await append()
    nginx = await startProxy()
    await seen(9)
    await append()
    expect(await seen(10)).toEqual([{ type: 'start' }, ...shapes(1, 9)])
  })
})
