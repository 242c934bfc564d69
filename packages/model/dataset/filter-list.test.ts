// The spellings of filters (hsds-values 17 and 3.4). The form by id is tested with the creation properties.

import { describe, expect, test } from 'vitest'
import { stringifyJson } from '../json/json.ts'
import { parseJson } from '../json/json-parser.ts'
import type { Dataspace } from './dataspace.ts'
import { completed, parseAnyFilters } from './filter-list.ts'

const SPACE: Dataspace = { class: 'H5S_SIMPLE', dims: [10] }

function parse(json: string, space = SPACE) {
  return parseAnyFilters(parseJson(json), space)
}

describe('each filter that is known and made comes back with class, id and name', () => {
  test.each([
    ['H5Z_FILTER_DEFLATE', 1, 'gzip'],
    ['H5Z_FILTER_SHUFFLE', 2, 'shuffle'],
    ['H5Z_FILTER_FLETCHER32', 3, 'fletcher32'],
    ['H5Z_FILTER_NBIT', 5, 'nbit'],
    ['H5Z_FILTER_SCALEOFFSET', 6, 'scaleoffset'],
    ['H5Z_FILTER_BLOSC', 32001, 'blosclz'],
    ['H5Z_FILTER_SNAPPY', 32003, 'snappy'],
    ['H5Z_FILTER_LZ4', 32004, 'lz4'],
    ['H5Z_FILTER_LZ4HC', 32005, 'lz4hc'],
    ['H5Z_FILTER_BITSHUFFLE', 32008, 'bitshuffle'],
    ['H5Z_FILTER_ZSTD', 32015, 'zstd'],
  ])('%s', (name, id, short) => {
    const canonical = { class: name, id, name: short }
    const user = { ...canonical, class: 'H5Z_FILTER_USER' }
    const sent = [
      [id, canonical],
      [short, canonical],
      [name, canonical],
      [{ id }, canonical],
      [{ name: short }, canonical],
      [{ class: name }, canonical],
      [canonical, canonical],
      [{ class: 'H5Z_FILTER_USER', id }, user],
      [{ class: 'H5Z_FILTER_USER', name: short }, user],
    ] as const
    const filters = parse(JSON.stringify(sent.map(([given]) => given)))
    expect(filters.map(filter => filter.id)).toEqual(sent.map(() => id))
    expect(filters.map(filter => JSON.parse(stringifyJson(filter.json)))).toEqual(
      sent.map(([, returned]) => returned),
    )
  })
})

describe('hsds-values 17.2: sent and returned', () => {
  test.each([
    ['"deflate"', '{"class":"H5Z_FILTER_DEFLATE","id":1,"name":"gzip"}'],
    [
      '{"class":"H5Z_FILTER_DEFLATE","id":1,"level":9,"name":"deflate"}',
      '{"class":"H5Z_FILTER_DEFLATE","id":1,"level":9,"name":"deflate"}',
    ],
    [
      '{"class":"H5Z_FILTER_DEFLATE","level":4}',
      '{"class":"H5Z_FILTER_DEFLATE","level":4,"id":1,"name":"gzip"}',
    ],
    [
      '{"class":"H5Z_FILTER_USER","name":"lz4","level":5}',
      '{"class":"H5Z_FILTER_USER","name":"lz4","level":5,"id":32004}',
    ],
    ['{"class":"H5Z_FILTER_USER","id":32015}', '{"class":"H5Z_FILTER_USER","id":32015,"name":"zstd"}'],
    [
      '{"name":"blosclz","parameters":[2,2,4,400,5,1,0]}',
      '{"name":"blosclz","parameters":[2,2,4,400,5,1,0],"class":"H5Z_FILTER_BLOSC","id":32001}',
    ],
  ])('%s', (sent, returned) => {
    const filters = parse(`[${sent}]`)
    expect(stringifyJson(filters.map(filter => filter.json))).toBe(`[${returned}]`)
    expect(stringifyJson(filters.map(completed))).toBe(`[${returned}]`)
  })

  test('the order is kept, and a scalar may have filters', () => {
    expect(parse('[2,"gzip",3]', { class: 'H5S_SCALAR' }).map(filter => filter.id)).toEqual([2, 1, 3])
  })
})

describe('refused', () => {
  test.each([
    ['{}', 'filters must be a list, not {}'],
    ['"gzip"', 'filters must be a list'],
    ['[{}]', 'filters[0] needs a "class", an "id" or a "name"'],
    ['[{"class":"H5Z_FILTER_USER"}]', 'filters[0] needs a "class"'],
    ['[{"class":"H5Z_FILTER_USER","name":"shrink-o-rama"}]', 'zstd, not "shrink-o-rama"'],
    ['[{"class":"H5Z_FILTER_FOOBAR","id":1}]', 'zstd, not "H5Z_FILTER_FOOBAR"'],
    ['[1,{"class":1}]', 'filters[1].class must be a string, not 1'],
    ['[{"class":"H5Z_FILTER_DEFLATE","id":2}]', 'the class H5Z_FILTER_DEFLATE has the id 1'],
    [
      '[99]',
      'one of gzip, shuffle, fletcher32, nbit, scaleoffset, blosclz, snappy, lz4, lz4hc, bitshuffle, zstd, not 99',
    ],
    ['["GZIP"]', 'zstd, not "GZIP"'],
    ['[null]', 'zstd, not null'],
    ['[true]', 'zstd, not true'],
    ['[[1]]', 'zstd, not [1]'],
    ['[1.5]', 'zstd, not 1.5'],
    ['[0]', 'zstd, not 0'],
    ['["none"]', 'zstd, not "none"'],
    ['[4]', 'the filter szip is not available'],
    ['["szip"]', 'szip is not available'],
    ['[{"class":"H5Z_FILTER_LZF"}]', 'lzf is not available'],
    ['[{"class":"H5Z_FILTER_USER","id":32000}]', 'lzf is not available'],
    ['[{"id":1,"level":10}]', 'filters[0].level must be an integer from 0 to 9, not 10'],
  ])('%s', (json, message) => {
    expect(() => parse(json)).toThrow(expect.objectContaining({ code: 'malformed-creation-properties' }))
    expect(() => parse(json)).toThrow(message)
  })

  test('for a null dataspace', () => {
    expect(() => parse('[1]', { class: 'H5S_NULL' })).toThrow('H5S_NULL cannot have filters')
  })
})

test('an unknown filter is reported by its id', () => {
  expect(stringifyJson(completed({ id: 77, json: new Map() }))).toBe('{"class":"H5Z_FILTER_USER","id":77}')
})
