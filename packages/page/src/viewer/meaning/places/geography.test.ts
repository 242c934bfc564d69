// Places on the earth, from axes and coordinates as describeAxes finds them.

import type { Datatype, Domain } from '@hyperslab/client'
import { expect, it } from 'vitest'
import type { DimensionUse } from '../../view-address.ts'
import type { Axis, DatasetAt } from '../axes.ts'
import { geographyOf, readCorners } from './geography.ts'

const DOUBLE: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }

function grid(path: string, shape: readonly number[], units?: string): DatasetAt {
  const attributes = new Map(units === undefined ? [] : [['units', { data: [units] }]])
  return {
    path,
    dataset: { id: path, type: DOUBLE, shape },
    attributes: attributes as never,
  }
}

const only = (...others: readonly DatasetAt[]) => ({ others, gridMapping: undefined })

const NO_AXIS = { role: undefined } as Axis
const axis = (role: Axis['role'], values: readonly number[] = []) =>
  ({
    role,
    source: {},
    coordinates: { numbers: async ({ start = 0, stop = 0 }) => Float64Array.from(values.slice(start, stop)) },
  }) as unknown as Axis

it('two axes are the places, whatever other coordinates there are', () => {
  const axes = [axis('time'), axis('latitude'), axis('longitude')]
  expect(geographyOf([2, 3, 4], axes, only(grid('/lat', [3, 4], 'degrees_north')))).toMatchObject({
    kind: 'axes',
    y: 1,
    x: 2,
  })
})

it.each([
  ['a swath', [1, 30, 20], [30, 20], [1, 2]],
  ['a swath with the time', [1, 30, 20], [1, 30, 20], [0, 1, 2]],
  ['a grid of a model that moves', [4, 9, 30, 20], [4, 30, 20], [0, 2, 3]],
  ['a grid whose columns are first', [30, 20, 7], [30, 20], [0, 1]],
])('%s: its coordinates have the dimensions of their lengths', (_, shape, own, dimensions) => {
  const others = [grid('/lon', own, 'degrees_east'), grid('/lat', own, 'degrees_north')]
  const axes = shape.map(() => NO_AXIS)
  expect(geographyOf(shape, axes, only(...others))).toMatchObject({
    kind: 'grids',
    y: dimensions.at(-2),
    x: dimensions.at(-1),
    latitude: { path: '/lat', dimensions },
    longitude: { path: '/lon', dimensions },
  })
})

it('what does not have both coordinates of the same rows and columns is nowhere', () => {
  const lat = grid('/lat', [3, 4], 'degrees_north')
  const axes = [NO_AXIS, NO_AXIS]
  expect(geographyOf([3, 4], axes, only())).toBeUndefined()
  expect(geographyOf([3, 4], axes, only(lat))).toBeUndefined()
  expect(geographyOf([3, 4], axes, only(lat, grid('/lon', [5, 4], 'degrees_east')))).toBeUndefined()
  expect(geographyOf([3, 4], axes, only(lat, grid('/height', [3, 4], 'm')))).toBeUndefined()
})

it('names of HDF-EOS say it where no attribute does', () => {
  const others = ['Latitude', 'Longitude'].map(name => grid(`/SWATHS/O3/Geolocation Fields/${name}`, [3, 4]))
  expect(geographyOf([3, 4], [NO_AXIS, NO_AXIS], only(...others))).toMatchObject({
    kind: 'grids',
    y: 0,
    x: 1,
  })
})

const NO_SIGNAL = new AbortController().signal
const all = (length: number, block = 1) => ({ start: 0, stop: length, block })

it('blocks along axes have the middle between their ends, also where longitudes begin again', async () => {
  const axes = [axis('latitude', [10, 20, 30, 40, 50]), axis('longitude', [350, 355, 0, 5])]
  const found = geographyOf([5, 4], axes, only())
  if (!found) throw new Error('no places')
  const picture = { uses: ['y', 'x'] as DimensionUse[], y: all(5, 2), x: all(4, 2) }
  const { rows, columns, latitudes, longitudes } = await readCorners({} as Domain, found, picture, NO_SIGNAL)
  expect([rows, columns]).toEqual([3, 2])
  expect(Array.from({ length: 4 }, (_, row) => latitudes[3 * row])).toEqual([5, 25, 42.5, 57.5])
  // 352.5 and 2.5 are 10 apart.
  expect(Array.from(longitudes.subarray(0, 3))).toEqual([347.5, 357.5, 367.5])
})

