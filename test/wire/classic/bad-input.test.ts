// Bad input of every kind, over every endpoint that takes a body or a parameter: each request gets a 4xx whose body
// says what was wrong (common 6), never a 500, and the domain is afterwards as it was before.

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { type Fields, type Method, type Reply, USER1 } from '../client.ts'
import { DEEP, NO_OBJECTS } from '../no-objects.ts'
import { type Domain, expectRefusal, newDomain } from './domain.ts'

const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'
const I32 = 'H5T_STD_I32LE'
const LONG = 'n'.repeat(2_000_000)

interface TestDomain {
  readonly domain: Domain
  readonly root: string
  readonly group: string
  readonly dataset: string
  readonly datatype: string
}

async function furnished(): Promise<TestDomain> {
  const domain = await newDomain()
  const { root } = domain
  const group = await domain.group('group')
  const datatype = await domain.datatype({ type: I32, link: { id: group, name: 'datatype' } })
  const link = { id: group, name: 'dataset' }
  const dataset = await domain.dataset({ type: I32, shape: [4, 6], maxdims: [10, 6], link })
  await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value: Array(4).fill([1, 2, 3, 4, 5, 6]) })
  await domain.want(201, 'PUT', `/groups/${root}/attributes/a`, { type: I32, value: 1 })
  return { domain, root, group, dataset, datatype }
}

/** All that a client can see of the domain. */
async function everything({ domain, root, group, dataset, datatype }: TestDomain): Promise<unknown> {
  const paths = ['/', '/groups', '/datasets', '/datatypes', '/acls', `/groups/${root}`, `/groups/${group}`]
  for (const object of [
    `/groups/${root}`,
    `/groups/${group}`,
    `/datasets/${dataset}`,
    `/datatypes/${datatype}`,
  ]) {
    paths.push(object, `${object}/attributes`, `${object}/acls`)
  }
  paths.push(`/groups/${root}/links`, `/groups/${group}/links`, `/datasets/${dataset}/value`)
  const seen: Record<string, unknown> = {}
  for (const path of paths) seen[path] = await domain.want(200, 'GET', path)
  return seen
}

/** Sends every bad request of a list, then asserts that all were refused and nothing has changed. */
async function refuseAll(
  target: TestDomain,
  requests: Iterable<readonly [Method, string, unknown]>,
  statuses: readonly number[] = [400],
): Promise<void> {
  const before = await everything(target)
  for (const [method, path, body] of requests) {
    const reply = await target.domain.send(method, path, body)
    expectRefusal(withBody(reply, body), ...statuses)
  }
  expect(await everything(target)).toEqual(before)
}

/** The request's body added to the story, so that a failure says which row it was. */
function withBody(reply: Reply, body: unknown): Reply {
  const shown = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'no body')
  return { ...reply, story: `${reply.story} for ${shown.slice(0, 200)}` }
}

/** Each endpoint that takes a body, with a good one of which every field is then spoilt. */
const ENDPOINTS: Readonly<
  Record<string, (target: TestDomain) => { method: Method; path: string; good: Fields; bodiless?: true }>
