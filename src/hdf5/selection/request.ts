// What was asked to be selected, before the dataspace is known: every number is a whole number up to 2^53 - 1, and
// nothing else is promised. parse.ts makes one, resolve.ts checks it against a dataspace.

/** One item of `select`: a range whose absent parts mean 0, the extent and 1, or a single index. */
export interface RangeItem {
  readonly start?: number
  readonly stop?: number
  readonly step?: number
}

export type SelectionRequest =
  | { readonly kind: 'all' }
  /** `select=[a:b:c,...]`: one item per dimension; a range may be empty. */
  | { readonly kind: 'select'; readonly items: readonly RangeItem[] }
  /** `start`, `stop`, `step` of a body: a number per dimension, or absent for the default; a range is never empty. */
  | {
      readonly kind: 'hyperslab'
      readonly start?: readonly number[]
      readonly stop?: readonly number[]
      readonly step?: readonly number[]
    }
  /** `rank` coordinates per point; absent when there are no points. */
  | { readonly kind: 'points'; readonly rank?: number; readonly coordinates: Float64Array }

export const SELECT_ALL: SelectionRequest = { kind: 'all' }
