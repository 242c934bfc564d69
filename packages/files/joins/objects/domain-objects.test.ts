// Objects of several files beside each other, as the reader gives them: unions of random files beside a naive model,
// and what attaches datasets and dimension scales of different files.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type H5FileReader, memberPath, type OpenSibling, openH5File, sourceOf } from '@hyperslab/h5/reader'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { elementsToJson } from '@hyperslab/model/json'
import { type DomainPath, idFromHex } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { JoinConflict } from '@hyperslab/store/store'
import fc from 'fast-check'
import h5wasm, { type Dataset, type File, type Group, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JoinAxis } from '../definition.ts'
import { newDimension } from '../new-axis.ts'
import { readNewOutline } from '../outlines/new-outline.ts'
import { readOutline } from '../outlines/outline.ts'
import { planJoin } from '../plan.ts'
import { domainObjects } from './domain-objects.ts'
import { readObjects } from './objects-outline.ts'

const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
const TIME = { kind: 'named', name: 'time' } as const
const UNION = { kind: 'union' } as const

let folder: string

beforeAll(async () => {
  await ready
  folder = mkdtempSync(join(tmpdir(), 'domain-objects-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let written = 0

function bytesOf(write: (file: File) => void): Uint8Array {
  const path = join(folder, `${written++}.h5`)
  const file = new h5wasm.File(path, 'w')
  write(file)
  file.close()
  return new Uint8Array(readFileSync(path))
}

/** The domain of files `0.nc`, `1.nc`, ... in this order. */
function openDomain(
  writers: readonly ((file: File) => void)[],
  along?: JoinAxis,
  conflicts?: JoinConflict[],
): Promise<H5FileReader> {
  return openFiles(writers.map(bytesOf), along, conflicts)
}

async function openFiles(
  bytes: readonly Uint8Array[],
  along: JoinAxis = UNION,
  conflicts?: JoinConflict[],
): Promise<H5FileReader> {
  const files = new Map(bytes.map((one, i) => [`${i}.nc`, one]))
  const openSibling: OpenSibling = async path => {
    const bytes = files.get(path)
    return bytes && { source: sourceOf(bytes), path, openSibling }
  }
  const open = (name: string) => openH5File(sourceOf(files.get(name) ?? new Uint8Array()), name)
  const objectsOf = async ({ name }: { readonly name: string }) =>
    (await readObjects(await open(name))).objects ?? new Map()
  const sources = await Promise.all(
    [...files.keys()].map(async name => {
      const reader = await open(name)
      if (along.kind === 'union')
        return { name, path: name as DomainPath, outline: await readObjects(reader) }
      const outline = await (along.kind === 'new'
        ? readNewOutline(reader, along)
        : readOutline(reader, along))
      return { name, path: name as DomainPath, outline }
    }),
  )
  const planned = await planJoin({ along }, sources, [...files.keys()], conflicts)
  const objects = await domainObjects({ along }, sources, planned, objectsOf, conflicts)
  const dimension = along.kind === 'new' && { dimension: await newDimension(along, sources) }
  return openH5File(sourceOf(files.get('0.nc') ?? new Uint8Array()), 'domain', {
    joined: { ...objects, ...dimension },
    openSibling,
  })
}

interface FoundObject {
  readonly address: string
  readonly kind: string
  readonly value?: unknown
  readonly attributes: Readonly<Record<string, unknown>>
}

const resolve = (address: string) => ({
  kind: 'dataset' as const,
  id: idFromHex(Number(address).toString(16).padStart(32, '0')),
})

/** All objects along hard links by path; of other links the targets. */
async function walk(reader: H5FileReader): Promise<Readonly<Record<string, FoundObject>>> {
  const found: Record<string, FoundObject> = {}
  const visit = async (path: string, address: string) => {
    const { kind } = await reader.object(address)
    const attributes: Record<string, unknown> = {}
    for await (const batch of reader.attributes(address, resolve)) {
      for (const { name, type, space, value } of batch) {
        expect(attributes, path).not.toHaveProperty(name)
        attributes[name] = value && elementsToJson(type, extentsOf(space), value, STYLE)
      }
    }
    found[path] = {
      address,
      kind,
      attributes,
      ...(kind === 'dataset' && { value: await readAll(reader, address) }),
    }
    if (path !== '/') expect(reader.pathOf(address)).toBe(path)
    if (kind !== 'group') return
    for await (const links of reader.links(address)) {
      for (const link of links) {
        const member = memberPath(path, link.title)
        expect(found, 'each title once').not.toHaveProperty([member])
        if (link.class === 'H5L_TYPE_HARD') await visit(member, link.address)
        else found[member] = { address: '', kind: link.class, attributes: {} }
      }
    }
  }
  await visit('/', reader.root)
  return found
}

async function readAll(reader: H5FileReader, address: string): Promise<unknown> {
  const { type, space } = await reader.dataset(address)
  const dims = extentsOf(space)
  const start = dims.map(() => 0)
  return elementsToJson(type, dims, await reader.readValues(address, start, dims, resolve), STYLE)
}

const to = ({ address }: FoundObject) => PREFIXED_REFERENCES.format(resolve(address))

/** Adds a dataset whose dimensions have these scales. */
function add(file: File, name: string, shape: readonly number[], scales: readonly string[] = []): Dataset {
  const data = Float32Array.from({ length: product(shape) }, (_, i) => i)
  const dataset = file.create_dataset({ name, data, shape: [...shape], dtype: '<f4' })
  for (const [d, scale] of scales.entries()) dataset.attach_scale(d, scale)
  return dataset
}

function addScale(file: File, name: string, length: number, number?: number): Dataset {
  const scale = add(file, name, [length])
  scale.make_scale(name)
  if (number !== undefined) scale.create_attribute('_Netcdf4Dimid', number, [], '<i4')
  return scale
}

describe('a union', () => {
  const names = ['a', 'b', 'c']
  const node = fc.record({
    path: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom('group' as const, 'dataset' as const, 'dataset' as const, 'soft' as const),
    attributes: fc.subarray(['p', 'q', 'r']),
  })
  const families = fc.array(fc.array(node, { maxLength: 6 }), { minLength: 1, maxLength: 4 })

  it('has the objects of all files, of each path the first one (random files)', async () => {
    const check = async (files: typeof families extends fc.Arbitrary<infer T> ? T : never) => {
      /** Kinds, the file of each object, and the files of attributes, by path. */
      const model: Record<string, { kind: string; file: number; attributes: Record<string, number> }> = {
        '/': { kind: 'group', file: 0, attributes: {} },
      }
      const writers = files.map((nodes, file) => {
        const own = new Map<string, (typeof nodes)[number]>()
        for (const one of nodes) {
          const parents = one.path.slice(0, -1).map((_, i) => `/${one.path.slice(0, i + 1).join('/')}`)
          if (own.has(`/${one.path.join('/')}`)) continue
          if (parents.some(parent => (own.get(parent)?.kind ?? 'group') !== 'group')) continue
          for (const [i, parent] of parents.entries())
            if (!own.has(parent))
              own.set(parent, { path: one.path.slice(0, i + 1), kind: 'group', attributes: [] })
          own.set(`/${one.path.join('/')}`, one)
        }
        for (const [path, { kind, attributes }] of own) {
          const parent = path.slice(0, path.lastIndexOf('/')) || '/'
          const isShadowed = model[parent]?.kind !== 'group'
          if (isShadowed) continue
          const given = Object.fromEntries(attributes.map(name => [name, file]))
          const known = model[path]
          if (!known) model[path] = { kind, file, attributes: kind === 'soft' ? {} : given }
          else if (known.kind === 'group' && kind === 'group')
            known.attributes = { ...given, ...known.attributes }
        }
        return (h5: File) => {
          for (const [path, { kind, attributes }] of own) {
            if (kind === 'soft') {
              h5.create_soft_link(`/target-${file}`, path)
              continue
            }
            const object: Group | Dataset =
              kind === 'group'
                ? h5.create_group(path)
                : h5.create_dataset({ name: path, data: [file], shape: [1], dtype: '<i' })
            for (const name of attributes) object.create_attribute(name, file, [], '<i')
          }
        }
      })
      const found = await walk(await openDomain(writers))
      const expected = Object.fromEntries(
        Object.entries(model).map(([path, { kind, file, attributes }]) => [
          path,
          {
            kind: kind === 'soft' ? 'H5L_TYPE_SOFT' : kind,
            attributes,
            ...(kind === 'dataset' && { value: [file] }),
          },
        ]),
      )
      const seen = Object.fromEntries(
        Object.entries(found).map(([path, { address: _, ...rest }]) => [path, rest]),
      )
      expect(seen).toEqual(expected)
      const addresses = Object.values(found).flatMap(({ address }) => (address === '' ? [] : [address]))
      expect(new Set(addresses).size).toBe(addresses.length)
    }
    await fc.assert(fc.asyncProperty(families, check), { numRuns: 100 })
  })

  it('attaches datasets to the dimension scales of all files', async () => {
    const found = await walk(
      await openDomain([
        file => {
          addScale(file, 'x', 3, 0)
          add(file, 'a', [3], ['x'])
        },
        file => {
          addScale(file, 'y', 2, 0)
          addScale(file, 'x', 3, 1)
          add(file, 'b', [2, 3], ['y', 'x']).create_attribute('_Netcdf4Coordinates', [0, 1], [2], '<i4')
          add(file, 'a', [2], ['y'])
        },
        file => {
          addScale(file, 'y', 2, 5)
          add(file, 'c', [2], ['y'])
        },
      ]),
    )
    const { '/x': x, '/y': y, '/a': a, '/b': b, '/c': c } = found
    expect(b.attributes).toEqual({ DIMENSION_LIST: [[to(y)], [to(x)]], _Netcdf4Coordinates: [1, 0] })
    expect(c.attributes).toEqual({ DIMENSION_LIST: [[to(y)]] })
    expect(a.attributes).toEqual({ DIMENSION_LIST: [[to(x)]] })
    expect(x.attributes).toMatchObject({
      REFERENCE_LIST: [
        [to(a), 0],
        [to(b), 1],
      ],
      _Netcdf4Dimid: 0,
    })
    expect(y.attributes).toMatchObject({
      REFERENCE_LIST: [
        [to(b), 0],
        [to(c), 0],
      ],
      _Netcdf4Dimid: 1,
    })
  })

  it('leaves attributes of the names of lists that are something else', async () => {
    const found = await walk(
      await openDomain([
        file => addScale(file, 'x', 3).create_attribute('REFERENCE_LIST', 'mine'),
        file => {
          addScale(file, 'x', 3)
          add(file, 'b', [3], ['x']).create_attribute('_Netcdf4Coordinates', 'mine')
        },
      ]),
    )
    expect(found['/x'].attributes.REFERENCE_LIST).toBe('mine')
    expect(found['/b'].attributes._Netcdf4Coordinates).toBe('mine')
  })

  it('keeps addresses of added objects while other files come', async () => {
    const write = (name: string) => (file: File) => add(file, name, [1])
    const two = await walk(await openDomain([write('a'), write('b')]))
    const three = await walk(await openDomain([write('a'), write('0'), write('b')]))
    expect(three['/b'].address).toBe(two['/b'].address)
  })

  it('names the file of values that cannot be read', async () => {
    const first = bytesOf(file => add(file, 'a', [1]))
    const cut = bytesOf(file => {
      add(file, 'b', [1])
      add(file, 'large', [4000])
    }).slice(0, -100)
    const domain = await openFiles([first, cut])
    const addresses: Record<string, string> = {}
    for await (const links of domain.links(domain.root))
      for (const link of links) if (link.class === 'H5L_TYPE_HARD') addresses[link.title] = link.address
    expect(await readAll(domain, addresses.b)).toEqual([0])
    await expect(readAll(domain, addresses.large)).rejects.toThrow(/^1\.nc: /)
    await expect(domain.requireValues?.(addresses.large)).rejects.toThrow(/^1\.nc: /)
  })

  it('is refused where two dimension scales of one path have different lengths', async () => {
    const files = [2, 3].map(length => (file: File) => addScale(file, 'x', length))
    await expect(openDomain(files)).rejects.toThrow(
      'the dimension scale /x has the length 2 in 0.nc and 3 in 1.nc',
    )
    const conflicts: JoinConflict[] = []
    await openDomain(files, UNION, conflicts)
    expect(conflicts).toMatchObject([{ files: ['0.nc', '1.nc'], object: '/x' }])
  })
})

describe('datasets along the dimension that the first file lacks', () => {
  const addTimes = (file: File, first: number, count: number) => {
    const data = Array.from({ length: count }, (_, i) => first + i)
    file.create_dataset({ name: 'time', data, shape: [count], dtype: '<i' }).make_scale('time')
  }

  it('begin where a file has them (random families)', async () => {
    const paths = ['/a', '/g/b', '/g/h/c', '/i'] as const
    const family = fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 3 }), has: fc.subarray([...paths]) }),
      { minLength: 1, maxLength: 5 },
    )
    const check = async (members: typeof family extends fc.Arbitrary<infer T> ? T : never) => {
      const starts = members.map((_, i) => members.slice(0, i).reduce((sum, { count }) => sum + count, 0))
      const valueAt = (path: string, time: number) => 10 * time + path.length
      const domain = await openDomain(
        members.map(({ count, has }, i) => file => {
          addTimes(file, starts[i], count)
          for (const group of ['/g', '/g/h'])
            if (has.some(path => path.startsWith(`${group}/`))) file.create_group(group)
          for (const path of has) {
            const data = Array.from({ length: count }, (_, t) => valueAt(path, starts[i] + t))
            const type = path === '/i' ? '<i' : '<f4'
            file.create_dataset({ name: path, data, shape: [count], dtype: type }).attach_scale(0, '/time')
          }
        }),
        TIME,
      )
      const found = await walk(domain)
      const times = members.flatMap(({ count }, i) => Array.from({ length: count }, (_, t) => starts[i] + t))
      expect(found['/time'].value).toEqual(times)
      const used: unknown[] = []
      for (const path of paths) {
        const isThere = members.some(({ has }) => has.includes(path))
        expect(path in found).toBe(isThere)
        if (!isThere) continue
        const values = members.flatMap(({ count, has }, i) =>
          Array.from({ length: count }, (_, t) =>
            has.includes(path) ? valueAt(path, starts[i] + t) : path === '/i' ? 0 : Number.NaN,
          ),
        )
        expect(found[path].value, path).toEqual(values)
        expect(found[path].attributes).toEqual({ DIMENSION_LIST: [[to(found['/time'])]] })
        used.push([to(found[path]), 0])
      }
      const { REFERENCE_LIST = [] } = found['/time'].attributes
      expect(new Set(REFERENCE_LIST as unknown[])).toEqual(new Set(used))
    }
    await fc.assert(fc.asyncProperty(family, check), { numRuns: 60 })
  })

  const base = (file: File) => {
    addTimes(file, 0, 1)
    addScale(file, 'level', 2)
    add(file, 'temp', [1, 2], ['time', 'level'])
  }
  const wind = (file: File) => {
    addTimes(file, 1, 2)
    addScale(file, 'level', 2)
    addScale(file, 'height', 3)
    file.create_group('g').create_attribute('title', 'sensors')
    add(file, 'g/wind', [2, 3, 2], ['time', 'height', 'level'])
    add(file, 'g/still', [3], ['height'])
    add(file, 'other', [2])
  }

  it('have their dimension scales and groups with them, and nothing else', async () => {
    const found = await walk(await openDomain([base, wind], TIME))
    expect(Object.keys(found).sort()).toEqual(['/', '/g', '/g/wind', '/height', '/level', '/temp', '/time'])
    const { '/g': group, '/g/wind': dataset, '/time': time, '/height': height, '/level': level } = found
    expect(group.attributes).toEqual({ title: 'sensors' })
    const nans = Array.from({ length: 3 }, () => [Number.NaN, Number.NaN])
    expect(dataset.value).toEqual([
      nans,
      [
        [0, 1],
        [2, 3],
        [4, 5],
      ],
      [
        [6, 7],
        [8, 9],
        [10, 11],
      ],
    ])
    expect(dataset.attributes).toEqual({ DIMENSION_LIST: [[to(time)], [to(height)], [to(level)]] })
    expect(height.attributes.REFERENCE_LIST).toEqual([[to(dataset), 1]])
    expect(level.attributes.REFERENCE_LIST).toEqual([
      [to(found['/temp']), 1],
      [to(dataset), 2],
    ])
  })

  it.each([
    [
      (file: File) => addScale(file, 'level', 3),
      'the dimension scale /level has the length 3 in 0.nc and 2 in 1.nc',
    ],
    [
      (file: File) => file.create_soft_link('/nowhere', 'g'),
      '1.nc has the dataset /g/wind, and 0.nc another object in its place',
    ],
    [
      (file: File) => add(file, 'g', [1]),
      '1.nc has the dataset /g/wind, and 0.nc another object in its place',
    ],
  ])('are refused where the first file has other objects: %#', async (write, reason) => {
    const first = (file: File) => {
      addTimes(file, 0, 1)
      write(file)
    }
    await expect(openDomain([first, wind], TIME)).rejects.toThrow(reason)
    const conflicts: JoinConflict[] = []
    await openDomain([first, wind], TIME, conflicts)
    expect(conflicts.map(({ files, reason }) => [files, reason])).toEqual([[['0.nc', '1.nc'], reason]])
  })

  it('can have a new dimension', async () => {
    const image = (name: string, number: number) => (file: File) => {
      addScale(file, 'x', 2, 3)
      const dataset = add(file, name, [2], ['x'])
      dataset.create_attribute('_Netcdf4Coordinates', [3], [1], '<i4')
      dataset.create_attribute('number', number, [], '<i4')
    }
    const domain = await openDomain([image('a', 1), image('b', 2), image('b', 3)], {
      kind: 'new',
      name: 'run',
    })
    const found = await walk(domain)
    const { '/a': a, '/b': b, '/x': x, '/run': run } = found
    expect(a.value).toEqual([
      [0, 1],
      [Number.NaN, Number.NaN],
      [Number.NaN, Number.NaN],
    ])
    expect(b.value).toEqual([
      [Number.NaN, Number.NaN],
      [0, 1],
      [0, 1],
    ])
    expect(b.attributes).toEqual({
      DIMENSION_LIST: [[to(run)], [to(x)]],
      _Netcdf4Coordinates: [4, 3],
      number: 2,
    })
    for (const [scale, dimension] of [
      [run, 0],
      [x, 1],
    ] as const)
      expect(scale.attributes.REFERENCE_LIST).toEqual([
        [to(a), dimension],
        [to(b), dimension],
      ])
  })
})
