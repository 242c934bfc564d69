import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NameSet } from './name-set.ts'

test('takes each name once, as a Set does', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é', '\u0800', '\ud800', '\udc00', '😀') })
  fc.assert(
    fc.property(fc.array(name, { maxLength: 200 }), names => {
      const set = new Set<string>()
      const compact = new NameSet()
      for (const added of names) {
        expect(compact.add(added)).toBe(!set.has(added))
        set.add(added)
        expect(compact.size).toBe(set.size)
      }
    }),
  )
})

test('knows all of many names', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `name ${i}`)
  const set = new NameSet()
  expect(names.every(name => set.add(name))).toBe(true)
  expect(names.some(name => set.add(name))).toBe(false)
  expect(set.size).toBe(names.length)
})
