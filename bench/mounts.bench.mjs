// HDF5 files served where they are, sent and taken over HTTP, beside bare node:http, a durable copy, h5py or the same
// domain stored: values, downloads and uploads; what comes first of a file that a new server never saw; a folder of
// 100,000 files; requests to a web server; memory; the longest turn of the event loop. Arguments: parts of the names of
// `SECTIONS`. Needs a python3 with h5py (HYPERSLAB_PYTHON, default /usr/bin/python3). HYPERSLAB_BENCH_TRANSFER and
// HYPERSLAB_BENCH_MEMORY: MiB of the file that goes up and down, default 256, and of the one whose reading, download
// and upload are watched for memory, default 1024.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { copyFile, readdir } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import {
  AUTHORIZATION,
  alternate,
  benchmark,
  longestTurn,
  makeHome,
  print,
  printRatio,
  requestText,
  send,
  sendJson,
} from './measure.mjs'

const PYTHON = process.env.HYPERSLAB_PYTHON ?? '/usr/bin/python3'
const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const REPETITIONS = 5
/**
 * Rounds of 256 slices until V8 has compiled all that a request runs: the first takes five times as long as the tenth.
 */
const SLICE_WARM_UPS = 20
const MIB = 2 ** 20
/** Elements of each dataset in the file of values. */
const VALUES = 256
const TRANSFER = Number(process.env.HYPERSLAB_BENCH_TRANSFER ?? 256)
const MEMORY = Number(process.env.HYPERSLAB_BENCH_MEMORY ?? 1024)
const OBJECTS = 11_000
const FILES = 100_000
/** Chunks of the dataset whose chunk index is large. */
const CHUNKS = 200_000
const DELAY = 50
const HDF5 = 'application/x-hdf5'
const UPLOADED = '/home/uploaded.h5'

const SECTIONS = {
  values: measureValues,
  transfers: measureTransfers,
  first: measureFirst,
  folder: measureFolder,
  web: measureWeb,
  memory: measureMemory,
  turns: measureTurns,
}

/** Prints the positions of the contiguous datasets in the files. */
const MAKE = `
import h5py, numpy as np, sys, json
kind, path = sys.argv[1:3]
rng = np.random.default_rng(1)
with h5py.File(path, 'w') as f:
    if kind == 'values':
        length, deflated = int(sys.argv[3]) // 4, int(sys.argv[4]) // 4
        piece = rng.normal(size=${(16 * MIB) / 4}).round(3).astype('f4')
        datasets = [f.create_dataset('contiguous', shape=(length,), dtype='f4'),
            f.create_dataset('chunked', shape=(length,), dtype='f4', chunks=(${MIB / 4},))]
        if deflated: datasets.append(f.create_dataset('deflated', shape=(deflated,), dtype='f4', chunks=(${MIB / 4},),
            compression=6, shuffle=True))
        for d in datasets:
            for i in range(0, len(d), len(piece)): d[i:i + len(piece)] = piece[:len(d) - i] + i % 1009
        print(json.dumps({'position': datasets[0].id.get_offset()}))
    elif kind == 'objects':
        small = f.create_group('small')
        for i in range(${OBJECTS}):
            d = small.create_dataset('d%05d' % i, data=np.arange(4.0))
            d.attrs['units'] = 'm/s'
            d.attrs['scale'] = 1.5
    elif kind == 'sparse':
        d = f.create_dataset('d', shape=(25 * 10**9,), dtype='f4')
        d[-1] = 1
    elif kind == 'chunks':
        d = f.create_dataset('d', shape=(${CHUNKS}, 4), dtype='f4', chunks=(1, 4))
        for i in range(${CHUNKS}): d.id.write_direct_chunk((i, 0), bytes(16))
    else: f['d'] = np.arange(4.0)
`

/** Prints the milliseconds that libhdf5 takes to open the file and to read a slice from the middle. */
const READ_SLICE = `
import h5py, sys, time
start = time.perf_counter()
with h5py.File(sys.argv[1], 'r') as f:
    d = f['d']
    middle = len(d) // 2
    d[middle:middle + 10]
    print(1000 * (time.perf_counter() - start))
`

const wanted = process.argv.slice(2)

await benchmark(async tools => {
  for (const [name, measure] of Object.entries(SECTIONS)) {
    if (wanted.length > 0 && !wanted.some(word => name.includes(word))) continue
    console.log(`-- ${name}`)
    const folder = join(tools.directory, name)
    mkdirSync(folder)
    await measure({ ...tools, folder })
    rmSync(folder, { recursive: true })
  }
})

