// Records in PostgreSQL, with the server of PostgreSQL, the nodes and the load on this machine: small reads, groups
// with links, one node and several, appends, and the removal of a dataset of a million chunks. Beside them the records
// in LMDB, bare `pg` on the same server, and the disk.
//
//   node bench/scale.bench.mjs [PART...]     reads, writes, nodes, appends, workers, removal

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  adminSettings,
  alternate,
  benchmark,
  H5PYD_HEADERS,
  HSDS_DOMAIN,
  makeHome,
  print,
  printRatio,
  processorTimeOfAll,
  requestText,
  sendJson,
} from './measure.mjs'
import { startPostgres } from './postgres.mjs'

const REPETITIONS = 5
const NODES = 4
const QUERY = `?domain=${HSDS_DOMAIN}`
const HEADERS = { ...H5PYD_HEADERS, 'content-type': 'application/json' }
const PARTS = { reads, writes, nodes, appends, workers, removal }
/** After so long, a session of PostgreSQL that is idle has counted its transactions. */
const COUNTED_MS = 11_000

const postgres = await startPostgres()
try {
  await benchmark(async world => {
    const names = process.argv.slice(2)
    const users = adminSettings(world.directory)
    for (const [name, part] of Object.entries(PARTS)) {
      if (names.length > 0 && !names.includes(name)) continue
      const address = await postgres.createDatabase(name)
      const lmdb = settings =>
        world.hyperslab({ folder: `${name}-lmdb`, settings: [...users, ...(settings ?? [])] })
      const node = () =>
        world.hyperslab({ folder: `${name}-values`, settings: [...users, '--records', address] })
      await part({ ...world, database: name, address, lmdb, node })
    }
  })
} finally {
  await postgres.close()
}

/** The root group of a new domain. */
async function rootOf(server) {
  await makeHome(server)
  const { root } = await sendJson(server, 'PUT', `/${QUERY}`, { headers: HEADERS })
  return root
}

async function reads({ lmdb, node, load, database, address }) {
  const GROUPS = 2000
  const servers = [await lmdb(), await node()]
  const groups = []
  for (const server of servers) {
    const root = await rootOf(server)
    const job = { requests: Array.from({ length: GROUPS }, (_, i) => createGroup(root, i)), count: GROUPS }
    await load(server, { ...job, connections: 64, status: 201 })
    const { links } = await sendJson(server, 'GET', `/groups/${root}/links${QUERY}`, { headers: HEADERS })
    groups.push(links.map(({ id }) => id))
  }
  const get = id => requestText('GET', `/groups/${id}${QUERY}`, HEADERS)
  const job = index => ({ requests: [get(groups[index][0])], count: 20_000, connections: 64, status: 200 })
  let ofDatabase = 0
  const results = await alternate(
    REPETITIONS,
    servers.map((server, index) => async () => {
      const before = processorTimeOfAll(postgres.process.pid)
      const result = await load(server, job(index))
      if (index === 1) ofDatabase = (processorTimeOfAll(postgres.process.pid) - before) / 20_000
      return result
    }),
  )
  const [ours, bare] = [1, 0].map(index => results[index].map(({ cpuMicroseconds }) => cpuMicroseconds))
  const name = 'GET a group over and over, 64 at a time'
  print(`${name}: PostgreSQL, CPU of the node`, ours, 'us')
  print(`${name}: LMDB, CPU`, bare, 'us')
  printRatio(`${name}: CPU of the node / LMDB`, ours, bare, 'at most 1.5')
  print(`${name}: CPU of PostgreSQL`, [ofDatabase], 'us')
  const transactions = await countTransactions(database, () => load(servers[1], job(1)))
  print(`${name}: statements`, [transactions / 20_000], 'each')
  await servers[1].end()
  const fresh = await node()
  const first = groups[1].slice(1)
  const cold = { requests: first.map(get), count: first.length, connections: 1, status: 200 }
  let milliseconds = 0
  const statements = await countTransactions(database, async () => {
    const { perSecond } = await load(fresh, cold)
    milliseconds = 1000 / perSecond
  })
  print(
    'GET a group, nothing at hand: statements',
    [statements / first.length],
    'each, goal: at most 4 in turn',
  )
  print('GET a group, nothing at hand', [milliseconds], 'ms')
  const client = new pg.Client(address)
  await client.connect()
  const trips = []
  for (let i = 0; i < 500; i++) trips.push(await timeOf(() => client.query('select 1')))
  await client.end()
  print('a statement of bare pg that does nothing', trips, 'ms')
}

