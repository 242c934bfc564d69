// Requests that no client means: random hosts, targets, headers and bodies around real ones. Whatever comes, the
// answer is none of ours to blame (no 5xx but 501), an error says why, and the service still answers afterwards.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newDomain } from './classic/domain.ts'
import { BASE_DOMAIN, type Method, send } from './client.ts'
import { unicodeString } from './unicode.ts'

const RUNS = 400

/** Bytes that may be in a header or a request line. */
const latin1 = fc
  .array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 24 })
  .map(codes => String.fromCharCode(...codes.filter(code => code !== 0x7f)))
const pathText = latin1.map(text => text.replace(/[^\x21-\x7e]/g, '%'))
const method = fc.constantFrom<Method>('GET', 'PUT', 'POST', 'DELETE')

const json = fc.oneof(
  { weight: 3, arbitrary: fc.json() },
  fc.string(),
  fc.constantFrom('{', '{"type":', '[', 'null', 'NaN', '{"value":[1,2', '{"link":{}}', '{"shape":[1e400]}'),
  fc
    .dictionary(
      fc.constantFrom(
        'type',
        'shape',
        'maxdims',
        'link',
        'value',
        'id',
        'h5path',
        'values',
        'points',
        'start',
        'stop',
        'acls',
      ),
      fc.jsonValue(),
    )
    .map(body => JSON.stringify(body)),
)

test('no request brings down the service or finds a defect', async () => {
  const domain = await newDomain()
  const dataset = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [4, 6] })
  const ids = [domain.root, dataset, 'x', '', 'g-1', '..', '%00', dataset.toUpperCase()]
  const segment = fc.oneof(
    fc.constantFrom(
      'groups',
      'datasets',
      'datatypes',
      'links',
      'attributes',
      'acls',
      'value',
      'values',
      'shape',
      'type',
      'login',
      'sessions',
      'tokens',
      'password',
      'users',
      '',
    ),
    fc.constantFrom(...ids),
    pathText,
  )
  const query = fc.oneof(
    fc.constant(''),
    fc
      .tuple(
        fc.constantFrom(
          'select',
          'Limit',
          'Marker',
          'host',
          'domain',
          'query',
          'include_links',
          'bucket',
          'x',
        ),
        fc.oneof(
          pathText,
          fc.constantFrom('[0:1,0:1]', '[]', '-1', '/', '/home/x.h5', 'a.b', '[0:99999999999999999999]'),
        ),
      )
      .map(([name, value]) => `?${name}=${value}`),
  )
  const host = fc.oneof(
    { weight: 3, arbitrary: fc.constant(domain.host) },
    latin1,
    latin1.map(text => `${text}.${BASE_DOMAIN}`),
  )
  const headers = fc.record(
    {
      accept: fc.oneof(fc.constant('application/octet-stream'), latin1),
      'content-type': fc.oneof(fc.constant('application/octet-stream'), latin1),
      'if-none-match': latin1,
      authorization: fc.oneof(
        latin1,
        latin1.map(text => `Basic ${Buffer.from(text).toString('base64')}`),
      ),
      origin: latin1,
      'x-hdf-domain': latin1,
      'x-forwarded-host': latin1,
    },
    { requiredKeys: [] },
  )
  const request = fc.record({
    method,
    target: fc
      .tuple(fc.array(segment, { maxLength: 5 }), query)
      .map(([parts, rest]) => `/${parts.join('/')}${rest}`),
    host,
    headers,
    body: fc.option(json, { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ method: verb, target, host: name, headers: more, body }) => {
      // The domain itself stays, or there would be nothing left to ask for.
      fc.pre(!(verb === 'DELETE' && /^\/+(\?|$)/.test(target)))
      // Many parameters and members have no meaning where they are sent.
      const reply = await send(verb, target, body, { headers: { host: name, ...more }, undeclared: true })
      expect(reply.status === 501 || reply.status < 500, reply.story).toBe(true)
      if (reply.status >= 400) {
        expect(reply.json()).toMatchObject({
          status: reply.status,
          code: expect.any(String),
          message: expect.stringMatching(/\S/),
        })
      }
    }),
    { numRuns: RUNS },
  )
  expect((await send('GET', '/info')).status).toBe(200)
})

test('no list of values finds a defect', async () => {
  const domain = await newDomain()
  const dataset = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [4, 6] })
  await domain.want(201, 'PUT', `/groups/${domain.root}/links/a`, { id: dataset })
  const item = fc.record(
    {
      h5path: fc.oneof(
        fc.constantFrom('/a', 'a', '/', '', './a', '/a/a', '//a'),
        unicodeString({ maxLength: 9 }),
      ),
      id: fc.oneof(fc.constantFrom(dataset, domain.root, ''), fc.string()),
      select: fc.constantFrom('[0:2,1]', '[]', '[0:9,0]', '[:,:]', 'ALL', ''),
      start: fc.oneof(fc.constantFrom(0, [0, 1], [9, 9], null), fc.jsonValue()),
      stop: fc.oneof(fc.constantFrom([4, 6], [1, 1], null), fc.jsonValue()),
      points: fc.oneof(fc.constantFrom([[0, 1]], [], [7]), fc.jsonValue()),
      value: fc.oneof(fc.constantFrom(1, [[1]]), fc.jsonValue()),
      value_base64: fc.constantFrom('', 'AAAA', 'AAAAAA==', '?'),
      fields: fc.jsonValue(),
      append: fc.constantFrom(1, -1, 'x'),
    },
    { requiredKeys: [] },
  )
  const values = fc.oneof({ weight: 8, arbitrary: fc.array(item, { maxLength: 4 }) }, fc.jsonValue())
  const accept = fc.constantFrom('application/json', 'multipart/mixed', 'application/zip', '*/*')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Method>('POST', 'PUT'), values, accept, async (verb, list, type) => {
      const options = { headers: { host: domain.host, accept: type }, undeclared: true }
      const reply = await send(verb, '/values', { values: list }, options)
      expect([200, 400, 404, 406, 410], reply.story).toContain(reply.status)
    }),
    { numRuns: RUNS },
  )
})

test('no listing of a folder finds a defect', async () => {
  const text = (...pieces: string[]) =>
    fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map(parts => parts.join('')),
      unicodeString({ maxLength: 20 }),
    )
  const options = fc.record(
    {
      domain: text('/', 'home', 'sample.h5', 'hdf5:', '..', 'b', '\0'),
      bucket: text('archive', 'hyperslab', '/', '.'),
      pattern: text('*', '?', '[', ']', '-', 'a', 'h', '\u{1f600}'),
      query: text('a', ' == ', ' AND ', 'NOT ', '(', ')', "'x'", '1', ' IN ', 'where '),
      Limit: text('1', '-', '0', ' ', 'x'),
      Marker: text('/', 'home', 'a', '\0', '\u{10ffff}'),
      verbose: text('1', '0', 'false'),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/', '/domains'), options, async (path, given) => {
      const query = new URLSearchParams(Object.entries(given))
      // Without a path in `domain` the dialect can be the classic one, which has no buckets.
      const options = { undeclared: path === '/' && given.bucket !== undefined }
      const reply = await send('GET', `${path}?${query}`, undefined, options)
      expect([200, 400, 403, 404, 410], reply.story).toContain(reply.status)
    }),
    { numRuns: RUNS },
  )
})
