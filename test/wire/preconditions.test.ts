// Conditions of writes, If-Match and If-None-Match (RFC 9110, 13.1), in both dialects: by the entity tags that GET of
// the same path gives, and so that of several writers that have read the same exactly one writes.

import { beforeAll, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import { ADMIN, type Method, type Options, type Reply, USER1, USER2 } from './client.ts'
import { makeHome, newDomain as newHsdsDomain } from './hsds/domain.ts'

const I8 = 'H5T_STD_I8LE'
const OCTETS = 'application/octet-stream'

beforeAll(makeHome)

type Send = (method: Method, target: string, body?: unknown, options?: Options) => Promise<Reply>

interface TestDomain {
  readonly send: Send
  readonly root: string
  readonly group: string
  readonly dataset: string
  readonly datatype: string
}

type DialectName = 'classic' | 'hsds'

/** A domain with a group that has a link and an attribute, a dataset with values, and a committed datatype. */
async function newTestDomain(dialect: DialectName): Promise<TestDomain> {
  const domain = dialect === 'classic' ? await newClassicDomain() : await newHsdsDomain()
  const { send, root } = domain
  const group = await domain.group('g')
  const link = (name: string) => ({ link: { id: root, name } })
  const dataset = await domain.dataset({ type: I8, shape: [4], maxdims: [100], ...link('d') })
  const datatype = await domain.datatype({ type: I8, ...link('t') })
  await domain.want(201, 'PUT', `/groups/${group}/attributes/a`, { type: I8, value: 1 })
  await domain.want(201, 'PUT', `/groups/${group}/links/l`, { h5path: '/x' })
  await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value: [1, 2, 3, 4] })
  await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })
  return { send, root, group, dataset, datatype }
}

async function tagOf({ send }: TestDomain, path: string, headers = {}): Promise<string> {
  const reply = await send('GET', path, undefined, { headers })
  expect(reply.status, reply.story).toBe(200)
  const tag = reply.headers.etag
  expect(tag, reply.story).toMatch(/^"[^"]+"$/)
  return String(tag)
}

function sendIf(
  tested: TestDomain,
  request: Write,
  headers: Options['headers'],
  more: Options = {},
): Promise<Reply> {
  const [method, target, body, options] = request
  return tested.send(method, target, body, {
    ...options,
    ...more,
    headers: { ...options?.headers, ...headers },
  })
}

function expectFailed(reply: Reply): void {
  expect(reply.status, reply.story).toBe(412)
  expect(reply.json()).toMatchObject({ status: 412, code: 'precondition-failed' })
}

type Write = [method: Method, target: string, body?: unknown, options?: Options]

interface Row {
  readonly title: string
  readonly only?: DialectName
  /** The path that GET reads. */
  readonly path: (tested: TestDomain) => string
  readonly write: (tested: TestDomain, path: string) => Write
}

const bytes = { headers: { 'content-type': OCTETS } }
const dataset = ({ dataset }: TestDomain) => `/datasets/${dataset}`
const value = (tested: TestDomain) => `${dataset(tested)}/value`
const attribute = ({ group }: TestDomain) => `/groups/${group}/attributes/a`
const link = ({ group }: TestDomain) => `/groups/${group}/links/l`

