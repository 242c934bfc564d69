// Tests of numbers: integers, floats, enums and bitfields. Numbers are loaded as doubles, which is exact but for
// integers beyond 2^53: with a literal up to 2^53 - 1 their comparison is right all the same, and with a greater one
// they are compared word by word.

import type { FloatType, IntegerType } from '@hyperslab/model/datatype'
import { floatOfHalf, roundToSize } from '@hyperslab/model/values'
import type { Block, Field, Outcomes, Test } from './block.ts'

type NumberType = IntegerType | FloatType

/** A literal for a float is rounded to its size, so that 0.1 finds the float32 0.1 (hsds-values 11.3). */
function doubleOf(type: NumberType, literal: number | bigint): number {
  const double = Number(literal)
  return type.class === 'H5T_FLOAT' ? roundToSize(double, type.size) : double
}

export function compareNumber(
  type: NumberType,
  field: Field,
  literal: number | bigint,
  outcomes: Outcomes,
): Test {
  if (typeof literal === 'bigint' && type.class === 'H5T_INTEGER' && type.size === 8) {
    return compareWords(type, field, literal, outcomes)
  }
  const load = loader(type, field)
  const double = doubleOf(type, literal)
  const { less, equal, greater, unordered } = outcomes
  return (block, mask) => {
    load(block)
    const { numbers, count } = block
    for (let i = 0; i < count; i++) {
      const value = numbers[i]
      mask[i] = value < double ? less : value > double ? greater : value === double ? equal : unordered
    }
  }
}

/** 64-bit integers as their upper half, which has the sign, and their lower half. */
function compareWords(
  type: IntegerType,
  { offset, stride }: Field,
  literal: bigint,
  outcomes: Outcomes,
): Test {
  const { less, equal, greater } = outcomes
  const wrapped = type.signed ? BigInt.asIntN(64, literal) : BigInt.asUintN(64, literal)
  // No value is this large, or this small.
  if (wrapped !== literal) {
    const outcome = literal > 0n ? less : greater
    return ({ count }, mask) => mask.fill(outcome, 0, count)
  }
  const literalHigh = Number(literal >> 32n)
  const literalLow = Number(BigInt.asUintN(32, literal))
  const { signed } = type
  const little = type.order === 'LE'
  const highAt = little ? 4 : 0
  return ({ data: { view }, first, positions, count }, mask) => {
    const start = first * stride + offset
    for (let i = 0; i < count; i++) {
      const position = start + positions[i] * stride
      const high = signed
        ? view.getInt32(position + highAt, little)
        : view.getUint32(position + highAt, little)
      const low = view.getUint32(position + 4 - highAt, little)
      if (high === literalHigh) mask[i] = low < literalLow ? less : low > literalLow ? greater : equal
      else mask[i] = high < literalHigh ? less : greater
    }
  }
}

/** The tests of which one must hold for the number to be among the literals. */
export function numberIn(
  type: NumberType,
  field: Field,
  literals: readonly (number | bigint)[],
): readonly Test[] {
  const isWide = type.class === 'H5T_INTEGER' && type.size === 8
  const inWords = isWide ? literals.filter(literal => typeof literal === 'bigint') : []
  const others = isWide ? literals.filter(literal => typeof literal === 'number') : literals
  const tests = inWords.length > 0 ? [wordIn(type, field, new Set(inWords))] : []
  if (others.length > 0) tests.push(doubleIn(type, field, others))
  return tests
}

/** 64-bit integers that doubles do not have. */
function wordIn(type: NumberType, { offset, stride }: Field, literals: ReadonlySet<bigint>): Test {
  const little = type.order === 'LE'
  const isSigned = type.class === 'H5T_INTEGER' && type.signed
  return ({ data: { view }, first, positions, count }, mask) => {
    const start = first * stride + offset
    for (let i = 0; i < count; i++) {
      const position = start + positions[i] * stride
      const value = isSigned ? view.getBigInt64(position, little) : view.getBigUint64(position, little)
      mask[i] = literals.has(value) ? 1 : 0
    }
  }
}

function doubleIn(type: NumberType, field: Field, literals: readonly (number | bigint)[]): Test {
  const load = loader(type, field)
  const sorted = Float64Array.from(literals, literal => doubleOf(type, literal)).sort()
  return (block, mask) => {
    load(block)
    const { numbers, count } = block
    for (let i = 0; i < count; i++) {
      const value = numbers[i]
      let from = 0
      let to = sorted.length
      while (from < to) {
        const middle = (from + to) >>> 1
        if (sorted[middle] < value) from = middle + 1
        else to = middle
      }
      mask[i] = sorted[from] === value ? 1 : 0
    }
  }
}

/**
 * Fills `block.numbers`. The kind of number is tested inside the loop, because a branch that is always the same is
 * cheap.
 */
function loader(type: NumberType, { offset, stride }: Field): (block: Block) => void {
  const little = type.order === 'LE'
  if (type.class === 'H5T_FLOAT') {
    const { size } = type
    return ({ data: { view }, first, positions, count, numbers }) => {
      const start = first * stride + offset
      for (let i = 0; i < count; i++) {
        const position = start + positions[i] * stride
        if (size === 8) numbers[i] = view.getFloat64(position, little)
        else if (size === 4) numbers[i] = view.getFloat32(position, little)
        else numbers[i] = floatOfHalf(view.getUint16(position, little))
      }
    }
  }
  const { size, signed } = type
  const highAt = little ? 4 : 0
  return ({ data: { view }, first, positions, count, numbers }) => {
    const start = first * stride + offset
    for (let i = 0; i < count; i++) {
      const position = start + positions[i] * stride
      if (size === 4) numbers[i] = signed ? view.getInt32(position, little) : view.getUint32(position, little)
      else if (size === 2)
        numbers[i] = signed ? view.getInt16(position, little) : view.getUint16(position, little)
      else if (size === 1) numbers[i] = signed ? view.getInt8(position) : view.getUint8(position)
      else {
        const high = signed
          ? view.getInt32(position + highAt, little)
          : view.getUint32(position + highAt, little)
        numbers[i] = high * 2 ** 32 + view.getUint32(position + 4 - highAt, little)
      }
    }
  }
}
