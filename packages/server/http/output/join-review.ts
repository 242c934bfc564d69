// The answer to a dry run of a definition (common 34).

import type { JoinReview } from '@hyperslab/store/store'
import type { Body } from '../dialect/dialect.ts'

/** Files of a review that are named: their number is there too. @limit memory, files */
const MAX_NAMED = 1000

export function presentReview({ files, length, datasets, conflicts, warnings }: JoinReview): Body {
  return {
    files: files.length,
    names: files.slice(0, MAX_NAMED),
    length,
    datasets: datasets.map(({ path, shape, axis }) => ({ path, shape, axis })),
    conflicts: conflicts.map(({ files, object, reason, option }) => ({
      files,
      ...(object !== undefined && { object }),
      reason,
      ...(option !== undefined && { option }),
    })),
    warnings: presentWarnings(warnings),
  }
}

/** Each with the members that its schema has. */
export function presentWarnings(warnings: JoinReview['warnings']): readonly Body[] {
  return warnings.map(({ path, message }) => ({ path, message }))
}