> = {
  'POST /groups': ({ root }) => ({
    method: 'POST',
    path: '/groups',
    good: { link: { id: root, name: 'n' } },
    bodiless: true,
  }),
  'POST /datasets': ({ root }) => ({
    method: 'POST',
    path: '/datasets',
    good: {
      type: I32,
      shape: [4, 5],
      maxdims: [0, 5],
      creationProperties: {
        layout: { class: 'H5D_CHUNKED', dims: [2, 2] },
        filters: [{ id: 1, level: 4 }],
        fillValue: 3,
      },
      link: { id: root, name: 'n' },
    },
  }),
  'POST /datatypes': ({ root }) => ({
    method: 'POST',
    path: '/datatypes',
    good: { type: I32, link: { id: root, name: 'n' } },
  }),
  'PUT hard link': ({ group, root }) => ({
    method: 'PUT',
    path: `/groups/${root}/links/n`,
    good: { id: group },
  }),
  'PUT external link': ({ root }) => ({
    method: 'PUT',
    path: `/groups/${root}/links/n`,
    good: { h5path: '/a', h5domain: 'b' },
  }),
  'PUT attribute of a group': ({ root }) => ({
    method: 'PUT',
    path: `/groups/${root}/attributes/n`,
    good: { type: I32, shape: [2], value: [1, 2] },
  }),
  'PUT attribute of a dataset': ({ dataset }) => ({
    method: 'PUT',
    path: `/datasets/${dataset}/attributes/n`,
    good: { type: I32, shape: [2], value: [1, 2] },
  }),
  'PUT attribute of a datatype': ({ datatype }) => ({
    method: 'PUT',
    path: `/datatypes/${datatype}/attributes/n`,
    good: { type: I32, shape: [2], value: [1, 2] },
  }),
  'PUT shape': ({ dataset }) => ({
    method: 'PUT',
    path: `/datasets/${dataset}/shape`,
    good: { shape: [5, 6] },
  }),
  'PUT value': ({ dataset }) => ({
    method: 'PUT',
    path: `/datasets/${dataset}/value`,
    good: { start: [1, 1], stop: [2, 3], step: [1, 1], value: [[1, 2]] },
  }),
  'PUT value of points': ({ dataset }) => ({
    method: 'PUT',
    path: `/datasets/${dataset}/value`,
    good: { points: [[1, 1]], value: [1] },
  }),
  'PUT value in Base64': ({ dataset }) => ({
    method: 'PUT',
    path: `/datasets/${dataset}/value`,
    good: { start: [0, 0], stop: [1, 1], value_base64: 'AQAAAA==' },
  }),
  'POST value': ({ dataset }) => ({
    method: 'POST',
    path: `/datasets/${dataset}/value`,
    good: { points: [[1, 1]] },
  }),
  'PUT one ACL item': () => ({ method: 'PUT', path: `/acls/${USER1}`, good: { read: true } }),
  'PUT ACL items': ({ group }) => ({
    method: 'PUT',
    path: `/groups/${group}/acls`,
    good: { acls: [{ userName: USER1, read: true }] },
  }),
}

/** JSON values that only a few fields accept. */
const WRONG = [
  'true',
  '{}',
  '{"a": 1}',
  '"\\u0000"',
  '[[[[1]]]]',
  '[null]',
  '[{}]',
  '["x", 1]',
  '-1',
  '1.5',
  '1e308',
  '1e999',
]

/** Further wrong values by field, and the ones of WRONG that a field does accept. */
const BY_FIELD: Readonly<
  Record<string, { readonly more?: readonly string[]; readonly fine?: readonly string[] }>
