// A service with a mounted folder: its files in both dialects, everything that would change them, and files that are
// replaced, added and removed while it runs. Nothing is ever written into the folder.

import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, type Method, type Options, sendTo, USER1 } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

let directory: string
let files: string
let server: ServedHere

function writeSample(path: string, first: number): void {
  const file = new h5wasm.File(path, 'w')
  file.create_attribute('title', 'a mounted file')
  const group = file.create_group('g')
  group.create_attribute('a', 7)
  const data = Int32Array.from({ length: 10 }, (_, i) => first + i)
  file.create_dataset({ name: 'd', data, shape: [10], maxshape: [null], chunks: [4], compression: 'gzip' })
  file.close()
}

/** The bytes of every file below the folder. */
function bytesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'hex'),
    ]),
  )
}

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  files = join(directory, 'files')
  await mkdir(join(files, 'sub'), { recursive: true })
  writeSample(join(files, 'cube.h5'), 0)
  writeSample(join(files, 'sub', 'inner.h5'), 100)
  await writeFile(join(files, 'notes.txt'), 'no HDF5 file')
  await writeFile(join(files, 'cut.h5'), readFileSync(join(files, 'cube.h5')).subarray(0, 600))
  // A moment after a change it would count as not complete yet.
  await utimes(join(files, 'cut.h5'), 0, 0)
  server = await serveHere({ mount: [`${files}=/lab/files`] }, { users: ACCOUNTS })
})

