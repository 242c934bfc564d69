// Reading client data from the item of a filter in `creationProperties.filters`.

import { isJsonList, type JsonObject } from '@hyperslab/model/json'

/** The option if it is an integer within the bounds. */
export function wholeOption(options: JsonObject, name: string, min: number, max: number): number | undefined {
  const value = options.get(name)
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  return value >= min && value <= max ? value : undefined
}

/** The option `parameters`: the client data themselves (classic 16.1). */
export function parametersOf(options: JsonObject): readonly number[] {
  const parameters = options.get('parameters')
  if (!isJsonList(parameters)) return []
  return parameters.every(isUnsigned32) ? parameters : []
}

function isUnsigned32(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32
}
