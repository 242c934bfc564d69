// Attributes of the hsds dialect whose values are too long to be held: in every form and every answer they are what a
// short one is (hsds-objects 12 and 16).

import { inspect, isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Fields, USER1 } from '../client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }
const I32 = 'H5T_STD_I32LE'
/** This many 32-bit integers take several pieces of every store, stream and body. */
const COUNT = 400_000

beforeAll(makeHome)

function numbers(count: number, factor = 1): number[] {
  return Array.from({ length: count }, (_, i) => (i * factor) % 100_000)
}

function int32Bytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value, 4 * i)
  return bytes
}

interface Subject {
  readonly domain: Domain
  /** `/groups/<root>/attributes` */
  readonly all: string
}

async function subject(): Promise<Subject> {
  const domain = await newDomain()
  return { domain, all: `/groups/${domain.root}/attributes` }
}

/** This many values are too many for a readable difference. */
function expectSame(found: unknown, expected: unknown): void {
  expect(isDeepStrictEqual(found, expected), inspect(found).slice(0, 200)).toBe(true)
}

describe('hundreds of thousands of numbers', () => {
  test('in JSON, Base64 and bytes, of the attribute and of its value', async () => {
    const { domain, all } = await subject()
    const value = numbers(COUNT)
    const bytes = int32Bytes(value)
    await domain.want(201, 'PUT', `${all}/a`, { type: I32, shape: [COUNT], value })
    const one = await domain.want(200, 'GET', `${all}/a`)
    expect(Object.keys(one)).toEqual(['name', 'shape', 'type', 'value', 'created', 'lastModified', 'hrefs'])
    expectSame(one.value, value)
    const encoded = await domain.want(200, 'GET', `${all}/a?encoding=base64`)
    expect(encoded.encoding).toBe('base64')
    expect(Buffer.from(String(encoded.value), 'base64').equals(bytes)).toBe(true)
    const json = await domain.want(200, 'GET', `${all}/a/value`)
    expect(Object.keys(json)).toEqual(['value', 'hrefs'])
    expectSame(json.value, value)
    const binary = await domain.send('GET', `${all}/a/value`, undefined, BINARY)
    expect(binary.headers['content-length']).toBe(String(4 * COUNT))
    expect(binary.bytes.equals(bytes)).toBe(true)
    expect(await domain.want(200, 'GET', `${all}/a?IncludeData=0`)).not.toHaveProperty('value')

    const other = int32Bytes(numbers(COUNT, 3))
    const put = await domain.send('PUT', `${all}/a/value`, other, BINARY_BODY)
    expect(put.status, put.story).toBe(200)
    expectSame((await domain.want(200, 'GET', `${all}/a`)).value, numbers(COUNT, 3))
    const body = { value: bytes.toString('base64'), encoding: 'base64' }
    await domain.want(200, 'PUT', `${all}/a/value`, body)
    expectSame((await domain.want(200, 'GET', `${all}/a`)).value, value)
    await domain.want(200, 'PUT', `${all}/a/value`, { value: numbers(COUNT, 7) })
    expectSame((await domain.want(200, 'GET', `${all}/a`)).value, numbers(COUNT, 7))
    await domain.want(200, 'PUT', `${all}/a/value`, { value: null })
    expect((await domain.want(200, 'GET', `${all}/a`)).value).toBe(null)

    const created = {
      type: I32,
      shape: [1000, COUNT / 1000],
      value: other.toString('base64'),
      encoding: 'base64',
    }
    await domain.want(201, 'PUT', `${all}/b`, created)
    const rows = (await domain.want<{ value: number[][] }>(200, 'GET', `${all}/b`)).value
    expect([rows.length, rows[999]?.length, rows[1]?.[1]]).toEqual([
      1000,
      COUNT / 1000,
      3 * (COUNT / 1000 + 1),
    ])
    expectSame(rows.flat(), numbers(COUNT, 3))
  })

  test('in listings, batches, bulk answers and descriptions', async () => {
    const { domain, all } = await subject()
    const value = numbers(COUNT)
    const group = await domain.group('g')
    await domain.want(201, 'PUT', `${all}/small`, { type: I32, value: 1 })
    await domain.want(201, 'PUT', `${all}/a`, { type: I32, shape: [COUNT], value })
    await domain.want(201, 'PUT', `${all}/z`, { type: I32, value: 2 })
    await domain.want(201, 'PUT', `/groups/${group}/attributes/a`, { type: I32, shape: [COUNT], value })
    const valuesOf = (list: readonly Fields[]) => list.map(item => item.value)
    const listed = await domain.want<{ attributes: Fields[] }>(200, 'GET', `${all}?IncludeData=1`)
    expectSame(valuesOf(listed.attributes), [value, 1, 2])
    const few = await domain.want<{ attributes: Fields[] }>(
      200,
      'GET',
      `${all}?IncludeData=1&max_data_size=100`,
    )
    expectSame(valuesOf(few.attributes), [undefined, 1, 2])
    const names = await domain.want<{ attributes: Fields[] }>(200, 'GET', all)
    expect(names.attributes.map(item => [item.name, 'value' in item])).toEqual([
      ['a', false],
      ['small', false],
      ['z', false],
    ])
    const followed = await domain.want<{ attributes: Record<string, Fields[]> }>(
      200,
      'GET',
      `${all}?follow_links=1&IncludeData=1`,
    )
    expectSame(valuesOf(followed.attributes[group] ?? []), [value])
    const asked = await domain.want<{ attributes: Fields[] }>(200, 'POST', `${all}?IncludeData=1`, {
      attr_names: ['z', 'a'],
    })
    expectSame(valuesOf(asked.attributes), [2, value])
    const several = await domain.want<{ attributes: Record<string, Fields[]> }>(
      200,
      'POST',
      `${all}?IncludeData=1&encoding=base64`,
      { attr_names: ['a'], obj_ids: [domain.root, group] },
    )
    for (const id of [domain.root, group]) {
      const [item] = several.attributes[id] ?? []
      expect(item).toMatchObject({ name: 'a', encoding: 'base64' })
      expect(Buffer.from(String(item?.value), 'base64').equals(int32Bytes(value))).toBe(true)
    }
    const described = await domain.want<{ attributes: Record<string, Fields> }>(
      200,
      'GET',
      `/groups/${domain.root}?include_attrs=1`,
    )
    expectSame(
      Object.values(described.attributes).map(item => item.value),
      [value, 1, 2],
    )
    const bulk = await domain.want<{ domain_objs: Record<string, { attributes: Record<string, Fields> }> }>(
      200,
      'GET',
      '/?getobjs=1&include_attrs=1',
    )
    for (const id of [domain.root, group]) expectSame(bulk.domain_objs[id]?.attributes.a?.value, value)
    const byPath = await domain.want<{ attributes: Record<string, Fields> }>(
      200,
      'GET',
      '/?h5path=/g&include_attrs=1',
    )
    expectSame(byPath.attributes.a?.value, value)
    const byPaths = await domain.want<{ h5paths: Record<string, { attributes: Record<string, Fields> }> }>(
      200,
      'POST',
      '/?include_attrs=1',
      { h5paths: ['/', '/g'] },
    )
    for (const path of ['/', '/g']) expectSame(byPaths.h5paths[path]?.attributes.a?.value, value)
  })

  test('given in a batch, in Base64 too, and with a new object', async () => {
    const { domain, all } = await subject()
    const value = numbers(COUNT)
    const encoded = int32Bytes(value).toString('base64')
    const type = { type: I32, shape: [COUNT] }
    const attributes = { a: { ...type, value }, b: { ...type, value: encoded, encoding: 'base64' } }
    await domain.want(201, 'PUT', all, { attributes })
    for (const name of ['a', 'b']) expectSame((await domain.want(200, 'GET', `${all}/${name}`)).value, value)
    await domain.want(200, 'PUT', all, { attributes })
    await domain.refuse(409, 'PUT', all, { attributes: { a: { ...type, value: numbers(COUNT, 2) } } })
    const short = { ...type, value: value.slice(1) }
    await domain.refuse(400, 'PUT', `${all}?replace=1`, { attributes: { a: { ...type, value }, c: short } })
    await domain.refuse(404, 'GET', `${all}/c`)
    const { id } = await domain.want<{ id: string }>(201, 'POST', '/groups', {
      attributes: { a: { ...type, value } },
    })
    expectSame((await domain.want(200, 'GET', `/groups/${id}/attributes/a`)).value, value)
  })

  test('equal ones are accepted, others are conflicts unless they replace', async () => {
    const { domain, all } = await subject()
    const body = { type: I32, shape: [COUNT], value: numbers(COUNT) }
    const last = { ...body, value: body.value.with(-1, 5) }
    await domain.want(201, 'PUT', `${all}/a`, body)
    await domain.want(200, 'PUT', `${all}/a`, body)
    await domain.refuse(409, 'PUT', `${all}/a`, last)
    expectSame((await domain.want(200, 'GET', `${all}/a`)).value, body.value)
    await domain.want(200, 'PUT', `${all}/a?replace=1`, body)
    await domain.want(201, 'PUT', `${all}/a?replace=1`, last)
    expectSame((await domain.want(200, 'GET', `${all}/a`)).value, last.value)
    await domain.want(201, 'PUT', `${all}/a?replace=1`, { type: I32, value: 1 })
    expect((await domain.want(200, 'GET', `${all}/a`)).value).toBe(1)
    await domain.want(201, 'PUT', `${all}/a?replace=1`, body)
    await domain.want(200, 'DELETE', `${all}/a`)
    await domain.refuse(410, 'GET', `${all}/a`)
    await domain.want(201, 'PUT', `${all}/a`, body)
    expectSame((await domain.want(200, 'GET', `${all}/a`)).value, body.value)
  })

  test('the entity tag changes with the value and only with it', async () => {
    const { domain, all } = await subject()
    await domain.want(201, 'PUT', `${all}/a`, { type: I32, shape: [COUNT], value: numbers(COUNT) })
    for (const [target, options] of [
      [`${all}/a`, {}],
      [`${all}/a/value`, {}],
      [`${all}/a/value`, BINARY],
    ] as const) {
      const tag = (await domain.send('GET', target, undefined, options)).headers.etag
      expect(tag).toMatch(/^"[0-9a-f]{40}"$/)
      const headers = { ...('headers' in options && options.headers), 'if-none-match': tag }
      const again = () => domain.send('GET', target, undefined, { user: USER1, headers })
      expect((await again()).status).toBe(304)
      await domain.want(200, 'PUT', `${all}/a/value`, { value: numbers(COUNT) })
      const changed = await again()
      expect([changed.status, changed.headers.etag === tag]).toEqual([200, false])
    }
  })

  test.each<[string, string, unknown, number]>([
    ['one too few', 'json', numbers(COUNT - 1), 400],
    ['one too many', 'json', numbers(COUNT + 1), 400],
    ['a string among them', 'json', (numbers(COUNT) as unknown[]).with(-1, 'x'), 400],
    ['rows that are no rows', 'json', [...numbers(COUNT - 1), [1]], 400],
    ['Base64 that is too short', 'base64', Buffer.alloc(4 * COUNT - 4).toString('base64'), 400],
    ['Base64 that is too long', 'base64', Buffer.alloc(4 * COUNT + 4).toString('base64'), 400],
    ['Base64 that is none', 'base64', '*'.repeat(4 * COUNT), 400],
    ['numbers as Base64', 'base64', numbers(COUNT), 400],
    ['bytes that are too few', 'bytes', Buffer.alloc(4 * COUNT - 1), 400],
    ['bytes that are too many', 'bytes', Buffer.alloc(4 * COUNT + 4), 400],
  ])('%s: refused, and nothing changes', async (_, form, value, status) => {
    const { domain, all } = await subject()
    await domain.want(201, 'PUT', `${all}/a`, { type: I32, shape: [COUNT], value: numbers(COUNT) })
    const tag = (await domain.send('GET', `${all}/a`)).headers.etag
    if (form === 'bytes') await domain.refuse(status, 'PUT', `${all}/a/value`, value, BINARY_BODY)
    else {
      const body = form === 'base64' ? { value, encoding: 'base64' } : { value }
      await domain.refuse(status, 'PUT', `${all}/a/value`, body)
      await domain.refuse(status, 'PUT', `${all}/new`, { type: I32, shape: [COUNT], ...body })
      await domain.refuse(404, 'GET', `${all}/new`)
    }
    expect((await domain.send('GET', `${all}/a`)).headers.etag).toBe(tag)
  })
})

