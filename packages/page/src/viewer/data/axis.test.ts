import { Hyperslab } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import type { DatasetAt } from '../meaning/axes.ts'
import { Coordinates } from '../meaning/coordinates.ts'
import { meaningOf } from '../meaning/values.ts'
import { axisOf, sampledCoordinates } from './axis.ts'

const domain = new Hyperslab('http://test').domain('/a')
const meaning = meaningOf({ class: 'H5T_STRING', length: 8 }, new Map())

function stations(length: number, isEdged: boolean) {
  const dataset = { id: 'd-name', type: { class: 'H5T_STRING', length: 8 }, shape: [length] } as const
  const source: DatasetAt = { path: '/name', dataset, attributes: new Map() }
  const coordinates = new Coordinates(domain, { length, dataset, meaning })
  const axis = { name: 'name', label: 'Station', length, source, meaning, coordinates, growsDown: false }
  const names = ['Oslo', 'Bergen', 'Bodø'].slice(0, length)
  return axisOf(
    { ...axis, role: undefined },
    { step: 1, values: Float64Array.from(names.keys()), names },
    isEdged,
  )
}

describe('an axis of names', () => {
  test.each([
    [false, 1, 'Bergen'],
    [false, 0.5, ''],
    [false, 3, ''],
    // The middle of a pixel.
    [true, 1.5, 'Bergen'],
    [true, 1, ''],
  ])('with edges: %s, position %s', (isEdged, position, name) => {
    const { toCoordinate, toPosition, format } = stations(3, isEdged)
    const coordinate = toCoordinate(position)
    expect(format?.(coordinate)).toBe(name)
    expect(toPosition(coordinate)).toBe(position)
  })

  test('of one element', () => {
    const { format, isIndex } = stations(1, true)
    expect([isIndex, format?.(0)]).toEqual([true, 'Oslo'])
  })
})

test('an axis that falls back to indexes does not write them as dates', () => {
  const attributes = new Map([
    [
      'units',
      {
        name: 'units',
        type: { class: 'H5T_STRING', length: 99 },
        shape: [],
        data: ['days since 2000-01-01'],
      },
    ],
  ] as const)
  const type = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const
  const time = meaningOf(type, attributes)
  const dataset = { id: 'd-time', type, shape: [2] }
  const coordinates = new Coordinates(domain, { length: 2, dataset, meaning: time })
  const source = { path: '/time', dataset, attributes }
  const axis = {
    name: 'time',
    label: 'time',
    length: 2,
    source,
    meaning: time,
    coordinates,
    growsDown: false,
  }
  const known = axisOf({ ...axis, role: 'time' }, { step: 1, values: Float64Array.of(0, 1) }, false)
  expect(known.format?.(1)).toBe('2000-01-02')
  const missing = axisOf(
    { ...axis, role: 'time' },
    { step: 1, values: Float64Array.of(0, Number.NaN) },
    false,
  )
  expect([missing.isIndex, missing.format]).toEqual([true, undefined])
})

test('of 50 million coordinates an axis reads few', async () => {
  const type = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const
  const length = 50_000_000
  const selections: (readonly { start: number; stop: number; step?: number }[])[] = []
  const read = async (_: unknown, { select }: { readonly select: (typeof selections)[number] }) => {
    selections.push(select)
    const count = select.reduce((sum, { start, stop, step = 1 }) => sum + Math.ceil((stop - start) / step), 0)
    return { shape: [count], data: new Float64Array(count) }
  }
  const numbers = meaningOf(type, new Map())
  const dataset = { id: 'd-a', type, shape: [length] }
  const coordinates = new Coordinates({ read } as never, { length, dataset, meaning: numbers })
  const axis = { coordinates, length, meaning: numbers }
  const { step, values } = await sampledCoordinates(axis, new AbortController().signal)
  expect([step, values.length]).toEqual([763, 65_531])
  expect(selections).toEqual([[{ start: 0, stop: length, step: 763 }]])
})
