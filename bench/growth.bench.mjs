// How costs grow with the number of things: pages, look-ups and single changes should cost the same beside 1,000 things
// and beside 100,000, passes over all of them should grow with their number. Each line has the processor time of the
// server for each number, and the exponent: the slope of log(time) over log(number). Pages, look-ups and changes above
// `FLAT` are marked, passes above `LINEAR`; numbers less than ten times apart say nothing. Arguments: the numbers of
// things, and parts of names of `KINDS` and `STORES`.

import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemRandom } from '../dist/modules/store/clock.js'
import { openEngine } from '../dist/modules/store/engines/open-engine.js'
import { digestOf, LoginStore } from '../dist/modules/store/records/logins.js'
import { AUTHORIZATION, adminSettings, benchmark, measured, processorTimeOfAll, send } from './measure.mjs'

const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const HEADERS = { host: '127.0.0.1', authorization: AUTHORIZATION }
const FLAT = 0.2
const LINEAR = 1.2
const PAGE = 100
/** Elements of a chunk of a byte each: smaller chunks are made larger. */
const CHUNK = 2 ** 20
/** Things that one request makes. */
const BATCH = 1000
/** Rounds of each flat line, after one that warms up, each of about so much processor time. */
const ROUNDS = 3
const ROUND_MICROSECONDS = 150_000
/** In all rounds together fewer than the least number of things, so that each can be deleted once. */
const MOST_REQUESTS = 200
/** The clock of processors has ticks of 10 ms: what takes less counts as half of one. */
const LEAST_MICROSECONDS = 5000

const args = process.argv.slice(2)
const SIZES = args.filter(arg => /^\d+$/.test(arg)).map(Number)
if (SIZES.length === 0) SIZES.push(1000, 10_000, 100_000)
const PARTS = args.filter(arg => !/^\d+$/.test(arg))

const INTEGER = { type: 'H5T_STD_I32LE', value: 1 }
const SOFT = { h5path: '/nowhere' }
const titleOf = i => `t${String(i).padStart(7, '0')}`
/** The positions in a list that pages begin at. */
const POSITIONS = [
  ['first', () => undefined],
  ['middle', n => Math.floor(n / 2)],
  ['last', n => n - PAGE - 1],
]

/**
 * For each kind of things: `fill` makes n of them and gives what requests need; `flat` and `pass` have requests, as
 * [method, target, body] of the n things and the number of the request. Passes are made in their order.
 */
