// The meaning of a write of values: tables from its query and body to its selection, its options and its elements, or
// to the code of an error.

import { Readable } from 'node:stream'
import { HyperslabError } from '@hyperslab/base/errors'
import { type CompoundType, type Datatype, predefinedType } from '@hyperslab/model/datatype'
import type { Elements, Piece } from '@hyperslab/model/values'
import { describe, expect, test } from 'vitest'
import type { WriteRequest } from '../../service/values/values.ts'
import { classic } from '../dialect/classic/index.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import { OCTETS } from '../message/content-types.ts'
import type { RequestHead } from '../message/message.ts'
import { RequestBody } from '../message/request-body.ts'
import { parseTarget } from '../message/target.ts'
import { readParameters } from '../route/parameter.ts'
import { WRITE_OPTIONS } from '../route/value-parameters.ts'
import { type ValueInput, valueInput } from './value-input.ts'

const DIALECTS = { classic, hsds: hsdsAt('1.0') }
type Name = keyof typeof DIALECTS
/** JSON as it is, bytes as such. */
type Sent = object | string | Buffer

function bodyOf(sent: Sent, contentType?: string, isChunked = false): RequestBody {
  const bytes = Buffer.isBuffer(sent)
    ? sent
    : Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent))
  const type = contentType ?? (Buffer.isBuffer(sent) ? OCTETS : 'application/json')
  const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }
  return new RequestBody(
    Readable.from([bytes]),
    { 'content-type': type, ...length },
    1 << 16,
    () => {},
    () => {},
  )
}

async function inputOf(name: Name, query: string, body: RequestBody): Promise<ValueInput> {
  const dialect = DIALECTS[name]
  // The parameters of values read nothing else of a request.
  const head = { dialect, target: parseTarget(`/datasets/d-1/value${query}`) } as RequestHead
  return valueInput(body, dialect, readParameters(WRITE_OPTIONS, head))
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
  return 'no error'
}

/** The input in words. */
function shown(input: ValueInput): string {
  if ('updateOf' in input) return 'update'
  const { selection, fields, elementCount } = input.write
  const words = [shownSelection(selection)]
  if (fields) words.push(`of ${fields}`)
  if (elementCount !== undefined) words.push(`from ${elementCount}`)
  if (input.once) words.push('once')
  return words.join(' ')
}

function shownSelection(selection: WriteRequest['selection']): string {
  switch (selection.kind) {
    case 'all':
      return 'all'
    case 'append':
      return `append ${selection.extend} in ${selection.dimension}`
    case 'points':
      return `points ${selection.coordinates.join()}`
    case 'hyperslab':
      return `hyperslab ${selection.start ?? ''}:${selection.stop ?? ''}:${selection.step ?? ''}`
    case 'select':
      return `select ${selection.items
        .map(item =>
          item instanceof Float64Array
            ? `[${item.join()}]`
            : `${item.start ?? ''}:${item.stop ?? ''}:${item.step ?? ''}`,
        )
        .join()}`
  }
}

const FOUR = Buffer.alloc(4)
const REGION = '?regionref=/datasets/d-6a1f0c3e-52b1d9aa-77c4-1d20e4-9b5f30'

