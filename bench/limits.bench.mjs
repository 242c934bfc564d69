// The gain of each memory and each limit of the purpose "speed" in docs/limits.md: the processor time of its work
// without it, as a multiple of that with it, in turn. "Without it" is a copy of dist/modules in which the constant or
// the map of that row has another value. `node bench/limits.bench.mjs '#headers' ahead` measures the rows whose names
// contain one of the words. Needs h5repack, and a python3 with h5py (HYPERSLAB_PYTHON, default /usr/bin/python3).

import { execFileSync } from 'node:child_process'
import { createSign, generateKeyPairSync } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inParallel } from '../dist/modules/base/bounded/in-parallel.js'
import {
  adminSettings,
  alternate,
  benchmark,
  H5PYD_HEADERS,
  print,
  processorTimeOfAll,
  requestText,
  send,
  sendJson,
} from './measure.mjs'

const PYTHON = process.env.HYPERSLAB_PYTHON ?? '/usr/bin/python3'
const ROUNDS = 25
/** Until V8 has compiled what is used. */
const WARM_UPS = 8
const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
/** The copies of the modules, each a folder below a package.json, as dist/cli is. */
const COPIES = join(DIST, `limits-${process.pid}`)

/** Milliseconds that a bucket and a server of files take for an answer. */
const LATENCY = 20

/** Chunks of the datasets that are written and read. */
const CHUNKS = 2000

/** Work in this process is repeated for so long. */
const LEAST_MILLISECONDS = 200

/** The limit of a map that keeps nothing. */
const KEEPS_NOTHING = -1

const MAKE = `
import h5py, numpy as np, sys
folder = sys.argv[1]
values = np.arange(2**22, dtype='f4') % 1009
strings = [f'string {i}' * 4 for i in range(20000)]
text = h5py.string_dtype()
with h5py.File(f'{folder}/file.h5', 'w', libver='latest') as f:
    f.create_dataset('chunked', data=values, chunks=(2**16,))
    f.create_dataset('strings', data=strings, dtype=text, chunks=(1000,))
    f.create_dataset('deflated-strings', data=strings, dtype=text, chunks=(10000,), compression=4)
    f.create_dataset('table', data=np.zeros(100000, [(f'field {i}', 'f8') for i in range(20)]))
    sources = f.create_group('sources')
    for i in range(64): sources.create_dataset(f's{i}', data=values[i:i + 2**16], chunks=(2**14,), compression=4)
    virtual = h5py.VirtualLayout(shape=(64, 2**16), dtype='f4')
    for i in range(64): virtual[i] = h5py.VirtualSource(sources[f's{i}'])
    f.create_virtual_dataset('virtual', virtual)
    row, rows = h5py.h5s.create_simple((2**16,)), h5py.h5s.create_simple((64, 2**16), (h5py.h5s.UNLIMITED, 2**16))
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.VIRTUAL)
    pattern = rows.copy()
    pattern.select_hyperslab((0, 0), (h5py.h5s.UNLIMITED, 1), (1, 1), (1, 2**16))
    properties.set_virtual(pattern, b'.', b'/sources/s%b', row)
    h5py.h5d.create(f.id, b'unlimited', h5py.h5t.IEEE_F32LE, rows, properties)
    objects = f.create_group('objects', track_order=True)
    for i in range(2000):
        d = objects.create_dataset(f'd{i:04}', data=np.arange(100.0), chunks=(10,) if i < 200 else None)
        d.attrs['units'] = 'm/s'
        d.attrs['scale'] = 1.5
with h5py.File(f'{folder}/plain.h5', 'w', libver='latest') as f:
    for i in range(2000):
        d = f.create_dataset(f'd{i:04}', data=np.arange(4.0))
        d.attrs['units'] = f'metres per second, as instrument {i} measured'
        d.attrs['scale'] = 1.5 + i
with h5py.File(f'{folder}/lost.h5', 'w', libver='latest') as f:
    lost = f.create_group('lost')
    for i in range(1000): lost.create_dataset(f'd{i:03}', data=i)
    f.create_dataset('references', data=[d.ref for d in lost.values()], dtype=h5py.ref_dtype)
    for i in range(1000): del lost[f'd{i:03}']
`

const STORED = '/stored/file.h5'
const MOUNTED = '/m/file.h5'

