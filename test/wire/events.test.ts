// The feed of events over HTTP, in both dialects: streams and pages, their scopes, positions and permissions.

import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import {
  ADMIN,
  BASE_DOMAIN,
  basic,
  type Method,
  type Options,
  type Reply,
  send as sendAny,
  USER1,
  USER2,
  uniqueName,
} from './client.ts'
import { type EventStream, type FeedEvent, type FeedPage, openEventStream } from './event-stream.ts'
import { HOME, makeHome, newDomain as newHsdsDomain } from './hsds/domain.ts'

beforeAll(makeHome)

type Send = (method: Method, target: string, body?: unknown, options?: Options) => Promise<Reply>

interface TestDomain {
  readonly send: Send
  readonly root: string
  /** The path of the domain, as an event has it. */
  readonly path: string
  /** Opens a stream with further parameters, `&h5path=/d`. */
  readonly stream: (query?: string, options?: Options) => Promise<EventStream>
  readonly group: (name?: string, parent?: string) => Promise<string>
  readonly dataset: (body: { readonly [name: string]: unknown }) => Promise<string>
}

/** The number with which the id of an event begins. */
function numberOf(id: string): number {
  return Number(id.split('-')[0])
}

async function streamOf(target: string, { user, headers }: Options): Promise<EventStream> {
  const stream = await openEventStream(inject('address'), target, {
    ...headers,
    ...(user !== undefined && { authorization: basic(user) }),
  })
  onTestFinished(() => stream.close())
  return stream
}

/** A path of the classic dialect, from its host name. */
function pathOf(host: string): string {
  const labels = host.slice(0, -BASE_DOMAIN.length - 1).split('.')
  return `/${labels.reverse().join('/')}`
}

async function classicDomain(): Promise<TestDomain> {
  const { host, root, send, group, dataset } = await newClassicDomain()
  const stream: TestDomain['stream'] = (query = '', options = {}) =>
    streamOf(`/events?${query}`, { ...options, headers: { host, ...options.headers } })
  return { send, root, path: pathOf(host), stream, group, dataset }
}

async function hsdsDomain(): Promise<TestDomain> {
  const { path, root, send, group, dataset } = await newHsdsDomain()
  const stream: TestDomain['stream'] = (query = '', options = {}) =>
    streamOf(`/events?domain=${path}${query}`, { user: USER1, ...options })
  return { send, root, path, stream, group, dataset }
}

async function want(status: number, reply: Promise<Reply>): Promise<Reply> {
  const { story, ...rest } = await reply
  expect(rest.status, story).toBe(status)
  return reply
}

async function pageOf(send: Send, query: string, options?: Options): Promise<FeedPage> {
  return (await want(200, send('GET', `/events?${query}`, undefined, options))).json<FeedPage>()
}

/** The events after a position, all that there are now. */
async function eventsSince(send: Send, since: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (let position = since; ; ) {
    const page = await pageOf(send, `wait=0&since=${position}`)
    events.push(...page.events)
    if (page.next === position) return events
    position = page.next
  }
}

async function stateOf(send: Send): Promise<string> {
  return (await want(200, send('GET', '/'))).json<{ state: string }>().state
}