describe('a write', () => {
  test.each<[Name, string, Sent, string]>([
    ['classic', '', { value: [1] }, 'all'],
    ['classic', '', FOUR, 'all'],
    ['classic', '?select=[0:2]', { value: [1, 2] }, 'select 0:2:'],
    ['classic', '?select=[0:2]', FOUR, 'select 0:2:'],
    ['classic', '', { select: '[0:2]', value: [1, 2] }, 'select 0:2:'],
    ['classic', '', { start: 1, stop: 3, step: 0, value: [1, 2] }, 'hyperslab 1:3:'],
    ['classic', '', { start: [1, 2], value: 0 }, 'hyperslab 1,2::'],
    ['classic', '', { start: 0, stop: null, value: 0 }, 'all'],
    ['classic', '', { points: [3, 5], value: [1, 2] }, 'points 3,5'],
    ['classic', '', { append: '', value: [1] }, 'all'],
    ['classic', '?nonsense=1', { nonsense: 1, value: [1] }, 'all'],
    ['classic', '?Limit=x', { value: [1] }, 'all'],

    ['hsds', '', { value: [1] }, 'all'],
    ['hsds', '', FOUR, 'all'],
    ['hsds', '?select=', { value: [1] }, 'all'],
    ['hsds', '?select=[0:2,[1,3]]', { value: [1, 2] }, 'select 0:2:,[1,3]'],
    ['hsds', '', { select: [[0, 3], '1:2'], value: [1, 2] }, 'select [0,3],1:2:'],
    ['hsds', '', { start: 1, stop: 3, value: [1, 2] }, 'select 1:3:1'],
    ['hsds', '', { points: [[3], [5]], value: [1, 2] }, 'points 3,5'],
    ['hsds', '?fields=a:b', { value: [1] }, 'all of a,b'],
    ['hsds', '?fields=a:b', FOUR, 'all of a,b'],
    ['hsds', '?fields=a:b', { fields: ['c:d'], value: [1] }, 'all of c:d'],
    ['hsds', '?fields=a', { fields: '', value: [1] }, 'all'],
    ['hsds', '?element_count=3', { value: [1, 2, 3] }, 'all from 3'],
    ['hsds', '?element_count=3', { element_count: 2, value: [1, 2] }, 'all from 2'],
    ['hsds', '?element_count=1', FOUR, 'all from 1'],
    ['hsds', '?append=2', FOUR, 'append 2 in 0'],
    ['hsds', '?append=2&append_dim=1', { value: [1, 2] }, 'append 2 in 1'],
    ['hsds', '?append_dim=1', { append: 2, value: [1, 2] }, 'append 2 in 1'],
    ['hsds', '?query=_>1', { value: 0 }, 'update'],
    ['hsds', '?query=_>1', '0', 'update'],
    ['hsds', '?query=', { value: 0 }, 'all'],
    ['hsds', '', { query: '_ > 1', value: 0 }, 'update'],
    ['hsds', REGION, { value: [1] }, 'all'],
    ['hsds', `${REGION}&select=[3]`, FOUR, 'all'],
    ['hsds', '?nonsense=1', { nonsense: 1, value: [1] }, 'all'],
  ])('%s, %s with %j: %s', async (name, query, sent, expected) => {
    expect(shown(await inputOf(name, query, bodyOf(sent)))).toBe(expected)
  })

  test.each<[string, string]>([
    ['a number in the query that the body replaces', '?append=x&append_dim=y&element_count=z'],
    ['Limit without a query', '?Limit=x'],
  ])('%s is not read', async (_, query) => {
    const body = { append: 1, append_dim: 0, element_count: 1, value: [1] }
    expect(shown(await inputOf('hsds', query, bodyOf(body)))).toBe('append 1 in 0 from 1')
  })

  test.each<[Name, string, Sent, string]>([
    // The selections that the body makes and the query does not.
    ['classic', '?start=1', { value: [1] }, 'malformed-parameter'],
    ['hsds', '?stop=1', { value: [1] }, 'malformed-parameter'],
    ['hsds', '?step=1', FOUR, 'malformed-parameter'],
    ['hsds', '?points=[1]', { value: [1] }, 'malformed-parameter'],
    ['hsds', '?value=1', { value: [1] }, 'malformed-parameter'],
    // Options of the other dialect.
    ['classic', '?append=1', { value: [1] }, 'malformed-parameter'],
    ['classic', '?append_dim=1', FOUR, 'malformed-parameter'],
    ['classic', '?element_count=1', { value: [1] }, 'malformed-parameter'],
    ['classic', '?fields=a', { value: [1] }, 'malformed-parameter'],
    ['classic', '?query=a>1', { value: [1] }, 'malformed-parameter'],
    ['classic', '?regionref=/datasets/d-1', { value: [1] }, 'malformed-parameter'],
    ['classic', '', { append: 1, value: [1] }, 'malformed-parameter'],
    ['classic', '', { fields: ['a'], value: [1] }, 'malformed-parameter'],
    ['classic', '', { query: 'a > 1', value: [1] }, 'malformed-parameter'],
    // Selections.
    ['classic', '?select=', { value: [1] }, 'malformed-selection'],
    ['classic', '?select=[0:2', FOUR, 'malformed-selection'],
    ['hsds', '?select=ALL', { value: [1] }, 'malformed-selection'],
    ['hsds', '?select=[1]', { points: [1], value: [1] }, 'malformed-selection'],
    ['hsds', '', { select: '[1]', start: 0, stop: 1, value: [1] }, 'malformed-selection'],
    ['hsds', '', { start: 0, value: [1] }, 'malformed-selection'],
    ['hsds', '', { points: null, value: [1] }, 'malformed-selection'],
    ['hsds', REGION, { points: [1], value: [1] }, 'malformed-selection'],
    ['hsds', '?regionref=nowhere', { value: [1] }, 'malformed-selection'],
    ['hsds', '?regionref=/datasets/g-1', { value: [1] }, 'malformed-id'],
    // append.
    ['hsds', '?append=0', { value: [1] }, 'malformed-parameter'],
    ['hsds', '?append=one', FOUR, 'malformed-parameter'],
    ['hsds', '', { append: 1.5, value: [1] }, 'malformed-parameter'],
    ['hsds', '', { append: '1', value: [1] }, 'malformed-parameter'],
    ['hsds', '?append=1&append_dim=-1', { value: [1] }, 'malformed-parameter'],
    ['hsds', '?append=1&select=[0]', FOUR, 'malformed-selection'],
    ['hsds', '?append=1', { points: [0], value: [1] }, 'malformed-selection'],
    ['hsds', '?append=1', { start: 0, stop: 1, value: [1] }, 'malformed-selection'],
    ['hsds', `${REGION}&append=1`, { value: [1] }, 'malformed-selection'],
    ['hsds', '?element_count=0', FOUR, 'malformed-parameter'],
    // Queries.
    ['hsds', '?query=_>', { value: 0 }, 'malformed-query'],
    ['hsds', '?query=_>1', FOUR, 'malformed-body'],
    ['hsds', '?query=_>1', '', 'malformed-body'],
    ['hsds', '?query=_>1&append=1', { value: 0 }, 'malformed-parameter'],
    ['hsds', '?append=1', { query: '_ > 1', value: 0 }, 'malformed-parameter'],
    ['hsds', REGION, { query: '_ > 1', value: 0 }, 'malformed-parameter'],
    // Bodies.
    ['classic', '', '', 'malformed-json'],
    ['hsds', '', '[1]', 'malformed-body'],
    ['hsds', '', { fields: [1], value: [1] }, 'malformed-fields'],
  ])('%s, %s with %j: %s', async (name, query, sent, code) => {
    expect(await codeOf(() => inputOf(name, query, bodyOf(sent)))).toBe(code)
  })

  test.each<[Name, string | undefined, string]>([
    ['classic', 'text/plain', 'no error'],
    ['hsds', 'text/plain', 'unsupported-media-type'],
    ['hsds', 'application/json; charset=utf-8', 'no error'],
  ])('%s, JSON as %s: %s', async (name, contentType, code) => {
    expect(await codeOf(() => inputOf(name, '', bodyOf({ value: [1] }, contentType)))).toBe(code)
  })

  test.each<[string, string, string]>([
    ['are read as they arrive', '', 'all once'],
    ['are kept if they are repeated', '?element_count=1', 'all from 1'],
    [
      'are read as they arrive if only some fields of them are appended',
      '?append=1&fields=x',
      'append 1 in 0 of x once',
    ],
    ['are read as they arrive if they are appended', '?append=1', 'append 1 in 0 once'],
  ])('bytes of unknown length %s', async (_, query, expected) => {
    expect(shown(await inputOf('hsds', query, bodyOf(FOUR, OCTETS, true)))).toBe(expected)
  })
})

