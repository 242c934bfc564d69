// Small changes of large chunks: rows appended to a chunk that is half full, tiles and single cells written, by 1, 16
// and 50 clients, into chunks of 1 MiB; and frames of 2 MB, one after another, into chunks that ten of them share, and
// into chunks of their own; and 32 MiB written and appended, as bytes and as a part of a body. Prints requests a
// second, the time of the slowest in a hundred, processor time, and bytes that the server wrote for each byte sent
// (`wchar`, which counts what goes through write calls; LMDB writes so). Then reads of a tile of a chunk that has
// patches and of one that has none. Rows that were appended are counted, and so is the disk that they take.
//
//   node bench/small-changes.bench.mjs [seconds per line] [parts of names]     5 seconds, all

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AUTHORIZATION, benchmark, makeHome, measured, requestText, send, sendJson } from './measure.mjs'

const [SECONDS = 5, ...NAMES] = process.argv.slice(2).map(word => Number(word) || word)
const CLIENTS = [1, 16, 50]
const OCTETS = 'application/octet-stream'
const DOMAIN = '/home/small.h5'
const QUERY = `domain=${DOMAIN}`
const HEADERS = { host: 'h', authorization: AUTHORIZATION, 'content-type': OCTETS }
const FILTERS = [
  { class: 'H5Z_FILTER_SHUFFLE', id: 2 },
  { class: 'H5Z_FILTER_DEFLATE', id: 1, level: 4 },
]
/** Half of a chunk. */
const TABLE = { type: 'H5T_STD_I32LE', shape: [18_720, 7], maxdims: [0, 7] }
const FIELD = { type: 'H5T_IEEE_F32LE', shape: [2048, 2048] }
/** Frames of 2 MB: as many as five chunks have. */
const FRAMES = { type: 'H5T_STD_U16LE', shape: [50, 1000, 1000] }
const ROWS = 20
const TILE = 64
/** Rows of 4 KiB. */
const ROWS_OF_32 = 8192

