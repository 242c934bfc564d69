// The numbers that are drawn of elements: the number itself, or a part of a complex one.

import { useMemo } from 'react'
import type { Numbers } from '../../../../client/decode.ts'
import type { Datatype, Elements } from '../../../../client/index.ts'
import { numbersOf } from '../axis.ts'
import { isComplex, type Plot } from '../plot.ts'
import type { View } from '../view-address.ts'

export type ComplexPart = NonNullable<View['part']>

export type Convert = (elements: Elements) => Float64Array

/** The function that makes numbers of elements: the same one for the same arguments. */
export function converterOf(type: Datatype, part: ComplexPart): Convert {
  return isComplex(type) ? COMPLEX[part] : numbersOf
}

/** That of the signal of a plot, whose stored numbers may stand for others; the same one for the same meaning. */
export function useConverter({ signal, meaning, meaningKey }: Plot, part: ComplexPart): Convert {
  const type = signal.dataset?.type
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is that of the meaning and the type
  return useMemo(() => {
    if (type === undefined || isComplex(type)) return COMPLEX[part]
    return elements =>
      numbersOf(Array.isArray(elements) ? elements : meaning.unpackPresent(elements as Numbers))
  }, [meaningKey, part])
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
  unwrapped: ofComplex((real, imaginary) => Math.atan2(imaginary, real)),
  real: ofComplex(real => real),
  imaginary: ofComplex((_, imaginary) => imaginary),
}

const PART_NAMES: Readonly<Record<ComplexPart, string>> = {
  amplitude: 'Amplitude',
  phase: 'Phase',
  unwrapped: 'Phase',
  real: 'Real part',
  imaginary: 'Imaginary part',
}

/** The name of the numbers that are drawn of complex ones, with their units. */
export function partLabel({ signal, meaning, label }: Plot, part: ComplexPart): string {
  const isAngle = part === 'phase' || part === 'unwrapped'
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
