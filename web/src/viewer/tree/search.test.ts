import { expect, test } from 'vitest'
import type { Domain } from '../../../../client/index.ts'
import { allPaths } from './search.ts'

const hard = (id: string) => ({ class: 'H5L_TYPE_HARD', id })
const soft = (h5path: string) => ({ class: 'H5L_TYPE_SOFT', h5path })

/** The links of each group; others are resolved as the service does. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'g-root': { a: hard('g-a'), again: hard('g-a'), alias: soft('/a'), other: { class: 'H5L_TYPE_EXTERNAL' } },
  'g-a': { x: hard('d-x'), up: soft('/') },
  'g-other': { y: hard('d-y') },
}
const PATHS: Readonly<Record<string, string>> = {
  '/': 'g-root',
  '/a': 'g-a',
  '/alias': 'g-a',
  '/a/up': 'g-root',
  '/a/up/a': 'g-a',
  '/other': 'g-other',
}

const DOMAIN = {
  objects: (paths: readonly string[]) =>
    Promise.resolve(
      new Map(
        paths.map(path => {
          const id = PATHS[path] ?? ''
          return [path, { id, class: 'group', links: GROUPS[id] }]
        }),
      ),
    ),
} as unknown as Domain

test('finds what is below hard links first, then what is below soft and external ones, and ends in a circle', async () => {
  const paths: string[] = []
  for await (const found of allPaths(DOMAIN, new AbortController().signal))
    paths.push(...found.map(({ path }) => path))
  expect(paths).toEqual([
    '/a',
    '/again',
    '/alias',
    '/other',
    '/a/x',
    '/a/up',
    '/alias/x',
    '/alias/up',
    '/other/y',
    '/a/up/a',
    '/a/up/again',
    '/a/up/alias',
    '/a/up/other',
    '/a/up/a/x',
    '/a/up/a/up',
  ])
})