async function writes({ directory, lmdb, node, load, address }) {
  const servers = [await lmdb(), await node()]
  const roots = await Promise.all(servers.map(rootOf))
  let number = 0
  const job = (index, connections, count) => ({
    requests: Array.from({ length: count }, () => createGroup(roots[index], number++)),
    count,
    connections,
    status: 201,
  })
  const bare = await barePg(address)
  for (const [connections, count] of [
    [64, 4000],
    [16, 2000],
    [1, 300],
  ]) {
    const results = await alternate(REPETITIONS, [
      ...servers.map((server, index) => () => load(server, job(index, connections, count))),
      () => bare.insert(connections, count),
    ])
    const [onLmdb, onPostgres, inserts] = results.map(each => each.map(({ perSecond }) => perSecond))
    const name = `group + link, ${connections} at a time`
    print(`${name}: PostgreSQL`, onPostgres, 'requests/s')
    print(`${name}: LMDB`, onLmdb, 'requests/s')
    print(`${name}: bare pg, a row each`, inserts, 'inserts/s')
    printRatio(
      `${name}: PostgreSQL / bare pg`,
      onPostgres,
      inserts,
      connections === 64 ? '3000/s' : 'none set',
    )
    if (connections === 1) {
      print(
        `${name}: PostgreSQL takes`,
        onPostgres.map(rate => 1000 / rate),
        'ms',
      )
      print(
        `${name}: an insert of bare pg takes`,
        inserts.map(rate => 1000 / rate),
        'ms',
      )
    }
  }
  await bare.close()
  const file = openSync(join(directory, 'sync'), 'w')
  const syncs = []
  for (let i = 0; i < 200; i++) {
    writeSync(file, Buffer.alloc(4096))
    syncs.push(await timeOf(() => fdatasyncSync(file)))
  }
  closeSync(file)
  print('fdatasync of 4 KiB', syncs, 'ms')
}

async function nodes({ node, newLoad }) {
  const servers = []
  for (let i = 0; i < NODES; i++) servers.push(await node())
  const root = await rootOf(servers[0])
  const loads = servers.map(newLoad)
  let number = 0
  const COUNT = 4000
  const run = async (chosen, connections) => {
    const count = COUNT / chosen.length
    const begun = performance.now()
    const results = await Promise.all(
      chosen.map((server, index) =>
        loads[index](server, {
          requests: Array.from({ length: count }, () => createGroup(root, number++)),
          count,
          connections,
          status: 201,
        }),
      ),
    )
    const seconds = (performance.now() - begun) / 1000
    const rates = results.map(({ perSecond }) => perSecond)
    return {
      perSecond: COUNT / seconds,
      least: Math.min(...rates) / (rates.reduce((a, b) => a + b) / rates.length),
    }
  }
  // A node that has just begun takes three times the processor time for a request; the rounds would give each of the
  // others a quarter of what the first one gets.
  for (const server of servers) await run([server], 64)
  const [one, all] = await alternate(REPETITIONS, [
    () => run(servers.slice(0, 1), 64),
    () => run(servers, 64 / NODES),
  ])
  const rate = results => results.map(({ perSecond }) => perSecond)
  print('group + link, one node, 64 at a time', rate(one), 'requests/s')
  print(`group + link, ${NODES} nodes, ${64 / NODES} at a time each`, rate(all), 'requests/s')
  printRatio(`${NODES} nodes / one node`, rate(all), rate(one), 'at least 0.8')
  print(
    'the slowest node, of the mean',
    all.map(({ least }) => least),
    'goal: at least 0.5',
  )
}

async function appends({ node, newLoad }) {
  const servers = []
  for (let i = 0; i < NODES; i++) servers.push(await node())
  await rootOf(servers[0])
  const { id } = await sendJson(servers[0], 'POST', `/datasets${QUERY}`, {
    headers: HEADERS,
    body: { type: 'H5T_STD_I32LE', shape: [0], maxdims: [0] },
  })
  const loads = servers.map(newLoad)
  const body = JSON.stringify({ append: 1, value: [1] })
  const requests = [requestText('PUT', `/datasets/${id}/value${QUERY}`, HEADERS, body)]
  const COUNT = 250
  const rates = []
  for (let i = 0; i <= REPETITIONS; i++) {
    const begun = performance.now()
    // Another status than 200 ends the benchmark.
    await Promise.all(
      servers.map((server, index) =>
        loads[index](server, { requests, count: COUNT, connections: 16, status: 200 }),
      ),
    )
    if (i > 0) rates.push((NODES * COUNT * 1000) / (performance.now() - begun))
  }
  const { shape } = await sendJson(servers[1], 'GET', `/datasets/${id}${QUERY}`, { headers: HEADERS })
  if (shape.dims[0] !== NODES * COUNT * (REPETITIONS + 1))
    throw new Error(`appends are lost: ${shape.dims[0]}`)
  print(
    `appends to one dataset, ${NODES} nodes, 16 at a time each, none refused`,
    rates,
    'appends/s, goal: 300',
  )
}

