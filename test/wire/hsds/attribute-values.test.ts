// The values of attributes in the hsds dialect, in JSON, Base64 and binary (hsds-objects 12 and 16).

import { beforeAll, describe, expect, inject, test } from 'vitest'
import { basic, type Fields, type Options, USER1, USER2 } from '../client.ts'
import { type Domain, expectRefusal, JSON_TYPE, makeHome, newDomain, OCTETS, relsOf } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }
const I16 = 'H5T_STD_I16BE'
const text = (length: number | string, charSet = 'H5T_CSET_UTF8') => ({
  class: 'H5T_STRING',
  charSet,
  strPad: 'H5T_STR_NULLTERM',
  length,
})

beforeAll(makeHome)

interface Subject {
  readonly domain: Domain
  /** `/groups/<root>/attributes` */
  readonly all: string
  put(name: string, body: Fields | string, status?: number, options?: Options): Promise<Fields>
  get(name: string, query?: string): Promise<Fields>
  bytes(name: string): Promise<Buffer>
}

async function subject(): Promise<Subject> {
  const domain = await newDomain()
  const all = `/groups/${domain.root}/attributes`
  return {
    domain,
    all,
    put: (name, body, status = 201, options = {}) =>
      domain.want(status, 'PUT', `${all}/${name}`, body, options),
    get: (name, query = '') => domain.want(200, 'GET', `${all}/${name}${query}`),
    async bytes(name) {
      const reply = await domain.send('GET', `${all}/${name}/value`, undefined, BINARY)
      expect(reply.status, reply.story).toBe(200)
      expect(reply.headers['content-type'], reply.story).toBe(OCTETS)
      expect(reply.headers['content-length'], reply.story).toBe(String(reply.bytes.length))
      return reply.bytes
    },
  }
}

