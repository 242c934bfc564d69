import type { Dataspace } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { expect, it } from 'vitest'
import { fileCreationProperties } from './creation-properties.ts'

const INT8: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const SPACE: Dataspace = { class: 'H5S_SIMPLE', dims: [2 ** 30] }
const FIVE = { count: 1, data: Uint8Array.of(5), heap: new Uint8Array(0) }

function propertiesWith(chunk: number) {
  const layout = new Map<string, JsonValue>([
    ['class', 'H5D_CHUNKED'],
    ['dims', [chunk]],
  ])
  return new Map<string, JsonValue>([['layout', layout]])
}

it('has the chunks of the file, and its fill value in both forms', () => {
  const json = propertiesWith(1000)
  const properties = fileCreationProperties(json, INT8, SPACE, FIVE)
  expect(properties).toMatchObject({ layout: 'H5D_CHUNKED', chunkDims: [1000], fillValue: FIVE })
  expect(properties.json).toEqual(new Map<string, JsonValue>([...json, ['fillValue', 5]]))
})

it('reports a fill value that is not used', () => {
  const properties = fileCreationProperties(new Map(), INT8, SPACE, FIVE, false)
  expect(properties.json.get('fillValue')).toBe(5)
  expect(properties.fillValue).toBeUndefined()
})

it('reports chunks that are too large as they are, and stores values in others', () => {
  const json = propertiesWith(2 ** 29)
  const properties = fileCreationProperties(json, INT8, SPACE, undefined)
  expect(properties.json).toEqual(json)
  expect(properties).toMatchObject({ layout: 'H5D_CONTIGUOUS', given: true })
  expect(properties.chunkDims?.[0]).toBeLessThan(2 ** 27)
})

it('does not show the fill value of opaque data', () => {
  const properties = fileCreationProperties(new Map(), { class: 'H5T_OPAQUE', size: 1 }, SPACE, FIVE)
  expect(properties.json.has('fillValue')).toBe(false)
  expect(properties.fillValue).toBe(FIVE)
})
