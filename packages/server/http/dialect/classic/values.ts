// Values in the classic dialect's JSON (classic 15.4): references by UUID, a null reference as the string "null",
// 32-bit floats widened.

import { COLLECTIONS, isCollection, kindOfCollection, type ObjectReference } from '@hyperslab/model/names'
import type { ReferenceSyntax, ValueStyle } from '@hyperslab/model/values'
import type { Place } from '../hrefs.ts'
import { formatUuid, parseUuid } from '../ids.ts'

export const classicReferences: ReferenceSyntax = {
  parse(text) {
    const [collection = '', uuid = '', ...rest] = text.split('/')
    if (rest.length > 0 || !isCollection(collection)) return undefined
    const id = parseUuid(uuid)
    return id && { kind: kindOfCollection(collection), id }
  },
  format: (reference: ObjectReference) => `${COLLECTIONS[reference.kind]}/${formatUuid(reference.id)}`,
  parseId: parseUuid,
  formatId: reference => formatUuid(reference.id),
  nullText: 'null',
}

export function classicValueStyle(place: Place): ValueStyle {
  return { references: classicReferences, nonFinite: place.nonFinite, float32: 'widened' }
}
