// Values and attributes in the hsds dialect: hyperslabs in JSON and binary (hsds-values 1.2, 6, 7, 9 and 13),
// single attributes and their values (hsds-objects 12 and 16).

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { type Domain, JSON_TYPE, makeHome, newDomain, OCTETS } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const BINARY = { user: USER1, headers: { accept: OCTETS } }
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }

beforeAll(makeHome)

/** Big-endian 10 x 10 elements, i * j each, as the example of hsds-values 6.2. */
async function table(domain: Domain): Promise<string> {
  const id = await domain.dataset({ type: 'H5T_STD_I32BE', shape: [10, 10] })
  const value = Array.from({ length: 10 }, (_, i) => Array.from({ length: 10 }, (_, j) => i * j))
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  return id
}

describe('hsds-values 6: GET value', () => {
  test('JSON with four hrefs; an index does not drop its dimension', async () => {
    const domain = await newDomain()
    const id = await table(domain)
    const body = await domain.want<{ value: unknown; hrefs: object[] }>(
      200,
      'GET',
      `/datasets/${id}/value?select=[2:4,0:4]`,
    )
    expect(body.value).toEqual([
      [0, 2, 4, 6],
      [0, 3, 6, 9],
    ])
    expect(body.hrefs).toHaveLength(4)
    expect(await domain.value(id, '?select=[3,5]')).toEqual([[15]])
    expect(await domain.value(id, '?select=[9:10,::4]')).toEqual([[0, 36, 72]])
  })

  test('binary: the stored byte order, exactly application/octet-stream, with its length', async () => {
    const domain = await newDomain()
    const id = await table(domain)
    const reply = await domain.send('GET', `/datasets/${id}/value?select=[2:3,0:4]`, undefined, BINARY)
    expect(reply.status, reply.story).toBe(200)
    expect(reply.headers['content-type']).toBe(OCTETS)
    expect(reply.headers['content-length']).toBe('16')
    expect(reply.bytes.toString('hex')).toBe('00000000000000020000000400000006')
  })

  test('binary: single elements and scalars too; no elements are no bytes', async () => {
    const domain = await newDomain()
    const id = await table(domain)
    const one = await domain.send('GET', `/datasets/${id}/value?select=[9,9]`, undefined, BINARY)
    expect(one.headers['content-type'], one.story).toBe(OCTETS)
    expect(one.bytes.toString('hex')).toBe('00000051')
    const scalar = await domain.dataset({ type: I32 })
    await domain.want(200, 'PUT', `/datasets/${scalar}/value`, { value: 7 })
    const reply = await domain.send('GET', `/datasets/${scalar}/value`, undefined, BINARY)
    expect(reply.bytes.toString('hex')).toBe('07000000')
    const empty = await domain.dataset({ type: I32, shape: [0], maxdims: [0] })
    const nothing = await domain.send('GET', `/datasets/${empty}/value`, undefined, BINARY)
    expect(nothing.status, nothing.story).toBe(200)
    expect(nothing.bytes).toHaveLength(0)
  })

  test('a null dataspace is 400; bad selections are 400 in JSON and binary', async () => {
    const domain = await newDomain()
    const nothing = await domain.dataset({ type: I32, shape: 'H5S_NULL' })
    await domain.refuse(400, 'GET', `/datasets/${nothing}/value`)
    const id = await table(domain)
    for (const select of [
      '0:4,0:4',
      '[0:4]',
      '[0:12,0:12]',
      '[4:4,:]',
      '[5:2,:]',
      '[::0,:]',
      '[-1,:]',
      '[x,:]',
      '[]',
    ]) {
      await domain.refuse(400, 'GET', `/datasets/${id}/value?select=${select}`)
      await domain.refuse(400, 'GET', `/datasets/${id}/value?select=${select}`, undefined, BINARY)
    }
  })

  test('1.3: float32 reads widened, NaN as a bare word, null with ignore_nan', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_IEEE_F32LE', shape: [3] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, '{"value": [0.1, NaN, -Infinity]}')
    const reply = await domain.send('GET', `/datasets/${id}/value`)
    expect(reply.text.replaceAll(' ', '')).toContain('"value":[0.10000000149011612,NaN,-Infinity]')
    expect(await domain.value(id, '?ignore_nan=1')).toEqual([0.10000000149011612, null, null])
  })

  test('integers are exact to 64 bits', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_U64LE', shape: [2] })
    const text = '[18446744073709551615,9007199254740993]'
    await domain.want(200, 'PUT', `/datasets/${id}/value`, `{"value": ${text}}`)
    expect((await domain.send('GET', `/datasets/${id}/value`)).text.replaceAll(' ', '')).toContain(text)
  })
})

