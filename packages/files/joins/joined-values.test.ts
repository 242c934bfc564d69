// The values of files that are joined, as the reader gives them: families of files with other times, packing, types and
// overlaps, beside a plain concatenation of the numbers that were written.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type H5FileReader, type OpenSibling, openH5File, sourceOf } from '@hyperslab/h5/reader'
import { extentsOf } from '@hyperslab/model/dataset'
import { elementsToJson } from '@hyperslab/model/json'
import type { DomainPath } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import fc from 'fast-check'
import h5wasm, { type Dataset, type File, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutOverlaps, orderSources } from './coordinates.ts'
import type { JoinRules } from './definition.ts'
import { domainObjects } from './objects/domain-objects.ts'
import { readObjects } from './objects/objects-outline.ts'
import { readOutline } from './outlines/outline.ts'
import { planJoin } from './plan.ts'

let folder: string

beforeAll(async () => {
  await ready
  folder = mkdtempSync(join(tmpdir(), 'joined-values-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Files = ReadonlyMap<string, Uint8Array>

/** The bytes of the files, by name. */
function writeFiles(writers: Readonly<Record<string, (file: File) => void>>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(writers).map(([name, write]) => {
      const path = join(folder, name)
      const file = new h5wasm.File(path, 'w')
      write(file)
      file.close()
      return [name, readFileSync(path)]
    }),
  )
}

const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
const TIME = { kind: 'named', name: 'time' } as const
const RULES: JoinRules = { along: TIME }

interface JoinedFile {
  readonly reader: H5FileReader
  readonly names: readonly string[]
  readonly value: (path: string) => Promise<unknown>
  readonly attributes: (path: string) => Promise<readonly string[]>
  readonly addressOf: (path: string) => string
}

/** The files by name, also for each other. */
function openIn(files: Files): OpenSibling {
  return async path => {
    const bytes = files.get(path)
    return bytes && { source: sourceOf(bytes), path, openSibling: openIn(files) }
  }
}

async function joinFiles(files: Files, rules: Partial<JoinRules> = {}): Promise<JoinedFile> {
  const definition = { ...RULES, ...rules }
  const open = (name: string) => openH5File(sourceOf(files.get(name) ?? new Uint8Array()), name)
  const sources = await Promise.all(
    [...files.keys()].map(async name => ({ name, outline: await readOutline(await open(name), TIME) })),
  )
  const ordered = await orderSources(definition, sources)
  const cut = await cutOverlaps(definition, ordered, async ({ name }, use) => use(await open(name)))
  const names = cut.map(({ name }) => name)
  const placed = cut.map(source => ({ ...source, path: source.name as DomainPath }))
  const planned = await planJoin(definition, placed, names)
  const objectsOf = async ({ name }: { readonly name: string }) =>
    (await readObjects(await open(name))).objects ?? new Map()
  const joined = await domainObjects(definition, placed, planned, objectsOf)
  const reader = await openH5File(sourceOf(files.get(names[0]) ?? new Uint8Array()), names[0], {
    joined,
    openSibling: openIn(files),
  })
  const addressOf = (path: string) =>
    cut[0].outline.datasets.get(path)?.address ??
    [...(joined.added?.objects ?? [])].find(([, object]) => object.path === path)?.[0] ??
    ''
  return {
    reader,
    names,
    addressOf,
    async value(path) {
      const { type, space } = await reader.dataset(addressOf(path))
      const dims = extentsOf(space)
      const start = dims.map(() => 0)
      const elements = await reader.readValues(addressOf(path), start, dims, () => undefined)
      return elementsToJson(type, dims, elements, STYLE)
    },
    async attributes(path) {
      const found: string[] = []
      for await (const some of reader.attributes(addressOf(path), () => undefined))
        found.push(...some.map(({ name }) => name))
      return found
    },
  }
}

function addTimes(file: File, numbers: readonly number[], units: string, dtype = '<i'): Dataset {
  const data = dtype === '<q' ? BigInt64Array.from(numbers, BigInt) : [...numbers]
  const time = file.create_dataset({ name: 'time', data, shape: [numbers.length], dtype })
  time.create_attribute('units', units)
  time.make_scale('time')
  return time
}

function addAlongTime(file: File, name: string, data: readonly unknown[], dtype: string): Dataset {
  const dataset = file.create_dataset({ name, data: data as number[], shape: [data.length], dtype })
  dataset.attach_scale(0, '/time')
  return dataset
}

/** One file of a family: its times in minutes since 2026-01-01, in other units. */
interface Member {
  readonly minutes: readonly number[]
  readonly units: 'minutes' | 'seconds' | 'hours'
  /** Hours after the beginning of 2026. */
  readonly epoch: number
  readonly type: '<i' | '<q' | '<d'
  readonly packing?: { readonly factor: number; readonly offset: number; readonly fill: number }
}

const SECONDS = { seconds: 1, minutes: 60, hours: 3600 }

/** The number of a time in the units of a file. */
const numberOf = ({ units, epoch }: Member, minutes: number) => ((minutes - 60 * epoch) * 60) / SECONDS[units]

function writeMember(file: File, member: Member): void {
  const { minutes, units, epoch, type, packing } = member
  const numbers = minutes.map(one => numberOf(member, one))
  const date = new Date(Date.UTC(2026, 0, 1, epoch)).toISOString().slice(0, 16).replace('T', ' ')
  addTimes(file, numbers, `${units} since ${date}`, type)
  const stored = minutes.map(storedOf)
  const dataset = addAlongTime(file, 'd', stored, '<h')
  if (!packing) return
  dataset.create_attribute('scale_factor', packing.factor, [], '<d')
  dataset.create_attribute('add_offset', packing.offset, [], '<d')
  dataset.create_attribute('_FillValue', packing.fill, [], '<h')
}

const storedOf = (minutes: number) => Math.abs(minutes) % 7

function meantBy({ packing }: Member, minutes: number): number {
  const stored = storedOf(minutes)
  if (!packing) return stored
  return stored === packing.fill ? Number.NaN : stored * packing.factor + packing.offset
}

/** The elements that remain, by the rule of the guide, one after another. */
function concatenated(members: readonly Member[], keep: 'first' | 'last' | undefined, falls: boolean) {
  const isBefore = (a: number, b: number) => (falls ? a > b : a < b)
  return members.flatMap((member, i) =>
    member.minutes
      .filter(one => {
        const earlier = members.slice(0, i).flatMap(({ minutes }) => minutes)
        const later = members.slice(i + 1).map(({ minutes }) => minutes[0])
        if (keep === 'first') return earlier.every(other => isBefore(other, one))
        return keep !== 'last' || later.every(other => isBefore(one, other))
      })
      .map(minutes => ({ member, minutes })),
  )
}

describe('the values of joined files', () => {
  const packing = fc.record({
    factor: fc.constantFrom(0.5, 2, -4),
    offset: fc.constantFrom(0, 100),
    fill: fc.constantFrom(-1, 3),
  })
  const member = fc.record({
    count: fc.integer({ min: 1, max: 5 }),
    gap: fc.integer({ min: -4, max: 3 }),
    step: fc.constantFrom(60, 120, 30),
    units: fc.constantFrom('minutes' as const, 'seconds' as const, 'hours' as const),
    epoch: fc.integer({ min: -30, max: 30 }),
    isWide: fc.boolean(),
    packing: fc.option(packing, { nil: undefined }),
  })
  const family = fc.record({
    members: fc.array(member, { minLength: 1, maxLength: 6 }),
    keep: fc.constantFrom('first' as const, 'last' as const, undefined),
    falls: fc.boolean(),
    /** No type holds all integers of 64 bits and floats. */
    wide: fc.constantFrom('<q' as const, '<d' as const),
  })

  it('are those of the files one after another, converted (random families)', async () => {
    const check = async ({
      members,
      keep,
      falls,
      wide,
    }: typeof family extends fc.Arbitrary<infer T> ? T : never) => {
      let first = 0
      const written = members.map(({ count, gap, step, isWide, ...rest }): Member => {
        const sign = falls ? -1 : 1
        // Half hours are no whole hours.
        const type = isWide ? wide : '<i'
        const even = type !== '<d' && rest.units === 'hours' ? 60 : step
        const begin = 60 * (Math.round(first / 60) + sign * (keep ? gap : Math.max(gap, 2)))
        const minutes = Array.from({ length: count }, (_, i) => begin + sign * i * even)
        first = minutes.at(-1) ?? first
        const { packing, ...others } = rest
        return { ...others, type, minutes, ...(packing && { packing }) }
      })
      // Files of one element have no direction.
      const isFalling = written.some(({ minutes }) => minutes[0] > (minutes.at(-1) ?? 0))
      const named = written.map((one, i) => ({ one, name: `run_${i}.nc` }))
      const byFirst = named.toSorted(
        (a, b) => (isFalling ? -1 : 1) * (a.one.minutes[0] - b.one.minutes[0]) || (a.name < b.name ? -1 : 1),
      )
      const files = writeFiles(
        Object.fromEntries(named.map(({ one, name }) => [name, (file: File) => writeMember(file, one)])),
      )
      const joined = await joinFiles(files, { unpack: true, ...(keep && { keep }) })
      expect(joined.names).toEqual(byFirst.map(({ name }) => name))
      const expected = concatenated(
        byFirst.map(({ one }) => one),
        keep,
        isFalling,
      )
      const [{ one: start }] = byFirst
      const times = expected.map(({ minutes }) => numberOf(start, minutes))
      const found = (await joined.value('/time')) as readonly number[]
      expect(found).toHaveLength(times.length)
      // Hours of other files may be no floats.
      for (const [i, time] of times.entries()) expect(found[i]).toBeCloseTo(time, 9)
      const packings = new Set(written.map(({ packing }) => JSON.stringify(packing)))
      const isUnpacked = packings.size > 1
      const values = expected.map(({ member, minutes }) =>
        isUnpacked ? meantBy(member, minutes) : storedOf(minutes),
      )
      expect(await joined.value('/d')).toEqual(values)
      const attributes = await joined.attributes('/d')
      expect(attributes.includes('scale_factor')).toBe(!isUnpacked && start.packing !== undefined)
    }
    await fc.assert(fc.asyncProperty(family, check), { numRuns: 60 })
  })
})

/** Two files of two times each, with a dataset `d` of its own in each. */
const twoFiles = (...writers: readonly ((file: File) => void)[]) =>
  writeFiles(
    Object.fromEntries(
      writers.map((write, i) => [
        `${i}.nc`,
        (file: File) => {
          addTimes(file, [2 * i, 2 * i + 1], 'hours since 2026-01-01')
          write(file)
        },
      ]),
    ),
  )

describe('numbers that are unpacked', () => {
  const packed =
    (data: readonly number[], dtype: string, attributes: readonly [string, number | string, string][]) =>
    (file: File) => {
      const dataset = addAlongTime(file, 'd', data, dtype)
      for (const [name, value, type] of attributes)
        dataset.create_attribute(name, value, typeof value === 'string' ? null : [], type)
    }

  it.each([
    [
      'floats of 64 bits, where one of the files scales',
      packed([1, 3], '<h', [
        ['scale_factor', 0.1, '<f'],
        ['missing_value', 3, '<h'],
      ]),
      packed([1, 3], '<f', []),
      8,
      [Math.fround(0.1), Number.NaN, 1, 3],
    ],
    [
      'floats of 32 bits that hold small integers, where no file scales',
      packed([1, -1], '<h', [
        ['_FillValue', -1, '<h'],
        ['_Unsigned', 'true', 'S4'],
      ]),
      packed([5, -1], '<h', [['_FillValue', 5, '<h']]),
      4,
      [1, Number.NaN, Number.NaN, -1],
    ],
    [
      'unsigned where _Unsigned says so',
      packed([-1, -2], '<b', [['_Unsigned', 'true', 'S4']]),
      packed([-1, 2], '<b', []),
      4,
      [255, 254, -1, 2],
    ],
  ])('are %s', async (_, one, two, size, expected) => {
    const files = twoFiles(one, two)
    await expect(joinFiles(files)).rejects.toThrow('of /d is')
    const joined = await joinFiles(files, { unpack: true })
    expect(await joined.value('/d')).toEqual(expected)
    const { type, creationProperties } = await joined.reader.dataset(joined.addressOf('/d'))
    expect(type).toMatchObject({ class: 'H5T_FLOAT', size })
    const { fillValue } = creationProperties
    expect(fillValue && elementsToJson(type, [], fillValue, STYLE)).toBeNaN()
    expect(await joined.attributes('/d')).toEqual(['DIMENSION_LIST'])
  })

  it('stay packed where the attributes are equal', async () => {
    const write = packed([1, 2], '<h', [['scale_factor', 0.1, '<f']])
    const joined = await joinFiles(twoFiles(write, write), { unpack: true })
    expect(await joined.value('/d')).toEqual([1, 2, 1, 2])
    expect(await joined.attributes('/d')).toContain('scale_factor')
  })

  it('need one finite factor', async () => {
    const files = twoFiles(
      packed([1, 2], '<h', []),
      packed([1, 2], '<h', [['scale_factor', Number.NaN, '<f']]),
    )
    await expect(joinFiles(files, { unpack: true })).rejects.toThrow(
      '/d in 1.nc cannot be unpacked: its scale_factor is not one finite number',
    )
  })
})

describe('other elements', () => {
  const strings = (data: readonly string[], dtype: string) => (file: File) => {
    addAlongTime(file, 'd', data, dtype)
  }

  it('are the longest of fixed strings', async () => {
    const joined = await joinFiles(twoFiles(strings(['a', 'bc'], 'S2'), strings(['defgh', ''], 'S6')))
    expect(await joined.value('/d')).toEqual(['a', 'bc', 'defgh', ''])
    const { type } = await joined.reader.dataset(joined.addressOf('/d'))
    expect(type).toMatchObject({ class: 'H5T_STRING', length: 6 })
  })

  it('are not strings of other kinds', async () => {
    const files = twoFiles(strings(['a', 'bc'], 'S2'), strings(['defgh', ''], 'S'))
    await expect(joinFiles(files)).rejects.toThrow(
      '/d has the type H5T_STRING in 0.nc and H5T_STRING in 1.nc, which no type has in common',
    )
  })
})

describe('files that cannot be read any more', () => {
  const numbers = (first: number) => (file: File) => {
    addAlongTime(file, 'd', [first, first + 1], '<i')
    addAlongTime(file, 'f', [first, first + 1], '<f')
    const named = addAlongTime(file, 'n', [first, first + 1], '<f')
    named.create_attribute('_FillValue', 0, [], '<f')
  }

  it.each(['missing', 'cut'])('are named, or are fill values: %s', async kind => {
    for (const missing of [undefined, 'fill'] as const) {
      const files = twoFiles(numbers(1), numbers(3), numbers(5))
      const joined = await joinFiles(files, missing && { missing })
      const bytes = files.get('1.nc')
      if (kind === 'missing') files.delete('1.nc')
      else if (bytes) files.set('1.nc', bytes.subarray(0, 600))
      if (missing) {
        expect(await joined.value('/d')).toEqual([1, 2, 0, 0, 5, 6])
        expect(await joined.value('/f')).toEqual([1, 2, Number.NaN, Number.NaN, 5, 6])
        expect(await joined.value('/n')).toEqual([1, 2, 0, 0, 5, 6])
      } else await expect(joined.value('/d')).rejects.toThrow('1.nc')
    }
  })
})

describe('files whose coordinates are not in order', () => {
  it('cannot be cut where others overlap', async () => {
    const files = writeFiles({
      'a.nc': file => addTimes(file, [0, 9, 3], 'hours since 2026-01-01'),
      'b.nc': file => addTimes(file, [2, 5, 4, 8], 'hours since 2026-01-01'),
    })
    await expect(joinFiles(files, { keep: 'first' })).rejects.toThrow(
      '/time in b.nc has coordinates that are not in order',
    )
  })

  it('are counted in blocks, where they are many', async () => {
    const hours = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)
    const files = writeFiles({
      'a.nc': file => addTimes(file, hours(0, 70_000), 'hours since 2026-01-01'),
      'b.nc': file => addTimes(file, hours(2, 70_000), 'hours since 2026-01-01'),
    })
    for (const keep of ['first', 'last'] as const) {
      const joined = await joinFiles(files, { keep })
      expect(await joined.value('/time')).toEqual(hours(0, 70_002))
    }
  })
})
