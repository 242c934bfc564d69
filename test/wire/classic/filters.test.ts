// Filters in the classic dialect: values come back as they were written, whatever packs them in between. Only
// scale-offset of floats rounds, as HDF5's does (classic 16.1).

import { expect, test } from 'vitest'
import { type Domain, newDomain } from './domain.ts'

const OCTETS = { headers: { 'content-type': 'application/octet-stream' } }
const AS_BYTES = { headers: { accept: 'application/octet-stream' } }

/** More than one chunk, the last ones reaching over the edge. */
const SHAPE = [70, 90]
const LAYOUT = { class: 'H5D_CHUNKED', dims: [32, 50] }
const COUNT = 70 * 90

const RECORD = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'id', type: 'H5T_STD_U16BE' },
    {
      name: 'name',
      type: { class: 'H5T_STRING', length: 3, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' },
    },
    { name: 'xy', type: { class: 'H5T_ARRAY', base: 'H5T_IEEE_F32LE', dims: [2] } },
  ],
}

const FILTERS = [
  [{ id: 2 }, { id: 1, level: 6 }],
  [{ id: 3 }],
  [{ id: 4, bitsPerPixel: 8, coding: 'H5_SZIP_NN_OPTION_MASK', pixelsPerBlock: 8, pixelsPerScanline: 50 }],
  [{ id: 5 }],
  [{ id: 6, scaleType: 'H5Z_SO_INT', scaleOffset: 0 }],
  [{ id: 6, scaleType: 'H5Z_SO_INT', scaleOffset: 5 }, { id: 3 }],
  [{ id: 32000 }],
  [{ id: 32008 }, { id: 32000 }],
  [{ id: 32008, parameters: [0, 2] }],
  [{ id: 32008, parameters: [64, 3] }, { id: 3 }],
  [{ id: 3 }, { id: 2 }, { id: 1, level: 9 }],
]

const TYPES = [
  ['H5T_STD_I8LE', 1],
  ['H5T_STD_U16BE', 2],
  ['H5T_STD_I32LE', 4],
  ['H5T_STD_I64BE', 8],
  ['H5T_IEEE_F64LE', 8],
  [RECORD, 13],
] as const

/** Small numbers that repeat, one in a hundred any bytes. */
function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(COUNT * size)
  for (let i = 0; i < COUNT; i++) {
    if (i % 100 === 99) for (let j = 0; j < size; j++) bytes[i * size + j] = (i * 7919 + j * 104_729) >> 4
    else bytes[i * size + (i % 2 === 0 ? size - 1 : 0)] = i % 17
  }
  return bytes
}

async function newDataset(
  domain: Domain,
  type: unknown,
  filters: unknown,
  fillValue?: unknown,
): Promise<string> {
  const creationProperties = { layout: LAYOUT, filters, ...(fillValue !== undefined && { fillValue }) }
  return await domain.dataset({ type, shape: SHAPE, creationProperties })
}

test.each(FILTERS)('values with filter $id come back as they were written', async (...filters) => {
  const domain = await newDomain()
  for (const [type, size] of TYPES) {
    // On floats it would round.
    const own = type === 'H5T_IEEE_F64LE' ? filters.filter(({ id }) => id !== 6) : filters
    const id = await newDataset(domain, type, own)
    const bytes = bytesOf(size)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, bytes, OCTETS)
    const read = await domain.send('GET', `/datasets/${id}/value`, undefined, AS_BYTES)
    expect(read.bytes.equals(bytes), JSON.stringify(type)).toBe(true)
    const part = await domain.send('GET', `/datasets/${id}/value?select=[31:33,49]`, undefined, AS_BYTES)
    const expected = [31, 32].map(row => bytes.subarray((row * 90 + 49) * size, (row * 90 + 50) * size))
    expect(part.bytes).toEqual(Buffer.concat(expected))
    const change = bytes.subarray(99 * size, 100 * size)
    await domain.want(200, 'PUT', `/datasets/${id}/value?select=[69:70,89:90]`, change, OCTETS)
    change.copy(bytes, (COUNT - 1) * size)
    const again = await domain.send('GET', `/datasets/${id}/value`, undefined, AS_BYTES)
    expect(again.bytes.equals(bytes), JSON.stringify(type)).toBe(true)
  }
})

test('scale-offset keeps as many decimal places of floats as it is asked for, and the fill value', async () => {
  const domain = await newDomain()
  const filters = [{ id: 6, scaleType: 'H5Z_SO_FLOAT_DSCALE', scaleOffset: 2 }]
  const id = await newDataset(domain, 'H5T_IEEE_F64LE', filters, -999)
  const values = Array.from({ length: 20 }, (_, i) => Math.sin(i) * 100)
  await domain.want(200, 'PUT', `/datasets/${id}/value?select=[0:1,0:20]`, { value: [values] })
  const read = (await domain.value(id, '?select=[0:2,0:20]')) as number[][]
  for (const [i, value] of values.entries()) expect(Math.abs(read[0][i] - value)).toBeLessThanOrEqual(0.00501)
  expect(read[1]).toEqual(new Array(20).fill(-999))
})

test('scale-offset leaves a chunk alone whose numbers it cannot hold', async () => {
  const domain = await newDomain()
  const floats = await newDataset(domain, 'H5T_IEEE_F32LE', [{ id: 6, scaleOffset: 1 }])
  const bytes = Buffer.from(Float32Array.of(Number.NaN, 1.125, Number.POSITIVE_INFINITY).buffer)
  await domain.want(200, 'PUT', `/datasets/${floats}/value?select=[0:1,0:3]`, bytes, OCTETS)
  const read = await domain.send('GET', `/datasets/${floats}/value?select=[0:1,0:3]`, undefined, AS_BYTES)
  expect(read.bytes).toEqual(bytes)
  const integers = await newDataset(domain, 'H5T_STD_I32LE', [{ id: 6, scaleOffset: 3 }])
  await domain.want(200, 'PUT', `/datasets/${integers}/value?select=[0:1,0:3]`, {
    value: [[-5, 1_000_000, 7]],
  })
  expect(await domain.value(integers, '?select=[0:1,0:4]')).toEqual([[-5, 1_000_000, 7, 0]])
})
