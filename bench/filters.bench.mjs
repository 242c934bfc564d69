// 128 MiB of float32 behind shuffle and deflate, in chunks of 1 MiB: a durable write and a read of everything, beside
// node:zlib over the same chunks, four at a time, and sending alone. It is more than the service keeps decoded, so
// every read is a cold one. And one chunk read again and again in small blocks, with its filters and without.

import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { shuffleBytes } from '../dist/modules/h5/filters/shuffle.js'
import {
  AUTHORIZATION,
  alternate,
  benchmark,
  print,
  printRatio,
  requestText,
  send,
  sendJson,
} from './measure.mjs'

const MIB = 2 ** 20
const [ROWS, COLUMNS, EDGE] = [8192, 4096, 512]
const LENGTH = ROWS * COLUMNS * 4
const LEVEL = 4
const FILTERS = ['shuffle', { class: 'H5Z_FILTER_DEFLATE', level: LEVEL }]
const REPETITIONS = 5
const AT_ONCE = 4
const DOMAIN = '/bench.h5'

await benchmark(async ({ hyperslab, raw, load }) => {
  const server = await hyperslab()
  const headers = { 'x-hdf-domain': DOMAIN, authorization: AUTHORIZATION }
  await sendJson(server, 'PUT', '/', { headers })
  const values = field()
  const filtered = await dataset(server, headers, FILTERS)
  const zlibWrites = chunksOf(values)
  const deflated = await inTurns(zlibWrites, promisify(deflate), { level: LEVEL, chunkSize: MIB })
  const share = deflated.reduce((sum, { length }) => sum + length, 0) / LENGTH
  console.log(`node:zlib makes ${share.toFixed(2)} of the bytes`)

  const [writes, deflates] = await alternate(REPETITIONS, [
    () => megabytesPerSecond(() => put(server, filtered, headers, values)),
    () => megabytesPerSecond(() => inTurns(zlibWrites, promisify(deflate), { level: LEVEL, chunkSize: MIB })),
  ])
  print('durable write, shuffle and deflate: hyperslab', writes, 'MiB/s')
  print('deflate: node:zlib, 4 at a time', deflates, 'MiB/s')
  printRatio('durable write: hyperslab / node:zlib', writes, deflates, 'none set')

  if (!(await get(server, filtered, headers)).equals(values)) throw new Error('what was read was not written')
  const sender = await raw({ kind: 'bytes', length: LENGTH })
  const [reads, inflates, sends] = await alternate(REPETITIONS, [
    () => megabytesPerSecond(() => get(server, filtered, headers)),
    () => megabytesPerSecond(() => inTurns(deflated, promisify(inflate), { chunkSize: MIB })),
    () => megabytesPerSecond(() => send(sender, 'GET', '/', { headers })),
  ])
  print('cold read, shuffle and deflate: hyperslab', reads, 'MiB/s')
  print('inflate: node:zlib, 4 at a time', inflates, 'MiB/s')
  print('send: node:http', sends, 'MiB/s')
  printRatio('cold read: hyperslab / node:zlib', reads, inflates, '1')
  const both = inflates.map((rate, i) => 1 / (1 / rate + 1 / sends[i]))
  printRatio('cold read: hyperslab / zlib, then http', reads, both, 'none set')

  const plain = await dataset(server, headers, [])
  await put(server, plain, headers, values)
  const blocks = id => {
    const accept = { ...headers, host: '127.0.0.1', accept: 'application/octet-stream' }
    const requests = Array.from({ length: 64 }, (_, i) => {
      const select = `[${i * 7}:${i * 7 + 64},${i}:${i + 64}]`
      return requestText('GET', `/datasets/${id}/value?select=${select}`, accept)
    })
    return load(server, { requests, count: 2000, connections: 4, status: 200 })
  }
  const [again, unfiltered] = await alternate(3, [() => blocks(filtered), () => blocks(plain)])
  const rate = rounds => rounds.map(({ perSecond }) => perSecond)
  print('64 x 64 blocks of one chunk: filtered', rate(again), 'requests/s')
  print('64 x 64 blocks of one chunk: no filters', rate(unfiltered), 'requests/s')
  printRatio('blocks of one chunk: filtered / no filters', rate(again), rate(unfiltered), 'none set')
})

/** Smooth, with noise in the last digits, as measured values are. */
function field() {
  const values = new Float32Array(ROWS * COLUMNS)
  let noise = 1
  for (let i = 0; i < values.length; i++) {
    noise = (Math.imul(noise, 1664525) + 1013904223) | 0
    values[i] = 280 + 10 * Math.sin(i / 5000) + Math.sin((i % COLUMNS) / 300) + noise / 2 ** 34
  }
  return Buffer.from(values.buffer)
}

/** The chunks as deflate gets them. */
function chunksOf(values) {
  const chunks = []
  for (let row = 0; row < ROWS; row += EDGE) {
    for (let column = 0; column < COLUMNS; column += EDGE) {
      const chunk = new Uint8Array(EDGE * EDGE * 4)
      for (let i = 0; i < EDGE; i++) {
        const start = ((row + i) * COLUMNS + column) * 4
        chunk.set(values.subarray(start, start + EDGE * 4), i * EDGE * 4)
      }
      chunks.push(shuffleBytes(chunk, 4))
    }
  }
  return chunks
}

async function inTurns(chunks, work, options) {
  const results = []
  let next = 0
  const lane = async () => {
    while (next < chunks.length) {
      const i = next++
      results[i] = await work(chunks[i], options)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return results
}

async function dataset(server, headers, filters) {
  const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [EDGE, EDGE] }, filters }
  const body = { type: 'H5T_IEEE_F32LE', shape: [ROWS, COLUMNS], creationProperties }
  return (await sendJson(server, 'POST', '/datasets', { headers, body })).id
}

async function megabytesPerSecond(work) {
  const start = performance.now()
  await work()
  return (1000 * (LENGTH / MIB)) / (performance.now() - start)
}

async function get(server, id, headers) {
  const accept = { ...headers, accept: 'application/octet-stream' }
  return (await send(server, 'GET', `/datasets/${id}/value`, { headers: accept })).bytes
}

async function put(server, id, headers, body) {
  const type = { ...headers, 'content-type': 'application/octet-stream' }
  await send(server, 'PUT', `/datasets/${id}/value`, { headers: type, body })
}