await benchmark(async ({ directory, hyperslab, keepAsking }) => {
  const server = await hyperslab()
  await makeHome(server)
  const json = (method, path, body) =>
    sendJson(server, method, path, { headers: { authorization: AUTHORIZATION }, body })
  await json('PUT', `/?${QUERY}`)
  const create = async (shape, dims, filters = []) => {
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims }, filters }
    const { id } = await json('POST', `/datasets?${QUERY}`, { ...shape, creationProperties })
    return { id, path: `/datasets/${id}/value?${QUERY}` }
  }
  const asks = name => NAMES.length === 0 || NAMES.some(part => name.includes(part))

  async function ask(clients, requests) {
    const asked = await keepAsking(server, { requests, seconds: SECONDS, connections: clients })
    return { ...asked, count: asked.perSecond * SECONDS }
  }

  /** The same body that many times, one after another. */
  async function writeTimes(count, targetOf, headers, body) {
    const start = performance.now()
    const times = []
    for (let i = 0; i < count; i++) {
      const begun = performance.now()
      await send(server, 'PUT', targetOf(i), { headers, body })
      times.push(performance.now() - begun)
    }
    const perSecond = (1000 * times.length) / (performance.now() - start)
    return { perSecond, p99: times.sort((a, b) => a - b).at(-1), count }
  }

  async function line(name, clients, requests, bytes) {
    const before = { written: written(server), disk: sizeOf(join(directory, 'data')) }
    let asked
    const { cpuMicroseconds } = await measured(server, async () => {
      asked = await (typeof requests === 'function' ? requests() : ask(clients, requests))
    })
    const { count } = asked
    const perByte = (written(server) - before.written) / (count * bytes)
    const growth = (sizeOf(join(directory, 'data')) - before.disk) / (count * bytes)
    const figures = [
      `${name.padEnd(34)}${String(clients).padStart(3)} clients${asked.perSecond.toFixed(0).padStart(7)}/s`,
      `p99${asked.p99.toFixed(1).padStart(7)} ms`,
      `cpu${(cpuMicroseconds / count).toFixed(0).padStart(7)} us`,
      `written${perByte.toFixed(1).padStart(9)}   on disk${growth.toFixed(1).padStart(8)} bytes per byte`,
    ]
    console.log(figures.join('   '))
    return count
  }

  for (const [name, filters] of [['append 560 B'], ['append 560 B, shuffle and deflate', FILTERS]]) {
    if (!asks(name)) continue
    for (const clients of CLIENTS) {
      const { id, path } = await create(TABLE, [37_449, 7], filters)
      await send(server, 'PUT', path, { headers: HEADERS, body: noise(28 * TABLE.shape[0]) })
      const request = requestText('PUT', `${path}&append=${ROWS}`, HEADERS, 'abcd'.repeat(7 * ROWS))
      await line(name, clients, [request], 28 * ROWS)
      const { shape } = await json('GET', `/datasets/${id}?${QUERY}`)
      if (shape.dims[0] % ROWS !== 0) throw new Error(`${shape.dims[0]} rows are there`)
      const end = await send(server, 'GET', `${path}&select=[${shape.dims[0] - ROWS}:${shape.dims[0]},:]`, {
        headers: { authorization: AUTHORIZATION, accept: OCTETS },
      })
      if (end.bytes.toString() !== 'abcd'.repeat(7 * ROWS)) throw new Error('the last rows are not there')
    }
  }

  const select = (y, x, extent) => `select=[${y}:${y + extent},${x}:${x + extent}]`
  for (const [name, extent, filters] of [
    ['tile 64x64', TILE],
    ['tile 64x64, shuffle and deflate', TILE, FILTERS],
    ['cell', 1],
  ]) {
    if (!asks(name)) continue
    for (const clients of CLIENTS) {
      const { path } = await create(FIELD, [512, 512], filters)
      await send(server, 'PUT', path, { headers: HEADERS, body: noise(4 * 2048 * 2048) })
      const requests = Array.from({ length: 512 }, (_, i) => {
        const place = (i * 389) % 1024
        const [y, x] = [Math.floor(place / 32) * TILE, (place % 32) * TILE]
        return requestText('PUT', `${path}&${select(y, x, extent)}`, HEADERS, 'wxyz'.repeat(extent * extent))
      })
      await line(name, clients, requests, 4 * extent * extent)
    }
  }

  const names = ['frame', 'frame, shuffle and deflate']
  for (const [name, filters] of [[names[0]], [names[1], FILTERS]]) {
    if (!asks(name)) continue
    for (const dims of [
      [10, 250, 250],
      [1, 1000, 1000],
    ]) {
      const { path } = await create(FRAMES, dims, filters)
      const body = noise(2e6)
      const frame = i => `${path}&select=[${i}:${i + 1},:,:]`
      const write = () => writeTimes(FRAMES.shape[0], frame, HEADERS, body)
      await line(`${name}, chunks [${dims}]`, 1, write, body.length)
    }
  }

  for (const [name, shape, part, type] of [
    ['box of 32 MiB', [ROWS_OF_32, 1024], { select: `[0:${ROWS_OF_32},:]` }, OCTETS],
    ['append of 32 MiB', [0, 1024], { append: ROWS_OF_32 }, OCTETS],
    ['box of 32 MiB, as a part', [ROWS_OF_32, 1024], { select: `[0:${ROWS_OF_32},:]` }],
    ['append of 32 MiB, as a part', [0, 1024], { append: ROWS_OF_32 }],
  ]) {
    if (!asks(name)) continue
    const table = { type: 'H5T_STD_I32LE', shape, maxdims: [0, 1024] }
    const { id, path } = await create(table, [256, 1024])
    const bytes = noise(ROWS_OF_32 * 4096)
    const list = JSON.stringify({ values: [{ id, ...part }] })
    const [target, contentType, body] = type
      ? [`${path}&${new URLSearchParams(part)}`, type, bytes]
      : [`/values?${QUERY}`, 'multipart/mixed; boundary=b', asPart(list, bytes)]
    await line(
      name,
      1,
      () => writeTimes(5, () => target, { ...HEADERS, 'content-type': contentType }, body),
      bytes.length,
    )
  }

  if (!asks('read')) return
  for (const [name, count, extent] of [
    ['no patches', 0, 1],
    ['100 patches of a cell', 100, 1],
    ['10 patches of a tile', 10, TILE],
  ]) {
    const { path } = await create({ ...FIELD, shape: [512, 512] }, [512, 512])
    await send(server, 'PUT', path, { headers: HEADERS, body: noise(4 * 512 * 512) })
    for (let i = 0; i < count; i++) {
      const [y, x] = [(i * 37) % (512 - extent), (i * 101) % (512 - extent)]
      const body = Buffer.alloc(4 * extent * extent, i)
      await send(server, 'PUT', `${path}&${select(y, x, extent)}`, { headers: HEADERS, body })
    }
    for (const [what, size] of [
      ['tile', TILE],
      ['chunk', 512],
    ]) {
      const headers = { host: 'h', authorization: AUTHORIZATION, accept: OCTETS }
      const requests = Array.from({ length: 7 }, (_, i) =>
        requestText(
          'GET',
          `${path}&${select(size === TILE ? i * TILE : 0, size === TILE ? i * TILE : 0, size)}`,
          headers,
        ),
      )
      let asked
      const { cpuMicroseconds } = await measured(server, async () => {
        asked = await keepAsking(server, { requests, seconds: Math.min(2, SECONDS), connections: 4 })
      })
      const cpu = cpuMicroseconds / (asked.perSecond * Math.min(2, SECONDS))
      const figure = `${asked.perSecond.toFixed(0).padStart(7)}/s   cpu${cpu.toFixed(0).padStart(7)} us`
      console.log(`${`read a ${what}, ${name}`.padEnd(45)}${figure}`)
    }
  }
})

/** Bytes that write calls of the server were given. */
function written({ pid }) {
  return Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1])
}

/** Bytes on the disk of all files below a folder. */
function sizeOf(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // A file may have been removed since it was listed.
    bytes += (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.blocks ?? 0) * 512
  }
  return bytes
}

/** Numbers that filters shorten a little, as measured ones. */
function noise(bytes) {
  const floats = new Float32Array(bytes / 4)
  for (let i = 0; i < floats.length; i++) floats[i] = Math.sin(i / 999) * 100 + ((i * 7919) % 1000) / 1000
  return Buffer.from(floats.buffer)
}

/** A multipart body of a list and the bytes of its item. */
function asPart(list, bytes) {
  const head = `--b\r\nContent-Type: application/json\r\n\r\n${list}\r\n--b\r\nContent-Type: ${OCTETS}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')])
}