describe('elements that arrive once', () => {
  test('are those that were kept in the next run', async () => {
    const input = await inputOf('hsds', '?append=1', bodyOf(FOUR, OCTETS, true))
    const { decode, keep } = 'write' in input ? input.write : {}
    const memory = Uint8Array.of(1, 0)
    async function* written(): AsyncGenerator<Elements> {
      yield { count: 1, data: memory, heap: Uint8Array.of(7) }
      memory[0] = 2
      yield { count: 1, data: memory, heap: new Uint8Array(0) }
    }
    await keep?.(written())
    const again: Piece[] = []
    for await (const piece of decode?.(typeOf('H5T_STD_I16LE'), [2]) ?? []) again.push(piece)
    expect(again).toEqual([
      { count: 1, data: Uint8Array.of(1, 0), heap: Uint8Array.of(7) },
      { count: 1, data: Uint8Array.of(2, 0), heap: new Uint8Array(0) },
    ])
  })

  test('are not those of a dataset with another type', async () => {
    const input = await inputOf('hsds', '?append=1', bodyOf(FOUR, OCTETS, true))
    const { decode, keep } = 'write' in input ? input.write : {}
    decode?.(typeOf('H5T_STD_I16LE'), [2])
    async function* written(): AsyncGenerator<Elements> {}
    await keep?.(written())
    expect(await codeOf(async () => decode?.(typeOf('H5T_STD_U16LE'), [2]))).toBe('storage-conflict')
    expect(await codeOf(async () => decode?.(typeOf('H5T_STD_I16LE'), [2]))).toBe('no error')
  })
})

const I16 = typeOf('H5T_STD_I16LE')
const ROW: CompoundType = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: I16 },
    { name: 'query', type: I16 },
  ],
}

function typeOf(name: string): Datatype {
  const type = predefinedType(name)
  if (type === undefined) throw new Error(name)
  return type
}

function hex({ data }: Elements): string {
  return Buffer.from(data).toString('hex')
}

async function elementsOf(input: ValueInput, count: number): Promise<string> {
  if ('updateOf' in input) throw new Error('an update')
  const pieces: string[] = []
  for await (const piece of input.write.decode(I16, [count])) {
    pieces.push('data' in piece ? hex(piece) : `${piece.count} of ${hex(piece.element)}`)
  }
  return pieces.join('')
}

