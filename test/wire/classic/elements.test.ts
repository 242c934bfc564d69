// Element encodings in the classic dialect: exact integers, numbers that JSON has no words for, references, binary
// answers, and values that a type cannot hold (classic 7.8, 15.4 and 15.8; common 5).

import { describe, expect, test } from 'vitest'
import { type Domain, newDomain } from './domain.ts'
import { array, compound, phase, variable, vlen, written } from './type-objects.ts'

const OCTETS = { headers: { accept: 'application/octet-stream' } }

describe('classic 15.4: elements', () => {
  const MAX64 = ['9223372036854775807', '-9223372036854775808', '9007199254740993']

  test.each([
    ['H5T_STD_I64LE', MAX64],
    ['H5T_STD_I64BE', MAX64],
    ['H5T_STD_U64LE', ['18446744073709551615', '9007199254740993', '0']],
    ['H5T_STD_U64BE', ['18446744073709551615', '18446744073709551614', '1']],
  ])('%s is exact to 64 bits in values, points and attributes (common 5)', async (type, numbers) => {
    const domain = await newDomain()
    const text = `[${numbers.join(',')}]`
    const id = await written(domain, type, { value: [0, 0, 0] }, 3)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, `{"value": ${text}}`)
    const attribute = `/datasets/${id}/attributes/a`
    await domain.want(201, 'PUT', attribute, `{"type": "${type}", "shape": [3], "value": ${text}}`)
    const replies = [
      await domain.send('GET', `/datasets/${id}/value`),
      await domain.send('POST', `/datasets/${id}/value`, { points: [0, 1, 2] }),
      await domain.send('GET', attribute),
    ]
    for (const reply of replies) expect(reply.text.replaceAll(' ', '')).toContain(`"value":${text}`)
  })

  test('floats for integers are truncated toward zero', async () => {
    const domain = await newDomain()
    const id = await written(domain, 'H5T_STD_I32LE', { value: [1.9, -1.9, 1e3] }, 3)
    expect(await domain.value(id)).toEqual([1, -1, 1000])
  })

  test('NaN and infinities: bare words in and out; null is NaN for a float', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_IEEE_F64LE', shape: [5] })
    await domain.want(
      200,
      'PUT',
      `/datasets/${id}/value`,
      '{"value": [NaN, Infinity, -Infinity, null, -0.0]}',
    )
    const reply = await domain.send('GET', `/datasets/${id}/value`)
    expect(reply.text.replaceAll(' ', '')).toMatch(/"value":\[NaN,Infinity,-Infinity,NaN,-0(\.0)?\]/)
    const bytes = (await domain.send('GET', `/datasets/${id}/value`, undefined, OCTETS)).bytes
    expect([0, 8, 16, 24, 32].map(at => bytes.readDoubleLE(at))).toEqual([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
      -0,
    ])
  })

  test.each([
    ['Accept: application/json alone', { accept: 'application/json' }],
    ['a browser', { origin: 'http://example.org' }],
  ])('common 5: %s gets strict JSON', async (_title, headers) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_IEEE_F32LE', shape: [3] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: ['NaN', 'Infinity', '-Infinity'] })
    const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, { headers })
    expect(reply.json().value).toEqual(['NaN', 'Infinity', '-Infinity'])
  })

  test('classic 14.3j, 15.4g, 15.4h: object references: each collection, the root group, null', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    const references = [
      `groups/${await domain.group()}`,
      `datasets/${await domain.dataset({ type: 'H5T_STD_I8LE' })}`,
      `datatypes/${await domain.datatype({ type: 'H5T_STD_I8LE' })}`,
      `groups/${domain.root}`,
    ]
    const id = await written(domain, type, { value: [...references, '', null, 'null'] }, 7)
    expect(await domain.value(id)).toEqual([...references, 'null', 'null', 'null'])
    const lists = await written(domain, vlen(type), { value: [references, []] }, 2)
    expect(await domain.value(lists)).toEqual([references, []])
    expect((await domain.want(200, 'GET', `/datasets/${id}/type`)).type).toEqual(type)
  })

  test('object references: not a reference 400, unknown id 404', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    const id = await domain.dataset({ type, shape: [1] })
    const unknown = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'
    for (const bad of [unknown, 'x', 'files/x', 'groups/', 5, [unknown]]) {
      await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: [bad] })
    }
    await domain.refuse(404, 'PUT', `/datasets/${id}/value`, { value: [`groups/${unknown}`] })
    await domain.refuse(404, 'PUT', `/groups/${domain.root}/attributes/a`, {
      type,
      value: `groups/${unknown}`,
    })
    expect(await domain.value(id)).toEqual(['null'])
  })

  test('classic 7.8f, 14.3i, 15.4i: opaque: Base64 in, 501 as JSON', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_OPAQUE', size: 3 }
    const id = await domain.dataset({ type, shape: [2] })
    expect((await domain.want(200, 'GET', `/datasets/${id}`)).type).toEqual(type)
    const value_base64 = Buffer.from('abcdef').toString('base64')
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value_base64 })
    await domain.refuse(501, 'GET', `/datasets/${id}/value`)
  })

  test.each<[string, unknown, unknown]>([
    ['text for an integer', 'H5T_STD_I32LE', 'abc'],
    ['text for a float', 'H5T_IEEE_F64LE', 'abc'],
    ['null for an integer', 'H5T_STD_I32LE', null],
    ['an object for an integer', 'H5T_STD_I32LE', {}],
    ['a name for an enum', phase, 'SOLID'],
    ['an object for a string', variable(), {}],
    ['too few compound fields', compound({ a: 'H5T_STD_I8LE', b: 'H5T_STD_I8LE' }), [1]],
    ['too many compound fields', compound({ a: 'H5T_STD_I8LE', b: 'H5T_STD_I8LE' }), [1, 2, 3]],
    ['an object for a compound', compound({ a: 'H5T_STD_I8LE' }), { a: 1 }],
    ['an array of another length', array('H5T_STD_I8LE', [2]), [1, 2, 3]],
    ['a ragged array', array('H5T_STD_I8LE', [2, 2]), [[1, 2], [3]]],
    ['a number for a sequence', vlen('H5T_STD_I8LE'), 5],
    ['text in a sequence of integers', vlen('H5T_STD_I8LE'), ['x']],
  ])('%s is 400 and changes nothing', async (_title, type, element) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type, shape: [2, 2] })
    const before = await domain.value(id)
    const body = {
      value: [
        [element, element],
        [element, element],
      ],
    }
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, body)
    expect(await domain.value(id)).toEqual(before)
    await domain.refuse(400, 'PUT', `/datasets/${id}/attributes/a`, { type, shape: [2, 2], ...body })
    expect((await domain.want(200, 'GET', `/datasets/${id}`)).attributeCount).toBe(0)
  })

  test.each([256, -1, 1e20])(
    'an integer out of range (%d in U8) is refused or wraps, but is no error of ours',
    async value => {
      const domain = await newDomain()
      const id = await domain.dataset({ type: 'H5T_STD_U8LE', shape: [1] })
      const reply = await domain.send('PUT', `/datasets/${id}/value`, { value: [value] })
      expect([200, 400], reply.story).toContain(reply.status)
    },
  )

  test('Base64 is for fixed-size types only', async () => {
    const domain = await newDomain()
    for (const type of [
      variable(),
      vlen('H5T_STD_I8LE'),
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
    ]) {
      const id = await domain.dataset({ type, shape: [1] })
      await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value_base64: 'AAAAAAAA' })
    }
  })
})

