// What every codec promises: bytes come back as they went in, and damaged ones do no harm.

import { describe, expect, it } from 'vitest'
import { codecOf } from './codecs.ts'
import type { ClientData } from './filter.ts'

const SEED = Number(process.env.HYPERSLAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** mulberry32. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Client data for chunks of 600 bytes that no number in them makes unfit. */
const CODECS: readonly (readonly [name: string, id: number, clientData: ClientData])[] = [
  ['deflate', 1, [5]],
  ['shuffle', 2, [4]],
  ['shuffle of odd elements', 2, [7]],
  ['fletcher32', 3, []],
  ['n-bit integers', 5, [8, 0, 300, 1, 2, 0, 7, 0]],
  ['n-bit compounds', 5, [25, 0, 200, 3, 3, 2, 0, 1, 1, 0, 7, 0, 1, 2, 2, 1, 1, 0, 7, 0]],
  ['scale-offset integers', 6, [2, 0, 600, 0, 1, 1, 0, 1, ...new Array<number>(12).fill(0)]],
  ['scale-offset long integers', 6, [2, 0, 75, 0, 8, 1, 0, 1, ...new Array<number>(12).fill(0)]],
  ['lzf', 32000, [4, 261, 600]],
]

const LENGTH = 600

/** Bytes below 128 with repetitions, so that every filter has something to gain. */
function chunkOf(random: (below: number) => number): Uint8Array {
  const word = Uint8Array.from({ length: 1 + random(40) }, () => random(128))
  return Uint8Array.from({ length: LENGTH }, (_, i) => (i % 2 === 1 ? 0 : word[i % word.length]))
}

describe(`every codec (seed ${SEED})`, () => {
  it.each(CODECS)(
    '%s gives back what it was given, and changes none of it',
    async (_name, id, clientData) => {
      const codec = codecOf(id)
      const random = randomOf(SEED)
      for (let i = 0; i < 50; i++) {
        const chunk = chunkOf(random)
        const before = chunk.slice()
        const encoded = await codec?.encode(chunk, clientData)
        if (!encoded) throw new Error('it was refused')
        const stored = new Uint8Array(encoded)
        const decoded = (await codec?.decode(encoded, clientData, LENGTH)) ?? new Uint8Array()
        expect(await codec?.decode(encoded, clientData, LENGTH)).toEqual(new Uint8Array(before))
        expect(chunk).toEqual(before)
        expect(new Uint8Array(encoded)).toEqual(stored)
      }
    },
  )

  it.each(CODECS)('%s takes damaged bytes for an error or for other bytes', async (_name, id, clientData) => {
    const codec = codecOf(id)
    const random = randomOf(SEED)
    const encoded = new Uint8Array((await codec?.encode(chunkOf(random), clientData)) ?? [])
    const damage: readonly ((length: number) => Uint8Array)[] = [
      length => encoded.slice(0, random(length)),
      length => encoded.with(random(length), random(256)),
      length => encoded.slice(random(length)),
      length => Uint8Array.from({ length: random(length) }, () => random(256)),
      length => new Uint8Array([...encoded, ...encoded.slice(random(length))]),
    ]
    for (let i = 0; i < 400; i++) {
      const damaged = damage[i % damage.length](encoded.length)
      try {
        const decoded = await codec?.decode(damaged, clientData, LENGTH)
        expect(decoded?.length).toBeLessThanOrEqual(
          damaged === encoded ? LENGTH : Math.max(LENGTH, damaged.length),
        )
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect(error).not.toBeInstanceOf(TypeError)
      }
    }
  })
})
