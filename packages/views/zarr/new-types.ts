// The types of HDF5 for text and booleans of Zarr, as h5py writes them.

import type { JsonObject, JsonValue } from '@hyperslab/model/json'

export const TEXT: JsonObject = new Map<string, JsonValue>([
  ['class', 'H5T_STRING'],
  ['charSet', 'H5T_CSET_UTF8'],
  ['strPad', 'H5T_STR_NULLTERM'],
  ['length', 'H5T_VARIABLE'],
])

export const BOOLEAN: JsonObject = new Map<string, JsonValue>([
  ['class', 'H5T_ENUM'],
  ['base', 'H5T_STD_I8LE'],
  [
    'mapping',
    new Map<string, JsonValue>([
      ['FALSE', 0],
      ['TRUE', 1],
    ]),
  ],
])
