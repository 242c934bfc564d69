import type { Api } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { firstSources, joinable, joinedName, newDimensionOf, patternOf } from './pattern.ts'

const numbered = (count: number, name: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => name(i))
const day = (i: number) => String(i + 1).padStart(2, '0')

describe('a pattern for names', () => {
  test.each<[string, readonly string[], string]>([
    ['that are numbered', numbered(12, i => `run_${i}.h5`), 'run_*.h5'],
    ['with a number in the ending', ['a1.h5', 'a2.h5'], 'a*.h5'],
    ['with dates of one month', numbered(9, i => `sst-2026-01-${day(i)}.nc`), 'sst-*.nc'],
    ['with a time', ['x_2026-01-01T00:00.nc', 'x_2026-01-01T06:00.nc'], 'x_*.nc'],
    [
      'with numbers that stay',
      ['tas_CMIP6_r1i1p1f1_19500101-19991231.nc', 'tas_CMIP6_r1i1p1f1_20000101-20491231.nc'],
      'tas_CMIP6_r1i1p1f1_*.nc',
    ],
    ['with two numbers: a name has one star', ['tile_1_run_2.h5', 'tile_2_run_3.h5'], 'tile_*.h5'],
    ['with text behind the number', ['1_raw.h5', '2_raw.h5'], '*_raw.h5'],
    ['of two kinds is of the most', ['mask.nc', ...numbered(3, i => `d${i}.nc`), 'e1.nc', 'e2.nc'], 'd*.nc'],
    ['that have nothing in common', ['a.nc', 'b.nc'], '*.nc'],
    ['without endings', ['scan1', 'scan2'], 'scan*'],
    ['with signs of patterns', ['a[x]*?1.nc', 'a[x]*?2.nc'], 'a[[]x[]][*][?]*.nc'],
    ['of none', [], '*'],
  ])('%s', (_, names, pattern) => {
    expect(patternOf(names)).toBe(pattern)
  })
})

describe('the sources', () => {
  const row = (name: string, parts: object = {}) => ({ name, class: 'domain', ...parts }) as Api.ListedDomain
  const folder = row('/lab/2026', { class: 'folder' })

  test('at first are a pattern for the files of the folder', () => {
    const rows = [folder, row('/lab/d1.nc'), row('/lab/d2.nc'), row('/lab/all.ncml', { num_files: 2 })]
    expect(firstSources('/lab/', rows, [])).toBe('/lab/d*.nc')
    expect(joinable(rows).map(({ name }) => name)).toEqual(['/lab/d1.nc', '/lab/d2.nc'])
    expect(firstSources('/l[b/', [folder], [])).toBe('/l[[]b/**/*')
  })

  test('are the selected entries, of folders all that is below', () => {
    expect(firstSources('/lab/', [], [row('/lab/a[1].nc'), folder])).toBe('/lab/2026/**/*\n/lab/a[[]1[]].nc')
    const days = ['/lab/d1.nc', '/lab/d10.nc', '/lab/d2.nc'].map(name => row(name))
    expect(firstSources('/lab/', [], days)).toBe('/lab/d1.nc\n/lab/d2.nc\n/lab/d10.nc')
  })

  test.each([
    ['/lab/days/day_*.nc', 'day_all.nc'],
    ['/lab/days/day*.nc', 'day_all.nc'],
    ['/lab/days/*_raw.h5', 'all_raw.h5'],
    ['/lab/days/run_[0-9]?*.h5', 'run_all.h5'],
    ['/lab/days/scan*', 'scan_all.h5'],
    ['/lab/days/*.nc', 'days.nc'],
    ['/lab/**/*', 'lab.h5'],
    ['/**/*.nc', 'all.nc'],
    ['/lab/a.nc\n/lab/b.nc', 'lab.nc'],
    ['/lab/a[[]x[]]*.nc', 'a[x]all.nc'],
    ['', 'all.h5'],
  ])('%j give the domain a name: %s', (sources, name) => {
    expect(joinedName(sources)).toBe(name)
    const [, stem, ending] = /^(.*)(\.\w+)$/.exec(name) ?? []
    expect(joinedName(sources, 3)).toBe(`${stem}_3${ending}`)
  })
})

test.each<[string, readonly string[], string, string]>([
  ['/lab/run_*.h5', ['run_1.h5', 'run_20.h5', 'mask.h5'], 'run', 'run_{n:d}.h5'],
  ['/lab/sst*.nc', ['sst20260101.nc', 'sst20261231.nc'], 'sst', 'sst{t:%Y%m%d}.nc'],
  ['/lab/sst*.nc', ['sst20260101.nc', 'sst20269999.nc'], 'sst', 'sst{n:d}.nc'],
  ['/lab/run_*.h5', ['run_1.h5', 'run_1b.h5'], 'run', ''],
  ['/lab/run_*.h5', [], 'run', ''],
  ['/lab/run_1*.h5', ['run_1.h5', 'run_10.h5', 'run_2.h5'], 'run', 'run_{n:d}.h5'],
  ['/lab/run_*_*.h5', ['run_1_1.h5'], 'run', ''],
  ['/lab/a[[]x[]]*.h5', ['a[x]1.h5', 'a[x]2.h5'], 'a', ''],
  ['/lab/**/*', ['run_1.h5'], 'file', ''],
  ['/lab/scan_1.h5\n/lab/scan_2.h5', ['scan_1.h5', 'scan_2.h5'], 'scan', ''],
  ['', [], 'file', ''],
])('%s of %j give a new dimension the name %s, and the coordinate %j', (sources, names, name, coordinate) => {
  const rows = names.map(one => ({ name: `/lab/${one}`, class: 'domain' }) as const)
  expect(newDimensionOf(sources, rows)).toEqual({ name, coordinate })
})
