// The axis of a drawing: positions are counted in elements, coordinates are the numbers that the file has for them.

import type { Elements } from '@hyperslab/client'
import type { Axis } from '../meaning/axes.ts'

export interface PlotAxis {
  /** The number of elements. */
  readonly length: number
  /** That of the dimension, `D0` without one. */
  readonly name: string
  /** Undefined: it has only the name that every dimension has. */
  readonly label: string | undefined
  /** The coordinate of a position between 0 and the length; of an element without a width, its index. */
  readonly toCoordinate: (position: number) => number
  readonly toPosition: (coordinate: number) => number
  /** Whether equal steps of the position are equal steps of the coordinate. */
  readonly isUniform: boolean
  /** Whether the coordinates rise or fall all the way. */
  readonly isMonotonic: boolean
  /** The coordinates are indexes. */
  readonly isIndex: boolean
  /** In a drawing greater coordinates are lower, as those of depths. */
  readonly growsDown: boolean
  /** The coordinate has a direction in the world that is up or down. */
  readonly isUp: boolean
  /** Coordinates as people read them, such as dates; undefined: as numbers. */
  readonly format: ((coordinate: number) => string) | undefined
}

/** Coordinates of each `step`th element. */
export interface SampledCoordinates {
  readonly step: number
  readonly values: Float64Array
  /** Coordinates that are no numbers, one for each element; the values are indexes. */
  readonly names?: readonly string[] | undefined
}

/** Coordinates that are read; between them the axis is taken as straight. */
export const MOST_COORDINATES = 65_536
/** Strings that are read; an axis of more has indexes. */
const MOST_NAMES = 4096

/** The coordinates of an axis that has some: of a long one each `step`th. */
export async function sampledCoordinates(
  { coordinates, length, meaning }: Pick<Axis, 'coordinates' | 'length' | 'meaning'>,
  signal: AbortSignal,
): Promise<SampledCoordinates> {
  const step = Math.ceil(length / MOST_COORDINATES)
  const values = numbersOf(await coordinates.numbers({ start: 0, stop: length, step }, signal))
  if (meaning?.kind !== 'other' || length > MOST_NAMES || values.every(Number.isFinite))
    return { step, values }
  const names = await coordinates.texts({ start: 0, stop: length })
  return { step: 1, values: Float64Array.from(names.keys()), names }
}

type DescribedAxis = Pick<
  Axis,
  'name' | 'label' | 'length' | 'source' | 'meaning' | 'coordinates' | 'role' | 'growsDown'
>

export function axisOf(
  axis: DescribedAxis,
  sampled: SampledCoordinates | undefined,
  isEdged: boolean,
): PlotAxis {
  const { length, name, source, meaning, coordinates, growsDown, role } = axis
  const label = source ? axis.label : NO_NAME.test(name) ? undefined : name
  const isNamed = meaning !== undefined && meaning.kind !== 'number'
  const names = sampled?.names
  /** A tick between two elements has no name. */
  const nameAt = (index: number) => names?.[Number(index.toFixed(6))] ?? ''
  const format = isNamed ? (value: number) => coordinates.format(value) : undefined
  const isUp = role === 'latitude' || role === 'y' || role === 'vertical'
  const known = { length, name, label, growsDown, isUp }
  const values = sampled?.values
  // Coordinates that are all the same tell no places.
  const isUsable = values?.every(Number.isFinite) && values.some(value => value !== values[0])
  return sampled && isUsable
    ? { ...known, format: names ? nameAt : format, ...scaleOf(sampled, isEdged) }
    : { ...known, format: names && nameAt, ...INDEXES }
}

type AxisScale = Pick<PlotAxis, 'toCoordinate' | 'toPosition' | 'isUniform' | 'isMonotonic' | 'isIndex'>

const INDEXES: AxisScale = {
  toCoordinate: position => position,
  toPosition: coordinate => coordinate,
  isUniform: true,
  isMonotonic: true,
  isIndex: true,
}

/** The places of coordinates that are not all the same. */
function scaleOf({ step, values }: SampledCoordinates, isEdged: boolean): AxisScale {
  // A coordinate of a middle is half an element away from the edge, where the positions begin.
  const shift = isEdged ? 0.5 : 0
  const [first = 0, last = 0] = [values[0], values.at(-1)]
  const slope = (last - first) / ((values.length - 1) * step)
  const tolerance = Math.abs(slope) * step * 1e-3
  const isUniform = values.every((value, i) => Math.abs(value - (first + i * step * slope)) <= tolerance)
  const isMonotonic =
    slope !== 0 && values.every((value, i) => i === 0 || (value - (values[i - 1] ?? 0)) * slope > 0)
  if (isUniform && slope !== 0)
    return {
      toCoordinate: position => first + (position - shift) * slope,
      toPosition: coordinate => (coordinate - first) / slope + shift,
      isUniform,
      isMonotonic,
      isIndex: false,
    }
  const at = (i: number) => values[Math.min(Math.max(i, 0), values.length - 1)] ?? 0
  const toCoordinate = (position: number) => {
    const place = (position - shift) / step
    const i = Math.min(Math.max(Math.floor(place), 0), values.length - 2)
    return at(i) + (place - i) * (at(i + 1) - at(i))
  }
  const toPosition = (coordinate: number) => {
    let [low, high] = [0, values.length - 1]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((at(middle) - coordinate) * slope > 0) high = middle
      else low = middle
    }
    const width = at(high) - at(low)
    return (low + (width === 0 ? 0 : (coordinate - at(low)) / width)) * step + shift
  }
  return { toCoordinate, toPosition, isUniform: false, isMonotonic, isIndex: false }
}

/** The names of dimensions without one. */
const NO_NAME = /^D\d+$/

/** Elements as numbers to draw: booleans are 0 and 1, integers of 64 bits are rounded. */
export function numbersOf(elements: Elements): Float64Array {
  if (elements instanceof Float64Array) return elements
  const numbers = new Float64Array(elements.length)
  if (elements instanceof BigInt64Array || elements instanceof BigUint64Array || Array.isArray(elements)) {
    for (let i = 0; i < elements.length; i++) numbers[i] = Number(elements[i])
  } else numbers.set(elements as Exclude<typeof elements, readonly unknown[]>)
  return numbers
}
