// The selection of a POST of values: a table from its query and body to its selection, or to the code of an error.

import { Readable } from 'node:stream'
import { HyperslabError } from '@hyperslab/base/errors'
import { expect, test } from 'vitest'
import type { SelectionRequest } from '../../service/selection/request.ts'
import { classic } from '../dialect/classic/index.ts'
import { hsdsAt } from '../dialect/hsds/index.ts'
import { OCTETS } from '../message/content-types.ts'
import type { RequestHead } from '../message/message.ts'
import { RequestBody } from '../message/request-body.ts'
import { parseTarget } from '../message/target.ts'
import { readParameters } from '../route/parameter.ts'
import { FIELDS, NO_REGION, SELECT } from '../route/value-parameters.ts'
import { readRequestInBody } from './value-selection.ts'

const DIALECTS = { classic, hsds: hsdsAt('1.0') }
type Name = keyof typeof DIALECTS

/** Bytes of JSON that the body may have. */
const MAX_JSON = 100

function bodyOf(sent: object | string): RequestBody {
  const bytes = Buffer.isBuffer(sent)
    ? sent
    : Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent))
  return new RequestBody(
    Readable.from([bytes]),
    {
      'content-type': Buffer.isBuffer(sent) ? OCTETS : 'application/json',
      'content-length': String(bytes.length),
    },
    MAX_JSON,
    () => {},
    () => {},
  )
}

/** The selection in words, or the code of the error. */
async function read(name: Name, query: string, sent: object | string): Promise<string> {
  const dialect = DIALECTS[name]
  // These parameters read nothing else of a request.
  const head = { dialect, target: parseTarget(`/datasets/d-1/value${query}`) } as RequestHead
  try {
    const parameters = readParameters({ region: NO_REGION, select: SELECT, fields: FIELDS }, head)
    const { selection, fields } = await readRequestInBody(bodyOf(sent), dialect, parameters)
    return fields ? `${shown(selection)} of ${fields}` : shown(selection)
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

function shown(selection: SelectionRequest): string {
  switch (selection.kind) {
    case 'points':
      return `${selection.rank === undefined ? 'points' : `points of rank ${selection.rank}`}: ${selection.coordinates.join()}`
    case 'select':
      return `select: ${JSON.stringify(selection.items)}`
    default:
      return selection.kind
  }
}

/** Points as bytes. */
function integers(...numbers: number[]): Buffer {
  return Buffer.from(new BigUint64Array(numbers.map(BigInt)).buffer)
}

const ONE_POINT = { points: [3] }

test.each<[Name, string, object | string, string]>([
  ['classic', '', { points: [3, 0, 3] }, 'points of rank 1: 3,0,3'],
  [
    'classic',
    '',
    {
      points: [
        [1, 2],
        [3, 4],
      ],
    },
    'points of rank 2: 1,2,3,4',
  ],
  ['classic', '?fields=a', { points: [3], fields: ['b'], append: 1 }, 'points of rank 1: 3'],
  ['classic', '?regionref=x&Limit=x', ONE_POINT, 'points of rank 1: 3'],
  ['classic', '', integers(3, 7), 'points: 3,7'],
  ['classic', '', { start: 0, stop: 2 }, 'malformed-selection'],
  ['classic', '', { select: '[0:2]' }, 'malformed-selection'],
  ['classic', '?select=[0:2]', {}, 'malformed-selection'],
  ['classic', '?select=[0:2]', ONE_POINT, 'malformed-selection'],
  ['classic', '?select=', ONE_POINT, 'malformed-selection'],
  ['classic', '?select=ALL', ONE_POINT, 'points of rank 1: 3'],
  ['classic', '', { points: [[3]] }, 'malformed-selection'],

  ['hsds', '', { points: [3, 0, 3] }, 'points of rank 1: 3,0,3'],
  ['hsds', '', { points: [[3], [0]] }, 'points of rank 1: 3,0'],
  ['hsds', '', { points: [] }, 'points: '],
  ['hsds', '', integers(3, 7), 'points: 3,7'],
  ['hsds', '', { select: '[0:2]' }, 'select: [{"start":0,"stop":2}]'],
  ['hsds', '?select=[0:2]', {}, 'select: [{"start":0,"stop":2}]'],
  ['hsds', '', { start: 0, stop: 2 }, 'select: [{"start":0,"stop":2,"step":1}]'],
  ['hsds', '?fields=a:b', ONE_POINT, 'points of rank 1: 3 of a,b'],
  ['hsds', '?fields=a:b', integers(3), 'points: 3 of a,b'],
  ['hsds', '?fields=a:b', { points: [3], fields: 'c' }, 'points of rank 1: 3 of c'],
  ['hsds', '?fields=a:b', { points: [3], fields: null }, 'points of rank 1: 3 of a,b'],
  ['hsds', '', { points: [3], fields: 7 }, 'malformed-fields'],
  ['hsds', '?append=1&query=_>1', ONE_POINT, 'points of rank 1: 3'],
  ['hsds', '', {}, 'malformed-selection'],
  ['hsds', '', { points: null }, 'malformed-selection'],
  ['hsds', '', { points: 3 }, 'malformed-selection'],
  ['hsds', '', { points: [3], select: '[0]' }, 'malformed-selection'],
  ['hsds', '?select=[0]', integers(3), 'malformed-selection'],
  ['hsds', '?regionref=/datasets/d-1', ONE_POINT, 'malformed-selection'],
  ['hsds', '?regionref=/datasets/d-1', integers(3), 'malformed-selection'],
  ['hsds', '', integers(3).subarray(1), 'malformed-selection'],
  ['hsds', '', '[3]', 'malformed-body'],
  ['hsds', '', '', 'malformed-json'],
  // Points are taken into memory.
  ['hsds', '', { points: Array.from({ length: 100 }, () => 1) }, 'body-too-large'],
  ['hsds', '', Buffer.alloc(104), 'body-too-large'],
])('%s, %s with %j: %s', async (name, query, sent, expected) => {
  expect(await read(name, query, sent)).toBe(expected)
})
