// Attributes of the classic dialect whose values are too long to be held are what short ones are (classic 9).

import { inspect, isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { newDomain } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const TEXT = {
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
  length: 'H5T_VARIABLE',
} as const

function expectSame(found: unknown, expected: unknown): void {
  expect(isDeepStrictEqual(found, expected), inspect(found).slice(0, 200)).toBe(true)
}

test('hundreds of thousands of numbers, replaced, listed and deleted', async () => {
  const domain = await newDomain()
  const all = `/groups/${domain.root}/attributes`
  const value = Array.from({ length: 400 }, (_, i) => Array.from({ length: 1000 }, (_, j) => i * 1000 + j))
  const body = { type: I32, shape: [400, 1000], value }
  await domain.want(201, 'PUT', `${all}/a`, body)
  const one = await domain.want(200, 'GET', `${all}/a`)
  expect(Object.keys(one).sort()).toEqual([
    'created',
    'hrefs',
    'lastModified',
    'name',
    'shape',
    'type',
    'value',
  ])
  expectSame(one.value, value)
  const { attributes } = await domain.want<{ attributes: object[] }>(200, 'GET', all)
  expect(attributes).toHaveLength(1)
  expect(attributes[0]).not.toHaveProperty('value')
  await domain.refuse(409, 'PUT', `${all}/a`, body)
  await domain.want(200, 'DELETE', `${all}/a`)
  await domain.refuse(410, 'GET', `${all}/a`)
  await domain.want(201, 'PUT', `${all}/a`, body)
  expectSame((await domain.want(200, 'GET', `${all}/a`)).value, value)
})

test('strings, compounds and references of many megabytes', async () => {
  const domain = await newDomain()
  const all = `/groups/${domain.root}/attributes`
  const count = 70_000
  const compound = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'id', type: I32 },
      { name: 'name', type: TEXT },
    ],
  }
  const cases: Record<string, [unknown, (i: number) => unknown]> = {
    texts: [TEXT, i => 'é"'.repeat(i % 9)],
    compounds: [compound, i => [i, `name ${i}`]],
    references: [{ class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, () => `groups/${domain.root}`],
  }
  for (const [name, [type, make]] of Object.entries(cases)) {
    const value = Array.from({ length: count }, (_, i) => make(i))
    await domain.want(201, 'PUT', `${all}/${name}`, { type, shape: [count], value })
    expectSame((await domain.want(200, 'GET', `${all}/${name}`)).value, value)
  }
})

test.each<[string, (value: unknown[]) => unknown]>([
  ['one too few', value => value.slice(1)],
  ['one too many', value => [...value, 1]],
  ['a string among them', value => value.with(-1, 'x')],
  ['of another shape', value => [value.slice(0, 100_000), value.slice(100_000)]],
])('%s in a long value: 400, and there is no attribute', async (_, spoil) => {
  const domain = await newDomain()
  const path = `/groups/${domain.root}/attributes/a`
  const value = new Array<unknown>(200_000).fill(12345)
  const shape = [200_000]
  await domain.refuse(400, 'PUT', path, { type: I32, shape, value: spoil(value) })
  await domain.refuse(404, 'GET', path)
})

test('a long list of references of which the last one refers to nothing: refused', async () => {
  const domain = await newDomain()
  const path = `/groups/${domain.root}/attributes/a`
  const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
  const value = new Array<string>(20_000).fill(`groups/${domain.root}`)
  const gone = await domain.group()
  await domain.want(200, 'DELETE', `/groups/${gone}`)
  await domain.refuse(404, 'PUT', path, { type, shape: [20_000], value: value.with(-1, `groups/${gone}`) })
  await domain.refuse(404, 'GET', path)
  await domain.want(201, 'PUT', path, { type, shape: [20_000], value })
})
