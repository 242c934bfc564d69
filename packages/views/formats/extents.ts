// The dimensions of values in formats that have few of them.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import { isNumeric, type NumericType } from '@hyperslab/model/reduction'

/**
 * The shape without its first dimensions of extent 1, down to `rank` dimensions; more are left if they have other
 * extents.
 */
export function withoutOnes(shape: readonly number[], rank: number): readonly number[] {
  const extents = [...shape]
  while (extents.length > rank && extents.includes(1)) extents.splice(extents.indexOf(1), 1)
  return extents
}

/** Numbers in rows and columns, row by row; at least one. */
export interface Matrix {
  readonly type: NumericType
  readonly rows: number
  readonly columns: number
}

/**
 * The matrix that an image of `format` shows. `format-unsupported` for other values, and for more than `maxSide` rows
 * or columns.
 */
export function imageMatrix(
  type: Datatype,
  shape: readonly number[],
  format: string,
  maxSide: number,
): Matrix {
  const [rows, columns, ...others] = withoutOnes(shape, 2)
  const isMatrix = columns !== undefined && others.length === 0 && rows > 0 && columns > 0
  if (isNumeric(type) && isMatrix && Math.max(rows, columns) <= maxSide) return { type, rows, columns }
  throw new HyperslabError(
    'format-unsupported',
    `${format} cannot hold ${type.class} of the extents [${shape.join(', ')}]: select numbers in two ` +
      `dimensions, at least one and at most ${maxSide} in each`,
  )
}

/** Throws `format-unsupported` for more than one dimension of more than one element. */
export function requireRows(shape: readonly number[], format: string): void {
  if (withoutOnes(shape, 1).length <= 1) return
  throw new HyperslabError(
    'format-unsupported',
    `${format} has rows, and cannot hold values of the extents [${shape.join(', ')}]: select at most one ` +
      'dimension of more than one element',
  )
}
