// The numbers that are drawn of elements: the number itself, or a part of a complex one.

import type { Elements } from '@hyperslab/client'
import { isComplex, type Numbers } from '@hyperslab/client/elements'
import { numbersOf } from '../../data/axis.ts'
import type { Plot, Quantity } from '../../data/plot.ts'
import type { View } from '../../view-address.ts'

export type ComplexPart = NonNullable<View['part']>

export type Convert = (elements: Elements) => Float64Array

export function converterOf({ signal: { dataset }, meaning }: Quantity, part: ComplexPart): Convert {
  if (dataset && isComplex(dataset.type)) return COMPLEX[part]
  return elements =>
    numbersOf(Array.isArray(elements) ? elements : meaning.unpackPresent(elements as Numbers))
}

function ofComplex(number: (real: number, imaginary: number) => number) {
  return (elements: Elements) =>
    Float64Array.from(elements as readonly (readonly [number, number])[], ([real, imaginary]) =>
      number(real, imaginary),
    )
}

const COMPLEX: Readonly<Record<ComplexPart, (elements: Elements) => Float64Array>> = {
  amplitude: ofComplex(Math.hypot),
  phase: ofComplex((real, imaginary) => Math.atan2(imaginary, real)),
  'phase-amplitude': elements => {
    const [phases, amplitudes] = [COMPLEX.phase(elements), COMPLEX.amplitude(elements)]
    const both = new Float64Array(2 * phases.length)
    for (let i = 0; i < phases.length; i++) both.set([phases[i] ?? 0, amplitudes[i] ?? 0], 2 * i)
    return both
  },
  unwrapped: ofComplex((real, imaginary) => Math.atan2(imaginary, real)),
  real: ofComplex(real => real),
  imaginary: ofComplex((_, imaginary) => imaginary),
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
