// Parts of a 4096 x 4096 float32 dataset in chunks of 512 x 512: random blocks, every fourth element, a column, points.
// Beside each: what a typed-array loop in this process needs to copy the same elements out of one array in memory, and
// a bare node:http server that sends as many bytes; for the blocks a metadata GET of the same service.

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

const SIDE = 4096
const BLOCK = 64
const REPETITIONS = 5
const HEADERS = { host: 'localhost', 'x-hdf-domain': '/bench.h5', authorization: AUTHORIZATION }
const OCTETS = 'application/octet-stream'
const BINARY = { ...HEADERS, accept: OCTETS }
const DATA = Float32Array.from({ length: SIDE * SIDE }, (_, i) => i % 16_777_213)

/** The same numbers in every run. */
let state = 1
function random(below) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

await benchmark(async ({ hyperslab, raw, load }) => {
  const server = await hyperslab()
  await sendJson(server, 'PUT', '/', { headers: HEADERS })
  const layout = { class: 'H5D_CHUNKED', dims: [512, 512] }
  const body = { type: 'H5T_IEEE_F32LE', shape: [SIDE, SIDE], creationProperties: { layout } }
  const { id } = await sendJson(server, 'POST', '/datasets', { headers: HEADERS, body })
  const put = { headers: { ...HEADERS, 'content-type': OCTETS }, body: Buffer.from(DATA.buffer) }
  await send(server, 'PUT', `/datasets/${id}/value`, put)

  await compareBlocks({ id, server, raw, load })
  await compareRead('every 4th element, both dimensions', { server, raw }, everyFourth, headers => ({
    method: 'GET',
    target: `/datasets/${id}/value?select=[::4,::4]`,
    headers,
  }))
  await compareRead('one column', { server, raw }, column, headers => ({
    method: 'GET',
    target: `/datasets/${id}/value?select=[:,1234]`,
    headers,
  }))
  for (const count of [10_000, 1_000_000]) {
    const points = Array.from({ length: 2 * count }, () => random(SIDE))
    const bytes = Buffer.from(BigUint64Array.from(points, BigInt).buffer)
    await compareRead(
      `${count} points`,
      { server, raw },
      () => pointsOf(points),
      headers => ({
        method: 'POST',
        target: `/datasets/${id}/value`,
        headers: { ...headers, 'content-type': OCTETS },
        body: bytes,
      }),
    )
  }
})

async function compareBlocks({ id, server, raw, load }) {
  const corners = Array.from({ length: 1000 }, () => [random(SIDE - BLOCK), random(SIDE - BLOCK)])
  const blocks = corners.map(([row, column]) => {
    const select = `[${row}:${row + BLOCK},${column}:${column + BLOCK}]`
    return requestText('GET', `/datasets/${id}/value?select=${select}`, BINARY)
  })
  const metadata = [requestText('GET', `/datasets/${id}`, HEADERS)]
  const rival = await raw({ kind: 'bytes', length: 4 * BLOCK * BLOCK })
  for (const connections of [1, 16]) {
    const job = requests => ({ requests, count: 5000, connections, status: 200 })
    const [ours, small, plain, copies] = await alternate(REPETITIONS, [
      () => load(server, job(blocks)),
      () => load(server, job(metadata)),
      () => load(rival, job(metadata)),
      () => microsecondsOfCopies(corners),
    ])
    const cpu = results => results.map(result => result.cpuMicroseconds)
    const rate = results => results.map(result => result.perSecond)
    const name = `64 x 64 block, ${connections} in flight`
    print(`${name}: hyperslab, CPU`, cpu(ours), 'us/request')
    print(`${name}: metadata GET, CPU`, cpu(small), 'us/request')
    print(`${name}: node:http, CPU`, cpu(plain), 'us/request')
    print(`${name}: the copy`, copies, 'us')
    print(`${name}: hyperslab`, rate(ours), 'requests/s')
    print(`${name}: node:http`, rate(plain), 'requests/s')
    const limit = cpu(small).map((microseconds, i) => microseconds + copies[i])
    printRatio(`${name}: CPU / (metadata GET + copy)`, cpu(ours), limit, 'at most 2')
  }
}

/** The mean time of one copy, over all. */
async function microsecondsOfCopies(corners) {
  const out = new Float32Array(BLOCK * BLOCK)
  const start = performance.now()
  for (const [row, column] of corners) {
    for (let i = 0; i < BLOCK; i++) {
      const at = (row + i) * SIDE + column
      out.set(DATA.subarray(at, at + BLOCK), i * BLOCK)
    }
  }
  return (1000 * (performance.now() - start)) / corners.length
}

async function compareRead(name, { server, raw }, copy, requestWith) {
  const expected = copy()
  const rival = await raw({ kind: 'bytes', length: expected.byteLength })
  const milliseconds = async work => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const read = async from => {
    const { method, target, headers, body } = requestWith(BINARY)
    return (await send(from, method, target, { headers, body })).bytes
  }
  if (!(await read(server)).equals(Buffer.from(expected.buffer))) throw new Error(`${name}: wrong elements`)
  const [ours, plain, loops] = await alternate(REPETITIONS, [
    () => milliseconds(() => read(server)),
    () => milliseconds(() => read(rival)),
    () => milliseconds(async () => copy()),
  ])
  print(`${name}: hyperslab`, ours, 'ms')
  print(`${name}: node:http`, plain, 'ms')
  print(`${name}: the loop`, loops, 'ms')
  const limit = plain.map((time, i) => time + loops[i])
  printRatio(`${name}: time / (node:http + loop)`, ours, limit, 'none set')
}

function everyFourth() {
  const out = new Float32Array((SIDE / 4) ** 2)
  let at = 0
  for (let row = 0; row < SIDE; row += 4) {
    for (let column = 0; column < SIDE; column += 4) out[at++] = DATA[row * SIDE + column]
  }
  return out
}

function column() {
  return Float32Array.from({ length: SIDE }, (_, row) => DATA[row * SIDE + 1234])
}

function pointsOf(points) {
  const out = new Float32Array(points.length / 2)
  for (let i = 0; i < out.length; i++) out[i] = DATA[points[2 * i] * SIDE + points[2 * i + 1]]
  return out
}
