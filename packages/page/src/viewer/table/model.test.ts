import { Hyperslab } from '@hyperslab/client'
import type { Datatype } from '@hyperslab/client/elements'
import { describe, expect, test } from 'vitest'
import { columnsOf } from './columns.ts'
import { fileAddress, sourceOf } from './compound-source.ts'
import {
  type CompoundType,
  cellText,
  emptyReason,
  nextSort,
  shownColumns,
  sortOf,
  statusOf,
} from './model.ts'
import { conditionOf } from './query.ts'
import { findRows, MAX_ROWS, PAGE_ROWS, readRows } from './rows.ts'

const I32: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }
const TYPE: CompoundType = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: I32 },
    { name: 'b', type: I32 },
  ],
}
const [A, B] = columnsOf(TYPE.fields)

/** A service with a table of `count` rows, in which the row i has the members i and 10 - i. */
function newService(count: number, shape: readonly number[] = [count]) {
  const asked: { path: string; query: Record<string, string>; body: unknown }[] = []
  const rowsOf = ({ select, query, fields }: Record<string, string>, body: unknown) => {
    const [, start = '0', stop = String(count)] = /(\d+):(\d+)/.exec(select ?? '') ?? []
    const points = (body as { points?: readonly number[] } | undefined)?.points
    const all = points ?? Array.from({ length: Number(stop) - Number(start) }, (_, i) => i + Number(start))
    const rows = query === undefined ? all : all.filter(row => row % 2 === 1)
    const names = fields?.split(':') ?? ['a', 'b']
    return new Int32Array(rows.flatMap(row => names.map(name => (name === 'a' ? row : 10 - row))))
  }
  const answer = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const { pathname, searchParams } = new URL(String(input))
    const query = Object.fromEntries(searchParams)
    const body: unknown = init?.body === undefined ? undefined : JSON.parse(String(init.body))
    asked.push({ path: `${init?.method} ${pathname}`, query, body })
    const bytes = pathname.endsWith('/query')
      ? BigUint64Array.from({ length: Math.floor(count / 2) }, (_, i) => BigInt(2 * i + 1))
      : rowsOf(query, body)
    return new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } })
  }
  const client = new Hyperslab('http://h', { fetch: answer })
  const dataset = { id: 'd-1', type: TYPE, shape, stamp: 0 }
  const source = sourceOf({ client, domain: client.domain('/t.h5') }, dataset, TYPE, [undefined])
  return { source, asked }
}

const BOTH = new Set(['a', 'b'])

describe('the rows of a table', () => {
  test('are read in pages, as they come in the dataset', async () => {
    const { source, asked } = newService(500)
    const order = await findRows(source, { filter: '', sort: undefined, isDescending: false })
    expect([order, asked]).toEqual([{ count: 500, positions: undefined, isCut: false }, []])
    const rows = await readRows(source, order, 400, BOTH)
    expect(rows).toHaveLength(100)
    expect(cellText(rows[3], B, TYPE)).toBe('-393')
    expect(asked[0]).toMatchObject({ path: 'GET /datasets/d-1/value', query: { select: '[400:500]' } })
    expect(await readRows(source, order, 500, BOTH)).toEqual([])
    expect(await readRows(source, order, 0, BOTH)).toHaveLength(PAGE_ROWS)
  })

  test('that a condition finds are found by the service, and sorted by the page', async () => {
    const { source, asked } = newService(10)
    const request = { filter: 'a > 0', sort: B, isDescending: false }
    const order = await findRows(source, request)
    expect([...(order.positions ?? [])]).toEqual([9, 7, 5, 3, 1])
    expect(asked.map(({ path }) => path)).toEqual(['GET /datasets/d-1/query', 'GET /datasets/d-1/value'])
    expect(asked[1]?.query).toMatchObject({ fields: 'b', query: 'a > 0' })
    const descending = await findRows(source, { ...request, isDescending: true })
    expect([...(descending.positions ?? [])]).toEqual([1, 3, 5, 7, 9])
    const [first] = await readRows(source, order, 0, BOTH)
    expect([cellText(first, A, TYPE), cellText(first, B, TYPE)]).toEqual(['9', '1'])
    expect(asked.at(-1)).toMatchObject({
      path: 'POST /datasets/d-1/value',
      body: { points: [9, 7, 5, 3, 1] },
    })
  })

  test('have the members of the columns that are shown, and no others', async () => {
    const { source, asked } = newService(3)
    const order = { count: 3, positions: undefined, isCut: false }
    const rows = await readRows(source, order, 0, new Set(['b']))
    expect(asked[0]?.query.fields).toBe('b')
    expect(rows.map(row => cellText(row, B, TYPE))).toEqual(['10', '9', '8'])
  })

  test('of too many are not sorted, and the reason is said', async () => {
    const { source } = newService(MAX_ROWS + 1)
    await expect(findRows(source, { filter: '', sort: A, isDescending: false })).rejects.toThrow(
      'filter the rows first',
    )
  })
})

