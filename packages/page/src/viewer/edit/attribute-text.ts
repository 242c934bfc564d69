// The value of an attribute as text that people edit, and back: lists have an item in each line. The type stays; the
// extent of a list may change.

import type { Datatype } from '@hyperslab/client'
import { fixedSize, formatShape, isComplex, parseDatatype, productOf } from '@hyperslab/client/elements'
import { type Attribute, attributesIn } from '../meaning/attributes.ts'
import { bytesOfText, editText, isEditable } from './elements.ts'
import type { AttributeState } from './places.ts'

/** The types of new attributes. */
export const NEW_TYPES = {
  text: {
    class: 'H5T_STRING',
    charSet: 'H5T_CSET_UTF8',
    length: 'H5T_VARIABLE',
    strPad: 'H5T_STR_NULLTERM',
  },
  integer: { class: 'H5T_INTEGER', base: 'H5T_STD_I64LE' },
  float: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' },
} as const

export type NewType = keyof typeof NEW_TYPES

/** An attribute that has no value yet. */
export function newState(type: NewType, isList: boolean): AttributeState {
  return {
    type: NEW_TYPES[type],
    shape: isList ? { class: 'H5S_SIMPLE', dims: [0] } : { class: 'H5S_SCALAR' },
  }
}

/** Why the value is not edited as text; undefined: it is. */
export function obstacleOf({ type, shape, data, reason }: Attribute): string | undefined {
  if (shape === undefined) return 'It has no value (a null dataspace).'
  if (data === undefined) return reason ?? 'The value is large.'
  if (!isEditable(type)) return 'Values of this type cannot be edited here.'
  const texts = type.class === 'H5T_STRING' ? Array.from(data as ArrayLike<unknown>, String) : []
  // A field for text has no other ends of lines, and a list has an item in each line.
  const isBroken = texts.some(text => text.includes('\r') || (isList(shape) && text.includes('\n')))
  return isBroken ? 'It has line breaks that a field cannot hold.' : undefined
}

export function attributeOfState(name: string, state: AttributeState): Attribute | undefined {
  const { type, shape, value, encoding } = state
  const item = { name, type, shape, value, encoding, created: 0 }
  // The answer of the service, without what is not needed.
  return attributesIn([item as never]).get(name)
}

/** Several lines: a list, or a string. */
export function isLong(type: Datatype, shape: readonly number[]): boolean {
  return isList(shape) || type.class === 'H5T_STRING'
}

function isList(shape: readonly number[]): boolean {
  return shape.length > 0
}

export function attributeText({ type, data }: Pick<Attribute, 'type' | 'data'>): string {
  return Array.from((data ?? []) as ArrayLike<unknown>, element => editText(type, element)).join('\n')
}

/** The state with the value of the text. Throws a sentence about the text. */
export function stateOfText(state: AttributeState, text: string): AttributeState {
  const type = parseDatatype(state.type)
  const extents = state.shape.dims ?? []
  const items = isList(extents) ? itemsOf(type, text) : [text]
  const count = productOf(extents)
  if (items.length === 0) throw new Error('A list needs at least one value.')
  if (items.length !== count && extents.length !== 1)
    throw new Error(`The shape is ${formatShape(extents)}: write ${count} values, not ${items.length}.`)
  const dims = extents.length === 1 ? [items.length] : extents
  const shape = isList(extents) ? { class: 'H5S_SIMPLE', dims } : state.shape
  const elements = items.map(item => bytesOfText(type, item))
  if (fixedSize(type) === undefined)
    return { type: state.type, shape, value: isList(extents) ? nested(items, dims) : text }
  return { type: state.type, shape, value: base64Of(elements.flat()), encoding: 'base64' }
}

/** A line each; numbers may be separated by commas and blanks, too. */
function itemsOf(type: Datatype, text: string): readonly string[] {
  if (type.class === 'H5T_STRING') return text === '' ? [] : text.split('\n')
  const separator = isComplex(type) || type.class === 'H5T_ENUM' ? /[,;\n]+/ : /[,;\s]+/
  return text.split(separator).filter(item => item.trim() !== '')
}

function nested(items: readonly unknown[], [extent = 0, ...inner]: readonly number[]): readonly unknown[] {
  if (inner.length === 0) return items
  const size = items.length / extent
  return Array.from({ length: extent }, (_, i) => nested(items.slice(i * size, (i + 1) * size), inner))
}

function base64Of(bytes: readonly number[]): string {
  return btoa(bytes.map(byte => String.fromCharCode(byte)).join(''))
}
