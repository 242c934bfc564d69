import { HyperslabError } from '@hyperslab/base/errors'
import { describe, expect, test } from 'vitest'
import type { Dataspace } from '../../../model/dataset/dataspace.ts'
import type { JsonValue } from '../../../model/json/json.ts'
import { type Selection, selectionCount, selectionShape } from '../../../model/selection/selection.ts'
import { parseHyperslab, parseSelect, parseSelectJson, parseStartStop } from './parse.ts'
import { SELECT_ALL, type SelectionRequest } from './request.ts'
import { resolveSelection } from './resolve.ts'

function simple(...dims: number[]): Dataspace {
  return { class: 'H5S_SIMPLE', dims }
}

/** start:stride:count per dimension, the points, or the lists and their dimensions. */
function show(selection: Selection): string {
  if (selection.kind === 'points') return `points ${[...selection.coordinates]}`
  if (selection.kind === 'lists') {
    const { listed, coordinates, rest } = selection
    return `${show(rest)} and [${[...coordinates]}] in ${listed}`
  }
  return selection.start.map((start, d) => `${start}:${selection.stride[d]}:${selection.count[d]}`).join()
}

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
  return 'no error'
}

const SCALAR: Dataspace = { class: 'H5S_SCALAR' }
const OUT = 'selection-out-of-bounds'
const BAD = 'malformed-selection'

describe('select (classic 15.2)', () => {
  test.each<[string, Dataspace, string]>([
    ['[:]', simple(10), '0:1:10'],
    ['[::]', simple(10), '0:1:10'],
    ['[2:5]', simple(10), '2:1:3'],
    ['[2:]', simple(10), '2:1:8'],
    ['[:5]', simple(10), '0:1:5'],
    ['[::3]', simple(10), '0:3:4'],
    ['[1:8:2]', simple(10), '1:2:4'],
    ['[1:2:]', simple(10), '1:1:1'],
    ['[0:2:100]', simple(10), '0:100:1'],
    ['[ 1 : 3 , 4 ]', simple(5, 5), '1:1:2,4:1:1'],
    [' [0:4, 0:4] ', simple(5, 5), '0:1:4,0:1:4'],
    ['[3]', simple(10), '3:1:1'],
    ['ALL', simple(4, 5), '0:1:4,0:1:5'],
    ['[3:3]', simple(10), '3:1:0'],
    ['[5:2]', simple(10), '5:1:0'],
    ['[10:10]', simple(10), '10:1:0'],
    ['[:]', simple(0), '0:1:0'],
    ['[9007199254740990:9007199254740991]', simple(2 ** 53 - 1), '9007199254740990:1:1'],
    ['[::9007199254740991]', simple(2 ** 53 - 1), '0:9007199254740991:1'],
  ])('%s of %j', (text, space, expected) => {
    expect(show(resolveSelection(parseSelect(text, 'ranges'), space))).toBe(expected)
  })

  test.each<[string, Dataspace, string]>([
    ['', simple(10), BAD],
    ['2:5', simple(10), BAD],
    ['[2:5', simple(10), BAD],
    ['2:5]', simple(10), BAD],
    ['[', simple(10), BAD],
    ['[]', simple(10), BAD],
    ['[,]', simple(10, 10), BAD],
    ['[1,]', simple(10, 10), BAD],
    ['[a]', simple(10), BAD],
    ['[1.5]', simple(10), BAD],
    ['[+1]', simple(10), BAD],
    ['[1_0]', simple(10), BAD],
    ['[1 2]', simple(10), BAD],
    ['[1:2:3:4]', simple(10), BAD],
    ['[3:-1]', simple(10), BAD],
    ['[-1]', simple(10), BAD],
    ['[0:5:0]', simple(10), BAD],
    ['[0:5:-1]', simple(10), BAD],
    ['[99999999999999999999]', simple(10), BAD],
    ['[0,[1,3]]', simple(10, 10), BAD],
    ['[1:x]', simple(10), BAD],
    ['all', simple(10), BAD],
    ['[:]', simple(10, 10), BAD],
    ['[:,:]', simple(10), BAD],
    ['[11:]', simple(10), OUT],
    ['[0:11]', simple(10), OUT],
    ['[10]', simple(10), OUT],
    ['[0]', simple(0), OUT],
    ['[:]', { class: 'H5S_NULL' }, 'null-dataspace'],
  ])('%s of %j is an error', (text, space, code) => {
    expect(codeOf(() => resolveSelection(parseSelect(text, 'ranges'), space))).toBe(code)
  })
})

