// The chunks that a selection touches, found in steps between which the process does other work.

import { type AbortCheck, runInTurns } from '@hyperslab/base/bounded'
import type { ChunkGrid, ChunkPart, Selection } from '@hyperslab/model/selection'
import { planInSteps, planParts } from '@hyperslab/model/selection'

/** The parts of planParts, as an iterable that can be iterated more than once. */
export async function planInTurns(
  selection: Selection,
  grid: ChunkGrid,
  signal?: AbortCheck,
): Promise<Iterable<ChunkPart>> {
  // The parts are found as they are requested.
  if (selection.kind === 'hyperslab') return planParts(selection, grid)
  return runInTurns(planInSteps(selection, grid), signal)
}
