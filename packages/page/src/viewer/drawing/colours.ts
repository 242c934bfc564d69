// The colours of numbers: of a map with as many colours as a screen tells apart, at the places of a scale.

import { type ColourMap, coloursOf } from '@hyperslab/meaning/colour-maps'
import type { ValueScale } from '../view-address.ts'
import { type Domain, scaleOf } from './scales.ts'

export interface ColourScale {
  readonly domain: Domain
  readonly scale: ValueScale
  /** The exponent of the scale `gamma`. */
  readonly gamma: number
  readonly map: ColourMap
  readonly isInverted: boolean
}

/** Red, green, blue and opacity of a point, in the order of ImageData. */
export type Rgba = Uint8ClampedArray<ArrayBuffer>

const COLOURS = 256

/** The function that puts the number of a colour into a table of `tableOf`; -1: the number has none. */
export function indexOnScale({ domain, scale, gamma }: ColourScale): (value: number) => number {
  const [from, to] = domain
  const { toPlace } = scaleOf(scale, domain, gamma)
  const isOne = from === to
  return value => {
    if (Number.isNaN(value)) return -1
    // An image of one number, such as 0, has the colour of little.
    if (isOne) return value > from ? COLOURS - 1 : 0
    if (scale === 'gamma' && value < from) return 0
    const place = toPlace(value)
    if (Number.isNaN(place)) return -1
    return Math.min(COLOURS - 1, Math.max(0, Math.floor(place * COLOURS)))
  }
}

/** The colours of a map, as the numbers that are the four bytes of a point. */
export function tableOf({ map, isInverted }: Pick<ColourScale, 'map' | 'isInverted'>): Uint32Array {
  const parts = coloursOf(map, COLOURS)
  const bytes = new Uint8Array(4 * COLOURS)
  for (let i = 0; i < COLOURS; i++) {
    const from = 3 * (isInverted ? COLOURS - 1 - i : i)
    bytes.set([...parts.subarray(from, from + 3), 255], 4 * i)
  }
  return new Uint32Array(bytes.buffer)
}

/** The four bytes of bad pixels, a colour that no map has. */
export const COLOUR_OF_BAD = new Uint32Array(Uint8Array.of(106, 128, 152, 255).buffer)[0] ?? 0

/** Four bytes of each number. What has no place on the scale is transparent, NaN has these four. */
export function coloursOfNumbers(numbers: Float64Array, colours: ColourScale, ofNan = 0): Rgba {
  const bytes = new Uint8ClampedArray(4 * numbers.length)
  const points = new Uint32Array(bytes.buffer)
  const table = tableOf(colours)
  const indexOf = indexOnScale(colours)
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? Number.NaN
    const index = indexOf(number)
    if (index >= 0) points[i] = table[index] ?? 0
    else if (Number.isNaN(number)) points[i] = ofNan
  }
  return bytes
}

/** The lower colours with those of another picture above them: black of an opacity. */
export function shaded(colours: Rgba, shade: Uint8Array): Rgba {
  return colours.map((part, i) => {
    const opacity = (shade[i | 3] ?? 0) / 255
    return (i & 3) === 3 ? part : part * (1 - opacity)
  })
}
