// The cost of 10 x 10 elements and of a frame of 512 x 512 from Python (docs/decisions/143), by the package in python/
// and by other ways to the same values. Needs a Python with h5py, urllib3, zarr-python 3, fsspec and aiohttp: that
// which scripts/newer-clients.sh makes, or which HYPERSLAB_NEWER_PYTHON names. H5PYD_PATH is a clone of h5pyd, with
// requests-unixsocket beside it if that Python lacks it; without h5pyd its lines are left out.

import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchmark, makeHome, print, printRatio } from './measure.mjs'

const PYTHON =
  process.env.HYPERSLAB_NEWER_PYTHON ?? join(os.homedir(), '.cache/hyperslab-clients/bin/python3')
const PROGRAM = fileURLToPath(new URL('python.py', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../python/src', import.meta.url))
const ROUNDS = 5
/** Pairs of ways, and the goal: the first as a multiple of the second, in processor time of client and service. */
const GOALS = [
  ['hyperslab', 'h5pyd', 'at most 1'],
  ['hyperslab, read_many', 'h5pyd', 'at most 0.2'],
  ['hyperslab, append', 'h5pyd', 'at most 0.33'],
]

await benchmark(async ({ directory, hyperslab }) => {
  const server = await hyperslab()
  await makeHome(server)
  const path = [PACKAGE, process.env.H5PYD_PATH, process.env.PYTHONPATH].filter(Boolean).join(delimiter)
  const printed = execFileSync(
    PYTHON,
    [
      '-W',
      'ignore',
      PROGRAM,
      `http://127.0.0.1:${server.port}`,
      String(server.pid),
      directory,
      String(ROUNDS),
    ],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' },
    },
  )
  for (const line of printed.trim().split('\n')) {
    const { unit, results } = JSON.parse(line)
    printWays(unit, results)
  }
  console.log(`load ${os.loadavg()[0].toFixed(2)} at the end`)
})

function printWays(unit, results) {
  const both = Object.fromEntries(
    Object.entries(results).map(([way, rounds]) => [
      way,
      rounds.map(([client, service]) => client + service),
    ]),
  )
  for (const [way, rounds] of Object.entries(results)) {
    print(`${unit}: ${way}`, both[way], 'ms')
    for (const [index, part] of ['client', 'service', 'time'].entries()) {
      print(
        `  ${part}`,
        rounds.map(round => round[index]),
        'ms',
      )
    }
  }
  for (const [ours, theirs, goal] of GOALS) {
    if (both[ours] && both[theirs]) printRatio(`${ours} / ${theirs}`, both[ours], both[theirs], goal)
  }
}
