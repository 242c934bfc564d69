import type { Datatype } from '@hyperslab/model/datatype'
import type { JoinConflict } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import { compareNames, type JoinedSource, orderSources } from './coordinates.ts'
import type { Outline, OutlinedDataset } from './outlines/outline.ts'
import { planJoin } from './plan.ts'

const integer = (size: 1 | 2 | 4 | 8, signed = true): Datatype => ({
  class: 'H5T_INTEGER',
  size,
  signed,
  order: 'LE',
})
const float = (size: 2 | 4 | 8): Datatype => ({ class: 'H5T_FLOAT', size, order: 'LE' })

function dataset(dims: readonly number[], rest: Partial<OutlinedDataset> = {}): OutlinedDataset {
  return {
    address: '96',
    type: float(4),
    space: { class: 'H5S_SIMPLE', dims },
    axis: 0,
    meaning: new Map(),
    ...rest,
  }
}

function source(
  name: string,
  datasets: Readonly<Record<string, OutlinedDataset>>,
  ends?: readonly [number | bigint, number | bigint],
): JoinedSource {
  const map = new Map(Object.entries(datasets))
  const extent = Math.max(...[...map.values()].map(({ space, axis }) => space.dims[axis]))
  const outline: Outline = { datasets: map, extent, ...(ends && { coordinates: { path: '/t', ends } }) }
  return { name, outline }
}

const plan = async (...sources: readonly JoinedSource[]) =>
  (
    await planJoin(
      { along: { kind: 'named', name: 'time' } },
      sources,
      sources.map(({ name }) => `./${name}`),
    )
  ).get('/t')?.joined

describe('a joined dataset', () => {
  it('has the parts one after another, with gaps where a file has less, or nothing', async () => {
    const sources = [
      source('a', { '/t': dataset([3, 2]), '/u': dataset([1], { address: '97' }) }),
      source('b', { '/t': dataset([0, 2]) }),
      source('c', { '/t': dataset([1, 2]), '/u': dataset([4]) }),
      source('d', { '/u': dataset([2]) }),
      source('e', { '/t': dataset([5, 2]) }),
    ]
    expect(await plan(...sources)).toMatchObject({
      axis: 0,
      space: { dims: [14, 2], maxdims: ['H5S_UNLIMITED', 2] },
      parts: [
        { file: './a', dataset: '/t', start: 0, count: 3, sourceStart: 0 },
        { file: './c', dataset: '/t', start: 3, count: 1, sourceStart: 0 },
        { file: './e', dataset: '/t', start: 9, count: 5, sourceStart: 0 },
      ],
    })
  })

  it.each([
    [dataset([3, 2]), dataset([3, 4]), '/t has the extents [3,2] in a and [3,4] in b'],
    [dataset([3, 2]), dataset([3, 2], { axis: 1 }), '/t has the extents'],
    [dataset([3]), dataset([3, 1]), '/t has the extents [3] in a and [3,1] in b'],
    [
      dataset([3], { meaning: new Map([['units', '"K"']]) }),
      dataset([3], { meaning: new Map([['units', '"C"']]) }),
      'the attribute units of /t is "K" in a and "C" in b',
    ],
    [
      dataset([3]),
      dataset([3], { meaning: new Map([['scale_factor', '[0.5]']]) }),
      'is absent in a and [0.5] in b',
    ],
    [
      dataset([3], { type: integer(8) }),
      dataset([3]),
      '/t has the type int64 in a and float32 in b, which no type has in common',
    ],
  ])('is refused where files do not agree', async (one, two, reason) => {
    await expect(plan(source('a', { '/t': one }), source('b', { '/t': two }))).rejects.toThrow(reason)
  })

  it('begins with the fill value where the first files lack it, which is NaN for floats without a name for it', async () => {
    const b = source('b', {
      '/t': dataset([3]),
      '/v': dataset([3]),
      '/n': dataset([3], { type: integer(2) }),
    })
    const named = dataset([2], { meaning: new Map([['_FillValue', '-9']]) })
    const c = source('c', { '/t': dataset([2]), '/v': dataset([2]), '/w': named })
    const planned = await planJoin(
      { along: { kind: 'named', name: 'time' } },
      [source('a', { '/t': dataset([4]) }), b, c],
      ['./a', './b', './c'],
    )
    expect([...planned].map(([path, { source, joined }]) => [path, source.name, joined.space.dims])).toEqual([
      ['/t', 'a', [9]],
      ['/v', 'b', [9]],
      ['/n', 'b', [9]],
      ['/w', 'c', [9]],
    ])
    const { parts, fillValue } = planned.get('/v')?.joined ?? {}
    expect(parts).toEqual([
      { file: './b', dataset: '/v', start: 4, count: 3, sourceStart: 0 },
      { file: './c', dataset: '/v', start: 7, count: 2, sourceStart: 0 },
    ])
    expect(fillValue?.data).toEqual(new Uint8Array(Float32Array.of(Number.NaN).buffer))
    expect(planned.get('/w')?.joined.fillValue?.data).toEqual(new Uint8Array(Float32Array.of(-9).buffer))
    for (const path of ['/t', '/n']) expect(planned.get(path)?.joined.fillValue, path).toBeUndefined()
  })

  it('is refused if the first file lacks more than a thousand', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`/${i}`, dataset([1])]))
    const join = (count: number) => plan(source('a', { '/t': dataset([3]) }), source('b', many(count)))
    expect(await join(1000)).toBeDefined()
    await expect(join(1001)).rejects.toThrow('a lacks more than 1000 datasets of the others')
  })

  it('is refused if it has the coordinates, and the first file lacks it', async () => {
    const two = source('b', { '/t': dataset([3]) }, [0, 2])
    await expect(plan(source('a', { '/v': dataset([3]) }), two)).rejects.toThrow(
      'b has the coordinates /t, and a has not',
    )
  })
})