/**
 * Rows by their names in docs/limits.md; `change`: the value that the constant or the limit of the map gets, or a part
 * of the source and what takes its place; and what they are for, requests to a service or work in this process.
 */
const ROWS = [
  { name: 'packages/server/http/auth/tokens.ts verified', requests: tokens() },
  {
    name: 'packages/server/service/objects/reachable.ts ahead',
    change: ['waiting.slice(-64)', '[]'],
    requests: () => () => several(2, () => getJson(`/?domain=${STORED}&getobjs=1&include_attrs=1`)),
  },
  {
    name: 'packages/server/service/zarr/zarr.ts documents',
    change: ['BoundedMap(MAX_KEPT', 'BoundedMap(-1'],
    requests: consolidated(),
  },
  {
    name: 'packages/store/engines/files/open-files.ts MAX_AT_ONCE',
    requests: slicesOf(STORED, '/chunked', 2 ** 22, 4096),
  },
  {
    name: 'packages/store/engines/files/open-files.ts #files',
    requests: slicesOf(STORED, '/chunked', 2 ** 22, 4096),
  },
  { name: 'packages/store/records/decoded-records.ts #decoded', requests: slicesOfMany(STORED) },
  {
    name: 'packages/store/records/decoded-records.ts #decoded',
    requests: slicesOf(STORED, '/table', 100_000, 5),
  },
  { name: 'packages/h5/reader/reader.ts #datasets', requests: rowsOfVirtual('/unlimited', '0:1') },
  {
    name: 'packages/h5/reader/structures/global-heap.ts #collections',
    requests: slicesOf(MOUNTED, '/strings', 20_000, 20),
  },
  { name: 'packages/h5/reader/values/data-file.ts members', requests: rowsOfVirtual() },
  { name: 'packages/h5/reader/values/data-file.ts mappings', requests: rowsOfVirtual() },
  { name: 'packages/h5/reader/values/data-file.ts sources', requests: rowsOfVirtual() },
  { name: 'packages/h5/reader/values/value-source.ts decoded', requests: rowsOfVirtual() },
  {
    name: 'packages/h5/reader/values/value-source.ts decoded',
    requests: slicesOf(MOUNTED, '/deflated-strings', 20_000, 20),
  },
  {
    name: 'packages/files/mounts/folder-mount.ts #found',
    requests: slicesOf(MOUNTED, '/chunked', 2 ** 22, 10),
  },
  { name: 'packages/files/mounts/links.ts #links', requests: pagesOfLinks(MOUNTED) },
  {
    name: 'packages/files/mounts/objects.ts #unreadable',
    requests: slicesOf('/m/lost.h5', '/references', 1000, 100),
  },
  { name: 'packages/files/mounts/values/values.ts #allocations', requests: descriptions(MOUNTED) },
  { name: 'packages/h5/reader/structures/header-cache.ts #headers', work: objectsOf('plain.h5') },
  { name: 'packages/h5/reader/structures/fractal-heap.ts #blocks', work: objectsOf('shared.h5') },
  { name: 'packages/store/engines/files/directories.ts #durable', work: putsOfFiles },
  { name: 'packages/store/engines/s3/disk-cache.ts #known', work: readsOfCache },
  { name: 'packages/store/engines/s3/range-joiner.ts MAX_LENGTH', change: 1, work: smallRangesOfS3 },
  { name: 'packages/store/engines/s3/cached-blobs.ts MAX_RUN', change: 1, work: coldReadsOfS3 },
  { name: 'packages/store/engines/s3/cached-blobs.ts MAX_PUT', change: 0, work: readsAfterPuts },
  { name: 'packages/files/transfer/file-source.ts MAX_JOINED', change: 1, work: nearRangesOfFile },
  {
    name: 'packages/files/mounts/remote/http-source.ts MAX_LENGTH',
    change: ['GAP, MAX_LENGTH', 'GAP, 1'],
    work: nearRangesOverHttp,
  },
  {
    name: 'packages/store/engines/data-folder.ts MAX_INLINE_BYTES',
    change: 0,
    store: 'folder',
    requests: puts(2 ** 14),
  },
  {
    name: 'packages/store/engines/data-folder.ts MAX_INLINE_BYTES',
    change: 0,
    store: 'folder',
    requests: gets(2 ** 14),
  },
  {
    name: 'packages/store/engines/data-folder.ts MAX_INLINE_BYTES longer',
    change: 2 ** 20,
    store: 'folder',
    requests: puts(2 ** 17),
  },
  {
    name: 'packages/store/engines/data-folder.ts MAX_INLINE_BYTES longer',
    change: 2 ** 20,
    store: 'folder',
    requests: gets(2 ** 17),
  },
  {
    name: 'packages/store/engines/postgres/open-postgres-records.ts MAX_INLINE_BYTES',
    change: 0,
    store: 'postgres',
    requests: puts(2 ** 11),
  },
  {
    name: 'packages/store/engines/postgres/open-postgres-records.ts MAX_INLINE_BYTES',
    change: 0,
    store: 'postgres',
    requests: gets(2 ** 11),
  },
  {
    name: 'packages/store/engines/postgres/open-postgres-records.ts MAX_INLINE_BYTES longer',
    change: 2 ** 16,
    store: 'postgres',
    requests: puts(2 ** 15),
  },
  {
    name: 'packages/store/engines/postgres/open-postgres-records.ts MAX_INLINE_BYTES longer',
    change: 2 ** 16,
    store: 'postgres',
    requests: gets(2 ** 15),
  },
]

