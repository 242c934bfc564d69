// One element as text that people edit, and back to its bytes, exactly: integers of up to 64 bits, floats, names of
// enums, booleans, complex numbers and strings. Text that is no value of the type is refused with a sentence.

import type { Datatype } from '@hyperslab/client'
import {
  decodeElements,
  formatDatatype,
  isBoolean,
  isComplex,
  type NumberForm,
  numberForm,
} from '@hyperslab/client/elements'
import { formatNumber } from '@hyperslab/meaning/meaning'

/** Whether elements of the type are edited as text. */
export function isEditable(type: Datatype): boolean {
  return type.class === 'H5T_STRING' || numberForm(type) !== undefined || isComplex(type)
}

/** The values that a user chooses from; undefined: any text. */
export function choicesOf(type: Datatype): readonly string[] | undefined {
  return type.class === 'H5T_ENUM' ? Object.keys(type.mapping) : undefined
}

/** An element as it was decoded. */
export function editText(type: Datatype, element: unknown): string {
  if (isBoolean(type)) return element === true ? 'TRUE' : 'FALSE'
  if (type.class === 'H5T_ENUM') {
    const name = Object.keys(type.mapping).find(name => type.mapping[name] === Number(element))
    return name ?? String(element)
  }
  if (type.class === 'H5T_COMPOUND') {
    const [real = '', imaginary = ''] = type.fields.map((field, i) =>
      editText(field.type, (element as readonly unknown[])[i]),
    )
    return `${real}${imaginary.startsWith('-') ? '' : '+'}${imaginary}i`
  }
  if (typeof element === 'number' || typeof element === 'bigint')
    return formatNumber(element, numberForm(type))
  return String(element ?? '')
}

/** The only element of `bytes` as text. */
export function textOfBytes(type: Datatype, bytes: readonly number[]): string {
  return editText(type, decodeElements(type, 1, Uint8Array.from(bytes))[0])
}

/** Throws a sentence about the text. */
export function bytesOfText(type: Datatype, text: string): readonly number[] {
  if (type.class === 'H5T_STRING') return bytesOfString(text, type.length)
  const plain = text.trim().replaceAll('−', '-')
  if (type.class === 'H5T_ENUM') return bytesOfName(type, plain)
  if (type.class === 'H5T_COMPOUND') {
    const parts = partsOfComplex(plain)
    if (parts === undefined) throw new Error(`${shown(text)} is no complex number: write it like 1.5-2i.`)
    return type.fields.flatMap((field, i) => bytesOfText(field.type, parts[i] ?? '0'))
  }
  const form = numberForm(type)
  if (form === undefined) throw new Error(`Values of the type ${formatDatatype(type)} cannot be edited here.`)
  return form.kind === 'float' ? bytesOfFloat(type, form, plain) : bytesOfInteger(type, form, plain)
}

function shown(text: string): string {
  return text.trim() === '' ? 'Empty text' : text.length > 40 ? `${text.slice(0, 40)} …` : text
}

function bytesOfInteger(type: Datatype, form: NumberForm, text: string): readonly number[] {
  const bits = 8 * form.size
  const least = form.kind === 'signed' ? -(2n ** BigInt(bits - 1)) : 0n
  const most = least + 2n ** BigInt(bits) - 1n
  const isWhole = /^[+-]?\d+$/.test(text) || /^0x[\da-f]+$/i.test(text)
  const value = isWhole ? BigInt(text.replace(/^\+/, '')) : undefined
  if (value === undefined || value < least || value > most)
    throw new Error(
      `${shown(text)} is no ${formatDatatype(type)}: it takes whole numbers from ${least} to ${most}.`,
    )
  return ordered(form, view => view.setBigUint64(0, BigInt.asUintN(bits, value), true))
}

const DECIMAL = String.raw`(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`
const UNSIGNED = `(?:${DECIMAL}|nan|inf(?:inity)?)`
const FLOAT = new RegExp(`^[+-]?${UNSIGNED}$`, 'i')