describe('hsds-objects 12.4 and 12.5: /attributes/<name>/value', () => {
  test('JSON, Base64 and binary, read and written', async () => {
    const { domain, all, put, get, bytes } = await subject()
    await put('a', { type: I16, shape: [2], value: [1, -2] })
    const read = await domain.want(200, 'GET', `${all}/a/value`)
    expect(Object.keys(read)).toEqual(['value', 'hrefs'])
    expect(read.value).toEqual([1, -2])
    expect(relsOf(read)).toHaveLength(3)
    expect((await bytes('a')).toString('hex')).toBe('0001fffe')
    const encoded = await domain.want(200, 'GET', `${all}/a/value?encoding=base64`)
    expect(encoded).toMatchObject({ value: 'AAH//g==', encoding: 'base64' })

    const { created } = await get('a')
    const other = { value: [3, 4], type: 'x' }
    expect(await domain.want(200, 'PUT', `${all}/a/value`, other, { undeclared: true })).toEqual({})
    expect(await get('a')).toMatchObject({
      value: [3, 4],
      created,
      shape: { class: 'H5S_SIMPLE', dims: [2] },
    })
    await domain.want(200, 'PUT', `${all}/a/value`, { value: 'AAUABg==', encoding: 'base64' })
    expect((await get('a')).value).toEqual([5, 6])
    const put16 = await domain.send('PUT', `${all}/a/value`, Buffer.from('00070008', 'hex'), BINARY_BODY)
    expect(put16.status, put16.story).toBe(200)
    expect(await get('a')).not.toHaveProperty('encoding')
    expect((await get('a')).value).toEqual([7, 8])
    await domain.want(200, 'PUT', `${all}/a/value`, { value: null })
    expect((await bytes('a')).toString('hex')).toBe('00000000')
  })

  test('never written: zeros in binary, null in JSON, and written later', async () => {
    const { domain, all, put, get, bytes } = await subject()
    await put('a', { type: I16, shape: [3] })
    expect((await bytes('a')).toString('hex')).toBe('000000000000')
    expect((await domain.want(200, 'GET', `${all}/a/value`)).value).toBe(null)
    expect((await domain.want(200, 'GET', `${all}/a/value?encoding=base64`)).value).toBe(null)
    const again = await get('a')
    // A whole answer sent back: its other members are ignored.
    await put('a', again, 200, { undeclared: true })
    await put('b', again, 201, { undeclared: true })
    expect((await get('b')).value).toBe(null)
    await domain.want(200, 'PUT', `${all}/a/value`, { value: [1, 2, 3] })
    expect((await get('a')).value).toEqual([1, 2, 3])
  })

  test('a type of variable size is JSON even where bytes are asked for', async () => {
    const { domain, all, put } = await subject()
    await put('a', { type: text('H5T_VARIABLE'), value: 'text' })
    const reply = await domain.send('GET', `${all}/a/value`, undefined, BINARY)
    expect(reply.headers['content-type'], reply.story).toBe(JSON_TYPE)
    expect(reply.json()).toMatchObject({ value: 'text' })
    expect(await domain.want(200, 'GET', `${all}/a/value?encoding=base64`)).not.toHaveProperty('encoding')
  })

  test('what is refused, and changes nothing', async () => {
    const { domain, all, put, get } = await subject()
    await put('a', { type: I16, shape: [2], value: [1, 2] })
    await put('v', { type: text('H5T_VARIABLE'), value: 'x' })
    await put('n', { type: I16, shape: 'H5S_NULL' })
    for (const body of [{ value: [1] }, { value: [1, 2, 3] }, { value: 'x' }, {}, null, undefined, '{']) {
      await domain.refuse(400, 'PUT', `${all}/a/value`, body)
    }
    for (const [value, encoding] of [
      ['AAE=', 'base64'],
      ['AAEAAg', 'base64'],
      [[1, 2], 'base64'],
      ['AAEAAg==', 'hex'],
    ]) {
      await domain.refuse(400, 'PUT', `${all}/a/value`, { value, encoding })
      await domain.refuse(400, 'PUT', `${all}/b`, { type: I16, shape: [2], value, encoding })
    }
    for (const [name, bytes] of [
      ['a', 3],
      ['a', 5],
      ['a', 0],
      ['v', 4],
      ['n', 0],
    ] as const) {
      expectRefusal(await domain.send('PUT', `${all}/${name}/value`, Buffer.alloc(bytes), BINARY_BODY), 400)
    }
    await domain.refuse(400, 'PUT', `${all}/v/value`, { value: 'eA==', encoding: 'base64' })
    await domain.refuse(400, 'PUT', `${all}/n/value`, { value: 1 })
    await domain.refuse(400, 'GET', `${all}/n/value`)
    expectRefusal(await domain.send('GET', `${all}/n/value`, undefined, BINARY), 400)
    await domain.refuse(404, 'GET', `${all}/none/value`)
    await domain.refuse(404, 'PUT', `${all}/none/value`, { value: 1 })
    await domain.refuse(400, 'GET', `${all}/a/value?encoding=hex`)
    await domain.refuse(400, 'GET', `${all}?encoding=hex`)
    await domain.refuse(400, 'GET', `${all}?max_data_size=x`)
    expect((await get('a')).value).toEqual([1, 2])
    expect((await get('v')).value).toBe('x')
    await domain.want(200, 'DELETE', `${all}/a`)
    await domain.refuse(410, 'PUT', `${all}/a/value`, { value: [1, 2] })
    expectRefusal(await domain.send('PUT', `${all}/v/value`, { value: 'y' }, { user: undefined }), 401)
    expectRefusal(await domain.send('PUT', `${all}/v/value`, { value: 'y' }, { user: USER2 }), 403)
  })

  test('a name with a slash, and attributes that are called value', async () => {
    const { domain, all, put, bytes } = await subject()
    await put('a%2Fb', { type: I16, value: 1 })
    await put('value', { type: I16, value: 2 })
    expect((await bytes('a%2Fb')).toString('hex')).toBe('0001')
    // h5pyd sends the name in this form (clients 3.8).
    expect((await domain.want(200, 'GET', `${all}/a/b`)).name).toBe('a/b')
    await put('c/d', { type: I16, value: 3 })
    expect((await bytes('c%2Fd')).toString('hex')).toBe('0003')
    for (const path of ['', '/', '/a/', '//b']) await domain.refuse(404, 'DELETE', `${all}/${path}`)
    expect((await bytes('value')).toString('hex')).toBe('0002')
    expect((await domain.want(200, 'GET', `${all}/value`)).value).toBe(2)
    await domain.refuse(405, 'DELETE', `${all}/value/value`)
  })

  test('attributes of datasets and committed types have values too', async () => {
    const { domain } = await subject()
    const dataset = await domain.dataset({ type: I16 })
    const datatype = await domain.datatype({ type: I16 })
    for (const owner of [`/datasets/${dataset}`, `/datatypes/${datatype}`]) {
      await domain.want(201, 'PUT', `${owner}/attributes/a`, { type: I16 })
      const reply = await domain.send('PUT', `${owner}/attributes/a/value`, Buffer.from([1, 0]), BINARY_BODY)
      expect(reply.status, reply.story).toBe(200)
      expect((await domain.want(200, 'GET', `${owner}/attributes/a`)).value).toBe(256)
    }
  })
})

