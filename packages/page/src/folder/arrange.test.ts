import type { Api } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { arrange, BY_NAME, COLUMNS } from './arrange.ts'

function row(name: string, kind: 'folder' | 'domain', file_size?: number) {
  const entry = {
    name: `/f/${name}`,
    class: kind,
    owner: '',
    created: 0,
    lastModified: 0,
    hrefs: [],
    root: '',
  }
  return { ...entry, ...(file_size !== undefined && { file_size }) } as Api.ListedDomain
}

const ROWS = [row('run10', 'domain', 1), row('b', 'folder'), row('run9', 'domain', 5), row('a', 'folder')]

function names(filter: string, column: number, isDescending: boolean) {
  const order = { column: COLUMNS[column] ?? BY_NAME.column, isDescending }
  return arrange(ROWS, filter, order).map(({ name }) => name.slice(3))
}

test('by name, folders come first in both directions, and numbers count as numbers', () => {
  expect(names('', 0, false)).toEqual(['a', 'b', 'run9', 'run10'])
  expect(names('', 0, true)).toEqual(['b', 'a', 'run10', 'run9'])
})

test('by size, folders have none', () => {
  expect(names('', 2, false)).toEqual(['a', 'b', 'run10', 'run9'])
  expect(names('', 2, true)).toEqual(['run9', 'run10', 'b', 'a'])
})

test('the filter takes any part of the name, not of the folder', () => {
  expect(names('RUN', 0, false)).toEqual(['run9', 'run10'])
  expect(names('f', 0, false)).toEqual([])
})
