import { type Dataspace, parseCreationProperties } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { idFromHex } from '@hyperslab/model/names'
import { expect, test } from 'vitest'
import { LikeDatasets } from './like-datasets.ts'
import type { SourceAttribute, SourceDataset, SourceDetails } from './source.ts'

const FLOAT: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
const REFERENCE: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
const SPACE: Dataspace = { class: 'H5S_SIMPLE', dims: [4] }
const CONTIGUOUS = parseCreationProperties(undefined, FLOAT, SPACE)
const CHUNKED = { ...CONTIGUOUS, layout: 'H5D_CHUNKED' } as const
const ID = idFromHex('0'.repeat(32))

const UNITS: SourceAttribute = { name: 'units', type: TEXT, space: { class: 'H5S_SCALAR' } }
const DATASET: SourceDataset = {
  kind: 'dataset',
  id: ID,
  created: 1,
  type: FLOAT,
  space: SPACE,
  creationProperties: CONTIGUOUS,
}
const DETAILS: SourceDetails = { object: DATASET, attributes: [UNITS], chunks: 1 }

function details(dataset: Partial<SourceDataset>, other: Partial<SourceDetails> = {}): SourceDetails {
  return { ...DETAILS, object: { ...DATASET, ...dataset }, ...other }
}

function found(known: SourceDetails, wanted: SourceDetails): string | undefined {
  const datasets = new LikeDatasets<string>()
  datasets.add(known, 'plan')
  return datasets.find(wanted)
}

test('datasets differ in their ids, their times and the values of their attributes', () => {
  const value = { count: 1, data: new Uint8Array(16), heap: new Uint8Array(3) }
  const other = details({ id: idFromHex('1'.repeat(32)), created: 2 }, { attributes: [{ ...UNITS, value }] })
  expect(found(DETAILS, other)).toBe('plan')
})

test.each<[string, SourceDetails]>([
  ['type', details({ type: { ...FLOAT } })],
  ['space', details({ space: { ...SPACE } })],
  ['properties', details({ creationProperties: { ...CONTIGUOUS } })],
  ['committed datatype', details({ committedType: ID })],
  ['kind', details({}, { object: { kind: 'group', id: ID, created: 1 } })],
  ['number of chunks', details({}, { chunks: 0 })],
  ['number of attributes', details({}, { attributes: [UNITS, UNITS] })],
  ['name of an attribute', details({}, { attributes: [{ ...UNITS, name: 'unit' }] })],
  ['type of an attribute', details({}, { attributes: [{ ...UNITS, type: { ...TEXT } }] })],
  ['space of an attribute', details({}, { attributes: [{ ...UNITS, space: { class: 'H5S_SCALAR' } }] })],
  ['committed datatype of an attribute', details({}, { attributes: [{ ...UNITS, committedType: ID }] })],
  ['list of attributes that is not known', { object: DATASET, chunks: 1 }],
])('datasets with another %s are not alike', (_, other) => {
  expect(found(DETAILS, other)).toBeUndefined()
})

test.each<[string, SourceDetails]>([
  ['elements of variable size', details({ type: TEXT })],
  ['references', details({ type: REFERENCE })],
  ['a committed datatype', details({ committedType: ID })],
  ['chunks', details({ creationProperties: CHUNKED })],
  ['attributes that are not known', { object: DATASET, chunks: 1 }],
  ['attributes of a committed datatype', details({}, { attributes: [{ ...UNITS, committedType: ID }] })],
])('datasets with %s are like no others', (_, dataset) => {
  expect(found(dataset, dataset)).toBeUndefined()
})

test('the last kinds are known', () => {
  const datasets = new LikeDatasets<number>()
  const kinds = Array.from({ length: 20 }, () => details({ space: { ...SPACE } }))
  for (const [index, kind] of kinds.entries()) datasets.add(kind, index)
  expect(kinds.map(kind => datasets.find(kind))).toEqual(
    Array.from({ length: 20 }, (_, i) => (i < 4 ? undefined : i)),
  )
})
