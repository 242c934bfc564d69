// Many clients that write into one small dataset at the same time, all into the same chunk: each its own rows, or rows
// appended. All acknowledged values are read back and compared. Beside them 500 clients each set an attribute of one
// group. Then 64 clients append, and 250 read what is in memory, apart and together: alternately values of 16 KiB and a
// group. Prints writes per second and rejected requests; the exit status is 1 if any were rejected or any value was
// lost.
//
//   node bench/hot-chunk.bench.mjs [seconds per line]     5 seconds

import http from 'node:http'
import {
  AUTHORIZATION,
  send as ask,
  benchmark,
  H5PYD_HEADERS,
  makeHome,
  requestText,
  sendJson,
} from './measure.mjs'

const [SECONDS = 5, ...ONLY] = process.argv.slice(2).map(Number)
const WRITERS = ONLY.length > 0 ? ONLY : [16, 100, 500]
const APPENDERS = 64
const READERS = 250
const OCTETS = 'application/octet-stream'
const DOMAIN = '/home/hot.h5'
const QUERY = `domain=${DOMAIN}`
const DEFLATE = [{ class: 'H5Z_FILTER_DEFLATE', id: 1, level: 4 }]
let failures = 0

await benchmark(async ({ hyperslab, keepAsking }) => {
  const server = await hyperslab()
  await makeHome(server)
  const json = (method, path, body) => sendJson(server, method, path, { headers: H5PYD_HEADERS, body })
  const { root } = await json('PUT', `/?${QUERY}`)
  for (const writers of WRITERS) {
    for (const [name, columns, filters] of [
      ['rows of a chunk of 60 KiB', 15],
      ['rows of a chunk of 1 MiB', 256],
      ['rows of a chunk of 1 MiB, deflate', 256, DEFLATE],
    ]) {
      const creationProperties = filters && { filters }
      const shape = [1024, columns]
      const { id } = await json('POST', `/datasets?${QUERY}`, {
        type: 'H5T_STD_I32LE',
        shape,
        ...(creationProperties && { creationProperties }),
      })
      const path = `/datasets/${id}/value?${QUERY}`
      const last = new Array(1024).fill(0)
      await run(`${writers} write ${name}`, writers, server, async (send, writer, round) => {
        const row = writer + writers * (round % Math.floor(1024 / writers))
        const number = writer * 10_000 + round + 1
        const status = await send(
          'PUT',
          `${path}&select=[${row}:${row + 1},:]`,
          Buffer.from(new Int32Array(columns).fill(number).buffer),
        )
        if (status === 200) last[row] = number
        return status
      })
      const numbers = await values(server, path)
      const lost = last.filter((number, row) => number !== 0 && numbers[row * columns] !== number).length
      if (lost > 0) console.log(`  LOST ${lost} rows`)
      failures += lost
    }
    for (const filters of [undefined, DEFLATE]) {
      await append(`${writers} append rows of 1 KiB${filters ? ', deflate' : ''}`, writers, filters)
    }
    await run(`${writers} set attributes of one group`, writers, server, (send, writer) =>
      send(
        'PUT',
        `/groups/${root}/attributes/a${writer}?${QUERY}&replace=1`,
        Buffer.from(JSON.stringify({ type: 'H5T_STD_I32LE', value: 1 })),
        'application/json',
      ),
    )
    await run(`${writers} set the same attribute`, writers, server, send =>
      send(
        'PUT',
        `/groups/${root}/attributes/same?${QUERY}&replace=1`,
        Buffer.from(JSON.stringify({ type: 'H5T_STD_I32LE', value: 1 })),
        'application/json',
      ),
    )
  }
  const read = await reads()
  const together = () => keepAsking(server, { requests: read, seconds: SECONDS, connections: READERS })
  await append(`${APPENDERS} append rows of 1 KiB, alone`, APPENDERS)
  const alone = await together()
  const [beside] = await Promise.all([
    together(),
    append(`${APPENDERS} append rows of 1 KiB, beside ${READERS} readers`, APPENDERS),
  ])
  for (const [name, { perSecond, longest }] of [
    ['alone', alone],
    [`beside ${APPENDERS} that append`, beside],
  ]) {
    console.log(
      `${`${READERS} read, ${name}`.padEnd(48)}${perSecond.toFixed(0).padStart(7)} reads/s    ` +
        `${' '.repeat(18)}max${longest.toFixed(0).padStart(6)} ms`,
    )
  }

  async function append(name, writers, filters) {
    const { id } = await json('POST', `/datasets?${QUERY}`, {
      type: 'H5T_STD_I32LE',
      shape: [0, 256],
      maxdims: [0, 256],
      creationProperties: {
        layout: { class: 'H5D_CHUNKED', dims: [1024, 256] },
        ...(filters && { filters }),
      },
    })
    const path = `/datasets/${id}/value?${QUERY}`
    const done = new Set()
    await run(name, writers, server, async (send, writer, round) => {
      const number = writer * 10_000 + round + 1
      const bytes = Buffer.from(new Int32Array(256).fill(number).buffer)
      const status = await send('PUT', `${path}&append=1`, bytes)
      if (status === 200) done.add(number)
      return status
    })
    const numbers = await values(server, path)
    const found = new Set(numbers.filter((_, i) => i % 256 === 0))
    const lost = [...done].filter(number => !found.has(number)).length
    if (lost > 0 || numbers.length !== 256 * done.size)
      console.log(`  LOST ${lost} rows, ${numbers.length / 256} there`)
    failures += lost
  }

  /** Requests for rows of a dataset of 1 MiB, and as many for the group. */
  async function reads() {
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [64, 1024] } }
    const { id } = await json('POST', `/datasets?${QUERY}`, {
      type: 'H5T_STD_I32LE',
      shape: [256, 1024],
      creationProperties,
    })
    const headers = { ...H5PYD_HEADERS, accept: OCTETS }
    await ask(server, 'PUT', `/datasets/${id}/value?${QUERY}`, {
      headers: { ...headers, 'content-type': OCTETS },
      body: Buffer.alloc(2 ** 20, 1),
    })
    const group = requestText('GET', `/groups/${root}?${QUERY}`, H5PYD_HEADERS)
    return Array.from({ length: 64 }, (_, i) => [
      requestText('GET', `/datasets/${id}/value?${QUERY}&select=[${4 * i}:${4 * i + 4},:]`, headers),
      group,
    ]).flat()
  }
})
process.exitCode = failures === 0 ? 0 : 1

