import type { Datatype } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { meaningOf } from '../meaning/values.ts'
import { statisticsTable } from './statistics-table.ts'

const INT16: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I16LE' }
const FOUND = { count: 2_097_152, nanCount: 2_097_152, min: 100, max: 300, mean: 100.5, hrefs: [] }

test('statistics of packed numbers say what they are stored as, what they mean, and how many are missing', () => {
  const attributes = new Map(
    Object.entries({ _FillValue: Int16Array.of(-32_767), scale_factor: Float64Array.of(0.5) }).map(
      ([name, data]) => [
        name,
        {
          name,
          form: { kind: data instanceof Int16Array ? 'signed' : 'float', size: data.BYTES_PER_ELEMENT },
          data,
        },
      ],
    ),
  )
  const meaning = meaningOf(INT16, attributes as never)
  expect(statisticsTable({ ...FOUND, standardDeviation: 2.5 }, INT16, meaning)).toEqual({
    hasMeaning: true,
    rows: [
      ['Numbers', '2,097,152', ''],
      ['Missing or NaN', '2,097,152', ''],
      ['Least', '100', '50'],
      ['Greatest', '300', '150'],
      ['Mean', '100.5', '50.25'],
      ['Standard deviation', '2.5', ''],
    ],
  })
})

test('statistics of plain numbers have one column, also where JSON has no number', () => {
  const { rows, hasMeaning } = statisticsTable(
    { ...FOUND, nanCount: 3, max: null, min: '-9223372036854775808' as never },
    INT16,
    meaningOf(INT16, new Map()),
  )
  expect(hasMeaning).toBe(false)
  expect(rows.slice(1, 4).map(row => row.slice(0, 2))).toEqual([
    ['NaN', '3'],
    ['Least', '-9223372036854775808'],
    ['Greatest', '—'],
  ])
})
