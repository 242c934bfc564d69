// Joined datasets whose chunks are those of their files: all files have the same chunk shape and filters, and each file
// but the last one has whole chunks along the dimension. Then clients get the chunks as they are stored.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { JoinedDataset, JoinedObjects } from '@hyperslab/h5/reader'
import { isSameType } from '@hyperslab/model/datatype'
import type { Outline } from './outlines/outline.ts'

/** The datasets with the form of their chunks, where these pass; `outlines` are by the names of the files. */
export async function withWholeChunks(
  planned: JoinedObjects['datasets'],
  outlines: ReadonlyMap<string, Outline>,
): Promise<JoinedObjects['datasets']> {
  const datasets = new Map(planned)
  for (const [address, joined] of planned) {
    const [part] = joined.parts
    const storage = part && outlines.get(part.file)?.datasets.get(part.dataset)?.storage
    // A fill value of its own is not that of the chunks that the files do not store.
    if (!storage || joined.newAxis || joined.fillsUnreadable || joined.fillValue) continue
    const { chunkDims, filters, key } = storage
    if (await areWhole(joined, outlines, key, chunkDims[joined.axis]))
      datasets.set(address, { ...joined, chunks: { chunkDims, filters } })
  }
  return datasets
}

async function areWhole(
  { parts, axis, type, space }: JoinedDataset,
  outlines: ReadonlyMap<string, Outline>,
  key: string,
  length: number,
): Promise<boolean> {
  for (const { file, dataset: path, start, count, sourceStart, convert, failure } of parts) {
    if (isTurnOver()) await nextTurn()
    if (convert || failure) return false
    const dataset = outlines.get(file)?.datasets.get(path)
    if (dataset?.storage?.key !== key || !isSameType(dataset.type, type)) return false
    // Elements beyond the part would be in its last chunk.
    const isAll = sourceStart === 0 && count === dataset.space.dims[axis]
    const isLast = start + count === space.dims[axis]
    if (!isAll || start % length !== 0 || (count % length !== 0 && !isLast)) return false
  }
  return true
}