const meaning = (attributes: Readonly<Record<string, unknown>>) => ({
  meaning: new Map(Object.entries(attributes).map(([name, value]) => [name, JSON.stringify(value)])),
})
const since = (units: string, type: Datatype, rest = {}) =>
  dataset([3], { type, ...meaning({ units, ...rest }) })

describe('times of files that count from other moments', () => {
  const converted = async (first: OutlinedDataset, other: OutlinedDataset, stored: number | bigint) => {
    const planned = await plan(source('a', { '/t': first }), source('b', { '/t': other }))
    const [one, two] = planned?.parts ?? []
    expect(one?.convert).toBeUndefined()
    return [planned?.type, two?.convert?.(stored)]
  }

  it.each([
    ['hours since 2026-01-01', 'hours since 2026-01-02 00:00', integer(2), 5, 29],
    ['hours since 2026-01-01', 'days since 2026-01-02', integer(4), 2, 72],
    ['ns since 2026-01-01', 'ns since 2027-01-01', integer(8), 7, 31_536_000_000_000_007n],
    [
      'ns since 2026-01-01',
      'ns since 1970-01-01',
      integer(8),
      2n ** 62n,
      2n ** 62n - 1_767_225_600n * 10n ** 9n,
    ],
    ['us since 2026-01-01', 'hours since 2026-01-01', integer(8), 2 ** 31, 2n ** 31n * 3_600_000_000n],
  ])('are integers in the units of the first: %s and %s', async (units, other, type, stored, expected) => {
    const result = await converted(since(units, type), since(other, type), stored)
    expect(result).toEqual([integer(8), expected])
  })

  it.each([
    ['days since 2026-01-01', 'hours since 2026-01-02', integer(4), 6, 1.25],
    ['hours since 2026-01-01', 'hours since 2026-01-02', float(4), 0.5, 24.5],
    ['hours since 2026-01-01', 'hours since 2026-01-01 00:30', integer(4), 1, 1.5],
    ['s since 2026-01-01', 'ns since 2026-01-01', integer(8), 2n ** 60n, Number(2n ** 60n) / 1e9],
    ['hours since 2026-01-01', 'hours since 2026-01-02', float(8), Number.NaN, Number.NaN],
    // The nearest float is 1.4166666666666665, which clients cut off a nanosecond before ten.
    ['days since 2026-01-01', 'days since 2026-01-02', float(8), 10 * (1 / 24), 1.4166666666666667],
  ])('are floats where parts of a unit can be: %s and %s', async (units, other, type, stored, expected) => {
    expect(await converted(since(units, type), since(other, type), stored)).toEqual([float(8), expected])
  })

  it('keep missing values, and never become one', async () => {
    const rest = { _FillValue: [-999], missing_value: [12, 13] }
    const [one, two] = ['hours since 2026-01-02', 'hours since 2026-01-01'].map(units =>
      since(units, integer(4), rest),
    )
    for (const kept of [-999, 12, 13]) expect((await converted(one, two, kept))[1]).toBe(kept)
    expect((await converted(one, two, 35))[1]).toBe(11)
    await expect(converted(one, two, 36)).rejects.toThrow(
      'the time 36 is 12 in the units of the first file, where that is a missing value',
    )
  })

  it('stay as they are where only the text of the units differs', async () => {
    const one = since('hours since 2026-01-01', integer(4))
    const two = since('h since 2026-01-01 00:00:00', integer(2), { calendar: 'gregorian' })
    expect(await converted(one, two, 1)).toEqual([integer(4), undefined])
  })

  it.each([
    ['hours since 2026-01-02', { calendar: 'noleap' }, 'the attribute units of /t'],
    ['hours since yesterday', {}, 'the attribute units of /t is "hours since 2026-01-01" in a and'],
    ['hours', {}, 'the attribute units of /t'],
    ['hours since 2026-01-02', { scale_factor: [2] }, 'the attribute units of /t'],
    [
      'hours since 2026-01-02',
      { _FillValue: [0] },
      'the attribute _FillValue of /t is absent in a and [0] in b',
    ],
  ])('are refused where they cannot be converted: %s %j', async (units, rest, reason) => {
    const one = since('hours since 2026-01-01', integer(4))
    await expect(converted(one, since(units, integer(4), rest), 1)).rejects.toThrow(reason)
  })

  it('are in the order of the moments, which messages name', async () => {
    const at = (name: string, units: string, first: number | bigint, last: number | bigint) =>
      source(name, { '/t': since(units, integer(8)) }, [first, last])
    const files = [
      at('late', 'hours since 2026-01-03', 0, 23),
      at('early', 'days since 2026-01-01', 0, 0),
      at('exact', 'ns since 2026-01-04', 2n ** 54n, 2n ** 54n + 1n),
      at('next', 'ns since 2026-01-04', 2n ** 54n + 2n, 2n ** 54n + 3n),
    ]
    const names = (await orderSources({ along: { kind: 'named', name: 'time' } }, files)).map(
      ({ name }) => name,
    )
    expect(names).toEqual(['early', 'late', 'exact', 'next'])
    const overlapping = [...files, at('over', 'minutes since 2026-01-03 12:00', 0, 1)]
    await expect(orderSources({ along: { kind: 'named', name: 'time' } }, overlapping)).rejects.toThrow(
      'the coordinates time of late (2026-01-03 to 2026-01-03 23:00) and ' +
        'over (2026-01-03 12:00 to 2026-01-03 12:01) overlap',
    )
  })
})

