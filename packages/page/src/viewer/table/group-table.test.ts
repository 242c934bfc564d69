import type { Datatype, Domain, SelectedElements } from '@hyperslab/client'
import { expect, test } from 'vitest'
import type { Contents, Entity } from '../data/contents.ts'
import { type Column, columnsOf } from './columns.ts'
import { csvOf } from './csv.ts'
import { groupSource } from './group-source.ts'
import { groupTableOf } from './group-table.ts'
import { leftOutText } from './model.ts'
import { findRows, PAGE_ROWS, readRows } from './rows.ts'

const I64: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I64LE' }
const TEXT: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }

interface Stored {
  readonly values?: readonly unknown[]
  readonly shape?: readonly number[]
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
}

/** A domain with objects at these paths: groups have no values. */
function contentsOf(objects: Readonly<Record<string, Stored>>) {
  const requests: (readonly SelectedElements[])[] = []
  const at = async (path: string): Promise<Entity> => {
    const { values, shape = values && [values.length], attributes = {} } = objects[path] ?? {}
    if (!(path in objects)) throw new Error(`nothing at ${path}`)
    const type = typeof values?.[0] === 'string' ? TEXT : I64
    const data = Object.entries(attributes).map(([name, value]) => [name, { data: [value].flat() }] as const)
    const dataset = shape && { id: path, type, shape, stamp: 0 }
    const name = path.slice(path.lastIndexOf('/') + 1)
    return {
      path,
      name,
      kind: dataset ? 'dataset' : 'group',
      dataset,
      attributes: new Map(data),
    } as unknown as Entity
  }
  const read = ({ dataset, select = [], points }: SelectedElements) => {
    const { values = [], shape = [values.length] } = objects[dataset.id] ?? {}
    const [, width = 1] = shape
    const pick = (row: number, at: number) => values[row * width + at]
    if (points)
      return points.map(point =>
        typeof point === 'number' ? pick(point, 0) : pick(point[0] ?? 0, point[1] ?? 0),
      )
    const [rows, at] = select as readonly (
      | number
      | { start?: number; stop?: number; step?: number }
      | undefined
    )[]
    const { start = 0, stop = shape[0] ?? 0, step = 1 } = typeof rows === 'object' ? rows : {}
    const places = at === undefined ? [...Array(width).keys()] : [Number(at)]
    const found: unknown[] = []
    for (let row = start; row < stop; row += step) found.push(...places.map(place => pick(row, place)))
    return found
  }
  const domain = {
    pathOf: () => '/d.h5',
    read: async (dataset: SelectedElements['dataset']) => ({ data: read({ dataset }) }),
    async readSeveral(parts: readonly SelectedElements[]) {
      requests.push(parts)
      return parts.map(part => ({ data: read(part) }))
    },
  } as unknown as Domain
  const firstMembers = async ({ path }: Entity) =>
    Object.keys(objects)
      .filter(other => other.startsWith(`${path}/`) && !other.slice(path.length + 1).includes('/'))
      .map(other => ({ title: other.slice(path.length + 1) }))
  const contents = { at, firstMembers, domain } as unknown as Contents
  const tableAt = async (path: string, kinds: 'default' | 'all' = 'all') =>
    groupTableOf(contents, await at(path), kinds)
  return { tableAt, domain, requests }
}

const NWB = { neurodata_type: 'Units' }
const WHOLE = { filter: '', sort: undefined, isDescending: false }

async function sourceAt(objects: Readonly<Record<string, Stored>>, path: string) {
  const { tableAt, domain, requests } = contentsOf(objects)
  const table = await tableAt(path)
  if (table === undefined) throw new Error('no table')
  const source = groupSource(domain, table)
  const columns = columnsOf(source.fields)
  const names = new Set(source.fields.map(({ name }) => name))
  const rows = async (sort?: Column, isDescending = false) => {
    const order = await findRows(source, { filter: '', sort, isDescending })
    return readRows(source, order, 0, names)
  }
  return { table, source, columns, rows, requests }
}

