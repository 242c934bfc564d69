// Datasets of several files that are not joined, compared by their types and extents, or by their values.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openH5File, sourceOf } from '@hyperslab/h5/reader'
import h5wasm, { type File, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCompared } from './compared-datasets.ts'

let folder: string

beforeAll(async () => {
  await ready
  folder = mkdtempSync(join(tmpdir(), 'compared-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const NOTHING = { datasets: new Map(), extent: 0 }

/** The datasets of a file that `write` makes. */
async function compared(write: (file: File) => void, check: 'types' | 'values' = 'values') {
  const path = join(folder, 'file.h5')
  const file = new h5wasm.File(path, 'w')
  write(file)
  file.close()
  const reader = await openH5File(sourceOf(readFileSync(path)), 'file.h5')
  return readCompared(reader, NOTHING, check)
}

const adds =
  (data: Parameters<File['create_dataset']>[0]['data'], shape: number[], dtype: string, rest = {}) =>
  (file: File) => {
    file.create_group('g').create_dataset({ name: 'd', data, shape, dtype, ...rest })
  }
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i % 100)

describe('two datasets', () => {
  it.each([
    [
      'with equal values, in other storage',
      adds(numbers(6), [2, 3], '<i'),
      adds(numbers(6), [2, 3], '<i', { chunks: [1, 2] }),
      'equal',
    ],
    ['with other values', adds([1, 2], [2], '<d'), adds([1, 3], [2], '<d'), 'values'],
    [
      'with another value in the last block',
      adds(numbers(3e5), [3e5], '<d'),
      adds([...numbers(3e5 - 1), 7], [3e5], '<d'),
      'values',
    ],
    ['of other extents', adds([1, 2], [2], '<i'), adds([1, 2], [1, 2], '<i'), 'form'],
    ['of other types', adds([1, 2], [2], '<i'), adds([1, 2], [2], '<h'), 'form'],
    ['with equal strings', adds(['a', 'bc'], [2], 'S4'), adds(['a', 'bc'], [2], 'S4'), 'equal'],
    [
      'with other strings of variable length',
      adds(['a', 'b'], [2], 'S'),
      adds(['a', 'bb'], [2], 'S'),
      'values',
    ],
    ['without elements', adds([], [0], '<i'), adds([], [0], '<i'), 'equal'],
  ] as const)('%s', async (_, one, other, difference) => {
    const [a, b] = [(await compared(one)).get('/g/d'), (await compared(other)).get('/g/d')]
    expect([a?.form === b?.form, a?.values === b?.values]).toEqual([
      difference !== 'form',
      difference === 'equal' || expect.anything(),
    ])
    if (difference === 'values') expect(a?.values).not.toBe(b?.values)
    const types = [(await compared(one, 'types')).get('/g/d'), (await compared(other, 'types')).get('/g/d')]
    expect([types[0]?.form, types[1]?.form, types[0]?.values]).toEqual([a?.form, b?.form, undefined])
  })

  it('with a scalar, or references', async () => {
    const file = (value: number) => (file: File) => {
      file.create_dataset({ name: 'scalar', data: value, shape: [], dtype: '<i' })
    }
    const [a, b, c] = [await compared(file(1)), await compared(file(2)), await compared(file(1))]
    expect(a.get('/scalar')).toEqual(c.get('/scalar'))
    expect(a.get('/scalar')?.values).not.toBe(b.get('/scalar')?.values)
  })
})