let postgres
let databases = 0

const wanted = process.argv.slice(2)

try {
  await benchmark(async ({ directory, hyperslab, load, raw }) => {
    const folder = join(directory, 'files')
    mkdirSync(folder)
    execFileSync(PYTHON, ['-c', MAKE, folder])
    // Messages of object headers that are shared are in a fractal heap.
    execFileSync('h5repack', ['-L', '-s', '8', join(folder, 'plain.h5'), join(folder, 'shared.h5')])
    const main = makeCopy('with', {})
    const file = join(folder, 'file.h5')
    const options = { cwd: directory, stdio: 'ignore' }
    execFileSync(process.execPath, [main, 'import', file, '--as', STORED, '--data', 'data'], options)
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(join(directory, 'keys.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
    const settings = [
      ...adminSettings(directory),
      '--mount',
      `${folder}=/m`,
      '--token-keys',
      'keys.pem',
      '--token-audience',
      'bench',
    ]
    for (const row of ROWS) {
      if (wanted.length > 0 && !wanted.some(word => row.name.includes(word))) continue
      const commands = [main, makeCopy(`without-${ROWS.indexOf(row)}`, row)]
      if (row.work) {
        const works = commands.map(command => row.work(from(command), { directory, raw }))
        const measures = (await Promise.all(works)).map(work => () => measureHere(work))
        report(row.name, await alternate(ROUNDS, measures, WARM_UPS))
        continue
      }
      const servers = []
      for (const command of commands) {
        const folder = row.store ? `data-${ROWS.indexOf(row)}-${servers.length}` : 'data'
        servers.push(
          await hyperslab({ settings: [...settings, ...(await store(row.store))], folder, command }),
        )
      }
      const measures = servers.map(async server => {
        const requestsOf = await row.requests(server, privateKey)
        let round = 0
        return async () => {
          const requests = requestsOf(round++)
          const before = [processorTime(server.pid), database()]
          await load(server, { requests, count: requests.length, connections: 4, status: 200 })
          const [cpuMicroseconds, ofDatabase] = [processorTime(server.pid), database()].map(
            (time, i) => (time - before[i]) / requests.length,
          )
          return { cpuMicroseconds, ...(row.store === 'postgres' && { ofDatabase }) }
        }
      })
      report(row.name, await alternate(ROUNDS, await Promise.all(measures), WARM_UPS))
      for (const { end } of servers) await end()
    }
  })
} finally {
  await postgres?.close()
  rmSync(COPIES, { recursive: true, force: true })
}

/** Processor time and time of one repetition, and what the work counted. */
async function measureHere(work) {
  const before = process.cpuUsage()
  const begun = performance.now()
  let [times, counts] = [0, undefined]
  for (; performance.now() < begun + LEAST_MILLISECONDS; times++) counts = await work()
  const milliseconds = (performance.now() - begun) / times
  const { user, system } = process.cpuUsage(before)
  return { cpuMicroseconds: (user + system) / times, milliseconds, ...counts }
}

/** Microseconds of all threads: those of /proc/PID/stat are too coarse for short rounds. */
function processorTime(pid) {
  const threads = `/proc/${pid}/task`
  const nanoseconds = readdirSync(threads).reduce(
    (sum, thread) => sum + Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]),
    0,
  )
  return nanoseconds / 1000
}

