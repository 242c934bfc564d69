// The meaning of the values of a dataset, from its type and attributes (CF 2.5 and 8.1, NeXus): packed values become
// those that they stand for, missing ones NaN, times dates, flags their names. Attributes that contradict each other or
// the type are ignored, and `problems` says so: they never hide values.

import type { Datatype, Elements, MissingNumbers } from '@hyperslab/client'
import type { Numbers } from '@hyperslab/client/elements'
import { type Field, isBoolean, isComplex, type NumberForm, numberForm } from '@hyperslab/client/elements'
import {
  ABSENT_ATTRIBUTES,
  type AbsentNumbers,
  absenceTest,
  absentNumbers,
  dateText,
  numpyDates,
  scalingOf,
  signChange,
} from '@hyperslab/meaning/meaning'
import { type Attributes, numbersOf, textOf } from './attributes.ts'
import { flagNames, type NameFlag } from './flags.ts'
import { formatComputed, formatNumber } from './numbers.ts'
import { formatTime, isTimeUnits, parseMoment, parseTimeUnits, type TimeUnits, unitOfTime } from './times.ts'

export type ValueKind = 'number' | 'time' | 'flag' | 'other'

export interface ValueMeaning {
  readonly kind: ValueKind
  /** The units of the values that `unpack` returns; absent for dates, whose units are in their form. */
  readonly units: string | undefined
  /** The attribute `long_name` or `standard_name`; undefined: only the dataset has a name. */
  readonly title: string | undefined
  readonly isPacked: boolean
  /** For the service: the stored numbers that stand for no value, which it turns into NaN. */
  readonly absent: MissingNumbers
  /** The least, the greatest and the mean of stored numbers stand for those of the values. */
  readonly canReduce: boolean
  /** The values that stored numbers stand for: NaN for missing ones; the same array if they stand for themselves. */
  readonly unpack: (stored: Numbers) => Numbers
  /** The same for numbers of which the service has made the missing ones NaN. */
  readonly unpackPresent: (stored: Numbers) => Numbers
  /** The string for a stored element: `—` for a missing one. */
  readonly format: (element: unknown) => string
  /** The string for a number that `unpack` returned, or that lies between such numbers. */
  readonly formatUnpacked: (value: number | bigint) => string
  readonly problems: readonly string[]
}

/** The string for a value that is not there. */
export const MISSING = '—'

export function meaningOf(type: Datatype, attributes: Attributes): ValueMeaning {
  const problems: string[] = []
  const form = isBoolean(type) ? undefined : numberForm(type)
  const units = textOf(attributes, 'units') || undefined
  const title = ['long_name', 'standard_name'].map(name => textOf(attributes, name)).find(Boolean)
  if (form === undefined) {
    const format = (element: unknown) => formatElement(type, element)
    const formatUnpacked = (value: number | bigint) => formatNumber(value)
    const unpack = (stored: Numbers) => stored
    return {
      kind: 'other',
      units,
      title,
      isPacked: false,
      absent: {},
      canReduce: true,
      unpack,
      unpackPresent: unpack,
      format,
      formatUnpacked,
      problems,
    }
  }
  const names = flagNames(type, attributes, problems)
  const packing = packingOf(form, attributes, problems)
  const times = names ? undefined : timesOf(attributes, units, problems)
  const size = packing.isPacked ? packing.size : form.size
  const formatUnpacked = (value: number | bigint): string => {
    const date =
      times && formatTime(value, times, packing.isPacked || form.kind !== 'float' ? 53 : bitsOf(form))
    if (date !== undefined) return date
    if (packing.isPacked && typeof value === 'number') return formatComputed(value, size === 4 ? 4 : 8)
    return formatNumber(value, packing.isPacked ? undefined : form)
  }
  return {
    kind: names ? 'flag' : times ? 'time' : 'number',
    units: times ? undefined : units,
    title,
    isPacked: packing.isPacked,
    absent: packing.changesSign ? {} : packing.missing.absent,
    canReduce: !packing.changesSign && !names,
    unpack: stored => unpackAll(stored, packing),
    unpackPresent: stored =>
      unpackAll(stored, packing.changesSign ? packing : { ...packing, missing: NONE_MISSING }),
    format: element => {
      if (typeof element !== 'number' && typeof element !== 'bigint') return formatElement(type, element)
      const value = packing.toSigned(element)
      if (packing.missing.test?.(value)) return MISSING
      return named(names, value) ?? formatUnpacked(packing.isPacked ? packing.scale(value) : value)
    },
    formatUnpacked: value => named(names, value) ?? formatUnpacked(value),
    problems,
  }
}