async function workers({ lmdb, load }) {
  const results = []
  let root
  for (const count of ['1', '2']) {
    const server = await lmdb(['--workers', count])
    root ??= await rootOf(server)
    const requests = [requestText('GET', `/groups/${root}${QUERY}`, HEADERS)]
    const rates = []
    for (let i = 0; i <= REPETITIONS; i++) {
      const { perSecond } = await load(server, { requests, count: 20_000, connections: 64, status: 200 })
      if (i > 0) rates.push(perSecond)
    }
    print(`GET a group, 64 at a time, ${count} worker(s)`, rates, 'requests/s')
    results.push(rates)
    await server.end()
  }
  printRatio('2 workers / 1', results[1], results[0], 'at least 3 of 4 workers on 4 cores')
}

async function removal({ lmdb, node, load, keepAsking }) {
  const CHUNKS = 2 ** 20
  for (const [name, start] of [
    ['LMDB', lmdb],
    ['PostgreSQL', node],
  ]) {
    const server = await start()
    const root = await rootOf(server)
    const { id } = await sendJson(server, 'POST', `/datasets${QUERY}`, {
      headers: HEADERS,
      body: {
        type: 'H5T_STD_I8LE',
        shape: [CHUNKS],
        creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [1] } },
      },
    })
    const AT_ONCE = 2 ** 14
    const body = 'x'.repeat(AT_ONCE)
    const headers = { ...HEADERS, 'content-type': 'application/octet-stream' }
    const requests = Array.from({ length: CHUNKS / AT_ONCE }, (_, i) =>
      requestText(
        'PUT',
        `/datasets/${id}/value${QUERY}&select=[${i * AT_ONCE}:${(i + 1) * AT_ONCE}]`,
        headers,
        body,
      ),
    )
    await load(server, { requests, count: requests.length, connections: 2, status: 200 })
    let number = 0
    const others = seconds =>
      keepAsking(server, {
        requests: Array.from({ length: 100_000 }, () => createGroup(root, number++)),
        seconds,
        connections: 4,
        status: 201,
      })
    const before = await others(5)
    const during = others(15)
    await sleep(500)
    const took = await timeOf(() =>
      sendJson(server, 'DELETE', `/datasets/${id}${QUERY}`, { headers: HEADERS }),
    )
    print(`${name}: a dataset of ${CHUNKS} chunks deleted`, [took], 'ms, goal: 50')
    print(`${name}: p99 of other writers before`, [before.p99], 'ms')
    print(`${name}: p99 of other writers while it is removed`, [(await during).p99], 'ms, goal: 100')
    await server.end()
  }
}

function createGroup(root, number) {
  return requestText(
    'POST',
    `/groups${QUERY}`,
    HEADERS,
    JSON.stringify({ link: { id: root, name: `g${number}` } }),
  )
}

/** Connections of bare pg that insert one row after another, each a transaction. */
async function barePg(address) {
  const clients = []
  for (let i = 0; i < 64; i++) {
    const client = new pg.Client(address)
    await client.connect()
    clients.push(client)
  }
  await clients[0].query('create table bare (key bytea primary key, value bytea not null)')
  let number = 0
  return {
    async insert(connections, count) {
      const value = Buffer.alloc(220)
      let left = count
      const begun = performance.now()
      await Promise.all(
        clients.slice(0, connections).map(async client => {
          while (left-- > 0) {
            const values = [Buffer.from(`key ${number++}`), value]
            await client.query({ name: 'insert', text: 'insert into bare values ($1, $2)', values })
          }
        }),
      )
      return { perSecond: (1000 * count) / (performance.now() - begun) }
    },
    async close() {
      for (const client of clients) await client.end()
    },
  }
}

/** Transactions of the database meanwhile: each statement of the service is one. */
async function countTransactions(database, work) {
  const counted = async () => {
    await sleep(COUNTED_MS)
    const [[count]] = await postgres.query(
      `select xact_commit + xact_rollback from pg_stat_database where datname = '${database}'`,
    )
    return Number(count)
  }
  const before = await counted()
  const idle = (await counted()) - before
  const start = await counted()
  await work()
  return (await counted()) - start - idle
}

async function timeOf(work) {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
