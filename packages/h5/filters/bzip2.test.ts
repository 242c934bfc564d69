import { describe, expect, it } from 'vitest'
import { bzip2 } from './bzip2.ts'

const CHUNK = Uint8Array.from({ length: 1000 }, (_, i) => (i * i) % 7)
/** The output of libbz2 for the chunk, and for 100,000 zeros. */
const ENCODED =
  '425a6839314159265359e2edfdad00004740007400200030cd3413549ea742ac15782ae0ab41560abe2ee48a70a121c5dbfb5a'
const ZEROS = '425a6839314159265359bea9882b0000c45000c00004000008200030cc0529a610b622178bb9229c28485f54c41580'

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

describe('bzip2', () => {
  it('decodes what libbz2 encodes', async () => {
    expect(await bzip2.decode(bytes(ENCODED), [9], 1000)).toEqual(CHUNK)
    expect(await bzip2.decode(bytes(ZEROS), [9], 100_000)).toEqual(new Uint8Array(100_000))
  })

  it('stops at the length of the chunk', async () => {
    await expect(bzip2.decode(bytes(ZEROS), [9], 99_999)).rejects.toThrow(
      'the stream holds more than 99999 bytes',
    )
  })

  it.each([
    ['nothing', new Uint8Array(0)],
    ['no stream', CHUNK],
    ['a stream that is cut off', bytes(ENCODED).subarray(0, 50)],
  ])('refuses %s', async (_what, encoded) => {
    await expect(bzip2.decode(encoded, [9], 1000)).rejects.toThrow()
  })

  it('never gives other bytes when one is changed', async () => {
    let refused = 0
    for (let at = 0; at < bytes(ENCODED).length; at++) {
      const changed = bytes(ENCODED)
      changed[at] ^= 4
      try {
        expect(await bzip2.decode(changed, [9], 1000), `byte ${at}`).toEqual(CHUNK)
      } catch (error) {
        if (error instanceof Error && error.message.includes('byte ')) throw error
        refused++
      }
    }
    expect(refused).toBeGreaterThan(bytes(ENCODED).length / 2)
  })

  it('has no encoder', () => {
    expect(bzip2.encode(CHUNK, [9])).toBeUndefined()
  })
})
