// The scales of axes and colours: where a number lies between two ends, and back.

import type { ValueScale } from '../view-address.ts'

export type Domain = [from: number, to: number]

export interface Scale {
  /** 0 at the first end, 1 at the second; not finite: the scale has no place for the number. */
  readonly toPlace: (value: number) => number
  readonly toValue: (place: number) => number
}

interface Bend {
  /** Equal steps of the result are equal distances. */
  readonly to: (value: number) => number
  readonly from: (bent: number) => number
  /** The least number that has a place. */
  readonly least: number
}

const same = (value: number) => value

const BENDS: Readonly<Record<ValueScale, Bend>> = {
  linear: { to: same, from: same, least: Number.NEGATIVE_INFINITY },
  gamma: { to: same, from: same, least: Number.NEGATIVE_INFINITY },
  log: { to: Math.log, from: Math.exp, least: Number.MIN_VALUE },
  symlog: {
    to: value => Math.sign(value) * Math.log1p(Math.abs(value)),
    from: bent => Math.sign(bent) * Math.expm1(Math.abs(bent)),
    least: Number.NEGATIVE_INFINITY,
  },
  sqrt: {
    to: value => Math.sign(value) * Math.sqrt(Math.abs(value)),
    from: bent => Math.sign(bent) * bent ** 2,
    least: 0,
  },
}

export function bendOf(type: ValueScale): Bend {
  return BENDS[type]
}

/** `gamma` is the exponent of that scale, which places between both ends have only. */
export function scaleOf(type: ValueScale, [first, last]: Domain, gamma = 1): Scale {
  const { to, from, least } = BENDS[type]
  const [start, end] = [to(first), to(last)]
  const length = end - start
  const exponent = type === 'gamma' ? gamma : 1
  const raised = (place: number, power: number) => (power === 1 ? place : place ** power)
  return {
    toPlace: value => (value < least ? Number.NaN : raised((to(value) - start) / length, exponent)),
    toValue: place => from(start + raised(place, 1 / exponent) * length),
  }
}