describe('a list of conflicts', () => {
  it.each([
    [{ scale_factor: [0.5] }, 'unpack'],
    [{ _FillValue: [1] }, 'unpack'],
    [{ units: 'K' }, undefined],
  ])('says which member of the definition joins them: %j', async (attributes, option) => {
    const conflicts: JoinConflict[] = []
    const sources = [{}, attributes].map((one, i) => source(`${i}`, { '/t': dataset([3], meaning(one)) }))
    await planJoin({ along: { kind: 'named', name: 'time' } }, sources, ['0', '1'], conflicts)
    expect(conflicts.map(({ option }) => option)).toEqual([option])
  })

  it('has all of them, and the plan has the files that agree with the first', async () => {
    const kelvin = { meaning: new Map([['units', '"K"']]) }
    const sources = [
      source('a', { '/t': dataset([3]), '/u': dataset([3], { address: '97' }) }),
      source('b', {
        '/t': dataset([1], kelvin),
        '/u': dataset([1], { type: integer(8) }),
        '/v': dataset([1]),
      }),
      source('c', { '/t': dataset([2]) }),
    ]
    const conflicts: JoinConflict[] = []
    const planned = await planJoin(
      { along: { kind: 'named', name: 'time' } },
      sources,
      ['a', 'b', 'c'],
      conflicts,
    )
    expect(conflicts).toEqual([
      { files: ['a', 'b'], object: '/t', reason: 'the attribute units of /t is absent in a and "K" in b' },
      {
        files: ['a', 'b'],
        object: '/u',
        reason: '/u has the type float32 in a and int64 in b, which no type has in common',
      },
    ])
    expect(planned.get('/t')?.joined.parts.map(({ file, start }) => [file, start])).toEqual([
      ['a', 0],
      ['c', 4],
    ])
  })

  it('has overlaps and directions, and not more than a hundred', async () => {
    const at = (name: string, first: number, last: number) =>
      source(name, { '/t': dataset([1]) }, [first, last])
    const conflicts: JoinConflict[] = []
    const sources = Array.from({ length: 300 }, (_, i) => at(`${i}`, 0, i % 2 ? 1 : -1))
    expect(await orderSources({ along: { kind: 'named', name: 'time' } }, sources, conflicts)).toHaveLength(
      300,
    )
    expect(conflicts).toHaveLength(100)
    const two: JoinConflict[] = []
    await orderSources({ along: { kind: 'named', name: 'time' } }, [at('x', 0, 1), at('y', 3, 2)], two)
    expect(two).toEqual([{ files: ['x', 'y'], reason: 'the coordinates time rise in x and fall in y' }])
  })
})

