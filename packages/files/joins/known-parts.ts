// Parts of joined datasets whose elements are in the outlines of their files: their files need not be opened.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { JoinedObjects } from '@hyperslab/h5/reader'
import type { Outline } from './outlines/outline.ts'

/** The datasets with what the outlines of the files know; `outlines` are by the names of the files. */
export async function withKnownParts(
  planned: JoinedObjects['datasets'],
  outlines: ReadonlyMap<string, Outline>,
): Promise<JoinedObjects['datasets']> {
  const datasets = new Map(planned)
  for (const [address, joined] of planned) {
    if (joined.parts.every(({ file, dataset }) => outlines.get(file)?.known?.path !== dataset)) continue
    const parts: (typeof joined.parts)[number][] = []
    for (const part of joined.parts) {
      if (isTurnOver()) await nextTurn()
      const known = outlines.get(part.file)?.known
      parts.push(known?.path === part.dataset ? { ...part, known } : part)
    }
    datasets.set(address, { ...joined, parts })
  }
  return datasets
}
