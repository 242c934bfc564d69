// The Zarr view (docs/decisions/064): frames of a mounted file and of a stored domain beside nginx with the same bytes
// as files, and that none was decoded; 304, 404 and short chunks beside GET of a group; the consolidated document of
// 11,000 datasets with 22,000 attributes beside `?getobjs=1`; the memory with 50 readers of chunks of 64 MiB.
// Chunks of 1 MiB that are put, beside bare node:http that writes each to a file and waits for fdatasync.
// Arguments: parts of the names of sections. Needs nginx, and a python3 with h5py (HYPERSLAB_PYTHON, default
// /usr/bin/python3).

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Zstd from 'numcodecs/zstd'
import {
  AUTHORIZATION,
  alternate,
  benchmark,
  makeHome,
  measured,
  print,
  printRatio,
  requestText,
  send,
  sendJson,
} from './measure.mjs'
import { serveFiles } from './nginx.mjs'

const PYTHON = process.env.HYPERSLAB_PYTHON ?? '/usr/bin/python3'
const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const ROUNDS = 5
const KIB = 2 ** 10
const MIB = 2 ** 20
/** Bytes of frames, about. */
const LENGTHS = [28 * KIB, 256 * KIB, MIB, 4 * MIB]
const BYTES = 64 * MIB
const OBJECTS = 11_000
const READERS = 50
const LARGE = 64 * MIB
const WRITTEN = 64
const HEADERS = { host: '127.0.0.1', authorization: AUTHORIZATION }

/** Numbers of three random bytes and a zero: with shuffle and deflate a chunk takes three quarters of its bytes. */
const MAKE = `
import h5py, numpy as np, sys
folder = sys.argv[1]
noise = np.random.default_rng(1).integers(0, 2**24, ${BYTES / 4}, dtype='u4')
options = dict(shuffle=True, compression=1)
with h5py.File(folder + '/frames.h5', 'w') as f:
    for length in ${JSON.stringify(LENGTHS)}:
        count = noise.size // (length // 3) * (length // 3)
        f.create_dataset('c%d' % length, data=noise[:count], chunks=(length // 3,), **options)
    f.create_dataset('short', data=noise[:${MIB}], chunks=(${4 * KIB},), **options)
    f.create_dataset('empty', shape=(${MIB},), dtype='u4', chunks=(${4 * KIB},), fillvalue=7)
with h5py.File(folder + '/small.h5', 'w') as f:
    for i in range(${OBJECTS}):
        d = f.create_dataset('d%05d' % i, data=np.arange(4.0))
        d.attrs['units'] = 'm/s'
        d.attrs['scale'] = 1.5
with h5py.File(folder + '/large.h5', 'w') as f:
    d = f.create_dataset('large', shape=(${BYTES},), dtype='u4', chunks=(${LARGE / 4},), **options)
    for i in range(4): d[i * ${BYTES / 4}:(i + 1) * ${BYTES / 4}] = noise
`

const SECTIONS = { frames, answers, consolidated, memory, writes }
const wanted = process.argv.slice(2)

await benchmark(async world => {
  const { directory, hyperslab } = world
  const folder = join(directory, 'files')
  mkdirSync(folder)
  execFileSync(PYTHON, ['-c', MAKE, folder])
  for (const name of ['frames', 'small', 'large']) {
    execFileSync(process.execPath, [COMMAND, 'import', join(folder, `${name}.h5`), '--to', '/stored'], {
      cwd: directory,
      stdio: 'ignore',
    })
  }
  const server = await hyperslab({ settings: ['--mount', `${folder}=/m`] })
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (wanted.length > 0 && !wanted.some(word => name.includes(word))) continue
    await section({ ...world, server, folder })
  }
})

function several(count, make) {
  return Array.from({ length: count }, (_, index) => make(index))
}

function valuesOf(results, key) {
  return results.map(result => result[key])
}

function sumOf(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0)
}

