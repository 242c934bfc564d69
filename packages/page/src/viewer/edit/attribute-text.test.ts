import { describe, expect, test } from 'vitest'
import {
  attributeOfState,
  attributeText,
  isLong,
  newState,
  obstacleOf,
  stateOfText,
} from './attribute-text.ts'
import type { AttributeState } from './places.ts'

const TEXT = newState('text', false).type
const simple = (...dims: number[]) => ({ class: 'H5S_SIMPLE', dims })
const INT16 = { class: 'H5T_INTEGER', base: 'H5T_STD_I16BE' }

describe('the text of an attribute', () => {
  test.each<[string, AttributeState, string]>([
    ['a string', { type: TEXT, shape: { class: 'H5S_SCALAR' }, value: 'mm²' }, 'mm²'],
    ['a string of lines', { type: TEXT, shape: { class: 'H5S_SCALAR' }, value: 'a\nb' }, 'a\nb'],
    ['strings', { type: TEXT, shape: simple(2), value: ['a, b', ''] }, 'a, b\n'],
    ['rows of strings', { type: TEXT, shape: simple(2, 1), value: [['a'], ['b']] }, 'a\nb'],
    ['integers', { type: INT16, shape: simple(2), value: 'AAH//g==', encoding: 'base64' }, '1\n-2'],
  ])('%s comes and goes as it is', (_, state, text) => {
    const attribute = attributeOfState('a', state)
    if (attribute === undefined) throw new Error('it is there')
    expect(obstacleOf(attribute)).toBeUndefined()
    expect(attributeText(attribute)).toBe(text)
    expect(stateOfText(state, text)).toEqual(state)
  })

  test('has a line, a comma or a blank between numbers; a list may grow and shrink', () => {
    const state: AttributeState = { type: INT16, shape: simple(2), value: 'AAH//g==', encoding: 'base64' }
    expect(stateOfText(state, ' 1, -2;3\n')).toEqual({
      ...state,
      shape: simple(3),
      value: 'AAH//gAD',
    })
    expect(() => stateOfText(state, ' \n')).toThrow('at least one value')
    expect(() => stateOfText({ ...state, shape: simple(2, 1) }, '1')).toThrow('2 × 1: write 2 values, not 1')
    expect(() => stateOfText(state, '1 a')).toThrow('a is no int16')
  })

  test('is that of one type for a new attribute', () => {
    expect(stateOfText(newState('float', true), 'nan 1')).toEqual({
      type: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' },
      shape: simple(2),
      value: 'AAAAAAAA+H8AAAAAAADwPw==',
      encoding: 'base64',
    })
    expect(stateOfText(newState('text', true), 'a b\nc')).toEqual({
      type: TEXT,
      shape: simple(2),
      value: ['a b', 'c'],
    })
    expect(isLong({ class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }, [])).toBe(false)
  })

  test.each<[string, AttributeState, string]>([
    ['no value', { type: INT16, shape: { class: 'H5S_NULL' } }, 'null dataspace'],
    ['a large value', { type: INT16, shape: simple(2) }, 'large'],
    [
      'references',
      { type: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, shape: simple(1), value: [''] },
      'this type',
    ],
    [
      'a string with other ends of lines',
      { type: TEXT, shape: { class: 'H5S_SCALAR' }, value: 'a\r\nb' },
      'line breaks',
    ],
    ['strings with lines', { type: TEXT, shape: simple(1), value: ['a\nb'] }, 'line breaks'],
  ])('is not edited: %s', (_, state, reason) => {
    const attribute = attributeOfState('a', state)
    expect(attribute && obstacleOf(attribute)).toContain(reason)
  })
})
