// Names that users and groups of users may have.

import { expect, test } from 'vitest'
import { aclName, requireItemName, userName } from './user-names.ts'

test.each(['Default', 'DEFAULT', 'anonymous', 'Anonymous', 'g:'])(
  '%s has no access item and is no user',
  name => {
    expect(() => requireItemName(name)).toThrow(expect.objectContaining({ code: 'malformed-name' }))
    expect(() => userName(name)).toThrow('means many users')
  },
)

test.each(['default', 'g:staff', 'g:default', 'ann', 'fay y', 'defaults', 'an onymous'])(
  '%s may have an access item',
  name => {
    expect(() => requireItemName(name)).not.toThrow()
  },
)

test.each(['default', 'g:staff'])('%s has access items, but is no user', name => {
  expect(aclName(name)).toBe(name)
  expect(() => userName(name)).toThrow('means many users')
})
