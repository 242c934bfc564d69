// Listings of links and of attributes, and how they delay other requests: 10,000 links whole and in pages of 100,
// against a bare node:http server that sends as many bytes; a page of a group of 100,000 against one of a group of
// 1,000; and how long a small GET waits while 100,000 are listed whole.

import {
  AUTHORIZATION,
  alternate,
  benchmark,
  measured,
  print,
  printRatio,
  requestText,
  send,
  sendJson,
} from './measure.mjs'

const DOMAIN = '/bench.h5'
const QUERY = `domain=${DOMAIN}`
const HEADERS = { authorization: AUTHORIZATION, host: '127.0.0.1' }
const PAGE = 100
const REPETITIONS = 5
/** Links or attributes that one request makes. */
const BATCH = 1000

await benchmark(async ({ hyperslab, raw, load }) => {
  const server = await hyperslab()
  const { root } = await sendJson(server, 'PUT', `/?${QUERY}`, { headers: HEADERS })
  const groups = new Map()
  for (const size of [1000, 10_000, 100_000]) {
    const link = { id: root, name: `of ${size}` }
    const { id } = await sendJson(server, 'POST', `/groups?${QUERY}`, { headers: HEADERS, body: { link } })
    groups.set(size, id)
    await fill(server, id, size)
  }

  await compareWhole(server, raw, groups.get(10_000))
  for (const order of ['', '&CreateOrder=1']) await comparePages(server, load, groups, order)
  await watchOthers(server, load, root, groups.get(100_000))
})

async function fill(server, id, size) {
  for (let from = 0; from < size; from += BATCH) {
    const titles = Array.from({ length: Math.min(BATCH, size - from) }, (_, i) => nameOf(from + i))
    const links = Object.fromEntries(titles.map(title => [title, { h5path: '/somewhere' }]))
    const attributes = Object.fromEntries(titles.map(name => [name, { type: 'H5T_STD_I32LE', value: 1 }]))
    await send(server, 'PUT', `/groups/${id}/links?${QUERY}`, {
      headers: HEADERS,
      body: JSON.stringify({ links }),
    })
    await send(server, 'PUT', `/groups/${id}/attributes?${QUERY}`, {
      headers: HEADERS,
      body: JSON.stringify({ attributes }),
    })
  }
}

function nameOf(number) {
  return `name${String(number).padStart(6, '0')}`
}

async function compareWhole(server, raw, id) {
  const whole = `/groups/${id}/links?${QUERY}`
  const { bytes } = await send(server, 'GET', whole, { headers: HEADERS })
  const reply = { kind: 'reply', status: 200, headers: { 'content-length': bytes.length } }
  const rival = await raw({ ...reply, body: bytes.toString('base64') })
  const list = target => measured(target, () => send(target, 'GET', whole, { headers: HEADERS }))
  const inPages = () =>
    measured(server, async () => {
      for (let marker = ''; marker !== undefined; ) {
        const target = `${whole}&Limit=${PAGE}&Marker=${marker}`
        const { links } = await sendJson(server, 'GET', target, { headers: HEADERS })
        marker = links.length < PAGE ? undefined : links.at(-1).title
      }
    })
  const [ours, limit, paged] = await alternate(REPETITIONS, [() => list(server), () => list(rival), inPages])
  const times = results => results.map(result => result.milliseconds)
  print('10,000 links whole: hyperslab', times(ours), 'ms')
  print('10,000 links whole: node:http', times(limit), 'ms')
  print(`10,000 links in pages of ${PAGE}: hyperslab`, times(paged), 'ms')
  printRatio('10,000 links: pages / whole', times(paged), times(ours), 'none set')
}

async function comparePages(server, load, groups, order) {
  for (const part of ['links', 'attributes']) {
    for (const place of ['first', 'middle']) {
      const job = size => {
        const marker = place === 'first' ? '' : `&Marker=${nameOf(size / 2)}`
        const target = `/groups/${groups.get(size)}/${part}?${QUERY}&Limit=${PAGE}${marker}${order}`
        return { requests: [requestText('GET', target, HEADERS)], count: 1000, connections: 4, status: 200 }
      }
      const [small, large] = await alternate(REPETITIONS, [
        () => load(server, job(1000)),
        () => load(server, job(100_000)),
      ])
      const cpu = results => results.map(result => result.cpuMicroseconds)
      const name = `${place} ${PAGE} ${part}${order && ' by creation'}`
      print(`${name} of 1,000, CPU`, cpu(small), 'us/request')
      print(`${name} of 100,000, CPU`, cpu(large), 'us/request')
      printRatio(`${name}: in 100,000 / in 1,000`, cpu(large), cpu(small), 'about 1')
    }
  }
}

/** Small GETs one after another, from a process of their own, while something large is answered again and again. */
async function watchOthers(server, load, root, id) {
  const requests = [requestText('GET', `/groups/${root}?${QUERY}`, HEADERS)]
  const small = { requests, count: 200, connections: 1, status: 200 }
  const alone = []
  for (let i = 0; i < REPETITIONS; i++) alone.push((await load(server, small)).longest)
  print('longest of 200 GETs, alone', alone, 'ms')
  for (const [name, target] of [
    ['100,000 links', `/groups/${id}/links?${QUERY}`],
    ['100,000 attributes', `/groups/${id}/attributes?${QUERY}`],
    ['a group with 100,000 links', `/groups/${id}?${QUERY}&include_links=1`],
  ]) {
    const waits = []
    const times = []
    for (let i = 0; i < REPETITIONS; i++) {
      let isDone = false
      const watched = load(server, small).then(({ longest }) => {
        isDone = true
        waits.push(longest)
      })
      while (!isDone) {
        const list = () => send(server, 'GET', target, { headers: HEADERS })
        times.push((await measured(server, list)).milliseconds)
      }
      await watched
    }
    print(`${name} whole`, times, 'ms')
    print(`longest of 200 GETs beside ${name}`, waits, 'ms')
  }
}
