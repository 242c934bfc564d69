// Values of variable size in the hsds dialect: JSON, binary, Base64 and points (hsds-values 12.6, 13.4 and 14),
// and region references (hsds-values 21).

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { type Domain, JSON_TYPE, makeHome, newDomain, OCTETS } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }
const TEXT = {
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
  length: 'H5T_VARIABLE',
}
const I32_SEQUENCE = { class: 'H5T_VLEN', base: { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' } }
const MIXED = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'number', type: 'H5T_STD_U64BE' },
    {
      name: 'fixed',
      type: { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 8 },
    },
    { name: 'texts', type: { class: 'H5T_ARRAY', dims: [2], base: TEXT } },
  ],
}

beforeAll(makeHome)

async function bytesOf(domain: Domain, id: string, query = ''): Promise<Buffer> {
  const reply = await domain.send('GET', `/datasets/${id}/value${query}`, undefined, BINARY)
  expect(reply.status, reply.story).toBe(200)
  expect(reply.headers['content-type'], reply.story).toBe(OCTETS)
  return reply.bytes
}

async function putBytes(
  domain: Domain,
  id: string,
  bytes: Uint8Array,
  status = 200,
  query = '',
): Promise<void> {
  const reply = await domain.send('PUT', `/datasets/${id}/value${query}`, bytes, BINARY_BODY)
  expect(reply.status, reply.story).toBe(status)
}

function packed(...texts: string[]): Buffer {
  return Buffer.concat(
    texts.flatMap(text => {
      const bytes = Buffer.from(text)
      const count = Buffer.alloc(4)
      count.writeInt32LE(bytes.length)
      return [count, bytes]
    }),
  )
}

describe('sequences', () => {
  const rows = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]

  test('JSON, a selection, points; binary of 56 bytes each way', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32_SEQUENCE, shape: [4] })
    expect(await domain.value(id)).toEqual([0, 0, 0, 0])
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: rows })
    expect(await domain.value(id)).toEqual(rows)
    expect(await domain.value(id, '?select=[2:3]')).toEqual([[1, 2, 3]])
    const points = await domain.want(200, 'POST', `/datasets/${id}/value`, { points: [1, 3] })
    expect(points.value).toEqual([
      [1, 2],
      [1, 2, 3, 4],
    ])
    const bytes = await bytesOf(domain, id)
    expect(bytes).toHaveLength(56)
    const other = await domain.dataset({ type: I32_SEQUENCE, shape: [4] })
    await putBytes(domain, other, bytes)
    expect(await domain.value(other)).toEqual(rows)
  })

  test('two dimensions; one row of them', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32_SEQUENCE, shape: [2, 2] })
    const value = [
      [[1], [2, 3]],
      [[4, 5, 6], []],
    ]
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    expect(await domain.value(id)).toEqual(value)
    expect(await domain.value(id, '?select=[0:1,0:2]')).toEqual([value[0]])
  })

  test('never written is 0, written empty is a list (13.4); fills and selections keep that', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32_SEQUENCE, shape: [5] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: 1, stop: 3, value: [[], [7]] })
    expect(await domain.value(id)).toEqual([0, [], [7], 0, 0])
    expect(await domain.value(id, '?select=[0:5:2]')).toEqual([0, [7], 0])
    await putBytes(domain, id, Buffer.alloc(4), 200, '?select=[4:5]')
    expect(await domain.value(id)).toEqual([0, [], [7], 0, []])
    expect((await bytesOf(domain, id)).toString('hex')).toBe(
      '0000000000000000040000000700000000000000' + '00000000',
    )
  })

  test('a scalar dataset: the list itself, or in a list', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32_SEQUENCE })
    expect(await domain.value(id)).toBe(0)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [1, 2, 3] })
    expect(await domain.value(id)).toEqual([1, 2, 3])
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [[4, 5]] })
    expect(await domain.value(id)).toEqual([4, 5])
  })

  test('value_base64 at points: 25 sequences of I8', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_VLEN', base: 'H5T_STD_I8LE' }
    const id = await domain.dataset({ type, shape: [100] })
    const points = Array.from({ length: 25 }, (_, i) => i * 4)
    const value_base64 = Buffer.from('020000000102'.repeat(25), 'hex').toString('base64')
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { points, value_base64 })
    const value = (await domain.value(id)) as unknown[]
    expect(value[0]).toEqual([1, 2])
    expect(value[96]).toEqual([1, 2])
    expect(value[97]).toBe(0)
  })

  test.each<[string, unknown, unknown, unknown]>([
    [
      'compounds',
      { class: 'H5T_COMPOUND', fields: [{ name: 'a', type: 'H5T_STD_I8LE' }] },
      [[[1], [2]]],
      undefined,
    ],
    [
      'booleans',
      { class: 'H5T_ENUM', base: 'H5T_STD_I8LE', mapping: { FALSE: 0, TRUE: 1 } },
      [[true, false]],
      undefined,
    ],
    ['references', { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, [['', '']], undefined],
  ])('of %s', async (_, base, value) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: { class: 'H5T_VLEN', base }, shape: [1] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    expect(await domain.value(id)).toEqual(value)
    const other = await domain.dataset({ type: { class: 'H5T_VLEN', base }, shape: [1] })
    await putBytes(domain, other, await bytesOf(domain, id))
    expect(await domain.value(other)).toEqual(value)
  })

  test('of variable strings: created, but values are refused, and the server goes on', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: { class: 'H5T_VLEN', base: TEXT } })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: 'text' })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: ['text'] })
    await putBytes(domain, id, packed('text'), 400)
    const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, BINARY)
    expect(reply.headers['content-type'], reply.story).toBe(JSON_TYPE)
    await domain.want(200, 'GET', `/datasets/${id}`)
  })
})

