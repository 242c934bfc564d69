// The feed of changes by the client for JavaScript (packages/client/events.ts): each change once and in order, over
// connections that break, and the positions at which a program reads the domain again.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Domain, type FeedItem, Hyperslab } from '../../packages/client/index.ts'
import { startTcpProxy } from '../servers/tcp-proxy.ts'
import { basic, USER1, USER2 } from './client.ts'
import { makeHome, newPath } from './hsds/domain.ts'

const authorization = basic(USER1)
let client: Hyperslab

beforeAll(async () => {
  await makeHome()
  client = new Hyperslab(inject('address'), { authorization })
})

/** A domain with a dataset `/frames` that grows. */
async function newFrames(): Promise<{ readonly domain: Domain; readonly append: () => Promise<unknown> }> {
  const domain = client.domain(newPath())
  await domain.create()
  onTestFinished(async () => {
    await domain.delete().catch(() => undefined)
  })
  const body = { h5path: '/frames', type: 'H5T_STD_I32LE', shape: [0], maxdims: [0] } as never
  const created = await client.request('POST /datasets', { domain: domain.path }, { body })
  if (!('id' in created)) throw new Error('one dataset has an id')
  const parameters = { domain: domain.path, id: created.id }
  const append = () =>
    client.request('PUT /datasets/{id}/value', parameters, { body: { append: 1, value: [1] } as never })
  return { domain, append }
}

/** The first items, as many as are wanted; the feed ends then. */
async function take(items: AsyncIterable<FeedItem>, count: number): Promise<readonly FeedItem[]> {
  const all: FeedItem[] = []
  for await (const item of items) if (all.push(item) === count) break
  return all
}

test('a feed begins with its position, and tells each change with the state after it', async () => {
  const { domain, append } = await newFrames()
  const feed = domain.events()
  const { value: start } = await feed.next()
  expect(start).toEqual({ type: 'start', since: expect.any(String), state: expect.any(String) })
  await append()
  const { value: event } = await feed.next()
  expect(event).toMatchObject({
    type: 'event',
    domain: domain.path,
    changes: [{ kind: 'values', class: 'dataset', h5path: '/frames', start: [0], stop: [1], shape: [1] }],
  })
  const description = await domain.describe()
  expect(event.state).toBe('state' in description && description.state)
  expect(event.since).toBe(event.id)
  await feed.return(undefined)
  // Another feed goes on after the start: it has the same change.
  expect(await take(domain.events({ since: start.since }), 1)).toEqual([event])
})

test('one object is listened to by its path or id, a folder with all below it', async () => {
  const { domain, append } = await newFrames()
  const { id } = await domain.object('/frames')
  const { id: root } = await domain.object('/')
  const folder = domain.path.slice(0, domain.path.lastIndexOf('/'))
  const feeds = [domain.events({ h5path: '/frames' }), domain.events({ object: id }), client.events(folder)]
  for (const feed of feeds) expect((await feed.next()).value.type).toBe('start')
  await client.request(
    'PUT /groups/{id}/attributes/{name}',
    { id: root, name: 'a', domain: domain.path },
    { body: { type: 'H5T_STD_I8LE', value: 1 } as never },
  )
  await append()
  const ofFrames = { type: 'event', changes: [{ kind: 'values', h5path: '/frames' }] }
  for (const feed of feeds.slice(0, 2)) expect((await feed.next()).value).toMatchObject(ofFrames)
  const below: FeedItem[] = []
  for await (const item of feeds[2] ?? []) {
    if (item.type === 'event' && item.domain === domain.path) below.push(item)
    if (below.length === 2) break
  }
  expect(below).toMatchObject([{ changes: [{ kind: 'attributes', class: 'group' }] }, ofFrames])
  for (const feed of feeds) await feed.return(undefined)
})

