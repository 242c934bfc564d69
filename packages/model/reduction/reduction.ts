// Reductions: an array of numbers brought down by a whole factor per dimension. An element of the result is the mean,
// the sum and so on of a block of elements; blocks at the far edges may be smaller. NaN counts as absent.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '../dataset/dataspace.ts'
import type { BitfieldType, Datatype, EnumType, FloatType, IntegerType } from '../datatype/datatype.ts'
import { integerOf } from '../values/numbers.ts'

/** Names of reductions that make one number of a block. */
export const SINGLE_NAMES = ['mean', 'min', 'max', 'sum', 'count', 'first'] as const
/** `minmax` makes two, the least and the greatest, along one more dimension, the last. */
export const REDUCTION_NAMES = [...SINGLE_NAMES, 'minmax'] as const
export type ReductionName = (typeof REDUCTION_NAMES)[number]
export type SingleName = (typeof SINGLE_NAMES)[number]

/** `factors`: one for each dimension, or a single one for all of them. */
export interface ReductionRequest {
  readonly name: ReductionName
  readonly factors: readonly number[]
}

export type NumericType = IntegerType | FloatType | EnumType | BitfieldType

/** The work to be done with an array of this type and shape. */
export interface Reduction {
  readonly name: ReductionName
  readonly type: NumericType
  readonly shape: readonly number[]
  /** One for each dimension. */
  readonly factors: readonly number[]
  readonly result: { readonly type: NumericType; readonly shape: readonly number[] }
}

const FLOAT64: FloatType = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const COUNT: IntegerType = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }

/** Blocks that are kept at once while elements come, of up to 48 bytes each. @limit memory, blocks */
const MAX_BLOCKS = 2 ** 21

/**
 * Plans a reduction. Throws `malformed-parameter` if the factors do not fit the shape; `type-unsupported` for elements
 * that are not numbers; `selection-too-large` if more blocks would be kept at once than fit into memory.
 */
export function planReduction(
  type: Datatype,
  shape: readonly number[],
  { name, factors: requested }: ReductionRequest,
): Reduction {
  requireNumeric(type, `reduce=${name}`)
  if (requested.length > 1 && requested.length !== shape.length) {
    throw new HyperslabError(
      'malformed-parameter',
      `reduce=${name}:${requested.join(',')} has ${requested.length} factors for the ${shape.length} dimensions of the ` +
        'selection: give one for each, or one for all',
    )
  }
  const factors = shape.map((extent, d) =>
    Math.min(Math.max(1, extent), requested.length === 1 ? requested[0] : requested[d]),
  )
  const kept = product(keptBlocks(shape, factors))
  if (kept > MAX_BLOCKS) {
    throw new HyperslabError(
      'selection-too-large',
      `reduce=${name} would keep ${kept} numbers at once, more than ${MAX_BLOCKS}: reduce by larger factors, or ` +
        'select less',
    )
  }
  const counts = shape.map((extent, d) => Math.ceil(extent / factors[d]))
  const resultShape = name === 'minmax' ? [...counts, 2] : counts
  return { name, type, shape, factors, result: { type: resultType(name, type, factors), shape: resultShape } }
}

/**
 * The first dimension that is reduced, or the last one: for each index of those before it, blocks are complete by
 * themselves.
 */
export function firstReduced(factors: readonly number[]): number {
  const first = factors.findIndex(factor => factor > 1)
  return first === -1 ? factors.length - 1 : first
}

/** The number of blocks that are kept in each dimension, because their elements come after elements of other blocks. */
export function keptBlocks(shape: readonly number[], factors: readonly number[]): readonly number[] {
  const first = firstReduced(factors)
  return shape.map((extent, d) => (d <= first ? 1 : Math.ceil(extent / factors[d])))
}

export function isNumeric(type: Datatype): type is NumericType {
  return ['H5T_INTEGER', 'H5T_FLOAT', 'H5T_ENUM', 'H5T_BITFIELD'].includes(type.class)
}

/** Throws unless the type is numeric; `subject` names the part that needs numbers. */
export function requireNumeric(type: Datatype, subject: string): asserts type is NumericType {
  if (isNumeric(type)) return
  throw new HyperslabError('type-unsupported', `${subject} needs numbers: these values are ${type.class}`)
}

/** Sums of integers are exact in 64 bits, or, where these could overflow, doubles. */
function resultType(name: ReductionName, type: NumericType, factors: readonly number[]): NumericType {
  switch (name) {
    case 'min':
    case 'max':
    case 'minmax':
    case 'first':
      return type
    case 'mean':
      return FLOAT64
    case 'count':
      return COUNT
    case 'sum': {
      if (type.class === 'H5T_FLOAT') return FLOAT64
      const { size, signed } = integerOf(type)
      const isExact = size < 8 && product(factors) <= 2 ** (64 - 8 * size)
      return isExact ? { class: 'H5T_INTEGER', size: 8, signed, order: 'LE' } : FLOAT64
    }
  }
}
