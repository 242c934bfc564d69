// Plots of NeXus through the client, against a table of objects with their attributes.

import { describe, expect, test } from 'vitest'
import { plotOf } from './plot.ts'
import { type Attributes, contentsOf, type FakeObject, pathOf } from './test-contents.ts'

async function plotIn(objects: Readonly<Record<string, FakeObject>>) {
  const contents = contentsOf(objects)
  return plotOf(contents, await contents.at('/d'))
}

describe('a plot of NXdata', () => {
  test('has the meaning of each of its datasets', async () => {
    const plot = await plotIn({
      '/d': { attributes: { NX_class: 'NXdata', signal: 'counts', auxiliary_signals: ['dose', 'gone'] } },
      '/d/counts': { shape: [4] },
      '/d/counts_errors': { shape: [4], attributes: { _FillValue: -1 } },
      '/d/dose': { shape: [4], attributes: { scale_factor: 0.5, long_name: 'Dose', units: 'Gy' } },
      '/d/dose_errors': { shape: [4], attributes: { scale_factor: 0.25 } },
    })
    expect(plot?.label).toBe('counts')
    expect(plot?.errors?.meaning.absent).toEqual({ missing: '-1' })
    const [dose, ...others] = plot?.auxiliaries ?? []
    expect(others).toEqual([])
    expect(dose?.label).toBe('Dose (Gy)')
    expect(dose?.meaning.unpack(Float64Array.of(3))).toEqual(Float64Array.of(1.5))
    expect(dose?.errors?.meaning.unpack(Float64Array.of(3))).toEqual(Float64Array.of(0.75))
  })

  test('is a scatter plot where two axes have a number for each element of its one dimension', async () => {
    const group = { attributes: { NX_class: 'NXdata', signal: 'counts', axes: ['sx', 'sy'] } }
    const scatter = {
      '/d': group,
      '/d/counts': { shape: [4] },
      '/d/sx': { shape: [4], attributes: { units: 'mm', long_name: 'sample X' } },
      '/d/sy': { shape: [4] },
    }
    const places = (await plotIn(scatter))?.places
    expect([places?.x.label, places?.y.label]).toEqual(['sample X (mm)', 'sy'])
    for (const other of [
      { '/d/sy': { shape: [5] } },
      { '/d/sy': { shape: [4, 1] } },
      { '/d': { attributes: { ...group.attributes, axes: ['sx', 'gone'] } } },
      { '/d': { attributes: { ...group.attributes, axes: ['sx', 'sy', 'sy'] } } },
      { '/d/counts': { shape: [4, 4] }, '/d/sx': { shape: [4] } },
    ])
      expect((await plotIn({ ...scatter, ...other }))?.places, JSON.stringify(other)).toBeUndefined()
  })
})

test('a log of NeXus is its values over time', async () => {
  const plot = await plotIn({
    '/d': { attributes: { NX_class: 'NXlog' } },
    '/d/value': { shape: [4], attributes: { units: 'degC' } },
    '/d/time': { shape: [4], attributes: { units: 's', start: '2024-05-01T08:00:00Z' } },
  })
  expect([plot?.title, plot?.label]).toEqual(['d', 'value (degC)'])
  expect(plot?.axes.map(({ name, meaning }) => [name, meaning?.formatUnpacked(60)])).toEqual([
    ['time', '2024-05-01 08:01'],
  ])
  // One value has no line.
  expect(
    await plotIn({ '/d': { attributes: { NX_class: 'NXlog' } }, '/d/value': { shape: [] } }),
  ).toBeUndefined()
})

test('numbers of a dataset that grows mean the same, so what is drawn of it stays', async () => {
  const objects: Record<string, FakeObject> = { '/': {}, '/run': { shape: [10] } }
  const contents = contentsOf(objects)
  const before = await plotOf(contents, await contents.at('/run'))
  objects['/run'] = { shape: [20] }
  contents.forget(new Set(['.run']))
  await expect.poll(async () => (await contents.at('/run')).dataset?.shape).toEqual([20])
  const after = await plotOf(contents, await contents.at('/run'))
  expect(after?.signal.dataset?.stamp).not.toBe(before?.signal.dataset?.stamp)
  expect(after?.meaningKey).toBe(before?.meaningKey)
})

