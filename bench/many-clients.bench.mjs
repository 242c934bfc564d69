// Many clients at the same time, of several users, each with a connection of its own and the next call as soon as the
// last one is answered: small reads, values, attributes, groups, chunks, creating and deleting. Every answer's content
// is checked. Prints what was done, how long it took, and the server's memory; the exit status is 1 if one answer was
// wrong.
//
//   node bench/many-clients.bench.mjs [clients] [seconds] [seed]     1000 clients, 60 seconds

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AUTHORIZATION, benchmark } from './measure.mjs'

const [CLIENTS = 1000, SECONDS = 60, SEED = Date.now() % 1e6] = process.argv.slice(2).map(Number)
const USERS = ['ann', 'bob', 'cem', 'dee', 'eve']
const DOMAINS = 5
const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const OCTETS = 'application/octet-stream'
const GRID = 64
const ROW = 256

const figures = new Map()
const errors = []
let stopped = false

class Client {
  constructor(number, server, domain) {
    this.number = number
    this.domain = domain
    this.random = numbers(SEED * 10_007 + number)
    const user = USERS[number % USERS.length]
    this.call = caller(server, `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`)
    this.made = 0
    this.dataset = undefined
  }

  async run() {
    // Not all at the very same moment, nor one after another.
    await pause(this.random() * 1000)
    while (!stopped) {
      const [name, work] = this.choose()
      const start = performance.now()
      try {
        await work.call(this)
      } catch (error) {
        errors.push(`${name}: ${error.message}`)
      }
      const times = figures.get(name) ?? []
      times.push(performance.now() - start)
      figures.set(name, times)
    }
  }

  choose() {
    let draw = this.random() * TOTAL_WEIGHT
    for (const [name, weight, work] of CALLS) {
      draw -= weight
      if (draw < 0) return [name, work]
    }
    return this.choose()
  }

  in(path) {
    return `${path}${path.includes('?') ? '&' : '?'}domain=${this.domain.path}`
  }

  async get(path, headers) {
    return this.call('GET', this.in(path), undefined, headers)
  }
}

/** Name, how often beside the others, and what is done and checked. */
const CALLS = [
  [
    'GET /',
    10,
    async function () {
      same((await this.get('/')).json().root, this.domain.root)
    },
  ],
  [
    'GET group',
    10,
    async function () {
      same((await this.get(`/groups/${this.domain.root}`)).json().id, this.domain.root)
    },
  ],
  [
    'GET links',
    8,
    async function () {
      const { links } = (await this.get(`/groups/${this.domain.root}/links?Limit=10`)).json()
      same(
        links.map(({ title }) => title),
        Array.from({ length: 10 }, (_, i) => `a${i}`),
      )
    },
  ],
  [
    'GET attributes',
    8,
    async function () {
      const { attributes } = (await this.get(`/groups/${this.domain.inner}/attributes?IncludeData=1`)).json()
      same(
        attributes.map(({ name, value }) => [name, value]),
        [
          ['title', 'a group'],
          ['unit', 'm'],
        ],
      )
    },
  ],
  [
    'GET dataset',
    10,
    async function () {
      same((await this.get(`/datasets/${this.domain.grid}`)).json().shape.dims, [GRID, GRID])
    },
  ],
  [
    'GET value, JSON',
    10,
    async function () {
      const row = Math.floor(this.random() * GRID)
      const { value } = (
        await this.get(`/datasets/${this.domain.grid}/value?select=[${row}:${row + 1},8:12]`)
      ).json()
      same(value, [[8, 9, 10, 11].map(column => row * GRID + column)])
    },
  ],
  [
    'GET value, bytes',
    10,
    async function () {
      const row = Math.floor(this.random() * (GRID - 4))
      const { bytes } = await this.get(
        `/datasets/${this.domain.grid}/value?select=[${row}:${row + 4},0:${GRID}]`,
        { accept: OCTETS },
      )
      const got = new Int32Array(new Uint8Array(bytes).buffer)
      same([got.length, got[0], got.at(-1)], [4 * GRID, row * GRID, (row + 4) * GRID - 1])
    },
  ],
  [
    'PUT attribute',
    6,
    async function () {
      const value = Math.floor(this.random() * 1e9)
      const path = `/datasets/${this.domain.grid}/attributes/client${this.number}`
      await this.call('PUT', this.in(`${path}?replace=1`), { type: 'H5T_STD_I32LE', value })
      same((await this.get(path)).json().value, value)
    },
  ],
  [
    'create group + link',
    6,
    async function () {
      const name = `c${this.number}-${this.made++}`
      const { id } = (
        await this.call('POST', this.in('/groups'), { link: { id: this.domain.inner, name } })
      ).json()
      same((await this.get(`/groups/${this.domain.inner}/links/${name}`)).json().link.id, id)
    },
  ],
  [
    'write a chunk',
    6,
    async function () {
      const values = new Int32Array(ROW).fill(Math.floor(this.random() * 1e9))
      this.dataset ??= (
        await this.call('POST', this.in('/datasets'), { type: 'H5T_STD_I32LE', shape: [ROW] })
      ).json().id
      const path = `/datasets/${this.dataset}/value`
      await this.call('PUT', this.in(path), Buffer.from(values.buffer), { 'content-type': OCTETS })
      const { bytes } = await this.get(path, { accept: OCTETS })
      same(Buffer.compare(bytes, Buffer.from(values.buffer)), 0)
    },
  ],
  [
    'create, read, delete',
    4,
    async function () {
      const { id } = (
        await this.call('POST', this.in('/datasets'), { type: 'H5T_STD_I8LE', shape: [3] })
      ).json()
      same((await this.get(`/datasets/${id}/value`)).json().value, [0, 0, 0])
      await this.call('DELETE', this.in(`/datasets/${id}`))
      same((await this.get(`/datasets/${id}`).catch(error => error)).status, 410)
    },
  ],
]
const TOTAL_WEIGHT = CALLS.reduce((sum, [, weight]) => sum + weight, 0)