describe('classic 7.8 and 15.8: when an answer is binary', () => {
  async function fourBytes(domain: Domain) {
    return await written(domain, 'H5T_STD_U8LE', { value: [1, 2, 3, 4] }, 4)
  }

  test('classic 3.3b, 7.8d: more than one element and exactly application/octet-stream: binary with its length', async () => {
    const domain = await newDomain()
    const id = await fourBytes(domain)
    const reply = await domain.send('GET', `/datasets/${id}/value?select=[1:4:2]`, undefined, OCTETS)
    expect(reply.headers['content-type']).toBe('application/octet-stream')
    expect(reply.headers.etag).toMatch(/^"[^"]+"$/)
    expect([...reply.bytes]).toEqual([2, 4])
  })

  test.each(['*/*', 'application/json', 'application/octet-stream, */*', 'application/octet-stream;q=0.9'])(
    'Accept: %s gets JSON',
    async accept => {
      const domain = await newDomain()
      const id = await fourBytes(domain)
      const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, { headers: { accept } })
      expect(reply.headers['content-type']).toBe('application/json')
      expect(reply.json().value).toEqual([1, 2, 3, 4])
    },
  )

  test('classic 7.8e: one element, a scalar and a null dataspace get JSON although binary was asked', async () => {
    const domain = await newDomain()
    const id = await fourBytes(domain)
    const scalar = await domain.dataset({ type: 'H5T_STD_U8LE' })
    const nothing = await domain.dataset({ type: 'H5T_STD_U8LE', shape: 'H5S_NULL' })
    for (const [path, value] of [
      [`/datasets/${id}/value?select=[1:2]`, [2]],
      [`/datasets/${scalar}/value`, 0],
      [`/datasets/${nothing}/value`, null],
    ] as const) {
      const reply = await domain.send('GET', path, undefined, OCTETS)
      expect(reply.headers['content-type'], reply.story).toBe('application/json')
      expect(reply.json().value).toEqual(value)
    }
  })

  test('a bad selection is a JSON error in binary mode too', async () => {
    const domain = await newDomain()
    await domain.refuse(
      400,
      'GET',
      `/datasets/${await fourBytes(domain)}/value?select=[0:5]`,
      undefined,
      OCTETS,
    )
  })

  test('megabytes go in as Base64 and come out as the same bytes', async () => {
    const domain = await newDomain()
    const bytes = Buffer.alloc(3 << 20)
    for (let i = 0; i < bytes.length; i += 4) bytes.writeInt32BE((i * 2654435761) | 0, i)
    const body = { type: 'H5T_STD_I32BE', shape: [3 << 8, 1 << 10] }
    const id = await domain.dataset(body)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value_base64: bytes.toString('base64') })
    const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, OCTETS)
    expect(reply.bytes.equals(bytes)).toBe(true)
  })
})
