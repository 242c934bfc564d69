// The numbers of a box or an interval: those that the service computes of the elements, and what they mean.

import type { Api, DatasetShape, Domain, NumberOptions, Selection } from '@hyperslab/client'
import { productOf, selectedShape } from '@hyperslab/client/elements'
import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import type { Convert } from '../models/numbers.ts'

const BINS = 48

export interface SelectedNumbers {
  readonly dataset: DatasetShape
  readonly select: Selection
  readonly numbers: NumberOptions
}

export interface Measured {
  readonly statistics: Api.ValueStatistics
  /** The sum of the stored numbers; integers of up to 32 bits are added exactly. */
  readonly sum: number | bigint
}

/** Statistics and sum of all selected elements. */
export async function readMeasured(
  domain: Domain,
  { dataset, select, numbers }: SelectedNumbers,
  signal: AbortSignal,
): Promise<Measured> {
  const factors = selectedShape(dataset.shape ?? [], select)
  const reduce = `sum:${factors.map(extent => Math.max(1, extent)).join(',')}`
  const [statistics, { data }] = await Promise.all([
    domain.statistics(dataset, { select, ...numbers, bins: BINS, signal }),
    domain.read(dataset, { select, ...numbers, reduce, signal }),
  ])
  // A reduction has numbers only.
  return { statistics, sum: data[0] as number | bigint }
}

export interface MeasuredRow {
  readonly name: string
  /** Undefined: there is none. */
  readonly value: number | bigint | undefined
  /** It is a value as those of the elements, such as a date. */
  readonly isValue?: boolean
}

type Unpack = ValueMeaning['unpackPresent']

/** What the stored numbers stand for is `factor * number + offset`: so are sums and deviations. */
function packingOf(unpack: Unpack): { readonly factor: number; readonly offset: number } | undefined {
  const probe = Float64Array.of(0, 1)
  const [zero = 0, one = 1] = Array.from(unpack(probe), Number)
  return zero === 0 && one === 1 ? undefined : { factor: one - zero, offset: zero }
}

/** The numbers of the elements, as what they stand for. */
export function measuredRows({ statistics, sum }: Measured, unpack: Unpack): readonly MeasuredRow[] {
  const { count, nanCount, min, max, mean, standardDeviation } = statistics
  const packing = packingOf(unpack)
  const number = (value: typeof min) => (typeof value === 'number' ? value : undefined)
  const unpacked = (value: number | undefined) =>
    value === undefined || packing === undefined ? value : packing.factor * value + packing.offset
  const ends = [unpacked(number(min)), unpacked(number(max))]
  const [least, greatest] = packing && packing.factor < 0 ? ends.toReversed() : ends
  const deviation = number(standardDeviation)
  const total = packing ? packing.factor * Number(sum) + packing.offset * count : sum
  return [
    { name: 'Numbers', value: count },
    ...(nanCount > 0 ? [{ name: 'Missing', value: nanCount }] : []),
    { name: 'Sum', value: count === 0 ? undefined : total },
    { name: 'Mean', value: unpacked(number(mean)), isValue: true },
    { name: 'Standard deviation', value: deviation && deviation * Math.abs(packing?.factor ?? 1) },
    { name: 'Least', value: least, isValue: true },
    { name: 'Greatest', value: greatest, isValue: true },
  ]
}

/** Elements that are read for an integral. @limit memory, elements */
const MAX_INTEGRAL = 2 ** 20

/** The elements, if they are few enough for an integral. */
export async function readElements(
  domain: Domain,
  { dataset, select, numbers }: SelectedNumbers,
  convert: Convert,
  signal: AbortSignal,
): Promise<Float64Array | undefined> {
  if (productOf(selectedShape(dataset.shape ?? [], select)) > MAX_INTEGRAL) return undefined
  const { data } = await domain.read(dataset, { select, ...numbers, signal })
  return convert(data)
}

/** The area below the lines between neighbours that are numbers; it is negative where the axis falls. */
export function integralOf(values: Float64Array, coordinateAt: (i: number) => number): number {
  let [area, before, place] = [0, Number.NaN, 0]
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue
    const at = coordinateAt(i)
    if (!Number.isNaN(before)) area += ((before + value) / 2) * (at - place)
    before = value
    place = at
  }
  return area
}
