import { type Dataspace, parseCreationProperties } from '@hyperslab/model/dataset'
import { expect, test } from 'vitest'
import type { FileType } from '../../format/file-type.ts'
import { KnownMessages, type PropertyParts } from './known-messages.ts'

const TYPE: FileType = { class: 'H5T_OPAQUE', size: 4, tag: new Uint8Array(0) }
const SPACE: Dataspace = { class: 'H5S_SIMPLE', dims: [4] }
const PARTS: PropertyParts = {
  type: TYPE,
  space: SPACE,
  filters: [],
  fill: { isUndefined: false },
  layout: { class: 'contiguous', address: 96 },
}
const CHUNKED = {
  class: 'chunked',
  chunkDims: [2],
  elementSize: 4,
  hasUnfilteredEdges: false,
  index: { kind: 'b-tree-1', address: 96 },
} as const
const MODEL = { class: 'H5T_OPAQUE', size: 4 } as const

function properties(fillBytes = 0) {
  const made = parseCreationProperties(undefined, MODEL, SPACE)
  const heap = new Uint8Array(fillBytes)
  return fillBytes === 0 ? made : { ...made, fillValue: { count: 1, data: new Uint8Array(4), heap } }
}

test('datasets that differ in their addresses only have the same properties', () => {
  const known = new KnownMessages()
  const made = properties()
  known.addProperties(PARTS, made)
  expect(known.properties({ ...PARTS, layout: { class: 'contiguous', address: 4096 } })).toBe(made)
  known.addProperties({ ...PARTS, layout: CHUNKED }, made)
  const elsewhere = { ...CHUNKED, chunkDims: [2], index: { kind: 'b-tree-1' } } as const
  expect(known.properties({ ...PARTS, layout: elsewhere })).toBe(made)
})

test.each<[string, Partial<PropertyParts>]>([
  ['type', { type: { ...TYPE } }],
  ['space', { space: { ...SPACE } }],
  ['filters', { filters: [] }],
  ['fill value', { fill: { isUndefined: false } }],
  ['class of the layout', { layout: { class: 'compact', bytes: new Uint8Array(16) } }],
  ['shape of chunks', { layout: { ...CHUNKED, chunkDims: [4] } }],
  ['rank of chunks', { layout: { ...CHUNKED, chunkDims: [2, 2] } }],
])('another %s is another dataset', (_, other) => {
  const known = new KnownMessages()
  known.addProperties({ ...PARTS, layout: CHUNKED }, properties())
  expect(known.properties({ ...PARTS, layout: CHUNKED, ...other })).toBeUndefined()
})

test('of many kinds the last ones are kept, and no large fill value', () => {
  const known = new KnownMessages()
  const kinds = Array.from({ length: 40 }, () => ({ ...PARTS, space: { ...SPACE } }))
  for (const parts of kinds) known.addProperties(parts, properties())
  expect(known.properties(kinds[0])).toBeUndefined()
  expect(known.properties(kinds[39])).toBeDefined()
  known.addProperties(PARTS, properties(2 ** 20))
  expect(known.properties(PARTS)).toBeUndefined()
})
