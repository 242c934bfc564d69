import { describe, expect, it } from 'vitest'
import { accountName } from './users.ts'

describe('accountName', () => {
  it.each(['ann', 'Ann.B-C_1@example.org', 'x'.repeat(64)])('accepts %s', name => {
    expect(accountName(name)).toBe(name)
  })

  it.each(['', 'default', 'Default', 'anonymous', 'g:lab', 'ann b', 'ä', 'a/b', 'x'.repeat(65)])(
    'refuses "%s"',
    name => {
      expect(() => accountName(name)).toThrow()
    },
  )
})