const ROWS: readonly Row[] = [
  { title: 'JSON values', path: value, write: (_, path) => ['PUT', path, { value: [5, 6, 7, 8] }] },
  { title: 'values as bytes', path: value, write: (_, path) => ['PUT', path, Buffer.alloc(4, 9), bytes] },
  {
    title: 'values of a selection in the body',
    path: value,
    write: (_, path) => ['PUT', path, { start: [1], stop: [2], value: [9] }],
  },
  {
    title: 'values of a selection in the query',
    only: 'hsds',
    path: tested => `${value(tested)}?select=[1:3]`,
    write: (_, path) => ['PUT', path, { value: [8, 9] }],
  },
  {
    title: 'values of a selection by the tag of all',
    only: 'hsds',
    path: value,
    write: (_, path) => ['PUT', `${path}?select=[1:3]`, { value: [8, 9] }],
  },
  {
    title: 'a shape',
    path: tested => `${dataset(tested)}/shape`,
    write: (_, path) => ['PUT', path, { shape: [6] }],
  },
  {
    title: 'an attribute, replaced',
    only: 'hsds',
    path: attribute,
    write: (_, path) => ['PUT', `${path}?replace=1`, { type: I8, value: 2 }],
  },
  {
    title: 'the value of an attribute',
    only: 'hsds',
    path: tested => `${attribute(tested)}/value`,
    write: (_, path) => ['PUT', path, { value: 2 }],
  },
  { title: 'an attribute, deleted', path: attribute, write: (_, path) => ['DELETE', path] },
  { title: 'a link, deleted', path: link, write: (_, path) => ['DELETE', path] },
  {
    title: 'an item of a list',
    path: () => `/acls/${USER2}`,
    write: (_, path) => ['PUT', path, { read: false }],
  },
  {
    title: 'a list',
    path: () => '/acls',
    write: (_, path) => ['PUT', path, { acls: [{ userName: USER2, read: false }] }],
  },
  {
    title: 'a list of an object',
    only: 'classic',
    path: tested => `${dataset(tested)}/acls`,
    write: (_, path) => ['PUT', path, { acls: [{ userName: USER2, read: false }] }],
  },
  {
    title: 'several links',
    only: 'hsds',
    path: ({ group }) => `/groups/${group}/links`,
    write: (_, path) => ['PUT', path, { links: { m: { h5path: '/y' } } }],
  },
  { title: 'a dataset, deleted', path: dataset, write: (_, path) => ['DELETE', path] },
  {
    title: 'a group, deleted',
    path: ({ group }) => `/groups/${group}`,
    write: (_, path) => ['DELETE', path],
  },
  {
    title: 'a datatype, deleted',
    path: ({ datatype }) => `/datatypes/${datatype}`,
    write: (_, path) => ['DELETE', path],
  },
  { title: 'a domain, deleted', path: () => '/', write: (_, path) => ['DELETE', path] },
]

const CASES = (['classic', 'hsds'] as const).flatMap(dialect =>
  ROWS.filter(({ only = dialect }) => only === dialect).map(row => ({ dialect, ...row })),
)

test.each(CASES)('$dialect: $title', async ({ dialect, path: pathOf, write: writeOf }) => {
  const tested = await newTestDomain(dialect)
  const path = pathOf(tested)
  const write = writeOf(tested, path)
  const tag = await tagOf(tested, path)
  for (const headers of [
    { 'if-match': '"0123456789"' },
    { 'if-match': '"0123456789", W/"x"' },
    { 'if-match': `W/${tag}` },
    { 'if-none-match': tag },
    { 'if-none-match': `"x" , W/${tag}` },
    { 'if-none-match': '*' },
    { 'if-match': tag, 'if-none-match': '*' },
    { 'if-match': '"x"', 'if-none-match': '"x"' },
  ]) {
    expectFailed(await sendIf(tested, write, headers))
    expect(await tagOf(tested, path), JSON.stringify(headers)).toBe(tag)
  }
  const done = await sendIf(tested, write, { 'if-match': `"x",, ${tag}`, 'if-none-match': '"y"' })
  expect(done.status, done.story).toBeGreaterThanOrEqual(200)
  expect(done.status, done.story).toBeLessThan(300)
  // An object that is gone is reported as without conditions.
  const again = await sendIf(tested, write, { 'if-match': tag })
  expect([404, 410, 412], again.story).toContain(again.status)
})

