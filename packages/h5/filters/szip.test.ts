import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/engines/clock.ts'
import { szip } from './szip.ts'

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
}

function bytesOf({ buffer }: Uint16Array | Int32Array | Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer)
}

/** Three lines of ten, so that blocks of four must be filled up. */
const LINES = Array.from({ length: 30 }, (_, i) => 1000 + 7 * (i % 10) - 3 * Math.floor(i / 10) ** 2)

const STORED = bytes('40000000 000400100040010004001fe021fe091580213f9840')

describe('szip', () => {
  it.each([
    [
      'bytes as they are, and with their lowest bits apart',
      [141, 8, 8, 16],
      Uint8Array.of(3, 1, 0, 2, 5, 1, 1, 0, 200, 17, 99, 255, 3, 4, 250, 77),
      '10000000 4e9f9df20458ffc0c13e9340',
    ],
    [
      'lines that are no whole blocks, big-endian, with differences',
      [177, 4, 16, 10],
      bytesOf(Uint16Array.from(LINES, value => (value >> 8) | ((value & 255) << 8))),
      '3c000000 403e8576c8abb6c8bec0201f2abb6455db645f60100f715db22aedb22fb000',
    ],
    ['blocks of zeros up to the end', [141, 8, 8, 64], new Uint8Array(64).with(40, 1), '40000000 0045e080'],
    [
      'integers taken apart into bytes, nearly all equal',
      [169, 8, 32, 32],
      bytesOf(new Int32Array(32).fill(5).with(31, 6)),
      '80000000 00523c10001000100010',
    ],
    [
      'pairs of small differences',
      [169, 8, 8, 16],
      Uint8Array.of(10, 10, 11, 11, 10, 10, 10, 9, 9, 9, 10, 10, 10, 10, 11, 10),
      '10000000 10a8a4e794',
    ],
    ['floats of 64 bits', [169, 4, 64, 8], bytesOf(Float64Array.of(1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5)), STORED],
    [
      'samples of 20 bits with differences of any sign',
      [169, 4, 20, 8],
      bytesOf(Uint32Array.of(2 ** 20 - 1, 2 ** 20 - 2, 0, 5, 2 ** 19, 7, 6, 5)),
      '20000000 ffffff80000fffff80002fe00003fffc400004000040',
    ],
  ])('reads %s as libaec writes them', (_what, clientData, expected, stored) => {
    const encoded = typeof stored === 'string' ? bytes(stored) : stored
    expect(szip.decode(encoded, clientData, expected.length)).toEqual(expected)
  })

  it('cannot be written', () => {
    const type = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' } as const
    expect(szip.clientData(new Map(), { type, elementSize: 1, chunkDims: [16] })).toBeUndefined()
    expect(szip.encode(new Uint8Array(16), [141, 8, 8, 16])).toBeUndefined()
  })

  it.each([
    ['no length', [141, 8, 8, 16], '100000', '3 bytes are too few for the length'],
    ['a length beyond the chunk', [141, 8, 8, 16], '41000000 00', 'the header claims 65 bytes'],
    ['too few bits', [141, 8, 8, 16], '10000000 4e9f9d', 'end too early'],
    [
      'zeros beyond the line',
      [141, 8, 8, 16],
      '10000000 01',
      'a run of 4 blocks of zeros is longer than the 2 left in its scanline',
    ],
    ['parts of samples', [141, 8, 16, 16], '03000000 00', '3 bytes is not a multiple of the sample size 2'],
    ['no client data', [], '10000000 00', '0 bits in a sample'],
    ['too many bits in a sample', [141, 8, 33, 16], '10000000 00', '33 bits in a sample'],
    ['blocks of odd length', [141, 7, 8, 16], '10000000 00', '7 samples in a block'],
    ['blocks that are too long', [141, 34, 8, 16], '10000000 00', '34 samples in a block'],
    ['lines of no samples', [141, 8, 8, 0], '10000000 00', '0 samples in a scanline'],
    ['lines that are too long', [141, 8, 8, 1025], '10000000 00', '1025 samples in a scanline'],
  ])('refuses %s', (_what, clientData, encoded, message) => {
    expect(() => szip.decode(bytes(encoded), clientData, 64)).toThrow(message)
  })

  const seed = Number(process.env.HYPERSLAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
  it(`makes an error of damaged bytes, or other bytes (seed ${seed})`, () => {
    const random = seededRandom(seed)
    for (let i = 0; i < 2000; i++) {
      const [position, value] = random(2)
      const damaged =
        i % 4 === 0
          ? STORED.slice(0, position % STORED.length)
          : i % 4 === 1
            ? Uint8Array.of(64, 0, 0, 0, ...random(value))
            : STORED.with(4 + (position % (STORED.length - 4)), value)
      let decoded: unknown
      try {
        decoded = szip.decode(damaged, [i % 3 === 0 ? 141 : 169, 4, 64, 8], 64)
      } catch (error) {
        decoded = error
      }
      if (decoded instanceof Error) expect(decoded.constructor).toBe(Error)
      else expect(decoded).toHaveLength(64)
    }
  })
})
