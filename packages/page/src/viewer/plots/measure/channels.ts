// The images that are measured of a picture: one, or one for each of its colours.

import type { DimensionUse, View } from '../../view-address.ts'
import type { ImageSubject } from '../models/image.ts'

/** What is measured: of an image in colours its uses have a dimension for them. */
export interface MeasuredSubject extends Pick<ImageSubject, 'plot' | 'dataset' | 'uses' | 'part' | 'label'> {
  readonly order?: NonNullable<View['order']>
}

export interface MeasuredChannel {
  readonly label: string
  /** Undefined: there is one only. */
  readonly colour: string | undefined
  /** The uses of the dimensions, with its index for that of colours. */
  readonly uses: readonly DimensionUse[]
}

/** Seen on light and dark. */
const COLOURS = [
  ['Red', '#d32f2f'],
  ['Green', '#2e8b57'],
  ['Blue', '#3f7fe0'],
  ['Opacity', '#808080'],
] as const

export function channelsOf({
  uses,
  dataset,
  label,
  order = 'rgb',
}: MeasuredSubject): readonly MeasuredChannel[] {
  const dimension = uses.indexOf(':')
  if (dimension === -1) return [{ label, colour: undefined, uses }]
  return Array.from({ length: dataset.shape?.[dimension] ?? 0 }, (_, i) => {
    const [name, colour] = COLOURS[order === 'bgr' && i < 3 ? 2 - i : i] ?? [String(i), '#808080']
    return { label: name, colour, uses: uses.with(dimension, i) }
  })
}
