// The part of a dataset that a program asks for, as a box of elements with a step in each dimension.

import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'

/** One index, whose dimension the result lacks; from start up to stop, stop excluded, with a step; or all. */
export type Slice =
  | number
  | readonly [start: number, stop: number]
  | readonly [start: number, stop: number, step: number]
  | null

export interface Part {
  readonly start: readonly number[]
  /** The extents of the box that is read. */
  readonly count: readonly number[]
  readonly step: readonly number[]
  /** The shape of the result. */
  readonly shape: readonly number[]
}

/** Dimensions without a slice are whole. Negative numbers count from the end. */
export function partOf(dims: readonly number[], slices: readonly Slice[] = []): Part {
  if (slices.length > dims.length)
    throw new HyperslabError('malformed-selection', `${slices.length} slices for ${dims.length} dimensions`)
  const ranges = dims.map((extent, d) => rangeOf(extent, slices[d] ?? null, d))
  return {
    start: ranges.map(({ start }) => start),
    count: ranges.map(({ length, step }) => (length === 0 ? 0 : (length - 1) * step + 1)),
    step: ranges.map(({ step }) => step),
    shape: ranges.filter(({ isIndex }) => !isIndex).map(({ length }) => length),
  }
}

function rangeOf(extent: number, slice: Slice, dimension: number) {
  const fromEnd = (at: number) => (at < 0 ? at + extent : at)
  const isIndex = typeof slice === 'number'
  const [first, end, step = 1] = isIndex ? [slice, fromEnd(slice) + 1] : (slice ?? [0, extent])
  const [start, stop] = [fromEnd(first), isIndex ? end : Math.min(fromEnd(end), extent)]
  const isValid = [start, stop, step].every(Number.isInteger) && start >= 0 && step >= 1
  if (!isValid || (isIndex && start >= extent)) {
    const message = `[${[slice].flat().join(', ')}] is no part of dimension ${dimension}, of extent ${extent}`
    throw new HyperslabError('malformed-selection', message)
  }
  return { start, length: Math.max(0, Math.ceil((stop - start) / step)), step, isIndex }
}

/** The bytes of every step-th element of a box. */
export function steppedBytes(bytes: Uint8Array, size: number, { count, step }: Part): Uint8Array {
  if (step.every(one => one === 1)) return bytes
  const kept = count.map((extent, d) => Math.ceil(extent / step[d]))
  const result = new Uint8Array(product(kept) * size)
  let to = 0
  const copy = (d: number, from: number): void => {
    if (d === count.length) {
      result.set(bytes.subarray(from * size, (from + 1) * size), to)
      to += size
      return
    }
    for (let i = 0; i < kept[d]; i++) copy(d + 1, from * count[d] + i * step[d])
  }
  copy(0, 0)
  return result
}