describe('select with lists (hsds-values 9)', () => {
  test.each<[string, Dataspace, string]>([
    ['[:]', simple(0), '0:1:0'],
    ['[::]', simple(4), '0:1:4'],
    ['[9]', simple(10), '9:1:1'],
    ['[2:5,\t 1 ]', simple(10, 10), '2:1:3,1:1:1'],
    ['[0:6:3,0:8:4]', simple(4, 6), '0:3:2,0:4:2'],
    ['[1:13:4]', simple(10), '1:4:3'],
    ['[1:3,[2,4,7]]', simple(10, 10), '1:1:2 and [2,4,7] in 1'],
    ['[ [ 7 , 4 , 4 ] ]', simple(10), ' and [7,4,4] in 0'],
    ['[[0,3,7],[6,4,2]]', simple(10, 10), ' and [0,6,3,4,7,2] in 0,1'],
    ['[[1,2],0:4,[3,4]]', simple(10, 4, 10), '0:1:4 and [1,3,2,4] in 0,2'],
    ['[0]', SCALAR, ''],
    ['[0:1]', SCALAR, ''],
    ['[:]', SCALAR, ''],
    ['[[0]]', SCALAR, ''],
  ])('%s of %j', (text, space, expected) => {
    expect(show(resolveSelection(parseSelect(text, 'lists'), space))).toBe(expected)
  })

  test.each<[string, Dataspace, string]>([
    ['ALL', simple(10), BAD],
    ['2:5', simple(10), BAD],
    ['x0:2x', simple(10), BAD],
    ['[3:3]', simple(10), BAD],
    ['[5:2]', simple(10), BAD],
    ['[10:]', simple(10), BAD],
    ['[0:0]', simple(0), BAD],
    ['[0:]', simple(0), BAD],
    ['[]', simple(10), BAD],
    ['[[]]', simple(10), BAD],
    ['[[1,2]', simple(10), BAD],
    ['[[1,2]]]', simple(10), BAD],
    ['[[1,]]', simple(10), BAD],
    ['[[1 2]]', simple(10), BAD],
    ['[[1:2]]', simple(10), BAD],
    ['[[[1]]]', simple(10), BAD],
    ['[-1]', simple(10), BAD],
    ['[+1]', simple(10), BAD],
    ['[1_0]', simple(10), BAD],
    ['[1e1]', simple(10), BAD],
    ['[...]', simple(10), BAD],
    ['[0:5:0]', simple(10), BAD],
    ['[1],[2]', simple(10, 10), BAD],
    ['[[1,2],[3,4,5]]', simple(10, 10), BAD],
    ['[[1,2]]', simple(10, 10), BAD],
    ['[2:18]', simple(10), OUT],
    ['[1:14:4]', simple(10), OUT],
    ['[0:7:3]', simple(4), OUT],
    ['[10]', simple(10), OUT],
    ['[[0,10]]', simple(10), OUT],
    ['[[0]]', simple(0), OUT],
    ['[[99999999999999999999]]', simple(10), BAD],
    ['[1]', SCALAR, OUT],
    ['[0,0]', SCALAR, BAD],
    ['[[0,0]]', SCALAR, BAD],
  ])('%s of %j is an error', (text, space, code) => {
    expect(codeOf(() => resolveSelection(parseSelect(text, 'lists'), space))).toBe(code)
  })

  test.each<[JsonValue, Dataspace, string]>([
    ['[3:5]', simple(10), '3:1:2'],
    [[[0, 1, 3, 7]], simple(10), ' and [0,1,3,7] in 0'],
    [[3, '3:7'], simple(10, 10), '3:1:1,3:1:4'],
    [[':', '[2,5]'], simple(3, 10), '0:1:3 and [2,5] in 1'],
    [[' 4 ', '::2'], simple(10, 3), '4:1:1,0:2:2'],
  ])('JSON %o of %o (9.3)', (json, space, expected) => {
    expect(show(resolveSelection(parseSelectJson(json, 'lists'), space))).toBe(expected)
  })

  test.each<[JsonValue, Dataspace, string]>([
    [[], simple(10), BAD],
    [[[]], simple(10), BAD],
    [3, simple(10), BAD],
    [true, simple(10), BAD],
    [new Map(), simple(10), BAD],
    [[1.5], simple(10), BAD],
    [[true], simple(10), BAD],
    [[null], simple(10), BAD],
    [[[1, '2']], simple(10), BAD],
    [[[[1]]], simple(10), BAD],
    [['[3:5]'], simple(10), BAD],
    [['3:5,1'], simple(10), BAD],
    [[''], simple(10), BAD],
    [[1, 2], simple(10), BAD],
    [[-1], simple(10), OUT],
    [[[3, -1]], simple(10), OUT],
    [[10], simple(10), OUT],
    [[2n ** 60n], simple(10), OUT],
  ])('JSON %o of %o is an error', (json, space, code) => {
    expect(codeOf(() => resolveSelection(parseSelectJson(json, 'lists'), space))).toBe(code)
  })

  test('in the grammar of ranges the JSON of a selection is its text', () => {
    expect(show(resolveSelection(parseSelectJson('[3:3]', 'ranges'), simple(10)))).toBe('3:1:0')
    expect(parseSelectJson('ALL', 'ranges')).toBe(SELECT_ALL)
    expect(codeOf(() => parseSelectJson([3], 'ranges'))).toBe(BAD)
    expect(codeOf(() => parseSelectJson('[[3]]', 'ranges'))).toBe(BAD)
  })

  type Numbers = JsonValue | undefined
  test.each<[Numbers, Numbers, Numbers, Dataspace, string]>([
    [2, 5, undefined, simple(10), '2:1:3'],
    [0, 10, null, simple(10), '0:1:10'],
    [[0, 1], [4, 8], [2, 3], simple(4, 8), '0:2:2,1:3:3'],
    [[2], 5, 20, simple(10), '2:20:1'],
    [0, 1, undefined, SCALAR, ''],
  ])('start %o stop %o step %o of %o (9.4)', (start, stop, step, space, expected) => {
    expect(show(resolveSelection(parseStartStop(start, stop, step), space))).toBe(expected)
  })

  test.each<[Numbers, Numbers, Numbers, Dataspace, string]>([
    [2, undefined, undefined, simple(10), BAD],
    [undefined, 2, undefined, simple(10), BAD],
    [null, 2, undefined, simple(10), BAD],
    [undefined, undefined, 2, simple(10), BAD],
    [2, 2, undefined, simple(10), BAD],
    [2, 0, undefined, simple(10), BAD],
    [0, 2, 0, simple(10), BAD],
    [0, 2, -1, simple(10), BAD],
    [[0, 0], [2, 2], 1, simple(10, 10), BAD],
    [[0, 0], [2], undefined, simple(10, 10), BAD],
    [[0], [2], undefined, simple(10, 10), BAD],
    [1.5, 2, undefined, simple(10), BAD],
    ['1', 2, undefined, simple(10), BAD],
    [true, 2, undefined, simple(10), BAD],
    [-1, 2, undefined, simple(10), OUT],
    [0, 11, undefined, simple(10), OUT],
    [10, 11, undefined, simple(10), OUT],
    [0, 2, undefined, SCALAR, OUT],
  ])('start %o stop %o step %o of %o is an error', (start, stop, step, space, code) => {
    expect(codeOf(() => resolveSelection(parseStartStop(start, stop, step), space))).toBe(code)
  })
})