const UNITS = {
  '/units': { attributes: { ...NWB, colnames: ['細胞', 'spikes', 'gone', 'wide', 'short', 'pos'] } },
  '/units/id': { values: [5, 6, 7] },
  '/units/細胞': { values: ['a', 'b', 'c'], attributes: { description: 'its name' } },
  '/units/spikes': { values: [1, 2, 3, 4, 5], attributes: { description: 'times', unit: 's' } },
  '/units/spikes_index': { values: [2, 2, 5] },
  '/units/wide': { values: [], shape: [3, 82] },
  '/units/short': { values: [1, 2] },
  '/units/pos': { values: [1, 2, 3, 4, 5, 6], shape: [3, 2] },
}

test('a table of NWB has the columns that it names, counts of lists, and notes on the rest', async () => {
  const { table, rows, columns, requests } = await sourceAt(UNITS, '/units')
  expect([table.isDefault, table.count]).toEqual([true, 3])
  expect(columns.map(({ name }) => name)).toEqual(['id', '細胞', 'spikes (count)', 'pos[0]', 'pos[1]'])
  expect(table.columns.map(({ description }) => description)).toEqual([
    undefined,
    'its name',
    'times, in s',
    undefined,
  ])
  expect(leftOutText(table.leftOut)).toBe(
    'Left out: gone (not there), wide (82 values in a row), short (2 rows).',
  )
  expect(await rows()).toEqual([
    [5, 'a', 2, [1, 2]],
    [6, 'b', 0, [3, 4]],
    [7, 'c', 3, [5, 6]],
  ])
  // All columns in one request.
  expect(requests).toHaveLength(1)
})

test('rows are sorted by each kind of column', async () => {
  const { rows, columns } = await sourceAt(UNITS, '/units')
  const ids = async (name: string, isDescending: boolean) => {
    const found = await rows(
      columns.find(column => column.name === name),
      isDescending,
    )
    return found.map(([id]) => id)
  }
  expect(await ids('spikes (count)', false)).toEqual([6, 5, 7])
  expect(await ids('pos[1]', true)).toEqual([7, 6, 5])
  expect(await rows(columns[1], true)).toEqual([
    [7, 'c', 3, [5, 6]],
    [6, 'b', 0, [3, 4]],
    [5, 'a', 2, [1, 2]],
  ])
})

const OBS = {
  '/obs': { attributes: { 'encoding-type': 'dataframe', _index: 'cell', 'column-order': ['kind', 'age'] } },
  '/obs/cell': { values: ['x', 'y', 'z'] },
  '/obs/kind': {},
  '/obs/kind/codes': { values: [1, -1, 0] },
  '/obs/kind/categories': { values: ['B', 'T'] },
  '/obs/age': {},
  '/obs/age/values': { values: [30, 40, 50] },
  '/obs/age/mask': { values: [0, 1, 0] },
}

test('a frame of AnnData has names for codes, and gaps where values are masked', async () => {
  const { rows, columns, source } = await sourceAt(OBS, '/obs')
  expect(await rows()).toEqual([
    ['x', 'T', 30],
    ['y', undefined, undefined],
    ['z', 'B', 50],
  ])
  expect((await rows(columns[1])).map(([cell]) => cell)).toEqual(['z', 'x', 'y'])
  expect((await rows(columns[2], true)).map(([cell]) => cell)).toEqual(['z', 'x', 'y'])
  expect(await (await csvOf(source, await findRows(source, WHOLE), columns)).text()).toBe(
    'cell,kind,age\r\nx,T,30\r\ny,,\r\nz,B,50\r\n',
  )
})

