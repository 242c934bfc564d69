// How long one large request of each kind blocks other requests: the longest turn of the event loop while it is
// answered, and while what it created is read (longest-turn.mjs), beside the longest turn without requests.

import { request } from 'node:http'
import { AUTHORIZATION, benchmark, HSDS_DOMAIN, longestTurn, makeHome } from './measure.mjs'

const HEADERS = { authorization: AUTHORIZATION, 'x-hdf-domain': HSDS_DOMAIN }
const I32 = 'H5T_STD_I32LE'
const wanted = process.argv.slice(2)

await benchmark(async ({ hyperslab }) => {
  const server = await hyperslab({ measuresTurns: true })
  await makeHome(server)
  const { root } = (await ask(server, 'PUT', '/')).json
  const dataset = await created(server, '/datasets', { type: I32, shape: [5_000_000] })
  const kinds = kindsFor(root, dataset)
  await longestTurn(server)
  console.log(`nothing is asked: ${shown(await longestTurn(server))}`)
  for (const [name, method, path, body, pathOfRead] of kinds) {
    if (wanted.length > 0 && !wanted.some(word => name.includes(word))) continue
    const text = body()
    await longestTurn(server)
    const start = performance.now()
    const { status, json, length } = await ask(server, method, path, text)
    const took = performance.now() - start
    const stall = await longestTurn(server)
    let read = ''
    if (pathOfRead && status < 300) {
      const answer = await ask(server, 'GET', pathOfRead(json))
      read = `; then GET ${answer.status}, ${shown(await longestTurn(server))}`
    }
    const size = (Buffer.byteLength(text) / 2 ** 20).toFixed(1)
    const why = status < 300 ? '' : ` ${json?.code ?? ''}`
    console.log(
      `${name} (${size} MiB): ${status}${why} in ${took.toFixed(0)} ms, ${shown(stall)}${read}, ${length} bytes`,
    )
  }
})

/** Attributes of one element, of tens of megabytes. */
function longElements(attributes) {
  const string = length => ({ class: 'H5T_STRING', length, charSet: 'H5T_CSET_UTF8' })
  const kind = (name, type, text) => {
    const path = `${attributes}/${name.replaceAll(' ', '-')}`
    return [name, 'PUT', path, () => `{"type":${JSON.stringify(type)},"value":${text()}}`, () => path]
  }
  const quoted = (piece, count) => () => `"${piece.repeat(count)}"`
  return [
    kind('a string of 30 MB', string('H5T_VARIABLE'), quoted('x', 3e7)),
    kind('a string of 30 MB of UTF-8', string('H5T_VARIABLE'), quoted('é', 1.5e7)),
    kind('a string of 30 MB of escapes', string('H5T_VARIABLE'), quoted('\\n', 1.5e7)),
    kind('a fixed text of 16 MB', string(16_000_000), quoted('é', 8e6)),
    kind('opaque data of 15 MB', { class: 'H5T_OPAQUE', size: 15_000_000 }, quoted('AAAA', 5e6)),
    kind(
      'a sequence of 5,000,000 numbers',
      { class: 'H5T_VLEN', base: 'H5T_IEEE_F64LE' },
      () => `[${'1.25,'.repeat(4_999_999)}1]`,
    ),
  ]
}