describe('start, stop, step (classic 7.10)', () => {
  test.each<[JsonValue | undefined, JsonValue | undefined, JsonValue | undefined, Dataspace, string]>([
    [undefined, undefined, undefined, simple(4, 5), '0:1:4,0:1:5'],
    [2, undefined, undefined, simple(10), '2:1:8'],
    [0, 3, 0, simple(10), '0:1:3'],
    [null, 0, null, simple(10), '0:1:10'],
    [[0, 1], [4, 8], [2, 3], simple(4, 8), '0:2:2,1:3:3'],
    [[1, 1], undefined, [0, 1], simple(4, 8), '1:1:3,1:1:7'],
    [[], undefined, undefined, simple(4), '0:1:4'],
    [undefined, undefined, 4, simple(4), '0:4:1'],
  ])('%o %o %o of %o', (start, stop, step, space, expected) => {
    expect(show(resolveSelection(parseHyperslab(start, stop, step), space))).toBe(expected)
  })

  test.each<[JsonValue | undefined, JsonValue | undefined, JsonValue | undefined, Dataspace, string]>([
    [2, undefined, undefined, simple(10, 10), BAD],
    [[1, 2], undefined, undefined, simple(10), BAD],
    [-1, undefined, undefined, simple(10), OUT],
    [10, undefined, undefined, simple(10), OUT],
    [1, 11, undefined, simple(10), OUT],
    [3, 3, undefined, simple(10), BAD],
    [3, 2, undefined, simple(10), BAD],
    [[0, 0], [0, 3], undefined, simple(4, 4), BAD],
    [1, 2, -1, simple(10), OUT],
    [1, 2, 11, simple(10), OUT],
    [1.5, undefined, undefined, simple(10), BAD],
    [true, undefined, undefined, simple(10), BAD],
    [false, undefined, undefined, simple(10), BAD],
    ['1', undefined, undefined, simple(10), BAD],
    [[1, null], undefined, undefined, simple(4, 4), BAD],
    [new Map(), undefined, undefined, simple(10), BAD],
    [2n ** 60n, undefined, undefined, simple(10), OUT],
    [1e300, undefined, undefined, simple(10), OUT],
    [1, undefined, undefined, { class: 'H5S_SCALAR' }, BAD],
    [1, undefined, undefined, { class: 'H5S_NULL' }, 'null-dataspace'],
  ])('%o %o %o of %o is an error', (start, stop, step, space, code) => {
    expect(codeOf(() => resolveSelection(parseHyperslab(start, stop, step), space))).toBe(code)
  })
})

