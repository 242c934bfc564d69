// The rules of every filter that is written here: bytes come back as they went in, and damaged ones do no harm.
// (compressors.test.ts has the filters that packages do.) The seed is printed, HYPERSLAB_TEST_SEED repeats it.

import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/engines/clock.ts'
import { codecOf } from './codecs.ts'
import type { ClientData, FilterCodec } from './filter.ts'

const SEED = Number(process.env.HYPERSLAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const randomBytes = seededRandom(SEED)

const LENGTH = 600

/** Client data for chunks of 600 bytes that no number in them makes unfit. */
const CODECS: readonly (readonly [name: string, id: number, clientData: ClientData])[] = [
  ['shuffle', 2, [4]],
  ['shuffle of odd elements', 2, [7]],
  ['fletcher32', 3, []],
  ['n-bit integers', 5, [8, 0, 300, 1, 2, 0, 7, 0]],
  ['n-bit compounds', 5, [25, 0, 200, 3, 3, 2, 0, 1, 1, 0, 7, 0, 1, 2, 2, 1, 1, 0, 7, 0]],
  ['scale-offset integers', 6, [2, 0, 600, 0, 1, 1, 0, 1, ...new Array<number>(12).fill(0)]],
  ['scale-offset long integers', 6, [2, 0, 75, 0, 8, 1, 0, 1, ...new Array<number>(12).fill(0)]],
  ['bitshuffle', 32008, [0, 4, 2, 64]],
  ['bitshuffle and LZ4', 32008, [0, 4, 2, 64, 2]],
  ['bitshuffle and Zstandard', 32008, [0, 4, 2, 0, 3]],
  ['lzf', 32000, [4, 261, 600]],
]

function randomBelow(limit: number): number {
  return new DataView(randomBytes(4).buffer).getUint32(0) % limit
}

/** Bytes below 128 with repetitions, every other one zero, so that each filter has something to gain. */
function randomChunk(): Uint8Array {
  const word = randomBytes(1 + randomBelow(40))
  return Uint8Array.from({ length: LENGTH }, (_, i) => (i % 2 === 1 ? 0 : word[i % word.length] >> 1))
}

function codecFor(id: number): FilterCodec {
  const codec = codecOf(id)
  if (!codec) throw new Error(`there is no codec ${id}`)
  return codec
}

async function encode(id: number, chunk: Uint8Array, clientData: ClientData): Promise<Uint8Array> {
  const encoded = await codecFor(id).encode(chunk, clientData)
  if (!encoded) throw new Error('the chunk was refused')
  return encoded
}

async function decodeOrError(id: number, bytes: Uint8Array, clientData: ClientData): Promise<unknown> {
  try {
    return await codecFor(id).decode(bytes, clientData, LENGTH)
  } catch (error) {
    return error
  }
}

/**
 * Other than by bytes, or an error that tells of the damage: not one of the codec itself, such as a TypeError or
 * endless recursion.
 */
function isHarmed(decoded: unknown, bytes: Uint8Array): boolean {
  if (decoded instanceof RangeError) return !decoded.message.includes('bounds of the DataView')
  if (decoded instanceof Error) return decoded.constructor !== Error
  return (decoded as Uint8Array).length > Math.max(LENGTH, bytes.length)
}

describe(`filters that are written here (seed ${SEED})`, () => {
  it.each(CODECS)(
    '%s gives back what it was given, and changes none of it',
    async (_name, id, clientData) => {
      for (let i = 0; i < 50; i++) {
        const chunk = randomChunk()
        const before = chunk.slice()
        const encoded = await encode(id, chunk, clientData)
        const stored = encoded.slice()
        const decoded = await codecFor(id).decode(encoded, clientData, LENGTH)
        const differences = [
          Buffer.compare(decoded, before),
          Buffer.compare(chunk, before),
          Buffer.compare(encoded, stored),
        ]
        expect(differences).toEqual([0, 0, 0])
      }
    },
  )

  it.each(CODECS)('%s makes an error of damaged bytes, or other bytes', async (_name, id, clientData) => {
    const encoded = await encode(id, randomChunk(), clientData)
    const damage = [
      () => encoded.slice(0, randomBelow(encoded.length)),
      () => encoded.slice(randomBelow(encoded.length)),
      () => encoded.with(randomBelow(encoded.length), randomBelow(256)),
      () => Uint8Array.of(...encoded, ...encoded.slice(randomBelow(encoded.length))),
      () => randomBytes(randomBelow(encoded.length)),
    ]
    const harms: unknown[] = []
    for (let i = 0; i < 400; i++) {
      const damaged = damage[i % damage.length]()
      const decoded = await decodeOrError(id, damaged, clientData)
      if (isHarmed(decoded, damaged)) harms.push(decoded)
    }
    expect(harms).toEqual([])
  })

  it.each([2, 3, 4, 5, 6, 32000, 32008])(
    'filter %i makes an error of damaged client data, or other bytes',
    async id => {
      const likely = [0, 1, 2, 3, 4, 8, 16, 32, 64]
      const harms: unknown[] = []
      for (let i = 0; i < 2000; i++) {
        const clientData = Array.from({ length: randomBelow(i % 2 === 0 ? 12 : 21) }, () =>
          randomBelow(8) === 0 ? randomBelow(2 ** 32) : likely[randomBelow(likely.length)],
        )
        const bytes = randomBytes(randomBelow(100))
        const decoded = await decodeOrError(id, bytes, clientData)
        if (isHarmed(decoded, bytes)) harms.push(decoded)
      }
      expect(harms).toEqual([])
    },
  )
})
