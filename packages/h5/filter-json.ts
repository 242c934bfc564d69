// The filters of a dataset of a file in the words of classic 16.2.

import type { JsonObject, JsonValue } from '@hyperslab/model/json'
import { codecOf } from './filters/codecs.ts'
import type { FilterDescription } from './format/messages/filters.ts'

const SZIP_CODINGS = new Map([
  [4, 'H5_SZIP_EC_OPTION_MASK'],
  [32, 'H5_SZIP_NN_OPTION_MASK'],
])
const SCALE_TYPES = ['H5Z_SO_FLOAT_DSCALE', 'H5Z_SO_FLOAT_ESCALE', 'H5Z_SO_INT']

type Options = readonly (readonly [string, JsonValue])[]

interface KnownFilter {
  /** Since version 2 of the message, files do not store the names of the library's own filters. */
  readonly name: string
  /** The options in the client data of the filter as HDF5 stores it. */
  readonly options: (data: readonly number[]) => Options
}

const noOptions = (): Options => []

const FILTERS = new Map<number, KnownFilter>([
  [1, { name: 'deflate', options: ([level = 0]) => [['level', level]] }],
  [2, { name: 'shuffle', options: noOptions }],
  [3, { name: 'fletcher32', options: noOptions }],
  [4, { name: 'szip', options: szipOptions }],
  [5, { name: 'nbit', options: noOptions }],
  [6, { name: 'scaleoffset', options: scaleOffsetOptions }],
  [32000, { name: 'lzf', options: noOptions }],
])

/** The filter without its class, which follows from the number (model/dataset/creation-properties.ts). */
export function filterJson({ id, name, isOptional, clientData }: FilterDescription): JsonObject {
  const filter = FILTERS.get(id)
  const shownName = name || filter?.name
  return new Map<string, JsonValue>([
    ['id', id],
    ...(shownName ? [['name', shownName] as const] : []),
    ...(filter ? filter.options(clientData) : [['parameters', [...clientData]] as const]),
    ...(filter || codecOf(id) || isOptional ? [] : [['optional', false] as const]),
  ])
}

function szipOptions([
  mask = 0,
  pixelsPerBlock = 0,
  bitsPerPixel = 0,
  pixelsPerScanline = 0,
]: readonly number[]): Options {
  const coding = [...SZIP_CODINGS].find(([bit]) => mask & bit)
  return [
    ['bitsPerPixel', bitsPerPixel],
    ...(coding ? [['coding', coding[1]] as const] : []),
    ['pixelsPerBlock', pixelsPerBlock],
    ['pixelsPerScanline', pixelsPerScanline],
  ]
}

function scaleOffsetOptions([scaleType = 0, scaleFactor = 0]: readonly number[]): Options {
  // The factor is a signed 32-bit integer.
  return [
    ['scaleType', SCALE_TYPES[scaleType] ?? scaleType],
    ['scaleOffset', scaleFactor | 0],
  ]
}