/**
 * Whole datasets and slices, mounted, beside bare node:http that sends as many bytes of the same file, and beside the
 * import of it.
 */
async function measureValues({ directory, folder, hyperslab, raw, load }) {
  const path = join(folder, 'file.h5')
  const { position } = makeFile('values', path, VALUES * MIB, (VALUES / 2) * MIB)
  importFile(directory, path)
  const server = await hyperslab({ settings: ['--mount', `${folder}=/m`] })
  const bare = await raw({ kind: 'file', path })
  await requireSameValues(server, path, position)

  const rangeText = (start, length) =>
    getText('/', { range: `bytes=${position + start}-${position + start + length - 1}` })
  const rate =
    (from, requests, status = 200, bytes = VALUES * MIB) =>
    async () => {
      const { perSecond } = await load(from, { requests, count: requests.length, connections: 1, status })
      return (perSecond * bytes) / requests.length / MIB
    }
  const starts = Array.from({ length: VALUES }, (_, index) => index * MIB)
  const mounted = await valuesOf(server, '/m/file.h5', 'contiguous')
  const slice = start => `&select=[${start / 4}:${(start + MIB) / 4}]`
  const kinds = [
    ['whole', 1, [getText(mounted)], [rangeText(0, VALUES * MIB)]],
    [
      'slices of 1 MiB',
      SLICE_WARM_UPS,
      starts.map(start => getText(mounted + slice(start))),
      starts.map(start => rangeText(start, MIB)),
    ],
  ]
  for (const [kind, warmUps, requests, rangeRequests] of kinds) {
    const rates = [rate(server, requests), rate(bare, rangeRequests, 206)]
    const [ours, limit] = await alternate(REPETITIONS, rates, warmUps)
    print(`contiguous, ${VALUES} MiB, ${kind}: mounted`, ours, 'MiB/s')
    print('node:http', limit, 'MiB/s')
    printRatio('mounted / node:http', ours, limit, 'at least 0.5')
  }
  for (const [name, mebibytes] of [
    ['contiguous', VALUES],
    ['chunked', VALUES],
    ['deflated', VALUES / 2],
  ]) {
    const of = async domain => [getText(await valuesOf(server, domain, name))]
    const [ours, rival] = await alternate(REPETITIONS, [
      rate(server, await of('/m/file.h5'), 200, mebibytes * MIB),
      rate(server, await of('/stored/file.h5'), 200, mebibytes * MIB),
    ])
    print(`${name}, ${mebibytes} MiB, whole: mounted`, ours, 'MiB/s')
    print('imported', rival, 'MiB/s')
    printRatio('mounted / imported', ours, rival, 'none set')
  }
}

/** Mounted, imported and in the file. */
async function requireSameValues(server, path, position) {
  const file = createReadStream(path, { start: position, end: position + VALUES * MIB - 1 })
  const expected = await digestOf(file)
  for (const domain of ['/m/file.h5', '/stored/file.h5']) {
    const answer = await getStream(server, await valuesOf(server, domain, 'contiguous'))
    if ((await digestOf(answer)) !== expected) throw new Error(`${domain} has other values than the file`)
  }
}

/** A file down, mounted and imported, beside bare node:http that sends it; up, beside a copy that is synced. */
async function measureTransfers({ directory, folder, hyperslab, raw, load }) {
  const path = join(folder, 'file.h5')
  makeFile('values', path, (TRANSFER * MIB) / 2, 0)
  makeFile('objects', join(folder, 'objects.h5'))
  importFile(directory, path)
  importFile(directory, join(folder, 'objects.h5'))
  const server = await hyperslab({ settings: ['--mount', `${folder}=/m`] })
  await makeHome(server)
  const bare = await raw({ kind: 'file', path })
  const store = await raw({ kind: 'store', directory: folder })

  const rate = (from, target) => async () => {
    const requests = [getText(target)]
    const { perSecond } = await load(from, { requests, count: 1, connections: 1, status: 200 })
    return perSecond * TRANSFER
  }
  const [mounted, imported, limit] = await alternate(REPETITIONS, [
    rate(server, fileOf('/m/file.h5')),
    rate(server, fileOf('/stored/file.h5')),
    rate(bare, '/'),
  ])
  print(`download of ${TRANSFER} MiB: mounted`, mounted, 'MiB/s')
  print('imported', imported, 'MiB/s')
  print('node:http', limit, 'MiB/s')
  printRatio('mounted / node:http', mounted, limit, 'at least 0.5')
  printRatio('imported / node:http', imported, limit, 'at least 0.5')

  const firstByte = domain => () => firstByteMilliseconds(server, fileOf(domain))
  const [mountedFirst, importedFirst] = await alternate(REPETITIONS, [
    firstByte('/m/objects.h5'),
    firstByte('/stored/objects.h5'),
  ])
  print('first byte of a file of 11,000 objects: mounted', mountedFirst, 'ms, goal 300')
  print('imported', importedFirst, 'ms, goal 300')

  const copy = join(folder, 'copy')
  const [uploaded, stored, copied] = await alternate(REPETITIONS, [
    () => milliseconds(() => upload(server, path)).finally(() => removeUploaded(server)),
    () => milliseconds(() => putFile(store, '/', path)),
    () => milliseconds(() => copyDurably(path, copy)).finally(() => rmSync(copy)),
  ])
  print(`upload of ${TRANSFER} MiB`, uploaded, 'ms')
  print('node:http to a file, fdatasync', stored, 'ms')
  print('copied and synced', copied, 'ms')
  printRatio('upload / copy', uploaded, copied, 'at most 1.5')
}

