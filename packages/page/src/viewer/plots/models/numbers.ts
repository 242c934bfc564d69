// The numbers that are drawn of elements: the number itself, or a part of a complex one.

import type { Elements, NumberOptions } from '@hyperslab/client'
import { isComplex, type Numbers } from '@hyperslab/client/elements'
import { numbersOf } from '../../data/axis.ts'
import type { Plot, Quantity } from '../../data/plot.ts'
import type { View } from '../../view-address.ts'

export type ComplexPart = NonNullable<View['part']>

type Numbered = Pick<Quantity, 'signal' | 'meaning'>

export type Convert = (elements: Elements) => Float64Array

/** What the service makes of the numbers of a dataset before it reduces them. */
export function numberOptions({ signal: { dataset }, meaning }: Numbered, part: ComplexPart): NumberOptions {
  if (dataset === undefined || !isComplex(dataset.type) || isOfBoth(part)) return meaning.absent
  return { ...meaning.absent, part }
}

/** Whether the service can reduce what is drawn of a dataset. */
export function canReduce({ signal: { dataset }, meaning }: Numbered, part: ComplexPart): boolean {
  return dataset && isComplex(dataset.type) ? !isOfBoth(part) : meaning.canReduce
}

/** The numbers of what `numberOptions` reads. */
export function converterOf({ signal: { dataset }, meaning }: Quantity, part: ComplexPart): Convert {
  if (dataset && isComplex(dataset.type)) return isOfBoth(part) ? OF_BOTH[part] : numbersOf
  return elements =>
    numbersOf(Array.isArray(elements) ? elements : meaning.unpackPresent(elements as Numbers))
}

/** Whether both parts of each number are needed here. */
function isOfBoth(part: ComplexPart): part is keyof typeof OF_BOTH {
  return part in OF_BOTH
}

const OF_BOTH = {
  'phase-amplitude': elements =>
    Float64Array.from(complexOf(elements).flatMap(([re, im]) => [Math.atan2(im, re), Math.hypot(re, im)])),
  unwrapped: elements => Float64Array.from(complexOf(elements), ([re, im]) => Math.atan2(im, re)),
} satisfies Partial<Record<ComplexPart, Convert>>

function complexOf(elements: Elements) {
  return elements as readonly (readonly [real: number, imaginary: number])[]
}

const PART_NAMES: Readonly<Record<ComplexPart, string>> = {
  amplitude: 'Amplitude',
  phase: 'Phase',
  'phase-amplitude': 'Phase',
  unwrapped: 'Phase',
  real: 'Real part',
  imaginary: 'Imaginary part',
}

/** The part that an image or a line draws: either has one more than the other. */
export function partFor(view: 'line' | 'image', { part = 'amplitude' }: View): ComplexPart {
  return part === (view === 'line' ? 'phase-amplitude' : 'unwrapped') ? 'phase' : part
}

/** The name of the numbers that are drawn of complex ones, with their units. */
export function partLabel({ signal, meaning, label }: Plot, part: ComplexPart): string {
  const isAngle = PART_NAMES[part] === 'Phase'
  return `${PART_NAMES[part]} of ${isAngle ? `${meaning.title ?? signal.name} (rad)` : label}`
}

/** Angles without jumps of a whole turn from one to the next. */
export function unwrapped(angles: Float64Array): Float64Array {
  let turns = 0
  let before = Number.NaN
  return angles.map(angle => {
    if (!Number.isNaN(angle)) {
      if (!Number.isNaN(before)) turns -= Math.round((angle - before) / (2 * Math.PI))
      before = angle
    }
    return angle + turns * 2 * Math.PI
  })
}

/** Numbers in tooltips: as many digits as people compare. */
export function formatValue(value: number | undefined): string {
  if (value === undefined) return '–'
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)))
}
