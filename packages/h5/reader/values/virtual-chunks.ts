// The parts of a virtual dataset that have mappings, as chunks of a grid. All others have the fill value, and cost
// nothing, whatever the extents.

import { runInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { coordinatesWithin } from '@hyperslab/model/dataset'
import type { ChunkCoordinates, StoredChunks } from '../../file-reader.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import { type AxisSet, axesOf } from './axis-set.ts'

/**
 * The most chunks of a grid of usual chunks, some MiB each. A larger dataset is not read: a few bytes of a file can map
 * any number of elements.
 * @limit safety, chunks
 */
const MAX_CHUNKS = 2 ** 16
const BATCH = 1024

/** `chunkDims`: of the grid. */
export function mappedChunks(
  dims: readonly number[],
  chunkDims: readonly number[],
  mappings: readonly VirtualMapping[],
): StoredChunks {
  let chunks: readonly ChunkCoordinates[] | undefined
  return {
    chunkDims,
    async *batches() {
      chunks ??= dims.includes(0) ? [] : await runInTurns(chunksOfMappings(dims, chunkDims, mappings))
      for (let from = 0; from < chunks.length; from += BATCH) yield chunks.slice(from, from + BATCH)
    },
  }
}

/** The chunks of the mappings, each once, in the order of the grid. */
function* chunksOfMappings(
  dims: readonly number[],
  chunkDims: readonly number[],
  mappings: readonly VirtualMapping[],
): Generator<void, readonly ChunkCoordinates[]> {
  const chunks = new Map<string, ChunkCoordinates>()
  let visited = 0
  for (const { target } of mappings) {
    yield
    const axes = axesOf(target, dims)
    // The other dimensions have no lists.
    if (axes.some((axis, d) => axis.positionsBefore(dims[d]) === 0)) continue
    const indexesByAxis = axes.map((axis, d) => [...indexesOf(axis, dims[d], chunkDims[d])])
    visited += indexesByAxis.reduce((count, indexes) => count * indexes.length, 1)
    if (visited > MAX_CHUNKS) throw tooLarge()
    for (const offset of coordinatesWithin(indexesByAxis.map(({ length }) => length))) {
      const chunk = offset.map((at, d) => indexesByAxis[d][at])
      chunks.set(chunk.join(), chunk)
    }
  }
  return [...chunks.values()].sort((a, b) => {
    const d = a.findIndex((index, i) => index !== b[i])
    return d === -1 ? 0 : a[d] - b[d]
  })
}

/** The indexes of the intervals of `length` coordinates that have a coordinate of the axis below `extent`. */
function* indexesOf(axis: AxisSet, extent: number, length: number): Generator<number> {
  const end = axis.positionsBefore(extent)
  let count = 0
  for (let position = 0; position < end; ) {
    const [{ coordinate }] = axis.runs(position, position + 1)
    const index = Math.floor(coordinate / length)
    if (++count > MAX_CHUNKS) throw tooLarge()
    yield index
    position = axis.positionsBefore((index + 1) * length)
  }
}

function tooLarge(): HyperslabError {
  const rule = `its mappings lead to more than ${MAX_CHUNKS} chunks, the most that are read`
  return new HyperslabError('type-unsupported', `the virtual dataset cannot be read: ${rule}`)
}