describe.each(['classic', 'hsds'] as const)('%s', dialect => {
  const creations: [string, (tested: TestDomain) => Write][] = [
    ['a link', ({ group }) => ['PUT', `/groups/${group}/links/new`, { h5path: '/y' }]],
    ['an attribute', ({ group }) => ['PUT', `/groups/${group}/attributes/new`, { type: I8, value: 2 }]],
  ]
  test.each(creations)('%s is made only where there is none with *', async (_, writeOf) => {
    const tested = await newTestDomain(dialect)
    const write = writeOf(tested)
    expectFailed(await sendIf(tested, write, { 'if-match': '*' }))
    expectFailed(await sendIf(tested, write, { 'if-match': '"x"' }))
    const made = await sendIf(tested, write, { 'if-none-match': '*' })
    expect(made.status, made.story).toBe(201)
    expectFailed(await sendIf(tested, write, { 'if-none-match': '*' }))
    const removed = await sendIf(tested, ['DELETE', write[1]], { 'if-match': '*' })
    expect(removed.status, removed.story).toBe(200)
    expectFailed(await sendIf(tested, ['DELETE', write[1]], { 'if-match': '*' }))
  })

  test('the tag of any form of the same values counts', async () => {
    for (const headers of [
      { accept: OCTETS },
      { accept: 'application/json' },
      { accept: 'text/html, */*' },
      { origin: 'https://evil.example', 'sec-fetch-mode': 'cors' },
    ]) {
      const tested = await newTestDomain(dialect)
      const tag = await tagOf(tested, value(tested), headers)
      const write: Write = ['PUT', value(tested), { value: [5, 6, 7, 8] }]
      expectFailed(await sendIf(tested, write, { 'if-none-match': tag }))
      const reply = await sendIf(tested, write, { 'if-match': tag })
      expect(reply.status, reply.story).toBe(200)
      expectFailed(await sendIf(tested, write, { 'if-match': tag }))
    }
  })

  test('values that have no JSON form or are not UTF-8 are written by the tag of their bytes', async () => {
    const tested = await newTestDomain(dialect)
    const type = { class: 'H5T_OPAQUE', size: 2 }
    const made = await tested.send('POST', '/datasets', { type, shape: [2] })
    const path = `/datasets/${made.json().id}/value`
    const write: Write = ['PUT', path, Buffer.alloc(4, 9), bytes]
    const tag = await tagOf(tested, path, { accept: OCTETS })
    expect((await sendIf(tested, write, { 'if-match': tag })).status).toBe(200)
    expectFailed(await sendIf(tested, write, { 'if-match': tag }))
  })

  test.each(['x', '"x', 'W/x', '"a" "b"', '*, "x"', '', ','])('%j is no condition', async text => {
    const tested = await newTestDomain(dialect)
    for (const name of ['if-match', 'if-none-match']) {
      const reply = await sendIf(tested, ['DELETE', link(tested)], { [name]: text })
      expect(reply.status, reply.story).toBe(400)
      expect(reply.json().code).toBe('malformed-precondition')
    }
    await tagOf(tested, link(tested))
  })

  test('conditions of GET are what they were, and POST has none', async () => {
    const tested = await newTestDomain(dialect)
    const tag = await tagOf(tested, link(tested))
    const get = (headers: Options['headers']) => sendIf(tested, ['GET', link(tested)], headers)
    expect((await get({ 'if-none-match': `"x", ${tag}` })).status).toBe(304)
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
    expect((await sendIf(tested, ['POST', '/groups', {}], { 'if-match': '"x"' })).status).toBe(201)
  })

  test('a caller that may write but not read learns nothing of the tag, and one that may not write gets 403', async () => {
    const tested = await newTestDomain(dialect)
    const acl = { create: true, update: true, delete: true, readACL: true, updateACL: true }
    const set = async (userName: string, item: object) => {
      const reply = await tested.send('PUT', `/acls/${userName}`, item, { user: ADMIN })
      expect(reply.status, reply.story).toBe(201)
    }
    const tag = await tagOf(tested, value(tested))
    await set(USER1, { ...acl, read: true })
    await set('default', Object.fromEntries([...Object.keys(acl), 'read'].map(flag => [flag, false])))
    await set(USER2, { ...acl, read: false })
    const write: Write = ['PUT', value(tested), { value: [5, 6, 7, 8] }]
    for (const condition of [tag, '"x"']) {
      const reply = await sendIf(tested, write, { 'if-match': condition }, { user: USER2 })
      expect(reply.status, reply.story).toBe(403)
    }
    await set(USER2, { ...acl, update: false, read: true })
    const reply = await sendIf(tested, write, { 'if-match': '"x"' }, { user: USER2 })
    expect(reply.status, reply.story).toBe(403)
    const read = await tested.send('GET', value(tested), undefined, { user: ADMIN })
    expect(read.headers.etag, read.story).toBe(tag)
  })
})

