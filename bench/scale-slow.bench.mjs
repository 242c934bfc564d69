// Records in PostgreSQL beside what goes on for minutes: a thousand slow clients, and a transaction of another program
// that stays open. Before, during and after, groups with links are created.
//
//   node bench/scale-slow.bench.mjs [PART...]     clients (7 minutes), transaction (12 minutes)

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  adminSettings,
  benchmark,
  H5PYD_HEADERS,
  HSDS_DOMAIN,
  makeHome,
  print,
  requestText,
  send,
  sendJson,
} from './measure.mjs'
import { startPostgres } from './postgres.mjs'

const CLIENTS = 1000
const BYTES = 3 * 2 ** 20
const CLIENT_SECONDS = 300
const TRANSACTION_MINUTES = 10
const QUERY = `?domain=${HSDS_DOMAIN}`
const HEADERS = { ...H5PYD_HEADERS, 'content-type': 'application/json' }

const postgres = await startPostgres()
try {
  await benchmark(async ({ directory, hyperslab, keepAsking }) => {
    const users = adminSettings(directory)
    /** A service on a database of that name, and how many groups with links it creates in a second. */
    async function serve(name) {
      const address = await postgres.createDatabase(name)
      const server = await hyperslab({
        folder: name,
        settings: [...users, '--records', address],
      })
      await makeHome(server)
      const { root } = await sendJson(server, 'PUT', `/${QUERY}`, { headers: HEADERS })
      let number = 0
      const createGroup = () =>
        requestText(
          'POST',
          `/groups${QUERY}`,
          HEADERS,
          JSON.stringify({ link: { id: root, name: `g${number++}` } }),
        )
      const commits = async seconds => {
        const requests = Array.from({ length: seconds * 5000 }, createGroup)
        const { perSecond } = await keepAsking(server, { requests, seconds, connections: 16, status: 201 })
        return perSecond
      }
      return { server, name, address, commits }
    }

    const names = process.argv.slice(2)
    for (const [name, part] of Object.entries({ clients, transaction }))
      if (names.length === 0 || names.includes(name)) await part(serve)
  })
} finally {
  await postgres.close()
}

async function historyRows(name) {
  const [[count]] = await postgres.query('select count(*) from hyperslab.history', name)
  return Number(count)
}

/**
 * Each reads 3 MiB in small steps for five minutes. The state that it reads is kept until the values are read, not
 * until they are sent.
 */
async function clients(serve) {
  const { server, name, commits } = await serve('clients')
  const { id } = await sendJson(server, 'POST', `/datasets${QUERY}`, {
    headers: HEADERS,
    body: { type: 'H5T_STD_I8LE', shape: [BYTES] },
  })
  const octets = {
    ...HEADERS,
    'content-type': 'application/octet-stream',
    accept: 'application/octet-stream',
  }
  await send(server, 'PUT', `/datasets/${id}/value${QUERY}`, {
    headers: octets,
    body: Buffer.alloc(BYTES, 1),
  })
  await commits(5)
  const before = await commits(20)
  const request = requestText('GET', `/datasets/${id}/value${QUERY}`, octets)
  let served = 0
  const failures = []
  const all = Array.from({ length: CLIENTS }, () =>
    readSlowly(server.port, request).then(
      () => served++,
      error => failures.push(String(error)),
    ),
  )
  await sleep(20_000)
  const during = await commits(20)
  print('commits/s before', [before], '')
  print(
    `commits/s beside ${CLIENTS} slow clients`,
    [during],
    `${(during / before).toFixed(2)} of before, goal: 0.9`,
  )
  await Promise.all(all)
  print(
    'clients that got all bytes',
    [served],
    `of ${CLIENTS}${failures.length > 0 ? `: ${failures[0]}` : ''}`,
  )
  print('rows of history at their end', [await historyRows(name)], '')
  await sleep(60_000)
  print('rows of history a minute later', [await historyRows(name)], 'goal: swept')
  await server.end()
}

function readSlowly(port, request) {
  return new Promise((resolve, reject) => {
    const STEP_MS = 2000
    const allowed = (BYTES * STEP_MS) / (CLIENT_SECONDS * 1000)
    let received = 0
    let inStep = 0
    let first = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request))
    const timer = setInterval(() => {
      inStep = 0
      socket.resume()
    }, STEP_MS)
    socket.on('data', bytes => {
      if (received === 0) first = bytes.toString('latin1', 0, 600)
      received += bytes.length
      inStep += bytes.length
      if (received > BYTES) {
        socket.destroy()
        resolve()
      } else if (inStep >= allowed) socket.pause()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearInterval(timer)
      reject(new Error(`closed after ${received} bytes: ${first}`))
    })
  })
}

/**
 * An idle transaction with a snapshot: nothing that was there at its begin can be vacuumed. Beside it the same on
 * another database, which the transaction does not concern.
 */
async function transaction(serve) {
  const { server, address, commits } = await serve('transaction')
  const control = await serve('control')
  for (const each of [commits, control.commits]) await each(10)
  const client = new pg.Client(address)
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from hyperslab.commits')
  for (let minute = 1; minute <= TRANSACTION_MINUTES; minute++) {
    const before = await control.commits(6)
    const during = await commits(48)
    const without = (before + (await control.commits(6))) / 2
    print(
      `commits/s in minute ${minute} of a foreign transaction`,
      [during],
      `${(during / without).toFixed(2)} of without, goal: 0.5`,
    )
  }
  await client.query('rollback')
  await client.end()
  await sleep(60_000)
  print('commits/s a minute after it', [await commits(20)], '')
  await server.end()
  await control.server.end()
}
