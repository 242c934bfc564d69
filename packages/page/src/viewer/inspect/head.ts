// What the head of a dataset says: `(time: 12, lat: 73) int16, K`, and what is wrong with its attributes.

import type { DatasetShape } from '@hyperslab/client'
import { formatDatatype, formatShape } from '@hyperslab/client/elements'
import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import type { Axis, DatasetAxes } from '../meaning/axes.ts'

/** The axes may come later. */
export function headOf(
  { shape, type }: DatasetShape,
  meaning: ValueMeaning | undefined,
  axes: DatasetAxes | undefined,
) {
  const names = shape?.map((extent, d) => `${axes?.axes[d]?.name ?? `D${d}`}: ${extent.toLocaleString('en')}`)
  return {
    extents: names && names.length > 0 ? `(${names.join(', ')})` : formatShape(shape),
    type: [
      formatDatatype(type),
      ...(axes?.shown.letters === undefined ? [] : ['letters of strings along the last dimension']),
      ...(meaning?.isPacked ? ['packed: values are unpacked by scale_factor and add_offset'] : []),
      ...(meaning?.units === undefined ? [] : [meaning.units]),
    ].join(', '),
    problems: [...(meaning?.problems ?? []), ...(axes?.problems ?? [])],
  }
}

/** The coordinates of an axis, or the first three and the last one. */
export async function coordinatesText({
  coordinates,
  length,
}: Pick<Axis, 'coordinates' | 'length'>): Promise<string> {
  const isLong = length > 5
  const first = await coordinates.texts({ start: 0, stop: isLong ? 3 : length })
  const last = isLong ? await coordinates.texts({ start: length - 1, stop: length }) : []
  return [...first, ...(isLong ? ['…'] : []), ...last].join('  ')
}
