// Which stored numbers of a dataset stand for no value, by its attributes: _FillValue, missing_value, valid_range,
// valid_min, valid_max and _Unsigned (CF 2.5, NUG); and those of detectors of DECTRIS, whose images have image_nr_low.
// The page and the pictures of the service both ask here. Wrong attributes are ignored, and `problems` says so.

import { type Attributes, type NumberForm, numbersOf, textOf } from './attributes.ts'

/** Names of the attributes that are looked at. */
export const ABSENT_ATTRIBUTES = [
  '_Unsigned',
  '_FillValue',
  'missing_value',
  'valid_range',
  'valid_min',
  'valid_max',
  'scale_factor',
  'add_offset',
  'image_nr_low',
] as const

/** Stored numbers, with the sign that `_Unsigned` says. */
export interface AbsentNumbers {
  /** NaN may be one of them. */
  readonly values: ReadonlySet<number | bigint>
  /** All numbers outside are absent, too; undefined: no bound. */
  readonly min: number | bigint | undefined
  readonly max: number | bigint | undefined
}

export function absentNumbers(form: NumberForm, attributes: Attributes, problems: string[]): AbsentNumbers {
  const toSigned = signChange(form, attributes) ?? (stored => stored)
  const missing = ['_FillValue', 'missing_value'].flatMap(name => someNumbers(attributes, name, problems))
  const values = new Set(missing.map(value => keyOf(toSigned(value))))
  // The greatest number of the type is that of pixels that measure nothing: gaps between modules, and masked ones.
  if (form.kind === 'unsigned' && attributes.has('image_nr_low')) values.add(2 ** (8 * form.size) - 1)
  const range = someNumbers(attributes, 'valid_range', problems)
  if (range.length !== 0 && range.length !== 2)
    problems.push('valid_range has not two numbers: it is ignored')
  const [low, high] = range.length === 2 ? range : []
  const bounds = [
    low ?? oneNumber(attributes, 'valid_min', problems),
    high ?? oneNumber(attributes, 'valid_max', problems),
  ].map(bound => (Number.isNaN(bound) ? undefined : bound))
  const scaling = scalingOf(attributes, [])
  const areOfValues =
    scaling !== undefined &&
    form.kind !== 'float' &&
    BOUNDS.some(name => attributes.get(name)?.form?.kind === 'float')
  const [min, max] = areOfValues
    ? packedBounds(bounds, scaling)
    : bounds.map(bound => (bound === undefined ? undefined : toSigned(bound)))
  if (min === undefined || max === undefined || min <= max) return { values, min, max }
  problems.push(`the valid range from ${min} to ${max} is empty: it is ignored`)
  return { values, min: undefined, max: undefined }
}

/** The test of numbers with the sign that `_Unsigned` says; undefined: no number is absent. */
export function absenceTest({
  values,
  min,
  max,
}: AbsentNumbers): ((number: number | bigint) => boolean) | undefined {
  if (values.size === 0 && min === undefined && max === undefined) return undefined
  return number =>
    values.has(keyOf(number)) || (min !== undefined && number < min) || (max !== undefined && number > max)
}

/** The sign that the attribute `_Unsigned` gives to stored numbers; undefined: they have it already. */
export function signChange(
  { kind, size }: NumberForm,
  attributes: Attributes,
): ((stored: number | bigint) => number | bigint) | undefined {
  const bits = size * 8
  const text = textOf(attributes, '_Unsigned')?.toLowerCase()
  if (kind === 'signed' && text === 'true')
    return stored =>
      typeof stored === 'bigint' ? BigInt.asUintN(64, stored) : stored < 0 ? stored + 2 ** bits : stored
  if (kind === 'unsigned' && text === 'false')
    return stored =>
      typeof stored === 'bigint'
        ? BigInt.asIntN(64, stored)
        : stored >= 2 ** (bits - 1)
          ? stored - 2 ** bits
          : stored
  return undefined
}

export interface Scaling {
  readonly factor: number
  readonly offset: number
}

/** A value is its stored number times the factor, and the offset. Undefined: it is the stored number. */
export function scalingOf(attributes: Attributes, problems: string[]): Scaling | undefined {
  const factor = oneNumber(attributes, 'scale_factor', problems)
  const offset = oneNumber(attributes, 'add_offset', problems)
  if (factor === undefined && offset === undefined) return undefined
  return { factor: Number(factor ?? 1), offset: Number(offset ?? 0) }
}

const BOUNDS = ['valid_range', 'valid_min', 'valid_max']

/** A part of the step between two packed numbers: bounds, factors and offsets are rounded. */
const SLACK = 0.1

/**
 * The least and the greatest packed integer of values between bounds: floats that bound packed integers are values
 * (NUG), other bounds are stored numbers. A negative factor exchanges them.
 */
function packedBounds(
  bounds: readonly (number | bigint | undefined)[],
  { factor, offset }: Scaling,
): readonly (number | undefined)[] {
  const [low, high] = bounds.map(bound => {
    const packed = bound === undefined ? Number.NaN : (Number(bound) - offset) / factor
    // A factor of 0 has one value for all numbers.
    return Number.isFinite(packed) ? packed : undefined
  })
  const [min, max] = factor < 0 ? [high, low] : [low, high]
  return [min && Math.ceil(min - SLACK), max && Math.floor(max + SLACK)]
}

/** One key for equal numbers, whatever their type. */
function keyOf(value: number | bigint): number | bigint {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value
}

/**
 * Numbers of an attribute that stand for missing values: files have a few, and the service takes twice as many.
 * @limit safety, numbers
 */
const MAX_MISSING = 8

function someNumbers(attributes: Attributes, name: string, problems: string[]): readonly (number | bigint)[] {
  if (!attributes.has(name)) return []
  const numbers = numbersOf(attributes, name)
  if (numbers && numbers.length <= MAX_MISSING) return numbers
  problems.push(
    `${name} has no ${numbers ? `list of at most ${MAX_MISSING} numbers` : 'numbers'}: it is ignored`,
  )
  return []
}

function oneNumber(attributes: Attributes, name: string, problems: string[]): number | bigint | undefined {
  if (!attributes.has(name)) return undefined
  const [number, ...more] = numbersOf(attributes, name) ?? []
  if (number !== undefined && more.length === 0 && Number.isFinite(Number(number))) return number
  problems.push(`${name} is not one finite number: it is ignored`)
  return undefined
}
