import type { Datatype } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { DOUBLE, newPlot } from '../models/test-plots.ts'
import {
  boundsOfSequences,
  longestOf,
  readSequences,
  type Sequence,
  sequenceLayers,
  sequencesNote,
  sequencesOf,
  sequencesSettings,
  sequencesTools,
  sequenceTexts,
} from './sequences.ts'

const TYPE: Datatype = { class: 'H5T_VLEN', base: DOUBLE }
const plotOf = (count: number) => newPlot({ shape: [count], type: TYPE })

const sequence = (label: string, ...numbers: readonly number[]): Sequence => ({
  label,
  numbers: Float64Array.from(numbers),
})
const SEQUENCES = [sequence('3', 1, 5, 2), sequence('4', 7), sequence('5')]

test.each([
  [40, {}, 0, 6],
  [40, { slice: [38] }, 38, 40],
  [40, { slice: [41] }, 0, 6],
  [40, { slice: ['x' as const] }, 0, 6],
  [40, { slice: [3], isFollowed: true }, 39, 40],
])('of %i sequences with %o those from %i to %i are drawn', (count, view, first, stop) => {
  expect(sequencesOf(plotOf(count), view)).toMatchObject({ first, stop, uses: [first] })
})

test('sequences have the names of their elements', async () => {
  const asked: unknown[] = []
  const read = async (_: unknown, { select }: { select: unknown }) => {
    asked.push(select)
    return { shape: [2], data: [Int8Array.of(1, 2), [3n]] }
  }
  const subject = sequencesOf(plotOf(5), { slice: [3] })
  const { signal } = new AbortController()
  expect(await readSequences({ read } as never, subject, signal)).toEqual([
    sequence('3', 1, 2),
    sequence('4', 3),
  ])
  expect(asked).toEqual([[{ start: 3, stop: 5 }]])
})

test('each is a line, one number a point, and none nothing; some are hidden', () => {
  const layers = sequenceLayers(SEQUENCES, sequencesSettings({}))
  expect(layers.map(({ hasLine, hasPoints, width }) => [hasLine, hasPoints, width])).toEqual([
    [true, false, 2],
    [false, true, 1],
    [false, true, 1],
  ])
  expect(layers[0]).toMatchObject({ x: Float64Array.of(0, 1, 2), y: Float64Array.of(1, 5, 2) })
  const hidden = sequencesSettings({ hidden: ['4'] })
  expect(sequenceLayers(SEQUENCES, hidden).length).toBe(2)
  expect(boundsOfSequences(SEQUENCES, hidden)).toMatchObject({ min: 1, max: 5 })
  expect(boundsOfSequences(SEQUENCES, sequencesSettings({}))).toMatchObject({ min: 1, max: 7 })
  expect(boundsOfSequences([sequence('5')], hidden)).toBeUndefined()
})

test('a long sequence loses no peak', () => {
  const numbers = Float64Array.from({ length: 100_000 }, (_, i) => (i === 77_777 ? 9 : 0))
  const [layer] = sequenceLayers([{ label: '0', numbers }], sequencesSettings({}))
  expect(layer?.x.length).toBeLessThanOrEqual(2 ** 14)
  expect(Math.max(...(layer?.y ?? []))).toBe(9)
  expect(layer?.x.at(-1)).toBeLessThan(100_000)
})

test('the note and the tip name the sequences', () => {
  expect(sequencesNote(SEQUENCES, 1234)).toBe('Sequences 3 to 5 of 1,234, of 0 to 3 numbers.')
  expect(sequencesNote(SEQUENCES.slice(0, 1), 1)).toBe('Sequence 3 of 1, of 3 numbers.')
  expect(sequenceTexts(SEQUENCES, sequencesSettings({}), 0)).toEqual(['3: 1', '4: 7'])
  expect(sequenceTexts(SEQUENCES, sequencesSettings({ hidden: ['4'] }), 1)).toEqual(['3: 5'])
  expect([longestOf(SEQUENCES), longestOf([])]).toEqual([3, 1])
})

test('a sequence is no cloud: density is none of its choices', () => {
  const tools = sequencesTools(sequencesSettings({ curve: 'density' }), SEQUENCES)
  const curve = tools.find(({ key }) => key === 'curve')
  expect(curve?.kind === 'choice' && [curve.value, curve.options.map(([value]) => value)]).toEqual([
    'line',
    ['line', 'points', 'both'],
  ])
  expect(tools.filter(({ kind }) => kind === 'toggle').length).toBe(4)
})
