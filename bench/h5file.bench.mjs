// Our reader of HDF5 files in this process beside h5py, on the same files in the page cache: a contiguous dataset whole
// and in slices of 1 MiB, each in memory of its own or all in the same (as for a server that sends a slice before it
// reads the next), chunks with shuffle and deflate whole, and 11,000 small datasets with two attributes each. Then
// imports of the small datasets, and of 1 GiB in chunks beside a durable copy of the file. Needs a python3 with h5py
// (HYPERSLAB_PYTHON, default /usr/bin/python3).

import { execFileSync } from 'node:child_process'
import { closeSync, openSync, read as readFile, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chunkDecoder } from '../dist/modules/files/transfer/chunk-decoder.js'
import { openFileSource } from '../dist/modules/files/transfer/file-source.js'
import { openH5File } from '../dist/modules/h5/reader/reader.js'
import { openFilterThreads } from '../dist/modules/store/chunks/filter-threads.js'
import { alternate, benchmark, print, printRatio } from './measure.mjs'

const PYTHON = process.env.HYPERSLAB_PYTHON ?? '/usr/bin/python3'
const REPETITIONS = 5
const BYTES = 256 * 2 ** 20
const SLICE = 2 ** 20
const OBJECTS = 11_000
const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

const MAKE = `
import h5py, numpy as np, sys
path, small_path, chunked_path = sys.argv[1:4]
values = np.random.default_rng(1).normal(size=${BYTES / 8}).round(3)
def make_small(f):
    small = f.create_group('small')
    for i in range(${OBJECTS}):
        d = small.create_dataset('d%05d' % i, data=np.arange(4.0))
        d.attrs['units'] = 'm/s'
        d.attrs['scale'] = 1.5
with h5py.File(path, 'w') as f:
    f['contiguous'] = values
    f.create_dataset('deflated', data=values[:${BYTES / 16}], chunks=(${SLICE / 8},), compression=6, shuffle=True)
    make_small(f)
with h5py.File(small_path, 'w') as f:
    make_small(f)
with h5py.File(chunked_path, 'w') as f:
    d = f.create_dataset('chunked', shape=(${(4 * BYTES) / 8},), dtype='f8', chunks=(${SLICE / 8},))
    for i in range(4): d[i * ${BYTES / 8}:(i + 1) * ${BYTES / 8}] = values
`

/** Prints the seconds that each reading took. */
const READ = `
import h5py, numpy as np, sys, time
path, kind = sys.argv[1:3]
with h5py.File(path, 'r') as f:
    start = time.perf_counter()
    if kind == 'whole': f['contiguous'][...]
    elif kind == 'deflated': f['deflated'][...]
    elif kind == 'slices':
        d = f['contiguous']
        for i in range(0, ${BYTES / 8}, ${SLICE / 8}): d[i:i + ${SLICE / 8}]
    elif kind == 'reused':
        d = f['contiguous']
        memory = np.empty(${SLICE / 8})
        start = time.perf_counter()
        for i in range(0, ${BYTES / 8}, ${SLICE / 8}): d.read_direct(memory, np.s_[i:i + ${SLICE / 8}])
    else:
        for d in f['small'].values():
            d.shape, d.dtype, d[...], dict(d.attrs)
    print(time.perf_counter() - start)
`

