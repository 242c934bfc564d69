// Small reads: GET of a domain, a group, a link, an attribute and a dataset, in both dialects, against a bare
// node:http server that gives the same answers to the same requests. The hsds requests are those of h5pyd: with its
// headers, credentials and the domain in the query.

import {
  alternate,
  benchmark,
  H5PYD_HEADERS,
  HSDS_DOMAIN,
  makeHome,
  print,
  printRatio,
  requestText,
  send,
  sendJson,
} from './measure.mjs'

const CLASSIC = { host: 'bench.test.hdfgroup.org' }
const READS = 8_000
const REPETITIONS = 5
const GOAL = 'at most 2.5'

const TYPE = { type: 'H5T_STD_I32LE', shape: [4] }

await benchmark(async ({ hyperslab, raw, load }) => {
  const server = await hyperslab()
  await makeHome(server)
  const query = `?domain=${HSDS_DOMAIN}`
  for (const { name, headers, domain, suffix } of [
    { name: 'hsds', headers: H5PYD_HEADERS, domain: `/${query}`, suffix: query },
    { name: 'classic', headers: CLASSIC, domain: '/', suffix: '' },
  ]) {
    const ask = (method, path, body) =>
      sendJson(server, method, path === '/' ? domain : path + suffix, { headers, body })
    const { root } = await ask('PUT', '/')
    const group = await ask('POST', '/groups', { link: { id: root, name: 'group' } })
    const dataset = await ask('POST', '/datasets', { ...TYPE, link: { id: root, name: 'dataset' } })
    await ask('PUT', `/groups/${group.id}/attributes/attribute`, { ...TYPE, value: [1, 2, 3, 4] })
    for (const [kind, path] of [
      ['domain', undefined],
      ['group', `/groups/${group.id}`],
      ['link', `/groups/${root}/links/group`],
      ['attribute', `/groups/${group.id}/attributes/attribute`],
      ['dataset', `/datasets/${dataset.id}`],
    ]) {
      const target = path === undefined ? domain : path + suffix
      await compare({ name: `${name}: GET ${kind}`, target, request: headers, server, raw, load })
    }
  }
})

async function compare({ name, target, request, server, raw, load }) {
  const { status, headers, bytes } = await send(server, 'GET', target, { headers: request })
  const { date: _, connection: __, 'keep-alive': ___, ...own } = headers
  const rival = await raw({ kind: 'reply', status, headers: own, body: bytes.toString('base64') })
  const requests = [requestText('GET', target, request)]
  for (const connections of [1, 16]) {
    const job = { requests, count: READS, connections, status: 200 }
    const [ours, limit] = await alternate(REPETITIONS, [() => load(server, job), () => load(rival, job)])
    const cpu = results => results.map(result => result.cpuMicroseconds)
    const rate = results => results.map(result => result.perSecond)
    const at = `${name}, ${connections} at a time`
    print(`${at}: hyperslab`, rate(ours), 'requests/s')
    print(`${at}: node:http`, rate(limit), 'requests/s')
    print(`${at}: hyperslab, CPU`, cpu(ours), 'us/request')
    print(`${at}: node:http, CPU`, cpu(limit), 'us/request')
    printRatio(`${at}: CPU / node:http`, cpu(ours), cpu(limit), GOAL)
  }
}