describe.each(['classic', 'hsds'] as const)(
  '%s: of writers with the same condition exactly one writes',
  dialect => {
    const WRITERS = 16
    const races: [
      string,
      (
        tested: TestDomain,
      ) => Promise<{ condition: Record<string, string>; write: (writer: number) => Write }>,
    ][] = [
      [
        'values',
        async tested => ({
          condition: { 'if-match': await tagOf(tested, value(tested)) },
          write: writer => ['PUT', value(tested), { value: [writer, writer, writer, writer] }],
        }),
      ],
      [
        'one value each',
        async tested => ({
          condition: { 'if-match': await tagOf(tested, value(tested)) },
          write: writer => [
            'PUT',
            value(tested),
            { start: [writer % 4], stop: [(writer % 4) + 1], value: [writer] },
          ],
        }),
      ],
      [
        'values whose body is read as it comes',
        async tested => {
          const made = await tested.send('POST', '/datasets', { type: I8, shape: [1 << 20] })
          const path = `/datasets/${made.json().id}/value`
          return {
            condition: { 'if-match': await tagOf(tested, path, { accept: OCTETS }) },
            write: writer => ['PUT', path, Buffer.alloc(1 << 20, writer), bytes],
          }
        },
      ],
      [
        'a shape',
        async tested => ({
          condition: { 'if-match': await tagOf(tested, `${dataset(tested)}/shape`) },
          write: writer => ['PUT', `${dataset(tested)}/shape`, { shape: [10 + writer] }],
        }),
      ],
      [
        'a link that is made',
        async ({ group }) => ({
          condition: { 'if-none-match': '*' },
          write: writer => ['PUT', `/groups/${group}/links/new`, { h5path: `/${writer}` }],
        }),
      ],
      [
        'an attribute that is deleted',
        async tested => ({
          condition: { 'if-match': await tagOf(tested, attribute(tested)) },
          write: () => ['DELETE', attribute(tested)],
        }),
      ],
      [
        'an item of a list',
        async tested => ({
          condition: { 'if-match': await tagOf(tested, `/acls/${USER2}`) },
          write: writer => ['PUT', `/acls/${USER2}`, { create: writer % 2 === 0, update: true }],
        }),
      ],
    ]
    test.each(races)('%s', async (_, prepare) => {
      const tested = await newTestDomain(dialect)
      const { condition, write } = await prepare(tested)
      const replies = await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) => sendIf(tested, write(writer), condition)),
      )
      const done = replies.filter(({ status }) => status < 300)
      expect(done.length, replies.map(({ story }) => story).join('\n')).toBe(1)
      for (const reply of replies) if (!done.includes(reply)) expectFailed(reply)
    })

    test('a counter that all increase by reading and writing loses nothing', async () => {
      const tested = await newTestDomain(dialect)
      await tested.send('PUT', value(tested), { value: [0, 0, 0, 0] })
      const increase = async (): Promise<void> => {
        for (;;) {
          const read = await tested.send('GET', value(tested))
          const { value: values } = read.json<{ value: number[] }>()
          const write: Write = ['PUT', value(tested), { value: values.map(number => number + 1) }]
          const reply = await sendIf(tested, write, { 'if-match': String(read.headers.etag) })
          if (reply.status === 200) return
          expectFailed(reply)
        }
      }
      await Promise.all(Array.from({ length: 10 }, increase))
      expect((await tested.send('GET', value(tested))).json().value).toEqual([10, 10, 10, 10])
    })
  },
)