async function makeDomain(call, path) {
  const at = target => `${target}${target.includes('?') ? '&' : '?'}domain=${path}`
  const { root } = (await call('PUT', at('/'))).json()
  const everything = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
  await call('PUT', at('/acls/default'), everything)
  const inner = (await call('POST', at('/groups'), { link: { id: root, name: 'inner' } })).json().id
  for (const [name, value] of [
    ['title', 'a group'],
    ['unit', 'm'],
  ]) {
    const type = {
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
    }
    await call('PUT', at(`/groups/${inner}/attributes/${name}`), { type, value })
  }
  for (let i = 0; i < 10; i++) await call('POST', at('/groups'), { link: { id: root, name: `a${i}` } })
  const dataset = async (name, shape, dims) => {
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims } }
    const body = { type: 'H5T_STD_I32LE', shape, creationProperties, link: { id: root, name } }
    return (await call('POST', at('/datasets'), body)).json().id
  }
  const grid = await dataset('grid', [GRID, GRID], [16, 16])
  const numbers = Int32Array.from({ length: GRID * GRID }, (_, i) => i)
  await call('PUT', at(`/datasets/${grid}/value`), Buffer.from(numbers.buffer), { 'content-type': OCTETS })
  return { path, root, inner, grid }
}

/** A function that sends on a connection of its own; what is not 2xx is an error with its status. */
function caller({ port }, authorization) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  return (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
      const length = bytes === undefined ? {} : { 'content-length': bytes.length }
      const options = {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: { authorization, ...length, ...headers },
      }
      const request = http.request(options, response => {
        const pieces = []
        response.on('data', piece => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const whole = Buffer.concat(pieces)
          const { statusCode: status } = response
          if (status < 300)
            return resolve({ bytes: whole, text: String(whole), json: () => JSON.parse(whole) })
          reject(
            Object.assign(new Error(`${method} ${path}: ${status} ${whole.subarray(0, 300)}`), { status }),
          )
        })
      })
      request.on('error', reject)
      request.end(bytes)
    })
}

function same(got, wanted) {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) {
    throw new Error(`got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}`)
  }
}

async function addUser(directory, name) {
  const child = spawn(process.execPath, [COMMAND, 'user', 'add', name], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(`${name}\n`)
  await once(child, 'exit')
}

/** Memory of its own in MiB, without the records that are mapped from the disk; NaN where /proc is not there. */
function rss(pid) {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

/** Numbers from 0 to 1 by a seed (a linear congruence). */
function numbers(seed) {
  let state = (seed % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function report(seconds, memory) {
  let count = 0
  for (const [name] of CALLS) {
    const times = (figures.get(name) ?? []).sort((a, b) => a - b)
    count += times.length
    const at = share => (times[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(1).padStart(9)
    console.log(
      `${name.padEnd(22)}${String(times.length).padStart(8)} times   p50${at(0.5)}   p99${at(0.99)}   max${at(1)} ms`,
    )
  }
  console.log(
    `${count} calls in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} per second (some are several requests)`,
  )
  const part = memory.filter((_, i) => i % Math.ceil(memory.length / 12) === 0)
  console.log(
    'memory of the server in MiB, mapped files not counted, from the start to the end: ' +
      `${part.map(mib => mib.toFixed(0)).join(' ')}`,
  )
  const kinds = new Map()
  for (const error of errors) kinds.set(error.slice(0, 120), (kinds.get(error.slice(0, 120)) ?? 0) + 1)
  for (const [error, times] of [...kinds].slice(0, 20)) console.log(`ERROR ${times} times: ${error}`)
  console.log(`${errors.length} errors`)
}

await benchmark(async ({ directory, hyperslab }) => {
  console.log(`${CLIENTS} clients of ${USERS.length} users for ${SECONDS} s, seed ${SEED}`)
  const server = await hyperslab()
  for (const user of USERS) await addUser(directory, user)
  const call = caller(server, AUTHORIZATION)
  await call('PUT', '/?domain=/load', { folder: true })
  const domains = []
  for (let i = 0; i < DOMAINS; i++) domains.push(await makeDomain(call, `/load/d${i}.h5`))

  const clients = Array.from({ length: CLIENTS }, (_, i) => new Client(i, server, domains[i % DOMAINS]))
  const memory = []
  const start = performance.now()
  const running = Promise.all(clients.map(client => client.run()))
  const watching = (async () => {
    while (!stopped) {
      memory.push(rss(server.pid))
      await pause(1000)
    }
  })()
  await pause(SECONDS * 1000)
  stopped = true
  await Promise.all([running, watching])
  report((performance.now() - start) / 1000, memory)
  const metrics = (await call('GET', '/metrics')).text
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_eventloop_lag_max_seconds',
    'hyperslab_requests_refused_total',
    'hyperslab_store_commits_total',
    'hyperslab_store_retries_total',
  ]) {
    console.log(metrics.split('\n').find(line => line.startsWith(`${name} `)))
  }
})
process.exitCode = errors.length === 0 ? 0 : 1