function bytesOfFloat(type: Datatype, form: NumberForm, text: string): readonly number[] {
  const name = formatDatatype(type)
  if (!FLOAT.test(text))
    throw new Error(`${shown(text)} is no number: write it like -1.5, 2e-8, NaN or Inf, with a point.`)
  const value = /nan/i.test(text)
    ? Number.NaN
    : /inf/i.test(text)
      ? Number(text.startsWith('-') ? '-Infinity' : 'Infinity')
      : Number(text)
  const stored = form.size === 8 ? value : form.size === 4 ? Math.fround(value) : halfOf(value)
  const isDecimal = /\d/.test(text)
  if (isDecimal && !Number.isFinite(stored)) throw new Error(`${shown(text)} is too large for ${name}.`)
  const isSomething = /[1-9]/.test(text.replace(/e.*/i, ''))
  if (isDecimal && stored === 0 && isSomething) throw new Error(`${shown(text)} is too small for ${name}.`)
  return ordered(form, view => {
    if (form.size === 8) view.setFloat64(0, value, true)
    else if (form.size === 4) view.setFloat32(0, value, true)
    else view.setUint16(0, halfBits(value), true)
  })
}

/** The first bytes of a number that is written with its least byte first, in the order of the form. */
function ordered({ size, isLittleEndian }: NumberForm, write: (view: DataView) => void): readonly number[] {
  const bytes = new Uint8Array(8)
  write(new DataView(bytes.buffer))
  const own = [...bytes.subarray(0, size)]
  return isLittleEndian ? own : own.reverse()
}

/** The bits of the nearest float of 16 bits (IEEE 754 binary16). */
function halfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (size >= 65_520) return sign | 0x7c00
  const exponent = Math.max(-14, Math.floor(Math.log2(size)))
  // Adding and subtracting rounds halves to the even number.
  const units = size / 2 ** (exponent - 10) + 2 ** 52 - 2 ** 52
  return sign | (units + (exponent + 14) * 1024)
}

function halfOf(value: number): number {
  const [half] = decodeElements(
    { class: 'H5T_FLOAT', base: 'H5T_IEEE_F16LE' },
    1,
    new Uint8Array(Uint16Array.of(halfBits(value)).buffer),
  )
  return Number(half)
}

function bytesOfName(type: Datatype & { readonly class: 'H5T_ENUM' }, text: string): readonly number[] {
  const { mapping, base } = type
  const number = Object.hasOwn(mapping, text) ? mapping[text] : undefined
  if (number === undefined)
    throw new Error(`${shown(text)} is none of the names: ${Object.keys(mapping).slice(0, 20).join(', ')}.`)
  return bytesOfText(base, String(number))
}

const COMPLEX = new RegExp(`^([+-]?${UNSIGNED})(?:([+-]${UNSIGNED}?)[ij])?$`, 'i')
const IMAGINARY = new RegExp(`^([+-]?${UNSIGNED}?)[ij]$`, 'i')

function partsOfComplex(text: string): readonly [string, string] | undefined {
  const plain = text.replace(/\s+/g, '')
  const one = (part: string | undefined) =>
    part === undefined ? '0' : /[\da-z]/i.test(part) ? part : `${part}1`
  const whole = COMPLEX.exec(plain)
  if (whole) return [whole[1] ?? '0', one(whole[2])]
  const imaginary = IMAGINARY.exec(plain)
  return imaginary ? ['0', one(imaginary[1])] : undefined
}

function bytesOfString(text: string, length: number | 'H5T_VARIABLE'): readonly number[] {
  const bytes = new TextEncoder().encode(text)
  if (text.includes('\0')) throw new Error('A string cannot have a NUL character.')
  if (length === 'H5T_VARIABLE') return [...new Uint8Array(Uint32Array.of(bytes.length).buffer), ...bytes]
  if (bytes.length > length)
    throw new Error(`The text has ${bytes.length} bytes, and the type ${length}: make it shorter.`)
  return [...bytes, ...new Uint8Array(length - bytes.length)]
}
