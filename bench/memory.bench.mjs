// How much the memory of the process grows: 4 GiB of values in one request, written and read as bytes, 440 MiB of JSON,
// and an attribute of 10^7 numbers. The limit is the process after a short warm-up.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { AUTHORIZATION, benchmark, sendJson } from './measure.mjs'

const MIB = 2 ** 20
const GOAL = 256
const DOMAIN = '/bench.h5'
const OCTETS = 'application/octet-stream'

await benchmark(async ({ hyperslab }) => {
  const server = await hyperslab()
  const headers = { 'x-hdf-domain': DOMAIN, authorization: AUTHORIZATION }
  await sendJson(server, 'PUT', '/', { headers })
  const dataset = async (type, shape) => {
    const { id } = await sendJson(server, 'POST', '/datasets', { headers, body: { type, shape } })
    return `/datasets/${id}/value`
  }
  const floats = Buffer.alloc(4 * MIB)
  for (let at = 0; at < floats.length; at += 4) floats.writeFloatLE(Math.sin(at), at)

  const small = await dataset('H5T_IEEE_F32LE', [4096, 4096])
  await transfer(server, 'PUT', small, { ...headers, 'content-type': OCTETS }, repeated(floats, 16))
  await transfer(server, 'GET', small, { ...headers, accept: OCTETS })

  const large = await dataset('H5T_IEEE_F32LE', [32768, 32768])
  await measured(server, 'binary PUT of 4 GiB', () =>
    transfer(server, 'PUT', large, { ...headers, 'content-type': OCTETS }, repeated(floats, 1024)),
  )
  await measured(server, 'binary GET of 4 GiB', () =>
    transfer(server, 'GET', large, { ...headers, accept: OCTETS }),
  )

  const numbers = await dataset('H5T_STD_I32LE', [40, MIB])
  const row = Buffer.from(`[${Array.from({ length: MIB }, (_, i) => 1e9 + i).join()}]`)
  await measured(server, 'JSON PUT of 440 MiB', () =>
    transfer(server, 'PUT', numbers, { ...headers, 'content-type': 'application/json' }, rows(row, 40)),
  )
  await measured(server, 'JSON GET of 440 MiB', () => transfer(server, 'GET', numbers, headers))

  const { root } = await sendJson(server, 'GET', '/', { headers })
  const attribute = `/groups/${root}/attributes/a`
  await measured(server, 'JSON PUT of an attribute of 10^7 numbers', () =>
    transfer(server, 'PUT', attribute, headers, attributeBody(1000, 10_000)),
  )
  await measured(server, 'JSON GET of it', () => transfer(server, 'GET', attribute, headers))
  await measured(server, 'Base64 GET of it', () =>
    transfer(server, 'GET', `${attribute}?encoding=base64`, headers),
  )
  await measured(server, 'JSON GET of it in a listing', () =>
    transfer(server, 'GET', `/groups/${root}/attributes?IncludeData=1`, headers),
  )
})

function* attributeBody(rows, length) {
  const row = Buffer.from(Array.from({ length }, (_, i) => 1e9 + i).join())
  yield Buffer.from(`{"type": "H5T_STD_I32LE", "shape": [${rows * length}], "value": [`)
  for (let i = 0; i < rows; i++) {
    if (i > 0) yield Buffer.from(',')
    yield row
  }
  yield Buffer.from(']}')
}

function* repeated(bytes, times) {
  for (let i = 0; i < times; i++) yield bytes
}

function* rows(row, times) {
  yield Buffer.from('{"value":[')
  for (let i = 0; i < times; i++) {
    if (i > 0) yield Buffer.from(',')
    yield row
  }
  yield Buffer.from(']}')
}

/** Sends the pieces one by one and reads the answer without keeping it; gives the length of what was moved. */
async function transfer(server, method, path, headers, pieces = []) {
  const request = http.request({ host: '127.0.0.1', port: server.port, method, path, headers })
  const answered = once(request, 'response')
  let length = 0
  for (const piece of pieces) {
    length += piece.length
    if (!request.write(piece)) await once(request, 'drain')
  }
  request.end()
  const [response] = await answered
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode}`)
  for await (const piece of response) length += piece.length
  return length
}

/** Prints the highest growth of the resident memory while `work` runs. */
async function measured(server, name, work) {
  const before = residentBytes(server.pid)
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, residentBytes(server.pid))
  }, 20)
  const start = performance.now()
  const length = await work()
  clearInterval(timer)
  const rate = (1000 * (length / MIB)) / (performance.now() - start)
  const grown = (highest - before) / MIB
  console.log(
    `${name.padEnd(44)} ${rate.toFixed(0).padStart(10)} MiB/s  grows by ${grown.toFixed(0)} MiB from ` +
      `${(before / MIB).toFixed(0)} MiB     goal: less than ${GOAL} MiB`,
  )
}

/** NaN where /proc is not there. */
function residentBytes(pid) {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}