> = {
  type: {
    more: ['""', '"x"', '5', 'null', '[]', '{"class": "H5T_FOO"}', '{"class": 5}', `"${'x'.repeat(1e6)}"`],
  },
  shape: {
    more: [
      '"x"',
      'null',
      '[-1, 5]',
      '[1.5, 5]',
      '["4", 5]',
      '[[4], 5]',
      '[true, 5]',
      '[1e308, 5]',
      '[1152921504606846976, 5]',
      '1152921504606846976',
      '[99999999999999999999999, 5]',
      `[${Array(1_000_000).fill('1')}]`,
      '[NaN, 5]',
      '{"dims": [4, 5]}',
    ],
  },
  maxdims: {
    more: [
      '"x"',
      'null',
      '[-1, 5]',
      '[1.5, 5]',
      '["4", 5]',
      '[0]',
      '[0, 5, 5]',
      '[3, 5]',
      '[1e308, 5]',
      `[${Array(1_000_000).fill('0')}]`,
    ],
  },
  creationProperties: { more: ['5', '"x"', '[]'], fine: ['{}', '{"a": 1}'] },
  layout: { more: ['5', '"x"', '[]', '{"class": "H5D_CHUNKED"}', '{"class": "H5D_CHUNKED", "dims": 5}'] },
  dims: {
    more: [
      '"x"',
      'null',
      '[0, 2]',
      '[-1, 2]',
      '[1.5, 2]',
      '[2]',
      '[2, 2, 2]',
      '[2, 6]',
      '[1e308, 2]',
      '["2", 2]',
    ],
  },
  class: { more: ['"H5D_FOO"', '5', 'null'] },
  filters: {
    more: [
      '5',
      '"x"',
      '[5]',
      '[{"level": 1}]',
      '[{"id": "x"}]',
      '[{"id": 1.5}]',
      '[{"id": -1}]',
      '[{"id": 1, "level": 99}]',
    ],
  },
  fillValue: { more: ['"x"', '[]', '[1, 2]'], fine: ['-1', '1.5', '1e308', 'true', '[[[[1]]]]'] },
  link: { more: ['5', '"x"', '[]', '{"id": "x"}', '{"name": "x"}'] },
  id: { more: ['5', 'null', '""', '[]'] },
  name: { more: ['5', 'null', '""', '[]', '"a/b"', '"/"', '"a\\u0000b"', `"${LONG}"`, '"\\ud800"'] },
  h5path: { more: ['5', 'null', '""', '[]'], fine: ['"\\u0000"'] },
  h5domain: { more: ['5', '[]'], fine: ['"\\u0000"'] },
  value: {
    more: ['"x"', '[]', '[1]]', '{', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`],
    fine: ['-1', '1.5', '1e308', 'true', '[[[[1]]]]'],
  },
  value_base64: {
    more: [
      '5',
      'null',
      '""',
      '"*"',
      '"AQAAAA"',
      '"AQAAAA="',
      '"AQAA AA=="',
      '"AQAAAQAAAA=="',
      '"AQ=="',
      '[]',
    ],
  },
  start: {
    more: [
      '"x"',
      '[1]',
      '[1, 1, 1]',
      '[-1, 1]',
      '[1.5, 1]',
      '[4, 0]',
      '[1e308, 0]',
      '[true, 1]',
      '[18446744073709551616, 1]',
    ],
  },
  stop: { more: ['"x"', '[2]', '[0, 1]', '[5, 3]', '[2.5, 3]', '[1e308, 3]', '[18446744073709551616, 3]'] },
  step: { more: ['"x"', '[1]', '[-1, 1]', '[1.5, 1]', '[9, 1]', '[1e308, 1]'] },
  points: {
    more: [
      '5',
      '"x"',
      'null',
      '[1]',
      '[[1]]',
      '[[1, 1, 1]]',
      '[[1, 1.5]]',
      '[[-1, 0]]',
      '[[4, 0]]',
      '[[1e308, 0]]',
      '[["1", 0]]',
      '[[1, 1], 5]',
    ],
  },
  acls: {
    more: [
      '5',
      '"x"',
      'null',
      '[5]',
      '[{"read": true}]',
      '[{"userName": 5, "read": true}]',
      '[{"userName": "nosuchuser", "read": true}]',
    ],
  },
}

/** The paths of all fields of a body, at any depth. */
function fieldsOf(body: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return Object.entries(body).flatMap(([key, value]) => [[...at, key], ...fieldsOf(value, [...at, key])])
}

const HOLE = '@@HOLE@@'

/** The text of a body in which one field has another JSON text. */
function spoilt(body: Fields, field: readonly string[], text: string): string {
  const copy = structuredClone(body)
  let holder = copy as Record<string, unknown> // a copy of our own: it may be changed
  for (const key of field.slice(0, -1)) holder = holder[key] as Record<string, unknown>
  holder[field.at(-1) ?? ''] = HOLE
  return JSON.stringify(copy).replace(`"${HOLE}"`, () => text)
}

describe.each(Object.entries(ENDPOINTS))('%s', (_name, endpoint) => {
  test('a body that is no JSON object is 400 and changes nothing', async () => {
    const target = await furnished()
    const { method, path, bodiless } = endpoint(target)
    const bodies: (string | Buffer | undefined)[] = Object.values(NO_OBJECTS)
    if (!bodiless) bodies.push('', ' ', undefined, 'null')
    await refuseAll(
      target,
      bodies.map(body => [method, path, body]),
    )
  })

  test('a field of the wrong kind is 4xx and changes nothing', async () => {
    const target = await furnished()
    const { method, path, good } = endpoint(target)
    const requests: [Method, string, unknown][] = []
    for (const field of fieldsOf(good)) {
      // Flags are taken by truthiness (classic 10.3); a filter's options belong to the filter.
      const rule = BY_FIELD[field.at(-1) ?? '']
      if (rule === undefined) continue
      const texts = [...WRONG.filter(text => !rule.fine?.includes(text)), ...(rule.more ?? [])]
      for (const text of texts) {
        requests.push([method, path, spoilt(good, field, text)])
      }
    }
    await refuseAll(target, requests, [400, 404, 413])
  })
})

describe('paths and parameters', () => {
  test.each([
    '/groups/ID/links/n/m',
    '/groups/ID/links/n%2Fm',
    '/groups/ID/links/%00',
    '/groups/ID/links/%',
    '/groups/ID/links/%ff',
    '/groups/ID/links/a%00b',
    '/groups/ID/attributes/%00',
    '/groups/ID/attributes/%E0%80%80',
  ])('a name that cannot be: %s is 400', async path => {
    const target = await furnished()
    const url = path.replace('ID', target.root)
    const body = path.includes('links') ? { h5path: '/x' } : { type: I32, value: 1 }
    await refuseAll(target, [
      ['PUT', url, body],
      ['DELETE', url, undefined],
    ])
  })

  test('an id that cannot be is 404 or 400', async () => {
    const target = await furnished()
    const ids = [
      'x',
      '..',
      '%2e%2e',
      '%00',
      '-1',
      '0',
      UNKNOWN_ID,
      UNKNOWN_ID.replace('-', ''),
      'x'.repeat(5000),
      '数',
    ]
    const requests = ids.flatMap((id): [Method, string, undefined][] =>
      ['groups', 'datasets', 'datatypes'].flatMap((collection): [Method, string, undefined][] => [
        ['GET', `/${collection}/${encodeURI(id)}`, undefined],
        ['DELETE', `/${collection}/${encodeURI(id)}`, undefined],
        ['GET', `/${collection}/${encodeURI(id)}/attributes`, undefined],
      ]),
    )
    await refuseAll(target, requests, [400, 404])
  })

  test('Limit and select that cannot be are 400', async () => {
    const target = await furnished()
    const limits = ['x', '1.5', '1e3', 'NaN', '%', '1%00', '[]']
    const selects = [
      '[',
      '[0:4,0:7]',
      '[1e308,0]',
      '[0:18446744073709551616,:]',
      `[${'0,'.repeat(2000)}0]`,
      '%',
      'null',
    ]
    await refuseAll(target, [
      ...limits.map((limit): [Method, string, undefined] => [
        'GET',
        `/groups/${target.root}/links?Limit=${limit}`,
        undefined,
      ]),
      ...limits.map((limit): [Method, string, undefined] => ['GET', `/datasets?Limit=${limit}`, undefined]),
      ...selects.map((select): [Method, string, undefined] => [
        'GET',
        `/datasets/${target.dataset}/value?select=${select}`,
        undefined,
      ]),
    ])
  })

  test('a name of 10,000 bytes in the address is a name like any other', async () => {
    const { domain, root } = await furnished()
    const path = `/groups/${root}/links/${'n'.repeat(10_000)}`
    await domain.refuse(404, 'GET', path)
    await domain.want(201, 'PUT', path, { h5path: '/x' })
    expect((await domain.want(200, 'GET', path)).link).toMatchObject({ title: 'n'.repeat(10_000) })
    const attribute = `/groups/${root}/attributes/${'n'.repeat(10_000)}`
    await domain.want(201, 'PUT', attribute, { type: I32, value: 1 })
    expect((await domain.want(200, 'GET', attribute)).name).toHaveLength(10_000)
    await domain.want(200, 'DELETE', attribute)
  })

  test('an address of a megabyte is 4xx', async () => {
    const { domain, root } = await furnished()
    const target = `/groups/${root}/links/${'n'.repeat(1_000_000)}`
    const long = domain.send('PUT', target, { h5path: '/x' }, { alone: true })
    // The server may end the connection while the request is still being sent.
    const status = await long.then(
      reply => reply.status,
      () => 431,
    )
    expect([400, 413, 414, 431]).toContain(status)
    await domain.want(200, 'GET', '/')
  })
})

test('what is no HTTP at all is 400, and the body says so', async () => {
  const { hostname, port } = new URL(inject('address'))
  const socket = connect(Number(port), hostname)
  socket.end('NONSENSE\r\n\r\n')
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(body)).toEqual({
    status: 400,
    code: expect.stringMatching(/^[a-z-]+$/),
    message: expect.stringMatching(/\S/),
  })
})

test('what was written is checked against the limits of its type before anything is stored', async () => {
  const target = await furnished()
  const wide = 'H5T_STD_I8LE'
  await refuseAll(target, [
    ['POST', '/datatypes', { type: { class: 'H5T_ARRAY', base: wide, dims: [2 ** 31, 2 ** 31] } }],
    ['POST', '/datatypes', { type: { class: 'H5T_OPAQUE', size: 1e308 } }],
    ['POST', '/datatypes', { type: { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 1e308 } }],
    [
      'POST',
      '/datatypes',
      { type: { class: 'H5T_ENUM', base: { class: 'H5T_INTEGER', base: wide }, mapping: { A: 1000 } } },
    ],
    ['POST', '/datasets', { type: wide, shape: Array(33).fill(1) }],
  ])
})
