import { describe, expect, test } from 'vitest'
import type { Datatype } from '../../../model/datatype/datatype.ts'
import { elementSize } from '../../../model/datatype/layout.ts'
import { type JsonValue, stringifyJson } from '../../../model/json/json.ts'
import { parseJson } from '../../../model/json/json-parser.ts'
import { elementsFromJson, elementsToJson } from '../../../model/json/json-tree.ts'
import type { Elements, Piece } from '../../../model/values/elements.ts'
import { ElementsBuilder, repeatElement } from '../../../model/values/elements-builder.ts'
import { PREFIXED_REFERENCES } from '../../../model/values/references.ts'
import { repeatElements } from './repeat.ts'

const BYTE: Datatype = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

/** 64 bytes: many of them take little JSON. */
const LINE: Datatype = { ...TEXT, length: 64 }

/** Gives the values in pieces, and counts how often it is asked. */
function giver(type: Datatype, values: readonly JsonValue[], pieceLength: number) {
  const asked = { times: 0 }
  async function* give(): AsyncGenerator<Elements> {
    asked.times++
    for (let i = 0; i < values.length; i += pieceLength) {
      const some = values.slice(i, i + pieceLength)
      yield elementsFromJson(type, [some.length], some, PREFIXED_REFERENCES)
    }
  }
  return { asked, give }
}

async function allOf(type: Datatype, pieces: AsyncIterable<Piece>, count: number): Promise<string> {
  const builder = new ElementsBuilder(type, count)
  let found = 0
  for await (const given of pieces) {
    const piece = 'element' in given ? repeatElement(type, given.element, given.count) : given
    expect(piece.data.length).toBe(piece.count * elementSize(type))
    builder.copy(piece, 0, found, piece.count)
    found += piece.count
  }
  expect(found).toBe(count)
  const style = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
  return stringifyJson(elementsToJson(type, [count], builder.finish(), style))
}

describe('repeatElements', () => {
  test.each<[string, Datatype, string, number, number, number]>([
    ['few of them, from memory', BYTE, '[1,2,3]', 2, 5, 1],
    ['once', BYTE, '[1,2,3]', 2, 1, 1],
    ['variable ones', TEXT, '["a","","long"]', 1, 4, 1],
    ['in many pieces of output', LINE, '["a","b"]', 1, 20_000, 1],
    ['none', BYTE, '[7,8]', 1, 0, 1],
  ])('%s', async (_, type, json, pieceLength, times, askedTimes) => {
    const values = parseJson(json) as JsonValue[]
    const { asked, give } = giver(type, values, pieceLength)
    const repeated = repeatElements(type, give, values.length, times)
    const expected = Array.from({ length: times }, () => values).flat()
    expect(await allOf(type, repeated, values.length * times)).toBe(stringifyJson(expected))
    expect(asked.times).toBe(askedTimes)
  })

  test.each<[string, Datatype, string]>([
    ['a number', BYTE, '7'],
    ['a string longer than what is kept', TEXT, stringifyJson('x'.repeat(1_100_000))],
  ])('one is handed on once: %s', async (_, type, json) => {
    const { asked, give } = giver(type, [parseJson(json)], 1)
    const pieces: Piece[] = []
    for await (const piece of repeatElements(type, give, 1, 1e12)) pieces.push(piece)
    expect(pieces).toMatchObject([{ count: 1e12, element: { count: 1 } }])
    expect(asked.times).toBe(1)
  })

  test('one for all of those that are repeated is one for everything', async () => {
    const element = elementsFromJson(BYTE, [1], [7], PREFIXED_REFERENCES)
    async function* give(): AsyncGenerator<Piece> {
      yield { count: 5, element }
    }
    expect(await allOf(BYTE, repeatElements(BYTE, give, 5, 2), 10)).toBe('[7,7,7,7,7,7,7,7,7,7]')
  })

  test('too many to keep are asked for again', async () => {
    for (const [type, values] of [
      [LINE, new Array(20_000).fill('c')],
      [TEXT, ['x'.repeat(600_000), 'y'.repeat(600_000)]],
    ] as const) {
      const { asked, give } = giver(type, values, 7000)
      const text = await allOf(type, repeatElements(type, give, values.length, 2), 2 * values.length)
      expect(text).toBe(stringifyJson([...values, ...values]))
      expect(asked.times).toBeGreaterThanOrEqual(2)
    }
  })

  test.each([
    [2, 'only 2'],
    [4, 'at least 4'],
  ])('%i instead of 3 are refused', async (given, told) => {
    for (const times of [1, 2]) {
      const { give } = giver(BYTE, new Array(given).fill(1), 2)
      await expect(allOf(BYTE, repeatElements(BYTE, give, 3, times), 3 * times)).rejects.toMatchObject({
        code: 'value-count-mismatch',
        message: expect.stringContaining(told),
      })
    }
  })
})
