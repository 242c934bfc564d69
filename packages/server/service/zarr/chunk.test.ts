// Chunks whose values are elsewhere have no name, so they are kept until their tag is known: their pieces must stay
// valid although the reader uses its memory again.

import type { Elements } from '@hyperslab/model/values'
import { expect, it } from 'vitest'
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
    creationProperties: { layout: 'H5D_VIRTUAL', chunkDims: [6], filters: [], json: new Map() },
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
  const chunk = await readChunk(context, node, ['c', '0'], 3, {
    dims: async () => [6],
    isFillMissing: async () => false,
  })
  expect([chunk.name, chunk.length]).toEqual([undefined, undefined])
  const kept: Uint8Array[] = []
  for await (const piece of chunk.pieces) kept.push(piece)
  expect(kept.length).toBeGreaterThan(1)
  expect([...new Int32Array(new Uint8Array(Buffer.concat(kept)).buffer)]).toEqual([0, 1, 2, 3, 4, 5])
})

it('a chunk that its dimension is beyond is filled up, whatever is stored there', async () => {
  const { context, node } = virtualDataset()
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(24).fill(7)
  }
  const stored = { frame: { isPlain: true, pieces: bytes }, name: 'n' }
  const chunkOnDisk = async () => stored
  const space = { class: 'H5S_SIMPLE', dims: [4] } as const
  const shorter = { ...node, dataset: { ...node.dataset, space } }
  async function* readValues(): AsyncGenerator<Elements> {
    yield { count: 4, data: new Uint8Array(Int32Array.of(1, 2, 3, 4).buffer), heap: new Uint8Array(0) }
  }
  const stub = { ...context, reader: { ...context.reader, chunkOnDisk, readValues } } as unknown as Context
  const read = async (extent: number) => {
    const declared = { dims: async () => [extent], isFillMissing: async () => false }
    const chunk = await readChunk(stub, shorter, ['c', '0'], 3, declared)
    const pieces: Uint8Array[] = []
    for await (const piece of chunk.pieces) pieces.push(piece)
    return { name: chunk.name, numbers: [...new Int32Array(new Uint8Array(Buffer.concat(pieces)).buffer)] }
  }
  expect((await read(4)).numbers[0]).toBe(0x07_07_07_07)
  expect((await read(5)).numbers).toEqual([1, 2, 3, 4, 0, 0])
  expect((await read(5)).name).not.toBe((await read(4)).name)
})
