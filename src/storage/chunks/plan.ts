// The chunks that a selection touches, found in turns with the rest of the process.

import { planInSteps, planParts } from '../../hdf5/selection/runs.ts'
import type { ChunkGrid, ChunkPart, Selection } from '../../hdf5/selection/selection.ts'
import { Turns } from '../../turns.ts'
import type { AbortCheck } from '../store.ts'

/** As planParts gives them; can be gone through again. */
export async function planInTurns(
  selection: Selection,
  grid: ChunkGrid,
  signal?: AbortCheck,
): Promise<Iterable<ChunkPart>> {
  // Found as it is asked for.
  if (selection.kind === 'hyperslab') return planParts(selection, grid)
  const steps = planInSteps(selection, grid)
  const turns = new Turns()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    signal?.throwIfAborted()
    if (turns.isOver) await turns.next()
  }
}