it('a grid is read in the middles of the blocks, in its order and at the index of its other dimensions', async () => {
  const reads: unknown[] = []
  const domain = {
    async read({ id }: { readonly id: string }, { select }: { readonly select: readonly object[] }) {
      reads.push(select)
      const rows = 2
      const values = Array.from({ length: 4 }, (_, i) =>
        id === '/lat' ? (i % rows) * 10 : Math.floor(i / rows) * 10,
      )
      return { shape: [2, 2], data: Float64Array.from(values) }
    },
  } as unknown as Domain
  const others = [grid('/lon', [3, 4, 5], 'degrees_east'), grid('/lat', [3, 4, 5], 'degrees_north')]
  const found = geographyOf([3, 4, 5], [NO_AXIS, NO_AXIS, NO_AXIS], only(...others))
  if (!found) throw new Error('no places')
  // The map has the columns of the file as rows.
  const turned = { ...found, y: 2, x: 1 }
  const picture = { uses: [2, 'x', 'y'] as DimensionUse[], y: all(5, 3), x: all(4, 2) }
  const { rows, columns, latitudes } = await readCorners(domain, turned, picture, NO_SIGNAL)
  expect(reads[0]).toEqual([2, { start: 1, stop: 4, step: 2 }, { start: 1, stop: 5, step: 3 }])
  expect([rows, columns]).toEqual([2, 2])
  expect(latitudes[1]).toBeLessThan(latitudes[7] ?? 0)
})

it('coordinates of a plane are projected back, if the file says which plane it is', async () => {
  const axes = [axis('y', [-1, 1]), axis('x', [-1, 1])]
  const mapping = (name: string) =>
    new Map([
      ['grid_mapping_name', { data: [name] }],
      ['longitude_of_projection_origin', { data: [10] }],
    ]) as never
  expect(geographyOf([2, 2], axes, only())).toBeUndefined()
  const picture = { uses: ['y', 'x'] as DimensionUse[], y: all(2), x: all(2) }
  const read = async (name: string) => {
    const found = geographyOf([2, 2], axes, { others: [], gridMapping: mapping(name) })
    if (!found) throw new Error('no places')
    return readCorners({} as Domain, found, picture, NO_SIGNAL)
  }
  const { longitudes, latitudes } = await read('mercator')
  expect([longitudes[4], latitudes[4]]).toEqual([expect.closeTo(10), expect.closeTo(0)])
  await expect(read('nobody_knows')).rejects.toThrow('projection of the coordinates is not known')
})

it('of a very long axis not all coordinates are read', async () => {
  const read: number[] = []
  const long = (role: Axis['role'], length: number) => {
    const numbers = async ({ start = 0, stop = 0, step = 1 }) => {
      read.push(Math.ceil((stop - start) / step))
      return Float64Array.from(
        { length: Math.ceil((stop - start) / step) },
        (_, i) => ((start + i * step) * 10) / length,
      )
    }
    return { role, source: {}, coordinates: { numbers } } as unknown as Axis
  }
  const length = 10_000_000
  const found = geographyOf([length, length], [long('latitude', length), long('longitude', length)], only())
  if (!found) throw new Error('no places')
  const picture = { uses: ['y', 'x'] as DimensionUse[], y: all(length, 2 ** 20), x: all(length, 2 ** 20) }
  const { rows, latitudes } = await readCorners({} as Domain, found, picture, NO_SIGNAL)
  expect(Math.max(...read)).toBeLessThanOrEqual(65_536)
  expect([rows, latitudes[11]]).toEqual([10, expect.closeTo(1.0486, 3)])
})
