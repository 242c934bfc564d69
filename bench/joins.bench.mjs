// Joined files: 1,000 files of a day as one, beside `open_mfdataset` of xarray and combined references, as kerchunk
// makes them, on the same files: the first opening, one after a restart, later ones, a series of one grid point, ten
// elements of three files, a file that arrives, and the memory and open files of the service. Needs a Python with
// xarray, dask, netCDF4, h5py, zarr 2 and fsspec (HYPERSLAB_PYTHON, default /usr/bin/python3). HYPERSLAB_BENCH_FILES:
// their number. HYPERSLAB_BENCH_TINY: the number of tiny files that are then joined, for their cost alone (default:
// none).

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AUTHORIZATION,
  adminSettings,
  alternate,
  benchmark,
  print,
  printRatio,
  send,
  sendJson,
} from './measure.mjs'

const PYTHON = process.env.HYPERSLAB_PYTHON ?? '/usr/bin/python3'
const FILES = Number(process.env.HYPERSLAB_BENCH_FILES ?? 1000)
const TINY_FILES = Number(process.env.HYPERSLAB_BENCH_TINY ?? 0)
const REPETITIONS = 5
const HEADERS = { authorization: AUTHORIZATION }
const NCML = `<netcdf xmlns="http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2">
<aggregation dimName="time" type="joinExisting"><scan location="days" suffix=".nc" /></aggregation></netcdf>`

/** Makes the files from one number up to another: hours of a grid of 90 x 120, two variables with deflate. */
const MAKE = `
import netCDF4, numpy as np, sys
rng = np.random.default_rng(1)
for i in range(int(sys.argv[2]), int(sys.argv[3])):
    with netCDF4.Dataset(f'{sys.argv[1]}/day_{i}.nc', 'w') as f:
        for name, size in (('time', None), ('y', 90), ('x', 120)):
            f.createDimension(name, size)
            v = f.createVariable(name, 'f8', (name,))
            if size: v[:] = np.arange(size)
        f['time'].units = 'hours since 2026-01-01'
        f['time'][:] = np.arange(24 * i, 24 * i + 24)
        for name in ('temp', 'rain'):
            v = f.createVariable(name, 'f4', ('time', 'y', 'x'), zlib=True, complevel=1, chunksizes=(24, 30, 40))
            v[:] = rng.normal(size=(24, 90, 120)).round(2)
`

/** Makes files of four hours of a grid of 2 x 3: the bytes of one with other numbers. */
const MAKE_TINY = `
import h5py, numpy as np, os, sys
folder, count = sys.argv[1], int(sys.argv[2])
with h5py.File(f'{folder}/first', 'w', libver='latest') as f:
    f['time'] = np.arange(4.)
    f['time'].attrs['units'] = 'hours since 2026-01-01'
    f['time'].make_scale('time')
    f['temp'] = np.zeros((4, 2, 3), 'f4')
    f['temp'].dims[0].attach_scale(f['time'])
    at = [f[name].id.get_offset() for name in ('time', 'temp')]
data = bytearray(open(f'{folder}/first', 'rb').read())
os.remove(f'{folder}/first')
for i in range(count):
    data[at[0]:at[0] + 32] = (np.arange(4.) + 4 * i).tobytes()
    data[at[1]:at[1] + 96] = np.full(24, i, 'f4').tobytes()
    if i % 1000 == 0: os.mkdir(f'{folder}/{i // 1000}')
    with open(f'{folder}/{i // 1000}/run_{i}.nc', 'wb') as f: f.write(data)
`

/** Prints the milliseconds of opening and of loading the series of one grid point. */
const XARRAY = `
import time, glob, sys, xarray
start = time.perf_counter()
ds = xarray.open_mfdataset(sorted(glob.glob(sys.argv[1] + '/*.nc')), engine='netcdf4', combine='by_coords',
    data_vars='minimal', coords='minimal', compat='override')
opened = time.perf_counter()
ds.temp[:, 45, 60].load()
print(1000 * (opened - start), 1000 * (time.perf_counter() - opened))
`

/**
 * Prints the milliseconds of making combined references (kerchunk, version 1; made here with h5py, since kerchunk is
 * not among the packages of Debian), of opening them, and of loading the series of one grid point.
 */
