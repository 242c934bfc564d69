import type { Datatype, Elements } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { DOUBLE } from './test-plots.ts'
import { memberTexts, noteText } from './text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.each<[string, Elements, string]>([
  ['bytes of JSON', bytes('{"beam":"lost"}'), '{\n  "beam": "lost"\n}'],
  ['bytes', bytes('Å lost'), 'Å lost'],
  ['strings', ['a', 'b'], 'a\nb'],
  ['what begins as JSON', ['{not json}'], '{not json}'],
])('a note of %s', (_, data, text) => {
  expect(noteText(data)).toBe(text)
})

test('one compound has a line for each value in it', () => {
  const base = { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' } as const
  const flag: Datatype = { class: 'H5T_ENUM', base, mapping: { BAD: 0, GOOD: 1 } }
  const hit: Datatype = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'x (m)', type: DOUBLE },
      { name: 'flag', type: flag },
    ],
  }
  const hits: Datatype = { class: 'H5T_ARRAY', base: hit, dims: [2] }
  expect(
    memberTexts(
      [{ name: 'hits', type: hits }],
      [
        [
          [0, 0],
          [0.5, 1],
        ],
      ],
    ).map(({ column, text }) => [column.name, text]),
  ).toEqual([
    ['hits[0].x (m)', '0'],
    ['hits[0].flag', 'BAD'],
    ['hits[1].x (m)', '0.5'],
    ['hits[1].flag', 'GOOD'],
  ])
})
