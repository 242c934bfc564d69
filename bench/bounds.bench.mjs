// Short requests of callers without a login that cost much (docs/decisions/135): the processor time of the service, and
// the longest turn of its event loop, for the file of a stored domain of 30,000 datasets, its documents of Zarr, its
// references and its paths, and for queries of many terms. Each is measured after a change of one attribute, again
// without a change, and for eight callers at once after a change.
// Arguments: parts of the names of requests. HYPERSLAB_BENCH_COMMAND: the program, to compare builds. Needs a python3
// with h5py (HYPERSLAB_PYTHON, default /usr/bin/python3).

import { execFileSync } from 'node:child_process'
import http from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AUTHORIZATION, benchmark, longestTurn, measured, print, sendJson } from './measure.mjs'

const PYTHON = process.env.HYPERSLAB_PYTHON ?? '/usr/bin/python3'
const COMMAND =
  process.env.HYPERSLAB_BENCH_COMMAND ?? fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const ROUNDS = 3
const CALLERS = 8
const TERMS = 200
const HEADERS = { host: '127.0.0.1', authorization: AUTHORIZATION, 'content-type': 'application/json' }

const MAKE = `
import h5py, numpy as np, sys
with h5py.File(sys.argv[1] + '/many.h5', 'w', libver='latest') as f:
    for g in range(30):
        group = f.create_group('g%02d' % g)
        for i in range(1000):
            d = group.create_dataset('d%04d' % i, data=np.arange(10, dtype='i4') + i)
            d.attrs['units'] = 'mm'
            d.attrs['index'] = i
with h5py.File(sys.argv[1] + '/table.h5', 'w') as f:
    rows = np.zeros(1000000, dtype=[('a', '<i4'), ('b', '<f8'), ('s', 'S16')])
    rows['a'] = np.arange(1000000) % 1000
    rows['b'] = np.arange(1000000) / 7
    rows['s'] = [b'x%d' % (i % 500) for i in range(1000000)]
    f.create_dataset('t', data=rows, chunks=(10000,))
`

/** Terms within each other, each of which holds for all elements. */
function nested(term) {
  let text = term(0)
  for (let i = 1; i < TERMS; i++) text = `(${text}) AND ${term(i)}`
  return encodeURIComponent(text)
}

async function change(server, value) {
  const domain = '?domain=/s/many.h5'
  const { root } = await sendJson(server, 'GET', `/${domain}`, { headers: HEADERS })
  const body = { type: 'H5T_STD_I32LE', value }
  await sendJson(server, 'PUT', `/groups/${root}/attributes/changed${domain}&replace=1`, {
    headers: HEADERS,
    body,
  })
}

/** A request without a login from an address of its own; its answer is read to the end. */
function request(server, method, path, headers, index) {
  const options = { host: '127.0.0.1', localAddress: `127.0.0.${index}`, port: server.port, agent: false }
  return new Promise((resolve, reject) => {
    const sent = http.request({ ...options, method, path, headers }, response => {
      response.on('data', () => undefined)
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode < 300) resolve()
        else reject(new Error(`${method} ${path}: ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const wanted = process.argv.slice(2)

await benchmark(async ({ directory, hyperslab }) => {
  execFileSync(PYTHON, ['-c', MAKE, directory])
  for (const name of ['many', 'table'])
    execFileSync(process.execPath, [COMMAND, 'import', join(directory, `${name}.h5`), '--to', '/s'], {
      cwd: directory,
    })
  for (const measuresTurns of [false, true]) {
    const server = await hyperslab({ measuresTurns, command: COMMAND, settings: ['--default-acl', 'read'] })
    const { root } = await sendJson(server, 'GET', '/?domain=/s/table.h5', { headers: HEADERS })
    const { link } = await sendJson(server, 'GET', `/groups/${root}/links/t?domain=/s/table.h5`, {
      headers: HEADERS,
    })
    const query = text => `/datasets/${link.id}/value?domain=/s/table.h5&query=${text}&Limit=1`
    const requests = [
      ['HEAD of the file', 'HEAD', '/h5/s/many.h5'],
      ['one byte of the file', 'GET', '/h5/s/many.h5', { range: 'bytes=100000-100000' }],
      ['consolidated, Zarr 3', 'GET', '/zarr/v3/s/many.h5/zarr.json'],
      ['references', 'GET', '/zarr/refs/s/many.h5'],
      ['paths', 'GET', '/h5grove/paths/?file=/s/many.h5'],
      [
        'query, numbers, no match',
        'GET',
        query(nested(i => (i < TERMS - 1 ? `a != ${-1 - i}` : 'a > 5000'))),
      ],
      ['query, text, no match', 'GET', query(nested(i => (i < TERMS - 1 ? `s != 'y${i}'` : "s == 'y'")))],
    ].filter(([name]) => wanted.length === 0 || wanted.some(part => name.includes(part)))
    for (const [name, method, target, headers] of requests) {
      const ask = index => request(server, method, target, headers, index)
      const results = { changed: [], again: [], together: [] }
      for (let round = 0; round < ROUNDS; round++) {
        const measure = async (kind, work) => {
          if (measuresTurns) await longestTurn(server)
          const { cpuMicroseconds } = await measured(server, work)
          results[kind].push(measuresTurns ? await longestTurn(server) : cpuMicroseconds / 1000)
        }
        await change(server, round)
        await measure('changed', () => ask(1))
        await measure('again', () => ask(2))
        await change(server, round + 100)
        await measure('together', () => Promise.all(Array.from({ length: CALLERS }, (_, i) => ask(1 + i))))
      }
      const unit = measuresTurns ? 'ms longest turn' : 'ms of the processor'
      for (const [kind, values] of Object.entries(results)) print(`${name}, ${kind}`, values, unit)
    }
    await server.end()
  }
})
