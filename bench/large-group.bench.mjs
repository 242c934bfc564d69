// One link of a group of 100,000 links against one of a group of 10: the cost of a link must not grow with its
// siblings.

import { alternate, benchmark, print, printRatio, requestText, sendJson } from './measure.mjs'

const HOST = { host: 'bench.test.hdfgroup.org' }
const READS = 30_000
const REPETITIONS = 5

await benchmark(async ({ hyperslab, load }) => {
  const server = await hyperslab()
  const { root } = await sendJson(server, 'PUT', '/', { headers: HOST })
  const jobs = []
  for (const size of [10, 100_000]) {
    const link = { id: root, name: `of ${size}` }
    const { id } = await sendJson(server, 'POST', '/groups', { headers: HOST, body: { link } })
    await fill({ server, load, id, size })
    jobs.push({ requests: readsOf(id, size), count: READS, connections: 8, status: 200 })
  }
  const [small, large] = await alternate(
    REPETITIONS,
    jobs.map(job => () => load(server, job)),
  )
  const cpu = results => results.map(result => result.cpuMicroseconds)
  print('GET link of a group of 10, CPU', cpu(small), 'us/request')
  print('GET link of a group of 100,000, CPU', cpu(large), 'us/request')
  printRatio('GET link: CPU in 100,000 / in 10', cpu(large), cpu(small), 'about 1')
})

async function fill({ server, load, id, size }) {
  const body = JSON.stringify({ h5path: '/somewhere' })
  const requests = Array.from({ length: size }, (_, i) => requestText('PUT', pathOf(id, i), HOST, body))
  const { perSecond } = await load(server, {
    requests,
    count: size,
    connections: Math.min(size, 256),
    status: 201,
  })
  print(`PUT link, durable, up to 256 in flight, to ${size}`, [perSecond], 'requests/s')
}

/** Links all over the group, in no order. */
function readsOf(id, size) {
  return Array.from({ length: 2000 }, (_, i) => requestText('GET', pathOf(id, (i * 7919) % size), HOST))
}

function pathOf(id, number) {
  return `/groups/${id}/links/link${number}`
}
