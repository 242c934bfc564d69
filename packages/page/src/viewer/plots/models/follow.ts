// Whether a view follows the end of a dataset that grows, and how many of its last elements it shows.

import type { Plot } from '../../data/plot.ts'
import type { DimensionUse, View } from '../../view-address.ts'

export interface FollowFacts {
  readonly plot: Plot
  readonly uses: readonly DimensionUse[]
  readonly view: View
  /** The part in sight, while the end is followed. */
  readonly zoom?: View['zoom']
  /** Changes are shown as they happen. */
  readonly isLive: boolean
}

export interface FollowModel {
  readonly isOn: boolean
  readonly title: string
  /** The change of the view that the button makes. */
  readonly toggled: Partial<View>
  /** How many of the last elements can be shown; undefined: the end is not followed, or is one frame. */
  readonly numbers: readonly (readonly [value: string, label: string])[] | undefined
  readonly number: string
}

const NUMBERS = [50, 100, 500, 1000, 5000, 10_000, 100_000]

/** Undefined: the dataset has no end to follow. */
export function followModel({ plot, uses, view, zoom, isLive }: FollowFacts): FollowModel | undefined {
  if (!isLive || !canGrow(plot)) return undefined
  const { isFollowed: isOn = false, last } = view
  const isAxis = typeof uses[0] === 'string'
  // What is in sight stays there.
  const stay = {
    isFollowed: undefined,
    last: undefined,
    ...(zoom && { zoom }),
    ...(!isAxis && { slice: uses }),
  }
  const numbers = last === undefined || NUMBERS.includes(last) ? NUMBERS : [...NUMBERS, last]
  const labels = numbers
    .toSorted((one, other) => one - other)
    .map(number => [String(number), `the last ${number.toLocaleString('en')}`] as const)
  return {
    isOn,
    title: isAxis ? 'The newest elements stay in sight.' : 'The newest frame stays in sight.',
    toggled: isOn ? stay : { isFollowed: true },
    numbers: isOn && isAxis ? [['all', 'all'], ...labels] : undefined,
    number: String(last ?? 'all'),
  }
}

/** The change of the view to another number of elements. */
export function chosenNumber(number: string): Partial<View> {
  return { last: number === 'all' ? undefined : Number(number), zoom: undefined }
}

/** Whether the first dimension of what is drawn can become longer. */
function canGrow({ signal: { object } }: Plot): boolean {
  if (object.class !== 'dataset' || object.shape.class !== 'H5S_SIMPLE') return false
  const [most, extent = 0] = [object.shape.maxdims?.[0], object.shape.dims[0]]
  return most === 0 || (most !== undefined && most > extent)
}
