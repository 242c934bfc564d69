// Attributes through the client, against answers of a service.

import { Hyperslab } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { attributeForm } from '../inspect/attribute-form.ts'
import { readAttributes } from './attributes.ts'

const F64 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const I64 = { class: 'H5T_INTEGER', base: 'H5T_STD_I64LE' }
const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const list = (...dims: readonly number[]) => ({ class: 'H5S_SIMPLE', dims })
const bytes = (numbers: Float64Array | BigInt64Array) => ({
  encoding: 'base64',
  value: Buffer.from(numbers.buffer).toString('base64'),
})

function sourceOf(attributes: readonly object[]) {
  const asked: URL[] = []
  const client = new Hyperslab('http://test', {
    fetch: async input => {
      asked.push(new URL(String(input)))
      return new Response(JSON.stringify({ attributes }))
    },
  })
  return { source: { client, domain: client.domain('/a') }, asked }
}

describe('attributes', () => {
  // The last digits show whether a number was rounded.
  test.each<[string, object, object]>([
    [
      'integers of 64 bits',
      { type: I64, shape: list(2), ...bytes(BigInt64Array.of(9_223_372_036_854_775_807n, 1n)) },
      { text: '[9223372036854775807, 1]' },
    ],
    ['no number', { type: F64, shape: list(1), ...bytes(Float64Array.of(Number.NaN)) }, { text: '[NaN]' }],
    [
      'a matrix',
      { type: F64, shape: list(2, 2), ...bytes(Float64Array.of(1, 0, 0, 1)) },
      { text: '[[1, 0], [0, 1]]' },
    ],
    [
      'a long string',
      { type: STRING, shape: { class: 'H5S_SCALAR' }, value: 'x'.repeat(10_000) },
      { kind: 'text', text: 'x'.repeat(10_000) },
    ],
    [
      'what is large',
      { type: F64, shape: list(100_000) },
      { kind: 'nothing', reason: 'The value is large.' },
    ],
    ['what cannot be read', { unreadable: 'a filter' }, { kind: 'nothing', reason: 'a filter' }],
    [
      'what is not as its type says',
      { type: F64, shape: list(3), ...bytes(Float64Array.of(1)) },
      { kind: 'nothing', reason: expect.any(String) },
    ],
    ['a null dataspace', { type: F64, shape: { class: 'H5S_NULL' } }, { kind: 'nothing' }],
  ])('of %s are as they were stored', async (_, item, form) => {
    const { source, asked } = sourceOf([{ name: 'a', created: 0, ...item }])
    const found = await readAttributes(source, 'd-1')
    const attribute = found.get('a')
    expect(attribute && attributeForm(attribute)).toMatchObject(form)
    // As bytes: JSON has no such numbers.
    expect(asked.map(({ searchParams }) => searchParams.get('encoding'))).toEqual(['base64'])
  })
})
