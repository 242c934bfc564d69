// Dates and durations of NumPy, which are opaque in the data model; the rule is that of the page.

import { type NumpyDates, numpyDates } from '@hyperslab/meaning/meaning'
import type { Datatype } from './datatype.ts'

/** Undefined: the type has no dates and no durations. */
export function datesOf(type: Datatype): NumpyDates | undefined {
  return type.class === 'H5T_OPAQUE' ? numpyDates(type.tag, type.size) : undefined
}