/** Settings of a store of its own, if the row has one. */
async function store(kind) {
  if (kind !== 'postgres') return []
  postgres ??= await (await import('./postgres.mjs')).startPostgres()
  return ['--records', await postgres.createDatabase(`limits${databases++}`)]
}

/** Microseconds of PostgreSQL. */
function database() {
  return postgres ? processorTimeOfAll(postgres.process.pid) : 0
}

/** The least times are those with the least disturbance by other programs. */
function report(name, [asItIs, without]) {
  console.log(name)
  for (const key of Object.keys(asItIs[0])) {
    const [ours, others] = [asItIs, without].map(results => results.map(result => result[key]))
    print(`  ${key}`, ours, '')
    print(`  ${key}, without it`, others, '')
    print(
      '    in turn',
      others.map((value, round) => value / ours[round]),
      'x',
    )
    print('    the least', [Math.min(...others) / Math.min(...ours)], 'x')
  }
}

/** Imports a module of the copy that has the command. */
function from(command) {
  return path => import(pathToFileURL(join(command, '../..', path)))
}

/** The path of the command in a copy of the modules. */
function makeCopy(copy, { name, change = KEEPS_NOTHING }) {
  const folder = join(COPIES, copy)
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(DIST, 'modules'), folder, { recursive: true })
  for (const pages of ['docs', 'ui']) {
    cpSync(join(DIST, 'cli', pages), join(folder, 'cli', 'serve', pages), { recursive: true })
  }
  cpSync(join(DIST, '../package.json'), join(COPIES, 'package.json'))
  if (name === undefined) return join(folder, 'cli', 'main.js')
  const [source, limit] = name.split(' ')
  const file = source.replace(/^src\//, '').replace(/\.ts$/, '.js')
  const value = limit.startsWith('MAX_')
    ? `const ${limit} = `
    : `(?<![\\w#])${limit}(?: =|:) new BoundedMap\\(`
  const [part, replacement] = Array.isArray(change) ? change : [new RegExp(`(?<=${value})[^;,)]+`), change]
  replace(join(folder, file), part, replacement)
  replace(join(folder, 'bounded/bounded-map.js'), 'size > 1', 'size > (this.#limit < 0 ? 0 : 1)')
  return join(folder, 'cli', 'main.js')
}

function replace(file, text, replacement) {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(text, replacement)
  if (after === before) throw new Error(`${file} has no ${text}`)
  writeFileSync(file, after)
}

// Each of these gives, for a server, a function that makes the requests of a round. No two rounds are the same, because
// the service remembers short answers.

async function idAt(server, domain, path) {
  const target = `/?domain=${domain}&h5path=${path}`
  return (await sendJson(server, 'GET', target, { headers: H5PYD_HEADERS })).id
}

/** In the order of their names. */
async function membersOf(server, domain, path) {
  const target = `/groups/${await idAt(server, domain, path)}/links?domain=${domain}`
  const { links } = await sendJson(server, 'GET', target, { headers: H5PYD_HEADERS })
  return links.map(({ id }) => id)
}

function getBytes(target, headers = {}) {
  return requestText('GET', target, { ...H5PYD_HEADERS, accept: 'application/octet-stream', ...headers })
}

function getJson(target) {
  return requestText('GET', target, H5PYD_HEADERS)
}