const TEXT = {
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
  length: 'H5T_VARIABLE',
} as const

test('strings, sequences, compounds and references of many megabytes come back as they were sent', async () => {
  const { domain, all } = await subject()
  const group = await domain.group()
  const count = 70_000
  const reference = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
  const cases: Record<string, [unknown, (i: number) => unknown]> = {
    texts: [TEXT, i => 'é"\\n'.repeat(i % 7) + i],
    fixed: [{ ...TEXT, length: 12 }, i => `text ${i}`],
    sequences: [{ class: 'H5T_VLEN', base: I32 }, i => numbers(i % 5)],
    compounds: [
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'x', type: 'H5T_IEEE_F64LE' },
          { name: 'name', type: TEXT },
          { name: 'pair', type: { class: 'H5T_ARRAY', base: I32, dims: [2] } },
        ],
      },
      i => [i / 7, `n${i}`, [i, 0 - i]],
    ],
    references: [reference, i => (i % 3 === 0 ? '' : `groups/${i % 3 === 1 ? group : domain.root}`)],
    booleans: [
      {
        class: 'H5T_ENUM',
        base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
        mapping: { FALSE: 0, TRUE: 1 },
      },
      i => i % 2 === 0,
    ],
  }
  for (const [name, [type, make]] of Object.entries(cases)) {
    const value = Array.from({ length: count }, (_, i) => make(i))
    await domain.want(201, 'PUT', `${all}/${name}`, { type, shape: [count], value })
    expectSame((await domain.want(200, 'GET', `${all}/${name}`)).value, value)
    await domain.want(200, 'PUT', `${all}/${name}`, { type, shape: [count], value })
    await domain.refuse(409, 'PUT', `${all}/${name}`, {
      type,
      shape: [count],
      value: [...value.slice(1), value[0]],
    })
  }
  const text = 'ü'.repeat(3_000_000)
  await domain.want(201, 'PUT', `${all}/scalar`, { type: TEXT, value: text })
  expectSame((await domain.want(200, 'GET', `${all}/scalar`)).value, text)
  // Variable sizes have no bytes here (hsds-objects 16.3).
  const bytes = await domain.send('GET', `${all}/texts/value`, undefined, BINARY)
  expect(bytes.headers['content-type']).toMatch(/json/)
  await domain.refuse(400, 'PUT', `${all}/texts/value`, Buffer.alloc(400_000), BINARY_BODY)
})