describe('the order of the files of a scan', () => {
  const order = async (...sources: readonly JoinedSource[]) =>
    (await orderSources({ along: { kind: 'named', name: 'time' } }, sources)).map(({ name }) => name)
  const at = (name: string, first: number, last = first) =>
    source(name, { '/t': dataset([1]) }, [first, last])

  it('is that of the coordinates, rising or falling', async () => {
    expect(await order(at('x', 5, 6), at('y', -1, 2), at('z', 3))).toEqual(['y', 'z', 'x'])
    expect(await order(at('x', 6, 5), at('y', 2, -1), at('z', 3))).toEqual(['x', 'z', 'y'])
  })

  it('is that of the names, with numbers as numbers, if a file has no coordinates', async () => {
    const none = source('run_2', { '/t': dataset([1]) })
    expect(await order(at('run_10', 1), none, at('run_9', 3))).toEqual(['run_2', 'run_9', 'run_10'])
    expect(['é1', 'z', 'a', 'Ä', 'a01', 'a1'].toSorted(compareNames)).toEqual([
      'a',
      'Ä',
      'a01',
      'a1',
      'é1',
      'z',
    ])
  })

  it.each([
    [[at('x', 0, 5), at('y', 5, 9)], 'the coordinates time of x (0 to 5) and y (5 to 9) overlap'],
    [[at('x', 1), at('y', 1)], 'overlap'],
    [[at('x', 0, 1), at('y', 3, 2)], 'the coordinates time rise in x and fall in y'],
  ])('is refused where coordinates do not follow each other', async (sources, reason) => {
    await expect(order(...sources)).rejects.toThrow(reason)
  })
})

it.each([
  ['-32767', integer(2), Int16Array.of(-32767)],
  ['[255]', integer(1, false), Uint8Array.of(255)],
  ['9223372036854775807', integer(8), BigInt64Array.of(2n ** 63n - 1n)],
  ['1e20', float(4), Float32Array.of(1e20)],
  ['NaN', float(8), Float64Array.of(Number.NaN)],
  // None of these is an element of the type.
  ['-1', integer(1, false), undefined],
  ['70000', integer(2), undefined],
  ['1.5', integer(4), undefined],
  ['[1, 2]', integer(4), undefined],
  ['"x"', integer(4), undefined],
])('_FillValue %s of a dataset with gaps is its fill value', async (text, type, expected) => {
  const gap = dataset([2], { type, meaning: new Map([['_FillValue', text]]) })
  const planned = await planJoin(
    { along: { kind: 'named', name: 'time' } },
    [source('a', { '/t': dataset([2]), '/d': gap }), source('b', { '/t': dataset([1]) })],
    ['a', 'b'],
  )
  const { data } = planned.get('/d')?.joined.fillValue ?? {}
  expect(data).toEqual(expected && new Uint8Array(expected.buffer))
})

describe('datasets that are not joined', () => {
  const others = (rest: Readonly<Record<string, { form: string; values?: string }>>) => (name: string) => {
    const one = source(name, { '/t': dataset([1]) })
    return { ...one, outline: { ...one.outline, others: new Map(Object.entries(rest)) } }
  }
  const first = others({ '/lat': { form: 'f', values: 'v' }, '/lon': { form: 'f', values: 'v' } })('a')
  const reasons = async (check: 'values' | undefined, ...sources: readonly JoinedSource[]) => {
    const conflicts: JoinConflict[] = []
    const rules = { along: { kind: 'named', name: 'time' }, ...(check && { check }) } as const
    await planJoin(rules, [first, ...sources], ['a', ...sources.map(({ name }) => name)], conflicts)
    return conflicts.map(({ files, object, reason }) => [files, object, reason])
  }

  it('are compared with those of the first file, and the files and objects that differ are named', async () => {
    const equal = others({
      '/lon': { form: 'f', values: 'v' },
      '/lat': { form: 'f', values: 'v' },
      '/x': { form: 'x' },
    })
    expect(await reasons('values', equal('b'))).toEqual([])
    const other = others({ '/lat': { form: 'f', values: 'w' } })
    expect(await reasons('values', equal('b'), other('c'))).toEqual([
      [['a', 'c'], '/lat', '/lat has other values in c than in a'],
      [['a', 'c'], '/lon', '/lon is not in c'],
    ])
    const form = others({ '/lat': { form: 'g', values: 'v' }, '/lon': { form: 'f', values: 'v' } })
    expect(await reasons('values', form('b'))).toEqual([
      [['a', 'b'], '/lat', '/lat has other types or extents in b than in a'],
    ])
    expect(await reasons(undefined, other('c'))).toEqual([])
  })
})