function several(count, make) {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Five elements of each of 200 datasets. */
function slicesOfMany(domain, headers = {}) {
  return async server => {
    const ids = (await membersOf(server, domain, '/objects')).slice(0, 200)
    return round =>
      several(200, i => {
        const start = (10 * round + Math.floor(i / ids.length)) % 95
        const target = `/datasets/${ids[i % ids.length]}/value?domain=${domain}&select=[${start}:${start + 5}]`
        return getBytes(target, headers)
      })
  }
}

/** The same with a token. */
function tokens() {
  return async (server, key) => {
    const encode = part => Buffer.from(JSON.stringify(part)).toString('base64url')
    const claims = { preferred_username: 'admin', aud: 'bench', exp: Math.floor(Date.now() / 1000) + 86_400 }
    const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
    const signature = createSign('RSA-SHA256').update(signed).sign(key, 'base64url')
    return slicesOfMany(STORED, { authorization: `Bearer ${signed}.${signature}` })(server)
  }
}

function consolidated() {
  return () => () => several(5, () => getJson('/zarr/v3/stored/file.h5/zarr.json'))
}

function slicesOf(domain, path, elements, length) {
  return async server => {
    const id = await idAt(server, domain, path)
    return round =>
      several(200, i => {
        const start = ((200 * round + i) * 99_991) % (elements - length)
        return getBytes(`/datasets/${id}/value?domain=${domain}&select=[${start}:${start + length}]`)
      })
  }
}

/** Some elements of 64 sources, or of some of them. */
function rowsOfVirtual(path = '/virtual', sources = ':') {
  return async server => {
    const id = await idAt(server, MOUNTED, path)
    return round =>
      several(20, i => {
        const start = 20 * round + i
        return getBytes(`/datasets/${id}/value?domain=${MOUNTED}&select=[${sources},${start}:${start + 10}]`)
      })
  }
}

function pagesOfLinks(domain) {
  return async server => {
    const id = await idAt(server, domain, '/objects')
    return round =>
      several(50, i => {
        const marker = `d${String((50 * round + i) % 1900).padStart(4, '0')}`
        return getJson(`/groups/${id}/links?domain=${domain}&Limit=20&Marker=${marker}`)
      })
  }
}

function descriptions(domain) {
  return async server => {
    const ids = (await membersOf(server, domain, '/objects')).slice(0, 200)
    return () => several(200, i => getJson(`/datasets/${ids[i % ids.length]}?domain=${domain}&verbose=1`))
  }
}

/** Chunks of a new dataset, written one by one. */
function puts(length) {
  return async server => {
    const target = await newChunks(server, length)
    const headers = { ...H5PYD_HEADERS, 'content-type': 'application/octet-stream' }
    return round =>
      several(50, i => {
        const start = (50 * round + i) * length
        return requestText(
          'PUT',
          `${target}&select=[${start}:${start + length}]`,
          headers,
          'a'.repeat(length),
        )
      })
  }
}

function gets(length) {
  return async server => {
    const target = await newChunks(server, length)
    const body = Buffer.alloc(CHUNKS * length, 'a')
    await send(server, 'PUT', target, {
      headers: { ...H5PYD_HEADERS, 'content-type': 'application/octet-stream' },
      body,
    })
    return round =>
      several(100, i => {
        const start = ((100 * round + i) % CHUNKS) * length
        return getBytes(`${target}&select=[${start}:${start + length}]`)
      })
  }
}

async function newChunks(server, length) {
  const headers = { ...H5PYD_HEADERS, 'content-type': 'application/json' }
  await sendJson(server, 'PUT', '/?domain=/chunks.h5', { headers, body: {} })
  const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [length] } }
  const body = { type: 'H5T_STD_U8LE', shape: [CHUNKS * length], creationProperties }
  const { id } = await sendJson(server, 'POST', '/datasets?domain=/chunks.h5', { headers, body })
  return `/datasets/${id}/value?domain=/chunks.h5`
}

// Each of these gives a function that does its work once in this process, and perhaps counts what it needed.

async function openReader(load, path) {
  const { openH5File } = await load('h5file/reader/reader.js')
  const { openFileSource } = await load('transfer/file-source.js')
  const source = openFileSource(path)
  return { reader: await openH5File(source, path), source }
}

/** The parts that an import reads of each object. */
function objectsOf(name) {
  return async (load, { directory }) =>
    async () => {
      const { reader, source } = await openReader(load, join(directory, 'files', name))
      for await (const links of reader.links(reader.root)) {
        for (const { address } of links) {
          await reader.object(address)
          await reader.dataset(address)
          for await (const _ of reader.attributes(address, () => undefined));
        }
      }
      source.close()
    }
}

async function putsOfFiles(load, { directory }) {
  const { FileBlobs } = await load('storage/engines/files/blobs.js')
  const folder = mkdtempSync(join(directory, 'blobs-'))
  const blobs = new FileBlobs(folder)
  const bytes = Buffer.alloc(2 ** 17)
  let puts = 0
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  return async () => {
    const { sync } = prototype
    let syncs = 0
    prototype.sync = function () {
      syncs++
      return sync.call(this)
    }
    await inParallel(
      several(400, i => i),
      8,
      () => blobs.put(`ab/${(puts % 16).toString(16)}/${(puts++).toString(16)}`, [bytes]),
    )
    prototype.sync = sync
    return { syncs }
  }
}

