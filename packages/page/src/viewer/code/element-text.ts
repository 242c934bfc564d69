// An element as a string, in the notation that the reader has chosen.

import type { Datatype } from '@hyperslab/client'
import { formatNumber } from '@hyperslab/meaning/meaning'
import { type ElementStyle, formatElement } from '../meaning/values.ts'
import type { View } from '../view-address.ts'

type Notation = NonNullable<View['notation']>

/** `exact`: floats of 32 bits have the digits of the same float of 64 bits. */
const NUMBERS: Readonly<Record<Notation, ElementStyle['number']>> = {
  auto: formatNumber,
  scientific: value => Number(value).toExponential(3),
  exact: value => formatNumber(value),
}

/** All of the element. */
export function elementText(type: Datatype, element: unknown, notation: Notation = 'auto'): string {
  return formatElement(type, element, { number: NUMBERS[notation], isWhole: true })
}