describe('hsds-values 7: PUT value', () => {
  test.each<[string, string, unknown]>([
    [
      '?select=',
      '?select=[1:3,2:4]',
      {
        value: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'select in the body',
      '',
      {
        select: '[1:3,2:4]',
        value: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'start and stop',
      '',
      {
        start: [1, 2],
        stop: [3, 4],
        value: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ['a flat list', '', { start: [1, 2], stop: [3, 4], value: [1, 2, 3, 4] }],
    ['Base64', '?select=[1:3,2:4]', { value_base64: 'AQAAAAIAAAADAAAABAAAAA==' }],
  ])('%s', async (_title, query, body) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [3, 4] })
    await domain.want(200, 'PUT', `/datasets/${id}/value${query}`, body)
    expect(await domain.value(id)).toEqual([
      [0, 0, 0, 0],
      [0, 0, 1, 2],
      [0, 0, 3, 4],
    ])
  })

  test('a binary body, whole and selected; the number of bytes must be exact', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I16BE', shape: [2, 3] })
    const path = `/datasets/${id}/value`
    await domain.want(200, 'PUT', path, Buffer.from('000100020003000400050006', 'hex'), BINARY_BODY)
    expect(await domain.value(id)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    await domain.want(200, 'PUT', `${path}?select=[0:2,1:2]`, Buffer.from('ffffff00', 'hex'), BINARY_BODY)
    expect(await domain.value(id)).toEqual([
      [1, -1, 3],
      [4, -256, 6],
    ])
    await domain.refuse(400, 'PUT', path, Buffer.alloc(11), BINARY_BODY)
    await domain.refuse(400, 'PUT', path, Buffer.alloc(13), BINARY_BODY)
    await domain.refuse(400, 'PUT', path, Buffer.alloc(24), BINARY_BODY)
    expect(await domain.value(id)).toEqual([
      [1, -1, 3],
      [4, -256, 6],
    ])
  })

  test('megabytes in binary, read back the same, over many chunks', async () => {
    const domain = await newDomain()
    const layout = { class: 'H5D_CHUNKED', dims: [100, 300] }
    const body = { type: 'H5T_IEEE_F64LE', shape: [512, 1024], creationProperties: { layout } }
    const id = await domain.dataset(body)
    const bytes = Buffer.alloc(512 * 1024 * 8)
    for (let i = 0; i < bytes.length; i += 8) bytes.writeDoubleLE(i / 3, i)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, bytes, BINARY_BODY)
    const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, BINARY)
    expect(reply.bytes.equals(bytes)).toBe(true)
  })

  test('permissions: 401 without credentials', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32 })
    await domain.refuse(401, 'PUT', `/datasets/${id}/value`, { value: 1 }, { user: undefined })
  })

  test.each<[string, string, unknown]>([
    ['no body', '', undefined],
    ['malformed JSON', '', '{"value": [1,'],
    ['no value', '', {}],
    ['null value', '', { value: null }],
    [
      'a null element',
      '',
      {
        value: [
          [1, 2],
          [3, null],
        ],
      },
    ],
    ['too few elements', '', { value: [[1, 2], [3]] }],
    [
      'too many elements',
      '',
      {
        value: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
    ],
    [
      'text',
      '',
      {
        value: [
          [1, 2],
          [3, 'x'],
        ],
      },
    ],
    [
      'out of range',
      '',
      {
        value: [
          [1, 2],
          [3, 2147483648],
        ],
      },
    ],
    ['bad Base64', '', { value_base64: '***' }],
    ['out of bounds', '?select=[0:3,0:2]', { value: [1, 2, 3, 4, 5, 6] }],
    ['a lone start', '', { start: [0, 0], value: [1, 2, 3, 4] }],
  ])('%s is 400 and changes nothing', async (_title, query, body) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2, 2] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, {
      value: [
        [5, 6],
        [7, 8],
      ],
    })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value${query}`, body)
    expect(await domain.value(id)).toEqual([
      [5, 6],
      [7, 8],
    ])
  })
})

const OWNERS: [string, (domain: Domain) => Promise<string>][] = [
  ['groups', domain => domain.group()],
  ['datasets', domain => domain.dataset({ type: I32 })],
  ['datatypes', domain => domain.datatype({ type: I32 })],
]

describe.each(OWNERS)('hsds-objects 12: attributes of %s', (collection, make) => {
  async function owned() {
    const domain = await newDomain()
    const owner = `/${collection}/${await make(domain)}`
    return { domain, owner, path: `${owner}/attributes` }
  }

  test('PUT: new 201, equal 200, different 409, different with replace 201', async () => {
    const { domain, owner, path } = await owned()
    await domain.want(201, 'PUT', `${path}/a`, { type: I32, value: 42 })
    await domain.want(200, 'PUT', `${path}/a`, { type: I32, value: 42 })
    await domain.refuse(409, 'PUT', `${path}/a`, { type: I32, value: 43 })
    expect((await domain.want(200, 'GET', `${path}/a`)).value).toBe(42)
    await domain.want(201, 'PUT', `${path}/a?replace=1`, { type: I32, value: 43 })
    await domain.want(200, 'PUT', `${path}/a?replace=1`, { type: I32, value: 43 })
    expect((await domain.want(200, 'GET', `${path}/a`)).value).toBe(43)
    expect((await domain.want(200, 'GET', owner)).attributeCount).toBe(1)
  })

  test('GET one: name, type, shape, value, times as numbers, three hrefs', async () => {
    const { domain, path } = await owned()
    await domain.want(201, 'PUT', `${path}/a`, { type: I32, shape: [2], value: [1, 2] })
    const body = await domain.want<{ hrefs: object[] }>(200, 'GET', `${path}/a`)
    expect(body).toMatchObject({
      name: 'a',
      type: { class: 'H5T_INTEGER', base: I32 },
      shape: { class: 'H5S_SIMPLE', dims: [2] },
      value: [1, 2],
      created: expect.any(Number),
      lastModified: expect.any(Number),
    })
    expect(body.hrefs).toHaveLength(3)
    expect(await domain.want(200, 'GET', `${path}/a?IncludeData=0`)).not.toHaveProperty('value')
  })

  test('GET all: by name, without values; Limit, Marker; an unknown Marker is 404', async () => {
    const { domain, path } = await owned()
    for (const name of ['c', 'a', 'b'])
      await domain.want(201, 'PUT', `${path}/${name}`, { type: I32, value: 1 })
    const names = async (query: string) => {
      const { attributes } = await domain.want<{ attributes: { name: string }[] }>(200, 'GET', path + query)
      for (const attribute of attributes) expect(attribute).not.toHaveProperty('value')
      return attributes.map(attribute => attribute.name)
    }
    expect(await names('')).toEqual(['a', 'b', 'c'])
    expect(await names('?Limit=1&Marker=a')).toEqual(['b'])
    await domain.refuse(404, 'GET', `${path}?Marker=nosuch`)
  })

  test('DELETE: 410 afterwards, 404 for what never was', async () => {
    const { domain, path } = await owned()
    await domain.want(201, 'PUT', `${path}/a`, { type: I32, value: 1 })
    await domain.want(200, 'DELETE', `${path}/a`)
    await domain.refuse(410, 'GET', `${path}/a`)
    await domain.refuse(404, 'DELETE', `${path}/b`)
    await domain.want(201, 'PUT', `${path}/a`, { type: I32, value: 1 })
  })

  test('no value: null; null dataspace: null; bad types and values are 400', async () => {
    const { domain, path } = await owned()
    await domain.want(201, 'PUT', `${path}/a`, { type: I32, shape: [2] })
    expect((await domain.want(200, 'GET', `${path}/a`)).value).toBeNull()
    await domain.want(201, 'PUT', `${path}/n`, { type: I32, shape: 'H5S_NULL' })
    expect((await domain.want(200, 'GET', `${path}/n`)).value).toBeNull()
    for (const body of [
      undefined,
      'null',
      '{"type"',
      { value: 1 },
      { type: 'badtype', value: 1 },
      { type: I32, shape: [3], value: [1, 2] },
      { type: I32, value: 'abc' },
      { type: 'H5T_STD_I8LE', value: 300 },
    ]) {
      await domain.refuse(400, 'PUT', `${path}/bad`, body)
    }
    await domain.refuse(404, 'GET', `${path}/bad`)
  })

  test('permissions: anonymous 401', async () => {
    const { domain, path } = await owned()
    await domain.refuse(401, 'PUT', `${path}/a`, { type: I32, value: 1 }, { user: undefined })
  })
})

describe('hsds-objects 16.1: attribute values', () => {
  const pair = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'a', type: I32 },
      { name: 'b', type: 'H5T_IEEE_F32LE' },
    ],
  }
  test.each<[string, object, unknown]>([
    ['float32 as it was sent', { type: pair, value: [42, 0.42] }, [42, 0.42]],
    [
      'strings',
      {
        type: { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' },
        shape: [2],
        value: ['ü', ''],
      },
      ['ü', ''],
    ],
  ])('%s', async (_title, body, value) => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/attributes/a`
    await domain.want(201, 'PUT', path, body)
    expect((await domain.want(200, 'GET', path)).value).toEqual(value)
  })

  test('references are collection/id with the prefixed id', async () => {
    const domain = await newDomain()
    const id = await domain.group()
    const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    const path = `/groups/${domain.root}/attributes/a`
    await domain.want(201, 'PUT', path, { type, shape: [2], value: [`groups/${id}`, ''] })
    expect((await domain.want(200, 'GET', path)).value).toEqual([`groups/${id}`, ''])
  })

  test('names may hold a slash, written %2F', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/attributes/a%2Fb`
    await domain.want(201, 'PUT', path, { type: I32, value: 1 })
    expect((await domain.want(200, 'GET', path)).name).toBe('a/b')
  })

  test('the content type of answers is JSON with its charset', async () => {
    const domain = await newDomain()
    const reply = await domain.send('GET', `/groups/${domain.root}/attributes`)
    expect(reply.headers['content-type']).toBe(JSON_TYPE)
  })
})
