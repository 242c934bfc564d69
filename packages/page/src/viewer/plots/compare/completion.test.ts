import { expect, test } from 'vitest'
import { contentsOf } from '../../data/test-contents.ts'
import { filesIn, groupOf, pathsIn } from './completion.ts'

const { signal } = new AbortController()

test.each([
  ['', '/'],
  ['abc', '/'],
  ['/', '/'],
  ['/entry', '/'],
  ['/entry/', '/entry'],
  ['/entry/da', '/entry'],
])('the path %j is completed in %s', (path, group) => {
  expect(groupOf(path)).toBe(group)
})

test('offers whole paths, at most 500', async () => {
  const members = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`/entry/d${1000 + i}`, {}]))
  const contents = contentsOf({ '/': {}, '/entry': {}, ...members })
  async function* folder(path: string) {
    yield { name: `${path}/a.h5` }
  }
  const paths = await pathsIn(contents, '/entry')
  expect([paths.length, paths[0]]).toEqual([500, '/entry/d1000'])
  expect(await filesIn({ folder } as never, '/f', signal)).toEqual(['/f/a.h5'])
})
