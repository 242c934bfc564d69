// Chunks whose values are elsewhere have no name, so they are kept until their tag is known: their pieces must stay
// valid although the reader uses its memory again.

import { expect, it } from 'vitest'
import type { Elements } from '../../hdf5/values/elements.ts'
import type { Context } from '../context.ts'
import { readChunk } from './chunk.ts'
import type { ArrayNode } from './nodes.ts'

const I32 = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' } as const

/** A dataset of six numbers in one chunk, which are read two at a time into the same memory. */
function virtualDataset() {
  const dataset = {
    id: 'd-1',
    kind: 'dataset',
    type: I32,
    space: { class: 'H5S_SIMPLE', dims: [6] },
    creationProperties: { layout: 'H5D_VIRTUAL', chunkDims: [6], filters: [] },
  }
  const memory = new Int32Array(2)
  async function* readValues(): AsyncGenerator<Elements> {
    for (let i = 0; i < 6; i += 2) {
      memory.set([i, i + 1])
      yield { count: 2, data: new Uint8Array(memory.buffer), heap: new Uint8Array(0) }
    }
  }
  const reader = { chunkOnDisk: async () => ({}), status: async () => ({}), readValues }
  return {
    context: { reader, signal: { throwIfAborted: () => undefined } } as unknown as Context,
    node: {
      kind: 'dataset',
      domain: { entry: {}, root: {} },
      dataset,
      members: [],
      elementType: I32,
      type: { kind: 'array', name: 'int32', order: 'LE', encoding: 'stored', base: I32, dims: [] },
    } as unknown as ArrayNode,
  }
}

it('pieces of a chunk without a name can be kept', async () => {
  const { context, node } = virtualDataset()
  const chunk = await readChunk(context, node, ['c', '0'], 3, async () => false)
  expect([chunk.name, chunk.length]).toEqual([undefined, undefined])
  const kept: Uint8Array[] = []
  for await (const piece of chunk.pieces) kept.push(piece)
  expect(kept.length).toBeGreaterThan(1)
  expect([...new Int32Array(new Uint8Array(Buffer.concat(kept)).buffer)]).toEqual([0, 1, 2, 3, 4, 5])
})
