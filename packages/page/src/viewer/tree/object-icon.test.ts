import { expect, test } from 'vitest'
import type { Entity, Member } from '../data/contents.ts'
import { OBJECT_ICONS, wordOf, wordOfKind } from './object-icon.ts'

const FLOAT = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const
const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' } as const
const FIELDS = [{ name: 'a', type: FLOAT }]

/** An object as the tree has it. */
function entityOf(kind: Entity['kind'], given: Record<string, unknown> = {}): Entity {
  const { type = FLOAT, shape, attributes = {}, damage } = given
  const dataset = kind === 'dataset' ? { id: 'd-1', type, shape, stamp: 0 } : undefined
  const values = Object.entries(attributes as Record<string, unknown>).map(
    ([name, value]) => [name, { data: [value].flat() }] as const,
  )
  return { kind, object: { damage }, dataset, attributes: new Map(values), name: 'a' } as unknown as Entity
}

const dataset = (shape: readonly number[] | undefined, type: unknown = FLOAT, attributes = {}) =>
  entityOf('dataset', { type, shape, attributes })

test.each([
  [dataset([]), 'scalar'],
  [dataset(undefined), 'scalar'],
  [dataset([], STRING), 'text'],
  [dataset([4], STRING), 'text'],
  [dataset([4]), 'line'],
  [dataset([4, 5]), 'image'],
  [dataset([40, 2]), 'points'],
  [dataset([4, 5], FLOAT, { interpretation: 'spectrum' }), 'line'],
  [dataset([40, 50, 3], FLOAT, { CLASS: 'IMAGE' }), 'image'],
  [dataset([4, 5], FLOAT, { coordinates: 'XLONG XLAT' }), 'map'],
  [dataset([4, 5], FLOAT, { coordinates: 'plate along' }), 'image'],
  [dataset([4, 5], FLOAT, { _ARRAY_DIMENSIONS: ['lat', 'lon'] }), 'map'],
  [dataset([4, 5], FLOAT, { DIMENSION_LIST: [['datasets/d-y'], ['datasets/d-x']] }), 'map'],
  [dataset([4], { class: 'H5T_COMPOUND', fields: FIELDS }), 'table'],
  [dataset([4], { class: 'H5T_VLEN', base: FLOAT }), 'dataset'],
  [entityOf('group'), 'group'],
  [entityOf('group', { attributes: { 'encoding-type': 'dataframe' } }), 'table'],
  [entityOf('group', { damage: 'a checksum is wrong' }), 'damaged'],
  [entityOf('datatype'), 'committed datatype'],
] as const)('the word for an object comes from what the tree has of it (%#: %o)', (entity, word) => {
  const siblings = ['latitude', 'longitude'].map((title, i) => ({ title, id: i === 0 ? 'd-y' : 'd-x' }))
  expect(wordOf(entity, siblings as unknown as Member[])).toBe(word)
  expect(OBJECT_ICONS[word]).toBeDefined()
})

test('the word for an object that is not loaded comes from its link', () => {
  expect((['group', 'dataset', 'datatype', 'link', undefined] as const).map(wordOfKind)).toEqual([
    'group',
    'dataset',
    'committed datatype',
    'link',
    'link',
  ])
})
