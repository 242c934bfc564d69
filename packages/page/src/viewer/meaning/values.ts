// The strings for elements of any type, and the meaning of the elements of a dataset.

import type { Datatype, Elements } from '@hyperslab/client'
import { type Field, isBoolean, isComplex, type NumberForm, numberForm } from '@hyperslab/client/elements'
import {
  type Attributes,
  dateText,
  formatNumber,
  MISSING,
  meaningOf as meaningOfType,
  numpyDates,
  type ValueMeaning,
} from '@hyperslab/meaning/meaning'

/** The meaning of the elements of a dataset, from its type and attributes. */
export function meaningOf(type: Datatype, attributes: Attributes): ValueMeaning {
  const isPlain = isBoolean(type)
  const members =
    type.class === 'H5T_ENUM' && !isPlain
      ? new Map(Object.entries(type.mapping).map(([name, value]) => [Number(value), name]))
      : undefined
  const form = isPlain ? undefined : numberForm(type)
  return meaningOfType({ form, members, format: element => formatElement(type, element) }, attributes)
}

/** Characters of an element in a cell. @limit memory, characters */
const MAX_CELL = 1000
/** Elements of a list that are in its string. @limit memory, elements */
const MAX_LISTED = 100

export interface ElementStyle {
  readonly number: (value: number | bigint, form: NumberForm | undefined) => string
  /** Whether long strings and lists are there as a whole, and not only as much as a cell needs. */
  readonly isWhole: boolean
}

const CELL: ElementStyle = { number: formatNumber, isWhole: false }

/** The string for an element of any type. Ids of objects are not for people. */
export function formatElement(type: Datatype, element: unknown, style = CELL): string {
  const text = elementText(type, element, style)
  return style.isWhole || text.length <= MAX_CELL ? text : `${text.slice(0, MAX_CELL)} …`
}

function elementText(type: Datatype, element: unknown, style: ElementStyle): string {
  if (element === undefined || element === null) return MISSING
  if (typeof element === 'number' || typeof element === 'bigint') {
    if (type.class === 'H5T_ENUM') {
      const name = Object.keys(type.mapping).find(name => type.mapping[name] === Number(element))
      if (name !== undefined) return name
    }
    return style.number(element, numberForm(type))
  }
  if (typeof element === 'string') return type.class === 'H5T_REFERENCE' ? 'reference' : element
  if (typeof element === 'boolean') return String(element)
  switch (type.class) {
    case 'H5T_COMPOUND': {
      // A compound is a list of its members.
      const members = element as readonly unknown[]
      if (isComplex(type)) return complexText(type.fields, members, style)
      const texts = type.fields.map(
        (field, i) => `${field.name}: ${elementText(field.type, members[i], style)}`,
      )
      return `{ ${texts.join(', ')} }`
    }
    case 'H5T_ARRAY':
    case 'H5T_VLEN':
      return `[${listText(element as Elements, item => elementText(type.base, item, style), ', ', style)}]`
    case 'H5T_OPAQUE': {
      const dates = numpyDates(type.tag, type.size)
      if (dates) return dateText(dates, numberIn(element as Uint8Array, dates.isLittleEndian))
      return listText(element as Uint8Array, byte => Number(byte).toString(16).padStart(2, '0'), ' ', style)
    }
    case 'H5T_REFERENCE':
      return 'region'
    default:
      return String(element)
  }
}

function numberIn(bytes: Uint8Array, isLittleEndian: boolean): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0, isLittleEndian)
}

/** `1 − 2 i` */
function complexText(
  [part]: readonly Field[],
  [real, imaginary]: readonly unknown[],
  { number }: ElementStyle,
): string {
  const [r, i] = [Number(real), Number(imaginary)]
  const form = part && numberForm(part.type)
  const sign = i < 0 || Object.is(i, -0) ? '−' : '+'
  return `${number(r, form)} ${sign} ${number(Math.abs(i), form)} i`
}

function listText(
  list: ArrayLike<unknown>,
  textOfItem: (item: unknown) => string,
  separator: string,
  { isWhole }: ElementStyle,
): string {
  const shown = isWhole ? list.length : Math.min(list.length, MAX_LISTED)
  const some = Array.from({ length: shown }, (_, i) => textOfItem(list[i]))
  const rest = list.length > shown ? [`… ${list.length} in all`] : []
  return [...some, ...rest].join(separator)
}
