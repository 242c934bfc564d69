// The chunks that a selection touches, found in steps between which the process does other work.

import { type AbortCheck, runInTurns } from '../bounded/turns.ts'
import { planInSteps, planParts } from '../hdf5/selection/runs.ts'
import type { ChunkGrid, ChunkPart, Selection } from '../hdf5/selection/selection.ts'

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
