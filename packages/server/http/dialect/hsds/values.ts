// Values in the hsds dialect's JSON: references by prefixed id, a null reference as the empty string.

import { PREFIXED_REFERENCES, type ValueStyle } from '@hyperslab/model/values'
import type { Place } from '../hrefs.ts'

/**
 * The floats of attributes in the fewest digits, so that they come back as they were sent (hsds-objects 16.1); those
 * of datasets as the doubles that they equal (hsds-values 1.3).
 */
export function hsdsValueStyle(place: Place, owner: 'dataset' | 'attribute'): ValueStyle {
  return {
    references: PREFIXED_REFERENCES,
    nonFinite: place.nonFinite,
    float32: owner === 'attribute' ? 'shortest' : 'widened',
    unwrittenSequence: owner === 'attribute' ? 'list' : 'zero',
  }
}
