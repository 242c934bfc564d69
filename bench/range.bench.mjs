// Domains as files of which ranges are read (docs/decisions/067): of a mounted file, also with an nginx in front that
// sends it (docs/decisions/112), and of a stored domain of 11,000 objects, beside nginx and bare node:http that send as
// many bytes of a file, in turn; and the first HEAD of the stored domain after a change.
// Needs nginx, and a python3 with h5py (HYPERSLAB_PYTHON, default /usr/bin/python3).

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  AUTHORIZATION,
  alternate,
  benchmark,
  print,
  printRatio,
  requestText,
  send,
  sendJson,
} from './measure.mjs'
import { serveFiles } from './nginx.mjs'

const PYTHON = process.env.HYPERSLAB_PYTHON ?? '/usr/bin/python3'
const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const OBJECTS = 11_000
const ROUNDS = 7
const KIB = 2 ** 10

/** Many small datasets, and 256 MiB of values in chunks. */
const MAKE = `
import h5py, numpy as np, sys
with h5py.File(sys.argv[1], 'w') as f:
    small = f.create_group('small')
    for i in range(${OBJECTS}):
        d = small.create_dataset('d%05d' % i, data=np.arange(4.0))
        d.attrs['units'] = 'm/s'
        d.attrs['scale'] = 1.5
    values = f.create_dataset('values', shape=(${2 ** 26},), dtype='f4', chunks=(${2 ** 18},))
    for i in range(0, ${2 ** 26}, ${2 ** 22}): values[i:i + ${2 ** 22}] = np.arange(${2 ** 22}) + i
`

await benchmark(async ({ directory, hyperslab, raw, load }) => {
  const folder = join(directory, 'files')
  mkdirSync(folder)
  const path = join(folder, 'file.h5')
  execFileSync(PYTHON, ['-c', MAKE, path])
  execFileSync(process.execPath, [COMMAND, 'import', path, '--to', '/stored'], { cwd: directory })
  const server = await hyperslab({ settings: ['--mount', `${folder}=/m`, '--accel-redirect', '/sent'] })
  const headers = { host: '127.0.0.1', authorization: AUTHORIZATION }
  const target = '/h5/stored/file.h5'
  await change(server)
  const { bytes } = await send(server, 'GET', target, { headers })
  writeFileSync(join(folder, 'stored.bin'), bytes)
  const nginx = await serveFiles(directory, folder, server)
  const node = await raw({ kind: 'file', path })
  try {
    for (const length of [4 * KIB, 64 * KIB, 1024 * KIB]) {
      await compare(`mounted, ${length / KIB} KiB`, length, '/h5/m/file.h5', '/file.h5')
      await compare(`stored, ${length / KIB} KiB`, length, target, '/stored.bin')
    }
    const first = []
    for (let round = 0; round < ROUNDS; round++) {
      await change(server, round + 1)
      const begun = performance.now()
      await send(server, 'HEAD', target, { headers })
      first.push(performance.now() - begun)
    }
    print(`first HEAD of ${OBJECTS} objects after a change`, first, 'ms    goal: 300')
  } finally {
    await nginx.end()
  }

  /** Ranges from all over the file, 8 at a time. */
  async function compare(name, length, ours, theirs) {
    const size = Number((await send(server, 'HEAD', ours, { headers })).headers['content-length'])
    const count = Math.min(2000, Math.ceil((256 * 2 ** 20) / length))
    const ranges = Array.from({ length: count }, (_, i) => {
      const first = Math.floor(((i * 7919) % count) * ((size - length) / count))
      return `bytes=${first}-${first + length - 1}`
    })
    const asked = (from, path) => async () => {
      const requests = ranges.map(range => requestText('GET', path, { ...headers, range }))
      return load(from, { requests, count, connections: 8, status: 206 })
    }
    const measurements = [asked(server, ours), asked(nginx, theirs), asked(node, theirs), asked(nginx, ours)]
    const [mine, limit, bare, behind] = await alternate(ROUNDS, measurements, 2)
    const of = (results, key) => results.map(result => result[key])
    print(`${name}: Hyperslab`, of(mine, 'perSecond'), '/s')
    print(`${name}: nginx`, of(limit, 'perSecond'), '/s')
    print(`${name}: node:http`, of(bare, 'perSecond'), '/s')
    printRatio('rate / nginx', of(mine, 'perSecond'), of(limit, 'perSecond'), 'at least 0.5')
    printRatio('rate behind nginx / nginx', of(behind, 'perSecond'), of(limit, 'perSecond'), 'at least 0.5')
    printRatio('rate / node:http', of(mine, 'perSecond'), of(bare, 'perSecond'), 'none set')
    printRatio(
      'processor time / nginx',
      of(mine, 'cpuMicroseconds'),
      of(limit, 'cpuMicroseconds'),
      'at most 3',
    )
  }
})

/** So that the domain is no longer the file that was imported. */
async function change(server, value = 0) {
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const domain = '?domain=/stored/file.h5'
  const { root } = await sendJson(server, 'GET', `/${domain}`, { headers })
  const body = { type: 'H5T_STD_I32LE', value }
  await sendJson(server, 'PUT', `/groups/${root}/attributes/changed${domain}&replace=1`, { headers, body })
}