/** Each time a server that was just started and has not opened the file. */
async function measureFirst({ folder, hyperslab }) {
  const kinds = [
    ['sparse', '100 GB, contiguous'],
    ['chunks', `an index of ${CHUNKS} chunks`],
  ]
  for (const [kind] of kinds) makeFile(kind, join(folder, `${kind}.h5`))
  for (const [kind, name] of kinds) {
    const first = { domain: [], dataset: [], slice: [], warm: [], h5py: [] }
    for (let i = 0; i < REPETITIONS; i++) {
      const server = await hyperslab({ settings: ['--mount', `${folder}=/m`] })
      const domain = `/m/${kind}.h5`
      first.domain.push(await milliseconds(() => send(server, 'GET', `/?domain=${domain}`)))
      const find = async () => {
        const { root } = await sendJson(server, 'GET', `/?domain=${domain}`)
        return sendJson(server, 'GET', `/groups/${root}/links?domain=${domain}`)
      }
      first.dataset.push(await milliseconds(find))
      const { links } = await find()
      const { shape } = await sendJson(server, 'GET', `/datasets/${links[0].id}?domain=${domain}`)
      const middle = shape.dims[0] / 2
      const select = `[${middle}:${middle + 10}${',:'.repeat(shape.dims.length - 1)}]`
      const slice = () => getBytes(server, `/datasets/${links[0].id}/value?domain=${domain}&select=${select}`)
      first.slice.push(await milliseconds(slice))
      first.warm.push(await milliseconds(slice))
      await server.end()
      first.h5py.push(Number(python(READ_SLICE, join(folder, `${kind}.h5`))))
    }
    print(`a file with ${name}: the domain`, first.domain, 'ms, goal 50')
    print('its root group with links', first.dataset, 'ms, goal 50')
    print('a slice of 10 rows', first.slice, 'ms, goal 50')
    print('the same again', first.warm, 'ms')
    print('h5py: opened, and the slice', first.h5py, 'ms')
  }
}

/** 100,000 files, of their own each: a server knows hard links of a file as one. */
async function measureFolder({ folder, hyperslab }) {
  const many = join(folder, 'many')
  const empty = join(folder, 'empty')
  mkdirSync(many)
  mkdirSync(empty)
  const first = join(folder, 'one.h5')
  makeFile('one', first)
  for (let i = 0; i < FILES; i += 100) {
    const copies = Array.from({ length: 100 }, (_, j) =>
      copyFile(first, join(many, `run${String(i + j).padStart(6, '0')}.h5`)),
    )
    await Promise.all(copies)
  }
  const times = { start: [], bare: [], first: [], warm: [], middle: [], file: [], readdir: [] }
  for (let i = 0; i < REPETITIONS; i++) {
    const other = await hyperslab({ settings: ['--mount', `${empty}=/m`] })
    times.bare.push(other.startMilliseconds)
    await other.end()
    const server = await hyperslab({ settings: ['--mount', `${many}=/m`] })
    times.start.push(server.startMilliseconds)
    const page = async (marker = '') => {
      const target = `/domains?domain=/m/&Limit=100${marker}`
      const { domains } = await sendJson(server, 'GET', target)
      if (domains.length !== 100) throw new Error(`${domains.length} domains on a page of 100`)
    }
    times.first.push(await milliseconds(page))
    times.warm.push(await milliseconds(page))
    times.middle.push(await milliseconds(() => page('&Marker=/m/run050000.h5')))
    times.file.push(await milliseconds(() => send(server, 'GET', '/?domain=/m/run070000.h5')))
    await server.end()
    times.readdir.push(await milliseconds(() => readdir(many)))
  }
  print('start with a folder of 100,000 files', times.start, 'ms, goal 2000')
  print('start with an empty folder', times.bare, 'ms')
  print('first page of 100 of them', times.first, 'ms, goal 50')
  print('readdir of the folder', times.readdir, 'ms')
  print('the page again', times.warm, 'ms, goal 50')
  print('a page from the middle', times.middle, 'ms, goal 50')
  print('one of the files', times.file, 'ms')
}

