// A query over a million rows of (int32, float64, 4-byte string), 1 % of which it finds: our test of columns beside a
// hand-written loop over typed arrays, in this process; then the same as a request, whole and with Limit 10, beside a
// bare node:http server that keeps the rows in memory and answers with that loop and JSON.stringify.

import { PREFIXED_REFERENCES } from '../dist/modules/model/values/references.js'
import { compileQuery, fieldsOf } from '../dist/modules/server/service/query/compile.js'
import { parseQuery } from '../dist/modules/server/service/query/parse.js'
import { AUTHORIZATION, alternate, benchmark, print, printRatio, send, sendJson } from './measure.mjs'
import { COUNT, LIMIT, makeRows, QUERIES, searchRows } from './query-rows.mjs'

const REPETITIONS = 15
const BLOCK = 2048
const DOMAIN = '/bench.h5'

const TYPE = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'i', type: { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' } },
    { name: 'f', type: { class: 'H5T_FLOAT', size: 8, order: 'LE' } },
    {
      name: 's',
      type: { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' },
    },
  ],
}

await benchmark(async ({ hyperslab, raw }) => {
  const rows = makeRows()
  const elements = { count: COUNT, data: rows, heap: new Uint8Array(0) }
  for (const { text, holds } of QUERIES) {
    const test = compileQuery(parseQuery(text, 'words'), fieldsOf(TYPE), PREFIXED_REFERENCES)
    const [ours, loop] = await alternate(REPETITIONS, [
      () => milliseconds(() => positionsByTest(test, elements)),
      () => milliseconds(() => searchRows(rows, holds, COUNT)),
    ])
    const found = positionsByTest(test, elements)
    if (found.join() !== searchRows(rows, holds, COUNT).join())
      throw new Error(`${text}: other rows are found`)
    print(`${text}: ${found.length} rows`, ours, 'ms')
    print('hand-written loop', loop, 'ms')
    printRatio('test / loop', ours, loop, 'at most 3')
  }

  const server = await hyperslab()
  const rival = await raw({ kind: 'search' })
  const headers = { 'x-hdf-domain': DOMAIN, authorization: AUTHORIZATION }
  await sendJson(server, 'PUT', '/', { headers })
  const type = {
    class: 'H5T_COMPOUND',
    fields: [{ name: 'i', type: 'H5T_STD_I32LE' }, { name: 'f', type: 'H5T_IEEE_F64LE' }, TYPE.fields[2]],
  }
  const { id } = await sendJson(server, 'POST', '/datasets', { headers, body: { type, shape: [COUNT] } })
  const binary = { ...headers, 'content-type': 'application/octet-stream' }
  await send(server, 'PUT', `/datasets/${id}/value`, { headers: binary, body: rows })
  const target = `/datasets/${id}/value?query=${encodeURIComponent(QUERIES[0].text)}`
  for (const [name, more] of [
    ['all', ''],
    [`Limit ${LIMIT}`, `&Limit=${LIMIT}`],
  ]) {
    const limit = more === '' ? COUNT : LIMIT
    const ask = async () => (await sendJson(server, 'GET', target + more, { headers })).value
    const askRival = async () => (await sendJson(rival, 'GET', `/${limit}`)).value
    if (JSON.stringify(await ask()) !== JSON.stringify(await askRival()))
      throw new Error('other rows are found')
    const [ours, loop] = await alternate(REPETITIONS, [() => milliseconds(ask), () => milliseconds(askRival)])
    print(`request, ${name}: hyperslab`, ours, 'ms')
    print(`request, ${name}: node:http with the loop`, loop, 'ms')
    printRatio(`request, ${name}: hyperslab / loop`, ours, loop, 'at most 3')
  }
})

function positionsByTest(test, elements) {
  const positions = new Uint32Array(COUNT)
  let found = 0
  for (let first = 0; first < COUNT; first += BLOCK) {
    const count = Math.min(BLOCK, COUNT - first)
    const mask = test.test(elements, first, count)
    for (let i = 0; i < count; i++) {
      positions[found] = first + i
      found += mask[i]
    }
  }
  return positions.subarray(0, found)
}

async function milliseconds(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}