test('a click on the head of a column sorts, then in the other direction, then not', () => {
  const none = { sort: undefined, isDescending: false }
  const one = nextSort('a', sortOf(A, none))
  const two = nextSort('a', sortOf(A, one))
  expect([one, two, nextSort('a', sortOf(A, two))]).toEqual([
    { sort: 'a', isDescending: false },
    { sort: 'a', isDescending: true },
    none,
  ])
  expect([sortOf(A, one), sortOf(A, two), sortOf(B, one)]).toEqual(['ascending', 'descending', undefined])
  expect(nextSort('b', sortOf(B, two))).toEqual({ sort: 'b', isDescending: false })
})

test('columns that are hidden are not shown', () => {
  const columns = columnsOf(TYPE.fields)
  expect(shownColumns(columns, ['a', 'no such']).map(({ name }) => name)).toEqual(['b'])
  expect([cellText(undefined, A, TYPE), cellText([1, 2], undefined, TYPE)]).toEqual([undefined, undefined])
})

test.each([
  [{ columns: 2, whole: 0, found: 0 }, 'The table has no rows: an extent is 0.'],
  [{ columns: 0, whole: 3, found: 3 }, 'No column is chosen.'],
  [{ columns: 2, whole: 3, found: 0 }, 'The condition holds for no row.'],
  [{ columns: 2, whole: 3, found: undefined }, undefined],
])('a table of %j says why there is nothing', (size, reason) => {
  expect(emptyReason(size)).toBe(reason)
})

const order = (count: number, isCut = false) => ({ count, positions: undefined, isCut })

test.each<[Partial<Parameters<typeof statusOf>[0]>, string]>([
  [{ isLoading: true }, 'Loading …'],
  [{ isLoading: true, filter: 'a > 0' }, 'Searching …'],
  [{ isLoading: true, filter: 'a > 0', sort: A }, 'Sorting by a …'],
  [{}, '5,000 rows'],
  [{ order: order(1) }, '1 row, in the order of the dataset.'],
  [{ order: order(7), filter: 'a > 0' }, '7 rows of 5,000, in the order of the dataset.'],
  [{ order: order(5000), sort: A }, '5,000 rows, sorted by a, least first.'],
  [{ order: order(5000), sort: A, isDescending: true }, '5,000 rows, sorted by a, greatest first.'],
  [
    { order: order(MAX_ROWS, true), filter: 'a > 0' },
    'The first 4,000,000 rows for which the condition holds, in the order of the dataset.',
  ],
])('%j is told as %s', (part, text) => {
  const status = { whole: 5000, order: undefined, isLoading: false, filter: '', sort: undefined }
  expect(statusOf({ ...status, isDescending: false, ...part })).toBe(text)
})

