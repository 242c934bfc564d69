// The damage that fuzzing does is what it claims: repeated by a seed, and behind checksums that are right.

import { readRange } from '@hyperslab/h5/reader'
import { describe, expect, it } from 'vitest'
import { lookup3 } from '../../packages/h5/format/checksum.ts'
import { h5FileOf } from '../fixtures/h5-file.ts'
import { randomFrom, SeedFile } from './mutations.ts'

/** The checksum of a superblock of version 3 with addresses of 8 bytes is behind these. */
const COVERED = 44

describe('damage of files', () => {
  it('is the same for the same seed, and another for another', async () => {
    const source = h5FileOf([])
    const file = new SeedFile(await readRange(source, 0, source.size))
    const damaged = [1, 1, 2, 3].map(seed => Buffer.from(file.mutate(randomFrom(seed))).toString('base64'))
    expect(damaged[0]).toBe(damaged[1])
    expect(new Set(damaged).size).toBe(3)
  })

  it('changes structures and repairs their checksums', async () => {
    const source = h5FileOf([])
    const bytes = await readRange(source, 0, source.size)
    const file = new SeedFile(bytes)
    let repaired = 0
    for (let seed = 0; seed < 300; seed++) {
      const damaged = Buffer.from(file.mutate(randomFrom(seed)))
      if (damaged.length < COVERED + 4 || damaged.subarray(0, COVERED).equals(bytes.subarray(0, COVERED)))
        continue
      if (lookup3(damaged.subarray(0, COVERED)) === damaged.readUInt32LE(COVERED)) repaired++
    }
    expect(repaired).toBeGreaterThan(100)
  })
})
