// 64 MiB of values: a binary read against a bare node:http server that sends the same number of bytes, and a durable
// binary write against a plain file written and synced with fdatasync, and a bare node:http server that does that.

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { AUTHORIZATION, alternate, benchmark, print, printRatio, send, sendJson } from './measure.mjs'

const MIB = 2 ** 20
const LENGTH = 64 * MIB
const REPETITIONS = 7
const DOMAIN = '/bench.h5'

await benchmark(async ({ directory, hyperslab, raw }) => {
  const server = await hyperslab()
  const headers = { 'x-hdf-domain': DOMAIN, authorization: AUTHORIZATION }
  await sendJson(server, 'PUT', '/', { headers })
  const body = { type: 'H5T_IEEE_F64LE', shape: [2048, 4096] }
  const { id } = await sendJson(server, 'POST', '/datasets', { headers, body })
  const value = `/datasets/${id}/value`
  const bytes = Buffer.alloc(LENGTH)
  for (let at = 0; at < LENGTH; at += 8) bytes.writeDoubleLE(Math.sin(at), at)

  const store = await raw({ kind: 'store', directory })
  let files = 0
  const [writes, http, plain] = await alternate(REPETITIONS, [
    () => megabytesPerSecond(() => put(server, value, headers, bytes)),
    () => megabytesPerSecond(() => put(store, '/', headers, bytes)),
    () => megabytesPerSecond(async () => writeFile(join(directory, `plain-${files++}`), bytes)),
  ])
  print('durable write of 64 MiB: hyperslab', writes, 'MiB/s')
  print('durable write of 64 MiB: node:http to a file', http, 'MiB/s')
  print('durable write of 64 MiB: file, fdatasync', plain, 'MiB/s')
  printRatio('durable write: hyperslab / file', writes, plain, 'at least 0.5')

  const read = await get(server, value, headers)
  if (!read.equals(bytes)) throw new Error('what was read is not what was written')
  const rival = await raw({ kind: 'bytes', length: LENGTH })
  const [reads, limit] = await alternate(REPETITIONS, [
    () => megabytesPerSecond(() => get(server, value, headers)),
    () => megabytesPerSecond(() => get(rival, '/', headers)),
  ])
  print('binary read of 64 MiB: hyperslab', reads, 'MiB/s')
  print('binary read of 64 MiB: node:http', limit, 'MiB/s')
  printRatio('binary read: hyperslab / node:http', reads, limit, 'at least 0.5')
})

async function megabytesPerSecond(work) {
  const start = performance.now()
  await work()
  return (1000 * (LENGTH / MIB)) / (performance.now() - start)
}

async function get(server, target, headers) {
  const accept = 'application/octet-stream'
  const { bytes } = await send(server, 'GET', target, { headers: { ...headers, accept } })
  if (bytes.length !== LENGTH) throw new Error(`expected ${LENGTH} bytes, got ${bytes.length}`)
  return bytes
}

async function put(server, target, headers, body) {
  const type = { 'content-type': 'application/octet-stream' }
  await send(server, 'PUT', target, { headers: { ...headers, ...type }, body })
}

/** A new file each time and none removed, as new values need: blocks and memory that were in use are cheaper. */
function writeFile(path, bytes) {
  const file = openSync(path, 'wx')
  for (let at = 0; at < bytes.length; at += MIB) writeSync(file, bytes, at, MIB)
  fdatasyncSync(file)
  closeSync(file)
}
