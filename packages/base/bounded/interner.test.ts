import { describe, expect, test } from 'vitest'
import { Interner } from './interner.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const make = (copy: Uint8Array) => ({ text: new TextDecoder().decode(copy) })

describe('values by their bytes', () => {
  test('are one object for equal bytes, and others for others', () => {
    const interner = new Interner<{ text: string }>()
    const first = interner.intern(bytes('image'), make)
    expect(interner.intern(bytes('image'), make)).toBe(first)
    for (const other of ['imago', 'imag', 'images', '']) {
      expect(interner.intern(bytes(other), make)).toEqual({ text: other })
    }
    expect(interner.intern(bytes('image'), make)).toBe(first)
  })

  test('are different ones where only their hashes are equal', () => {
    const interner = new Interner<{ text: string }>()
    // Both have the hash 0x5e4daa9d.
    expect(interner.intern(bytes('costarring'), make).text).toBe('costarring')
    expect(interner.intern(bytes('liquid'), make).text).toBe('liquid')
    expect(interner.intern(bytes('costarring'), make).text).toBe('costarring')
  })

  test('do not change with the memory of the bytes', () => {
    const interner = new Interner<Uint8Array>()
    const given = bytes('image')
    const value = interner.intern(given, copy => copy.subarray(1))
    given.fill(0)
    expect(value).toEqual(bytes('mage'))
    expect(interner.intern(bytes('image'), copy => copy)).toBe(value)
  })

  test('are made again when they are long, or when many came since', () => {
    const interner = new Interner<object>()
    const long = new Uint8Array(4097)
    expect(interner.intern(long, () => ({}))).not.toBe(interner.intern(long, () => ({})))
    const first = interner.intern(bytes('first'), () => ({}))
    const others = (count: number) => {
      for (let i = 0; i < count; i++) interner.intern(bytes(`other ${i}`), () => ({}))
    }
    others(500)
    expect(interner.intern(bytes('first'), () => ({}))).toBe(first)
    others(3000)
    expect(interner.intern(bytes('first'), () => ({}))).not.toBe(first)
  })
})