const KINDS = {
  objects: {
    async fill(ask, q, n) {
      const { root } = await ask('PUT', `/?${q}`)
      const ids = []
      for (let from = 0; from < n; from += BATCH) {
        const inner = await ask('POST', `/groups?${q}`, { link: { id: root, name: titleOf(from) } })
        const body = batchOf(from, n).map(i => ({ link: { id: inner.id, name: titleOf(i) } }))
        await ask('POST', `/groups?${q}`, body)
      }
      for (let marker = ''; marker !== undefined; ) {
        const { groups } = await ask('GET', `/groups?${q}&Limit=${BATCH}${marker && `&Marker=${marker}`}`)
        ids.push(...groups)
        marker = groups.at(-1)
      }
      return { root, ids }
    },
    flat: {
      ...pages((q, _, { ids }, at) => `/groups?${q}${at === undefined ? '' : `&Marker=${ids[at]}`}`),
      'by id': (q, n, { ids }, i) => ['GET', `/groups/${ids[(i * 7919) % n]}?${q}`],
      alias: (q, n, { ids }, i) => ['GET', `/groups/${ids[(i * 7919) % n]}?${q}&getalias=1`],
      'by path': (q, n, _, i) => {
        const title = (i * 7919) % n
        return ['GET', `/?${q}&h5path=/${titleOf(title - (title % BATCH))}/${titleOf(title)}`]
      },
      counts: q => ['GET', `/?${q}&verbose=1`],
      create: (q, _, { root }, i) => ['POST', `/groups?${q}`, { link: { id: root, name: `new ${i}` } }],
      delete: (q, _, { ids }, i) => ['DELETE', `/groups/${ids[i]}?${q}`],
    },
    pass: {
      'all ids': q => ['GET', `/groups?${q}`],
      'all descriptions': q => ['GET', `/?${q}&getobjs=1&include_attrs=1`],
      'as a file': q => ['GET', `/h5${q.replace('domain=', '')}?`],
      'domain deleted': q => ['DELETE', `/?${q}`],
    },
  },
  links: members('links', i => [titleOf(i), SOFT]),
  attributes: members('attributes', i => [titleOf(i), INTEGER]),
  domains: {
    async fill(ask, q, n) {
      const folder = q.replace('domain=', '')
      await ask('PUT', `/?${q}`, { folder: 1 })
      for (let from = 0; from < n; from += 50) {
        const some = batchOf(from, n).slice(0, 50)
        await Promise.all(some.map(i => ask('PUT', `/?domain=${folder}/${titleOf(i)}`)))
      }
      return { folder }
    },
    flat: {
      ...pages((_, _n, { folder }, at) => {
        return `/domains?domain=${folder}/${at === undefined ? '' : `&Marker=${folder}/${titleOf(at)}`}`
      }),
      'by name': (_, n, { folder }, i) => ['GET', `/?domain=${folder}/${titleOf((i * 7919) % n)}`],
      create: (_, _n, { folder }, i) => ['PUT', `/?domain=${folder}/new${i}`],
      delete: (_, _n, { folder }, i) => ['DELETE', `/?domain=${folder}/${titleOf(i)}`],
    },
    pass: { 'all names': (_, _n, { folder }) => ['GET', `/domains?domain=${folder}/`] },
  },
  chunks: {
    /** Each chunk has a MiB, of which an element was written. */
    async fill(ask, q, n) {
      await ask('PUT', `/?${q}`)
      const layout = { class: 'H5D_CHUNKED', dims: [CHUNK] }
      const creation = { type: 'H5T_STD_I8LE', maxdims: [0], creationProperties: { layout } }
      const { id } = await ask('POST', `/datasets?${q}`, { ...creation, shape: [n * CHUNK] })
      for (let from = 0; from < n; from += BATCH) {
        const points = batchOf(from, n).map(i => [i * CHUNK])
        await ask('PUT', `/datasets/${id}/value?${q}`, { points, value: points.map(() => 7) })
      }
      return { id }
    },
    flat: {
      'read one': (q, n, { id }, i) => [
        'GET',
        `/datasets/${id}/value?${q}&select=[${((i * 7919) % n) * CHUNK}]`,
      ],
      'write one': (q, n, { id }, i) => {
        return ['PUT', `/datasets/${id}/value?${q}&select=[${((i * 7919) % n) * CHUNK}]`, 'y']
      },
      counts: (q, _, { id }) => ['GET', `/datasets/${id}?${q}&verbose=1`],
      append: (q, _, { id }) => ['PUT', `/datasets/${id}/value?${q}&append=1`, 'z'],
      shape: (q, n, { id }, i) => ['PUT', `/datasets/${id}/shape?${q}`, { shape: [2 * n * CHUNK + i] }],
    },
    pass: {
      'shape halved': (q, n, { id }) => ['PUT', `/datasets/${id}/shape?${q}`, { shape: [(n * CHUNK) / 2] }],
      'dataset deleted': (q, _, { id }) => ['DELETE', `/datasets/${id}?${q}`],
    },
  },
  /** A thousand elements for each thing. */
  values: {
    async fill(ask, q, n) {
      await ask('PUT', `/?${q}`)
      const { id } = await ask('POST', `/datasets?${q}`, { type: 'H5T_STD_I8LE', shape: [n * 1000] })
      for (let from = 0; from < n; from += BATCH) {
        const to = Math.min(n, from + BATCH)
        await ask(
          'PUT',
          `/datasets/${id}/value?${q}&select=[${from * 1000}:${to * 1000}]`,
          'x'.repeat((to - from) * 1000),
        )
      }
      return { id }
    },
    flat: {},
    pass: {
      mean: (q, n, { id }) => ['GET', `/datasets/${id}/value?${q}&reduce=mean:${n * 1000}`],
      statistics: (q, _, { id }) => ['GET', `/datasets/${id}/value?${q}&statistics=1`],
      'as a file': q => ['GET', `/h5${q.replace('domain=', '')}?`],
    },
  },
  patches: {
    async fill(ask, q, n) {
      await ask('PUT', `/?${q}`)
      const layout = { class: 'H5D_CHUNKED', dims: [2 ** 20] }
      const body = { type: 'H5T_STD_I8LE', shape: [2 ** 20], creationProperties: { layout } }
      const { id } = await ask('POST', `/datasets?${q}`, body)
      await ask('PUT', `/datasets/${id}/value?${q}`, 'x'.repeat(2 ** 20))
      await inTurns(n, i => ask('PUT', `/datasets/${id}/value?${q}&select=[${(i * 7919) % 2 ** 20}]`, 'y'))
      return { id }
    },
    flat: {
      'read one': (q, n, { id }, i) => ['GET', `/datasets/${id}/value?${q}&select=[${(i * 7919) % n}]`],
      'write one': (q, n, { id }, i) => ['PUT', `/datasets/${id}/value?${q}&select=[${(i * 7919) % n}]`, 'z'],
    },
    pass: {},
  },
  /** Things are 8 bytes of a dataset that stores nothing, a thousand of them for each: 100,000 are 800 MB. */
  sparse: {
    async fill(ask, q, n) {
      await ask('PUT', `/?${q}`)
      const elements = n * 1000
      const layout = { class: 'H5D_CHUNKED', dims: [2 ** 17] }
      const body = { type: 'H5T_IEEE_F64LE', shape: [elements], maxdims: [0], creationProperties: { layout } }
      const { id } = await ask('POST', `/datasets?${q}`, body)
      return { id, elements }
    },
    flat: {
      'read one': (q, _, { id, elements }, i) => {
        return ['GET', `/datasets/${id}/value?${q}&select=[${(i * 7919) % elements}]`]
      },
      mean: (q, _, { id, elements }) => ['GET', `/datasets/${id}/value?${q}&reduce=mean:${elements}`],
      statistics: (q, _, { id }) => ['GET', `/datasets/${id}/value?${q}&statistics=1`],
      shape: (q, _, { id, elements }, i) => [
        'PUT',
        `/datasets/${id}/shape?${q}`,
        { shape: [elements + i + 1] },
      ],
    },
    pass: {},
  },
}

