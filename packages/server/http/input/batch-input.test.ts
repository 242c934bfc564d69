// Bodies about several objects at once (hsds-objects 11.6 to 12.8).

import { HyperslabError } from '@hyperslab/base/errors'
import { type JsonObject, parseJson } from '@hyperslab/model/json'
import type { ObjectReference } from '@hyperslab/model/names'
import { describe, expect, it, test } from 'vitest'
import { hsdsAt } from '../dialect/hsds/index.ts'
import { attributeWords } from './attribute-input.ts'
import { parseNewMembers, parseQueries } from './batch-input.ts'
import { linkWords } from './link-input.ts'
import { objectBody } from './members.ts'

const hsds = hsdsAt('1.0')
const G1 = 'g-45a882e1-9d0111e8-8acf-0242ac-110009'
const G2 = 'g-45a882e1-9d0111e8-8acf-0242ac-11000a'
const D = 'd-45a882e1-9d0111e8-8acf-0242ac-11000b'
const PATH = { kind: 'group', id: hsds.parseId(G1, 'group') } as const
const LINKS = linkWords(hsds)
const ATTRIBUTES = attributeWords(hsds)

const bodyOf = (json: unknown): JsonObject => objectBody(parseJson(JSON.stringify(json)))
const idOf = (owner: ObjectReference): string => hsds.formatId(owner)

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

describe('parseQueries: the members of each object', () => {
  const queriesOf = async (json: unknown) =>
    (await parseQueries(bodyOf(json), PATH, ATTRIBUTES)).map(({ owner, names }) => [idOf(owner), names])

  test.each<[unknown, unknown]>([
    [{ attr_names: ['a', 'b'] }, [[G1, ['a', 'b']]]],
    [{ attr_names: [] }, [[G1, []]]],
    [{ obj_ids: [G2] }, [[G2, undefined]]],
    [
      { obj_ids: [G2, D], attr_names: ['a'] },
      [
        [G2, ['a']],
        [D, ['a']],
      ],
    ],
    [
      { obj_ids: [D, G2, D] },
      [
        [D, undefined],
        [G2, undefined],
      ],
    ],
    [
      { obj_ids: { [G2]: ['a'], [D]: ['b', 'c'] } },
      [
        [G2, ['a']],
        [D, ['b', 'c']],
      ],
    ],
  ])('%j', async (json, queries) => {
    expect(await queriesOf(json)).toEqual(queries)
  })

  test.each<[string, unknown]>([
    ['malformed-body', {}],
    ['malformed-body', { attr_names: 'a' }],
    ['malformed-body', { attr_names: [1] }],
    ['malformed-name', { attr_names: [''] }],
    ['malformed-body', { obj_ids: [] }],
    ['malformed-body', { obj_ids: {} }],
    ['malformed-body', { obj_ids: 'x' }],
    ['malformed-body', { obj_ids: [1] }],
    ['malformed-id', { obj_ids: ['x'] }],
    ['malformed-body', { obj_ids: { [G2]: 'a' } }],
    ['malformed-body', { obj_ids: { [G2]: ['a'] }, attr_names: ['b'] }],
  ])('%s: %j', async (code, json) => {
    expect(await codeOf(parseQueries(bodyOf(json), PATH, ATTRIBUTES))).toBe(code)
  })

  it('takes ids of groups alone where links are read', async () => {
    expect(await codeOf(parseQueries(bodyOf({ grp_ids: [G2] }), PATH, LINKS))).toBeUndefined()
    expect(await codeOf(parseQueries(bodyOf({ grp_ids: [D] }), PATH, LINKS))).toBe('malformed-id')
  })

  it('counts the names of all objects together', async () => {
    const names = Array.from({ length: 125_001 }, (_, number) => `${number}`)
    const body = { obj_ids: [G1, G2], attr_names: names }
    expect(await codeOf(parseQueries(bodyOf(body), PATH, ATTRIBUTES))).toBe('body-too-large')
    const fitting = { ...body, attr_names: names.slice(1) }
    expect(await codeOf(parseQueries(bodyOf(fitting), PATH, ATTRIBUTES))).toBeUndefined()
  })
})

describe('parseNewMembers: the items for each object', () => {
  const parse = (json: unknown, optional?: boolean) =>
    parseNewMembers(bodyOf(json), PATH, LINKS, item => item.get('h5path'), optional)
  const A = { h5path: '/a' }
  const B = { h5path: '/b' }

  test.each<[unknown, unknown]>([
    [{ links: { a: A, b: B } }, [[G1, { a: '/a', b: '/b' }]]],
    [{ links: {} }, [[G1, {}]]],
    [
      { links: { a: A }, grp_ids: [G1, G2] },
      [
        [G1, { a: '/a' }],
        [G2, { a: '/a' }],
      ],
    ],
    [
      { grp_ids: { [G2]: { links: { a: A } }, [G1]: { links: { b: B } } } },
      [
        [G2, { a: '/a' }],
        [G1, { b: '/b' }],
      ],
    ],
  ])('%j', async (json, items) => {
    const batch = await parse(json)
    expect(batch.map(({ owner, items }) => [idOf(owner), Object.fromEntries(items)])).toEqual(items)
  })

  test.each<[string, unknown]>([
    ['malformed-body', {}],
    ['malformed-body', { links: [] }],
    ['malformed-body', { links: { a: 1 } }],
    ['malformed-name', { links: { '': A } }],
    ['malformed-body', { links: { a: A }, grp_ids: [] }],
    ['malformed-body', { links: { a: A }, grp_ids: { [G2]: { links: { a: A } } } }],
    ['malformed-body', { grp_ids: {} }],
    ['malformed-body', { grp_ids: [G2] }],
    ['malformed-body', { grp_ids: { [G2]: [] } }],
    ['malformed-body', { grp_ids: { [G2]: {} } }],
    ['malformed-id', { grp_ids: { x: { links: { a: A } } } }],
  ])('%s: %j', async (code, json) => {
    expect(await codeOf(parse(json))).toBe(code)
  })

  it('lets objects come without items where that is allowed, but not with a list of ids', async () => {
    expect(await codeOf(parse({}, true))).toBeUndefined()
    expect(await codeOf(parse({ grp_ids: { [G2]: {} } }, true))).toBeUndefined()
    expect(await codeOf(parse({ grp_ids: [G2] }, true))).toBe('malformed-body')
  })
})
