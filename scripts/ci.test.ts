import { expect, test } from 'vitest'
import { choose } from './ci.mjs'

const namesFor = (files: readonly string[], turn: number): readonly string[] =>
  choose(files, turn).map(({ name }) => name)
const ALWAYS = ['checks', 'tests', 'browser']

test('a change runs the parts of its package, and one more in turn', () => {
  const parts = namesFor(['packages/h5/reader.ts'], 0)
  expect(parts).toEqual(expect.arrayContaining([...ALWAYS, 'properties', 'h5py', 'damaged files']))
  const others = new Set<string>()
  for (let turn = 0; turn < 20; turn++) {
    const more = namesFor(['packages/h5/reader.ts'], turn).filter(name => !parts.includes(name) || turn === 0)
    for (const name of more) others.add(name)
    expect(namesFor(['packages/h5/reader.ts'], turn)).toHaveLength(parts.length)
  }
  expect([...others]).toEqual(expect.arrayContaining(['s3', 'nodes', 'machines']))
})

test('a change of no package runs what is always run, and one part in turn', () => {
  const parts = namesFor(['docs/errors.md'], 5)
  expect(parts).toEqual(expect.arrayContaining(ALWAYS))
  expect(parts).toHaveLength(ALWAYS.length + 1)
})

test('a change of what is installed tries each way to install it', () => {
  for (const file of ['deploy/debian/postinst', 'scripts/deb.mjs', 'Containerfile', 'package-lock.json'])
    for (const turn of [0, 1]) expect(namesFor([file], turn)).toContain('first plot')
})

test('variables for tests are none that a service takes for a setting', () => {
  const names = choose(['package.json'], 0).flatMap(({ env = {} }) => Object.keys(env))
  expect(names).not.toEqual([])
  for (const name of names) expect(name).toMatch(/^HYPERSLAB_TEST_/)
})