test('long bytes that are no UTF-8 are shown as Base64', async () => {
  const { domain, all } = await subject()
  const type = { ...TEXT, length: 1000, strPad: 'H5T_STR_NULLPAD' }
  const bytes = Buffer.alloc(200_000, 'a')
  bytes[199_999] = 0xfe
  await domain.want(201, 'PUT', `${all}/a`, {
    type,
    shape: [200],
    value: bytes.toString('base64'),
    encoding: 'base64',
  })
  const shown = await domain.want(200, 'GET', `${all}/a`)
  expect(shown.encoding).toBe('base64')
  expect(Buffer.from(String(shown.value), 'base64').equals(bytes)).toBe(true)
  bytes[199_999] = 0x62
  const put = await domain.send('PUT', `${all}/a/value`, bytes, BINARY_BODY)
  expect(put.status, put.story).toBe(200)
  const text = await domain.want<{ value: string[] }>(200, 'GET', `${all}/a`)
  expect(text).not.toHaveProperty('encoding')
  expect(text.value.at(-1)).toBe(`${'a'.repeat(999)}b`)
})

test('what the domain takes counts them as metadata, and nothing when they are gone', async () => {
  const { domain, all } = await subject()
  const size = async () => {
    const told = await domain.want<{ metadata_bytes: number; allocated_bytes: number; num_chunks: number }>(
      200,
      'GET',
      '/?verbose=1',
    )
    expect([told.allocated_bytes, told.num_chunks]).toEqual([0, 0])
    return told.metadata_bytes
  }
  const empty = await size()
  await domain.want(201, 'PUT', `${all}/a`, { type: I32, shape: [COUNT], value: numbers(COUNT) })
  const full = await size()
  expect(full - empty).toBeGreaterThan(4 * COUNT)
  expect(full - empty).toBeLessThan(4 * COUNT + 1000)
  await domain.want(200, 'DELETE', `${all}/a`)
  expect(await size()).toBe(empty)
  const group = await domain.group()
  const before = await size()
  await domain.want(201, 'PUT', `/groups/${group}/attributes/a`, {
    type: I32,
    shape: [COUNT],
    value: numbers(COUNT),
  })
  await domain.want(200, 'DELETE', `/groups/${group}`)
  expect(await size()).toBeLessThan(before)
})

test('a region is taken from a long list of references', async () => {
  const { domain, all } = await subject()
  const id = await domain.dataset({ type: I32, shape: [10] })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: numbers(10) })
  const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }
  const value = Array.from({ length: 5000 }, (_, i) => ({
    id,
    select_type: 'H5S_SEL_POINTS',
    selection: [[i % 10]],
  }))
  await domain.want(201, 'PUT', `${all}/regions`, { type, shape: [5000], value })
  const source = encodeURIComponent(`${all}/regions`)
  for (const place of [0, 2503, 4999]) {
    expect(await domain.value(id, `?regionref=${source}&select=[${place}]`)).toEqual([place % 10])
  }
})