/** Links or attributes of one group. */
function members(part, memberOf) {
  const at = (q, { root }, rest = '') => `/groups/${root}/${part}${rest}?${q}`
  const marker = at => (at === undefined ? '' : `&Marker=${titleOf(at)}`)
  return {
    async fill(ask, q, n) {
      const { root } = await ask('PUT', `/?${q}`)
      for (let from = 0; from < n; from += BATCH) {
        const body = { [part]: Object.fromEntries(batchOf(from, n).map(memberOf)) }
        await ask('PUT', at(q, { root }), body)
      }
      return { root }
    },
    flat: {
      ...pages((q, _, made, start) => at(q, made) + marker(start)),
      ...pages((q, _, made, start) => `${at(q, made)}&CreateOrder=1${marker(start)}`, ' by creation'),
      'by name': (q, n, made, i) => ['GET', at(q, made, `/${titleOf((i * 7919) % n)}`)],
      create: (q, _, made, i) => ['PUT', at(q, made, `/new${i}`), memberOf(i)[1]],
      delete: (q, _, made, i) => ['DELETE', at(q, made, `/${titleOf(i)}`)],
    },
    pass: {
      all: (q, _, made) => ['GET', at(q, made)],
      'domain deleted': q => ['DELETE', `/?${q}`],
    },
  }
}

