import type { Api } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { definitionLines } from './joined-lines.ts'

test.each<[Api.JoinDefinition, object]>([
  [
    { sources: '/lab/*.nc', along: 'time' },
    { Sources: ['/lab/*.nc'], Along: ['time'] },
  ],
  [
    { sources: ['/a', '/b'], along: ['/c#0', '/d#0'], keep: 'last', unpack: true, missing: 'fill' },
    {
      Sources: ['/a', '/b'],
      Along: ['/c#0', '/d#0'],
      Overlaps: ['elements of the later file'],
      'Packed numbers': ['become their values where files differ'],
      'Missing files': ['have fill values'],
    },
  ],
  [
    { sources: '/a', union: true },
    { Sources: ['/a'], Along: ['no dimension (a union)'] },
  ],
  [
    { sources: '/a', along: { new: 'run' }, keep: 'first' },
    {
      Sources: ['/a'],
      'New dimension': ['run'],
      Coordinate: ['the number of the file'],
      Overlaps: ['elements of the earlier file'],
    },
  ],
  [
    { sources: '/a', along: { new: 'run', coordinate: 'r{n:d}', datasets: ['/d', '/e'] } },
    { Sources: ['/a'], 'New dimension': ['run'], Coordinate: ['r{n:d}'], Datasets: ['/d', '/e'] },
  ],
])('the lines of %j', (join, lines) => {
  expect(Object.fromEntries(definitionLines(join).map(({ name, texts }) => [name, texts]))).toEqual(lines)
})