describe.each([
  ['classic', classicDomain],
  ['hsds', hsdsDomain],
] as const)('events in the %s dialect', (dialect, newDomain) => {
  test('a stream begins with the present position and state, then has each change as it happens', async () => {
    const { send, root, path, stream } = await newDomain()
    const listener = await stream()
    const { headers } = listener.response
    expect(headers['content-type']).toBe('text/event-stream')
    expect(headers['cache-control']).toBe('no-store')
    const start = await listener.next()
    const state = await stateOf(send)
    expect(start).toMatchObject({ name: 'start', data: { id: listener.lastId, state } })
    for (const title of ['a', 'b', 'c'])
      await want(201, send('PUT', `/groups/${root}/links/${title}`, { h5path: '/x' }))
    const events = await listener.events(3)
    expect(events[2].state).toBe(await stateOf(send))
    expect(new Set([state, ...events.map(event => event.state)]).size).toBe(4)
    expect(new Set(events.map(({ id }) => id)).size).toBe(3)
    expect(listener.lastId).toBe(events[2].id)
    for (const event of events) {
      expect(event.domain).toBe(path)
      expect(event.changes).toEqual([{ kind: 'links', class: 'group', id: root, h5path: '/' }])
      expect(typeof event.time).toBe(dialect === 'classic' ? 'string' : 'number')
    }
  })

  test('a listener that comes back has all events since it left, in their order, once', async () => {
    const { send, root, stream } = await newDomain()
    const first = await stream()
    const start = (await first.next())?.data.id ?? ''
    const put = (title: string) => want(201, send('PUT', `/groups/${root}/links/${title}`, { h5path: '/x' }))
    await put('a')
    const [a] = await first.events(1)
    first.close()
    for (const title of ['b', 'c']) await put(title)
    const all = await eventsSince(send, start)
    expect(all.map(({ id }) => id)).toHaveLength(3)
    expect(all[0]).toEqual(a)
    const back = await stream(`&since=${first.lastId}`)
    expect(await back.events(2)).toEqual(all.slice(1))
    const again = await stream('', { headers: { 'last-event-id': all[1].id } })
    expect(await again.events(1)).toEqual(all.slice(2))
    // `since` has precedence.
    const both = await stream(`&since=${all[0].id}`, { headers: { 'last-event-id': all[1].id } })
    expect(await both.events(2)).toEqual(all.slice(1))
    await put('d')
    const [d] = await back.events(1)
    expect(await again.events(1)).toEqual([d])
  })

  test('a listener that is behind hears its position among changes of others, and goes on there', async () => {
    const { send, root, stream } = await newDomain()
    const other = await newDomain()
    const { next: since } = await pageOf(send, 'wait=0')
    for (let i = 0; i < 110; i++)
      await want(201, other.send('PUT', `/groups/${other.root}/links/${i}`, { h5path: '/x' }))
    const first = await stream(`&since=${since}`)
    await expect.poll(() => numberOf(first.lastId)).toBeGreaterThan(numberOf(since))
    first.close()
    // Other tests change this service meanwhile.
    const { next: last } = await pageOf(send, 'wait=0')
    expect(numberOf(first.lastId)).toBeLessThanOrEqual(numberOf(last))
    await want(201, send('PUT', `/groups/${root}/links/own`, { h5path: '/x' }))
    const back = await stream(`&since=${first.lastId}`)
    const [event] = await back.events(1)
    expect(event.changes).toMatchObject([{ kind: 'links', id: root }])
  })

  test('wait: one answer, at once or when something happens, with the position to go on from', async () => {
    const { send, root } = await newDomain()
    const empty = await pageOf(send, 'wait=0')
    expect(empty).toEqual({ events: [], next: expect.any(String), state: await stateOf(send) })
    const waiting = pageOf(send, `wait=60&since=${empty.next}`)
    await want(201, send('PUT', `/groups/${root}/links/a`, { h5path: '/x' }))
    const page = await waiting
    // The position may be after events of other domains too.
    expect(page).toEqual({
      events: [expect.objectContaining({ state: await stateOf(send) })],
      next: expect.any(String),
    })
    expect(numberOf(page.next)).toBeGreaterThanOrEqual(numberOf(page.events[0].id))
    const later = await pageOf(send, `wait=0.1&since=${page.next}`)
    expect(later).toEqual({ events: [], next: expect.any(String) })
    expect(numberOf(later.next)).toBeGreaterThanOrEqual(numberOf(page.next))
  })

  test('the first page has the state of the domain, also beside changes of others', async () => {
    const { send } = await newDomain()
    const other = await newDomain()
    let isOver = false
    const changes = (async () => {
      for (let i = 0; !isOver; i++) {
        await want(201, other.send('PUT', `/groups/${other.root}/links/t${i}`, { h5path: '/x' }))
      }
    })()
    const state = await stateOf(send)
    for (let i = 0; i < 50; i++) {
      expect(await pageOf(send, 'wait=0')).toEqual({ events: [], next: expect.any(String), state })
    }
    isOver = true
    await changes
  })

  test('a page without waiting has what was acknowledged before, beside listeners too', async () => {
    const { send, root, stream } = await newDomain()
    const listener = await stream()
    await listener.next()
    const other = await newDomain()
    let { next } = await pageOf(send, 'wait=0')
    for (let i = 0; i < 20; i++) {
      await want(201, send('PUT', `/groups/${root}/links/t${i}`, { h5path: '/x' }))
      const page = await pageOf(send, `wait=0&since=${next}`)
      expect(page.events, `event ${i}`).toHaveLength(1)
      next = page.next
    }
    await listener.events(20)
    // Events of others do not hide it.
    await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        want(201, other.send('PUT', `/groups/${other.root}/links/t${i}`, { h5path: '/x' })),
      ),
    )
    await want(201, send('PUT', `/groups/${root}/links/last`, { h5path: '/x' }))
    expect((await pageOf(send, `wait=0&since=${next}`)).events).toHaveLength(1)
  })

  test('every kind of change is named', async () => {
    const { send, root, group, dataset } = await newDomain()
    const { next } = await pageOf(send, 'wait=0')
    const g = await group('g')
    const d = await dataset({
      type: 'H5T_STD_I32LE',
      shape: [4, 5],
      maxdims: [0, 5],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [2, 5] } },
      link: { id: root, name: 'd' },
    })
    const type = dialect === 'classic' ? 'H5T_STD_I32LE' : { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }
    const attribute = { type, value: 1 }
    await want(201, send('PUT', `/groups/${g}/attributes/a`, attribute))
    const value = [
      [1, 2],
      [3, 4],
    ]
    await want(200, send('PUT', `/datasets/${d}/value`, { start: [1, 2], stop: [3, 4], value }))
    await want(dialect === 'classic' ? 200 : 201, send('PUT', `/datasets/${d}/shape`, { shape: [6, 5] }))
    await want(200, send('DELETE', `/groups/${g}/attributes/a`))
    await want(200, send('DELETE', `/groups/${root}/links/g`))
    await want(201, send('PUT', `/acls/${USER2}`, { read: true }, { user: ADMIN }))
    await want(200, send('DELETE', `/datasets/${d}`))
    const events = await eventsSince(send, next)
    const onDataset = { class: 'dataset', id: d }
    const changes = events.map(event => event.changes)
    expect(changes).toEqual([
      [
        { kind: 'created', class: 'group', id: g },
        { kind: 'links', class: 'group', id: root, h5path: '/' },
      ],
      [
        { kind: 'created', ...onDataset },
        { kind: 'links', class: 'group', id: root, h5path: '/' },
      ],
      [{ kind: 'attributes', class: 'group', id: g }],
      [{ kind: 'values', ...onDataset, start: [1, 2], stop: [3, 4] }],
      [{ kind: 'values', ...onDataset, shape: [6, 5] }],
      [{ kind: 'attributes', class: 'group', id: g }],
      [{ kind: 'links', class: 'group', id: root, h5path: '/' }],
      expect.arrayContaining([{ kind: 'acl', class: 'group', id: root, h5path: '/' }]),
      expect.arrayContaining([
        { kind: 'deleted', ...onDataset },
        ...(dialect === 'classic' ? [{ kind: 'links', class: 'group', id: root, h5path: '/' }] : []),
      ]),
    ])
    expect(new Set(events.map(({ state }) => state)).size).toBe(events.length)
    expect(events.at(-1)?.state).toBe(await stateOf(send))
  })

  test('an object is named by a path through which it is found', async () => {
    const { send, root, group, dataset } = await newDomain()
    const g = await group('g')
    const d = await dataset({ type: 'H5T_STD_I8LE', shape: [3], link: { id: g, name: 'd' } })
    const { next } = await pageOf(send, 'wait=0')
    await want(200, send('PUT', `/datasets/${d}/value`, { value: [1, 2, 3] }))
    const [event] = await eventsSince(send, next)
    const change = { kind: 'values', class: 'dataset', id: d, start: [0], stop: [3] }
    expect(event.changes).toEqual([{ ...change, h5path: '/g/d' }])
    await want(200, send('DELETE', `/groups/${root}/links/g`))
    const [later] = await eventsSince(send, next)
    expect(later.changes).toEqual([change])
  })

  test('an object, by id or by path: only its changes', async () => {
    const { send, root, stream, dataset } = await newDomain()
    const shape = { type: 'H5T_STD_I8LE', shape: [3] }
    const [d, e] = [await dataset({ ...shape, link: { id: root, name: 'd' } }), await dataset(shape)]
    const byId = await stream(`&object=${d}`)
    const byPath = await stream('&h5path=/d')
    for (const listener of [byId, byPath]) expect((await listener.next())?.name).toBe('start')
    for (const id of [e, d, e, d]) await want(200, send('PUT', `/datasets/${id}/value`, { value: [1, 2, 3] }))
    const events = await byId.events(2)
    expect(await byPath.events(2)).toEqual(events)
    for (const { changes } of events)
      expect(changes).toEqual([
        { kind: 'values', class: 'dataset', id: d, h5path: '/d', start: [0], stop: [3] },
      ])
  })

  test('a hundred objects are named, then it says that there are more', async () => {
    const { send, path } = await hsdsDomain()
    const { next } = await pageOf(send, 'wait=0')
    const many = (count: number) => Array.from({ length: count }, () => ({}))
    await want(201, send('POST', '/groups', many(100)))
    await want(201, send('POST', '/groups', many(101)))
    const [all, some] = await eventsSince(send, next)
    expect([all.domain, all.changes.length, all.more]).toEqual([path, 100, undefined])
    expect([some.domain, some.changes.length, some.more]).toEqual([path, 100, true])
  })

  test('an unknown position, a bad time or two objects are 400, an object that is not there 404', async () => {
    const { send, root } = await newDomain()
    const { next } = await pageOf(send, 'wait=0')
    const [number, check] = next.split('-')
    const other = check === '00000000' ? '00000001' : '00000000'
    const rows: readonly [string, number, string?][] = [
      ['since=x', 400, 'event-unknown'],
      [`since=${number}-${other}`, 400, 'event-unknown'],
      [`since=${Number(number) + 1_000_000_000}-${check}`, 400, 'event-unknown'],
      ['wait=x', 400],
      ['wait=-1', 400],
      ['wait=601', 400, 'malformed-parameter'],
      ['wait=1e2', 400],
      [`wait=0&object=${root}&h5path=/`, 400, 'malformed-parameter'],
      ['wait=0&object=x', dialect === 'classic' ? 404 : 400],
      ['wait=0&h5path=/none', 404],
    ]
    for (const [query, status, code] of rows) {
      for (const wait of query.includes('wait') ? [''] : ['', '&wait=0']) {
        const reply = await send('GET', `/events?${query}${wait}`, undefined, { undeclared: true })
        expect([query, reply.status], reply.story).toEqual([query, status])
        if (code !== undefined) expect(reply.json(), reply.story).toMatchObject({ code })
      }
    }
    const foreign = await newDomain()
    await want(404, send('GET', `/events?wait=0&object=${foreign.root}`))
  })

  test('a position that an EventSource has, and that is unknown, is answered with gone', async () => {
    const { send, root, stream } = await newDomain()
    const listener = await stream('', { headers: { 'last-event-id': '1-zzzzzzzz' } })
    const gone = await listener.next()
    expect(gone).toMatchObject({ name: 'gone', data: { id: listener.lastId, state: await stateOf(send) } })
    await want(201, send('PUT', `/groups/${root}/links/a`, { h5path: '/x' }))
    expect((await listener.events(1))[0].state).toBe(await stateOf(send))
    const headers = { 'last-event-id': '1-zzzzzzzz' }
    expect(await pageOf(send, 'wait=0', { headers })).toMatchObject({ gone: true, events: [] })
  })

  test('HEAD has the headers and ends', async () => {
    const { send } = await newDomain()
    const stream = await send('HEAD', '/events')
    expect([stream.status, stream.headers['content-type'], stream.text]).toEqual([
      200,
      'text/event-stream',
      '',
    ])
    const page = await send('HEAD', '/events?wait=0')
    expect([page.status, page.headers['content-type'], page.text]).toEqual([
      200,
      expect.stringContaining('application/json'),
      '',
    ])
    expect((await send('HEAD', '/events?since=x')).status).toBe(400)
  })

  test('with a required state: 412 if the domain has another one', async () => {
    const { send, root } = await newDomain()
    const state = await stateOf(send)
    const require = { headers: { 'if-state': state } }
    const { next } = await pageOf(send, 'wait=0', require)
    await want(201, send('PUT', `/groups/${root}/links/a`, { h5path: '/x' }))
    const refused = await send('GET', `/events?since=${next}`, undefined, require)
    expect([refused.status, refused.json()]).toEqual([
      412,
      expect.objectContaining({ code: 'state-changed' }),
    ])
    await want(412, send('GET', `/events?wait=60&since=${next}&state=${state}`))
    const page = await pageOf(send, `wait=60&since=${next}&state=${await stateOf(send)}`)
    expect(page.events).toHaveLength(1)
  })

  test('the end of the right to read ends the stream, and the next request says why', async () => {
    const { send, root, stream } = await newDomain()
    const put = (title: string) =>
      want(201, send('PUT', `/groups/${root}/links/${title}`, { h5path: '/x' }, { user: USER1 }))
    const all = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
    const none = Object.fromEntries(Object.keys(all).map(name => [name, false]))
    await want(201, send('PUT', `/acls/${USER1}`, all, { user: ADMIN }))
    await want(201, send('PUT', `/acls/${USER2}`, { read: true }, { user: ADMIN }))
    const listener = await stream('', { user: USER2 })
    await listener.next()
    await put('a')
    await listener.events(1)
    const waiting = send('GET', `/events?wait=600&since=${listener.lastId}`, undefined, { user: USER2 })
    const [reply, ended] = [waiting, listener.next()]
    await want(201, send('PUT', `/acls/${USER2}`, none, { user: ADMIN }))
    await want(201, send('PUT', '/acls/default', none, { user: ADMIN }))
    await put('b')
    await want(403, reply)
    // The event of the change itself may be seen by the callers that still have the right.
    for (let message = await ended; message; message = await listener.next())
      for (const { kind } of message.data.changes) expect(kind).toBe('acl')
    await want(403, send('GET', `/events?since=${listener.lastId}`, undefined, { user: USER2 }))
    const anonymous = send('GET', `/events?since=${listener.lastId}`, undefined, { user: undefined })
    await want(dialect === 'classic' ? 401 : 403, anonymous)
    // A caller that may read it goes on.
    const events = (await stream(`&since=${listener.lastId}`, { user: USER1 })).events(1)
    expect(await events).toHaveLength(1)
  })

  test('a listener gets the answer when its client has left and come back many times', async () => {
    const { send, root, stream } = await newDomain()
    const { next } = await pageOf(send, 'wait=0')
    for (let i = 0; i < 20; i++) {
      const listener = await stream(`&since=${next}`)
      listener.close()
    }
    await want(201, send('PUT', `/groups/${root}/links/a`, { h5path: '/x' }))
    expect((await (await stream(`&since=${next}`)).events(1))[0].state).toBe(await stateOf(send))
  })
})

