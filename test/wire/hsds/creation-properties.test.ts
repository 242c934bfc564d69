// Creation properties of datasets in the hsds dialect: layouts, filters, fill values (hsds-values 3.4, 3.5, 15 to 18).

import { beforeAll, describe, expect, test } from 'vitest'
import type { Fields } from '../client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const F32 = 'H5T_IEEE_F32LE'

beforeAll(makeHome)

interface DescribedDataset extends Fields {
  readonly id: string
  readonly layout?: { readonly class: string; readonly dims?: readonly number[] }
  readonly creationProperties: Fields & { readonly filters?: readonly Fields[] }
}

/** The description of a new dataset by GET; POST returns the same. */
async function made(domain: Domain, body: Fields): Promise<DescribedDataset> {
  const created = await domain.want<DescribedDataset>(201, 'POST', '/datasets', body)
  const described = await domain.want<DescribedDataset>(200, 'GET', `/datasets/${created.id}`)
  const { layout, creationProperties } = described
  expect({ layout: created.layout, creationProperties: created.creationProperties }).toEqual({
    layout,
    creationProperties,
  })
  return described
}

describe('layouts', () => {
  test('given chunks are kept in the creation properties, adjusted ones stand at the top', async () => {
    const domain = await newDomain()
    const given = { class: 'H5D_CHUNKED', dims: [1, 390, 512] }
    const { layout, creationProperties } = await made(domain, {
      type: F32,
      shape: [365, 780, 1024],
      maxdims: [0, 780, 1024],
      creationProperties: {
        layout: given,
        filters: [
          { class: 'H5Z_FILTER_DEFLATE', id: 1, level: 9, name: 'deflate' },
          { class: 'H5Z_FILTER_FLETCHER32', id: 3, name: 'fletcher32' },
        ],
      },
    })
    expect(layout).toEqual({ class: 'H5D_CHUNKED', dims: [1, 390, 1024] })
    expect(creationProperties.layout).toEqual(given)
    expect(creationProperties.filters).toEqual([
      { class: 'H5Z_FILTER_DEFLATE', id: 1, level: 9, name: 'deflate' },
      { class: 'H5Z_FILTER_FLETCHER32', id: 3, name: 'fletcher32' },
    ])
  })

  test.each<[number[], number[] | undefined, string, number[]]>([
    [[1e9], undefined, 'H5T_STD_I64LE', [488282]],
    [[50000, 80000], undefined, I32, [782, 1250]],
    [[50000, 80000, 90000], undefined, I32, [49, 79, 176]],
    [[0, 80000, 90000], [0, 80000, 900000], I32, [2, 157, 1758]],
    [[4, 6], [4, 0], 'H5T_STD_I16LE', [4, 131072]],
    [[10], [0], I32, [262144]],
  ])('automatic chunks of %j up to %j', async (shape, maxdims, type, dims) => {
    const domain = await newDomain()
    const body = { type, shape, ...(maxdims && { maxdims }) }
    const { layout, creationProperties } = await made(domain, body)
    expect(layout).toEqual({ class: 'H5D_CHUNKED', dims })
    expect(creationProperties).toEqual({ layout })
  })

  test('contiguous and compact, a scalar, a null dataspace', async () => {
    const domain = await newDomain()
    const contiguous = { layout: { class: 'H5D_CONTIGUOUS' } }
    const compact = { layout: { class: 'H5D_COMPACT' } }
    const ofType = { type: I32, shape: [10, 20] }
    expect(await made(domain, { ...ofType, creationProperties: contiguous })).toMatchObject({
      layout: { class: 'H5D_CHUNKED', dims: [10, 20] },
      creationProperties: contiguous,
    })
    const small = await made(domain, { ...ofType, creationProperties: compact })
    expect(small).toMatchObject({ layout: { class: 'H5D_COMPACT' }, creationProperties: compact })
    expect(small.layout).not.toHaveProperty('dims')
    await domain.want(200, 'PUT', `/datasets/${small.id}/value`, { value: Array(200).fill(7) })
    expect(await domain.value(small.id, '?select=[9,18:20]')).toEqual([[7, 7]])
    expect((await made(domain, { type: I32 })).layout).toEqual({ class: 'H5D_CHUNKED', dims: [1] })
    expect(await made(domain, { type: I32, shape: 'H5S_NULL' })).not.toHaveProperty('layout')
  })

  test('unknown members are kept, 500 of them too', async () => {
    const domain = await newDomain()
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key ${i}`, i]))
    const creationProperties = { ...many, CreateOrder: 1, '10': { __proto__x: [null] } }
    const described = await made(domain, { type: I32, shape: [4], creationProperties })
    expect(described.creationProperties).toMatchObject(creationProperties)
  })

  test.each<[string, Fields, Fields]>([
    ['chunks of extent 0', { shape: [10] }, { layout: { class: 'H5D_CHUNKED', dims: [0] } }],
    ['a bare number', { shape: [10] }, { layout: { class: 'H5D_CHUNKED', dims: 5 } }],
    ['another rank', { shape: [10] }, { layout: { class: 'H5D_CHUNKED', dims: [5, 5] } }],
    ['no dims', { shape: [10] }, { layout: { class: 'H5D_CHUNKED' } }],
    ['larger than the extent', { shape: [10] }, { layout: { class: 'H5D_CHUNKED', dims: [11] } }],
    ['larger than maxdims', { shape: [10], maxdims: [20] }, { layout: { class: 'H5D_CHUNKED', dims: [21] } }],
    ['chunks of a scalar', {}, { layout: { class: 'H5D_CHUNKED', dims: [1] } }],
    ['more than 128 MiB', { shape: [1e9] }, { layout: { class: 'H5D_CHUNKED', dims: [1e9] } }],
    ['contiguous with dims', { shape: [10] }, { layout: { class: 'H5D_CONTIGUOUS', dims: [10] } }],
    ['contiguous that grows', { shape: [10], maxdims: [0] }, { layout: { class: 'H5D_CONTIGUOUS' } }],
    ['contiguous of more than 128 MiB', { shape: [1e9] }, { layout: { class: 'H5D_CONTIGUOUS' } }],
    ['compact of more than 64 KiB', { shape: [16385] }, { layout: { class: 'H5D_COMPACT' } }],
    ['no class', { shape: [10] }, { layout: { dims: [10] } }],
    ['an unknown class', { shape: [10] }, { layout: { class: 'H5D_FOO' } }],
    ['filters and contiguous', { shape: [10] }, { layout: { class: 'H5D_CONTIGUOUS' }, filters: ['gzip'] }],
    ['filters and compact', { shape: [10] }, { layout: { class: 'H5D_COMPACT' }, filters: ['gzip'] }],
    ['filters of nothing', { shape: 'H5S_NULL' }, { filters: ['gzip'] }],
  ])('%s: 400', async (_title, dataset, creationProperties) => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', { type: I32, ...dataset, creationProperties })
  })

  test('contiguous with maxdims equal to the extents is fine (hsds-values 3.4)', async () => {
    const domain = await newDomain()
    const creationProperties = { layout: { class: 'H5D_CONTIGUOUS' } }
    await made(domain, { type: I32, shape: [10], maxdims: [10], creationProperties })
  })
})

describe('filters', () => {
  test("each of the domain's compressors as a name, and used", async () => {
    const domain = await newDomain()
    const { compressors } = await domain.want<{ compressors: string[] }>(200, 'GET', '/')
    expect(compressors.length).toBeGreaterThanOrEqual(5)
    for (const name of compressors) {
      const creationProperties = { filters: [name] }
      const { id, creationProperties: told } = await made(domain, {
        type: I32,
        shape: [40, 80],
        creationProperties,
      })
      expect(told.filters).toEqual([
        {
          class: expect.stringMatching(/^H5Z_FILTER_/),
          id: expect.any(Number),
          name: name === 'deflate' ? 'gzip' : name,
        },
      ])
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: 5, start: [1, 1], stop: [2, 2] })
      expect(await domain.value(id, '?select=[1,1:3]')).toEqual([[5, 0]])
    }
  })

  test('a user filter keeps its class; an unknown one is 400', async () => {
    const domain = await newDomain()
    const post = (filter: Fields) => ({ type: I32, shape: [10], creationProperties: { filters: [filter] } })
    const user = { class: 'H5Z_FILTER_USER', name: 'lz4', level: 5 }
    expect((await made(domain, post(user))).creationProperties.filters).toEqual([{ ...user, id: 32004 }])
    await domain.refuse(400, 'POST', '/datasets', post({ class: 'H5Z_FILTER_USER', name: 'shrink-o-rama' }))
    await domain.refuse(400, 'POST', '/datasets', post({ class: 'H5Z_FILTER_FOOBAR', id: 1 }))
  })

  test('those of a scalar are reported and have no effect on its value', async () => {
    const domain = await newDomain()
    const { id, creationProperties } = await made(domain, { type: I32, creationProperties: { filters: [1] } })
    expect(creationProperties.filters).toHaveLength(1)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: 9 })
    expect(await domain.value(id)).toBe(9)
  })
})

describe('fill values', () => {
  const COMPOUND = {
    class: 'H5T_COMPOUND',
    fields: [
      {
        name: 's',
        type: { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 8 },
      },
      { name: 'n', type: I32 },
    ],
  }
  const PAIR = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'a', type: I32 },
      { name: 'b', type: F32 },
    ],
  }
  const LONG = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 1000 }

  test.each<[string, unknown, Fields, unknown]>([
    ['a number', I32, { fillValue: 42 }, 42],
    ['0', I32, { fillValue: 0 }, 0],
    ['null', I32, { fillValue: null }, 0],
    ['a list for a compound', COMPOUND, { fillValue: ['blank', -999] }, ['blank', -999]],
    ['a number for a compound', PAIR, { fillValue: 3 }, [3, 3]],
    ['a string of 1000 bytes', LONG, { fillValue: 'x'.repeat(1000) }, 'x'.repeat(1000)],
    ['an array', { class: 'H5T_ARRAY', base: I32, dims: [2] }, { fillValue: [1, 2] }, [1, 2]],
    ['Base64', I32, { fillValue: 'KgAAAA==', fillValue_encoding: 'base64' }, 42],
    ['no encoding', I32, { fillValue: 42, fillValue_encoding: 'None' }, 42],
  ])(
    '%s comes back as it was given and read where nothing was written',
    async (_, type, creationProperties, value) => {
      const domain = await newDomain()
      const described = await made(domain, { type, shape: [3], maxdims: [0], creationProperties })
      expect(described.creationProperties).toMatchObject(creationProperties)
      expect(await domain.value(described.id, '?select=[1:2]')).toEqual([value])
      await domain.want(201, 'PUT', `/datasets/${described.id}/shape`, { shape: [5] })
      expect(await domain.value(described.id, '?select=[4:5]')).toEqual([value])
    },
  )

  test('3.12 stays 3.12 for a float32', async () => {
    const domain = await newDomain()
    const { id, creationProperties } = await made(domain, {
      type: F32,
      shape: 10,
      maxdims: 20,
      creationProperties: { fillValue: 3.12 },
    })
    expect(creationProperties.fillValue).toBe(3.12)
    expect((await domain.value(id, '?select=[3]')) as number[]).toEqual([expect.closeTo(3.12, 4)])
  })

  test('NaN: as the string "NaN", as the word for the suite of HSDS, as the string "nan" with ignore_nan, given as a string or in Base64', async () => {
    const domain = await newDomain()
    const post = async (properties: string) => {
      const body = `{"type":"${F32}","shape":[2],"creationProperties":{${properties}}}`
      return (await domain.send('POST', '/datasets', body)).json<{ id: string }>().id
    }
    const word = await post('"fillValue":NaN')
    const told = async (id: string, query = '') =>
      (await domain.send('GET', `/datasets/${id}${query}`)).bytes.toString()
    expect(await told(word)).toContain('"fillValue":"NaN"')
    const suite = { 'user-agent': 'python-requests/2.32.3', 'x-hdf-domain': domain.path }
    const bare = await domain.send('GET', `/datasets/${word}`, undefined, { headers: suite })
    expect(bare.text).toContain('"fillValue":NaN')
    expect(bare.headers.vary).toContain('User-Agent')
    expect(await told(word, '?ignore_nan=1')).toContain('"fillValue":"nan"')
    expect(await told(await post('"fillValue":"nan"'))).toContain('"fillValue":"nan"')
    const base64 = await post('"fillValue":"AADAfw==","fillValue_encoding":"base64"')
    expect(await told(base64)).toContain('"fillValue":"AADAfw=="')
    for (const id of [word, base64]) {
      const bytes = await domain.send('GET', `/datasets/${id}/value`, undefined, {
        headers: { Accept: OCTETS },
      })
      expect(bytes.bytes.readFloatLE(4)).toBeNaN()
    }
  })

  test.each<[string, unknown, string]>([
    ['text for an integer', I32, '"fillValue":"XXXX"'],
    ['NaN for an integer', I32, '"fillValue":NaN'],
    ['out of range', 'H5T_STD_I8LE', '"fillValue":300'],
    ['another number of members', PAIR, '"fillValue":[1,2,3]'],
    ['another number of bytes', I32, '"fillValue":"AADA","fillValue_encoding":"base64"'],
    ['an unknown encoding', I32, '"fillValue":"1","fillValue_encoding":"hex"'],
    ['a number in Base64', I32, '"fillValue":1,"fillValue_encoding":"base64"'],
  ])('%s: 400', async (_title, type, properties) => {
    const domain = await newDomain()
    const body = `{"type":${JSON.stringify(type)},"shape":[2],"creationProperties":{${properties}}}`
    await domain.refuse(400, 'POST', '/datasets', body)
  })
})

describe('reference layouts', () => {
  const PLACE = { file_uri: 'bucket/key', offset: 8, size: 400 }

  test('contiguous: shown in chunks; its values are 404 and cannot be written', async () => {
    const domain = await newDomain()
    const layout = { class: 'H5D_CONTIGUOUS_REF', ...PLACE }
    const described = await made(domain, {
      type: I32,
      shape: [50000, 8000000],
      creationProperties: { layout },
    })
    expect(described.layout).toEqual({ class: 'H5D_CHUNKED', dims: [1, 1000000] })
    expect(described.creationProperties).toEqual({ layout })
    const value = `/datasets/${described.id}/value`
    await domain.refuse(404, 'GET', `${value}?select=[0,0:2]`)
    await domain.refuse(404, 'POST', value, { points: [[0, 0]] })
    await domain.refuse(400, 'PUT', value, { value: 1, start: [0, 0], stop: [1, 1] })
    const empty = await made(domain, {
      type: 'H5T_STD_I16LE',
      shape: [0, 10],
      creationProperties: { layout: { ...layout, size: 0 } },
    })
    expect(empty.layout?.dims).toEqual([0, 10])
  })

  test('chunked, by a map and by a table', async () => {
    const domain = await newDomain()
    const direct = { class: 'H5D_CHUNKED_REF', file_uri: 'b/k', dims: [10], chunks: { '0': [8, 40] } }
    const first = await made(domain, { type: I32, shape: [20], creationProperties: { layout: direct } })
    expect(first.layout).toEqual({ class: 'H5D_CHUNKED', dims: [10] })
    expect(first.creationProperties).toEqual({ layout: direct })
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'offset', type: 'H5T_STD_I64LE' },
        { name: 'size', type: I32 },
      ],
    }
    const table = await domain.dataset({ type, shape: [2] })
    const indirect = { class: 'H5D_CHUNKED_REF_INDIRECT', dims: [10], chunk_table: table }
    const second = await made(domain, { type: I32, shape: [20], creationProperties: { layout: indirect } })
    expect(second.creationProperties).toEqual({ layout: indirect })
    const post = (chunk_table: unknown) => ({
      type: I32,
      shape: [20],
      creationProperties: { layout: { ...indirect, chunk_table } },
    })
    await domain.refuse(400, 'POST', '/datasets', post('d-foobar'))
    await domain.refuse(400, 'POST', '/datasets', post(domain.root))
    await domain.refuse(404, 'POST', '/datasets', post(`${table.slice(0, -6)}abcdef`))
    await domain.refuse(400, 'POST', '/datasets', post(second.id))
    await domain.refuse(400, 'POST', '/datasets', post(await domain.dataset({ type, shape: [2, 2] })))
    await domain.refuse(400, 'POST', '/datasets', post(await domain.dataset({ type, shape: 'H5S_NULL' })))
  })

  test.each<[string, Fields]>([
    ['no file_uri', { class: 'H5D_CONTIGUOUS_REF', offset: 8, size: 400 }],
    ['no offset', { class: 'H5D_CONTIGUOUS_REF', file_uri: 'b/k', size: 400 }],
    ['no size', { class: 'H5D_CONTIGUOUS_REF', file_uri: 'b/k', offset: 8 }],
    ['dims', { class: 'H5D_CONTIGUOUS_REF', ...PLACE, dims: [10] }],
    ['no chunks', { class: 'H5D_CHUNKED_REF', file_uri: 'b/k', dims: [10] }],
  ])('%s: 400', async (_title, layout) => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', { type: I32, shape: [10], creationProperties: { layout } })
  })
})

describe('initializers (hsds-values 18)', () => {
  test('arange: a billion elements that were never written', async () => {
    const domain = await newDomain()
    const layout = { class: 'H5D_CHUNKED', dims: [1e9] }
    const creationProperties = { initializer: ['arange'], layout }
    const { id, creationProperties: told } = await made(domain, {
      type: 'H5T_STD_I64LE',
      shape: [1e9],
      creationProperties,
    })
    expect(told).toEqual(creationProperties)
    expect(await domain.value(id, '?select=[19531260:19531270]')).toEqual(
      Array.from({ length: 10 }, (_, i) => 19_531_260 + i),
    )
    // Across chunks, with a step, backwards in a list, by points and as bytes.
    expect(await domain.value(id, '?select=[488280:488285]')).toEqual([
      488280, 488281, 488282, 488283, 488284,
    ])
    expect(await domain.value(id, '?select=[0:1000000000:300000000]')).toEqual([0, 3e8, 6e8, 9e8])
    const read = await domain.want(200, 'POST', `/datasets/${id}/value`, { points: [999_999_999, 7] })
    expect(read.value).toEqual([999_999_999, 7])
    const bytes = await domain.send('GET', `/datasets/${id}/value?select=[5:6]`, undefined, {
      headers: { Accept: OCTETS },
    })
    expect(bytes.bytes.readBigInt64LE(0)).toBe(5n)
  })

  test('what is written stays among what is computed', async () => {
    const domain = await newDomain()
    const creationProperties = { initializer: ['arange', '--start=10', '--step=2'] }
    const { id } = await made(domain, { type: F32, shape: [6], maxdims: [0], creationProperties })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: 2, stop: 4, value: [-1, -2] })
    expect(await domain.value(id)).toEqual([10, 12, -1, -2, 18, 20])
  })

  test.each<[string, Fields, unknown]>([
    ['an unknown one', { shape: [5] }, ['linspace']],
    ['a table of no file', { shape: [5] }, ['chunklocator', '--h5path=/dset']],
    ['two dimensions', { shape: [5, 5] }, ['arange']],
    ['an unknown option', { shape: [5] }, ['arange', '--stop=5']],
    ['a fraction for integers', { shape: [5] }, ['arange', '--step=0.5']],
  ])('%s: 400', async (_title, dataset, initializer) => {
    const domain = await newDomain()
    const creationProperties = { initializer }
    await domain.refuse(400, 'POST', '/datasets', { type: I32, ...dataset, creationProperties })
  })
})