async function run(name, writers, server, write) {
  const statuses = {}
  const times = []
  const start = performance.now()
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      for (let round = 0; performance.now() - start < SECONDS * 1000; round++) {
        const begun = performance.now()
        const status = await write((...request) => send(server, agent, ...request), writer, round)
        times.push(performance.now() - begun)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
      agent.destroy()
    }),
  )
  const seconds = (performance.now() - start) / 1000
  const done = (statuses[200] ?? 0) + (statuses[201] ?? 0)
  failures += times.length - done
  times.sort((a, b) => a - b)
  const at = share => times[Math.floor((times.length - 1) * share)].toFixed(0).padStart(6)
  console.log(
    `${name.padEnd(48)}${(done / seconds).toFixed(0).padStart(7)} writes/s   p50${at(0.5)} p99${at(0.99)} ` +
      `max${at(1)} ms   refused ${times.length - done}`,
  )
}

function send({ port }, agent, method, path, bytes, type = OCTETS) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: AUTHORIZATION, 'content-type': type, 'content-length': bytes.length }
    const request = http.request({ host: '127.0.0.1', port, agent, method, path, headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    request.on('error', reject)
    request.end(bytes)
  })
}

function values({ port }, path) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: AUTHORIZATION, accept: OCTETS }
    const request = http.get({ host: '127.0.0.1', port, path, headers }, response => {
      const pieces = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () => resolve(new Int32Array(new Uint8Array(Buffer.concat(pieces)).buffer)))
    })
    request.on('error', reject)
  })
}
