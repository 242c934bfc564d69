import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { hyperslabCase, naiveCoordinates, pointsCase } from '../../../test/arbitraries/selection.ts'
import { elementJson } from '../../../test/arbitraries/values.ts'
import type { Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { type JsonValue, stringifyJson } from '../json/json.ts'
import { elementsFromJson, elementsToJson } from '../json/json-tree.ts'
import { planParts } from '../selection/runs.ts'
import { selectionCount } from '../selection/selection.ts'
import type { Elements } from './elements.ts'
import { ElementsBuilder, repeatElement } from './elements-builder.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from './references.ts'

const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

function encode(type: Datatype, values: readonly JsonValue[]): Elements {
  return elementsFromJson(type, [values.length], values, PREFIXED_REFERENCES)
}
function read(type: Datatype, elements: Elements): string {
  return stringifyJson(elementsToJson(type, [elements.count], elements, STYLE))
}

/** A type and some of its values. */
const typedValues = datatype.chain(type =>
  fc.array(elementJson(type), { minLength: 1, maxLength: 5 }).map(values => ({ type, values })),
)

describe('gather and scatter', () => {
  const cases = fc.oneof(hyperslabCase, pointsCase)

  test('move each selected element between its chunk and its position in the selection', () => {
    fc.assert(
      fc.property(cases, typedValues, fc.boolean(), ({ selection, grid }, { type, values }, asRange) => {
        const size = grid.chunkDims.reduce((a, b) => a * b, 1)
        const valueAt = (coordinates: readonly number[]) =>
          values[coordinates.reduce((sum, x) => sum * 3 + x, 0) % values.length]
        const expected = naiveCoordinates(selection).map(valueAt)

        // Write the selection into empty chunks, then read it back from them.
        const piece = encode(type, expected)
        const gathered = new ElementsBuilder(type, selectionCount(selection))
        for (const part of planParts(selection, grid)) {
          const chunk = new ElementsBuilder(type, size)
          chunk.scatter(part, piece)
          const written = chunk.finish()
          if (!asRange) gathered.gather(part, written)
          else gathered.gather(part, slice(type, written, part.first, part.end), part.first)
        }
        expect(read(type, gathered.finish())).toBe(stringifyJson(expected))
      }),
      { numRuns: 200 },
    )
  })

  test.each([1, 2, 3, 4, 6, 8, 12])('elements of %i bytes at every alignment', size => {
    const type: Datatype = { class: 'H5T_OPAQUE', size }
    const count = 100
    for (const offset of [0, 1, 2, 4]) {
      const memory = new Uint8Array(count * size + offset).map((_, i) => i * 7)
      const source = { count, data: memory.subarray(offset), heap: new Uint8Array(0) }
      const column = {
        kind: 'hyperslab' as const,
        start: [1],
        stride: [3],
        count: [30],
        block: [2],
      }
      const [part] = planParts(column, { dims: [count], chunkDims: [count] })
      const target = new ElementsBuilder(type, 60, new Uint8Array(60 * size + offset).subarray(offset))
      target.gather(part, source)
      const expected = Array.from({ length: 60 }, (_, i) => 1 + Math.floor(i / 2) * 3 + (i % 2)).flatMap(
        at => [...source.data.subarray(at * size, (at + 1) * size)],
      )
      expect([...target.finish().data]).toEqual(expected)
    }
  })

  test('NaNs keep their bits', () => {
    const type: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
    const data = new Uint8Array(new BigUint64Array([0x7ff4000000000001n, 0xfff8000000000abcn]).buffer)
    const builder = new ElementsBuilder(type, 2)
    builder.copy({ count: 2, data, heap: new Uint8Array(0) }, 0, 0, 2)
    expect([...builder.finish().data]).toEqual([...data])
  })
})

function slice(type: Datatype, elements: Elements, from: number, to: number): Elements {
  const builder = new ElementsBuilder(type, to - from)
  builder.copy(elements, from, 0, to - from)
  return builder.finish()
}

describe('ElementsBuilder', () => {
  test('notes lost references of the elements that it copies', () => {
    const type: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    const sound = repeatElement(type, undefined, 2)
    const copied = (...sources: readonly Elements[]) => {
      const builder = new ElementsBuilder(type, 2)
      for (const [to, source] of sources.entries()) builder.copy(source, to, to, 1)
      return builder.finish().hasLostReferences
    }
    expect(copied(sound, sound)).toBeUndefined()
    expect(copied({ ...sound, hasLostReferences: true }, sound)).toBe(true)
  })

  test('is zero where nothing was written: 0, empty text', () => {
    expect(read(TEXT, new ElementsBuilder(TEXT, 2).finish())).toBe('["",""]')
  })

  test('copies between fill values', () => {
    const builder = new ElementsBuilder(TEXT, 4)
    builder.fill(encode(TEXT, ['none']))
    builder.copy(encode(TEXT, ['a', 'b', 'c']), 1, 1, 2)
    expect(read(TEXT, builder.finish())).toBe('["none","b","c","none"]')
  })

  test('drops from the heap what was overwritten', () => {
    const builder = new ElementsBuilder(TEXT, 2)
    for (let i = 0; i < 100; i++) builder.copy(encode(TEXT, ['first', 'second']), 0, 0, 2)
    const elements = builder.finish()
    expect(read(TEXT, elements)).toBe('["first","second"]')
    expect(elements.heap.length).toBe('firstsecond'.length)
  })

  test('a long text that is repeated stays one, in whatever is copied from it', () => {
    const long = repeatElement(TEXT, encode(TEXT, ['x'.repeat(2000)]), 100)
    const [part] = planParts(
      { kind: 'hyperslab', start: [0], stride: [2], count: [50], block: [1] },
      { dims: [100], chunkDims: [100] },
    )
    const gathered = new ElementsBuilder(TEXT, 50)
    gathered.gather(part, long)
    const some = gathered.finish()
    expect(some.heap.length).toBe(2000)
    const over = new ElementsBuilder(TEXT, 100)
    over.copy(long, 0, 0, 100)
    over.scatter(part, some)
    const both = over.finish()
    expect(both.heap.length).toBeLessThanOrEqual(4000)
    expect(read(TEXT, both)).toBe(stringifyJson(new Array(100).fill('x'.repeat(2000))))
  })

  test('one element for all elements of a part', () => {
    const [part] = planParts(
      { kind: 'hyperslab', start: [1, 0], stride: [2, 3], count: [2, 2], block: [1, 2] },
      { dims: [4, 5], chunkDims: [4, 5] },
    )
    const builder = new ElementsBuilder(TEXT, 9)
    builder.repeat(part, encode(TEXT, ['a']))
    expect(read(TEXT, builder.finish())).toBe(stringifyJson([...new Array(8).fill('a'), '']))
  })

  test('leaves its sources as they are', () => {
    const type: Datatype = { class: 'H5T_VLEN', base: TEXT }
    const source = encode(type, [['a', 'bc'], [], ['d']])
    const before = read(type, source)
    const builder = new ElementsBuilder(type, 6)
    builder.copy(source, 0, 3, 3)
    builder.copy(source, 0, 0, 3)
    const elements = builder.finish()
    expect(read(type, source)).toBe(before)
    expect(read(type, elements)).toBe('[["a","bc"],[],["d"],["a","bc"],[],["d"]]')
  })

  test('asking for elements that are not there is a defect', () => {
    const builder = new ElementsBuilder(TEXT, 2)
    expect(() => builder.copy(encode(TEXT, ['a']), 0, 0, 2)).toThrow()
    expect(() => builder.copy(encode(TEXT, ['a', 'b']), 0, 1, 2)).toThrow()
  })
})

describe('repeated elements', () => {
  test('are equal to what they repeat', () => {
    fc.assert(
      fc.property(typedValues, fc.integer({ min: 0, max: 9 }), ({ type, values }, count) => {
        const one = encode(type, [values[0]])
        const elements = repeatElement(type, one, count)
        expect(elements.data.length).toBe(count * elementSize(type))
        expect(read(type, elements)).toBe(stringifyJson(new Array(count).fill(values[0])))
      }),
      { numRuns: 200 },
    )
  })

  test('without a fill value are zero', () => {
    expect(read(TEXT, repeatElement(TEXT, undefined, 2))).toBe('["",""]')
  })
})