const REFERENCES = `
import base64, fsspec, glob, h5py, json, numpy as np, re, sys, time, xarray
start = time.perf_counter()
refs, times = {'.zgroup': '{"zarr_format":2}'}, []
def describe(name, shape, chunks, dtype, dims, rest={}, **attrs):
    refs[name + '/.zarray'] = json.dumps({'zarr_format': 2, 'shape': shape, 'chunks': chunks, 'dtype': dtype,
        'fill_value': None, 'order': 'C', 'compressor': None, 'filters': None, **rest})
    refs[name + '/.zattrs'] = json.dumps({'_ARRAY_DIMENSIONS': dims, **attrs})
files = sorted(glob.glob(sys.argv[1] + '/*.nc'), key=lambda path: int(re.findall(r'[0-9]+', path)[-1]))
for n, path in enumerate(files):
    with h5py.File(path) as f:
        times.append(f['time'][:])
        for name in ('temp', 'rain'):
            for i in range(f[name].id.get_num_chunks()):
                info = f[name].id.get_chunk_info(i)
                at = [o // c for o, c in zip(info.chunk_offset, f[name].chunks)]
                refs[f'{name}/{at[0] + n}.{at[1]}.{at[2]}'] = [path, info.byte_offset, info.size]
count = 24 * len(files)
deflate = {'compressor': {'id': 'zlib', 'level': 1}, 'filters': [{'id': 'shuffle', 'elementsize': 4}]}
for name in ('temp', 'rain'):
    describe(name, [count, 90, 120], [24, 30, 40], '<f4', ['time', 'y', 'x'], deflate)
describe('time', [count], [count], '<f8', ['time'], units='hours since 2026-01-01')
refs['time/0'] = 'base64:' + base64.b64encode(np.concatenate(times).tobytes()).decode()
made = time.perf_counter()
fs = fsspec.filesystem('reference', fo={'version': 1, 'refs': refs})
ds = xarray.open_dataset(fs.get_mapper(''), engine='zarr', chunks={}, backend_kwargs={'consolidated': False})
opened = time.perf_counter()
ds.temp[:, 45, 60].load()
print(1000 * (made - start), 1000 * (opened - made), 1000 * (time.perf_counter() - opened))
`

