import { type Domain, type Hyperslab, RequestError } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { dimensionsOf, firstFile } from './dimensions.ts'

const STRING = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLTERM' }
const fixed = (text: string) => ({
  shape: { class: 'H5S_SCALAR' },
  type: { ...STRING, length: text.length },
  value: btoa(text),
  encoding: 'base64',
})
const variable = (...texts: readonly string[]) => ({
  shape: { class: 'H5S_SIMPLE', dims: [texts.length] },
  type: { ...STRING, length: 'H5T_VARIABLE' },
  value: texts,
})
const dataset = (dims: readonly number[], attributes: object = {}, maxdims = dims) => ({
  class: 'dataset',
  shape: { class: 'H5S_SIMPLE', dims, maxdims },
  attributes,
})
const scale = (length: number, isUnlimited = false) =>
  dataset([length], { CLASS: fixed('DIMENSION_SCALE') }, [isUnlimited ? 0 : length])

/** The dimensions of a domain with these objects. */
function of(objects: Readonly<Record<string, unknown>>) {
  const domain = {
    async *paths() {
      yield [{ path: '/g', kind: 'group', id: 'g' }]
      yield Object.keys(objects).map(path => ({ path, kind: 'dataset', id: undefined }))
    },
    objects: async (paths: readonly string[]) => new Map(paths.map(path => [path, objects[path]])),
  } as unknown as Domain
  return dimensionsOf(domain, new AbortController().signal)
}

test.each<[string, Readonly<Record<string, unknown>>, readonly string[], string | undefined]>([
  [
    'scales, the unlimited one first',
    { '/temp': dataset([24, 9]), '/y': scale(9), '/g/step': scale(24, true) },
    ['step', 'y'],
    'step',
  ],
  ['a scale of time', { '/y': scale(9), '/Time': scale(24) }, ['y', 'Time'], 'Time'],
  ['scales of which any may be it', { '/x': scale(9), '/y': scale(9) }, ['x', 'y'], undefined],
  ['labels', { '/d': dataset([2, 3], { DIMENSION_LABELS: variable('frame', '') }) }, ['frame'], 'frame'],
  ['no names: the first dimension', { '/d': dataset([2, 3]), '/scalar': dataset([]) }, ['/d#0'], '/d#0'],
  ['no names in several datasets', { '/a': dataset([2]), '/b': dataset([2]) }, ['/a#0', '/b#0'], undefined],
  [
    'what cannot be read is left out',
    {
      '/lost': new RequestError('cut off', 501, 'file-unreadable'),
      '/x': { ...scale(3), attributes: { CLASS: { unreadable: 'damaged' } } },
      '/t': dataset([2], { CLASS: { ...fixed('DIMENSION_SCALE'), value: undefined } }),
      '/y': scale(3),
    },
    ['y'],
    'y',
  ],
])('a file offers %s', async (_, objects, names, likely) => {
  expect(await of(objects)).toEqual({ names, likely })
})

test('the first file is in the list, or in the first folder of it', async () => {
  const row = (name: string, kind = 'domain') => ({ name, class: kind as 'domain' })
  const folders: Record<string, readonly object[]> = {
    '/lab/2025': [row('/lab/2025/01', 'folder'), row('/lab/2025/02', 'folder')],
    '/lab/2025/01': [{ ...row('/lab/2025/01/all.ncml'), num_files: 2 }, row('/lab/2025/01/d1.nc')],
    '/lab/ring': [row('/lab/ring', 'folder')],
  }
  const client = {
    folder: async function* (path: string) {
      yield* folders[path] ?? []
    },
  } as unknown as Hyperslab
  const { signal } = new AbortController()
  expect(await firstFile(client, [row('/lab/2025', 'folder'), row('/lab/a.nc')], signal)).toBe('/lab/a.nc')
  expect(await firstFile(client, [row('/lab/2025', 'folder')], signal)).toBe('/lab/2025/01/d1.nc')
  expect(await firstFile(client, [row('/lab/empty', 'folder')], signal)).toBeUndefined()
  expect(await firstFile(client, [row('/lab/ring', 'folder')], signal)).toBeUndefined()
})
