// Filters that only make numbers less precise before they are compressed, reading only: BitGroom (32022, and 37373 in
// older versions of netCDF and the CCR) and Granular BitRound (32023). What they have stored are numbers as they are,
// so decoding has nothing to undo. A chunk that is written here is stored without them. Client data: those of the file.

import { parametersOf } from './client-data.ts'
import type { FilterCodec } from './filter.ts'

export const roundings: readonly FilterCodec[] = [32022, 32023, 37373].map(id => ({
  id,
  takesAnyBytes: true,
  clientData: parametersOf,
  encode: () => undefined,
  decode(bytes, _clientData, maxLength) {
    if (bytes.length > maxLength) throw new Error(`it has ${bytes.length} bytes, more than ${maxLength}`)
    return bytes
  },
}))
