// Plots of NeXus through the client, against a table of objects with their attributes.

import { describe, expect, test } from 'vitest'
import { Hyperslab } from '../../../client/index.ts'
import { Contents } from './contents.ts'
import { plotOf } from './plot.ts'

type Attributes = Readonly<Record<string, string | number | readonly string[]>>

interface FakeObject {
  /** Absent: it is a group. */
  readonly shape?: readonly number[]
  readonly attributes?: Attributes
}

const F64 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }

/** A domain whose objects have their paths for ids. */
function contentsOf(objects: Readonly<Record<string, FakeObject>>): Contents {
  const attributesOf = ({ attributes = {} }: FakeObject) =>
    Object.entries(attributes).map(([name, value]) => ({
      name,
      type: typeof value === 'number' ? F64 : STRING,
      shape:
        typeof value === 'object' ? { class: 'H5S_SIMPLE', dims: [value.length] } : { class: 'H5S_SCALAR' },
      value,
      created: 0,
    }))
  const found = (path: string) => {
    const object = objects[path]
    if (object === undefined) return { status: 404, code: 'not-found', message: 'nothing there' }
    const { shape: dims } = object
    const attributes = Object.fromEntries(attributesOf(object).map(item => [item.name, item]))
    const known = { id: path.replaceAll('/', '.'), domain: '/a', attributes, linkCount: 0 }
    if (dims === undefined) return { ...known, class: 'group' }
    return {
      ...known,
      class: 'dataset',
      type: F64,
      shape: { class: 'H5S_SIMPLE', dims },
      creationProperties: {},
    }
  }
  const answer = (url: URL, body: string): unknown => {
    const [, , id = '', part] = url.pathname.split('/').map(decodeURIComponent)
    if (part === 'attributes') return { attributes: attributesOf(objects[id.replaceAll('.', '/')] ?? {}) }
    if (part === 'links') return { links: [] }
    const path = url.searchParams.get('h5path')
    if (path !== null) return found(path)
    const { h5paths } = JSON.parse(body) as { readonly h5paths: readonly string[] }
    return { h5paths: Object.fromEntries(h5paths.map(path => [path, found(path)])) }
  }
  const client = new Hyperslab('http://test', {
    fetch: async (input, init) =>
      new Response(JSON.stringify(answer(new URL(String(input)), String(init?.body)))),
  })
  return new Contents(client, '/a')
}

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
