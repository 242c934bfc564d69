import type { Datatype, Domain, Elements } from '@hyperslab/client'
import { expect, test } from 'vitest'
import type { Plot } from '../../data/plot.ts'
import { meaningOf } from '../../meaning/values.ts'
import { Cells } from './cells.ts'
import { matrixOf } from './matrix.ts'
import { COMPLEX, DOUBLE, fakeDomain, meaningWithout, newPlot } from './test-plots.ts'

test.each([[['y', 'x']], [['x', 'y']]] as const)(
  'cells of %j are read in pages when they come in sight',
  async slice => {
    const plot = newPlot({ shape: [500, 500] })
    const { domain, requests } = fakeDomain()
    await new Promise<void>((resolve, reject) => {
      const cells: Cells = new Cells(
        domain,
        { ...matrixOf(plot, { slice }), meaning: plot.meaning },
        { changed: resolve, failed: reject },
      )
      expect(cells.text(129, 268)).toBeUndefined()
      expect(cells.text(130, 260)).toBeUndefined()
    })
    const [rows, columns] = [
      { start: 128, stop: 256 },
      { start: 256, stop: 288 },
    ]
    expect(requests).toEqual([
      { select: slice[0] === 'y' ? [rows, columns] : [columns, rows], reduce: undefined },
    ])
  },
)

/** The texts of the cells of one row, as the matrix of a dataset of this type shows them. */
async function textsOf(
  type: Datatype,
  data: Elements,
  notation: 'auto' | 'exact',
  parts: Partial<Plot> = {},
) {
  const plot = newPlot({ shape: [data.length], type }, parts)
  const domain = { read: async () => ({ shape: [data.length], data }) } as unknown as Domain
  const cells: Cells = await new Promise((resolve, reject) => {
    const cells: Cells = new Cells(
      domain,
      { ...matrixOf(plot, { notation }), meaning: plot.meaning },
      { changed: () => resolve(cells), failed: reject },
    )
    cells.text(0, 0)
  })
  return Array.from(data, (_, i) => cells.text(i, 0))
}

const INT64: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I64LE' }
const STRING: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }

test.each<[string, Datatype, Elements, readonly string[]]>([
  [
    'integers of 64 bits',
    INT64,
    BigInt64Array.of(2n ** 53n + 1n, -(2n ** 63n)),
    ['9007199254740993', '-9223372036854775808'],
  ],
  ['floats', DOUBLE, Float64Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY), ['0.5', 'NaN', 'Infinity']],
  ['strings', STRING, ['Å → 測定', '<b>no markup</b>'], ['Å → 測定', '<b>no markup</b>']],
  ['complex numbers', COMPLEX, [[1, -2]], ['1 − 2 i']],
])('%s are shown as they were stored', async (_, type, data, texts) => {
  expect(await textsOf(type, data, 'exact')).toEqual(texts)
})

test('flags are shown by their names', async () => {
  const names = { BAD: 0, GOOD: 1 }
  const type: Datatype = { class: 'H5T_ENUM', base: INT64, mapping: names }
  const meaning = meaningOf(type, new Map())
  expect(await textsOf(type, BigInt64Array.of(1n, 0n, 7n), 'auto', { meaning })).toEqual([
    'GOOD (1)',
    'BAD (0)',
    '7',
  ])
})

test('missing values are shown as none', async () => {
  const meaning = meaningWithout(-1)
  expect(await textsOf(DOUBLE, Float64Array.of(5, -1), 'auto', { meaning })).toEqual(['5', '—'])
})

test('letters of netCDF are shown as strings', async () => {
  const plot = newPlot({ shape: [2], type: { class: 'H5T_STRING', length: 6 } })
  const { dataset } = plot.signal
  const signal = { ...plot.signal, dataset: dataset && { ...dataset, letters: 6 } }
  const selections: unknown[] = []
  const read = async (_: unknown, { select }: { readonly select: unknown }) => {
    selections.push(select)
    return { shape: [2, 6], data: new TextEncoder().encode('BergenOslo  ') }
  }
  const cells: Cells = await new Promise((resolve, reject) => {
    const cells: Cells = new Cells(
      { read } as unknown as Domain,
      { ...matrixOf({ ...plot, signal }, {}), meaning: plot.meaning },
      { changed: () => resolve(cells), failed: reject },
    )
    cells.text(0, 0)
  })
  expect([cells.text(0, 0), cells.text(1, 0)]).toEqual(['Bergen', 'Oslo'])
  expect(selections).toEqual([[{ start: 0, stop: 2 }, undefined]])
})

test('a dataset without elements has no cells', () => {
  expect(matrixOf(newPlot({ shape: [0, 3] }), {}).hasElements).toBe(false)
  expect(matrixOf(newPlot({ shape: [3] }), {}).hasElements).toBe(true)
})