describe('elements', () => {
  test.each<[Name, string, Sent, string]>([
    ['classic', '', { value: [1, 2] }, '01000200'],
    ['classic', '', { value_base64: 'AQACAA==' }, '01000200'],
    ['classic', '', { value: [1, 2], value_base64: 'AwADAA==' }, '01000200'],
    ['classic', '', Buffer.from('01000200', 'hex'), '01000200'],
    ['classic', '', { value: 7 }, '2 of 0700'],
    ['hsds', '', { value: [[1], [2]] }, '01000200'],
    ['hsds', '', { value: null, value_base64: 'AQACAA==' }, '01000200'],
    ['hsds', '', { value_base64: 'AQACAA==', append: 2 }, '01000200'],
  ])('%s, %s with %j', async (name, query, sent, expected) => {
    expect(await elementsOf(await inputOf(name, query, bodyOf(sent)), 2)).toBe(expected)
  })

  test.each<[Name, Sent, string]>([
    ['classic', { start: 0 }, 'malformed-body'],
    ['classic', { value: null }, 'malformed-body'],
    ['classic', { value: [1, 2, 3] }, 'value-count-mismatch'],
    ['hsds', { value: 7 }, 'value-count-mismatch'],
    ['hsds', { value: [1, 'x'] }, 'type-mismatch'],
    ['hsds', { value_base64: '!' }, 'malformed-value'],
    ['hsds', { value_base64: 7 }, 'malformed-value'],
    ['hsds', FOUR.subarray(1), 'value-count-mismatch'],
  ])('%s, %j: %s', async (name, sent, code) => {
    const input = await inputOf(name, '', bodyOf(sent))
    expect(await codeOf(() => elementsOf(input, 2))).toBe(code)
  })
})

describe('a query-update', () => {
  async function updateOf(query: string, sent: Sent, type: Datatype): Promise<string> {
    const input = await inputOf('hsds', query, bodyOf(sent))
    if (!('updateOf' in input)) throw new Error('no update')
    const { selection, limit, fields, value } = input.updateOf(type)
    const words = [shownSelection(selection)]
    if (limit !== undefined) words.push(`at most ${limit}`)
    return [...words, `set ${fields ?? ''}`, hex(value)].join(' ')
  }

  test.each<[string, Sent, Datatype, string]>([
    ['?query=_>1', '7', I16, 'all set  0700'],
    ['?query=_>1', { value: 7 }, I16, 'all set  0700'],
    ['?query=_>1&select=[0:9]&Limit=3', { value: 7 }, I16, 'select 0:9: at most 3 set  0700'],
    ['?query=_>1&Limit=3', { value: 7, Limit: 2 }, I16, 'all at most 2 set  0700'],
    ['?query=_>1&Limit=x', { value: 7, Limit: 2 }, I16, 'all at most 2 set  0700'],
    ['?query=_>1&Limit=-3', { value: 7 }, I16, 'all set  0700'],
    ['?Limit=3', { value: 7, query: '_ > 1' }, I16, 'all at most 3 set  0700'],
    ['', { value: 7, query: '_ > 1', Limit: '', select: '[0:9]' }, I16, 'select 0:9: set  0700'],
    ['?query=a>1', { a: 7 }, ROW, 'all set a 0700'],
    ['?query=a>1', { a: 7, query: 8 }, ROW, 'all set a,query 07000800'],
    ['', { a: 7, query: 'a > 1' }, ROW, 'all set a 0700'],
    ['?query=a>1', { a: null, query: 8, Limit: 1 }, ROW, 'all at most 1 set query 0800'],
  ])('%s with %j', async (query, sent, type, expected) => {
    expect(await updateOf(query, sent, type)).toBe(expected)
  })

  test.each<[string, Sent, Datatype, string]>([
    ['?query=_>1', { value: null }, I16, 'malformed-body'],
    ['?query=_>1', { value: 7, other: 1 }, I16, 'malformed-body'],
    ['?query=_>1', { value: 7, Limit: null }, I16, 'malformed-parameter'],
    ['?query=_>1&Limit=x', { value: 7 }, I16, 'malformed-parameter'],
    ['?query=_>1&select=[0]', { value: 7, select: '[0]' }, I16, 'malformed-selection'],
    ['', { value: 7, query: 1 }, I16, 'malformed-query'],
    ['', { value: 7, query: '_ >' }, I16, 'malformed-query'],
    ['?query=a>1', { b: 7 }, ROW, 'malformed-fields'],
    ['?query=a>1', { value: 7 }, ROW, 'malformed-fields'],
    ['?query=a>1', { a: null }, ROW, 'malformed-body'],
    ['?query=a>1', '7', ROW, 'malformed-body'],
  ])('%s with %j of %o: %s', async (query, sent, type, code) => {
    expect(await codeOf(() => updateOf(query, sent, type))).toBe(code)
  })
})
