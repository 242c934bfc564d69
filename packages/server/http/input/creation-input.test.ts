// The forms of bodies that create objects, in both dialects, and the answer to one object or several.

import { HyperslabError } from '@hyperslab/base/errors'
import { type JsonObject, parseJson } from '@hyperslab/model/json'
import { idFromHex, type ObjectKind } from '@hyperslab/model/names'
import type { Group } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import type { WriteContext } from '../../service/context.ts'
import type { NewObject } from '../../service/creation/creation.ts'
import type { ObjectView } from '../../service/objects/objects.ts'
import { classic } from '../dialect/classic/index.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import { createAll, creationReply, parseCreation, parseNewObject } from './creation-input.ts'

const hsds = hsdsAt('1.0')
const ID = 'g-6a1f0c3e-52b1d9aa-30f1-2c7a90-e1b864'
const UUID = '45a882e1-9d01-11e8-8acf-0242ac110009'

function json(text: string) {
  return parseJson(Buffer.from(text))
}

/** The code of the error that `make` throws, or what it makes. */
async function outcomeOf(make: () => unknown): Promise<unknown> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

function countOf(text: string, kind: ObjectKind, dialect: Dialect): Promise<unknown> {
  const grammar = { kind, dialect, implicit: false }
  return outcomeOf(() => {
    const body = text === '' ? undefined : json(text)
    return parseCreation(body, grammar, async item => item).items.length
  })
}

const LONG_LIST = `[${Array.from({ length: 10_001 }, () => '{}').join()}]`

describe('the forms of a body', () => {
  it.each([
    ['', 1, 'malformed-body'],
    ['null', 1, 'malformed-body'],
    ['{}', 1, 1],
    ['[]', 'malformed-body', 'malformed-body'],
    ['[{}]', 1, 1],
    ['[{},{}]', 2, 2],
    [LONG_LIST, 'body-too-large', 'body-too-large'],
    ['5', 'malformed-body', 'malformed-body'],
  ])('hsds: %.20s is %s for groups, %s for datasets (hsds-objects 17.1)', async (text, groups, datasets) => {
    expect(await countOf(text, 'group', hsds)).toBe(groups)
    expect(await countOf(text, 'dataset', hsds)).toBe(datasets)
  })

  it.each([
    ['', 1, 'malformed-body'],
    ['{}', 1, 1],
    ['[]', 'malformed-body', 'malformed-body'],
    ['[{}]', 'malformed-body', 'malformed-body'],
  ])(
    'classic: %s is %s for groups, %s for datasets (classic 6.2 and 7.2)',
    async (text, groups, datasets) => {
      expect(await countOf(text, 'group', classic)).toBe(groups)
      expect(await countOf(text, 'dataset', classic)).toBe(datasets)
    },
  )
})

describe('the place of a new object', () => {
  const group = hsds.parseId(ID, 'group')
  it.each([
    ['{}', {}],
    [`{"link":{"id":"${ID}","name":"x"}}`, { link: { group, title: 'x' } }],
    ['{"link":{"name":"x"}}', { link: { title: 'x' } }],
    ['{"h5path":"/a/b"}', { link: { titles: ['a', 'b'], isAbsolute: true, implicit: true } }],
    [
      `{"h5path":"b","parent_id":"${ID}"}`,
      { link: { start: group, titles: ['b'], isAbsolute: false, implicit: true } },
    ],
    ['{"h5path":"/a","link":{"name":"x"}}', 'malformed-link'],
    ['{"link":{}}', 'malformed-link'],
    ['{"link":"x"}', 'malformed-link'],
    ['{"h5path":5}', 'malformed-path'],
  ])('hsds: %s', async (text, expected) => {
    const grammar = { kind: 'group', dialect: hsds, implicit: true } as const
    expect(await outcomeOf(() => parseNewObject(json(text) as JsonObject, grammar))).toEqual(expected)
  })

  it.each([
    [`{"link":{"id":"${UUID}","name":"x"}}`, { link: { group: classic.parseId(UUID, 'group'), title: 'x' } }],
    ['{"link":{"name":"x"}}', 'malformed-link'],
    ['{"h5path":"/a","id":"x","shape":[1]}', {}],
  ])('classic: %s', async (text, expected) => {
    const grammar = { kind: 'group', dialect: classic, implicit: false } as const
    expect(await outcomeOf(() => parseNewObject(json(text) as JsonObject, grammar))).toEqual(expected)
  })
})

describe('several objects', () => {
  const id = idFromHex('6a1f0c3e52b1d9aa30f12c7a90e1b864')
  const view = (position: number | undefined) =>
    ({ object: { position }, status: {} }) as unknown as ObjectView<Group>
  const create = (inputs: readonly NewObject[]) => {
    const items = inputs.map(() => new Map())
    const next = inputs.values()
    const parse = async () => next.next().value ?? {}
    // It is asked to store no links, since none are made here.
    const context = { writer: {} } as unknown as WriteContext
    return createAll(context, { items, parse }, async (_, place) => view(place?.position))
  }

  it('have the places of the list', async () => {
    const views = await create([{}, {}, {}])
    expect(views).toEqual([view(0), view(1), view(2)])
  })

  it('have different ids; an error names the item', async () => {
    await expect(create([{ id }, { id }])).rejects.toThrow(/^item 1 of the list: .* has the id/)
  })

  it('are answered as a list, one alone as itself', () => {
    const present = ({ object }: ObjectView<Group>) => ({ id: object.id })
    expect(creationReply([view(0)], present)).toEqual({ status: 201, body: { id: undefined } })
    expect(creationReply([view(0), view(1)], present).body).toHaveProperty('objects')
  })
})
