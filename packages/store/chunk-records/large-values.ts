// Values of attributes that are too long for their records. They are stored like the values of a dataset of one
// dimension that has all elements in row-major order: the same chunks, blobs and sweeping, and a value is never in
// memory as a whole.

import { HyperslabError } from '@hyperslab/base/errors'
import { chunkItemSize, extentsOf, product, storedChunkDims } from '@hyperslab/model/dataset'
import type { ObjectId } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import { type Elements, expandPieces, singlePiece } from '@hyperslab/model/values'
import { type ChunkLayout, layoutOfChunks } from '../chunks/chunk-layout.ts'
import { elementsBytes, joinElements } from '../chunks/read-chunk.ts'
import { type ReadParts, readSelection } from '../chunks/read-values.ts'
import type { Attribute, LargeValue } from '../interfaces/store.ts'
import { type WriteParts, writeSelection } from './write-values.ts'

/** The properties on which the layout of a value depends. */
type Shape = Pick<Attribute, 'type' | 'space'>

export function openLargeValue(
  partsFor: (layout: ChunkLayout) => ReadParts,
  id: ObjectId,
  shape: Shape,
  pieceBytes: number,
): LargeValue {
  const layout = layoutOfLargeValue(id, shape, pieceBytes)
  const read = () => expandPieces(layout.type, readSelection(partsFor(layout), layout, allOf(layout)))
  const pieces = { [Symbol.asyncIterator]: read }
  return { version: id, pieces }
}

/** Stores the elements under a new id. */
export async function writeLargeValue(
  parts: WriteParts,
  id: ObjectId,
  shape: Shape,
  pieceBytes: number,
  elements: AsyncIterable<Elements>,
): Promise<void> {
  const layout = layoutOfLargeValue(id, shape, pieceBytes)
  await writeSelection(parts, layout, allOf(layout), elements)
}

/** The elements of a value as a whole if they take at most `most` bytes, otherwise all of them in pieces. */
export async function wholeIfShort(
  { type, space }: Shape,
  value: Elements | AsyncIterable<Elements>,
  most: number,
): Promise<Elements | AsyncIterable<Elements>> {
  if ('data' in value) return elementsBytes(value) <= most ? value : singlePiece(value)
  const count = product(extentsOf(space))
  const source = value[Symbol.asyncIterator]()
  const held: Elements[] = []
  let bytes = 0
  let elementCount = 0
  for (let next = await source.next(); !next.done; next = await source.next()) {
    const piece = next.value
    bytes += elementsBytes(piece)
    elementCount += piece.count
    // The count of the elements is checked elsewhere. This piece is valid until the next one is requested.
    if (bytes > most || elementCount > count) return heldAndMore([...held, piece], source)
    // The source may use its memory again.
    held.push({ ...piece, data: piece.data.slice(), heap: piece.heap.slice() })
  }
  if (elementCount < count) {
    throw new HyperslabError(
      'value-count-mismatch',
      `the dataspace has ${count} element(s), but only ${elementCount} were given`,
    )
  }
  return joinElements(type, held)
}

/** The layout of a dataset of one dimension with the elements of the value. */
export function layoutOfLargeValue(id: ObjectId, { type, space }: Shape, pieceBytes: number): ChunkLayout {
  const flat = { class: 'H5S_SIMPLE', dims: [product(extentsOf(space))] } as const
  const chunkDims = storedChunkDims(flat, chunkItemSize(type))
  const creationProperties = {
    json: new Map(),
    given: false,
    layout: 'H5D_CHUNKED',
    chunkDims,
    filters: [],
  } as const
  const base = { kind: 'dataset', id, created: 0, acl: [] } as const
  return layoutOfChunks({ ...base, type, space: flat, creationProperties }, pieceBytes)
}

function allOf({ grid: { dims } }: ChunkLayout): Selection {
  return { kind: 'hyperslab', start: [0], stride: [1], count: dims, block: [1] }
}

async function* heldAndMore(held: Elements[], source: AsyncIterator<Elements>): AsyncGenerator<Elements> {
  try {
    yield* held.splice(0)
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  } finally {
    await source.return?.()
  }
}
