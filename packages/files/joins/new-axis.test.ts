import { elementsToJson, stringifyJson } from '@hyperslab/model/json'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import type { JoinedSource } from './coordinates.ts'
import type { JoinSource, NewAxis, NewCoordinate } from './definition.ts'
import { newDimension, orderByCoordinate } from './new-axis.ts'
import type { NewAxisOutline, OutlinedDataset } from './outlines/outline.ts'
import { planJoin } from './plan.ts'

const SCAN: JoinSource = { kind: 'scan', location: '.', suffix: '', isDeep: true }
const FLOAT = { class: 'H5T_FLOAT', size: 4, order: 'LE' } as const
const image = (...dims: readonly number[]): OutlinedDataset => ({
  address: '96',
  type: FLOAT,
  space: { class: 'H5S_SIMPLE', dims: [1, ...dims], maxdims: [1, ...dims] },
  axis: 0,
  newAxis: 'scale',
  meaning: new Map(),
})

function file(name: string, newAxis: Partial<NewAxisOutline> = {}, dataset = image(3, 2)): JoinedSource {
  const datasets = new Map([['/image', dataset]])
  return { name, outline: { datasets, extent: 1, newAxis: { isTaken: false, ...newAxis } } }
}

const along = (coordinate?: NewCoordinate, rest: Partial<NewAxis> = {}): NewAxis => ({
  kind: 'new',
  name: 'run',
  ...(coordinate && { coordinate }),
  ...rest,
})
const byName = (pattern: string) => along({ kind: 'name', pattern })
const byAttribute = along({ kind: 'attribute', object: '/', name: 'n' })

async function join(axis: NewAxis, files: readonly JoinedSource[], source = SCAN) {
  const ordered = await orderByCoordinate(axis, source, files)
  const { scale, ...rest } = await newDimension(axis, ordered)
  const names = ordered.map(({ name }) => name)
  if (typeof scale === 'string') return { ...rest, names, scale }
  const { type, values, attributes } = scale
  const style = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
  const json = stringifyJson(elementsToJson(type, [values.count], values, style))
  return { ...rest, names, type, values: json, attributes: Object.fromEntries(attributes) }
}