describe('hsds-objects 12.6: listings with values', () => {
  test('IncludeData, encoding, and max_data_size at, below and above the size', async () => {
    const { domain, all, put } = await subject()
    await put('eight', { type: I16, shape: [4], value: [1, 2, 3, 4] })
    await put('null', { type: I16, shape: 'H5S_NULL' })
    await put('texts', { type: text('H5T_VARIABLE'), shape: [2], value: ['a', 'b'] })
    const shown = async (query: string) => {
      const { attributes } = await domain.want<{ attributes: Fields[] }>(200, 'GET', `${all}${query}`)
      return attributes.map(({ value, encoding }) => [value, encoding])
    }
    const none = [undefined, undefined]
    const eight = [[1, 2, 3, 4], undefined]
    const nothing = [null, undefined]
    const texts = [['a', 'b'], undefined]
    expect(await shown('')).toEqual([none, none, none])
    expect(await shown('?IncludeData=1')).toEqual([eight, nothing, texts])
    expect(await shown('?IncludeData=1&max_data_size=0')).toEqual([eight, nothing, texts])
    expect(await shown('?IncludeData=1&max_data_size=7')).toEqual([none, nothing, none])
    expect(await shown('?IncludeData=1&max_data_size=8')).toEqual([eight, nothing, none])
    expect(await shown('?IncludeData=1&max_data_size=1023')).toEqual([eight, nothing, none])
    expect(await shown('?IncludeData=1&max_data_size=1024')).toEqual([eight, nothing, texts])
    expect(await shown('?IncludeData=1&encoding=base64')).toEqual([
      ['AAEAAgADAAQ=', 'base64'],
      nothing,
      texts,
    ])
    expect(await domain.want(200, 'GET', `${all}/eight?encoding=base64`)).toMatchObject({
      value: 'AAEAAgADAAQ=',
      encoding: 'base64',
    })
  })
})

