import { describe, expect, it } from 'vitest'
import { lzf } from './lzf.ts'

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

const text = (string: string) => new TextEncoder().encode(string)

describe('lzf', () => {
  it.each([
    ['literal bytes', '026162 63', 'abc'],
    ['a back-reference', '03616263 61e011020258595a601d016361', `${'abc'.repeat(10)}XYZabcabca`],
    ['long ones that overlap what they make', '016161e0ff00e01700016161', 'a'.repeat(300)],
    ['no bytes', '', ''],
  ])('decodes %s as h5py encodes them', async (_what, hex, expected) => {
    expect(await lzf.decode(bytes(hex.replaceAll(' ', '')), [4, 261, 300], 300)).toEqual(text(expected))
  })

  it.each([
    ['one byte again and again', 'a'.repeat(10_000)],
    ['text that repeats near', 'hyperslab '.repeat(50)],
    ['text that repeats too far away', `${'abcdefgh'}${'\0\x01\x02'.repeat(2731)}${'abcdefgh'.repeat(2)}`],
    ['matches at the very end', `${'0123456789'.repeat(5)}012`],
    ['zeros between literals', Array.from({ length: 300 }, (_, i) => `${i}\0\0\0\0\0\0`).join('')],
  ])('makes %s shorter, and back', async (_what, string) => {
    const data = text(string)
    const encoded = await lzf.encode(data, [])
    if (!encoded) throw new Error('nothing was gained')
    expect(encoded.length).toBeLessThan(data.length)
    expect(await lzf.decode(encoded, [], data.length)).toEqual(data)
  })

  it.each(['', 'a', 'abc', 'abcdefghijklmnopqrstuvwxyz'])('leaves %j, where nothing is gained', string => {
    expect(lzf.encode(text(string), [])).toBeUndefined()
  })

  it.each([
    ['0261', 'ends within literal bytes'],
    ['20', 'ends within a back-reference'],
    ['e0', 'ends within a back-reference'],
    ['00612001', 'reaches 1 bytes before the start'],
    ['0061e0ff00', 'more than 100 bytes'],
    [`1f${'00'.repeat(32)}`.repeat(4), 'more than 100 bytes'],
  ])('refuses %s: it %s', (hex, message) => {
    expect(() => lzf.decode(bytes(hex), [], 100)).toThrow(message)
  })

  it('has the version of the filter, of LZF, and the size of a chunk as client data', () => {
    const type = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'LE' } as const
    const form = { type, elementSize: 2, chunkDims: [4, 5] }
    expect(lzf.clientData(new Map(), form)).toEqual([4, 261, 40])
  })
})