function kindsFor(root, dataset) {
  const type = length => ({
    class: 'H5T_COMPOUND',
    fields: list(length, i => ({ name: `field ${i}`, type: I32 })),
  })
  const mapping = length => Object.fromEntries(list(length, i => [`member ${i}`, i]))
  const enumeration = length => ({ class: 'H5T_ENUM', base: I32, mapping: mapping(length) })
  const datatype = answer => `/datatypes/${answer.id}`
  const value = `/datasets/${dataset}/value`
  const attributes = `/groups/${root}/attributes`
  const json = make => () => JSON.stringify(make())
  return [
    [
      'an enum of 65,535 members',
      'POST',
      '/datatypes',
      json(() => ({ type: enumeration(65_535) })),
      datatype,
    ],
    [
      'an enum of 300,000 members',
      'POST',
      '/datatypes',
      json(() => ({ type: enumeration(300_000) })),
      datatype,
    ],
    ['a compound of 8,192 fields', 'POST', '/datatypes', json(() => ({ type: type(8192) })), datatype],
    ['a compound of 100,000 fields', 'POST', '/datatypes', json(() => ({ type: type(100_000) })), datatype],
    [
      'a dataset with a compound of 8,192 fields',
      'POST',
      '/datasets',
      json(() => ({ type: type(8192), shape: [10] })),
      answer => `/datasets/${answer.id}`,
    ],
    ...longElements(attributes),
    [
      'a fill value of 8,192 fields',
      'POST',
      '/datasets',
      json(() => ({
        type: type(8192),
        shape: [10],
        creationProperties: { fillValue: list(8192, i => i) },
      })),
      answer => `/datasets/${answer.id}`,
    ],
    [
      'creation properties of a group',
      'POST',
      '/groups',
      json(() => ({ creationProperties: { mine: list(300_000, i => i) } })),
      answer => `/groups/${answer.id}`,
    ],
    ['10,000 groups', 'POST', '/groups', json(() => list(10_000, () => ({})))],
    ['10,000 datasets', 'POST', '/datasets', json(() => list(10_000, () => ({ type: I32, shape: [1] })))],
    [
      '20,000 links',
      'PUT',
      `/groups/${root}/links`,
      json(() => ({ links: Object.fromEntries(list(20_000, i => [`link ${i}`, { h5path: '/x' }])) })),
      () => `/groups/${root}/links`,
    ],
    [
      'titles of 20,000 links',
      'POST',
      `/groups/${root}/links`,
      json(() => ({ titles: list(20_000, i => `link ${i}`) })),
    ],
    [
      'titles of 200,000 links that are not there',
      'POST',
      `/groups/${root}/links`,
      json(() => ({ titles: list(200_000, i => `none ${i}`) })),
    ],
    [
      'ids of 200,000 groups',
      'POST',
      `/groups/${root}/links`,
      json(() => ({ titles: ['link 1'], grp_ids: list(200_000, () => root) })),
    ],
    [
      '10,000 attributes',
      'PUT',
      attributes,
      json(() => ({ attributes: Object.fromEntries(list(10_000, i => [`a${i}`, { type: I32, value: i }])) })),
      () => attributes,
    ],
    ['10,000 paths', 'POST', '/', json(() => ({ h5paths: list(10_000, i => `/${'x/'.repeat(20)}${i}`) }))],
    ['one path of 1,000,000 links', 'POST', '/', json(() => ({ h5paths: ['/x'.repeat(1_000_000)] }))],
    [
      'a new path of 500,000 groups',
      'POST',
      '/groups?implicit=1',
      json(() => ({ h5path: '/y'.repeat(500_000) })),
    ],
    [
      'an access list of 50,000 items',
      'PUT',
      '/acls',
      json(() => ({ acls: list(50_000, i => ({ userName: `user${i}`, read: true })) })),
      () => '/acls',
    ],
    [
      'an access list of 1,000 items',
      'PUT',
      '/acls',
      json(() => ({ acls: list(1_000, i => ({ userName: `user${i}`, read: true })) })),
      () => '/acls',
    ],
    [
      '1,000,000 points',
      'POST',
      value,
      json(() => ({ points: list(1_000_000, i => (i * 7919) % 5_000_000) })),
    ],
    [
      '1,000,000 points to write',
      'PUT',
      value,
      json(() => ({ points: list(1_000_000, i => i), value: list(1_000_000, i => i) })),
    ],
    [
      'a selection of 1,000,000 coordinates',
      'PUT',
      value,
      json(() => ({ select: [list(1_000_000, i => i)], value: 1 })),
    ],
    [
      'a selection of 1,000,000 coordinates as text',
      'PUT',
      value,
      json(() => ({ select: `[[${list(1_000_000, i => i)}]]`, value: 1 })),
    ],
    ['1,000,000 fields', 'PUT', value, json(() => ({ fields: list(1_000_000, i => `f${i}`), value: 1 }))],
    [
      'start of 1,000,000 dimensions',
      'PUT',
      value,
      json(() => ({ start: list(1_000_000, () => 0), stop: list(1_000_000, () => 1), value: 1 })),
    ],
    [
      'a shape of 1,000,000 dimensions',
      'POST',
      '/datasets',
      json(() => ({ type: I32, shape: list(1_000_000, () => 1) })),
    ],
    [
      '1,000,000 filters',
      'POST',
      '/datasets',
      json(() => ({
        type: I32,
        shape: [10],
        creationProperties: { filters: list(1_000_000, () => 'gzip') },
      })),
    ],
    ['a query of 1 MiB', 'PUT', value, json(() => ({ query: `_ IN (${list(150_000, i => i)})`, value: 1 }))],
    ['a string of 30 MB', 'POST', '/', () => `{"h5paths": "${'x'.repeat(30_000_000)}"}`],
    ['a string of 30 MB with escapes', 'POST', '/', () => `{"h5paths": "${'\\n'.repeat(15_000_000)}"}`],
    ['a string beyond ASCII', 'POST', '/', () => `{"h5paths": "${'\u00fc'.repeat(15_000_000)}"}`],
    ['a name of 30 MB', 'POST', '/', () => `{"${'x'.repeat(30_000_000)}": 1}`],
    ['30 MB of blanks', 'POST', '/', () => `{"h5paths": ${' '.repeat(30_000_000)}1}`],
    ['numbers', 'POST', '/', () => `{"h5paths": [${'1,'.repeat(2_000_000)}1]}`],
    ['objects', 'POST', '/', () => `{"h5paths": [${'{"a":1},'.repeat(300_000)}1]}`],
    [
      'a link title of 60 KB',
      'PUT',
      `/groups/${root}/links`,
      json(() => ({ links: { ['t'.repeat(60_000)]: { h5path: 'p'.repeat(10_000_000) } } })),
      () => `/groups/${root}/links`,
    ],
    [
      'an attribute of 100,000 strings',
      'PUT',
      `${attributes}/texts`,
      json(() => ({
        type: {
          class: 'H5T_STRING',
          charSet: 'H5T_CSET_UTF8',
          strPad: 'H5T_STR_NULLTERM',
          length: 'H5T_VARIABLE',
        },
        shape: [100_000],
        value: list(100_000, i => `text ${i}`),
      })),
      () => `${attributes}/texts`,
    ],
    [
      'an element that is a list of objects',
      'PUT',
      value,
      () => `{"value": [{"a": [${'{},'.repeat(60_000)}1]}]}`,
    ],
  ]
}

function list(length, make) {
  return Array.from({ length }, (_, index) => make(index))
}

async function created(server, path, body) {
  return (await ask(server, 'POST', path, JSON.stringify(body))).json.id
}

function ask({ port }, method, path, body = '') {
  const headers = {
    ...HEADERS,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, answer => {
      const pieces = []
      answer.on('data', piece => pieces.push(piece))
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces)
        const isShort = bytes.length < 1e8 && answer.headers['content-type']?.startsWith('application/json')
        resolve({
          status: answer.statusCode,
          length: bytes.length,
          json: isShort ? JSON.parse(bytes.toString()) : undefined,
        })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function shown(milliseconds) {
  return `longest turn ${milliseconds.toFixed(0)} ms${milliseconds > 50 ? ' (!)' : ''}`
}
