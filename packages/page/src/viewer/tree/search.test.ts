import type { Domain, ListedPath } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { allPaths, Matches } from './search.ts'

const hard = (id: string) => ({ class: 'H5L_TYPE_HARD', id })

/** The links of each group; others are resolved as the service does. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'g-other': { y: hard('d-y'), back: { class: 'H5L_TYPE_EXTERNAL' } },
}
const PATHS: Readonly<Record<string, string>> = {
  '/': 'g-root',
  '/a': 'g-a',
  '/alias': 'g-a',
  '/a/up': 'g-root',
  '/other': 'g-other',
  '/other/back': 'g-root',
}

let requests: { readonly paths: readonly string[]; readonly links: boolean }[] = []

/** What the service lists of hard links from the root. */
const LISTED: readonly (readonly ListedPath[])[] = [
  [
    { path: '/', kind: 'group', id: 'g-root' },
    { path: '/a', kind: 'group', id: 'g-a' },
    { path: '/again', kind: 'group', id: 'g-a' },
  ],
  [
    { path: '/alias', kind: 'link', id: undefined },
    { path: '/other', kind: 'link', id: undefined },
    { path: '/a/x', kind: 'dataset', id: undefined },
    { path: '/a/up', kind: 'link', id: undefined },
  ],
]

const DOMAIN = {
  async *paths() {
    yield* LISTED
  },
  objects: (paths: readonly string[], { links = false }: { readonly links?: boolean }) => {
    requests.push({ paths, links })
    return Promise.resolve(
      new Map(
        paths.map(path => {
          const id = PATHS[path] ?? ''
          return [path, { id, class: 'group', ...(links && { links: GROUPS[id] }) }]
        }),
      ),
    )
  },
} as unknown as Domain

test('finds what is below hard links, and then once what only soft and external ones lead to', async () => {
  requests = []
  const found: string[] = []
  for await (const some of allPaths(DOMAIN, new AbortController().signal))
    found.push(...some.map(({ path }) => path))
  expect(found).toEqual(['/a', '/again', '/alias', '/other', '/a/x', '/a/up', '/other/y', '/other/back'])
  // The links of a group are requested once.
  expect(requests).toEqual([
    { paths: ['/alias', '/other', '/a/up'], links: false },
    { paths: ['/other'], links: true },
    { paths: ['/other/back'], links: false },
  ])
})

test.each([
  ['temp', true],
  ['ENTRY temp', true],
  ['/entry/temp', true],
  ['temp  entry', true],
  ['temps', false],
  ['entry pressure', false],
])('the words %s are in a path: %s', (text, isFound) => {
  const paths = [{ path: '/entry/Temperature', kind: 'dataset' as const }]
  expect(new Matches(text, paths).among(1)).toEqual(isFound ? paths : [])
})

test('paths that come later are found too', () => {
  const paths = ['/a', '/b', '/ab'].map(path => ({ path, kind: 'dataset' as const }))
  const matches = new Matches('a', paths)
  const names = (count: number) => matches.among(count).map(({ path }) => path)
  expect([names(1), names(2), names(3)]).toEqual([['/a'], ['/a'], ['/a', '/ab']])
})

test('some requests are sent before the first is answered', async () => {
  const groups = Array.from({ length: 200 }, (_, i) => `g-${i}`)
  let running = 0
  let most = 0
  const domain = {
    async *paths() {
      yield [{ path: '/other', kind: 'link', id: undefined }]
    },
    async objects(paths: readonly string[]) {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      const links = Object.fromEntries(groups.map(id => [id, hard(id)]))
      return new Map(
        paths.map(path => [path, { id: `g${path}`, class: 'group', links: path === '/other' ? links : {} }]),
      )
    },
  } as unknown as Domain
  const found = []
  for await (const some of allPaths(domain, new AbortController().signal)) found.push(...some)
  expect([found.length, most]).toEqual([groups.length + 1, 3])
})
