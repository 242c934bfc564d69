// Files of h5wasm whose datasets get a first dimension: values beside a naive stacking, and the attributes that attach
// the dimension scale.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { product, UNLIMITED } from '@hyperslab/model/dataset'
import { elementsFromJson, elementsToJson } from '@hyperslab/model/json'
import { idFromHex } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import fc from 'fast-check'
import { type Dataset, type File, File as H5wasmFile, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourceOf } from '../byte-source.ts'
import type { FileAddress, FileAttribute, H5FileReader, JoinedDataset, NewDimension } from '../file-reader.ts'
import { openH5File } from './reader.ts'

const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
const INTEGER = { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' } as const

let folder: string

beforeAll(async () => {
  await ready
  folder = mkdtempSync(join(tmpdir(), 'new-dimension-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function bytesOf(write: (file: File) => void): Uint8Array {
  const path = join(folder, 'a.h5')
  const file = new H5wasmFile(path, 'w')
  write(file)
  file.close()
  return new Uint8Array(readFileSync(path))
}

async function addressesOf(reader: H5FileReader): Promise<Record<string, FileAddress>> {
  const found: Record<string, FileAddress> = {}
  for await (const links of reader.links(reader.root)) {
    for (const link of links) if (link.class === 'H5L_TYPE_HARD') found[link.title] = link.address
  }
  return found
}

/** The first of the files, in which the datasets have the dimension `run`. */
async function openStacked(
  files: readonly Uint8Array[],
  names: Readonly<Record<string, NonNullable<JoinedDataset['newAxis']>>>,
  dimension: Partial<NewDimension> = {},
) {
  const count = files.length
  const plain = await openH5File(sourceOf(files[0]), 'first.h5')
  const addresses = await addressesOf(plain)
  const datasets = new Map<FileAddress, JoinedDataset>()
  for (const [name, newAxis] of Object.entries(names)) {
    const { type, space } = await plain.dataset(addresses[name])
    const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
    datasets.set(addresses[name], {
      type,
      space: { class: 'H5S_SIMPLE', dims: [count, ...dims], maxdims: [UNLIMITED, ...dims] },
      axis: 0,
      newAxis,
      parts: files.map((_, i) => ({
        file: `${i}%b.h5`,
        dataset: `/${name}`,
        start: i,
        count: 1,
        sourceStart: 0,
      })),
    })
  }
  const numbers = Array.from({ length: count }, (_, i) => 10 * i)
  const values = elementsFromJson(INTEGER, [count], numbers, PREFIXED_REFERENCES)
  const scale = { type: INTEGER, values, attributes: new Map([['units', 'K']]) }
  const reader = await openH5File(sourceOf(files[0]), 'first.h5', {
    joined: { datasets, dimension: { name: 'run', scale, ...dimension } },
    openSibling: async name => ({
      source: sourceOf(files[Number.parseInt(name, 10)]),
      path: name,
      openSibling: async () => undefined,
    }),
  })
  return { reader, addresses: await addressesOf(reader) }
}

const resolve = (address: FileAddress) => ({
  kind: 'dataset' as const,
  id: idFromHex(Number(address).toString(16).padStart(32, '0')),
})

async function attributesOf(reader: H5FileReader, address: FileAddress) {
  const found: Record<string, unknown> = {}
  for await (const batch of reader.attributes(address, resolve)) {
    for (const { name, type, space, value } of batch as readonly FileAttribute[]) {
      expect(found, name).not.toHaveProperty(name)
      if (value)
        found[name] = elementsToJson(type, space.class === 'H5S_SIMPLE' ? space.dims : [], value, STYLE)
    }
  }
  return found
}

function writeFile(file: File): void {
  const add = (name: string, shape: number[]) =>
    file.create_dataset({ name, data: new Float32Array(product(shape)), shape })
  add('x', [3]).make_scale('x')
  add('y', [2]).make_scale('y')
  const image = add('image', [2, 3])
  image.attach_scale(0, '/y')
  image.attach_scale(1, '/x')
  image.create_attribute('_Netcdf4Coordinates', [1, 0], [2], '<i4')
  const other = add('other', [3])
  other.attach_scale(0, '/x')
  add('plain', [2, 3])
  add('mean', [])
}

const JOINED = { image: 'scale', plain: 'label', mean: 'scale' } as const

describe('a file whose datasets have a new dimension', () => {
  it('has a dimension scale for it, attached to them', async () => {
    const bytes = bytesOf(writeFile)
    const { reader, addresses } = await openStacked([bytes, bytes], JOINED, { number: 7 })
    const to = (name: string) => PREFIXED_REFERENCES.format(resolve(addresses[name]))
    expect(Object.keys(addresses).sort()).toEqual(['image', 'mean', 'other', 'plain', 'run', 'x', 'y'])
    expect(reader.pathOf(addresses.run)).toBe('/run')
    expect(await reader.object(addresses.run)).toEqual({ address: addresses.run, kind: 'dataset' })
    expect(await reader.dataset(addresses.run)).toMatchObject({
      type: INTEGER,
      space: { dims: [2], maxdims: [UNLIMITED] },
    })
    const read = await reader.readValues(addresses.run, [1], [1], resolve)
    expect(elementsToJson(INTEGER, [1], read, STYLE)).toEqual([10])
    expect(await attributesOf(reader, addresses.run)).toEqual({
      CLASS: 'DIMENSION_SCALE',
      NAME: 'run',
      units: 'K',
      REFERENCE_LIST: [
        [to('image'), 0],
        [to('mean'), 0],
      ],
      _Netcdf4Dimid: 7,
    })
    expect(await attributesOf(reader, addresses.image)).toEqual({
      DIMENSION_LIST: [[to('run')], [to('y')], [to('x')]],
      _Netcdf4Coordinates: [7, 1, 0],
    })
    expect(await attributesOf(reader, addresses.mean)).toEqual({ DIMENSION_LIST: [[to('run')]] })
    expect(await attributesOf(reader, addresses.plain)).toEqual({ DIMENSION_LABELS: ['run', '', ''] })
    // In datasets with the new dimension, those of the other scales have moved.
    expect(await attributesOf(reader, addresses.x)).toMatchObject({
      REFERENCE_LIST: [
        [to('image'), 2],
        [to('other'), 0],
      ],
    })
    expect(await reader.dataset(addresses.image)).toMatchObject({
      creationProperties: { layout: 'H5D_CHUNKED', chunkDims: [1, 2, 3] },
    })
  })

  it('leaves attributes of these names that are something else', async () => {
    const bytes = bytesOf(file => {
      writeFile(file)
      const plain = file.get('plain') as Dataset
      plain.create_attribute('REFERENCE_LIST', [Number.NaN, 2], [2], '<f4')
      plain.create_attribute('DIMENSION_LIST', [1, 2], [2], '<i4')
      plain.create_attribute('_Netcdf4Coordinates', 'a string')
      plain.create_attribute('DIMENSION_LABELS', ['one', 'two'])
    })
    const { reader, addresses } = await openStacked([bytes, bytes], JOINED, { number: 7 })
    expect(await attributesOf(reader, addresses.plain)).toEqual({
      REFERENCE_LIST: [Number.NaN, 2],
      DIMENSION_LIST: [1, 2],
      _Netcdf4Coordinates: 'a string',
      DIMENSION_LABELS: ['run', 'one', 'two'],
    })
  })

  it('can have a dataset of the files as its scale', async () => {
    const bytes = bytesOf(writeFile)
    const plain = await openH5File(sourceOf(bytes), 'a.h5')
    const { mean } = await addressesOf(plain)
    const { reader, addresses } = await openStacked([bytes], JOINED, { name: 'mean', scale: mean })
    expect(addresses).not.toHaveProperty('run')
    const to = (name: string) => PREFIXED_REFERENCES.format(resolve(addresses[name]))
    expect(await attributesOf(reader, mean)).toEqual({
      CLASS: 'DIMENSION_SCALE',
      NAME: 'mean',
      REFERENCE_LIST: [[to('image'), 0]],
    })
    expect(await attributesOf(reader, addresses.image)).toMatchObject({
      DIMENSION_LIST: [[to('mean')], [to('y')], [to('x')]],
      _Netcdf4Coordinates: [1, 0],
    })
  })

  it('has the values of all files (random shapes and boxes)', async () => {
    const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 })
    const family = fc.record({
      shape: shapes,
      count: fc.integer({ min: 1, max: 5 }),
      isChunked: fc.boolean(),
      picks: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
    })
    const check = async ({
      shape,
      count,
      isChunked,
      picks,
    }: typeof family extends fc.Arbitrary<infer T> ? T : never) => {
      const size = product(shape)
      const valueAt = (file: number, element: number) => 100 * file + element
      const rest = isChunked && size > 0 && shape.length > 0 ? { chunks: shape.map(n => Math.min(n, 2)) } : {}
      const files = Array.from({ length: count }, (_, i) =>
        bytesOf(file => {
          const data = Float32Array.from({ length: size }, (_, element) => valueAt(i, element))
          file.create_dataset({
            name: 'd',
            data: shape.length === 0 ? data[0] : data,
            shape,
            dtype: '<f4',
            ...rest,
          })
        }),
      )
      const { reader, addresses } = await openStacked(files, { d: 'label' })
      const dims = [count, ...shape]
      const start = dims.map((extent, d) => picks[d] % (extent + 1))
      const extents = dims.map((extent, d) => picks[d + 4] % (extent - start[d] + 1))
      for (const [from, box] of [
        [dims.map(() => 0), dims],
        [start, extents],
      ]) {
        const { type } = await reader.dataset(addresses.d)
        const read = await reader.readValues(addresses.d, from, box, resolve)
        const expected: number[] = []
        const visit = (d: number, offset: number) => {
          if (d === dims.length) expected.push(valueAt(Math.floor(offset / size), offset % size))
          else for (let i = 0; i < box[d]; i++) visit(d + 1, offset * dims[d] + from[d] + i)
        }
        visit(0, 0)
        expect(elementsToJson(type, [product(box)], read, STYLE)).toEqual(expected)
      }
    }
    await fc.assert(fc.asyncProperty(family, check), { numRuns: 60 })
  })
})
