// Reading client data from the item of a filter in `creationProperties.filters`.

import type { JsonObject } from '../hdf5/json.ts'

/** The option if it is an integer within the bounds. */
export function wholeOption(options: JsonObject, name: string, min: number, max: number): number | undefined {
  const value = options.get(name)
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  return value >= min && value <= max ? value : undefined
}
