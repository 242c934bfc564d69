// The reader against the HDF5 library on files that the library writes through h5wasm, so that they are compared where
// there is nothing but Node. Files that h5wasm cannot write are compared through h5py (test/h5py).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import h5wasm, { type File, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareFile } from '../h5py/compare-file.ts'
import { openReader } from '../h5py/open-reader.ts'
import { describeWithH5wasm } from './describe.ts'

/**
 * The bounds of versions choose the structures of a file: B-trees of version 1 or 2, local or fractal heaps, indexes of
 * chunks.
 */
const VERSIONS = ['earliest', 'v108', 'v110', 'v112', 'v114', 'latest'] as const

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-h5wasm-'))
beforeAll(async () => void (await ready))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function counting(length: number): Int32Array {
  return Int32Array.from({ length }, (_, index) => (index * 7919) % 100_003)
}

const WRITERS: Readonly<Record<string, (file: File) => void>> = {
  types(file) {
    const arrays = [
      ...[
        new Int8Array([-1, 2]),
        new Uint8Array([255, 2]),
        new Int16Array([-1, 2]),
        new Uint16Array([65535, 2]),
      ],
      ...[new Int32Array([-1, 2]), new Uint32Array([2 ** 32 - 1, 2]), new BigInt64Array([-(2n ** 63n), 2n])],
      ...[
        new BigUint64Array([2n ** 64n - 1n, 2n]),
        new Float32Array([0.1, Number.NaN]),
        new Float64Array([0.1, -0]),
      ],
    ]
    for (const data of arrays) {
      file.create_dataset({ name: data.constructor.name, data })
      file.create_attribute(data.constructor.name, data)
    }
    file.create_dataset({ name: 'scalar', data: 7, shape: [] })
    file.create_dataset({
      name: 'empty',
      data: new Int32Array(0),
      shape: [0, 3],
      maxshape: [null, 3],
      chunks: [2, 3],
    })
    file.create_dataset({ name: 'variable text', data: ['a', 'grün', ''] })
    file.create_dataset({ name: 'fixed text', data: ['a', 'grün', ''], dtype: 'S5' })
    file.create_attribute('text', 'grün')
    file.create_attribute('texts', ['a', '', 'bc'])
    const members = new Map<string, unknown>([
      ['number', [1, 2]],
      ['half', [0.5, 1.5]],
    ])
    file.create_dataset({
      name: 'compound',
      data: members,
      dtype: [
        ['number', '<i'],
        ['half', '<d'],
      ],
    })
  },
  links(file) {
    const many = file.create_group('many')
    for (let index = 0; index < 300; index++) many.create_group(`group ${index}`)
    const ordered = file.create_group('ordered', true)
    for (const name of ['z', 'a', 'm']) ordered.create_dataset({ name, data: counting(3) })
    file.create_dataset({ name: 'references', data: [many.create_reference(), file.create_reference()] })
    file.create_soft_link('/many/group 7', 'soft')
    file.create_soft_link('/nowhere', 'dangling')
    file.create_external_link('other.h5', '/there', 'external')
    file.create_hard_link('/many', 'again')
    file.create_hard_link('/', 'circle')
    for (let index = 0; index < 40; index++)
      ordered.create_attribute(`attribute ${index}`, counting(index + 1))
    many.create_attribute('large', counting(15_000))
  },
  chunks(file) {
    const shapes: Readonly<Record<string, readonly (number | null)[]>> = {
      fixed: [40, 60],
      growing: [null, 60],
      'growing along the second': [40, null],
      'growing both ways': [null, null],
    }
    for (const [name, maxshape] of Object.entries(shapes)) {
      const chunked = { data: counting(2400), shape: [40, 60], maxshape: [...maxshape] }
      file.create_dataset({ name, ...chunked, chunks: [7, 9] })
      file.create_dataset({ name: `${name}, filtered`, ...chunked, chunks: [7, 9], compression: 'gzip' })
      file.create_dataset({ name: `${name}, one chunk`, ...chunked, chunks: [40, 60] })
    }
    const options = { shape: [10], maxshape: [null], chunks: [3] }
    file.create_dataset({ name: 'grown', data: counting(10), ...options }).resize([5000])
    file.create_dataset({ name: 'shrunk', data: counting(10), ...options }).resize([4])
    file.create_dataset({ name: 'contiguous', data: counting(30_000), shape: [100, 300] })
  },
}

async function findingsOf(path: string) {
  return compareFile(() => openReader(path), await describeWithH5wasm(path))
}

describe('files that the HDF5 library writes without Python', () => {
  const cases = VERSIONS.flatMap(version =>
    Object.entries(WRITERS).map(([name, write]) => ({ version, name, write })),
  )

  it.each(cases)(
    '$name of version $version are read as the library reads them',
    async ({ version, name, write }) => {
      const path = join(folder, `${name}-${version}.h5`)
      const file = new h5wasm.File(path, 'w', {
        libver: [version, version === 'earliest' ? 'v108' : 'latest'],
      })
      write(file)
      file.close()
      expect(await findingsOf(path)).toEqual([])
    },
  )

  it('a value that differs is found, in a dataset and in an attribute', async () => {
    const path = join(folder, 'changed.h5')
    // Without checksums.
    const file = new h5wasm.File(path, 'w', { libver: ['earliest', 'v108'] })
    const data = Float64Array.of(Math.PI)
    file.create_dataset({ name: 'dataset', data })
    file.create_attribute('attribute', data)
    file.close()
    const described = await describeWithH5wasm(path)
    const bytes = readFileSync(path)
    const pi = Buffer.from(data.buffer)
    for (let at = bytes.indexOf(pi); at !== -1; at = bytes.indexOf(pi)) bytes[at] ^= 1
    writeFileSync(path, bytes)
    const findings = await compareFile(() => openReader(path), described)
    expect(findings.map(({ path, kind }) => [path, kind])).toEqual([
      ['/ attribute attribute', 'different'],
      ['/dataset from 0', 'different'],
    ])
  })
})