await benchmark(async ({ directory }) => {
  const path = join(directory, 'bench.h5')
  const scripts = { make: join(directory, 'make.py'), read: join(directory, 'read.py') }
  writeFileSync(scripts.make, MAKE)
  writeFileSync(scripts.read, READ)
  const small = join(directory, 'small.h5')
  const chunked = join(directory, 'chunked.h5')
  execFileSync(PYTHON, [scripts.make, path, small, chunked])
  const h5py = kind => () =>
    1000 * Number(execFileSync(PYTHON, [scripts.read, path, kind], { encoding: 'utf8' }))
  const threads = openFilterThreads()
  const decode = chunkDecoder(threads)
  const lines = [
    ['whole', 'contiguous, 256 MiB whole', readWhole('contiguous'), 'at most 1'],
    ['slices', 'contiguous, in slices of 1 MiB, fresh memory', readSlices(1), 'at most 1'],
    ['reused', 'the same, memory used again', readSlices(1, newSlice), 'at most 1'],
    ['reused', 'the same, two at a time', readSlices(2, newSlice), 'at most 1'],
    ['deflated', 'shuffle and deflate, 128 MiB whole, one thread', readWhole('deflated'), 'at most 1'],
    [
      'deflated',
      'the same with a thread for each processor',
      readWhole('deflated'),
      'at most 0.63',
      { decode },
    ],
    ['small', '11,000 datasets, 22,000 attributes', readSmall, 'at most 0.1'],
  ]
  for (const [kind, name, read, goal, options] of lines) {
    const [ours, rival] = await alternate(REPETITIONS, [() => milliseconds(path, read, options), h5py(kind)])
    print(name, ours, 'ms')
    print('h5py', rival, 'ms')
    printRatio('ours / h5py', ours, rival, goal)
  }
  const [bare] = await alternate(REPETITIONS, [() => bareSlices(path)])
  print('slices with fs.read alone, memory used again', bare, 'ms')
  await threads.close()
  rmSync(path)
  const [imported] = await alternate(REPETITIONS, [() => importMilliseconds(directory, small)])
  print('import of the 11,000 datasets', imported, 'ms, goal 3000')
  const [adopted, copied] = await alternate(REPETITIONS, [
    () => importMilliseconds(directory, chunked),
    () => copyMilliseconds(directory, chunked),
  ])
  print('import of 1 GiB in chunks', adopted, 'ms')
  print('copied and synced', copied, 'ms')
  printRatio('import / copy', adopted, copied, 'at most 1.5')
})

/** The time of the whole command, including the start of the process. */
function importMilliseconds(directory, path) {
  const data = join(directory, 'data')
  const start = performance.now()
  execFileSync(process.execPath, [COMMAND, 'import', path, '--data', data, '--to', '/bench'], {
    stdio: 'pipe',
  })
  const end = performance.now()
  rmSync(data, { recursive: true })
  return end - start
}

function copyMilliseconds(directory, path) {
  const copy = join(directory, 'copy.h5')
  const start = performance.now()
  execFileSync('cp', ['--reflink=never', path, copy])
  execFileSync('sync', [copy])
  const end = performance.now()
  rmSync(copy)
  return end - start
}

/** From when the file is open, as for h5py. */
async function milliseconds(path, read, options) {
  const source = openFileSource(path)
  const reader = await openH5File(source, 'bench.h5', options)
  const start = performance.now()
  await read(reader)
  const end = performance.now()
  source.close()
  return end - start
}

function readWhole(name) {
  return async reader => {
    const { address, dims } = await findDataset(reader, name)
    await reader.readValues(address, [0], dims, () => undefined)
  }
}

function newSlice() {
  return new Uint8Array(SLICE)
}

/** A number at a time, each time into the memory of the last ones if `newMemory` makes some. */
function readSlices(atATime, newMemory = () => undefined) {
  return async reader => {
    const { address, dims } = await findDataset(reader, 'contiguous')
    let next = 0
    const readNext = async () => {
      const memory = newMemory()
      while (next < dims[0]) {
        const start = next
        next += SLICE / 8
        await reader.readValues(address, [start], [SLICE / 8], () => undefined, memory)
      }
    }
    await Promise.all(Array.from({ length: atATime }, readNext))
  }
}

/**
 * The bound for every reader that leaves the event loop free, one slice at a time, where the dataset is: from the
 * beginnings of pages some processors copy four times slower into such memory.
 */
async function bareSlices(path) {
  const first = await positionOfContiguous(path)
  const file = openSync(path)
  const memory = newSlice()
  const start = performance.now()
  for (let done = 0; done < BYTES; done += SLICE) {
    await new Promise(resolve => readFile(file, memory, 0, SLICE, first + done, resolve))
  }
  const end = performance.now()
  closeSync(file)
  return end - start
}

async function positionOfContiguous(path) {
  const source = openFileSource(path)
  const reader = await openH5File(source, 'bench.h5')
  const { address } = await findDataset(reader, 'contiguous')
  const { position } = await reader.storedBytes(address)
  source.close()
  return position
}

async function findDataset(reader, name) {
  const { address } = await findLink(reader, name)
  const { space } = await reader.dataset(address)
  return { address, dims: space.dims }
}

async function readSmall(reader) {
  const group = await findLink(reader, 'small')
  for await (const links of reader.links(group.address)) {
    for (const { address } of links) {
      await reader.dataset(address)
      for await (const _ of reader.attributes(address, () => undefined));
      await reader.readValues(address, [0], [4], () => undefined)
    }
  }
}

async function findLink(reader, name) {
  for await (const links of reader.links(reader.root)) {
    const link = links.find(({ title }) => title === name)
    if (link !== undefined) return link
  }
}
