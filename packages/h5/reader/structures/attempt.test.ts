import { HyperslabError } from '@hyperslab/base/errors'
import { expect, it } from 'vitest'
import { isHarmless } from './attempt.ts'

it.each([
  [new HyperslabError('file-unreadable', 'a damaged link'), true],
  [new HyperslabError('type-unsupported', 'an unknown type'), true],
  [new HyperslabError('file-damaged', 'nothing more can be read'), false],
  [new HyperslabError('file-changed', 'the next read sees another file'), false],
  [new HyperslabError('file-unavailable', 'the next read may succeed'), false],
  [new Error('a defect'), false],
])('a part of a file is left out for %s: %s', (error, expected) => {
  expect(isHarmless(error)).toBe(expected)
})