describe('hsds-objects 16: values as they were sent', () => {
  test('16.4: given as Base64, read as JSON', async () => {
    const { put, get } = await subject()
    const body = { type: I16, shape: [2], value: 'AAH//g==', encoding: 'base64' }
    await put('a', body)
    expect(await get('a')).toMatchObject({ value: [1, -2] })
    expect(await get('a')).not.toHaveProperty('encoding')
    expect((await get('a', '?encoding=base64')).value).toBe('AAH//g==')
    await put('a', body, 200)
  })

  test.each([text(2), text(2, 'H5T_CSET_ASCII')])(
    '16.4: bytes that are not UTF-8 read as Base64: %j',
    async type => {
      const { domain, all, put, get, bytes } = await subject()
      await put('a', { type, value: '/v8=', encoding: 'base64' })
      expect(await get('a')).toMatchObject({ value: '/v8=', encoding: 'base64' })
      const { attributes } = await domain.want<{ attributes: Fields[] }>(200, 'GET', `${all}?IncludeData=1`)
      expect(attributes).toMatchObject([{ name: 'a', value: '/v8=', encoding: 'base64' }])
      expect((await bytes('a')).toString('hex')).toBe('feff')
      const reply = await domain.send('PUT', `${all}/a/value`, Buffer.from([0x61, 0xff]), BINARY_BODY)
      expect(reply.status, reply.story).toBe(200)
      expect(await get('a')).toMatchObject({ value: 'Yf8=', encoding: 'base64' })
      await domain.want(200, 'PUT', `${all}/a/value`, { value: 'ab' })
      expect(await get('a')).toMatchObject({ value: 'ab' })
      expect(await get('a')).not.toHaveProperty('encoding')
    },
  )

  test.each([text(8), text('H5T_VARIABLE')])(
    'lone surrogates come back as they are, and are bytes: %j',
    async type => {
      const { domain, all, put } = await subject()
      await put('a', `{"type":${JSON.stringify(type)},"value":"caf\\udce9"}`)
      for (const target of [`${all}/a`, `${all}/a/value`, `${all}?IncludeData=1`]) {
        const reply = await domain.send('GET', target)
        expect(reply.status, reply.story).toBe(200)
        expect(reply.text.toLowerCase()).toContain('"caf\\udce9"')
      }
    },
  )

  test('16.1: a string longer than its type comes back whole; its bytes are cut', async () => {
    const { domain, all, put, get, bytes } = await subject()
    const long = `${'x'.repeat(51)}éé`
    await put('a', { type: text(54), value: long })
    expect((await get('a')).value).toBe(long)
    expect((await domain.want(200, 'GET', `${all}/a/value`)).value).toBe(long)
    expect((await bytes('a')).toString()).toBe(`${'x'.repeat(51)}é\0`)
    await put('a', { type: text(54), value: long }, 200)
    await put('a', { type: text(54), value: `${'x'.repeat(51)}é` }, 409)
    await domain.want(200, 'PUT', `${all}/a/value`, { value: ['short'] })
    expect((await get('a')).value).toBe('short')
  })

  test('never written, and larger than what can be held: the zeros come in pieces', async () => {
    const { domain, put } = await subject()
    await put('a', { type: I16, shape: [2 ** 40] })
    const leave = new AbortController()
    const target = `/groups/${domain.root}/attributes/a/value?domain=${encodeURIComponent(domain.path)}`
    const response = await fetch(new URL(target, inject('address')), {
      headers: { authorization: basic(USER1), accept: OCTETS },
      signal: leave.signal,
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(2 ** 41))
    const { value } = (await response.body?.getReader().read()) ?? {}
    expect(value?.every((byte: number) => byte === 0)).toBe(true)
    leave.abort()
  })

  test('object references come back as they were sent, with their collection or without', async () => {
    const { domain, put, get } = await subject()
    const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    const value = [domain.root, `groups/${domain.root}`, '']
    await put('a', { type, shape: [3], value })
    expect((await get('a')).value).toEqual(value)
    await put('a', { type, shape: [3], value }, 200)
    await put('b', { type: { class: 'H5T_VLEN', base: type }, shape: [1], value: [[domain.root]] })
    expect((await get('b')).value).toEqual([[domain.root]])
  })

  test('null is no value of any type with several elements, and as one text the empty one', async () => {
    const { put, get } = await subject()
    for (const type of [I16, 'H5T_IEEE_F64LE', text('H5T_VARIABLE')]) {
      await put(`a${JSON.stringify(type).length}`, { type, shape: [2], value: null })
      expect((await get(`a${JSON.stringify(type).length}`)).value).toBe(null)
    }
    await put('t', { type: text('H5T_VARIABLE'), shape: [2], value: ['x', null] })
    expect((await get('t')).value).toEqual(['x', ''])
  })

  test('a value is JSON or bytes by its content type, and neither by another one', async () => {
    const { domain, all, put, get } = await subject()
    await put('a', { type: I16, shape: [1], value: [1] })
    for (const [type, status] of [
      ['text/plain', 400],
      ['application/x-www-form-urlencoded', 400],
      ['application/json', 200],
    ] as const) {
      const options = { user: USER1, headers: { 'content-type': type } }
      const reply = await domain.send('PUT', `${all}/a/value`, Buffer.from('{"value": [2]}'), options)
      expect(reply.status, reply.story).toBe(status)
      expect((await get('a')).value).toEqual([status === 200 ? 2 : 1])
    }
  })

  test('a sequence that was given as null reads as empty', async () => {
    const { put, get } = await subject()
    await put('a', { type: { class: 'H5T_VLEN', base: I16 }, shape: [2], value: [null, [1]] })
    expect((await get('a')).value).toEqual([[], [1]])
  })

  test('16.6: what is not finite, in all three forms, with and without ignore_nan', async () => {
    const { domain, all, put } = await subject()
    await put('a', '{"type":"H5T_IEEE_F64LE","shape":[3],"value":[NaN,"-inf",1]}')
    for (const [target, shown] of [
      [`${all}/a?`, '["NaN","-Infinity",1]'],
      [`${all}/a/value?`, '[NaN,-Infinity,1]'],
      [`${all}?IncludeData=1&`, '["NaN","-Infinity",1]'],
    ]) {
      expect((await domain.send('GET', target)).text).toContain(`"value":${shown}`)
      expect((await domain.send('GET', `${target}ignore_nan=1`)).text).toContain('"value":[null,null,1]')
    }
  })
})

test('a body whose members would fill the memory is 413, whatever they mean', async () => {
  const domain = await newDomain()
  const members = Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":1`)
  const body = `{"type":"H5T_STD_I32LE","value":1,${members.join()}}`
  await domain.refuse(413, 'PUT', `/groups/${domain.root}/attributes/many`, body)
})