describe('a domain', () => {
  test('is created, deleted and created again while its folder is listened to', async () => {
    const folder = `${HOME}/${uniqueName()}`
    const at = (path: string) => `/?domain=${path}`
    const user = { user: USER1 }
    await want(201, sendAny('PUT', at(folder), { folder: true }, user))
    const listener = await streamOf(`/events?domain=${folder}`, user)
    const since = (await listener.next())?.data.id
    const inner = `${folder}/inner`
    const path = `${inner}/run.h5`
    /** The event of a request: its domain, and the changes of the domain and its root group. */
    const eventOf = async (status: number, method: Method, target: string, body?: unknown) => {
      await want(status, sendAny(method, target, body, user))
      const [{ domain, changes }] = await listener.events(1)
      return [domain, ...changes.map(change => `${change.kind} ${change.class}`)]
    }
    expect(await eventOf(201, 'PUT', at(inner), { folder: true })).toEqual([inner, 'created folder'])
    const created = [path, 'created domain', 'created group']
    expect(await eventOf(201, 'PUT', at(path))).toEqual(created)
    const { root } = (await want(200, sendAny('GET', at(path), undefined, user))).json<{ root: string }>()
    const link = `/groups/${root}/links/a?domain=${path}`
    expect(await eventOf(201, 'PUT', link, { h5path: '/x' })).toEqual([path, 'links group'])
    expect(await eventOf(200, 'DELETE', at(path))).toEqual([path, 'deleted domain'])
    expect(await eventOf(201, 'PUT', at(path))).toEqual(created)
    expect(await eventOf(200, 'DELETE', at(path))).toEqual([path, 'deleted domain'])
    expect(await eventOf(200, 'DELETE', at(inner))).toEqual([inner, 'deleted folder'])
    // A listener that comes later gets no changes of a domain that is gone: its deletion says it all.
    const late = await streamOf(`/events?domain=${folder}&since=${since}`, user)
    const kinds = (await late.events(4)).map(({ domain, changes }) => [domain, changes[0].kind])
    expect(kinds).toEqual([
      [inner, 'created'],
      [path, 'deleted'],
      [path, 'deleted'],
      [inner, 'deleted'],
    ])
  })

  test('is listened to from the top level too', async () => {
    const listener = await streamOf('/events?domain=/', { user: USER1 })
    await listener.next()
    const { send, root, path } = await hsdsDomain()
    await want(201, send('PUT', `/groups/${root}/links/a`, { h5path: '/x' }))
    const kinds: string[] = []
    while (kinds.length < 2) {
      const [event] = await listener.events(1)
      if (event.domain === path) kinds.push(event.changes[0].kind)
    }
    expect(kinds).toEqual(['created', 'links'])
  })

  test('that is not there is 404, or as in every request of the classic dialect', async () => {
    await want(404, sendAny('GET', `/events?domain=${HOME}/none.h5`, undefined, { user: USER1 }))
    await want(404, sendAny('GET', `/events?wait=0&domain=${HOME}/none.h5`, undefined, { user: USER1 }))
    await want(404, sendAny('GET', '/events', undefined, { headers: { host: `none.test.${BASE_DOMAIN}` } }))
  })

  test('that its callers may not read: neither its changes nor its deletion are seen', async () => {
    const folder = `${HOME}/${uniqueName()}`
    const user = { user: USER1 }
    await want(201, sendAny('PUT', `/?domain=${folder}`, { folder: true }, user))
    await want(201, sendAny('PUT', `/acls/${USER2}?domain=${folder}`, { read: true }, user))
    const other = await streamOf(`/events?domain=${folder}`, { user: USER2 })
    const own = await streamOf(`/events?domain=${folder}`, user)
    await other.next()
    await own.next()
    const closed = `${folder}/closed.h5`
    const open = `${folder}/open.h5`
    const none = { read: false }
    for (const path of [closed, open]) {
      await want(201, sendAny('PUT', `/?domain=${path}`, undefined, user))
      const body = path === open ? { read: true } : none
      for (const name of ['default', USER2])
        await want(201, sendAny('PUT', `/acls/${name}?domain=${path}`, body, user))
    }
    const { id: since } = (await own.events(6))[5]
    const late = await streamOf(`/events?domain=${folder}&since=${since}`, { user: USER2 })
    await want(200, sendAny('DELETE', `/?domain=${closed}`, undefined, user))
    await want(200, sendAny('DELETE', `/?domain=${open}`, undefined, user))
    expect((await own.events(2)).map(({ domain }) => domain)).toEqual([closed, open])
    const [deletion] = await late.events(1)
    expect([deletion.domain, deletion.changes]).toEqual([open, [{ kind: 'deleted', class: 'domain' }]])
    for (;;) {
      const [event] = await other.events(1)
      // A new domain can be read by all until it gets its list.
      if (event.domain === closed) expect(event.changes.map(({ kind }) => kind)).not.toContain('deleted')
      if (event.domain === open && event.changes[0].kind === 'deleted') break
    }
  })
})

