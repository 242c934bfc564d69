// Images as tifffile and Pillow read them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementsFromJson, parseJson } from '@hyperslab/model/json'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { afterAll, describe, expect, it } from 'vitest'
import { coloursOf } from '../../packages/meaning/colour-maps.ts'
import { encodePng, pngMatrix } from '../../packages/views/formats/png.ts'
import { encodeTiffHeader } from '../../packages/views/formats/tiff.ts'
import { hasModules, isMissing, run } from './h5py.ts'

const I8: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const U16: Datatype = { class: 'H5T_INTEGER', size: 2, signed: false, order: 'BE' }
const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'BE' }
const U64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }
const F16: Datatype = { class: 'H5T_FLOAT', size: 2, order: 'LE' }
const F32: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'BE' }

/** Type, JSON; elements of NumPy in the order of this machine. */
const CASES: readonly [Datatype, string, string, string][] = [
  [I8, '[[-5,127,0]]', '|i1', '[[-5, 127, 0]]'],
  [U16, '[[1,2],[3,65535]]', '<u2', '[[1, 2], [3, 65535]]'],
  [I32, '[[1],[-2147483648]]', '<i4', '[[1], [-2147483648]]'],
  [U64, '[[18446744073709551615]]', '<u8', '[[18446744073709551615]]'],
  [F16, '[[0.5,NaN]]', '<f2', '[[0.5, nan]]'],
  [F32, '[[0.25,-Infinity]]', '<f4', '[[0.25, -inf]]'],
  [F64, '[[0.1],[1e300]]', '<f8', '[[0.1], [1e+300]]'],
  [{ class: 'H5T_BITFIELD', size: 1, order: 'LE' }, '[[255]]', '|u1', '[[255]]'],
]

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-images-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HAS_READERS = hasModules('numpy', 'tifffile', 'PIL')

describe.skipIf(isMissing('a Python with NumPy, tifffile and Pillow', HAS_READERS))('images', () => {
  it('of TIFF have the numbers that were stored', () => {
    const names = CASES.map(([type, json], i) => {
      const values = parseJson(json)
      const shape = shapeOf(values)
      const { data } = elementsFromJson(type, shape, values, PREFIXED_REFERENCES)
      const name = join(folder, `${i}.tiff`)
      writeFileSync(name, Buffer.concat([encodeTiffHeader(type, shape), data]))
      return name
    })
    expect(read(names)).toEqual(
      CASES.map(([, json, dtype, elements]) => ({ dtype, shape: shapeOf(parseJson(json)), elements })),
    )
  })

  it('of PNG have the colours of the numbers, and none for NaN', async () => {
    const { data } = elementsFromJson(
      F32,
      [2, 2],
      [
        [0, 254],
        [127, Number.NaN],
      ],
      PREFIXED_REFERENCES,
    )
    const pieces = [{ count: 4, data, heap: new Uint8Array(0) }]
    const parts: Uint8Array[] = []
    async function* values() {
      yield* pieces
    }
    const colours = { min: 0, max: 255, map: 'Cubehelix' } as const
    for await (const part of encodePng(pngMatrix(F32, [2, 2]), values(), colours)) parts.push(part)
    const name = join(folder, 'colours.png')
    writeFileSync(name, Buffer.concat(parts))
    const palette = coloursOf('Cubehelix', 255)
    const colour = (index: number) => [...palette.subarray(3 * index, 3 * index + 3), 255]
    const elements = [
      [colour(0), colour(254)],
      [colour(127), [0, 0, 0, 0]],
    ]
    const [{ shape, elements: found }] = read([name])
    expect([shape, JSON.parse(found)]).toEqual([[2, 2, 4], elements])
  })
})

interface ReadImage {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly elements: string
}

function read(names: readonly string[]): readonly ReadImage[] {
  // The output of read-images.py.
  return run('read-images.py', names)
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as ReadImage)
}

function shapeOf(rows: unknown): readonly number[] {
  if (!Array.isArray(rows) || !Array.isArray(rows[0])) throw new Error('no matrix')
  return [rows.length, rows[0].length]
}