/** A file on a web server that takes 50 ms for a request. */
async function measureWeb({ folder, hyperslab, raw }) {
  const path = join(folder, 'file.h5')
  makeFile('values', path, VALUES * MIB, (VALUES / 2) * MIB)
  for (const name of ['contiguous', 'chunked', 'deflated']) {
    const [requests, times] = [[], []]
    for (let i = 0; i < REPETITIONS; i++) {
      const web = await raw({ kind: 'file', path, delay: DELAY })
      const server = await hyperslab({
        settings: ['--mount', `http://127.0.0.1:${web.port}/file.h5=/m/file.h5`],
      })
      times.push(
        await milliseconds(async () => {
          const values = await valuesOf(server, '/m/file.h5', name)
          await getBytes(server, `${values}&select=[1000000:1001000]`)
        }),
      )
      requests.push(Number((await send(web, 'GET', '/requests')).bytes))
      await server.end()
    }
    print(`${name}: root group and slice`, requests, 'requests, goal at most 8')
    print(`of ${DELAY} ms each`, times, 'ms')
  }
}

/** Each in a new server that has answered one short request of the same dialect, from what it holds then. */
async function measureMemory({ directory, folder, hyperslab, load }) {
  const path = join(folder, 'file.h5')
  makeFile('values', path, (MEMORY * MIB) / 2, (VALUES / 2) * MIB)
  importFile(directory, path)
  const reading = name => async server => {
    const requests = [getText(await valuesOf(server, '/m/file.h5', name))]
    await load(server, { requests, count: 1, connections: 1, status: 200 })
  }
  const downloading = domain => server =>
    load(server, {
      requests: [getText(fileOf(domain))],
      count: 1,
      connections: 1,
      status: 200,
    })
  const kinds = [
    [`${MEMORY / 2} MiB contiguous, mounted, read`, reading('contiguous')],
    [`${MEMORY / 2} MiB chunked, mounted, read`, reading('chunked')],
    [`${VALUES / 2} MiB deflated, mounted, read`, reading('deflated')],
    ['the file, mounted, downloaded', downloading('/m/file.h5')],
    ['the file, imported, downloaded', downloading('/stored/file.h5')],
    ['the file uploaded', server => upload(server, path)],
  ]
  for (const [name, work] of kinds) {
    const server = await hyperslab({ settings: ['--mount', `${folder}=/m`] })
    await makeHome(server).catch(() => undefined) // a folder from the last round is as good
    await removeUploaded(server).catch(() => undefined) // of another section, if it has run
    const before = memoryOf(server, 'VmRSS')
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5') // the peak is counted anew
    const took = await milliseconds(() => work(server))
    const grown = memoryOf(server, 'VmHWM') - before
    console.log(
      `${name.padEnd(50)} ${grown.toFixed(0).padStart(10)} MiB above ${before.toFixed(0)} MiB, ` +
        `${(took / 1000).toFixed(1)} s     goal: at most 128 MiB`,
    )
    await server.end()
  }
}