function pages(targetOf, note = '') {
  return Object.fromEntries(
    POSITIONS.map(([name, position]) => [
      `${name} page${note}`,
      (q, n, made, i) => {
        const target = targetOf(q, n, made, position(n))
        return ['GET', `${target}&Limit=${PAGE}&request=${i}`]
      },
    ]),
  )
}

/** Things of a store, each number in a store of its own. */
const STORES = {
  mounted: measureMounted,
  events: measureEvents,
  logins: measureLogins,
  stores: measureStores,
}

await benchmark(async world => {
  console.log(`us of processor time beside ${SIZES.join(', ')} things, and the exponent`)
  const settings = adminSettings(world.directory)
  for (const [name, kind] of Object.entries(KINDS)) {
    if (!isAsked(name)) continue
    const server = await world.hyperslab({ folder: name, settings })
    await measureKind(server, name, kind)
    await server.end()
  }
  for (const [name, measure] of Object.entries(STORES)) if (isAsked(name)) await measure(world, settings)
})

function isAsked(name) {
  return PARTS.length === 0 || PARTS.some(part => name.includes(part))
}

async function measureKind(server, name, { fill, flat, pass }) {
  const subjects = []
  for (const n of SIZES) {
    const q = `domain=/of${n}`
    subjects.push({ n, q, server, made: await fill(askOf(server), q, n) })
  }
  await settled(server)
  await printFlat(name, subjects, flat)
  for (const [step, request] of Object.entries(pass)) {
    const times = []
    for (const { n, q, made } of subjects) times.push([await passCost(server, request(q, n, made))])
    printLine(`${name}: ${step}`, times, LINEAR)
  }
}

/** The subjects in turn, over and over, so that all see the same weather. */
async function printFlat(name, subjects, flat) {
  for (const [step, request] of Object.entries(flat)) {
    const times = subjects.map(() => [])
    const numbers = subjects.map(() => 0)
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [index, { n, q, server, made }] of subjects.entries()) {
        const time = await flatCost(server, () => request(q, n, made, numbers[index]++))
        if (round > 0) times[index].push(time)
      }
    }
    printLine(`${name}: ${step}`, times, FLAT)
  }
}

async function flatCost(server, nextRequest) {
  const ask = askOf(server)
  const requests = Array.from({ length: 10 }, nextRequest)
  let made = 0
  let spent = 0
  while (spent < ROUND_MICROSECONDS && made < MOST_REQUESTS) {
    const run = async () => {
      for (const request of requests) await ask(...request)
    }
    spent += (await measured(server, run)).cpuMicroseconds
    made += requests.splice(0, Infinity, ...Array.from({ length: 10 }, nextRequest)).length
  }
  return spent / made
}

/** The processor time of one request, with what the server does afterwards; reads are repeated if they are short. */
async function passCost(server, [method, target, body]) {
  let made = 0
  let spent = 0
  while (made === 0 || (method === 'GET' && spent < ROUND_MICROSECONDS && made < MOST_REQUESTS)) {
    const { cpuMicroseconds } = await measured(server, async () => {
      await discard(server, method, `${target}&request=${made}`, body)
      if (method !== 'GET') await settled(server)
    })
    spent += cpuMicroseconds
    made++
  }
  return Math.max(spent, LEAST_MICROSECONDS) / made
}

/** Waits until the server, which removes what was deleted in rounds of a second, has been idle for a moment. */
async function settled(server) {
  for (let isBusy = true; isBusy; ) {
    isBusy = (await measured(server, () => sleep(1500))).cpuMicroseconds > 30_000
  }
}

function printLine(name, times, limit) {
  const medians = times.map(values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)])
  const exponent = slope(SIZES.map(Math.log), medians.map(Math.log))
  const figures = medians.map(median => median.toFixed(0).padStart(10)).join(' ')
  const spreads = times.map(values => Math.max(...values) / Math.min(...values))
  const spread = times[0].length > 1 ? `  spread ${Math.max(...spreads).toFixed(1)}` : ''
  const mark = exponent > limit ? `  above ${limit}` : ''
  console.log(`${name.padEnd(36)} ${figures}  ${exponent.toFixed(2).padStart(6)}${spread}${mark}`)
}

