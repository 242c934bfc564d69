import { expect, it } from 'vitest'
import { ElementBits } from './element-bits.ts'

it('nothing is allocated for a number of a size that is only claimed', () => {
  expect(() => new ElementBits(2 ** 32 - 1, 'LE')).toThrow(
    'a number of 4294967295 bytes is longer than 1024 bytes',
  )
})
