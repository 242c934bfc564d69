// The filters of a dataset of a file in the words of classic 16.2.

import type { JsonObject, JsonValue } from '../hdf5/json.ts'

import type { FilterDescription } from './format/messages/filters.ts'

const SZIP_CODINGS = new Map([
  [4, 'H5_SZIP_EC_OPTION_MASK'],
  [32, 'H5_SZIP_NN_OPTION_MASK'],
])
const SCALE_TYPES = ['H5Z_SO_FLOAT_DSCALE', 'H5Z_SO_FLOAT_ESCALE', 'H5Z_SO_INT']

/** Options of a filter by its number, from its client data as HDF5 stores it. */
const OPTIONS = new Map<number, (data: readonly number[]) => [string, JsonValue][]>([
  [1, ([level = 0]) => [['level', level]]],
  [2, () => []],
  [3, () => []],
  [4, szipOptions],
  [5, () => []],
  [6, scaleOffsetOptions],
  [32000, () => []],
])

/** Without the class, which follows from the number (hdf5/creation-properties.ts). */
export function filterJson({
  id,
  name,
  clientData,
}: Pick<FilterDescription, 'id' | 'name' | 'clientData'>): JsonObject {
  const options = OPTIONS.get(id)
  return new Map<string, JsonValue>([
    ['id', id],
    ...(name === '' ? [] : [['name', name] as const]),
    ...(options ? options(clientData) : [['parameters', [...clientData]] as const]),
  ])
}

function szipOptions([
  mask = 0,
  pixelsPerBlock = 0,
  bitsPerPixel = 0,
  pixelsPerScanline = 0,
]: readonly number[]): [string, JsonValue][] {
  const coding = [...SZIP_CODINGS].find(([bit]) => mask & bit)
  return [
    ['bitsPerPixel', bitsPerPixel],
    ...(coding ? [['coding', coding[1]] satisfies [string, JsonValue]] : []),
    ['pixelsPerBlock', pixelsPerBlock],
    ['pixelsPerScanline', pixelsPerScanline],
  ]
}

function scaleOffsetOptions([scaleType = 0, scaleFactor = 0]: readonly number[]): [string, JsonValue][] {
  // The factor is a signed 32-bit integer.
  return [
    ['scaleType', SCALE_TYPES[scaleType] ?? scaleType],
    ['scaleOffset', scaleFactor | 0],
  ]
}
