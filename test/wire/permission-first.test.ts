// Long bodies are read only for callers with the permission: others are refused after the head, on
// every route that takes a body. The routes are those of docs/routes.md, so that no new one is left out.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import { ADMIN, BASE_DOMAIN, basic, USER2 } from './client.ts'
import { makeHome, newDomain as newHsdsDomain, OCTETS } from './hsds/domain.ts'

const ROUTES = readFileSync(new URL('../../docs/routes.md', import.meta.url), 'utf8')
/** Far more than is ever sent. */
const ANNOUNCED = 200_000_000
const SENT = `{"value": [${'{"a":1},'.repeat(12_000)}`

type DialectName = 'classic' | 'hsds'

interface Row {
  readonly dialect: DialectName
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly permission: string
}

const ROWS: readonly Row[] = ROUTES.split('\n')
  .map(line => /^\| (PUT|POST) \| `(\S+)` \| (\S+) \| (\S+) \| (\S+) \| /.exec(line))
  .flatMap(found => {
    if (found === null) return []
    const [, method = '', path = '', operation = '', permission = '', known = ''] = found
    const dialects: DialectName[] = known === 'both' ? ['classic', 'hsds'] : [known as DialectName] // its other words
    return dialects.map(dialect => ({ dialect, method, path, operation, permission }))
  })
  // The permission depends on the stored state: see below.
  .filter(({ operation, permission }) => operation !== 'create-domain' && permission !== 'none')

const NO_PERMISSION = {
  create: false,
  read: false,
  update: false,
  delete: false,
  readACL: false,
  updateACL: false,
}

interface Place {
  /** The headers of a request. */
  readonly headers: Readonly<Record<string, string>>
  /** Ids by collection. */
  readonly ids: Readonly<Record<string, string>>
}

/** A domain with an object of each kind, where only its maker and administrators may do anything. */
async function closedDomain(dialect: DialectName): Promise<Place> {
  if (dialect === 'classic') {
    const domain = await newClassicDomain()
    const ids = {
      groups: await domain.group(),
      datasets: await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2] }),
      datatypes: await domain.datatype({ type: 'H5T_STD_I8LE' }),
    }
    await domain.want(201, 'PUT', '/acls/default', NO_PERMISSION, { user: ADMIN })
    return { headers: { Host: domain.host }, ids }
  }
  const domain = await newHsdsDomain()
  const ids = {
    groups: await domain.group(),
    datasets: await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2] }),
    datatypes: await domain.datatype({ type: 'H5T_STD_I8LE' }),
  }
  return { headers: { Host: BASE_DOMAIN, 'X-Hdf-domain': domain.path }, ids }
}

/** The answer to the head of a request and the beginning of its body, from a client that sends no more. */
async function answerToBeginning(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  beginning = SENT,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(inject('address'))
  const socket = connect({ host: hostname, port: Number(port) })
  onTestFinished(() => {
    socket.destroy()
  })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${beginning}`)
  let text = ''
  socket.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  while (!text.endsWith('}')) await once(socket, 'data')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }
}

function targetOf({ path }: Row, ids: Place['ids'], collection: string): string {
  const named = path.replace(':collection', collection)
  const id = ids[named.split('/')[1] ?? ''] ?? ''
  return named.replace(':id', id).replace(':user', USER2).replace(':name', 'a').replace('*', 'n')
}

beforeAll(makeHome)

test('the table of routes is understood', () => {
  expect(ROWS.length).toBeGreaterThan(25)
  expect(new Set(ROWS.map(({ permission }) => permission))).toEqual(
    new Set(['create', 'read', 'update', 'updateACL']),
  )
})

const announced = { 'Content-Length': String(ANNOUNCED) }
const chunked = { 'Transfer-Encoding': 'chunked' }
const oneChunk = `${SENT.length.toString(16)}\r\n${SENT}\r\n`

describe.each(ROWS)('$dialect: $method $path', row => {
  const collections = row.path.includes(':collection') ? ['groups', 'datasets', 'datatypes'] : ['groups']

  test('is refused before its body has come for callers without the permission', async () => {
    const { headers, ids } = await closedDomain(row.dialect)
    const callers = [{}, { Authorization: basic(USER2) }]
    for (const collection of collections) {
      const target = targetOf(row, ids, collection)
      for (const caller of callers) {
        const expected = 'Authorization' in caller ? [403] : [401, 403]
        const head = { ...headers, ...caller }
        const told = await answerToBeginning(row.method, target, { ...head, ...announced })
        expect(expected, told.text).toContain(told.status)
        const inChunks = await answerToBeginning(row.method, target, { ...head, ...chunked }, oneChunk)
        expect(expected, inChunks.text).toContain(inChunks.status)
        const asBytes = { ...head, ...announced, 'Content-Type': OCTETS }
        const bytes = await answerToBeginning(row.method, target, asBytes)
        expect(expected, bytes.text).toContain(bytes.status)
      }
    }
  })
})

test('a route about the caller is refused before its body has come for callers that have not logged in', async () => {
  const { status, text } = await answerToBeginning('POST', '/tokens', { Host: BASE_DOMAIN, ...announced })
  expect(status, text).toBe(401)
})

test('an object that is not there is an error before the body has come', async () => {
  const { headers, ids } = await closedDomain('classic')
  const head = { ...headers, Authorization: basic(ADMIN), ...announced }
  const told = await answerToBeginning('PUT', `/datasets/${ids.groups}/shape`, head)
  expect(told.status, told.text).toBe(404)
})

describe('domains of the hsds dialect', () => {
  test.each([
    ['PUT', 'one that is there', '/home/test_user1'],
    ['PUT', 'a new one in a folder of another user', '/home/test_user1/new.h5'],
    ['PUT', 'a new one at the top level', '/new.h5'],
    ['DELETE', 'a folder of another user', '/home/test_user1'],
  ])('%s of %s', async (method, _, path) => {
    for (const caller of [{}, { Authorization: basic(USER2) }]) {
      const head = { Host: BASE_DOMAIN, 'X-Hdf-domain': path, ...caller }
      const expected = 'Authorization' in caller ? 403 : 401
      const told = await answerToBeginning(method, '/', { ...head, ...announced })
      expect(told.status, told.text).toBe(expected)
      const inChunks = await answerToBeginning(method, '/', { ...head, ...chunked }, oneChunk)
      expect(inChunks.status, inChunks.text).toBe(expected)
    }
  })

  test('PUT and DELETE of a domain of another user', async () => {
    const { headers } = await closedDomain('hsds')
    for (const method of ['PUT', 'DELETE']) {
      const head = { ...headers, Authorization: basic(USER2), ...announced }
      const told = await answerToBeginning(method, '/', head)
      expect(told.status, told.text).toBe(403)
    }
  })
})

test.runIf(inject('imported'))('a read-only domain is an error before the body has come', async () => {
  const headers = { Host: `imported_read_only.test.${BASE_DOMAIN}`, Authorization: basic(ADMIN) }
  for (const path of ['/groups', '/datasets', '/datatypes']) {
    const told = await answerToBeginning('POST', path, { ...headers, ...announced })
    expect(told.status, told.text).toBe(403)
    expect(told.text).toContain('domain-read-only')
  }
})