// The pictures of the service show the same: the rule is that of packages/meaning/default-plot.ts.
describe('the default plot', () => {
  const of = (NX_class: string, attributes: Attributes = {}): FakeObject => ({
    attributes: { NX_class, ...attributes },
  })
  const signalIn = async (objects: Readonly<Record<string, FakeObject>>) => {
    const contents = contentsOf({ '/': {}, ...objects })
    return (await plotOf(contents, await contents.at('/')))?.signal.path
  }
  const data = (path: string): Readonly<Record<string, FakeObject>> => ({
    [path]: of('NXdata', { signal: 'y' }),
    [`${path}/y`]: { shape: [4] },
  })

  test.each<[string, string | undefined, Readonly<Record<string, FakeObject>>]>([
    [
      'of the first NXdata with a signal',
      '/entry/b/y',
      {
        '/entry': of('NXentry'),
        '/entry/a': of('NXdata'),
        '/entry/a/y': { shape: [4] },
        ...data('/entry/b'),
      },
    ],
    [
      'of the first NXentry with one',
      '/b/data/y',
      {
        '/a': of('NXentry'),
        '/a/data': of('NXdata', { signal: 'gone' }),
        '/b': of('NXentry'),
        ...data('/b/data'),
      },
    ],
    [
      'of NXdata before NXentry, and of NXentry before NXprocess',
      '/z/y',
      { '/a': of('NXentry'), ...data('/a/data'), '/b': of('NXprocess'), ...data('/b/data'), ...data('/z') },
    ],
    [
      'of the attributes default',
      '/b/log/value',
      {
        '/': { attributes: { default: 'b' } },
        ...data('/a'),
        '/b': of('NXentry', { default: '/b/log' }),
        '/b/log': of('NXlog'),
        '/b/log/value': { shape: [4] },
        ...data('/b/a'),
      },
    ],
    ['of a dataset that they name', '/y', { '/': { attributes: { default: 'y' } }, '/y': { shape: [2] } }],
    ['none where they lead nowhere', undefined, { '/': { attributes: { default: 'x' } }, ...data('/a') }],
    [
      'of the dataset with an attribute signal',
      '/a/z',
      { '/a': of('NXdata'), '/a/b': { shape: [4] }, '/a/z': { shape: [4], attributes: { signal: 1 } } },
    ],
    [
      'none of a group of no class that default names',
      undefined,
      { '/': { attributes: { default: 'plain' } }, '/plain': {}, '/plain/x': { shape: [2] } },
    ],
    ['none of groups of no class', undefined, { '/a': {}, ...data('/a/b') }],
    [
      'none of a circle',
      undefined,
      { '/a': of('NXentry', { default: '/b' }), '/b': of('NXentry', { default: '/a' }) },
    ],
  ])('is that %s', async (_, path, objects) => {
    expect(await signalIn(objects)).toBe(path)
  })

  test('asks for the attributes of its own objects only: strings come with the groups', async () => {
    const asked: string[] = []
    const contents = contentsOf(
      {
        '/': {},
        '/entry': of('NXentry'),
        '/entry/aaa': of('NXdetector'),
        '/entry/aaa/mask': { shape: [3, 3] },
        ...data('/entry/data'),
      },
      asked,
    )
    const plot = await plotOf(contents, await contents.at('/'))
    expect(plot?.signal.path).toBe('/entry/data/y')
    const ofOthers = asked.filter(id => !['/entry/data', '/entry/data/y'].includes(pathOf(id)))
    expect(ofOthers).toEqual([])
  })

  test('is looked for in the first thousand links', async () => {
    const groups = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`/${String(i).padStart(5, '0')}`, {}]))
    expect(await signalIn({ ...groups(800), ...data('/x') })).toBe('/x/y')
    expect(await signalIn({ ...data('/00000'), ...groups(1500) })).toBeUndefined()
  })
})

test('many rows of two or three numbers may be points', async () => {
  const placesIn = async (shape: readonly number[]) =>
    (await plotIn({ '/': {}, '/d': { shape, attributes: { units: 'mm', long_name: 'Spots' } } }))?.places
  const places = await placesIn([100, 3])
  expect([places?.x.label, places?.y.label, places?.columns]).toEqual(['Column 0 (mm)', 'Column 1 (mm)', 3])
  expect((await placesIn([100, 2]))?.columns).toBe(2)
  for (const shape of [[16, 3], [100, 4], [100, 3, 1], [100]]) expect(await placesIn(shape)).toBeUndefined()
})
