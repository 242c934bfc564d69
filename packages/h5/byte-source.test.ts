import { describe, expect, it } from 'vitest'
import { newMemory } from './byte-source.ts'

describe('newMemory', () => {
  it.each([0, 1, 2 ** 18 - 1, 2 ** 18, 2 ** 20 + 5])('of %i bytes', length => {
    const memory = newMemory(length)
    expect(memory).toHaveLength(length)
    expect(memory).not.toBeInstanceOf(Buffer)
    // The values of wide types are read in place.
    expect(memory.byteOffset % 16).toBe(0)
    // It holds nothing of other memory.
    expect(memory.buffer.byteLength - length).toBe(length < 2 ** 18 ? 0 : memory.byteOffset)
  })
})
