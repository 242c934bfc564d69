import { parseJson } from '@hyperslab/model/json'
import { parseDomainPath } from '@hyperslab/model/names'
import { expect, test } from 'vitest'
import { parseDefinition } from './parse-definition.ts'
import { leadsInto } from './source-folders.ts'

test.each([
  ['/a/*.nc', '/a', false],
  ['/a/*.nc', '/a/b', false],
  ['/a/*/*.nc', '/a/b', true],
  ['/a/b*/c/*.nc', '/a/bb', true],
  ['/a/b*/c/*.nc', '/a/bb/c', true],
  ['/a/b*/c/*.nc', '/a/bb/d', false],
  ['/a/b*/c/*.nc', '/a/bb/c/d', false],
  ['/a/b*/c/*.nc', '/a/c', false],
  ['/a/b*/**/*.nc', '/a/b/c/d/e', true],
  ['/a/b*/**/*.nc', '/a/c/b', false],
  ['/**/*.nc', '/a', true],
  ['/*/*.nc', '/a', true],
  ['/a/x.nc', '/a', false],
])('the search for %s goes on in %s: %s', (source, folder, isSearched) => {
  const json = parseJson(JSON.stringify({ sources: source, along: 'time' }))
  const [parsed] = parseDefinition(json).sources
  expect(leadsInto(parsed, parseDomainPath(folder))).toBe(isSearched)
})