describe('what is parsed in one go is limited', () => {
  const many = Array.from({ length: 2 ** 18 }, (_, i) => i)

  test.each<[string, JsonValue]>([
    ['a string', `[[${many},${many}]]`],
    ['lists', [[...many, ...many]]],
    ['two lists', [many, many]],
    ['a list and a string', [many, `[${many}]`]],
  ])('524,288 coordinates in %s, not one more', (_, select) => {
    expect(parseSelectJson(select, 'lists').kind).toBe('select')
    const more =
      typeof select === 'string' ? `${select.slice(0, -1)},[0]]` : [...(select as JsonValue[]), [0]]
    expect(codeOf(() => parseSelectJson(more, 'lists'))).toBe('selection-too-large')
  })

  test.each<[string, JsonValue]>([
    ['text', `[${'1,'.repeat(32)}1]`],
    ['JSON', new Array(33).fill(1)],
  ])('32 dimensions in %s', (_, select) => {
    expect(codeOf(() => parseSelectJson(select, 'lists'))).toBe('malformed-selection')
  })
})

describe('scalars', () => {
  test.each<[string, SelectionRequest]>([
    ['all', SELECT_ALL],
    ['select, which is ignored', parseSelect('[3:4]', 'ranges')],
    ['start, stop and step that are all defaults', parseHyperslab(0, undefined, 0)],
  ])('one element of rank 0 for %s', (_, request) => {
    const selection = resolveSelection(request, { class: 'H5S_SCALAR' })
    expect(selectionShape(selection)).toEqual([])
    expect(selectionCount(selection)).toBe(1)
  })
})
