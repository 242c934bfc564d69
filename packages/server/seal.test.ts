import { expect, it } from 'vitest'
import { Seal } from './seal.ts'

const seal = new Seal('secret', 'test')

it.each(['', 'a', 'ä€😀', 'x'.repeat(10_000)])('opens what it has closed: %s', text => {
  const sealed = seal.close(text)
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(new Seal('secret', 'test').open(sealed)).toBe(text)
})

it('closes the same text differently each time', () => {
  expect(seal.close('a')).not.toBe(seal.close('a'))
})

it('opens nothing with another secret, for another purpose, or that was changed anywhere', () => {
  const sealed = seal.close('text')
  expect(new Seal('other', 'test').open(sealed)).toBeUndefined()
  expect(new Seal('secret', 'other').open(sealed)).toBeUndefined()
  const bytes = Buffer.from(sealed, 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(seal.open(changed.toString('base64url')), String(index)).toBeUndefined()
  }
  for (const text of ['', 'x', '%', sealed.slice(0, -4), `${sealed}AAAA`])
    expect(seal.open(text)).toBeUndefined()
})
