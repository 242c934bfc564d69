import { expect, test } from 'vitest'
import type { Contents, Entity, Member } from '../data/contents.ts'
import { variableOf, variablesOf } from './variables.ts'

const text = (value: string) => ({ data: [value] })
function entity(path: string, shape: readonly number[], attributes: object): Entity {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return {
    path,
    name,
    dataset: { shape },
    attributes: new Map(Object.entries(attributes)),
  } as unknown as Entity
}
const variable = (shape: readonly number[], attributes: object, names = new Map<string, string>()) =>
  variableOf(entity('/t', shape, attributes), names)

test('units and descriptions are those of CF, and of NWB', () => {
  expect(
    variable([], { units: text('K'), long_name: text('Temperature'), standard_name: text('t') }),
  ).toEqual({
    units: 'K',
    description: 'Temperature',
    dimensions: undefined,
  })
  expect(variable([], { long_name: text(''), description: text('the spikes') }).description).toBe(
    'the spikes',
  )
})

test('dimensions have the names of their scales, of their labels, or their lengths', () => {
  const scale = { CLASS: text('DIMENSION_SCALE') }
  expect(variable([4], scale).dimensions).toBe('t')
  const names = new Map([['d-1', '緯度']])
  const list = { DIMENSION_LIST: { data: [['datasets/d-1'], ['datasets/d-9']] } }
  expect(variable([4, 5], list, names).dimensions).toBe('緯度 × 5')
  expect(variable([4, 5], { ...list, DIMENSION_LABELS: { data: ['a', 'b'] } }, names).dimensions).toBe(
    '緯度 × b',
  )
  expect(variable([4, 5], { _ARRAY_DIMENSIONS: { data: ['y', 'x'] } }).dimensions).toBe('y × x')
  // A list for other dimensions says nothing.
  expect(variable([4], list, names).dimensions).toBeUndefined()
  expect(variable([4, 5], {}).dimensions).toBeUndefined()
})

test('scales of groups above are found, with one list for each, and only columns that somebody has', async () => {
  const lists: string[] = []
  const members: Record<string, object[]> = { '/': [{ id: 'd-1', title: 'time' }], '/a': [], '/a/b': [] }
  const contents = {
    at: async (path: string) => {
      if (path === '/a/b/gone') throw new Error('gone')
      return entity(path, [3], { DIMENSION_LIST: { data: [['datasets/d-1']] } })
    },
    members(path: string) {
      lists.push(path)
      return { done: Promise.resolve(), members: members[path] }
    },
  } as unknown as Contents
  const rows = ['/a/b/t', '/a/b/u', '/a/b/gone'].map(path => ({ path }) as Member)
  const { byPath, columns } = await variablesOf(contents, '/a/b', rows)
  expect([lists, columns]).toEqual([['/a/b', '/a', '/'], ['dimensions']])
  expect(byPath.get('/a/b/u')?.dimensions).toBe('time')
  expect(byPath.has('/a/b/gone')).toBe(false)
})
