// Datasets that give places or marks to others: by the conventions of HDF5, NeXus and netCDF (CF). Nobody wants to see
// them first.

import { type Attributes, textOf, textsOf } from './attributes.ts'

const UNITS_OF_PLACES = /^(degrees?_?(north|east|n|e)|[a-z]+ since .*)$/i
const NAMES_OF_PLACES = /^((grid_)?(latitude|longitude)|projection_[xy]_coordinate|time)$/
/** Words in names of masks, of corrections of a detector, of bounds of cells and of uncertainties. */
const NAMES_OF_OTHERS = /(masks?|flat_?fields?|(^|[^a-z])(flags?|bnds|bounds|errors?))([^a-z]|$)/i

/** Reads some attributes of an object by their names. */
export type ReadAttributes = (names: readonly string[]) => Promise<Attributes>

/** Whether the dataset gives places or marks to others. `name` is that of its link in the group. */
export async function isCoordinate(
  name: string,
  ofDataset: ReadAttributes,
  ofGroup: ReadAttributes,
): Promise<boolean> {
  if (NAMES_OF_OTHERS.test(name)) return true
  const [attributes, group] = await Promise.all([
    ofDataset(['CLASS', 'axis', 'units', 'standard_name', 'flag_meanings']),
    ofGroup(['axes', indicesName(name)]),
  ])
  return (
    isScale(attributes) ||
    attributes.has('axis') ||
    attributes.has('flag_meanings') ||
    group.has(indicesName(name)) ||
    UNITS_OF_PLACES.test(textOf(attributes, 'units') ?? '') ||
    NAMES_OF_PLACES.test(textOf(attributes, 'standard_name') ?? '') ||
    (textsOf(group, 'axes') ?? []).flatMap(names => names.split(/[:,]/)).includes(name)
  )
}

/** NeXus: the dimensions that an axis belongs to. */
export function indicesName(axis: string): string {
  return `${axis}_indices`
}

/** Whether the dataset is a dimension scale (HDF5 Dimension Scale specification). */
export function isScale(attributes: Attributes): boolean {
  return textOf(attributes, 'CLASS') === 'DIMENSION_SCALE'
}

/** The position of the scale that names a dimension, of several: the last, as netCDF takes it. */
export function chosenScale(count: number): number {
  return count - 1
}

/** netCDF makes such a scale for a dimension that has no coordinates. */
export const NOT_A_VARIABLE = 'This is a netCDF dimension but not a netCDF variable'

/** Whether a scale is only the name of its dimension: its values have no meaning. */
export function isOnlyName(scale: Attributes): boolean {
  return textOf(scale, 'NAME')?.startsWith(NOT_A_VARIABLE) ?? false
}
