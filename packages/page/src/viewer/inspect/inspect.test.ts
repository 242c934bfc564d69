import type { Datatype } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { attributeForm, objectOf } from './attribute-form.ts'
import { longText } from './long-text.ts'
import { filtersText, storageLines } from './storage.ts'
import { typeLines } from './type-lines.ts'

const F64: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const STRING: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const REFERENCE: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }

describe('long strings', () => {
  test.each([
    [
      '{"a":[1,{"b":9007199254740993}],"c":{},"d":"x, {y}"}',
      'JSON',
      '{\n  "a": [\n    1,\n    {\n      "b": 9007199254740993\n    }\n  ],\n  "c": {},\n  "d": "x, {y}"\n}',
    ],
    ['[]', 'JSON', '[]'],
    ['{not json}', undefined, '{not json}'],
    [
      '<a><b x="1 > 0"/><c>text</c><d></d></a>',
      'XML',
      '<a>\n  <b x="1 > 0"/>\n  <c>text</c>\n  <d></d>\n</a>',
    ],
    [
      '<?xml version="1.0"?><a><!-- <b> --><p>one <i>two</i> three</p></a>',
      'XML',
      '<?xml version="1.0"?>\n<a>\n  <!-- <b> -->\n  <p>one <i>two</i> three</p>\n</a>',
    ],
    ['</a></b>', undefined, '</a></b>'],
    ['<- left', undefined, '<- left'],
    ['Conventions of CF', undefined, 'Conventions of CF'],
    ['', undefined, ''],
  ])('%s', (text, form, shown) => {
    expect(longText(text)).toEqual({ text: shown, form })
  })

  test('hostile ones take little time and keep their text', () => {
    for (const text of [
      `${'<'.repeat(100_000)}>`,
      `<a${' "'.repeat(50_000)}>`,
      '['.repeat(50_000),
      `<a>${'<b>'.repeat(20_000)}`,
      `<a>${'x</b>'.repeat(100_000)}`,
    ]) {
      const shown = longText(text).text
      expect(shown.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
    }
  })
})

describe('values of attributes', () => {
  const form = (type: Datatype, shape: readonly number[] | undefined, data: ArrayLike<unknown>) =>
    attributeForm({ name: 'a', type, shape, data: data as never })

  test('are strings, numbers and lists', () => {
    expect(form(STRING, [], ['x\ny'])).toEqual({ kind: 'text', text: 'x\ny' })
    expect(form(STRING, [1], ['x'])).toEqual({ kind: 'text', text: 'x' })
    expect(form(F64, [], Float64Array.of(0.1))).toEqual({ kind: 'text', text: '0.1' })
    expect(form(F64, [2], Float64Array.of(1, 2.5))).toEqual({
      kind: 'list',
      text: '[1, 2.5]',
      shown: 2,
      count: 2,
    })
    expect(form(F64, [0], new Float64Array(0))).toEqual({ kind: 'list', text: '[]', shown: 0, count: 0 })
    const long = form(F64, [1_000_000], new Float64Array(1_000_000))
    expect(long).toMatchObject({ kind: 'list', shown: 100, count: 1_000_000 })
    expect(form(F64, [2, 2], Float64Array.of(1, 0, 0, 1))).toMatchObject({ text: '[[1, 0], [0, 1]]' })
    expect(form(F64, [2, 0], new Float64Array(0))).toMatchObject({ text: '[]' })
    expect(form(F64, undefined, [])).toMatchObject({ kind: 'nothing' })
  })

  test('that were not loaded have a reason', () => {
    const attribute = { name: 'a', type: F64, shape: [], data: undefined, reason: 'The value is large.' }
    expect(attributeForm(attribute)).toEqual({ kind: 'nothing', reason: 'The value is large.' })
  })

  test('references are ids of objects', () => {
    expect(objectOf('datasets/d-1-2')).toEqual({ collection: 'datasets', id: 'd-1-2' })
    expect(objectOf('g-1')).toEqual({ collection: 'groups', id: 'g-1' })
    for (const reference of ['', 'x-1', 'groups/', null, 3, '../d-1'])
      expect(objectOf(reference)).toBeUndefined()
    const lists: Datatype = { class: 'H5T_VLEN', base: REFERENCE }
    expect(form(lists, [2], [['datasets/d-1'], ['', 'groups/g-2']])).toEqual({
      kind: 'references',
      ids: [{ collection: 'datasets', id: 'd-1' }, undefined, { collection: 'groups', id: 'g-2' }],
      count: 3,
    })
  })
})

describe('storage', () => {
  test('chunks, filters, fill value and sizes', () => {
    const filters = [
      { id: 2, class: 'H5Z_FILTER_SHUFFLE', name: 'shuffle' },
      { id: 1, class: 'H5Z_FILTER_DEFLATE', name: 'gzip', level: 4 },
    ]
    const lines = storageLines({
      dataset: { id: 'd-1', type: F64, shape: [1000, 100] },
      layout: { class: 'H5D_CHUNKED', dims: [100, 100] },
      creationProperties: {
        filters,
        fillValue: -1 as never,
        layout: { class: 'H5D_CHUNKED', dims: [100, 100] },
      },
      maxExtents: [0, 100],
      stored: { chunks: 10, bytes: 100_000 },
    })
    expect(Object.fromEntries(lines.map(({ name, text }) => [name, text]))).toEqual({
      'May grow to': 'unlimited × 100',
      Chunks: '100 × 100',
      Filters: 'shuffle, gzip (level 4)',
      'Fill value': '-1',
      Stored: '98 KiB in 10 chunks, of 781 KiB of values, 8 : 1',
    })
  })

  test('what is not there has no line', () => {
    const lines = storageLines({
      dataset: { id: 'd-1', type: STRING, shape: undefined },
      layout: undefined,
      creationProperties: {},
      maxExtents: undefined,
      stored: undefined,
    })
    expect(lines).toEqual([{ name: 'Filters', text: 'none' }])
    expect(filtersText([{ id: 4711, class: 'H5Z_FILTER_USER' }])).toBe('user')
  })

  test.each<[string, 'H5D_CHUNKED' | 'H5D_CONTIGUOUS', number[] | undefined, number, number, object]>([
    ['a chunk', 'H5D_CHUNKED', [10], 1, 80, { Chunks: '10', Stored: '80 B in 1 chunk' }],
    ['one piece', 'H5D_CONTIGUOUS', [10], 1, 80, { Layout: 'contiguous', Stored: '80 B' }],
    [
      'nothing',
      'H5D_CONTIGUOUS',
      [10],
      0,
      0,
      { Layout: 'contiguous', Stored: 'nothing yet: all values are the fill value' },
    ],
    ['no elements', 'H5D_CHUNKED', [0], 0, 0, { 'May grow to': 'unlimited', Chunks: '10' }],
    ['a null dataspace', 'H5D_CONTIGUOUS', undefined, 0, 0, {}],
  ])('of %s', (_, layout, shape, chunks, bytes, expected) => {
    const lines = storageLines({
      dataset: { id: 'd-1', type: F64, shape },
      layout: { class: 'H5D_CHUNKED', dims: [10] },
      creationProperties: { layout: { class: layout } },
      maxExtents: shape?.[0] === 0 ? [0] : undefined,
      stored: { chunks, bytes },
    })
    expect(Object.fromEntries(lines.map(({ name, text }) => [name, text]))).toEqual({
      ...expected,
      Filters: 'none',
    })
  })
})

describe('lines of a type', () => {
  const INT8: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' }
  const COLOUR: Datatype = { class: 'H5T_ENUM', base: INT8, mapping: { BLUE: 42, RED: 0 } }
  const BOOLEAN: Datatype = { class: 'H5T_ENUM', base: INT8, mapping: { FALSE: 0, TRUE: 1 } }
  const POINT: Datatype = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'x', type: F64 },
      { name: 'colour', type: COLOUR },
    ],
  }

  test.each<[string, Datatype, readonly string[]]>([
    ['a number', F64, []],
    ['a boolean', BOOLEAN, []],
    ['an enum: its names in the order of their values', COLOUR, ['RED = 0', 'BLUE = 42']],
    ['sequences of an enum', { class: 'H5T_VLEN', base: COLOUR }, ['RED = 0', 'BLUE = 42']],
    [
      'a compound in a compound',
      {
        class: 'H5T_COMPOUND',
        fields: [{ name: 'p', type: { class: 'H5T_ARRAY', base: POINT, dims: [2] } }],
      },
      [
        'p: 2 array of compound of 2 members',
        '  x: float64',
        '  colour: enum of 2 names',
        '    RED = 0',
        '    BLUE = 42',
      ],
    ],
  ])('%s', (_, type, lines) => {
    expect(typeLines(type)).toEqual(lines)
  })
})
