// The selection of a request, before the dataspace is known: every number is a whole number up to 2^53 - 1, but may be
// outside the dataspace. parse.ts makes one, resolve.ts checks it against a dataspace.

/**
 * The grammar of selections. `ranges` (classic 7.9, 7.10 and 15.2): indices and ranges, which may be empty, or `ALL`;
 * start, stop and step have their defaults if they are absent or 0; a scalar ignores `select`. `lists` (hsds-values 8
 * and 9): coordinate lists too, `select` as JSON, start and stop both, no empty range; a scalar counts as one with dims
 * [1].
 */
export type SelectionGrammar = 'ranges' | 'lists'

/** A range whose absent parts mean 0, the extent and 1, or a single index. */
export interface RangeItem {
  readonly start?: number
  readonly stop?: number
  readonly step?: number
}

/** One item of `select`: a range, or a list of coordinates in any order. */
export type SelectItem = RangeItem | Float64Array

export type SelectionRequest =
  | { readonly kind: 'all' }
  /** `select=[a:b:c,...]`, an item per dimension. */
  | { readonly kind: 'select'; readonly grammar: SelectionGrammar; readonly items: readonly SelectItem[] }
  /** `start`, `stop`, `step` of a body in the grammar `ranges`: a number per dimension, or absent for the default. */
  | {
      readonly kind: 'hyperslab'
      readonly start?: readonly number[]
      readonly stop?: readonly number[]
      readonly step?: readonly number[]
    }
  /** `rank` coordinates per point, or as many as the dataset has dimensions. */
  | { readonly kind: 'points'; readonly rank?: number; readonly coordinates: Float64Array }

export const SELECT_ALL: SelectionRequest = { kind: 'all' }
