// The slice of a view as requests have it: the same one as long as the slice is the same.

import type { Selection } from '@hyperslab/client'
import { useMemo } from 'react'
import type { DimensionUse } from '../view-address.ts'
import { selectionOf } from './slice.ts'

/** Undefined: all elements. */
export function useSelection(uses: readonly DimensionUse[]): Selection | undefined {
  const text = JSON.stringify(uses)
  // The text is made of uses.
  return useMemo(() => selectionOf(JSON.parse(text) as DimensionUse[]), [text])
}
