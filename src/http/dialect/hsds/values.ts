// Values in the hsds dialect's JSON (contract 20, 5.4 and 16; 30, 1.3 and 12.4): references by prefixed id, with the
// collection before it or bare; a null reference is the empty text.

import { COLLECTIONS, formatPrefixed, type ObjectReference, parsePrefixed } from '../../../hdf5/object-id.ts'
import type { ReferenceSyntax, ValueStyle } from '../../../hdf5/values/references.ts'
import type { Place } from '../dialect.ts'

export const hsdsReferences: ReferenceSyntax = {
  parse(text) {
    const slash = text.indexOf('/')
    const reference = parsePrefixed(text.slice(slash + 1))
    const fits = slash < 0 || (reference && text.slice(0, slash) === COLLECTIONS[reference.kind])
    return fits ? reference : undefined
  },
  format: (reference: ObjectReference) => `${COLLECTIONS[reference.kind]}/${formatPrefixed(reference)}`,
  parseId: text => parsePrefixed(text)?.id,
  formatId: formatPrefixed,
  nullText: '',
}

/** Attributes tell a 32-bit float as it was sent; datasets tell the double that it is (contract 20, 16.1; 30, 1.3). */
export function hsdsValueStyle(place: Place, of: 'dataset' | 'attribute'): ValueStyle {
  return {
    references: hsdsReferences,
    nonFinite: place.nonFinite,
    float32: of === 'attribute' ? 'shortest' : 'widened',
  }
}