/** The output of a program; libnetcdf of Debian 12 writes a megabyte of harmless errors of HDF5 beside it. */
function python(...program) {
  return execFileSync(PYTHON, ['-c', ...program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

await benchmark(async ({ directory, hyperslab }) => {
  const folder = join(directory, 'files')
  mkdirSync(join(folder, 'days'), { recursive: true })
  const make = (from, to) => python(MAKE, join(folder, 'days'), `${from}`, `${to}`)
  make(0, FILES)
  const value = (server, path, select) =>
    send(server, 'GET', `/value?domain=/f/all.ncml&h5path=/${path}&select=${select}&format=npy`, {
      headers: HEADERS,
    })
  const timed = async work => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }

  const firsts = []
  const series = []
  const openings = []
  const loads = []
  const references = { made: [], opened: [], loaded: [] }
  let server
  for (let round = 0; round < REPETITIONS; round++) {
    // A service that finds the document opens it before it says that it serves, to name it.
    rmSync(join(folder, 'all.ncml'), { force: true })
    server = await hyperslab({ settings: ['--mount', `${folder}=/f`] })
    writeFileSync(join(folder, 'all.ncml'), NCML)
    firsts.push(await timed(() => value(server, 'time', '[0:1]')))
    series.push(await timed(() => value(server, 'temp', '[:,45,60]')))
    const [opened, loaded] = python(XARRAY, join(folder, 'days')).split(' ').map(Number)
    openings.push(opened)
    loads.push(loaded)
    const parts = python(REFERENCES, join(folder, 'days')).split(' ').map(Number)
    for (const [i, list] of Object.values(references).entries()) list.push(parts[i])
  }
  print(`first opening of ${FILES} files`, firsts, 'ms')
  print('  xarray.open_mfdataset', openings, 'ms')
  printRatio('  first opening', firsts, openings, 'at most 0.5')
  print('  combined references: made', references.made, 'ms')
  print('  and opened by xarray', references.opened, 'ms')
  print('series of one grid point, first time', series, 'ms')
  print('  xarray, load', loads, 'ms')
  print('  xarray, load by references', references.loaded, 'ms')
  printRatio(
    '  series, beside open_mfdataset and load',
    series,
    openings.map((milliseconds, i) => milliseconds + loads[i]),
    'at most 0.2',
  )

  const [again, ten] = await alternate(REPETITIONS, [
    () => timed(() => value(server, 'time', '[0:1]')),
    () => timed(() => value(server, 'temp', '[20:70:5,45,60]')),
  ])
  print('a later opening, with one element', again, 'ms')
  print('ten elements of three files', ten, 'ms')
  const arrivals = []
  for (let i = 0; i < REPETITIONS; i++) {
    await sleep(1500)
    make(FILES + i, FILES + i + 1)
    await sleep(1500)
    arrivals.push(await timed(() => value(server, 'time', `[${24 * (FILES + i + 1) - 1}]`)))
  }
  print('the first read after a file arrived', arrivals, 'ms')
  await printCost(server, folder)
  await server.end()
  await restart({ directory, folder, hyperslab, timed })
  if (TINY_FILES > 0) await joinTiny(directory, hyperslab)
})

function define(server, sources) {
  const body = { join: { sources, along: 'time' } }
  return sendJson(server, 'PUT', '/?domain=/all.nc', { headers: HEADERS, body })
}

/** Prints the time of a definition in the store, and of its first opening by services that start. */
async function restart({ directory, folder, hyperslab, timed }) {
  const settings = ['--mount', `${folder}=/f`, ...adminSettings(directory)]
  let server = await hyperslab({ settings, folder: 'defined' })
  print('a definition in the store', [await timed(() => define(server, '/f/days/*.nc'))], 'ms')
  const read = () =>
    send(server, 'GET', '/value?domain=/all.nc&h5path=/time&select=[0:1]', { headers: HEADERS })
  print('  its first opening', [await timed(read)], 'ms')
  const restarted = []
  for (let i = 0; i < REPETITIONS; i++) {
    await server.end()
    server = await hyperslab({ settings, folder: 'defined' })
    restarted.push(await timed(read))
  }
  print('  first opening after a restart', restarted, 'ms')
  await server.end()
}

/** Prints the memory of the service, and the number of its open files in the folder. */
async function printCost({ pid }, folder) {
  const [, kibibytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  const handles = await readdir(`/proc/${pid}/fd`)
  const paths = await Promise.all(
    handles.map(handle => readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')),
  )
  const open = paths.filter(path => path.startsWith(folder)).length
  console.log(`memory of the service: ${Math.round(kibibytes / 1024)} MiB, open files of the mount: ${open}`)
}

/** Joins many tiny files, once: they take minutes. */
async function joinTiny(directory, hyperslab) {
  const folder = join(directory, 'tiny')
  mkdirSync(folder, { recursive: true })
  python(MAKE_TINY, folder, `${TINY_FILES}`)
  const settings = ['--mount', `${folder}=/f`, ...adminSettings(directory)]
  let server = await hyperslab({ settings, folder: 'store' })
  await printCost(server, folder)
  const step = async (name, work) => {
    const start = performance.now()
    await work()
    print(`${TINY_FILES} tiny files: ${name}`, [performance.now() - start], 'ms')
    await printCost(server, folder)
  }
  const read = (path, select) =>
    send(server, 'GET', `/value?domain=/all.nc&h5path=/${path}&select=${select}&format=npy`, {
      headers: HEADERS,
    })
  await step('definition, with the first of them', () => define(server, '/f/**/*.nc'))
  await step('first opening', () => read('time', '[0:1]'))
  await step('until it has all of them', async () => {
    for (;;) {
      const { joining } = await sendJson(server, 'GET', '/?domain=/all.nc', { headers: HEADERS })
      if (!joining) return
      await sleep(500)
    }
  })
  await step('opening of all', () => read('time', '[0:1]'))
  await step('later opening', () => read('time', '[0:1]'))
  await step('all times', () => read('time', '[:]'))
  await step('series', () => read('temp', '[:,1,1]'))
  await server.end()
  server = await hyperslab({ settings, folder: 'store' })
  await step('first opening after a restart', () => read('time', '[0:1]'))
}
