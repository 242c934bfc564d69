// Opens domains with a client of JavaScript and compares every value with that of h5py.
//
//   node open-with.mjs CLIENT ADDRESS VALUES DOMAIN...
//
// VALUES is the file with what domains.py prints. Prints what differs, then the number of arrays that were compared.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'

const [client, address, values, ...domains] = process.argv.slice(2)

async function zarrita(version) {
  const zarr = await import('zarrita')
  return async domain => {
    const files = new zarr.FetchStore(`${address}/zarr/v${version}${domain}`)
    const root = zarr.root(await zarr.withConsolidatedMetadata(files))
    return async name => {
      const array = await zarr.open(root.resolve(name), { kind: 'array' })
      const found = await zarr.get(array)
      // A scalar comes as its value.
      return typeof found === 'object' && found !== null && 'data' in found ? [...found.data] : [found]
    }
  }
}

/**
 * In the build for browsers, whose files are in memory. h5wasm reads synchronously, so a worker fetches while this
 * thread waits.
 */
async function h5wasm() {
  const { default: h5 } = await import('h5wasm')
  const { FS } = await h5.ready
  const fetcher = new Worker(FETCHER, { eval: true })
  fetcher.unref()
  return async domain => {
    const url = `${address}/h5${domain}`
    const head = await fetch(url, { method: 'HEAD' })
    if (head.headers.get('accept-ranges') !== 'bytes') throw new Error(`${url} has no ranges`)
    const size = Number(head.headers.get('content-length'))
    const name = domain.replaceAll('/', '-')
    FS.writeFile(`/${name}`, new Uint8Array())
    const { node } = FS.lookupPath(`/${name}`)
    node.usedBytes = size
    node.stream_ops = {
      ...node.stream_ops,
      read(_stream, into, offset, length, position) {
        const count = Math.min(length, size - position)
        if (count <= 0) return 0
        into.set(fetchRange(fetcher, url, position, count), offset)
        return count
      },
    }
    const file = new h5.File(`/${name}`, 'r')
    return async path => {
      const found = file.get(path).value
      return typeof found === 'object' ? [...found] : [found]
    }
  }
}

const FETCHER = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', async ({ url, first, last, shared, done }) => {
  try {
    const reply = await fetch(url, { headers: { Range: 'bytes=' + first + '-' + last } })
    const bytes = new Uint8Array(await reply.arrayBuffer())
    if (reply.status === 206 && bytes.length === last - first + 1) {
      new Uint8Array(shared).set(bytes)
      Atomics.store(done, 0, 1)
    } else Atomics.store(done, 0, 2)
  } catch {
    Atomics.store(done, 0, 2)
  }
  Atomics.notify(done, 0)
})`

function fetchRange(fetcher, url, first, count) {
  const shared = new SharedArrayBuffer(count)
  const done = new Int32Array(new SharedArrayBuffer(4))
  fetcher.postMessage({ url, first, last: first + count - 1, shared, done })
  Atomics.wait(done, 0, 0)
  if (done[0] !== 1) throw new Error(`the bytes from ${first} of ${url} did not come`)
  return new Uint8Array(shared)
}

const CLIENTS = {
  'zarrita, Zarr 2': () => zarrita(2),
  'zarrita, Zarr 3': () => zarrita(3),
  'h5wasm, ranges': h5wasm,
}

/** Datasets whose filters a client does not have. */
const CANNOT_READ = { 'h5wasm, ranges': ['lzf'] }

function isEqual(found, wanted) {
  if (typeof wanted === 'string' && typeof found === 'number') return String(found).toLowerCase() === wanted
  if (typeof wanted === 'boolean') return Boolean(found) === wanted
  return (typeof found === 'bigint' ? Number(found) : found) === wanted
}

const open = await CLIENTS[client]()
let compared = 0
if (domains.length > 0) {
  const expected = JSON.parse(readFileSync(values, 'utf8'))
  for (const domain of domains) {
    const read = await open(domain)
    for (const [name, { values: wanted }] of Object.entries(expected[basename(domain)])) {
      // Compounds and complex numbers have no form in JSON, and none in these clients.
      if (wanted === null || CANNOT_READ[client]?.includes(name)) continue
      compared++
      const found = await read(name)
      const isSame = found.length === wanted.length && wanted.every((value, i) => isEqual(found[i], value))
      if (!isSame) console.log(`${domain}: ${name} differs`)
    }
  }
  console.log(`${compared} compared`)
}