test('a condition finds rows by each kind of column, which are sorted and saved as they are shown', async () => {
  const { source, columns, requests } = await sourceAt(OBS, '/obs')
  const [, kind, age] = columns
  const shown = async (filter: string, sort = kind, isDescending = false) => {
    const order = await findRows(source, { filter, sort, isDescending })
    return (await csvOf(source, order, columns)).text()
  }
  expect(await shown("kind == 'B' OR age == 30")).toBe('cell,kind,age\r\nz,B,50\r\nx,T,30\r\n')
  expect(await shown("kind == 'B' OR age == 30", age)).toBe('cell,kind,age\r\nx,T,30\r\nz,B,50\r\n')
  expect(await shown('', age, true)).toBe('cell,kind,age\r\nz,B,50\r\nx,T,30\r\ny,,\r\n')
  expect(await source.column(age as Column, 'age > 30', { limit: 5 })).toEqual([50])
  await expect(source.find('nobody == 1', undefined)).rejects.toThrow('no column nobody')
  // Only the columns that it names are read, once for a condition.
  requests.length = 0
  await source.find('age > 40', undefined)
  await source.find('age > 40', undefined)
  expect(requests.flat().map(({ dataset }) => dataset.id)).toEqual(['/obs/age/values', '/obs/age/mask'])
})

test('a frame of pandas has the columns of its blocks in their order', async () => {
  const objects = {
    '/f': { attributes: { pandas_type: 'frame' } },
    '/f/axis0': { values: ['a', 'b', 'c'] },
    '/f/axis1': { values: [10, 20] },
    '/f/block0_items': { values: ['c', 'a'] },
    '/f/block0_values': { values: [1, 2, 3, 4], shape: [2, 2] },
    '/f/block1_items': { values: ['b'] },
    '/f/block1_values': { values: [], shape: [1] },
  }
  const { table, rows, columns } = await sourceAt(objects, '/f')
  expect([columns.map(({ name }) => name), table.leftOut]).toEqual([['axis1', 'a', 'c'], ['b (not plain)']])
  expect(await rows()).toEqual([
    [10, 2, 1],
    [20, 4, 3],
  ])
  expect((await rows(columns[1], true)).map(([index]) => index)).toEqual([20, 10])
})

test('a measurement is a table of its lines of one length, by choice', async () => {
  const { tableAt } = contentsOf({
    '/m': { attributes: { NX_class: 'NXcollection' } },
    '/m/a': { values: [1, 2, 3] },
    '/m/b': { values: [1, 2, 3] },
    '/m/c': { values: [1, 2] },
    '/m/frames': { values: [], shape: [3, 4, 5] },
    '/one': { attributes: { NX_class: 'NXdata' } },
    '/one/a': { values: [1, 2, 3] },
    '/plain': {},
    '/plain/a': { values: [1] },
  })
  const table = await tableAt('/m')
  expect(table?.columns.map(({ field }) => field.name)).toEqual(['a', 'b'])
  expect([table?.isDefault, table?.leftOut]).toEqual([false, ['c (2 rows)']])
  // Its plot does not wait for it.
  expect(await tableAt('/m', 'default')).toBeUndefined()
  expect(await tableAt('/one')).toBeUndefined()
  expect(await tableAt('/plain')).toBeUndefined()
  expect(await tableAt('/m/a')).toBeUndefined()
})

test('a table without rows, and one of a million, are read as far as they are in sight', async () => {
  const empty = await sourceAt(
    { '/t': { attributes: { ...NWB, colnames: ['a'] } }, '/t/id': { values: [] }, '/t/a': { values: [] } },
    '/t',
  )
  expect([empty.table.count, await empty.rows(), empty.requests]).toEqual([0, [], []])
  const ends = { length: 1e6 } as unknown as readonly unknown[]
  const { table, source, requests } = await sourceAt(
    {
      '/t': { attributes: { ...NWB, colnames: ['a'] } },
      '/t/a': { values: [] },
      '/t/a_index': { values: ends },
    },
    '/t',
  )
  await readRows(source, await findRows(source, WHOLE), 999_900, new Set(['a (count)']))
  expect([table.count, requests.length, requests[0]?.[0]?.select]).toEqual([
    1e6,
    1,
    [{ start: 999_899, stop: 1e6 }],
  ])
  expect(PAGE_ROWS).toBeGreaterThan(100)
})
