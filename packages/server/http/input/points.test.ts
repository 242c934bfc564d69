import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dataspace } from '../../../model/dataset/dataspace.ts'
import { pointsFromJson } from '../../../model/json/points-input.ts'
import type { SelectionGrammar, SelectionRequest } from '../../service/selection/request.ts'
import { resolveSelection } from '../../service/selection/resolve.ts'
import { pointsFromBytes } from './value-selection.ts'

function simple(...dims: number[]): Dataspace {
  return { class: 'H5S_SIMPLE', dims }
}

async function* inPieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

const scan = (text: string, grammar: SelectionGrammar = 'lists', length = 3) =>
  pointsFromJson(inPieces(text, length), grammar === 'ranges' ? 2 : 1)

/** The coordinates of the points, or the code of the error. */
async function outcomeOf(
  request: Promise<SelectionRequest>,
  space: Dataspace,
): Promise<readonly number[] | string> {
  try {
    const selection = resolveSelection(await request, space)
    return selection.kind === 'points' ? [...selection.coordinates] : selection.kind
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

const OUT = 'selection-out-of-bounds'
const BAD = 'malformed-selection'
/** The text is not JSON. */
const MALFORMED = 'malformed-json'

describe('points as JSON (classic 7.9; hsds-values 8)', () => {
  test.each<[string, Dataspace, readonly number[]]>([
    ['[3, 1,3]', simple(4), [3, 1, 3]],
    ['[[0,4],\n[3,0]]', simple(4, 5), [0, 4, 3, 0]],
    [' [ ] ', simple(4, 5), []],
    ['[0.0,-0,3e0]', simple(4), [0, 0, 3]],
    ['[9007199254740990]', simple(2 ** 53 - 1), [2 ** 53 - 2]],
  ])('%s', async (text, space, expected) => {
    for (const length of [1, 2, 1000]) {
      expect(await outcomeOf(scan(text, 'ranges', length), space)).toEqual(expected)
      expect(await outcomeOf(scan(text, 'lists', length), space)).toEqual(expected)
    }
  })

  test.each<[string, Dataspace, string]>([
    ['3', simple(4), BAD],
    ['{}', simple(4), BAD],
    ['[1', simple(4), MALFORMED],
    ['[1]]', simple(4), MALFORMED],
    ['[1],', simple(4), MALFORMED],
    ['[1,]', simple(4), MALFORMED],
    ['[,1]', simple(4), MALFORMED],
    ['[1,,2]', simple(4), MALFORMED],
    ['[1 2]', simple(4), MALFORMED],
    ['[1,true]', simple(4), BAD],
    ['[1,null]', simple(4), BAD],
    ['[1.5]', simple(4), BAD],
    ['["1"]', simple(4), BAD],
    ['[[]]', simple(4), BAD],
    ['[[[1]]]', simple(4), BAD],
    ['[[1,[2]]]', simple(4, 4), BAD],
    ['["]"]', simple(4), BAD],
    ['[1]x', simple(4), MALFORMED],
    ['[1,[2]]', simple(4), BAD],
    ['[[2],1]', simple(4), BAD],
    ['[1]', simple(4, 4), BAD],
    ['[[1,2,3]]', simple(4, 4), BAD],
    ['[[1,2],[1]]', simple(4, 4), BAD],
    ['[[1,2],[1,2,3]]', simple(4, 4), BAD],
    ['[[1,],[1,2]]', simple(4, 4), MALFORMED],
    ['[01]', simple(4), MALFORMED],
    ['[1-]', simple(4), MALFORMED],
    ['[+1]', simple(4), MALFORMED],
    [`[${'0'.repeat(100)}1]`, simple(4), MALFORMED],
    ['[4]', simple(4), OUT],
    ['[-1]', simple(4), OUT],
    ['[99999999999999999999]', simple(4), OUT],
    ['[[0,5]]', simple(4, 5), OUT],
    ['[0]', { class: 'H5S_SCALAR' }, BAD],
    ['[]', { class: 'H5S_SCALAR' }, BAD],
    ['[0]', { class: 'H5S_NULL' }, 'null-dataspace'],
  ])('%s of %j is an error', async (text, space, code) => {
    expect(await outcomeOf(scan(text), space)).toBe(code)
    expect(await outcomeOf(scan(text, 'lists', 1000), space)).toBe(code)
  })

  test('an error of the syntax names the member', async () => {
    await expect(scan('[1, 2 3]')).rejects.toThrow(
      'in the member "points": malformed JSON at byte 6: expected "," or "]", found "3"',
    )
  })

  test('arrays of one number are points of rank 1 in one grammar only', async () => {
    expect(await outcomeOf(scan('[[3],[1]]'), simple(4))).toEqual([3, 1])
    expect(await outcomeOf(scan('[[3],[1]]'), simple(4, 4))).toBe(BAD)
    expect(await outcomeOf(scan('[[3],[1]]', 'ranges'), simple(4))).toBe(BAD)
  })

  test('whatever is stringified comes back, wherever the pieces are cut', async () => {
    const points = fc
      .integer({ min: 2, max: 4 })
      .chain(rank =>
        fc.array(fc.array(fc.maxSafeNat(), { minLength: rank, maxLength: rank }), { minLength: 1 }),
      )
    await fc.assert(
      fc.asyncProperty(points, fc.integer({ min: 1, max: 20 }), async (given, length) => {
        const request = await scan(JSON.stringify(given), 'ranges', length)
        expect(request).toEqual({
          kind: 'points',
          rank: given[0].length,
          coordinates: Float64Array.from(given.flat()),
        })
      }),
    )
  })
})

describe('points as bytes (hsds-values 8)', () => {
  async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 24) yield bytes.subarray(at, at + 24)
  }
  const read = (hex: string) => pointsFromBytes(pieces(Buffer.from(hex, 'hex')), hex.length / 2)

  test('the example of two points of rank 2', async () => {
    const example = '05000000000000001900000000000000' + '0a000000000000000000000000000000'
    expect(await outcomeOf(read(example), simple(11, 26))).toEqual([5, 25, 10, 0])
    expect(await outcomeOf(read(example), simple(26))).toEqual([5, 25, 10, 0])
    expect(await outcomeOf(read(example), simple(11, 26, 2))).toBe(BAD)
    expect(await outcomeOf(read(example), simple(11, 25))).toBe(OUT)
    expect(await outcomeOf(read(''), simple(11, 25))).toEqual([])
  })

  test('64 bits count, and half an integer is an error', async () => {
    expect(await outcomeOf(read('0000000000000080'), simple(2 ** 53 - 1))).toBe(OUT)
    expect(await outcomeOf(read('00000000000000'), simple(10))).toBe(BAD)
  })
})