/** The slope of the line of least squares. */
function slope(xs, ys) {
  const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const product = xs.reduce((sum, each, i) => sum + (each - x) * (ys[i] - y), 0)
  return product / xs.reduce((sum, each) => sum + (each - x) ** 2, 0)
}

function batchOf(from, n) {
  return Array.from({ length: Math.min(BATCH, n - from) }, (_, i) => from + i)
}

async function inTurns(n, work) {
  for (let from = 0; from < n; from += 50) await Promise.all(batchOf(from, n).slice(0, 50).map(work))
}

/** Sends a request: an object is JSON, a string is values. */
function askOf(server, headers = HEADERS) {
  return async (method, target, body) => {
    const isValues = typeof body === 'string'
    const type = body !== undefined && isValues ? { 'content-type': 'application/octet-stream' } : {}
    const sent = { headers: { ...headers, ...type }, body: isValues ? body : body && JSON.stringify(body) }
    const { bytes } = await send(server, method, target, sent)
    return method === 'GET' && bytes[0] !== 123 ? bytes : JSON.parse(bytes.toString() || '{}')
  }
}

/** The same for a long answer, which is not kept. */
function discard(server, method, path, body) {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const headers = { ...HEADERS, ...(text && { 'content-length': Buffer.byteLength(text) }) }
    const request = http.request(
      { host: '127.0.0.1', port: server.port, method, path, headers },
      response => {
        response.resume()
        response.on('end', () =>
          response.statusCode < 300
            ? resolve()
            : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(text)
  })
}

/** Files of n groups, served where they are. */
async function measureMounted(world, settings) {
  const files = join(world.directory, 'files')
  mkdirSync(files)
  const writer = await world.hyperslab({ folder: 'mounted', settings })
  for (const n of SIZES) {
    await KINDS.objects.fill(askOf(writer), `domain=/of${n}`, n)
    await download(writer, `/h5/of${n}`, join(files, `of${n}.h5`))
  }
  await writer.end()
  const subjects = []
  // Large files in one process take the memory of the others.
  for (const n of SIZES) {
    const folder = `mounts-${n}`
    const server = await world.hyperslab({ folder, settings: [...settings, '--mount', files] })
    const q = `domain=/files/of${n}.h5`
    subjects.push({ n, q, server, made: { ids: (await askOf(server)('GET', `/groups?${q}`)).groups } })
  }
  const { create, delete: _, counts, ...reads } = KINDS.objects.flat
  await printFlat('mounted', subjects, reads)
  for (const { server } of subjects) await server.end()
}

async function download(server, path, file) {
  const response = await new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port: server.port, path, headers: HEADERS }, resolve).on('error', reject)
  })
  await pipeline(response, createWriteStream(file))
}

/** n changes of a domain that the feed can tell. */
async function measureEvents(world, settings) {
  const subjects = []
  const q = 'domain=/changed'
  for (const n of SIZES) {
    const server = await world.hyperslab({ folder: `events-${n}`, settings })
    const ask = askOf(server)
    const { root } = await ask('PUT', `/?${q}`)
    const { next: first } = await ask('GET', `/events?${q}&wait=0`)
    const change = i => [
      'PUT',
      `/groups/${root}/attributes/a${i % 100}?${q}&replace=1`,
      { ...INTEGER, value: i },
    ]
    await inTurns(n, i => ask(...change(i)))
    const { next: last } = await ask('GET', `/events?${q}&wait=0`)
    subjects.push({ n, q, server, made: { first, last, change } })
  }
  await printFlat('events', subjects, {
    'first page': (_, _n, { first }) => ['GET', `/events?${q}&wait=0&since=${first}`],
    'none new': (_, _n, { last }) => ['GET', `/events?${q}&wait=0&since=${last}`],
    position: () => ['GET', `/events?${q}&wait=0`],
    change: (_, _n, { change }, i) => change(i),
  })
  const times = []
  for (const { server, made } of subjects) {
    const readAll = async () => {
      for (let since = made.first; since !== made.last; ) {
        const { events, next } = await askOf(server)('GET', `/events?${q}&wait=0&since=${since}`)
        if (events.length === 0) break
        since = next
      }
    }
    times.push([(await measured(server, readAll)).cpuMicroseconds])
    await server.end()
  }
  printLine('events: all', times, LINEAR)
}

