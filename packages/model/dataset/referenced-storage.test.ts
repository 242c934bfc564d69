import { expect, test } from 'vitest'
import { pathOfFileUri } from './referenced-storage.ts'

test.each([
  ['b/data/x.h5', '/b/data/x.h5'],
  ['/b/data/x.h5', '/b/data/x.h5'],
  ['b//data/x.h5', '/b/data/x.h5'],
  ['//b///data/x.h5', '/b/data/x.h5'],
  ['s3://b/data/x.h5', '/b/data/x.h5'],
  ['s3://b//data/x.h5', '/b/data/x.h5'],
  ['file:///b/data/x.h5', '/b/data/x.h5'],
  ['file:////b/data/x.h5', '/b/data/x.h5'],
  ['file:/b/data/x.h5', '/b/data/x.h5'],
  ['file:x.h5', '/file:x.h5'],
  ['http://b/x.h5', undefined],
  ['b/../x.h5', undefined],
  ['b/x.h5/', undefined],
])('the file_uri %s names the domain %s', (uri, path) => {
  expect(pathOfFileUri(uri)).toBe(path)
})