async function frames({ directory, server, folder, load }) {
  const nginx = await serveFiles(directory, folder)
  try {
    for (const root of ['/m', '/stored']) {
      for (const length of LENGTHS) {
        const count = Math.floor(BYTES / 4 / Math.floor(length / 3))
        const chunks = several(count, i => `/zarr/v3${root}/frames.h5/c${length}/c/${i}`)
        mkdirSync(join(folder, `frames${length}`), { recursive: true })
        for (const [i, chunk] of chunks.entries()) {
          const { bytes } = await send(server, 'GET', chunk, { headers: HEADERS })
          writeFileSync(join(folder, `frames${length}/${i}`), bytes)
        }
        const asked = (from, paths) => async () => {
          const requests = paths.map(path => requestText('GET', path, HEADERS))
          return load(from, { requests, count, connections: 8, status: 200 })
        }
        const decoded = await decodedChunks(server)
        const files = several(count, i => `/frames${length}/${i}`)
        const [mine, limit] = await alternate(ROUNDS, [asked(server, chunks), asked(nginx, files)], 2)
        const name = `frames of ${length / KIB} KiB, ${root}`
        print(name, valuesOf(mine, 'perSecond'), '/s')
        print('  nginx', valuesOf(limit, 'perSecond'), '/s')
        printRatio(
          '  rate / nginx',
          valuesOf(mine, 'perSecond'),
          valuesOf(limit, 'perSecond'),
          'at least 0.5',
        )
        // Clock ticks are coarse beside what nginx needs: those of all rounds together.
        const times = [mine, limit].map(results => [sumOf(valuesOf(results, 'cpuMicroseconds'))])
        print('  processor time', valuesOf(mine, 'cpuMicroseconds'), 'us')
        printRatio('  processor time / nginx', ...times, 'at most 3')
        console.log(`  decoded chunks: ${(await decodedChunks(server)) - decoded}, goal: 0`)
      }
    }
  } finally {
    await nginx.end()
  }
}

async function decodedChunks(server) {
  const { bytes } = await send(server, 'GET', '/metrics', { headers: HEADERS })
  return Number(/^hyperslab_store_decoded_chunks_total (\d+)/m.exec(bytes.toString())?.[1])
}

async function answers({ server, load }) {
  const { root } = await sendJson(server, 'GET', '/?domain=/stored/frames.h5', { headers: HEADERS })
  const chunks = several(256, i => `/zarr/v3/stored/frames.h5/short/c/${i}`)
  const known = []
  for (const chunk of chunks) {
    const { headers } = await send(server, 'GET', chunk, { headers: HEADERS })
    known.push(requestText('GET', chunk, { ...HEADERS, 'if-none-match': headers.etag }))
  }
  const group = requestText('GET', `/groups/${root}?domain=/stored/frames.h5`, HEADERS)
  const kinds = [
    ['a group', [group], 200],
    ['304', known, 304],
    ['404', several(256, i => requestText('GET', `/zarr/v3/stored/frames.h5/empty/c/${i}`, HEADERS)), 404],
    ['chunks of 16 KiB', chunks.map(chunk => requestText('GET', chunk, HEADERS)), 200],
  ]
  const asked = kinds.map(
    ([, requests, status]) =>
      () =>
        load(server, { requests, count: 2048, connections: 8, status }),
  )
  const [group_, ...others] = (await alternate(ROUNDS, asked, 2)).map(results =>
    valuesOf(results, 'cpuMicroseconds'),
  )
  print('GET of a group, processor time', group_, 'us')
  for (const [index, times] of others.entries()) {
    const [name] = kinds[index + 1]
    print(name, times, 'us')
    printRatio('  of it', times, group_, 'at most 1.5')
  }
}