/** n sessions, tokens and shares, fifty for each of some users, beside those of the caller. */
async function measureLogins(world, settings) {
  const subjects = []
  const starts = []
  for (const n of SIZES) {
    const folder = `logins-${n}`
    await (await world.hyperslab({ folder, settings })).end()
    await addLogins(join(world.directory, folder), n)
    const server = await world.hyperslab({ folder, settings })
    starts.push([processorTimeOfAll(server.pid)])
    const end = new Date(Date.now() + 1e9).toISOString()
    const { token } = await askOf(server)('POST', '/tokens', { name: 'bench', end })
    await askOf(server)('PUT', '/?domain=/shown')
    subjects.push({ n, server, made: { token, end } })
  }
  await printFlat('logins', subjects, {
    'page of tokens': () => ['GET', '/tokens'],
    'create and list': (_, _n, { end }) => ['POST', '/shares', { domain: '/shown', end }],
    'token used': (_, _n, { token }, i) => ['GET', `/?domain=/shown&access_token=${token}&request=${i}`],
  })
  printLine('logins: start', starts, LINEAR)
  for (const { server } of subjects) await server.end()
}

async function addLogins(dataFolder, n) {
  const engine = await openEngine({ dataFolder, records: { kind: 'folder' }, blobs: { kind: 'folder' } })
  const logins = new LoginStore(engine.keyValue, systemRandom)
  const [created, end] = [Date.now(), Date.now() + 1e9]
  const KINDS_OF_LOGINS = [
    { kind: 'session', used: created, client: 'bench' },
    { kind: 'token', name: 'bench', writes: false },
    { kind: 'share', note: '', within: '/shown', view: '', uses: 0 },
  ]
  for (let from = 0; from < n; from += 50) {
    const user = `user${from}`
    await logins.change(user, some => {
      for (let i = 0; i < 50; i++) {
        const login = { user, created, end, ...KINDS_OF_LOGINS[i % 3] }
        some.set(digestOf(logins.newSecret(user)), login)
      }
    })
  }
  await engine.close()
}

/** Stores with n groups, n chunks and values. */
async function measureStores(world, settings) {
  const times = { start: [], check: [], copy: [], export: [] }
  for (const n of SIZES) {
    const folder = `store-${n}`
    const server = await world.hyperslab({ folder, settings })
    await KINDS.objects.fill(askOf(server), 'domain=/objects', n)
    await KINDS.chunks.fill(askOf(server), 'domain=/chunks', n)
    await KINDS.values.fill(askOf(server), 'domain=/values', n)
    await settled(server)
    await server.end()
    const again = await world.hyperslab({ folder, settings })
    times.start.push([processorTimeOfAll(again.pid)])
    await again.end()
    const path = name => join(world.directory, name)
    times.check.push([costOfCommand('check', path(folder))])
    times.copy.push([costOfCommand('copy', path(folder), '--to', path(`copy-${n}`))])
    const files = path(`files-${n}`)
    mkdirSync(files)
    times.export.push([costOfCommand('export', '/objects', '/values', '--data', path(folder), '--to', files)])
  }
  for (const [name, each] of Object.entries(times)) printLine(`stores: ${name}`, each, LINEAR)
}

function costOfCommand(...command) {
  const before = processorTimeOfAll(process.pid)
  execFileSync(process.execPath, [COMMAND, ...command], { stdio: ['ignore', 'ignore', 'inherit'] })
  return processorTimeOfAll(process.pid) - before
}