describe('the coordinates of a new dimension', () => {
  it.each([
    [along(), ['r10', 'r9'], '[0,1]', { class: 'H5T_INTEGER', size: 8 }, {}],
    [byName('r{n:d}'), ['r3', 'r10', 'r-1'], '[-1,3,10]', { class: 'H5T_INTEGER', size: 8 }, {}],
    [byName('r{x:g}'), ['r3', 'r10', 'r2.5'], '[2.5,3,10]', { class: 'H5T_FLOAT', size: 8 }, {}],
    [byName('{s}'), ['r10', 'b/r9', 'ä'], '["ä","r9","r10"]', { length: 'H5T_VARIABLE' }, {}],
    [
      byName('{t:%Y%m%d}'),
      ['19700103', '19700102'],
      '[86400,172800]',
      { class: 'H5T_INTEGER' },
      { units: 'seconds since 1970-01-01', calendar: 'proleptic_gregorian' },
    ],
    [byName('{n:d}'), ['9223372036854775808', '1'], '[1,9223372036854776000]', { class: 'H5T_FLOAT' }, {}],
  ])('are made of names, and order the files: %j', async (axis, names, values, type, attributes) => {
    const joined = await join(
      axis,
      names.map(name => file(name)),
    )
    expect(joined).toMatchObject({ values, type })
    expect(joined).toHaveProperty('attributes', attributes)
  })

  it('are attributes, or those of the definition', async () => {
    const files = [
      file('a', { coordinate: 7n }),
      file('b', { coordinate: 2.5 }),
      file('c', { coordinate: -1n }),
    ]
    expect(await join(byAttribute, files)).toMatchObject({ names: ['c', 'b', 'a'], values: '[-1,2.5,7]' })
    const given: JoinSource = { kind: 'file', location: 'x', coordinate: 4 }
    expect(await join(byAttribute, [file('x')], given)).toMatchObject({ values: '[4]' })
    expect(await join(byName('{s}'), [file('x_5')], { ...SCAN, pattern: 'x_{n:d}' })).toMatchObject({
      values: '[5]',
    })
  })

  it('are a dataset that the files have, in its order', async () => {
    const at = (name: string, coordinate: number): JoinedSource => {
      const { outline } = file(name, { scale: '96', number: 4 })
      return {
        name,
        outline: { ...outline, coordinates: { path: '/image', ends: [coordinate, coordinate] } },
      }
    }
    const files = [at('a', 3), at('b', 1)]
    expect(await join(byName('{s}'), files)).toEqual({
      name: 'run',
      number: 4,
      names: ['b', 'a'],
      scale: '96',
    })
    await expect(join(along(), files, { ...SCAN, pattern: '{s}' })).rejects.toThrow(
      'a has the dataset /run, and the definition other coordinates',
    )
    await expect(join(along(), [at('a', 1), at('b', 1)])).rejects.toThrow('overlap')
    const some = newDimension(along(), [at('a', 1), file('b')])
    await expect(some).rejects.toThrow('b has no scalar /run, which is the coordinate in a')
  })

  it.each([
    [byName('r{n:d}'), [file('r1'), file('r01')], 'r01 and r1 have the same run: 1'],
    [
      byName('{n:d}'),
      [file('9223372036854775808'), file('9223372036854775809')],
      'have the same run: 9223372036854776000',
    ],
    [byName('r{n:d}'), [file('r1'), file('x')], 'the name of x has no coordinate of the form r{n:d}'],
    [byName('r'), [file('r1')], 'r has no field'],
    [
      byAttribute,
      [file('a', { coordinate: 'x' }), file('b', { coordinate: 1n })],
      'the coordinate run is a number in b and a string in a',
    ],
    [along(), [file('a', { isTaken: true })], 'a has the object /run, which is not the coordinate'],
    [along(undefined, { name: 'a/b' }), [file('a')], 'must not hold a slash'],
    [along(undefined, { name: '.' }), [file('a')], 'a dimension cannot have the name "."'],
    [along(undefined, { datasets: ['/image', '/other'] }), [file('a')], 'no file has the dataset /other'],
  ])('are refused: %#', async (axis, files, reason) => {
    await expect(join(axis, files)).rejects.toThrow(reason)
  })

  it('are in the order of the names where they are their numbers, among a thousand', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `run_${(i * 7) % 1000}`)
    const joined = await join(
      along(),
      names.map(name => file(name)),
    )
    expect(joined.names).toEqual(Array.from({ length: 1000 }, (_, i) => `run_${i}`))
  })
})

describe('a dataset with a new dimension', () => {
  it('has one coordinate for each file, and none where a file lacks it', async () => {
    const lacking = { name: 'b', outline: { ...file('b').outline, datasets: new Map() } }
    const files = [file('a'), lacking, file('c')]
    const planned = await planJoin({ along: along() }, files, ['./a', './b', './c'])
    expect(planned.get('/image')?.joined).toMatchObject({
      axis: 0,
      newAxis: 'scale',
      space: { dims: [3, 3, 2], maxdims: ['H5S_UNLIMITED', 3, 2] },
      parts: [
        { file: './a', dataset: '/image', start: 0, count: 1, sourceStart: 0 },
        { file: './c', dataset: '/image', start: 2, count: 1, sourceStart: 0 },
      ],
    })
  })

  it('is refused where files do not agree, with their extents', async () => {
    const files = [file('a'), file('b', {}, image(3, 4))]
    await expect(planJoin({ along: along() }, files, ['./a', './b'])).rejects.toThrow(
      '/image has the extents [3,2] in a and [3,4] in b',
    )
  })
})
