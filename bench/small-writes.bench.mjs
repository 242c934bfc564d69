// Small writes, durable when they are answered: PUT of an attribute and creation of a group with its link, against a
// bare node:http server that appends the body to a file and shares one fdatasync among the requests that wait.

import { join } from 'node:path'
import {
  alternate,
  benchmark,
  H5PYD_HEADERS,
  HSDS_DOMAIN,
  makeHome,
  print,
  printRatio,
  requestText,
  sendJson,
} from './measure.mjs'

const QUERY = `?domain=${HSDS_DOMAIN}`
const HEADERS = { ...H5PYD_HEADERS, 'content-type': 'application/json' }
const REPETITIONS = 5

await benchmark(async ({ directory, hyperslab, raw, load }) => {
  const server = await hyperslab()
  await makeHome(server)
  const { root } = await sendJson(server, 'PUT', `/${QUERY}`, { headers: HEADERS })
  const appender = await raw({ kind: 'append', file: join(directory, 'append') })
  let number = 0
  const putAttribute = () => {
    const body = JSON.stringify({ type: 'H5T_STD_I32LE', shape: [4], value: [1, 2, 3, 4] })
    return requestText('PUT', `/groups/${root}/attributes/a${number++}${QUERY}`, HEADERS, body)
  }
  const createGroup = () => {
    const link = { id: root, name: `g${number++}` }
    return requestText('POST', `/groups${QUERY}`, HEADERS, JSON.stringify({ link }))
  }
  for (const [name, request] of [
    ['PUT attribute', putAttribute],
    ['create group + link', createGroup],
  ]) {
    for (const [connections, count] of [
      // The most first: what begins cold is not measured one by one.
      [64, 4000],
      [16, 2000],
      [1, 300],
    ]) {
      const job = () => ({
        requests: Array.from({ length: count }, request),
        count,
        connections,
        status: 201,
      })
      const [ours, limit] = await alternate(REPETITIONS, [
        () => load(server, job()),
        () => load(appender, job()),
      ])
      const rate = results => results.map(result => result.perSecond)
      const cpu = results => results.map(result => result.cpuMicroseconds)
      const at = `${name}, ${connections} at a time`
      print(`${at}: hyperslab`, rate(ours), 'requests/s')
      print(`${at}: append`, rate(limit), 'requests/s')
      print(`${at}: hyperslab, CPU`, cpu(ours), 'us/request')
      printRatio(`${at}: rate / append`, rate(ours), rate(limit), 'none set')
    }
  }
})
