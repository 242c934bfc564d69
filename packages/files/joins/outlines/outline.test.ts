import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openH5File, sourceOf } from '@hyperslab/h5/reader'
import h5wasm, { type File, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOutline } from './outline.ts'

let folder: string

beforeAll(async () => {
  await ready
  folder = mkdtempSync(join(tmpdir(), 'outline-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function outlineOf(write: (file: File) => void, along: Parameters<typeof readOutline>[1]) {
  const path = join(folder, 'a.h5')
  const file = new h5wasm.File(path, 'w')
  write(file)
  file.close()
  return readOutline(await openH5File(sourceOf(readFileSync(path)), 'a.h5'), along)
}

const axes = (given: Readonly<Record<string, number>>) => ({
  kind: 'axes' as const,
  axes: new Map(Object.entries(given)),
})

function writeScan(file: File): void {
  const add = (name: string, shape: number[]) =>
    file.create_dataset({ name, data: new Int32Array(shape.reduce((a, b) => a * b, 1)), shape })
  file.create_group('entry')
  add('entry/data', [3, 4])
  add('entry/times', [3])
  add('entry/mask', [4])
  add('angle', [4]).make_scale('angle')
  add('entry/other', [2, 4]).attach_scale(1, '/angle')
  add('entry/turned', [4, 3]).attach_scale(0, '/angle')
}

describe('an outline along dimensions of datasets', () => {
  it('has these datasets', async () => {
    const outline = await outlineOf(writeScan, axes({ '/entry/data': 0, '/entry/times': 0 }))
    const found = [...outline.datasets].map(([path, { axis }]) => [path, axis])
    expect(found.toSorted()).toEqual([
      ['/entry/data', 0],
      ['/entry/times', 0],
    ])
    expect(outline).toMatchObject({ extent: 3 })
    expect(outline.coordinates).toBeUndefined()
  })

  it.each([
    [{ '/entry/other': 1 }, { '/angle': 0, '/entry/other': 1, '/entry/turned': 0 }],
    [
      { '/angle': 0, '/entry/mask': 0 },
      { '/angle': 0, '/entry/mask': 0, '/entry/other': 1, '/entry/turned': 0 },
    ],
  ])('has those that have a dimension scale of theirs: %j', async (given, expected) => {
    const { datasets, coordinates } = await outlineOf(writeScan, axes(given))
    expect(Object.fromEntries([...datasets].map(([path, { axis }]) => [path, axis]))).toEqual(expected)
    expect(coordinates?.ends).toEqual([0, 0])
  })

  it.each([
    [{ '/entry/data': 2 }, '/entry/data has 2 dimensions, so there is no /entry/data#2'],
    [{ '/entry/other': 1, '/entry/turned': 1 }, '/entry/turned has the dimension'],
    [{ '/none': 0 }, 'no dataset has the dimension /none#0'],
  ])('is refused: %j', async (given, reason) => {
    await expect(outlineOf(writeScan, axes(given))).rejects.toThrow(reason)
  })
})