/** In processor time (longest-turn.mjs), each in a server that has answered none of its kind. */
async function measureTurns({ directory, folder, hyperslab, load }) {
  const path = join(folder, 'file.h5')
  makeFile('values', path, VALUES * MIB, (VALUES / 2) * MIB)
  makeFile('objects', join(folder, 'objects.h5'))
  makeFile('chunks', join(folder, 'chunks.h5'))
  importFile(directory, path)
  importFile(directory, join(folder, 'objects.h5'))
  const answers = (server, requests) =>
    load(server, { requests, count: requests.length, connections: 1, status: 200 })
  const reading = name => async server =>
    answers(server, [getText(await valuesOf(server, '/m/file.h5', name))])
  const slices = async server => {
    const values = await valuesOf(server, '/m/file.h5', 'contiguous')
    const length = MIB / 4
    const requests = Array.from({ length: VALUES }, (_, i) =>
      getText(`${values}&select=[${i * length}:${(i + 1) * length}]`),
    )
    await answers(server, requests)
  }
  const getting = target => server => answers(server, [getText(target)])
  const kinds = [
    ['nothing is asked', () => undefined],
    ['contiguous, mounted, whole', reading('contiguous')],
    ['the same in slices of 1 MiB', slices],
    ['chunked, mounted, whole', reading('chunked')],
    ['deflated, mounted, whole', reading('deflated')],
    ['download, mounted', getting(fileOf('/m/file.h5'))],
    ['download, imported', getting(fileOf('/stored/file.h5'))],
    ['download of 11,000 objects, mounted', getting(fileOf('/m/objects.h5'))],
    ['download of 11,000 objects, imported', getting(fileOf('/stored/objects.h5'))],
    [`download of ${CHUNKS} chunks, mounted`, getting(fileOf('/m/chunks.h5'))],
    [
      '11,000 objects in one answer, mounted',
      // Its length is not known before.
      async server => digestOf(await getStream(server, '/?domain=/m/objects.h5&getobjs=1&include_attrs=1')),
    ],
    ['upload', server => upload(server, path)],
    ['upload of 11,000 objects', server => upload(server, join(folder, 'objects.h5'))],
  ]
  for (const [name, work] of kinds) {
    const server = await hyperslab({ settings: ['--mount', `${folder}=/m`], measuresTurns: true })
    await makeHome(server).catch(() => undefined) // a folder from the last round is as good
    const turns = []
    for (let i = 0; i < 3; i++) {
      await longestTurn(server)
      await work(server)
      turns.push(await longestTurn(server))
      if (name.startsWith('upload')) await removeUploaded(server)
    }
    print(name, turns, 'ms, goal 10')
    await server.end()
  }
}

/** The output of the script about it. */
function makeFile(...args) {
  return JSON.parse(python(MAKE, ...args.map(String)) || '{}')
}

function python(script, ...args) {
  return execFileSync(PYTHON, ['-c', script, ...args], { encoding: 'utf8' })
}

/** Imports the file as /stored/NAME, replacing the domain of an earlier section. */
function importFile(directory, path) {
  const args = ['import', path, '--data', join(directory, 'data'), '--to', '/stored', '--replace']
  execFileSync(process.execPath, [COMMAND, ...args], { stdio: 'pipe' })
}

/** The path of the values of a dataset that is a link of the root group; lists the group. */
async function valuesOf(server, domain, name) {
  const { root } = await sendJson(server, 'GET', `/?domain=${domain}`)
  const { links } = await sendJson(server, 'GET', `/groups/${root}/links?domain=${domain}`)
  const { id } = links.find(({ title }) => title === name)
  return `/datasets/${id}/value?domain=${domain}`
}

function fileOf(domain) {
  return `/?domain=${domain}&format=hdf5`
}

/** The text of a request for values as bytes. */
function getText(target, headers = {}) {
  return requestText('GET', target, {
    host: '127.0.0.1',
    accept: 'application/octet-stream',
    ...headers,
  })
}

function getBytes(server, target) {
  return send(server, 'GET', target, { headers: { accept: 'application/octet-stream' } })
}

function getStream({ port }, path) {
  const headers = { accept: 'application/octet-stream' }
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject)
  })
}

async function firstByteMilliseconds(server, target) {
  const start = performance.now()
  const answer = await getStream(server, target)
  if (answer.statusCode !== 200) throw new Error(`${target}: ${answer.statusCode}`)
  let first
  for await (const _ of answer) first ??= performance.now()
  return first - start
}

async function digestOf(stream) {
  const hash = createHash('sha1')
  await pipeline(stream, hash)
  return hash.digest('hex')
}

function upload(server, path) {
  return putFile(server, `/?domain=${UPLOADED}`, path)
}

async function putFile({ port }, target, path) {
  const headers = {
    authorization: AUTHORIZATION,
    'content-type': HDF5,
    'content-length': statSync(path).size,
  }
  const request = http.request({ host: '127.0.0.1', port, method: 'PUT', path: target, headers })
  const answered = new Promise((resolve, reject) => request.on('response', resolve).on('error', reject))
  const sent = pipeline(createReadStream(path, { highWaterMark: MIB }), request)
  const answer = await answered
  let text = ''
  for await (const piece of answer) text += piece
  if (answer.statusCode >= 300) throw new Error(`PUT ${target}: ${answer.statusCode} ${text}`)
  await sent
}

function removeUploaded(server) {
  return send(server, 'DELETE', `/?domain=${UPLOADED}`, { headers: { authorization: AUTHORIZATION } })
}

function copyDurably(path, copy) {
  execFileSync('cp', ['--reflink=never', path, copy])
  execFileSync('sync', [copy])
}

async function milliseconds(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** In MiB; NaN where /proc is not there. */
function memoryOf({ pid }, name) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
