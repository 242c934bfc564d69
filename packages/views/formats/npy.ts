// Values as a file of NumPy: a header of Python's own syntax, then the elements as they are stored, in row-major order
// and the byte order of their type (NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays", versions 1.0
// and 2.0).

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import type { CompoundType, Datatype } from '@hyperslab/model/datatype'
import { complexPart, datesOf, elementsOfType, isBoolean } from '@hyperslab/model/datatype'
import type { Elements } from '@hyperslab/model/values'
import { wideComplexType, widenComplex } from '@hyperslab/model/values'
import { countedShape, type Format, type FormatInput, storedElements } from './format.ts'

/**
 * The header of such an array; the elements follow it. Throws `format-unsupported` for a type that NumPy reads only
 * with pickle.
 */
export function encodeNpyHeader(type: Datatype, shape: readonly number[]): Uint8Array {
  const { descr, dims } = describeElements(type)
  const extents = tuple([...shape, ...dims])
  const text = `{'descr': ${descr}, 'fortran_order': False, 'shape': ${extents}, }`
  const isLong = text.length + ALIGNMENT > MAX_SHORT
  const fixed = MAGIC.length + 2 + (isLong ? 4 : 2)
  const length = Math.ceil((fixed + text.length + 1) / ALIGNMENT) * ALIGNMENT
  const header = new Uint8Array(length).fill(SPACE)
  header.set(MAGIC)
  const view = new DataView(header.buffer)
  view.setUint8(MAGIC.length, isLong ? 2 : 1)
  view.setUint8(MAGIC.length + 1, 0)
  if (isLong) view.setUint32(fixed - 4, length - fixed, true)
  else view.setUint16(fixed - 2, length - fixed, true)
  // `repr` leaves ASCII only.
  for (let i = 0; i < text.length; i++) header[fixed + i] = text.charCodeAt(i)
  header[length - 1] = NEWLINE
  return header
}

/** Complex numbers and dates as such, or as the compounds and opaque bytes that they are. */
type MeaningForm = 'meaning' | 'stored'

/** The `descr` of a file of such elements, and the dimensions that an array type adds to its shape. */
export function describeElements(
  type: Datatype,
  form: MeaningForm = 'meaning',
): {
  readonly descr: string
  readonly dims: readonly number[]
} {
  const { base, dims } = elementsOfType(type)
  return { descr: describe(base, 'the values', form), dims }
}

/** The first bytes of a file. */
export const MAGIC = [0x93, ...[...'NUMPY'].map(character => character.charCodeAt(0))]
/** The elements begin at a multiple of this. */
const ALIGNMENT = 64
/** The length of a header of version 1.0 has 16 bits. @limit format, bytes */
const MAX_SHORT = 2 ** 16 - 1
const SPACE = 0x20
const NEWLINE = 0x0a

function tuple(extents: readonly number[]): string {
  return extents.length === 1 ? `(${extents[0]},)` : `(${extents.join(', ')})`
}

/** The `descr` of `numpy.dtype` for the elements of `subject`. */
function describe(type: Datatype, subject: string, form: MeaningForm): string {
  switch (type.class) {
    case 'H5T_INTEGER':
      return `'${orderOf(type)}${type.signed ? 'i' : 'u'}${type.size}'`
    case 'H5T_BITFIELD':
      return `'${orderOf(type)}u${type.size}'`
    case 'H5T_FLOAT':
      return `'${orderOf(type)}f${type.size}'`
    case 'H5T_ENUM':
      return isBoolean(type) ? `'|b1'` : describe(type.base, subject, form)
    case 'H5T_OPAQUE':
      return `'${(form === 'meaning' && datesOf(type)?.dtype) || `|V${type.size}`}'`
    case 'H5T_STRING':
      if (type.length !== 'H5T_VARIABLE') return `'|S${type.length}'`
      throw unsupported(`${subject} are strings of variable length`)
    case 'H5T_COMPOUND':
      return (
        (form === 'meaning' && complexOf(type)) ||
        `[${type.fields.map(field => describeField(field, form)).join(', ')}]`
      )
    case 'H5T_VLEN':
      throw unsupported(`${subject} are sequences of variable length`)
    case 'H5T_REFERENCE':
      throw unsupported(`${subject} are references`)
    case 'H5T_ARRAY':
      throw new Error('an array is described by the type of its elements')
  }
}

function describeField({ name, type }: CompoundType['fields'][number], form: MeaningForm): string {
  const subject = `the values of the member ${JSON.stringify(name)}`
  if (name === '') throw unsupported(`a member has no name`)
  const { base, dims } = elementsOfType(type)
  const descr = describe(base, subject, form)
  return `(${repr(name)}, ${descr}${dims.length > 0 ? `, ${tuple(dims)}` : ''})`
}

/** NumPy has no complex numbers of two floats of 16 bits. */
function complexOf(type: CompoundType): string | undefined {
  const part = complexPart(type)
  return part && part.size !== 2 ? `'${orderOf(part)}c${2 * part.size}'` : undefined
}

function orderOf({ size, order }: { readonly size: number; readonly order: 'LE' | 'BE' }): string {
  if (size === 1) return '|'
  return order === 'LE' ? '<' : '>'
}

/** A string literal of Python, in ASCII. */
function repr(text: string): string {
  const escaped = text.replace(/[^ -~]|['\\]/gu, character => {
    const code = character.codePointAt(0) ?? 0
    if (character === "'" || character === '\\') return `\\${character}`
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
  })
  return `'${escaped}'`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}

function unsupported(reason: string): HyperslabError {
  return new HyperslabError(
    'format-unsupported',
    `NPY cannot hold these values: ${reason}; ask for format=json or format=csv`,
  )
}

/** The same values, where the complex numbers of NumPy have them in floats of 32 bits only. */
function withWideComplex(values: FormatInput): FormatInput {
  const { type, partOf } = values
  const wide = wideComplexType(type)
  if (!wide) return values
  async function* widened(elements: AsyncIterable<Elements>): AsyncGenerator<Elements> {
    for await (const piece of elements) yield widenComplex(type, piece)
  }
  return {
    ...values,
    type: wide,
    elements: { [Symbol.asyncIterator]: () => widened(values.elements) },
    partOf: partOf && ((first, end) => widened(partOf(first, end))),
  }
}

export const npy: Format = {
  contentType: 'application/x-npy',
  extension: '.npy',
  description: 'The elements as a file of NumPy; those of a query with their coordinates.',
  rows: 'counted',
  encode(given) {
    const values = withWideComplex(given)
    const shape = countedShape(values)
    return storedElements(encodeNpyHeader(values.type, shape), product(shape), values)
  },
}
