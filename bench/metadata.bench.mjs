// Small requests: GET of a link and of a group against a bare node:http server that answers the same bytes, and
// creation of a group with its link, durable, against a bare node:http server that appends to a file and syncs it.

import { join } from 'node:path'
import { alternate, benchmark, print, printRatio, requestText, send, sendJson } from './measure.mjs'

const HOST = { host: 'bench.test.hdfgroup.org' }
const READS = 30_000
const REPETITIONS = 5

await benchmark(async ({ directory, hyperslab, raw, load }) => {
  const server = await hyperslab()
  const { root } = await sendJson(server, 'PUT', '/', { headers: HOST })
  const link = { id: root, name: 'group' }
  const { id } = await sendJson(server, 'POST', '/groups', { headers: HOST, body: { link } })

  for (const [name, target] of [
    ['GET link', `/groups/${root}/links/group`],
    ['GET group', `/groups/${id}`],
  ]) {
    await compareRead({ name, target, server, raw, load })
  }

  const appender = await raw({ kind: 'append', file: join(directory, 'append') })
  for (const [connections, count] of [
    [1, 300],
    [64, 3000],
  ]) {
    await compareCreate({ connections, count, root, server, appender, load })
  }
})

async function compareRead({ name, target, server, raw, load }) {
  const { status, headers, bytes } = await send(server, 'GET', target, { headers: HOST })
  const { date: _, connection: __, 'keep-alive': ___, ...own } = headers
  const rival = await raw({ kind: 'reply', status, headers: own, body: bytes.toString('base64') })
  const job = { requests: [requestText('GET', target, HOST)], count: READS, connections: 8, status: 200 }
  const [ours, limit] = await alternate(REPETITIONS, [() => load(server, job), () => load(rival, job)])
  const cpu = results => results.map(result => result.cpuMicroseconds)
  const rate = results => results.map(result => result.perSecond)
  print(`${name}: hyperslab, CPU`, cpu(ours), 'us/request')
  print(`${name}: node:http, CPU`, cpu(limit), 'us/request')
  print(`${name}: hyperslab, 8 connections`, rate(ours), 'requests/s')
  print(`${name}: node:http, 8 connections`, rate(limit), 'requests/s')
  printRatio(`${name}: CPU of hyperslab / node:http`, cpu(ours), cpu(limit), 'at most 2.5')
}

async function compareCreate({ connections, count, root, server, appender, load }) {
  let number = 0
  const requests = () =>
    Array.from({ length: count }, () => {
      const link = { id: root, name: `c${connections}-${number++}` }
      return requestText('POST', '/groups', HOST, JSON.stringify({ link }))
    })
  const job = () => ({ requests: requests(), count, connections, status: 201 })
  const [ours, limit] = await alternate(REPETITIONS, [() => load(server, job()), () => load(appender, job())])
  const rate = results => results.map(result => result.perSecond)
  const name = `create group + link, ${connections} in flight`
  print(`${name}: hyperslab`, rate(ours), 'requests/s')
  print(`${name}: append`, rate(limit), 'requests/s')
  printRatio(`${name}: rate / append`, rate(ours), rate(limit), 'none set')
}
