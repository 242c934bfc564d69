// The frames of a stack: what is drawn at each index of a dimension that is not drawn.

import type { DimensionUse } from '../view-address.ts'

/** The dimension of the frames: the first one that is not drawn and has several elements. */
export function frameDimension(uses: readonly DimensionUse[], shape: readonly number[]): number | undefined {
  const found = uses.findIndex((use, d) => typeof use === 'number' && (shape[d] ?? 0) > 1)
  return found === -1 ? undefined : found
}

/** The frame so many steps on. After the last one comes the first. Undefined: there is one frame only. */
export function frameAfter(
  uses: readonly DimensionUse[],
  shape: readonly number[],
  steps: number,
): readonly DimensionUse[] | undefined {
  const dimension = frameDimension(uses, shape)
  if (dimension === undefined) return undefined
  const count = shape[dimension] ?? 1
  return uses.with(dimension, (((Number(uses[dimension]) + steps) % count) + count) % count)
}

/** The frame that comes next if the last step is made once more; undefined: the last change was no step. */
export function likelyFrame(
  before: readonly DimensionUse[],
  uses: readonly DimensionUse[],
  shape: readonly number[],
): readonly DimensionUse[] | undefined {
  for (const step of [1, -1]) {
    if (frameAfter(before, shape, step)?.join() === uses.join()) return frameAfter(uses, shape, step)
  }
  return undefined
}
