// Links, attributes and objects of one request: a hundred that are read, against a hundred requests one after another
// on one connection, and ten thousand that are created.

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

const QUERY = '?domain=/bench.h5'
const HEADERS = { authorization: AUTHORIZATION, host: '127.0.0.1' }
const MANY = 100
const CREATED = 10_000
const ROUNDS = 50
const REPETITIONS = 5

await benchmark(async ({ hyperslab, load }) => {
  const server = await hyperslab()
  const { root } = await sendJson(server, 'PUT', `/${QUERY}`, { headers: HEADERS })
  const names = Array.from({ length: MANY }, (_, i) => `name${i}`)
  const attributes = Object.fromEntries(names.map(name => [name, { type: 'H5T_STD_I32LE', value: 1 }]))
  await send(server, 'PUT', `/groups/${root}/attributes${QUERY}`, {
    headers: HEADERS,
    body: JSON.stringify({ attributes }),
  })
  for (const name of names) {
    await sendJson(server, 'POST', `/groups${QUERY}`, {
      headers: HEADERS,
      body: { link: { id: root, name } },
    })
  }

  for (const { name, batch, single } of [
    {
      name: 'links',
      batch: [`/groups/${root}/links${QUERY}`, { titles: names }],
      single: title => `/groups/${root}/links/${title}${QUERY}`,
    },
    {
      name: 'attributes',
      batch: [`/groups/${root}/attributes${QUERY}`, { attr_names: names }],
      single: attribute => `/groups/${root}/attributes/${attribute}${QUERY}`,
    },
    {
      name: 'objects by path',
      batch: [`/${QUERY}`, { h5paths: names.map(title => `/${title}`) }],
      single: title => `/${QUERY}&h5path=/${title}`,
    },
  ]) {
    const [target, body] = batch
    const together = [requestText('POST', target, HEADERS, JSON.stringify(body))]
    const apart = names.map(item => requestText('GET', single(item), HEADERS))
    const jobs = [
      { requests: together, count: ROUNDS, connections: 1, status: 200 },
      { requests: apart, count: ROUNDS * MANY, connections: 1, status: 200 },
    ]
    const [one, many] = await alternate(
      REPETITIONS,
      jobs.map(job => () => load(server, job)),
    )
    const times = (results, requests) => results.map(({ perSecond }) => (1000 * requests) / perSecond)
    const cpu = (results, requests) => results.map(result => (result.cpuMicroseconds * requests) / 1000)
    print(`${MANY} ${name} in one request`, times(one, 1), 'ms')
    print(`${MANY} ${name} in ${MANY} requests`, times(many, MANY), 'ms')
    printRatio(`${MANY} ${name}: time, one / ${MANY} requests`, times(one, 1), times(many, MANY), 'none set')
    printRatio(`${MANY} ${name}: CPU, one / ${MANY} requests`, cpu(one, 1), cpu(many, MANY), 'none set')
  }

  const newNames = Array.from({ length: CREATED }, (_, i) => `name${i}`)
  const mapOf = memberOf => Object.fromEntries(newNames.map((name, i) => [name, memberOf(i)]))
  for (const [name, goal, request] of [
    ['links', 60_000, id => ['PUT', `/groups/${id}/links${QUERY}`, { links: mapOf(() => ({ id: root })) }]],
    [
      'attributes',
      50_000,
      id => {
        const attributes = mapOf(value => ({ type: 'H5T_STD_I32LE', value }))
        return ['PUT', `/groups/${id}/attributes${QUERY}`, { attributes }]
      },
    ],
    [
      'groups with links',
      25_000,
      id => ['POST', `/groups${QUERY}`, newNames.map(name => ({ link: { id, name } }))],
    ],
  ]) {
    const results = []
    for (let i = -2; i < REPETITIONS; i++) {
      const { id } = await sendJson(server, 'POST', `/groups${QUERY}`, { headers: HEADERS, body: {} })
      const [method, target, body] = request(id)
      const text = JSON.stringify(body)
      const result = await measured(server, () =>
        send(server, method, target, { headers: HEADERS, body: text }),
      )
      if (i >= 0) results.push(result)
    }
    const rates = results.map(({ milliseconds }) => (1000 * CREATED) / milliseconds)
    print(`${CREATED} ${name} created in one request`, rates, `a second, goal: ${goal}`)
    const cpu = results.map(({ cpuMicroseconds }) => cpuMicroseconds / CREATED)
    print(`${CREATED} ${name}: CPU`, cpu, 'us each')
  }
})
