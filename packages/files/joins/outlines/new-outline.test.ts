import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openH5File, sourceOf } from '@hyperslab/h5/reader'
import { type File, File as H5wasmFile, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewAxis } from '../definition.ts'
import { readNewOutline } from './new-outline.ts'

let folder: string

beforeAll(async () => {
  await ready
  folder = mkdtempSync(join(tmpdir(), 'new-outline-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function outlineOf(along: Partial<NewAxis>, write: (file: File) => void = writeRun) {
  const path = join(folder, 'a.h5')
  const file = new H5wasmFile(path, 'w')
  write(file)
  file.close()
  const reader = await openH5File(sourceOf(readFileSync(path)), 'a.h5')
  return readNewOutline(reader, { kind: 'new', name: 'run', ...along })
}

function writeRun(file: File): void {
  const add = (name: string, shape: number[]) =>
    file.create_dataset({ name, data: new Float64Array(shape.reduce((a, b) => a * b, 1)), shape })
  add('x', [4]).make_scale('x')
  const group = file.create_group('g')
  add('g/image', [3, 4]).attach_scale(1, '/x')
  add('g/plain', [3, 4])
  file.create_dataset({ name: 'mean', data: 2.5, shape: [] })
  file.create_dataset({ name: 'label', data: 'a title' })
  group.create_attribute('number', 12, [], '<i4')
  group.create_attribute('name', 'twelve')
  group.create_attribute('list', [1, 2])
  group.create_attribute('nothing', Number.NaN)
}

describe('an outline for a new dimension', () => {
  it('has all datasets that are no scales, with a first dimension of one coordinate', async () => {
    const { datasets, extent, newAxis } = await outlineOf({})
    const found = [...datasets].map(([path, { space, newAxis }]) => [path, space.dims, newAxis])
    expect(found.toSorted()).toEqual([
      ['/g/image', [1, 3, 4], 'scale'],
      ['/g/plain', [1, 3, 4], 'label'],
      ['/label', [1], 'scale'],
      ['/mean', [1], 'scale'],
    ])
    expect({ extent, newAxis }).toEqual({ extent: 1, newAxis: { isTaken: false } })
  })

  it('has those that are named, as far as they are there', async () => {
    const { datasets } = await outlineOf({ datasets: ['/mean', '/none'] })
    expect([...datasets.keys()]).toEqual(['/mean'])
  })

  it('has a scalar of the name of the dimension as the coordinate', async () => {
    const outline = await outlineOf({ name: 'mean', datasets: ['/g/image'] })
    expect([...outline.datasets.keys()]).toEqual(['/mean', '/g/image'])
    expect(outline).toMatchObject({ coordinates: { ends: [2.5, 2.5] }, newAxis: { isTaken: false } })
    expect(outline.newAxis?.scale).toBe(outline.datasets.get('/mean')?.address)
    const text = await outlineOf({ name: 'label' })
    expect(text.newAxis?.scale).toBe(text.datasets.get('/label')?.address)
    expect(text.coordinates).toBeUndefined()
  })

  it.each([
    ['/g', 'number', 12n],
    ['g/', 'name', 'twelve'],
  ])('has the coordinate of an attribute of %s: %s', async (object, name, expected) => {
    const { newAxis } = await outlineOf({ coordinate: { kind: 'attribute', object, name } })
    expect(newAxis?.coordinate).toBe(expected)
  })

  it.each(['x', 'g'])('knows that the name is taken: %s', async name => {
    expect((await outlineOf({ name })).newAxis).toEqual({ isTaken: true })
  })

  it.each<[Partial<NewAxis>, string]>([
    [{ datasets: ['/x'] }, '/x is a dimension scale, which cannot have a new dimension'],
    [{ datasets: ['/none'] }, 'it has no dataset /none'],
    [{ coordinate: { kind: 'attribute', object: '/g', name: 'list' } }, 'list of /g is no coordinate'],
    [{ coordinate: { kind: 'attribute', object: '/g', name: 'nothing' } }, 'nothing of /g is no coordinate'],
    [{ coordinate: { kind: 'attribute', object: '/g', name: 'none' } }, '/g has no attribute none'],
    [{ coordinate: { kind: 'attribute', object: '/g/none', name: 'n' } }, 'it has no object /g/none'],
    [{ coordinate: { kind: 'attribute', object: '/x/y', name: 'n' } }, 'it has no object /x/y'],
  ])('is refused: %j', async (along, reason) => {
    await expect(outlineOf(along)).rejects.toThrow(reason)
  })

  it('is refused for more dimensions than there can be', async () => {
    const deep = (file: File) =>
      void file.create_dataset({ name: 'deep', data: Int8Array.of(1), shape: Array(32).fill(1) })
    await expect(outlineOf({}, deep)).rejects.toThrow('/deep has 32 dimensions, the most there are')
  })
})
