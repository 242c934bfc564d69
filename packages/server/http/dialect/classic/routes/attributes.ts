// Paths of attributes that only the classic dialect has.

import type { Route } from '../../../route/route.ts'
import { attributeAt, listAttributesAt, VALUE_PATH } from '../../../routes/attributes.ts'

export const attributeRoutes: readonly Route[] = [
  // A path without the name lists attributes, like one without the slash (classic 3.5).
  listAttributesAt('/:collection/:id/attributes/', 'classic'),
  // Names in the path may contain slashes, and end with any word.
  ...attributeAt(VALUE_PATH, 'classic'),
]
