import { type JsonOutput, StreamedJson, stringifyJson } from '@hyperslab/model/json'
import { expect, it } from 'vitest'
import {
  isLong,
  isReadWhileSent,
  type StreamedBody,
  type StreamedMembers,
  streamJson,
} from './json-stream.ts'
import { lazyList, lazyMap } from './lazy-json.ts'

async function* members(entries: readonly (readonly [string, StreamedBody])[]): StreamedMembers {
  yield* entries
}

async function piecesOf(body: StreamedBody): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of streamJson(body, 'bare')) pieces.push(Buffer.from(piece).toString())
  return pieces
}

it('writes what the whole would be written as, empty maps and names of all sorts too', async () => {
  const plain = { a: 1, none: undefined, text: 'é"\\', list: [1, Number.NaN], map: new Map([['9', null]]) }
  const inner = members([
    ['10', plain],
    ['9', {}],
    ['__proto__', { __proto__: null, x: 1 } as StreamedBody],
  ])
  const empty = { only: undefined, inner: members([]) }
  const body = {
    first: true,
    objects: members([
      ['g', { id: 'g', inner, last: 2 }],
      ['h', empty],
    ]),
    end: [],
  }
  const innerWhole: JsonOutput = new Map<string, JsonOutput>([
    ['10', plain],
    ['9', {}],
    ['__proto__', { x: 1 }],
  ])
  const whole = {
    first: true,
    objects: new Map<string, JsonOutput>([
      ['g', { id: 'g', inner: innerWhole, last: 2 }],
      ['h', { inner: {} }],
    ]),
    end: [],
  }
  expect((await piecesOf(body)).join('')).toBe(stringifyJson(whole))
  expect((await piecesOf({})).join('')).toBe('{}')
})

it('comes in pieces of bounded length, none of them before it is asked for', async () => {
  let asked = 0
  async function* many(): StreamedMembers {
    for (let i = 0; i < 10_000; i++) {
      asked++
      yield [`member ${i}`, { value: 'x'.repeat(100) }]
    }
  }
  const pieces = streamJson({ all: many() }, 'bare')
  const first = await pieces.next()
  expect(asked).toBeLessThan(1000)
  let text = Buffer.from(first.value ?? []).toString()
  for await (const piece of pieces) {
    expect(piece.length).toBeLessThan(70_000)
    text += Buffer.from(piece).toString()
  }
  expect(Object.keys((JSON.parse(text) as { all: object }).all)).toHaveLength(10_000)
})

it.each([0, 3, 2000])('writes lists and objects of %i parts that are made one by one', async count => {
  const numbers = Array.from({ length: count }, (_, i) => count - i)
  const parts = {
    list: lazyList(numbers, i => ({ i })),
    map: lazyMap(numbers, i => [`${i}`, { i, nan: Number.NaN }]),
  }
  const whole = stringifyJson({
    list: numbers.map(i => ({ i })),
    map: new Map(numbers.map(i => [`${i}`, { i, nan: Number.NaN }])),
  })
  expect(stringifyJson(parts)).toBe(whole)
  expect((await piecesOf(parts)).join('')).toBe(whole)
  expect((await piecesOf({ all: members([['x', parts]]) })).join('')).toBe(`{"all":{"x":${whole}}}`)
  expect(isLong(parts)).toBe(count > 500)
})

it('other work runs while long parts are written, however deep they lie', async () => {
  const mapping = new Map(Array.from({ length: 100_000 }, (_, i) => [`member ${i}`, i]))
  const fields = Array.from({ length: 50_000 }, (_, i) => ({ name: `field ${i}`, type: { class: 'x' } }))
  const body = {
    id: 't',
    type: { class: 'a', fields: [{ name: 'b', type: { mapping } }, { type: { fields } }] },
  }
  expect(isLong(body)).toBe(true)
  let turns = 0
  let next = setImmediate(function again() {
    turns++
    next = setImmediate(again)
  })
  const pieces = await piecesOf(body)
  clearImmediate(next)
  expect(pieces.join('')).toBe(stringifyJson(body))
  expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(200_000)
  expect(turns).toBeGreaterThan(1)
})

it('writes strings that are read while they are sent, wherever they stand', async () => {
  const text = (json: string) => {
    async function* pieces() {
      for (const letter of json) yield Buffer.from(letter)
    }
    return new StreamedJson(pieces())
  }
  const body = () => ({
    first: 1,
    value: text('[1,2]'),
    list: lazyList([3, 4], i => ({ i, value: text(`"${i}"`) }), true),
    map: lazyMap([5], i => [`${i}`, { value: text('null') }], true),
    last: true,
  })
  const whole =
    '{"first":1,"value":[1,2],"list":[{"i":3,"value":"3"},{"i":4,"value":"4"}],"map":{"5":{"value":null}},"last":true}'
  expect((await piecesOf(body())).join('')).toBe(whole)
  expect((await piecesOf({ all: members([['x', body()]]) })).join('')).toBe(`{"all":{"x":${whole}}}`)
  for (const name of ['value', 'list', 'map'] as const) {
    const { [name]: one } = body()
    expect([isLong({ one }), isReadWhileSent({ one })]).toEqual([true, true])
  }
  expect(isReadWhileSent({ list: lazyList(new Array(2000).fill(1), i => i) })).toBe(false)
  expect(() => stringifyJson(text('1'))).toThrow('streamed')
})