async function consolidated({ server }) {
  const domain = '?domain=/stored/small.h5'
  const { root } = await sendJson(server, 'GET', `/${domain}`, { headers: HEADERS })
  const asked = path => () => measured(server, () => send(server, 'GET', path, { headers: HEADERS }))
  const document = asked('/zarr/v3/stored/small.h5/zarr.json')
  let value = 0
  /** The first document after a change. */
  const changed = async () => {
    const headers = { ...HEADERS, 'content-type': 'application/json' }
    const body = { type: 'H5T_STD_I32LE', value: value++ }
    await sendJson(server, 'PUT', `/groups/${root}/attributes/changed${domain}&replace=1`, { headers, body })
    return document()
  }
  const objects = asked(`/${domain}&getobjs=1&include_attrs=1`)
  const [first, again, all] = await alternate(ROUNDS, [changed, document, objects])
  for (const key of ['milliseconds', 'cpuMicroseconds']) {
    const times = [first, all].map(results => valuesOf(results, key))
    print(`consolidated document of ${OBJECTS} datasets, ${key}`, times[0], '')
    print('  ?getobjs=1', times[1], '')
    printRatio('  of it', ...times, 'at most 1.2')
  }
  print('  again', valuesOf(again, 'milliseconds'), 'ms    goal: 5')
}

async function memory({ server, load }) {
  for (const root of ['/m', '/stored']) {
    const requests = several(4, i => requestText('GET', `/zarr/v3${root}/large.h5/large/c/${i}`, HEADERS))
    const ask = () => load(server, { requests, count: READERS, connections: READERS, status: 200 })
    const rest = residentMiB(server)
    let most = rest
    const timer = setInterval(() => {
      most = Math.max(most, residentMiB(server))
    }, 20)
    await ask()
    clearInterval(timer)
    print(`${READERS} readers of chunks of 64 MiB, ${root}`, [most - rest], 'MiB above rest    goal: 150')
  }
}

function residentMiB({ pid }) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / KIB
}

/** Chunks of float32 in Zstandard, as zarr-python 3 sends them by default. */
async function writes({ directory, raw, server }) {
  await makeHome(server)
  const target = '/zarr/v3/home/written.h5/a'
  const document = {
    zarr_format: 3,
    node_type: 'array',
    shape: [(WRITTEN * MIB) / 4],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [MIB / 4] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'zstd', configuration: { level: 0, checksum: false } },
    ],
    attributes: {},
  }
  await send(server, 'PUT', `${target}/zarr.json`, { headers: HEADERS, body: JSON.stringify(document) })
  const chunks = await Promise.all(several(WRITTEN, chunk => new Zstd(3).encode(noisyWave(chunk))))
  const plain = await raw({ kind: 'store', directory })
  for (const inFlight of [1, 4]) {
    const put = to => () =>
      measured(to, async () => {
        const waiting = [...chunks.entries()]
        const write = async () => {
          for (let next = waiting.pop(); next; next = waiting.pop()) {
            await send(to, 'PUT', `${target}/c/${next[0]}`, { headers: HEADERS, body: next[1] })
          }
        }
        await Promise.all(several(inFlight, write))
      })
    const [ours, limit] = await alternate(ROUNDS, [put(server), put(plain)])
    const name = `1 MiB put, ${inFlight} in flight`
    const ratesOf = results => valuesOf(results, 'milliseconds').map(time => (1000 * WRITTEN) / time)
    const costsOf = results => valuesOf(results, 'cpuMicroseconds').map(time => time / 1000 / WRITTEN)
    print(`${name}`, ratesOf(ours), 'MiB/s')
    print(`${name}, to files`, ratesOf(limit), 'MiB/s')
    printRatio(`${name}, rate`, ratesOf(ours), ratesOf(limit), 'none set')
    print(`${name}, processor time`, costsOf(ours), 'ms')
    print(`${name}, to files, processor time`, costsOf(limit), 'ms')
    printRatio(`${name}, processor time`, costsOf(ours), costsOf(limit), 'none set')
  }
}

/** A wave with noise in its last digits, which Zstandard makes 2.7 times shorter. */
function noisyWave(seed) {
  let state = seed + 1
  const wave = Float32Array.from({ length: MIB / 4 }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.round(Math.sin(i / 500) * 1000 + (state / 2 ** 32) * 20) / 10
  })
  return new Uint8Array(wave.buffer)
}