test('files have the rows that are found and the members of the columns that are shown', () => {
  const { source } = newService(3)
  const columns = columnsOf(TYPE.fields)
  const query = (...given: readonly [string, typeof columns]) =>
    Object.fromEntries(new URL(fileAddress(source, ...given, 'csv')).searchParams)
  const whole = { domain: '/t.h5', format: 'csv', select: '[:]' }
  expect(query('', columns)).toEqual(whole)
  expect(query('a > 0', columns.slice(1))).toEqual({ ...whole, fields: 'b', query: 'a > 0' })
})

describe('rows of variable size', () => {
  const text: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
  const type: CompoundType = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'näme', type: text },
      { name: 'list', type: { class: 'H5T_VLEN', base: I32 } },
    ],
  }
  /** The length before the bytes. */
  const sized = (bytes: Uint8Array) => [...new Uint8Array(Int32Array.of(bytes.length).buffer), ...bytes]
  const rowBytes = ([name, list]: readonly [string, readonly number[]], isWhole: boolean) => [
    ...sized(new TextEncoder().encode(name)),
    ...(isWhole ? sized(new Uint8Array(Int32Array.from(list).buffer)) : []),
  ]
  const ROWS = [
    ['b', [1, 2]],
    ['', []],
    ['a', [3]],
  ] as const

  test('are sorted by a string, and have lists', async () => {
    const client = new Hyperslab('http://h', {
      fetch: async (input, init) => {
        const isWhole = !new URL(String(input)).searchParams.has('fields')
        const { points } = JSON.parse(String(init?.body ?? '{}')) as { readonly points?: readonly number[] }
        const rows = points ? points.map(at => ROWS[at] ?? ROWS[0]) : ROWS
        return new Response(Uint8Array.from(rows.flatMap(row => rowBytes(row, isWhole))))
      },
    })
    const dataset = { id: 'd-1', type, shape: [3], stamp: 0 }
    const source = sourceOf({ client, domain: client.domain('/t.h5') }, dataset, type, [undefined])
    const columns = columnsOf(type.fields)
    const order = await findRows(source, { filter: '', sort: columns[0], isDescending: false })
    expect([...(order.positions ?? [])]).toEqual([1, 2, 0])
    const rows = await readRows(source, order, 0, new Set(['näme', 'list']))
    expect(rows.map(row => columns.map(column => cellText(row, column, type)))).toEqual([
      ['', '[]'],
      ['a', '[3]'],
      ['b', '[1, 2]'],
    ])
  })
})

test('cells of nested columns have the names of their values', () => {
  const flag: Datatype = {
    class: 'H5T_ENUM',
    base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
    mapping: { BAD: 0, GOOD: 1 },
  }
  const x: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
  const hit: Datatype = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'x (m)', type: x },
      { name: 'flag', type: flag },
    ],
  }
  const type: CompoundType = {
    class: 'H5T_COMPOUND',
    fields: [{ name: 'hits', type: { class: 'H5T_ARRAY', base: hit, dims: [2] } }],
  }
  const columns = columnsOf(type.fields)
  const row = [
    [
      [0, 0],
      [3.5, 1],
    ],
  ]
  const cells = columns.map(column => [column.name, cellText(row, column, type)])
  expect(cells).toEqual([
    ['hits[0].x (m)', '0'],
    ['hits[0].flag', 'BAD'],
    ['hits[1].x (m)', '3.5'],
    ['hits[1].flag', 'GOOD'],
  ])
  const conditions = [
    columns[3] && conditionOf(columns[3], '==', 'GOOD'),
    columns[2] && conditionOf(columns[2], '>', '2'),
  ]
  expect(conditions).toEqual(['hits[1].flag == 1', '"hits[1].x (m)" > 2'])
  expect(shownColumns(columns, ['hits[0].flag']).map(column => cellText(row, column, type))).toEqual([
    '0',
    '3.5',
    'GOOD',
  ])
})
