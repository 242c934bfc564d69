import type { Datatype } from '@hyperslab/model/datatype'
import { elementsFromJson } from '@hyperslab/model/json'
import { type Elements, PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import { encodeItems, padChunk, unpadSpaces } from './chunk-bytes.ts'

const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Uint8Array[] = []
  for await (const piece of pieces) copies.push(Uint8Array.from(piece))
  return Buffer.concat(copies)
}

/** The chunk by its definition: element by element. */
function expected(
  chunkDims: readonly number[],
  inside: readonly number[],
  size: number,
  fill: Uint8Array,
): Buffer {
  const count = chunkDims.reduce((a, b) => a * b, 1)
  const chunk = Buffer.alloc(count * size)
  let given = 0
  for (let i = 0; i < count; i++) {
    let rest = i
    const at = chunkDims.map(() => 0)
    for (let d = chunkDims.length - 1; d >= 0; d--) {
      at[d] = rest % chunkDims[d]
      rest = Math.floor(rest / chunkDims[d])
    }
    const isInside = at.every((index, d) => index < inside[d])
    for (let b = 0; b < size; b++) chunk[i * size + b] = isInside ? (given++ % 251) + 1 : fill[b]
  }
  return chunk
}

describe('a chunk at the end of a dataset', () => {
  it.each<[readonly number[], readonly number[], number]>([
    [[], [], 4],
    [[5], [5], 4],
    [[5], [2], 3],
    [[4, 6], [4, 5], 2],
    [[4, 6], [3, 6], 2],
    [[4, 6], [1, 1], 8],
    [[3, 4, 5], [2, 4, 5], 1],
    [[3, 4, 5], [3, 2, 5], 1],
    [[3, 4, 5], [1, 3, 2], 7],
    [[700, 1000], [699, 999], 2],
  ])('of %j elements with %j inside is filled up', async (chunkDims, inside, size) => {
    const fill = Uint8Array.from({ length: size }, (_, i) => 200 + i)
    const length = inside.reduce((a, b) => a * b, size)
    const bytes = Uint8Array.from({ length }, (_, i) => (i % 251) + 1)
    for (const piece of [length, 1013, 7].slice(0, length > 10_000 ? 2 : 3)) {
      const padded = joined(padChunk(inPieces(bytes, piece), { chunkDims, inside, elementSize: size, fill }))
      expect(Buffer.compare(await padded, expected(chunkDims, inside, size, fill))).toBe(0)
    }
    const zeros = padChunk(inPieces(bytes, 64), { chunkDims, inside, elementSize: size, fill: undefined })
    expect(Buffer.compare(await joined(zeros), expected(chunkDims, inside, size, new Uint8Array(size)))).toBe(
      0,
    )
  })

  it('of text has empty strings there', async () => {
    const texts = ['a', 'é', '', 'long text']
    const elements = elementsFromJson(TEXT, [4], texts, PREFIXED_REFERENCES)
    async function* pieces(): AsyncGenerator<Elements> {
      yield elements
    }
    const bytes = await joined(encodeItems(TEXT, pieces(), { chunkDims: [3, 3], inside: [2, 2] }, 'x'))
    expect(readItems(bytes)).toEqual(['a', 'é', '', '', 'long text', '', '', '', ''])
  })

  it('of text has the fill value there, also where no element is inside', async () => {
    const fill = elementsFromJson(TEXT, [1], ['none'], PREFIXED_REFERENCES)
    const elements = elementsFromJson(TEXT, [1], ['a'], PREFIXED_REFERENCES)
    const items = async (inside: readonly number[], pieces: readonly Elements[]) => {
      async function* given(): AsyncGenerator<Elements> {
        yield* pieces
      }
      return readItems(await joined(encodeItems(TEXT, given(), { chunkDims: [2, 2], inside, fill }, 'x')))
    }
    expect(await items([1, 1], [elements])).toEqual(['a', 'none', 'none', 'none'])
    expect(await items([1, 0], [])).toEqual(['none', 'none', 'none', 'none'])
    expect(await items([0, 2], [])).toEqual(['none', 'none', 'none', 'none'])
  })

  it('of text that is not UTF-8 is an error', async () => {
    const text: Datatype = { ...TEXT, length: 2 }
    async function* pieces(): AsyncGenerator<Elements> {
      yield { count: 1, data: Uint8Array.of(0xff, 0x41), heap: new Uint8Array(0) }
    }
    const encoding = joined(encodeItems(text, pieces(), { chunkDims: [1], inside: [1] }, 'the chunk'))
    await expect(encoding).rejects.toMatchObject({ code: 'text-not-utf8' })
  })
})

describe('text that is padded with spaces', () => {
  it('gets NULs', () => {
    const type: Datatype = { ...TEXT, length: 4, strPad: 'H5T_STR_SPACEPAD' }
    expect(Buffer.from(unpadSpaces(type, Buffer.from('ab  a b     '))).toString()).toBe('ab\0\0a b\0\0\0\0\0')
  })
})

function readItems(bytes: Buffer): string[] {
  const items: string[] = []
  let at = 4
  for (let i = 0; i < bytes.readUInt32LE(0); i++) {
    const length = bytes.readUInt32LE(at)
    items.push(bytes.toString('utf8', at + 4, at + 4 + length))
    at += 4 + length
  }
  expect(at).toBe(bytes.length)
  return items
}
