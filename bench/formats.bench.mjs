// Values as CSV, NPY, JSON, TIFF, PNG and Arrow over HTTP, beside bare node:http that sends as many bytes from memory.
// The size of a format's own answer counts, so the rates of two formats do not compare; the elements per second do.

import {
  AUTHORIZATION,
  alternate,
  benchmark,
  HSDS_DOMAIN,
  makeHome,
  print,
  printRatio,
  send,
  sendJson,
} from './measure.mjs'

const MIB = 2 ** 20
const REPETITIONS = 5
const ROWS = 2048
const COLUMNS = 1024
const TABLE_ROWS = 2 ** 18

const TABLE = {
  class: 'H5T_COMPOUND',
  fields: [
    {
      name: 'station',
      type: { class: 'H5T_STRING', length: 12, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' },
    },
    { name: 'count', type: 'H5T_STD_I32LE' },
    { name: 'mean', type: 'H5T_IEEE_F64LE' },
  ],
}

/** Name, type, shape, and the bytes of the element at an index. */
const DATASETS = [
  [
    'int32',
    'H5T_STD_I32LE',
    [ROWS, COLUMNS],
    4,
    (bytes, at, i) => bytes.writeInt32LE((i * 7919) % 1_000_003, at),
  ],
  ['float32', 'H5T_IEEE_F32LE', [ROWS, COLUMNS], 4, (bytes, at, i) => bytes.writeFloatLE(Math.sin(i), at)],
  [
    'float64, 3 decimals',
    'H5T_IEEE_F64LE',
    [ROWS, COLUMNS],
    8,
    (bytes, at, i) => bytes.writeDoubleLE(Math.round(Math.sin(i) * 1e6) / 1e3, at),
  ],
  [
    'a series of float64',
    'H5T_IEEE_F64LE',
    [ROWS * COLUMNS],
    8,
    (bytes, at, i) => bytes.writeDoubleLE(Math.sin(i), at),
  ],
  [
    'a table of string, int32, float64',
    TABLE,
    [TABLE_ROWS],
    24,
    (bytes, at, i) => {
      bytes.write(`station ${i % 1000}`, at, 'latin1')
      bytes.writeInt32LE(i, at + 12)
      bytes.writeDoubleLE((i % 4096) / 8, at + 16)
    },
  ],
]

await benchmark(async ({ hyperslab, raw }) => {
  const server = await hyperslab()
  await makeHome(server)
  const headers = { 'x-hdf-domain': HSDS_DOMAIN, authorization: AUTHORIZATION }
  await sendJson(server, 'PUT', '/', { headers })
  for (const [name, type, shape, size, write] of DATASETS) {
    const { id } = await sendJson(server, 'POST', '/datasets', {
      headers: jsonHeaders(headers),
      body: { type, shape },
    })
    const count = shape.reduce((a, b) => a * b)
    const body = Buffer.alloc(count * size)
    for (let i = 0; i < count; i++) write(body, i * size, i)
    const target = `/datasets/${id}/value`
    const octets = { 'content-type': 'application/octet-stream' }
    await send(server, 'PUT', target, { headers: { ...headers, ...octets }, body })
    for (const format of shape.length === 2
      ? ['csv', 'npy', 'json', 'tiff', 'png']
      : ['csv', 'npy', 'json', 'arrow']) {
      const get = async (from, path) => {
        const start = performance.now()
        const { bytes } = await send(from, 'GET', path, { headers })
        return { length: bytes.length, seconds: (performance.now() - start) / 1000 }
      }
      const asked = `${target}?format=${format}`
      const { length } = await get(server, asked)
      const bare = await raw({ kind: 'bytes', length })
      const rate = (from, path) => async () => length / MIB / (await get(from, path)).seconds
      const [ours, limit] = await alternate(REPETITIONS, [rate(server, asked), rate(bare, '/')])
      print(`${name}, ${format}, ${(length / MIB).toFixed(1)} MiB`, ours, 'MiB/s')
      print(
        'elements',
        ours.map(each => (each * MIB * count) / length / 1e6),
        'M/s',
      )
      printRatio('beside node:http', ours, limit, 'none set')
    }
  }
})

function jsonHeaders(headers) {
  return { ...headers, 'content-type': 'application/json' }
}
