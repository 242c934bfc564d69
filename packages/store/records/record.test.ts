import { describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord, tailOf } from './record.ts'

describe('records', () => {
  const heads: readonly (readonly [string, object])[] = [
    ['nothing', {}],
    ['text of any kind', { a: '\0 "\\ \ud83d\ude00 \u2028', b: '{"$int":"1"}', c: '"$map"' }],
    ['numbers beyond JSON', { a: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0] }],
    ['integers beyond 2^53', { a: 2n ** 64n - 1n, b: { c: [-(2n ** 63n)] } }],
    [
      'maps, in their order, whatever the names',
      {
        map: new Map<string, unknown>([
          ['2', 1],
          ['1', new Map([['__proto__', new Map()]])],
          ['$map', [null, true]],
        ]),
      },
    ],
  ]
  it.each(heads)('%s comes back', (_name, head) => {
    const record = encodeRecord(head)
    expect(decodeRecord(record)).toEqual(head)
    expect(tailOf(record)).toHaveLength(0)
  })

  it('the order of a map is kept', () => {
    const keys = ['b', '1', 'a', '0']
    const { map } = decodeRecord<{ map: Map<string, number> }>(
      encodeRecord({ map: new Map(keys.map(key => [key, 0])) }),
    )
    expect([...map.keys()]).toEqual(keys)
  })

  it('members that are undefined are left out', () => {
    expect(decodeRecord(encodeRecord({ a: undefined, b: 1 }))).toStrictEqual({ b: 1 })
  })

  it('the tail may hold any bytes, also none', () => {
    const record = encodeRecord({ a: 'ä' }, Uint8Array.of(0, 1, 0), new Uint8Array(0), Uint8Array.of(255))
    expect(decodeRecord(record)).toEqual({ a: 'ä' })
    expect(tailOf(record)).toEqual(Uint8Array.of(0, 1, 0, 255))
    expect(tailOf(encodeRecord({}, new Uint8Array(0)))).toEqual(new Uint8Array(0))
  })

  it('a record may lie anywhere in memory', () => {
    const record = encodeRecord({ a: 1 }, Uint8Array.of(7))
    const padded = new Uint8Array(record.length + 9)
    padded.set(record, 5)
    const view = padded.subarray(5, 5 + record.length)
    expect(decodeRecord(view)).toEqual({ a: 1 })
    expect(tailOf(view)).toEqual(Uint8Array.of(7))
  })

  it('a record of a later format is refused by name', () => {
    const record = encodeRecord({})
    record[0] = 2
    expect(() => decodeRecord(record)).toThrow('format 2')
  })
})