function named(names: NameFlag | undefined, value: number | bigint): string | undefined {
  const name = names?.(value)
  return name === undefined ? undefined : `${name} (${value})`
}

function bitsOf({ size }: NumberForm): 11 | 24 | 53 {
  return size === 2 ? 11 : size === 4 ? 24 : 53
}

/** The label of values: `Temperature (K)`. */
export function labelOf(name: string, { title, units }: Pick<ValueMeaning, 'title' | 'units'>): string {
  const text = title ?? name
  // Titles in NeXus often have the units already.
  const isComplete = !units || units === '1' || text.includes(`(${units})`) || text.includes(`[${units}]`)
  return isComplete ? text : `${text} (${units})`
}

interface Packing {
  readonly isPacked: boolean
  /** Bytes of the floats that unpacked values are. */
  readonly size: 4 | 8
  readonly scale: (stored: number | bigint) => number
  /** The number with the sign that `_Unsigned` says. */
  readonly toSigned: (stored: number | bigint) => number | bigint
  readonly changesSign: boolean
  readonly missing: Missing
}

interface Missing {
  /** Undefined: no number is missing. */
  readonly test: ((stored: number | bigint) => boolean) | undefined
  readonly absent: MissingNumbers
}

const NONE_MISSING: Missing = { test: undefined, absent: {} }

function packingOf(form: NumberForm, attributes: Attributes, problems: string[]): Packing {
  const numbers = new Map(
    ABSENT_ATTRIBUTES.flatMap(name => {
      const attribute = attributes.get(name)
      if (attribute === undefined) return []
      const areFloats = numberForm(attribute.type)?.kind === 'float'
      return [[name, { numbers: numbersOf(attributes, name), areFloats }]]
    }),
  )
  const stored = { ...form, unsigned: textOf(attributes, '_Unsigned') }
  const scaling = scalingOf(numbers, problems)
  const { factor, offset } = scaling ?? { factor: 1, offset: 0 }
  const isFloat32 = ['scale_factor', 'add_offset']
    .flatMap(name => attributes.get(name) ?? [])
    .every(({ type }) => numberForm(type)?.kind === 'float' && numberForm(type)?.size === 4)
  const size = isFloat32 && form.size <= 4 ? 4 : 8
  const round = size === 4 ? Math.fround : (value: number) => value
  const toSigned = signChange(stored)
  const absent = absentNumbers(stored, numbers, problems)
  return {
    isPacked: scaling !== undefined,
    size,
    scale: stored => round(Number(stored) * factor + offset),
    toSigned: toSigned ?? (stored => stored),
    changesSign: toSigned !== undefined,
    missing: { test: absenceTest(absent), absent: requestOf(absent) },
  }
}

/** The numbers as requests name them. NaN is absent as it is. */
function requestOf({ values, min, max }: AbsentNumbers): MissingNumbers {
  const numbers = [...values].filter(value => !Number.isNaN(value))
  const hasRange = min !== undefined || max !== undefined
  return {
    ...(numbers.length > 0 && { missing: numbers.join(',') }),
    ...(hasRange && { valid: `${min ?? ''},${max ?? ''}` }),
  }
}

function unpackAll(
  stored: Numbers,
  { isPacked, size, scale, toSigned, changesSign, missing: { test } }: Packing,
): Numbers {
  if (!isPacked && !changesSign && test === undefined) return stored
  const isFloat32 = isPacked ? size === 4 : stored instanceof Float32Array
  const unpacked = isFloat32 ? new Float32Array(stored.length) : new Float64Array(stored.length)
  for (let i = 0; i < stored.length; i++) {
    const value = toSigned(stored[i] ?? 0)
    unpacked[i] = test?.(value) ? Number.NaN : isPacked ? scale(value) : Number(value)
  }
  return unpacked
}

/** CF has a calendar and units `days since`, NeXus units of time and the attribute `start`. */
function timesOf(
  attributes: Attributes,
  units: string | undefined,
  problems: string[],
): TimeUnits | undefined {
  if (units === undefined) return undefined
  if (isTimeUnits(units)) {
    const times = parseTimeUnits(units, textOf(attributes, 'calendar') || undefined)
    if (typeof times !== 'string') return times
    problems.push(`the times are shown as numbers: ${times}`)
    return undefined
  }
  const startText = textOf(attributes, 'start')
  const unit = startText === undefined ? undefined : unitOfTime(units)
  const start = startText === undefined ? undefined : parseMoment(startText)
  return unit === undefined || start === undefined
    ? undefined
    : { calendar: 'proleptic_gregorian', unit, start }
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