test('each change comes once and in order, also when the connection is cut again and again', async () => {
  const { domain, append } = await newFrames()
  const proxy = await startTcpProxy(() => Number(new URL(inject('address')).port))
  onTestFinished(() => proxy.close())
  let pieces = 0
  let cuts = 0
  proxy.plan = (bytes, direction) => {
    if (direction === 'up' || !bytes.includes('data: ') || cuts === 6 || ++pieces % 3 !== 0) return 'pass'
    return ++cuts % 2 === 0 ? 'cut' : 'pass and cut'
  }
  const far = new Hyperslab(`http://127.0.0.1:${proxy.port}`, { authorization })
  const feed = far.domain(domain.path).events()
  expect((await feed.next()).value.type).toBe('start')
  const COUNT = 60
  const shapes: unknown[] = []
  let hasCome = () => {}
  const writing = (async () => {
    for (let i = 0; i < COUNT; i++) {
      await append()
      // Few are written ahead, so that they come in many pieces.
      while (shapes.length < i - 2)
        await new Promise<void>(resolve => {
          hasCome = resolve
        })
    }
  })()
  for await (const item of feed) {
    expect(item.type).toBe('event')
    if (item.type === 'event') shapes.push(...item.changes.map(({ shape }) => shape?.[0]))
    hasCome()
    if (shapes.length === COUNT) break
  }
  await writing
  expect(shapes).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1))
  expect(cuts).toBeGreaterThan(2)
})

describe('a feed ends', () => {
  test('when the signal aborts, before it begins or later', async () => {
    const { domain } = await newFrames()
    const leaving = new AbortController()
    const feed = domain.events({ signal: leaving.signal })
    await feed.next()
    const next = feed.next()
    leaving.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    await expect(domain.events({ signal: leaving.signal }).next()).rejects.toThrow('enough')
  })

  test('with the error of the server, when its first request is rejected', async () => {
    const { domain } = await newFrames()
    const unknown = { status: 400, code: 'event-unknown' }
    await expect(domain.events({ since: '1-00000000' }).next()).rejects.toMatchObject(unknown)
    const other = new Hyperslab(inject('address'), { authorization: basic(USER2) })
    await expect(other.domain(domain.path).events().next()).rejects.toMatchObject({ status: 403 })
    await expect(client.domain(newPath()).events().next()).rejects.toMatchObject({ status: 404 })
  })
})

test('it goes on behind what is complete, and says what was lost', async () => {
  const part = (id: string, domain: string) =>
    `data: {"id":"${id}","time":1,"domain":"${domain}","changes":[]}\n\n`
  const start = (id: string) => `retry: 1000\nid: ${id}\n\nevent: start\nid: ${id}\ndata: {"id":"${id}"}\n\n`
  // The answers to the requests, one after another: the status and the body, after which the connection ends.
  const answers: readonly (readonly [status: number, body: string])[] = [
    [200, `${start('1-a')}id: 2-b\n${part('2-b', '/x')}${part('3-c', '/x')}`],
    [502, '<h1>Bad gateway</h1>'],
    [200, `id: 2-b\n\n${part('3-c', '/x')}id: 3-c\n${part('3-c', '/y')}:\nid: 4-d\n\n`],
    [400, '{"status":400,"code":"event-unknown","message":"unknown"}'],
    [200, start('1-e')],
    [403, '{"status":403,"code":"no-permission","message":"no"}'],
  ]
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://x').searchParams.get('since'))
    const [status, body] = answers[asked.length - 1] ?? [500, '']
    response.writeHead(status, { 'content-type': 'text/event-stream' })
    response.write(body, () => (status === 200 ? response.destroy() : response.end()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  const items: FeedItem[] = []
  const positions: string[] = []
  const follow = async () => {
    const onPosition = (since: string) => positions.push(since)
    for await (const item of new Hyperslab(`http://127.0.0.1:${port}`).events('/', { onPosition }))
      items.push(item)
  }
  await expect(follow()).rejects.toMatchObject({ status: 403 })
  expect(asked).toEqual([null, '2-b', '2-b', '4-d', null, '1-e'])
  expect(positions).toEqual(['1-a', '2-b', '2-b', '3-c', '4-d', '1-e'])
  expect(items).toMatchObject([
    { type: 'start', since: '1-a' },
    { type: 'event', id: '2-b', since: '2-b' },
    { type: 'event', id: '3-c', since: '2-b', domain: '/x' },
    { type: 'event', id: '3-c', since: '3-c', domain: '/y' },
    { type: 'gone', since: '1-e' },
  ])
})
