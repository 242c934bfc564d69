import { describe, expect, it } from 'vitest'
import { partOf, requestedRange } from './ranges.ts'

const WHOLE = { length: 10, entityTag: '"a"' }

describe('the range of a request', () => {
  it.each([
    ['bytes=0-0', { first: 0, length: 1 }],
    ['bytes=0-9', { first: 0, length: 10 }],
    ['bytes=4-', { first: 4, length: 6 }],
    ['bytes=4-6', { first: 4, length: 3 }],
    ['bytes=9-9', { first: 9, length: 1 }],
    ['bytes=4-999999999999999999999', { first: 4, length: 6 }],
    ['bytes=-3', { first: 7, length: 3 }],
    ['bytes=-10', { first: 0, length: 10 }],
    ['bytes=-11', { first: 0, length: 10 }],
    ['Bytes = 1 - 2', { first: 1, length: 2 }],
  ])('%s is a part', (range, part) => {
    expect(requestedRange({ range }, WHOLE)).toEqual(part)
  })

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=a-b',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=0x1-2',
  ])('%s is the whole', range => {
    expect(requestedRange({ ...(range !== undefined && { range }) }, WHOLE)).toBeUndefined()
  })

  it.each(['bytes=10-', 'bytes=10-11', 'bytes=-0', 'bytes=99999999999999999999-'])('%s is none', range => {
    const expected = { code: 'range-not-satisfiable', wholeLength: 10 }
    expect(() => requestedRange({ range }, WHOLE)).toThrow(expect.objectContaining(expected))
  })

  it('of nothing is none', () => {
    for (const range of ['bytes=0-', 'bytes=-5']) {
      expect(() => requestedRange({ range }, { ...WHOLE, length: 0 })).toThrow(/which has 0 bytes/)
    }
  })

  it('counts if If-Range is the tag, and for nothing else', () => {
    const range = 'bytes=1-2'
    expect(requestedRange({ range, 'if-range': '"a"' }, WHOLE)).toEqual({ first: 1, length: 2 })
    for (const condition of ['"b"', 'W/"a"', 'a', 'Tue, 15 Nov 1994 12:45:26 GMT', '*']) {
      expect(requestedRange({ range, 'if-range': condition }, WHOLE)).toBeUndefined()
    }
  })
})

describe('a part of a stream', () => {
  const bytes = Uint8Array.from({ length: 10 }, (_, i) => i)

  /** The bytes in pieces of some length; `taken` counts those that were asked for. */
  function streamOf(pieceLength: number, taken = { count: 0 }) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += pieceLength) {
        taken.count++
        yield bytes.subarray(at, at + pieceLength)
      }
    }
    return { contentType: 'x', length: 10, entityTag: '"a"', pieces: pieces() }
  }

  it('is the bytes of the range, however the pieces are cut', async () => {
    for (const pieceLength of [1, 2, 3, 7, 10]) {
      for (let first = 0; first < 10; first++) {
        for (let length = 1; length <= 10 - first; length++) {
          const part = partOf(streamOf(pieceLength), { first, length })
          const got: number[] = []
          for await (const piece of part.pieces) got.push(...piece)
          expect([part.length, ...got]).toEqual([length, ...bytes.subarray(first, first + length)])
        }
      }
    }
  })

  it('asks for no piece behind it, and for none before it where the stream can begin there', async () => {
    const taken = { count: 0 }
    for await (const _ of partOf(streamOf(1, taken), { first: 2, length: 3 }).pieces);
    expect(taken.count).toBe(5)
    const got: number[] = []
    async function* piecesOf(position: number, length: number) {
      yield bytes.subarray(position, position + length)
    }
    const stream = { ...streamOf(1, taken), piecesOf }
    for await (const piece of partOf(stream, { first: 6, length: 2 }).pieces) got.push(...piece)
    expect([got, taken.count]).toEqual([[6, 7], 5])
  })
})