async function readsOfCache(load, { directory }) {
  const { DiskCache } = await load('storage/engines/s3/disk-cache.js')
  const cache = new DiskCache({
    folder: mkdtempSync(join(directory, 'cache-')),
    maxBytes: 2 ** 30,
    store: 's',
  })
  for (let block = 0; block < 16; block++) cache.keep('aa', block, Buffer.alloc(2 ** 20, block))
  await cache.flush()
  const into = Buffer.alloc(2 ** 16)
  return async () => {
    for (let i = 0; i < 2000; i++) await cache.read('aa', i % 16, ((i * 7919) % 15) * 2 ** 16, into)
  }
}

async function openBucket(load, { directory, raw }, maxBytes = 2 ** 31) {
  const { openS3Blobs } = await load('storage/engines/s3/open-s3-blobs.js')
  const { S3Client } = await load('storage/engines/s3/client.js')
  const { port } = await raw({ kind: 'objects', delay: LATENCY })
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  }
  const cache = { folder: mkdtempSync(join(directory, 'cache-')), maxBytes }
  const { blobs } = await openS3Blobs('s3://bucket', { environment, ...(maxBytes > 0 && { cache }) })
  const counts = { requests: 0 }
  const { send } = S3Client.prototype
  S3Client.prototype.send = function (request) {
    if (request.method === 'GET') counts.requests++
    return send.call(this, request)
  }
  return { blobs, counts }
}

async function smallRangesOfS3(load, context) {
  const { blobs, counts } = await openBucket(load, context, 0)
  await blobs.put('aa', [Buffer.alloc(2 ** 22)])
  return async () => {
    counts.requests = 0
    await Promise.all(several(256, i => blobs.read('aa', i * 2 ** 14, Buffer.alloc(2 ** 12))))
    return { ...counts }
  }
}

/** Blobs of 16 MiB that the cache, of one of them, has forgotten. */
async function coldReadsOfS3(load, context) {
  const { blobs, counts } = await openBucket(load, context, 2 ** 24)
  const bytes = Buffer.alloc(2 ** 24)
  const names = several(8, i => `a${i}`)
  for (const name of names) await blobs.put(name, [bytes])
  let reads = 0
  return async () => {
    counts.requests = 0
    await blobs.read(names[reads++ % names.length], 0, bytes)
    return { ...counts }
  }
}

async function readsAfterPuts(load, context) {
  const { blobs, counts } = await openBucket(load, context)
  let puts = 0
  return async () => {
    counts.requests = 0
    for (let i = 0; i < 8; i++) {
      const name = `b${(puts++).toString(16)}`
      await blobs.put(name, [Buffer.alloc(2 ** 20, puts)])
      await blobs.read(name, 0, Buffer.alloc(2 ** 20))
    }
    return { ...counts }
  }
}

async function nearRangesOfFile(load, { directory }) {
  const { openFileSource } = await load('transfer/file-source.js')
  const source = openFileSource(join(directory, 'files/file.h5'))
  const ranges = several(2000, i => ({ position: 4096 * i, length: 2048 }))
  return async () => {
    for (let i = 0; i < 5; i++) await source.read(ranges)
  }
}

async function nearRangesOverHttp(load, { directory, raw }) {
  const { HttpSource } = await load('mounts/remote/http-source.js')
  const { RemoteRequests } = await load('mounts/remote/remote-requests.js')
  const path = join(directory, 'files/file.h5')
  const { port } = await raw({ kind: 'file', path, delay: LATENCY })
  const url = new URL(`http://127.0.0.1:${port}/file.h5`)
  const { stateOf } = await load('mounts/remote/file-state.js')
  const { size, mtimeMs } = statSync(path)
  const state = stateOf(url, { etag: `"${size}-${mtimeMs}"` }, size, '/')
  const parts = {
    requests: new RemoteRequests(),
    state,
    head: new Uint8Array(0),
    subject: '/',
    onChange: () => {},
  }
  const source = new HttpSource(parts)
  const ranges = several(64, i => ({ position: 2 ** 14 * i, length: 2 ** 12 }))
  const count = async () => Number((await send({ port }, 'GET', '/requests')).bytes)
  return async () => {
    const before = await count()
    await source.read(ranges)
    return { requests: (await count()) - before }
  }
}
