import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { expect, it } from 'vitest'
import { systemCode } from './system-code.ts'

function errorOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it('is that of Node', () => {
  expect(systemCode(errorOf(() => readFileSync('/no/such/file')))).toBe('ENOENT')
})

it.each(['EDQUOT', 'ESTALE'] as const)('has the name of %s, which Node does not know', name => {
  const errno = -constants.errno[name]
  const code = `Unknown system error ${errno}`
  expect(systemCode(Object.assign(new Error(code), { errno, code }))).toBe(name)
})

it('of a number that nobody knows is what Node says', () => {
  const code = 'Unknown system error -9999'
  expect(systemCode(Object.assign(new Error(code), { errno: -9999, code }))).toBe(code)
})

it.each([[new Error('x')], [Object.assign(new Error('x'), { code: 'ENOENT' })], ['ENOENT'], [undefined]])(
  'of %s is none',
  error => {
    expect(systemCode(error)).toBeUndefined()
  },
)