describe('an object with a list of its own, in the classic dialect', () => {
  async function hiddenDataset() {
    const domain = await classicDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2] })
    const admin = { user: ADMIN }
    await want(201, domain.send('PUT', `/datasets/${id}/acls/default`, { read: false }, admin))
    return { ...domain, id, admin }
  }

  test('is hidden from listeners that may not read it, also when it is deleted', async () => {
    const { send, root, stream, id, admin } = await hiddenDataset()
    const other = await stream()
    const own = await stream('', admin)
    for (const listener of [other, own]) await listener.next()
    await want(200, send('PUT', `/datasets/${id}/value`, { value: [1, 2] }, admin))
    await want(200, send('DELETE', `/datasets/${id}`, undefined, admin))
    await want(201, send('PUT', `/groups/${root}/links/a`, { h5path: '/x' }, admin))
    const kinds = (events: readonly FeedEvent[]) =>
      events.map(({ changes }) => changes.filter(change => change.id === id).map(({ kind }) => kind))
    expect(kinds(await own.events(3))).toEqual([['values'], ['deleted'], []])
    const [event] = await other.events(1)
    expect(event.changes).toEqual([{ kind: 'links', class: 'group', id: root, h5path: '/' }])
    const late = await pageOf(send, `wait=0&since=${(await pageOf(send, 'wait=0')).next}`)
    expect(late.events).toEqual([])
  })

  test('cannot be listened to', async () => {
    const { send, id, admin } = await hiddenDataset()
    await want(401, send('GET', `/events?object=${id}`))
    await want(403, send('GET', `/events?wait=0&object=${id}`, undefined, { user: USER2 }))
    expect(await pageOf(send, `wait=0&object=${id}`, admin)).toMatchObject({ events: [] })
  })

  test('that is hidden later: listeners that come back do not see its earlier changes', async () => {
    const { send, stream, dataset } = await classicDomain()
    const id = await dataset({ type: 'H5T_STD_I8LE', shape: [2] })
    const { next } = await pageOf(send, 'wait=0')
    const stays = await stream(`&since=${next}`)
    await want(200, send('PUT', `/datasets/${id}/value`, { value: [1, 2] }))
    const [values] = await stays.events(1)
    expect(values.changes).toEqual([expect.objectContaining({ kind: 'values', id })])
    await want(201, send('PUT', `/datasets/${id}/acls/default`, { read: false }, { user: ADMIN }))
    const events = (await pageOf(send, `wait=0&since=${next}`)).events
    for (const { changes } of events) expect(changes.map(change => change.id)).not.toContain(id)
  })
})
