import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { elementsFromJson } from '../json/json-tree.ts'
import type { Elements, Piece } from './elements.ts'
import { ElementsBuilder, equalElements } from './elements-builder.ts'
import { expandPieces } from './expand.ts'
import { PREFIXED_REFERENCES } from './references.ts'

const I16: Datatype = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

function elements(type: Datatype, numbers: readonly number[]): Elements {
  const json = type === TEXT ? numbers.map(number => 'x'.repeat(number % 7)) : numbers
  return elementsFromJson(type, [numbers.length], json, PREFIXED_REFERENCES)
}

describe('expanded pieces', () => {
  const piece = fc.record({
    isRepeated: fc.boolean(),
    value: fc.nat(200),
    count: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 40_000 })),
  })

  test('are the same elements, however long the pieces are', async () => {
    const cases = fc.record({ type: fc.constantFrom(I16, TEXT), given: fc.array(piece, { maxLength: 12 }) })
    await fc.assert(
      fc.asyncProperty(cases, async ({ type, given }) => {
        const total = given.reduce((sum, { count }) => sum + count, 0)
        const expected = new ElementsBuilder(type, total)
        const found = new ElementsBuilder(type, total)
        const pieces: Piece[] = []
        let at = 0
        for (const { isRepeated, value, count } of given) {
          const element = elements(type, [value])
          const all = elements(
            type,
            Array.from({ length: count }, (_, i) => value + (isRepeated ? 0 : i % 90)),
          )
          pieces.push(isRepeated ? { count, element } : all)
          expected.copy(all, 0, at, count)
          at += count
        }
        let from = 0
        for await (const part of expandPieces(type, iterated(pieces))) {
          expect(part.data.length).toBe(part.count * elementSize(type))
          found.copy(part, 0, from, part.count)
          from += part.count
        }
        expect(from).toBe(total)
        expect(equalElements(type, expected.finish(), 0, found.finish(), 0, total)).toBe(true)
      }),
    )
  })

  test('of elements alone are the pieces themselves', async () => {
    const pieces = [elements(I16, [1]), elements(I16, [2, 3])]
    const found: Elements[] = []
    for await (const part of expandPieces(I16, iterated(pieces))) found.push(part)
    expect(found.map((part, i) => part === pieces[i])).toEqual([true, true])
  })

  test('end when the signal aborts, also within one piece', async () => {
    const abort = new AbortController()
    const reason = new Error('the client has left')
    const endless = [{ count: 2 ** 50, element: elements(I16, [5]) }]
    let parts = 0
    const read = async () => {
      for await (const _ of expandPieces(I16, iterated(endless), abort.signal))
        if (++parts === 3) abort.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
    expect(parts).toBe(3)
  })

  test('of many equal elements use the same memory again', async () => {
    const memory = new Set<ArrayBufferLike>()
    let count = 0
    for await (const part of expandPieces(I16, iterated([{ count: 2 ** 24, element: elements(I16, [5]) }]))) {
      memory.add(part.data.buffer)
      count += part.count
    }
    expect({ count, memory: memory.size }).toEqual({ count: 2 ** 24, memory: 1 })
  })
})

async function* iterated(pieces: readonly Piece[]): AsyncGenerator<Piece> {
  yield* pieces
}
