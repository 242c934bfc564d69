// Bodies about attributes in both dialects (classic 9.3; hsds-objects 12).

import { Readable } from 'node:stream'
import { HyperslabError } from '@hyperslab/base/errors'
import { parseJson } from '@hyperslab/model/json'
import { describe, expect, test } from 'vitest'
import { EncodedValue } from '../../service/attributes/attribute-value.ts'
import { classic } from '../dialect/classic/index.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import { RequestBody } from '../message/request-body.ts'
import { attributeInput, parseNewAttributes, parseNewValue } from './attribute-input.ts'
import { objectBody } from './members.ts'

const hsds = hsdsAt('1.0')
const DIALECTS = { classic, hsds }
const I32 = 'H5T_STD_I32LE'
const G1 = 'g-45a882e1-9d0111e8-8acf-0242ac-110009'
const PATH = { kind: 'group', id: hsds.parseId(G1, 'group') } as const

const membersOf = (json: unknown) => objectBody(parseJson(JSON.stringify(json)))

async function codeOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

describe('attributeInput', () => {
  const parse = (dialect: Dialect, json: unknown) => attributeInput(dialect, { members: membersOf(json) })

  test.each<[string, Dialect, unknown, object]>([
    ['without a shape', classic, { type: I32, value: 1 }, { space: { class: 'H5S_SCALAR' }, value: 1 }],
    ['no value', hsds, { type: I32 }, { space: { class: 'H5S_SCALAR' } }],
    ['a list', hsds, { type: I32, shape: [2] }, { space: { class: 'H5S_SIMPLE', dims: [2] } }],
    [
      'a null dataspace',
      hsds,
      { type: I32, shape: 'H5S_NULL', value: null },
      { space: { class: 'H5S_NULL' } },
    ],
    ['a time', hsds, { type: I32, created: 1.5 }, { created: 1_500_000 }],
    ['a value with `encoding`', classic, { type: I32, value: 1, encoding: 'base64' }, { value: 1 }],
  ])('%s', (_, dialect, json, expected) => {
    expect(parse(dialect, json)).toMatchObject(expected)
  })

  test('Base64 is decoded where the dialect has it', () => {
    const { value } = parse(hsds, { type: I32, value: 'KgAAAA==', encoding: 'base64' })
    expect(value).toBeInstanceOf(EncodedValue)
    expect(parse(classic, { type: I32, value: 'KgAAAA==', encoding: 'base64' }).value).toBe('KgAAAA==')
  })

  test('a time counts only where the dialect has it', () => {
    expect(parse(classic, { type: I32, value: 1, created: 1.5 })).not.toHaveProperty('created')
  })

  test.each<[string, 'classic' | 'hsds', unknown]>([
    ['malformed-type', 'classic', { value: 1 }],
    ['malformed-type', 'hsds', {}],
    ['malformed-shape', 'hsds', { type: I32, shape: 'x' }],
    ['malformed-shape', 'classic', { type: I32, shape: { class: 'H5S_SCALAR' } }],
    ['null-dataspace', 'hsds', { type: I32, shape: 'H5S_NULL', value: 1 }],
    ['malformed-value', 'hsds', { type: I32, value: 'KgAAAA==', encoding: 'hex' }],
    ['malformed-value', 'hsds', { type: I32, value: 42, encoding: 'base64' }],
  ])('%s in the %s dialect: %j', async (code, dialect, json) => {
    expect(await codeOf(() => parse(DIALECTS[dialect], json))).toBe(code)
  })
})

describe('parseNewAttributes', () => {
  const parse = (json: unknown, dialect = hsds) => parseNewAttributes(dialect, membersOf(json), PATH, true)

  test.each<[unknown, string[]]>([
    [{ attributes: { a: { type: I32 }, b: { type: I32 } } }, ['a', 'b']],
    [{ name: 'a', type: I32 }, ['a']],
    [{ attributes: { a: { type: I32 } }, name: 'b' }, ['a']],
  ])('%j', async (json, names) => {
    const [only, ...others] = await parse(json)
    expect(others).toEqual([])
    expect(only?.owner).toEqual(PATH)
    expect([...(only?.items.keys() ?? [])]).toEqual(names)
    for (const item of only?.items.values() ?? []) expect(item.replace).toBe(true)
  })

  test.each<[string, unknown]>([
    ['malformed-body', {}],
    ['malformed-body', { attributes: {} }],
    ['malformed-name', { type: I32 }],
    ['malformed-type', { name: 'a' }],
    ['malformed-type', { attributes: { a: {} } }],
  ])('%s: %j', async (code, json) => {
    expect(await codeOf(() => parse(json))).toBe(code)
  })

  test('at level 0.9 a batch may be empty (hsds-objects 18)', async () => {
    for (const json of [{}, { attributes: {} }]) {
      expect(await codeOf(() => parse(json, hsdsAt('0.9')))).toBeUndefined()
    }
  })
})

describe('parseNewValue', () => {
  const parse = (text: string, contentType?: string) => {
    const headers = {
      'content-length': `${text.length}`,
      ...(contentType && { 'content-type': contentType }),
    }
    const nothing = () => {}
    const body = new RequestBody(Readable.from([Buffer.from(text)]), headers, 1 << 20, nothing, nothing)
    return parseNewValue(hsds, body)
  }

  test('JSON with or without its content type, and bytes', async () => {
    for (const type of [undefined, 'application/json', 'application/json; charset=utf-8']) {
      expect((await parse('{"value": 42}', type)).value).toBe(42)
    }
    expect((await parse('{"value": null}')).value).toBe(null)
    expect((await parse('{"value": "KgAAAA==", "encoding": "base64"}')).value).toBeInstanceOf(EncodedValue)
    expect((await parse('{}', 'application/octet-stream')).value).toBeInstanceOf(EncodedValue)
  })

  test.each([
    ['malformed-body', '{}', undefined],
    ['malformed-body', '[1]', undefined],
    ['malformed-json', '{', undefined],
    ['unsupported-media-type', '{"value": 1}', 'text/plain'],
  ])('%s: %s as %s', async (code, text, type) => {
    expect(await codeOf(() => parse(text, type))).toBe(code)
  })
})
