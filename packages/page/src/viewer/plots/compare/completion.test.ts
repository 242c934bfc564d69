import { expect, test } from 'vitest'
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
  async function* links() {
    for (let i = 0; i < 600; i++) yield { title: `d${i}` }
  }
  async function* folder(path: string) {
    yield { name: `${path}/a.h5` }
  }
  const paths = await pathsIn({ links } as never, '/entry', signal)
  expect([paths.length, paths[0]]).toEqual([500, '/entry/d0'])
  expect(await filesIn({ folder } as never, '/f', signal)).toEqual(['/f/a.h5'])
})
