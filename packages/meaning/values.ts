// The meaning of the values of a dataset, from its type and attributes (CF 2.5 and 8.1, NeXus): packed values become
// those that they stand for, missing ones NaN, times dates, flags their names. Attributes that contradict each other or
// the type are ignored, and `problems` says so: they never hide values.

import { type AbsentNumbers, absenceTest, absentNumbers, scalingOf, signChange } from './absent-numbers.ts'
import { type Attributes, type NumberForm, textOf } from './attributes.ts'
import { flagNames, type NameFlag } from './flags.ts'
import { formatComputed, formatNumber } from './numbers.ts'
import { formatTime, isTimeUnits, parseMoment, parseTimeUnits, type TimeUnits, unitOfTime } from './times.ts'

/** Numbers of one type. */
export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array

/** Stored numbers that stand for no value, as requests name them. */
export interface MissingNumbers {
  readonly missing?: string
  readonly valid?: string
}

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

/** The type of elements, as far as the rules look at it. */
export interface ElementType {
  /** Undefined: the elements are no numbers. Booleans are none. */
  readonly form: NumberForm | undefined
  /** The names of an enum. */
  readonly members: ReadonlyMap<number, string> | undefined
  /** The string for an element of this type, without attributes. */
  readonly format: (element: unknown) => string
}

export function meaningOf({ form, members, format }: ElementType, attributes: Attributes): ValueMeaning {
  const problems: string[] = []
  const units = textOf(attributes, 'units') || undefined
  const title = ['long_name', 'standard_name'].map(name => textOf(attributes, name)).find(Boolean)
  if (form === undefined) {
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
  const names = flagNames(members, attributes, problems)
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
      if (typeof element !== 'number' && typeof element !== 'bigint') return format(element)
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
  const scaling = scalingOf(attributes, problems)
  const { factor, offset } = scaling ?? { factor: 1, offset: 0 }
  const isFloat32 = ['scale_factor', 'add_offset']
    .flatMap(name => attributes.get(name) ?? [])
    .every(({ form }) => form?.kind === 'float' && form.size === 4)
  const size = isFloat32 && form.size <= 4 ? 4 : 8
  const round = size === 4 ? Math.fround : (value: number) => value
  const toSigned = signChange(form, attributes)
  const absent = absentNumbers(form, attributes, problems)
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