afterAll(async () => {
  // Whatever was tried with what is mounted, nothing of it is stored.
  expect(await server.findings()).toEqual([])
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

const CUBE = '/lab/files/cube.h5'

/** The same request in a dialect, about a domain. */
function send(
  dialect: string,
  method: Method,
  path: string,
  body?: unknown,
  domain = CUBE,
  options: Options = {},
) {
  const headers = { ...options.headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
  if (dialect === 'hsds') {
    const target = `${path}${path.includes('?') ? '&' : '?'}domain=${domain}`
    return sendTo(server.address, method, target, body, { user: ADMIN, ...options, headers })
  }
  const labels = domain.slice(1).replace(/\.h5$/, '').split('/').reverse()
  const host = [...labels, 'hdfgroup.org'].join('.')
  return sendTo(server.address, method, path, body, {
    user: ADMIN,
    ...options,
    headers: { ...headers, host },
  })
}

async function idsOf(dialect: string, domain = CUBE) {
  const { root } = (await send(dialect, 'GET', '/', undefined, domain)).json<{ root: string }>()
  const of = async (title: string) => {
    const reply = await send(dialect, 'GET', `/groups/${root}/links/${title}`, undefined, domain)
    return reply.json<{ link: { id: string } }>().link.id
  }
  return { root, group: await of('g'), dataset: await of('d') }
}

const names = (reply: Awaited<ReturnType<typeof send>>) =>
  reply.json<{ domains: { name: string; class: string }[] }>().domains.map(one => `${one.name} ${one.class}`)

describe('reading', () => {
  it('a domain at /h5 is the file byte by byte, in ranges too, and written anew with repack=1', async () => {
    const file = readFileSync(join(files, 'cube.h5'))
    const get = (target: string, headers: Options['headers'] = {}) =>
      sendTo(server.address, 'GET', target, undefined, { headers })
    const whole = await get(`/h5${CUBE}`)
    expect(whole.status, whole.story).toBe(200)
    expect(whole.bytes.equals(file)).toBe(true)
    expect((await send('hsds', 'GET', '/?format=hdf5')).bytes.equals(file)).toBe(true)
    const tag = String(whole.headers.etag)
    for (const [first, last] of [
      [0, 7],
      [100, 2000],
      [file.length - 1, file.length - 1],
    ]) {
      const part = await get(`/h5${CUBE}`, { Range: `bytes=${first}-${last}`, 'If-Match': tag })
      expect([part.status, part.headers['content-range']]).toEqual([
        206,
        `bytes ${first}-${last}/${file.length}`,
      ])
      expect(part.bytes.equals(file.subarray(first, last + 1))).toBe(true)
    }
    expect((await get(`/h5${CUBE}`, { Range: `bytes=${file.length}-` })).status).toBe(416)
    const anew = await get(`/h5${CUBE}?repack=1`)
    expect([anew.status, anew.bytes.equals(file), anew.headers.etag === tag]).toEqual([200, false, false])
    for (let first = 0; first < anew.bytes.length; first += 1999) {
      const part = await get(`/h5${CUBE}?repack=1`, { Range: `bytes=${first}-${first + 2499}` })
      expect(part.bytes.equals(anew.bytes.subarray(first, first + 2500)), `from ${first} on`).toBe(true)
    }
  })

  it('folders list what is stored and what is mounted', async () => {
    await send('hsds', 'PUT', '/', { folder: true }, '/lab/stored').then(reply =>
      expect(reply.status).toBe(403),
    )
    const list = (path: string) => send('hsds', 'GET', '/domains', undefined, path)
    expect(names(await list('/'))).toEqual(['/lab folder'])
    expect(names(await list('/lab'))).toEqual(['/lab/files folder'])
    const all = ['/lab/files/cube.h5 domain', '/lab/files/cut.h5 domain', '/lab/files/sub folder']
    expect(names(await list('/lab/files'))).toEqual(all)
    expect(
      names(await send('hsds', 'GET', '/domains?Limit=1&Marker=cube.h5', undefined, '/lab/files')),
    ).toEqual([all[1]])
    expect(names(await send('hsds', 'GET', '/domains?pattern=c*', undefined, '/lab/files'))).toEqual(
      all.slice(0, 2),
    )
    expect(names(await send('hsds', 'GET', '/domains?query=a==7', undefined, '/lab/files'))).toEqual([])
    const top = await sendTo(server.address, 'GET', '/', undefined, { headers: { host: 'hdfgroup.org' } })
    expect(names(top)).toEqual(['/lab folder'])
  })

  it('a file that cannot be read keeps no other from being listed', async () => {
    const reply = await send('hsds', 'GET', '/domains?verbose=1', undefined, '/lab/files')
    const entries = reply.json<{ domains: { name: string; num_datasets?: number }[] }>().domains
    expect(entries.map(entry => entry.num_datasets)).toEqual([1, undefined, undefined])
    const cut = await send('hsds', 'GET', '/', undefined, '/lab/files/cut.h5')
    expect(cut.status).toBe(501)
    expect(cut.json()).toMatchObject({ code: 'domain-unreadable' })
  })

  it.each(['hsds', 'classic'])('%s: objects, attributes and values', async dialect => {
    const { group, dataset } = await idsOf(dialect)
    const attribute = (await send(dialect, 'GET', `/groups/${group}/attributes/a`)).json()
    expect(attribute).toMatchObject({ name: 'a', value: 7 })
    const selected = await send(dialect, 'GET', `/datasets/${dataset}/value?select=[2:9:3]`)
    expect(selected.json()).toMatchObject({ value: [2, 5, 8] })
    const points = await send(dialect, 'POST', `/datasets/${dataset}/value`, { points: [9, 0] })
    expect(points.json()).toMatchObject({ value: [9, 0] })
    const headers = { accept: 'application/octet-stream' }
    const bytes = await send(dialect, 'GET', `/datasets/${dataset}/value`, undefined, CUBE, { headers })
    expect([...new Int32Array(new Uint8Array(bytes.bytes).buffer)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const inner = await idsOf(dialect, '/lab/files/sub/inner.h5')
    const foreign = await send(dialect, 'GET', `/datasets/${inner.dataset}`)
    expect(foreign.status).toBeGreaterThanOrEqual(400)
    expect(foreign.status).toBeLessThan(500)
  })

  it.each(['hsds', 'classic'])('%s: an answer that the client has is not sent again', async dialect => {
    const { dataset } = await idsOf(dialect)
    for (const path of [`/datasets/${dataset}`, `/datasets/${dataset}/value`]) {
      const { etag = '' } = (await send(dialect, 'GET', path)).headers
      const again = await send(dialect, 'GET', path, undefined, CUBE, { headers: { 'if-none-match': etag } })
      expect(again.status).toBe(304)
    }
  })

  it('any caller may read them and their access control lists', async () => {
    const anonymous = { user: undefined }
    expect((await send('hsds', 'GET', '/', undefined, CUBE, anonymous)).status).toBe(200)
    expect((await send('classic', 'GET', '/groups', undefined, CUBE, anonymous)).status).toBe(200)
    const list = await send('hsds', 'GET', '/acls', undefined, CUBE, anonymous)
    expect(list.json()).toMatchObject({
      acls: [{ userName: 'default', read: true, readACL: true, update: false }],
    })
    expect((await send('hsds', 'GET', '/acls', undefined, '/lab/files/sub', anonymous)).json()).toMatchObject(
      {
        acls: [{ userName: 'default', read: true, create: false }],
      },
    )
    for (const path of [CUBE, '/lab/files/sub']) {
      const own = await send('hsds', 'GET', `/acls/${ADMIN}?effective=1`, undefined, path)
      expect(own.json()).toMatchObject({
        acl: { userName: ADMIN, read: true, readACL: true, create: false, update: false, updateACL: false },
      })
    }
  })
})

const I8 = 'H5T_STD_I8LE'
const ALL_FLAGS = { read: true, update: true }
const MANY = Array.from({ length: 20_000 }, (_, i) => i % 100)

/** The body, headers or query of a request of each operation that changes something, apart from ids. */
const BODIES: Readonly<
  Record<string, { readonly body?: unknown; readonly query?: string; readonly rest?: string }>
> = {
  'change-access': { body: { acls: [{ userName: 'default', read: true }], below: true } },
  'create-domain': {},
  'put-domain-file': { body: 'no file', rest: 'lab/files/cube.h5' },
  'delete-domain-file': { rest: 'lab/files/cube.h5' },
  'put-zarr-2': { body: { a: 1 }, rest: 'lab/files/cube.h5/d/.zattrs' },
  'put-zarr-3': { body: { zarr_format: 3, node_type: 'group' }, rest: 'lab/files/cube.h5/n/zarr.json' },
  'delete-zarr-2': { rest: 'lab/files/cube.h5/d/.zarray' },
  'delete-zarr-3': { rest: 'lab/files/cube.h5' },
  'delete-domain': {},
  'put-acl': { body: { acls: [{ userName: ADMIN, ...ALL_FLAGS }] } },
  'put-acl-item': { body: ALL_FLAGS },
  'delete-acl-item': {},
  'put-attributes': { body: { attributes: { n: { type: I8, value: 1 } } } },
  'put-attribute': { body: { type: I8, value: 1 } },
  'put-attribute-value': { body: { value: 1 } },
  'delete-attributes': { query: '?attr_names=a' },
  'delete-attribute': {},
  'create-dataset': { body: { type: I8, shape: [2] } },
  'delete-dataset': {},
  'create-datatype': { body: { type: I8 } },
  'delete-datatype': {},
  'create-group': { body: {} },
  'delete-group': {},
  'put-shape': { body: { shape: [20] } },
  'put-several-values': { body: { values: [{ h5path: '/d', value: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }] } },
  'put-value': { body: { value: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } },
  'put-links': { body: { links: { n: { h5path: '/g' } } } },
  'put-link': { body: { h5path: '/g' } },
  'delete-links': { query: '?titles=d' },
  'delete-link': {},
}
/** POST requests that only read, and their bodies. */
const READS: Readonly<Record<string, unknown>> = {
  'read-points': { points: [1] },
  'read-attributes': { attr_names: ['a'] },
  'read-links': { titles: ['d'] },
  'get-objects-by-path': { h5paths: ['/d'] },
  'read-several-values': { values: [{ h5path: '/d' }] },
}

interface Row {
  readonly dialect: string
  readonly method: Method
  readonly path: string
  readonly operation: string
}

/** Routes about accounts, logins, quotas, shares and running requests, which no domain has. */
const ABOUT_SERVICE =
  /^\/(first-account|login|logins|password|quotas|requests|sessions|shares|tokens|users)\b/

/** The routes about domains that do not begin with GET, once for each dialect. */
function* rows(): Iterable<Row> {
  const table = readFileSync(fileURLToPath(new URL('../../docs/routes.md', import.meta.url)), 'utf8')
  for (const line of table.split('\n')) {
    const [, method, path, operation = '', , dialects] =
      /^\| (PUT|POST|DELETE) \| `(.*?)` \| (.*?) \| (.*?) \| (.*?) \|/.exec(line) ?? []
    if (method === undefined || path === undefined || ABOUT_SERVICE.test(path)) continue
    for (const dialect of dialects === 'both' ? ['classic', 'hsds'] : [dialects ?? '']) {
      yield { dialect, method: method as Method, path, operation } // the pattern allows no other method
    }
  }
}

/** The paths of a route for objects of this file: one for each collection. */
function pathsOf({ path, operation }: Row, ids: Awaited<ReturnType<typeof idsOf>>): string[] {
  const named = path
    .replace(':user', ADMIN)
    .replace(':name', 'a')
    .replace('*', BODIES[operation]?.rest ?? 'a')
  if (!named.includes(':collection')) {
    // The object of the id is not searched for, because nothing could be done with it.
    const datatype = ids.dataset.replace(/^d-/, 't-')
    const id = named.startsWith('/groups')
      ? ids.group
      : named.startsWith('/datatypes')
        ? datatype
        : ids.dataset
    return [named.replace(':id', id)]
  }
  return [`groups/${ids.group}`, `datasets/${ids.dataset}`, `groups/${ids.root}`].map(object =>
    named.replace(':collection/:id', object),
  )
}

describe('changing', () => {
  it('every route is known to this test', () => {
    const operations = new Set([...rows()].map(({ operation }) => operation))
    expect([...operations].sort()).toEqual([...Object.keys(BODIES), ...Object.keys(READS)].sort())
  })

  it.each([...rows()])('$dialect $method $path', async row => {
    const { dialect, method, operation } = row
    const ids = await idsOf(dialect)
    const { body, query = '' } = BODIES[operation] ?? { body: READS[operation] }
    const before = bytesOf(files)
    for (const path of pathsOf(row, ids)) {
      const reply = await send(dialect, method, `${path}${query}`, body)
      if (operation in READS) expect(reply.status, reply.story).toBeLessThan(500)
      else expect([reply.status, reply.json().code], reply.story).toEqual([403, 'domain-read-only'])
    }
    expect(bytesOf(files)).toEqual(before)
  })

  it.each(['hsds', 'classic'])('%s: long bodies', async dialect => {
    const { root, dataset } = await idsOf(dialect)
    const acls = Array.from({ length: 900 }, (_, i) => ({
      userName: `somebody_with_a_long_name_${i}`,
      read: true,
    }))
    const replies = [
      await send(dialect, 'PUT', `/datasets/${dataset}/value`, { value: MANY }),
      await send(dialect, 'PUT', '/acls', { acls }),
      await send(dialect, 'PUT', `/groups/${root}/attributes/n`, { type: I8, shape: [20_000], value: MANY }),
      await send(dialect, 'POST', '/datasets', { type: I8, shape: [20_000], value: MANY }),
    ]
    for (const reply of replies)
      expect([reply.status, reply.json().code], reply.story).toEqual([403, 'domain-read-only'])
  })

  it.each([
    ['hsds', '/lab/files/new.h5', undefined],
    ['hsds', '/lab/files/sub/new', { folder: true }],
    ['hsds', '/lab/files/sub', { folder: true }],
    ['hsds', '/lab/files/cube.h5/new', undefined],
    ['hsds', '/lab/new.h5', undefined],
    ['classic', '/lab/files/new', undefined],
    ['classic', '/lab/files/sub/deep/er/new', undefined],
    ['hsds', '/lab/files/new.h5', { linked_domain: CUBE }],
  ])('%s: nothing is created in %s', async (dialect, path, body) => {
    const reply = await send(dialect, 'PUT', '/', body, path)
    expect([reply.status, reply.json().code], reply.story).toEqual([403, 'domain-read-only'])
  })

  it('folders keep their lists, and stay', async () => {
    const replies = [
      await send('hsds', 'DELETE', '/', undefined, '/lab/files/sub'),
      await send('hsds', 'DELETE', '/', undefined, '/lab/files'),
      await send('hsds', 'DELETE', '/', undefined, '/lab'),
      await send('hsds', 'PUT', `/acls/${ADMIN}`, ALL_FLAGS, '/lab/files/sub'),
      await send('hsds', 'PUT', '/', { flush: true }, CUBE),
    ]
    for (const reply of replies)
      expect([reply.status, reply.json().code], reply.story).toEqual([403, 'domain-read-only'])
    expect((await send('hsds', 'DELETE', '/', undefined, '/lab/files/missing.h5')).status).toBe(404)
  })

  it('a stored domain cannot be a name of a mounted one, and may link to it', async () => {
    const linked = await send('hsds', 'PUT', '/', { linked_domain: CUBE }, '/second.h5')
    expect([linked.status, linked.json().code]).toEqual([403, 'domain-read-only'])
    await send('hsds', 'PUT', '/', undefined, '/stored.h5')
    const root = (await send('hsds', 'GET', '/', undefined, '/stored.h5')).json<{ root: string }>().root
    const link = { h5path: '/d', h5domain: CUBE }
    expect((await send('hsds', 'PUT', `/groups/${root}/links/l`, link, '/stored.h5')).status).toBe(201)
    const found = await send('hsds', 'GET', '/?h5path=/l&follow_external_links=1', undefined, '/stored.h5')
    expect(found.json()).toMatchObject({ id: (await idsOf('hsds')).dataset })
    const { dataset } = await idsOf('hsds')
    const hard = await send('hsds', 'PUT', `/groups/${root}/links/h`, { id: dataset }, '/stored.h5')
    expect(hard.status, hard.story).toBeGreaterThanOrEqual(400)
    expect(hard.status).toBeLessThan(500)
    expect((await send('hsds', 'DELETE', '/', undefined, '/stored.h5')).status).toBe(200)
  })
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition).toBe(true)
}

describe('a folder that changes', () => {
  it('what appears, is replaced and vanishes is seen, with the same ids', async () => {
    const path = '/lab/files/new.h5'
    const status = async () => (await send('hsds', 'GET', '/', undefined, path)).status
    expect(await status()).toBe(404)
    writeSample(join(files, '.making'), 0)
    await rename(join(files, '.making'), join(files, 'new.h5'))
    await until(async () => (await status()) === 200)
    const { dataset } = await idsOf('hsds', path)
    const first = async () => {
      const reply = await send('hsds', 'GET', `/datasets/${dataset}/value?select=[0:1]`, undefined, path)
      return reply.json<{ value: number[] }>().value[0]
    }
    expect(await first()).toBe(0)
    writeSample(join(files, '.making'), 50)
    await rename(join(files, '.making'), join(files, 'new.h5'))
    await until(async () => (await first()) === 50)
    expect((await idsOf('hsds', path)).dataset).toBe(dataset)
    await rm(join(files, 'new.h5'))
    await until(async () => (await status()) === 404)
  })

  it('the table of contents follows the folder: new files are links, and links of others are 410', async () => {
    const ask = (path: string) =>
      sendTo(server.address, 'GET', path, undefined, { headers: { host: 'hdfgroup.org' } })
    const linksOf = async (group: string) =>
      (await ask(`/groups/${group}/links`)).json<{ links: { title: string; id: string }[] }>().links
    const groupIn = async (group: string, title: string) =>
      (await linksOf(group)).find(link => link.title === title)?.id ?? ''
    const { root } = (await ask('/')).json<{ root: string }>()
    const group = await groupIn(await groupIn(root, 'lab'), 'files')
    const titles = async () => (await linksOf(group)).map(link => link.title)
    const before = await titles()
    expect(before).toEqual(expect.arrayContaining(['cube', 'sub']))
    expect(before).not.toContain('notes')
    const status = async (title: string) => (await ask(`/groups/${group}/links/${title}`)).status
    expect(await status('two+words')).toBe(404)

    writeSample(join(files, '.making'), 0)
    await rename(join(files, '.making'), join(files, 'two words.h5'))
    await until(async () => (await status('two+words')) === 200)
    expect(await titles()).toEqual([...before, 'two words'].sort())
    const link = (await ask(`/groups/${group}/links/two+words`)).json<{ link: { h5domain: string } }>().link
    expect(link.h5domain).toBe('two+words.files.lab.hdfgroup.org')
    expect((await ask(`/?host=${link.h5domain}`)).status).toBe(200)

    await rm(join(files, 'two words.h5'))
    await until(async () => (await status('two+words')) === 410)
    expect(await titles()).toEqual(before)
    expect(await groupIn(await groupIn(root, 'lab'), 'files')).toBe(group)
  })

  it('a file that is rewritten in place is there, is not there, or is asked for again', async () => {
    const path = '/lab/files/rewritten.h5'
    const file = join(files, 'rewritten.h5')
    const bytes = readFileSync(join(files, 'cube.h5'))
    await writeFile(file, bytes)
    const { dataset } = await idsOf('hsds', path)
    let isOver = false
    let answered = 0
    let hasAnswered = () => {}
    /** Resolves when this many more requests are answered. */
    const answers = (count: number) => {
      const last = answered + count
      return new Promise<void>(resolve => {
        hasAnswered = () => {
          if (answered >= last) resolve()
        }
      })
    }
    let writtenAt = performance.now()
    /** A part of a file that stays for a second, on a busy machine, is no longer taken for one being written. */
    const isOld = () => performance.now() - writtenAt > 900
    let lastOld = Number.NEGATIVE_INFINITY
    const beginWriting = () => {
      if (isOld()) lastOld = performance.now()
      writtenAt = performance.now()
    }
    const ways: readonly (() => Promise<void>)[] = [
      async () => {
        for (const end of [0, 100, 1000, bytes.length]) {
          beginWriting()
          await writeFile(file, bytes.subarray(0, end))
          await answers(1)
        }
      },
      async () => {
        await rm(file)
        await answers(1)
        await writeFile(file, bytes)
      },
      async () => {
        await writeFile(join(files, '.making'), bytes)
        await rename(join(files, '.making'), file)
      },
    ]
    const asked: readonly (readonly [dialect: string, path: string])[] = [
      ['hsds', '/?h5path=/d'],
      ['hsds', '/'],
      ['hsds', '/groups'],
      ['hsds', `/datasets/${dataset}/value`],
      ['classic', '/'],
      ['classic', '/datasets'],
    ]
    const statuses = new Set<string>()
    const asking = asked.map(async ([dialect, target]) => {
      while (!isOver) {
        const begun = performance.now()
        const { status } = await send(dialect, 'GET', target, undefined, path)
        const wasOld = isOld() || lastOld >= begun
        if (![200, 404, 503].includes(status) && !(status === 501 && wasOld))
          statuses.add(`${dialect} GET ${target}: ${status}`)
        answered++
        hasAnswered()
      }
    })
    try {
      for (let i = 0; i < 30; i++) {
        await ways[i % ways.length]?.()
        await answers(2)
      }
    } finally {
      isOver = true
      await Promise.all(asking)
      await rm(file)
    }
    expect([...statuses]).toEqual([])
  })

  it('a file that is replaced again and again: each answer is of one state', async () => {
    const path = '/lab/files/busy.h5'
    for (const state of [0, 100]) writeSample(join(directory, `${state}.h5`), state)
    const bytes = [0, 100].map(state => readFileSync(join(directory, `${state}.h5`)))
    let isOver = false
    let endRound = () => {}
    const replacing = (async () => {
      for (let i = 0; !isOver; i++) {
        // In place, and by another file of that name.
        await writeFile(join(files, i % 4 < 2 ? 'busy.h5' : '.making'), bytes[i % 2] ?? '')
        if (i % 4 >= 2) await rename(join(files, '.making'), join(files, 'busy.h5'))
        // Every third state stays for a whole round of requests.
        for (let round = 0; i % 3 === 0 && round < 2 && !isOver; round++)
          await new Promise<void>(resolve => {
            endRound = resolve
          })
      }
    })()
    try {
      await until(async () => [200, 503].includes((await send('hsds', 'GET', '/', undefined, path)).status))
      const statuses = new Map<number, number>()
      for (let i = 0; i < 60; i++, endRound()) {
        const { root } = (await send('hsds', 'GET', '/', undefined, path)).json<{ root?: string }>()
        if (root === undefined) continue
        const links = await send('hsds', 'GET', `/groups/${root}/links`, undefined, path)
        const id = links
          .json<{ links?: { title: string; id: string }[] }>()
          .links?.find(one => one.title === 'd')?.id
        if (id === undefined) continue
        const reply = await send('hsds', 'GET', `/datasets/${id}/value`, undefined, path)
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        expect(reply.status, reply.story).not.toBe(500)
        if (reply.status !== 200) continue
        const { value } = reply.json<{ value: number[] }>()
        expect([0, 100]).toContain(value[0])
        expect(value).toEqual(value.map((_, index) => (value[0] ?? 0) + index))
      }
      expect(statuses.get(200) ?? 0, JSON.stringify([...statuses])).toBeGreaterThan(0)
    } finally {
      isOver = true
      endRound()
      await replacing
      await rm(join(files, 'busy.h5'))
    }
  })
})

describe('datasets whose values are bytes of mounted files (hsds-values 18)', () => {
  const DOMAIN = '/references.h5'
  const OCTETS = { headers: { accept: 'application/octet-stream' } }

  /** The id of a dataset of bytes: `size` of them, from the beginning of the file on. */
  async function create(uri: string, size: number, extent = size): Promise<string> {
    const layout = { class: 'H5D_CONTIGUOUS_REF', file_uri: uri, offset: 0, size }
    const body = { type: 'H5T_STD_U8LE', shape: [extent], creationProperties: { layout } }
    const reply = await send('hsds', 'POST', '/datasets', body, DOMAIN)
    expect(reply.status, reply.story).toBe(201)
    return reply.json<{ id: string }>().id
  }

  const read = (id: string, options: Options = OCTETS) =>
    send('hsds', 'GET', `/datasets/${id}/value`, undefined, DOMAIN, options)

  beforeAll(async () => {
    expect((await send('hsds', 'PUT', '/', undefined, DOMAIN)).status).toBe(201)
  })

  it.each(['lab/files/cube.h5', 's3://lab/files/cube.h5', 'file:///lab/files/cube.h5'])('%s', async uri => {
    const bytes = readFileSync(join(files, 'cube.h5'))
    const id = await create(uri, bytes.length, bytes.length + 10)
    const reply = await read(id)
    expect(reply.status, reply.story).toBe(200)
    expect(reply.bytes.equals(Buffer.concat([bytes, Buffer.alloc(10)]))).toBe(true)
    const some = await send('hsds', 'GET', `/datasets/${id}/value?select=[1:4]`, undefined, DOMAIN)
    expect(some.json()).toMatchObject({ value: [...Buffer.from('HDF')] })
    expect((await send('hsds', 'PUT', `/datasets/${id}/value`, { value: 1 }, DOMAIN)).status).toBe(400)
    const tooLong = await read(await create(uri, bytes.length + 10))
    expect(tooLong.status, tooLong.story).toBe(501)
    expect(tooLong.json()).toMatchObject({ code: 'values-unreadable' })
  })

  it.each([
    'lab/files/missing.h5',
    'lab/files/notes.txt',
    'lab/files/sub',
    'lab/files/../../cube.h5',
    '/etc/hostname',
    'https://example.org/lab/files/cube.h5',
  ])('%s is none of them', async uri => {
    const reply = await read(await create(uri, 8))
    expect(reply.status, reply.story).toBe(404)
    expect(reply.json()).toMatchObject({ code: 'file-not-found' })
  })

  it('change with the file', async () => {
    const path = join(files, 'bytes.h5')
    const bytes = readFileSync(join(files, 'cube.h5'))
    await writeFile(path, bytes)
    const id = await create('lab/files/bytes.h5', bytes.length)
    const before = await read(id, {})
    bytes[bytes.length - 1] ^= 1
    await writeFile(join(files, '.making'), bytes)
    await rename(join(files, '.making'), path)
    const headers = { 'if-none-match': before.headers.etag ?? '' }
    const after = await read(id, { headers })
    expect(after.status, after.story).toBe(200)
    expect(after.json<{ value: number[] }>().value).toEqual([...bytes])
    await rm(path)
    expect((await read(id)).status).toBe(404)
  })
})

describe('tables of chunks that are filled from mounted files (hsds-values 18)', () => {
  const DOMAIN = '/tables.h5'
  const OFFSET = { name: 'offset', type: 'H5T_STD_I64LE' }
  const SIZE = { name: 'size', type: 'H5T_STD_I32LE' }
  const FILE = { class: 'H5T_STRING', length: 30, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }
  const ROWS = { class: 'H5T_COMPOUND', fields: [OFFSET, SIZE] }
  const ROWS_WITH_FILE = { class: 'H5T_COMPOUND', fields: [OFFSET, SIZE, { name: 'file_uri', type: FILE }] }

  /** The initializer as h5pyd sends it. */
  const locatorOf = (h5path: string, file = 'files/grids.h5', bucket = 'lab') => [
    'chunklocator',
    `--h5path=${h5path}`,
    `--filepath=${file}`,
    `--bucket=${bucket}`,
  ]

  const post = (body: object, options: Options = {}) =>
    send('hsds', 'POST', '/datasets', body, DOMAIN, options)

  async function created(body: object): Promise<string> {
    const reply = await post(body)
    expect(reply.status, reply.story).toBe(201)
    return reply.json<{ id: string }>().id
  }

  async function table(h5path: string, shape: readonly number[], type: object = ROWS): Promise<string> {
    return created({ type, shape, creationProperties: { initializer: locatorOf(h5path) } })
  }

  async function readAll<T>(id: string): Promise<T> {
    const reply = await send('hsds', 'GET', `/datasets/${id}/value`, undefined, DOMAIN)
    expect(reply.status, reply.story).toBe(200)
    return reply.json<{ value: T }>().value
  }

  /** Linked or not. */
  async function datasetCount(): Promise<number> {
    const reply = await send('hsds', 'GET', '/?verbose=1', undefined, DOMAIN)
    return reply.json<{ num_datasets: number }>().num_datasets
  }

  beforeAll(async () => {
    const file = new h5wasm.File(join(files, 'grids.h5'), 'w')
    const numbers = (shape: readonly number[]) =>
      Int32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i)
    const add = (name: string, shape: number[], chunks: number[], others = {}) =>
      file.create_dataset({ name, data: numbers(shape), shape, chunks, compression: 'gzip', ...others })
    add('one', [100], [7])
    add('two', [12, 10], [5, 3])
    add('three', [6, 5, 7], [2, 5, 3])
    add('plain', [100], [7], { compression: undefined })
    add('grown', [10, 4], [5, 3], { maxshape: [null, null] }).resize([20, 8])
    file.create_dataset({ name: 'whole', data: numbers([100]), shape: [100] })
    file.close()
    expect((await send('hsds', 'PUT', '/', undefined, DOMAIN)).status).toBe(201)
  })

  const upTo = (end: number) => Array.from({ length: end }, (_, i) => i)

  it.each<[string, number[], number[], number[]]>([
    ['one', [100], [7], [14]],
    ['two', [12, 10], [5, 3], [10, 6]],
    ['three', [6, 5, 7], [2, 5, 3], [4, 5, 3]],
    ['plain', [100], [7], [70]],
  ])('%s: what the layout reads by the table, also with hyper_dims', async (name, shape, chunks, larger) => {
    const grid = shape.map((extent, d) => Math.ceil(extent / (chunks[d] ?? 1)))
    const id = await table(`/${name}`, grid)
    const layout = { class: 'H5D_CHUNKED_REF_INDIRECT', file_uri: 'lab/files/grids.h5', chunk_table: id }
    for (const dims of [{ dims: chunks }, { dims: larger, hyper_dims: chunks }]) {
      const creationProperties = { layout: { ...layout, ...dims }, filters: name === 'plain' ? [] : ['gzip'] }
      const read = await readAll<never[]>(await created({ type: 'H5T_STD_I32LE', shape, creationProperties }))
      expect(read.flat(3)).toEqual(upTo(shape.reduce((a, b) => a * b, 1)))
    }
  })

  it('a table of many long rows takes no more memory than a few of them', async () => {
    const long = {
      ...ROWS_WITH_FILE,
      fields: [OFFSET, SIZE, { name: 'file_uri', type: { ...FILE, length: 1e6 } }],
    }
    const id = await table('one', [100_000], long)
    const path = `/datasets/${id}/value?select=[14:16]`
    const reply = await send('hsds', 'GET', path, undefined, DOMAIN)
    expect(reply.status, reply.story).toBe(200)
    const [last, none] = reply.json<{ value: [number, number, string][] }>().value
    expect([last?.[2], none]).toEqual(['lab/files/grids.h5', [0, 0, '']])
  })

  it('chunks that are not stored have empty rows, and rows can name the file', async () => {
    const id = await table('grown', [4, 3], ROWS_WITH_FILE)
    const rows = await readAll<[number, number, string][][]>(id)
    const isStored = rows.map(row => row.map(([offset, size, file]) => offset > 0 && size > 0 && file))
    const uri = 'lab/files/grids.h5'
    const none = [false, false, false]
    expect(isStored).toEqual([[uri, uri, false], [uri, uri, false], none, none])
    const layout = { class: 'H5D_CHUNKED_REF_INDIRECT', chunk_table: id, dims: [5, 3] }
    const creationProperties = { layout, filters: ['gzip'], fillValue: -1 }
    const read = await readAll<number[][]>(
      await created({ type: 'H5T_STD_I32LE', shape: [20, 8], creationProperties }),
    )
    // h5wasm writes the chunks that are outside the first extents when the dataset grows, if at all, with zeros.
    expect(read.slice(0, 10).map(row => row.slice(0, 4))).toEqual(
      upTo(10).map(row => upTo(4).map(column => 4 * row + column)),
    )
    expect(read[19]).toEqual(upTo(8).map(() => -1))
  })

  it('other members of a row keep the fill value, and a table may be larger', async () => {
    const fields = [{ name: 'note', type: 'H5T_STD_I8LE' }, SIZE, OFFSET]
    const creationProperties = { initializer: locatorOf('/one'), fillValue: [5, 0, 0] }
    const id = await created({ type: { class: 'H5T_COMPOUND', fields }, shape: [17], creationProperties })
    const rows = await readAll<[number, number, number][]>(id)
    expect(rows.every(([note]) => note === 5)).toBe(true)
    const plain = await readAll<[number, number][]>(await table('/one', [15]))
    expect(rows.map(([, size, offset]) => [offset, size])).toEqual([...plain, [0, 0], [0, 0]])
  })

  it('a table without elements looks nothing up', async () => {
    const creationProperties = { initializer: locatorOf('/none', 'nowhere.h5') }
    const id = await created({ type: ROWS, shape: [0, 15], maxdims: [0, 15], creationProperties })
    expect(await readAll(id)).toEqual([])
  })

  it('a chunk that is without a filter: 400', async () => {
    const bytes = readFileSync(join(files, 'grids.h5'))
    // Version 1 B-trees of chunks: 24 bytes, then the length of the first chunk and its filter mask.
    for (let at = bytes.indexOf('TREE'); at >= 0; at = bytes.indexOf('TREE', at + 1)) {
      if (bytes[at + 4] === 1) bytes.writeUInt32LE(1, at + 28)
    }
    await writeFile(join(files, 'masked.h5'), bytes)
    await utimes(join(files, 'masked.h5'), 0, 0)
    const reply = await post({
      type: ROWS,
      shape: [15],
      creationProperties: { initializer: locatorOf('/one', 'files/masked.h5') },
    })
    expect(reply.status, reply.story).toBe(400)
    expect(reply.json<{ message: string }>().message).toContain(
      'the chunk [0] of "/one" of /lab/files/masked.h5',
    )
    await rm(join(files, 'masked.h5'))
  })

  it.each<[string, number, object]>([
    ['a file that is not there', 404, { initializer: locatorOf('/one', 'files/none.h5') }],
    ['a path outside', 400, { initializer: locatorOf('/one', 'files/../../x.h5') }],
    ['an address', 400, { initializer: ['chunklocator', '--h5path=/one', '--filepath=http://x.org/y.h5'] }],
    ['a folder', 400, { initializer: locatorOf('/one', 'files') }],
    ['a stored domain', 400, { initializer: ['chunklocator', '--h5path=/', '--filepath=tables.h5'] }],
    ['an object that is not there', 404, { initializer: locatorOf('/none') }],
    ['a group', 400, { initializer: locatorOf('/') }],
    ['a dataset without chunks', 400, { initializer: locatorOf('/whole') }],
    ['a table that is too small', 400, { initializer: locatorOf('/two') }],
    ['a file that cannot be read', 501, { initializer: locatorOf('/one', 'files/cut.h5') }],
    ['no file', 400, { initializer: ['chunklocator', '--h5path=/one'] }],
  ])('%s: %i, and nothing is created', async (_title, status, creationProperties) => {
    const before = await datasetCount()
    expect(before).toBeGreaterThan(0)
    const reply = await post({ type: ROWS, shape: [14], creationProperties })
    expect(reply.status, reply.story).toBe(status)
    expect(reply.json<{ message: string }>().message).toContain('chunklocator')
    expect(await datasetCount()).toBe(before)
  })

  it.each<[string, object, readonly number[]]>([
    ['of another rank', ROWS, [15, 1]],
    ['of numbers', { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }, [15]],
    ['without offsets', { class: 'H5T_COMPOUND', fields: [SIZE] }, [15]],
    [
      'of short integers',
      { class: 'H5T_COMPOUND', fields: [{ ...OFFSET, type: 'H5T_STD_I8LE' }, SIZE] },
      [15],
    ],
    [
      'with a short name',
      { class: 'H5T_COMPOUND', fields: [OFFSET, SIZE, { name: 'file_uri', type: { ...FILE, length: 5 } }] },
      [15],
    ],
    ['without dimensions', ROWS, []],
  ])('a table %s: 400', async (_title, type, shape) => {
    const reply = await post({ type, shape, creationProperties: { initializer: locatorOf('/one') } })
    expect(reply.status, reply.story).toBe(400)
  })

  it('only for callers that may read the file', async () => {
    const closed = await serveHere({ mount: [`${files}=/lab/files`], mountAcl: 'none' }, { users: ACCOUNTS })
    try {
      const ask = (method: Method, path: string, body: unknown, user: string) => {
        const headers = { 'content-type': 'application/json' }
        return sendTo(closed.address, method, `${path}?domain=/t.h5`, body, {
          headers,
          user,
        })
      }
      expect((await ask('PUT', '/', {}, ADMIN)).status).toBe(201)
      const everything = { create: true, read: true, update: true, delete: true }
      expect((await ask('PUT', '/acls/default', everything, ADMIN)).status).toBe(201)
      const body = (initializer: readonly string[]) => ({
        type: ROWS,
        shape: [15],
        creationProperties: { initializer },
      })
      const refused = await ask('POST', '/datasets', body(locatorOf('/one')), USER1)
      expect(refused.status, refused.story).toBe(403)
      expect(refused.json<{ message: string }>().message).toContain('/lab/files/grids.h5')
      expect((await ask('POST', '/datasets', body(locatorOf('/one')), ADMIN)).status).toBe(201)
    } finally {
      await closed.end()
    }
  })
})
