import type { Datatype } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'
import { parseCondition } from './condition.ts'

const F64: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const F32: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F32LE' }
const U64: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_U64LE' }
const TEXT: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }

const COLUMNS = columnsOf([
  { name: 'temp', type: F64 },
  { name: 'small', type: F32 },
  { name: 'big', type: U64 },
  { name: 'kind', type: TEXT },
  { name: 'a b', type: F64 },
  { name: 'pos', type: { class: 'H5T_ARRAY', base: F64, dims: [2] } },
])

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  temp: [10, 20, Number.NaN, 30],
  small: Array.from(new Float32Array([0.1, 0.2, 0.3, 0.4])),
  big: [1n, 2n ** 63n, 2n ** 63n + 1n, 3n],
  kind: ['go', 'no go', undefined, '緯'],
  'a b': [1, 2, 3, 4],
  'pos[0]': [5, 6, 7, 8],
  'pos[1]': [0, 0, 1, 1],
}

function rowsFor(text: string): readonly number[] {
  const { columns, compile } = parseCondition(text, COLUMNS)
  const holds = compile(new Map(columns.map(column => [column, VALUES[column.name] ?? []])))
  return [0, 1, 2, 3].filter(holds)
}

test.each([
  ['temp > 10', [1, 3]],
  ['20 <= temp', [1, 3]],
  ['temp == 1e1', [0]],
  // NaN equals nothing.
  ['temp != 10', [1, 2, 3]],
  ['NOT temp == 10', [1, 2, 3]],
  ['small == 0.1', [0]],
  ['big == 9223372036854775809', [2]],
  ['big > 9223372036854775807', [1, 2]],
  ["kind == 'no go'", [1]],
  ['kind = go'.replace('=', '=='), [0]],
  ["kind >= 'n'", [1, 3]],
  // What is missing is neither.
  ["kind != 'go'", [1, 3]],
  ["kind IN ('go', 緯)", [0, 3]],
  ["kind not in ('go')", [1, 2, 3]],
  ['"a b" < 3', [0, 1]],
  ['pos[1] == 1 AND pos[0] < 8', [2]],
  ["temp == 10 or temp == 30 AND kind == 'x'", [0]],
  ["(temp == 10 | temp == 30) & kind != 'x'", [0, 3]],
  ['temp == 10 XOR pos[1] == 0', [1]],
] as const)('the condition %s finds its rows', (text, rows) => {
  expect(rowsFor(text)).toEqual(rows)
})

test.each([
  ['gone > 1', 'The table has no column gone.'],
  ["temp > 'x'", "temp cannot be compared with 'x'."],
  ['temp > x', 'temp cannot be compared with x.'],
  ['temp > 1 temp', 'The condition needs AND, OR or the end at character 9, not temp.'],
  ['temp >', 'The condition needs a value at its end.'],
  ['(temp > 1', 'The condition needs ) at its end.'],
  ['temp IN (1', 'The condition needs ) at its end.'],
  ['temp 1', '1 is no comparison'],
  ["kind == 'a", 'begins nothing'],
  ['pos > 1', 'The table has no column pos.'],
])('%s is no condition: %s', (text, reason) => {
  expect(() => rowsFor(text)).toThrow(reason)
})

test('the columns of a condition are named once', () => {
  const { columns } = parseCondition('temp > 1 AND NOT temp > 2 OR big == 1', COLUMNS)
  expect(columns.map(({ name }) => name)).toEqual(['temp', 'big'])
})