describe('variable strings', () => {
  test('JSON, points, binary, binary points; an unwritten one is empty', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: TEXT, shape: [4] })
    expect(await domain.value(id)).toEqual(['', '', '', ''])
    const value = ['one', 'zwei', 'três', '四\u0000"\\']
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    expect(await domain.value(id)).toEqual(value)
    expect(await bytesOf(domain, id)).toEqual(packed(...value))
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { points: [3, 0], value: ['x', 'y'] })
    const points = await domain.want(200, 'POST', `/datasets/${id}/value`, { points: [0, 3, 1] })
    expect(points.value).toEqual(['y', 'x', 'zwei'])
    const asked = await domain.send('POST', `/datasets/${id}/value`, { points: [3, 0] }, BINARY)
    expect(asked.bytes).toEqual(packed('x', 'y'))
    await putBytes(domain, id, packed('a', 'b', '', 'd'))
    expect(await domain.value(id)).toEqual(['a', 'b', '', 'd'])
  })

  test('a scalar of many megabytes, in binary and back, and beside it Base64', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: TEXT })
    const long = packed('0123456789é'.repeat(300_000))
    await putBytes(domain, id, long)
    expect((await bytesOf(domain, id)).equals(long)).toBe(true)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value_base64: long.toString('base64') })
    expect(((await domain.value(id)) as string).length).toBe(11 * 300_000)
  })

  test.each<[string, Buffer]>([
    ['too few elements', packed('a', 'b')],
    ['an end within a string', packed('a', 'b', 'c', 'd').subarray(0, -1)],
    ['a negative count', Buffer.from('ffffffff', 'hex')],
    ['bytes behind the end', Buffer.concat([packed('a', 'b', 'c', 'd'), Buffer.from([0, 1])])],
    ['no bytes', Buffer.alloc(0)],
  ])('%s: 400, and nothing is changed', async (_, bytes) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: TEXT, shape: [4] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: ['w', 'x', 'y', 'z'] })
    await putBytes(domain, id, bytes, 400)
    const value_base64 = bytes.toString('base64')
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value_base64 })
    expect(await domain.value(id)).toEqual(['w', 'x', 'y', 'z'])
  })
})

describe('a compound of U64BE, S8 and an array of two variable strings', () => {
  const rows = Array.from({ length: 4 }, (_, i) => [
    i + 1,
    `eightch${i}`,
    [`string ${i}a`, `string ${i}bcde`],
  ])

  test('JSON by points; binary with its tail; numbers of requests are little-endian (rules 5, 6)', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: MIXED, shape: [4] })
    expect(await domain.value(id)).toEqual(Array(4).fill([0, '', ['', '']]))
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { points: [0, 1, 2, 3], value: rows })
    expect(await domain.value(id)).toEqual(rows)
    const bytes = await bytesOf(domain, id)
    const row = (i: number, swap: boolean) => {
      const number = Buffer.alloc(8)
      if (swap) number.writeBigUInt64LE(BigInt(i + 1))
      else number.writeBigUInt64BE(BigInt(i + 1))
      return Buffer.concat([number, Buffer.from(`eightch${i}`), packed(`string ${i}a`, `string ${i}bcde`)])
    }
    const tail = Buffer.alloc(16)
    expect(bytes).toEqual(Buffer.concat([row(0, false), row(1, false), row(2, false), row(3, false), tail]))
    const other = await domain.dataset({ type: MIXED, shape: [4] })
    await putBytes(
      domain,
      other,
      Buffer.concat([row(0, true), row(1, true), row(2, true), row(3, true), tail]),
    )
    expect(await domain.value(other)).toEqual(rows)
    const value_base64 = Buffer.concat([row(3, true), row(2, true)]).toString('base64')
    await domain.want(200, 'PUT', `/datasets/${other}/value`, { points: [0, 1], value_base64 })
    expect(await domain.value(other)).toEqual([rows[3], rows[2], rows[2], rows[3]])
  })
})

describe('region references', () => {
  const REGION = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }

  test.each([[REGION], [{ ...REGION, length: 48, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }]])(
    'JSON objects with inclusive blocks, null, and text; binary reads can be written back: %j',
    async type => {
      const domain = await newDomain()
      const target = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [4, 12] })
      const id = await domain.dataset({ type, shape: [4] })
      expect(await domain.value(id)).toEqual([null, null, null, null])
      const points = {
        id: target,
        select_type: 'H5S_SEL_POINTS',
        selection: [
          [0, 1],
          [2, 11],
        ],
      }
      const blocks = {
        id: target.slice(2),
        select_type: 'H5S_SEL_HYPERSLABS',
        selection: [
          [
            [0, 0],
            [1, 4],
          ],
        ],
      }
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [points, blocks, 'some text', null] })
      const expected = [{ ...points, id: target.slice(2) }, blocks, 'some text', null]
      expect(await domain.value(id)).toEqual(expected)
      const other = await domain.dataset({ type, shape: [4] })
      await putBytes(domain, other, await bytesOf(domain, id))
      expect(await domain.value(other)).toEqual(expected)
    },
  )

  test('an object that is no region reference is 400', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: REGION })
    for (const value of [
      {},
      { id },
      { id, select_type: 'H5S_SEL_POINTS' },
      { id: 'x', select_type: 'H5S_SEL_ALL' },
      5,
    ]) {
      await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value })
    }
  })
})
