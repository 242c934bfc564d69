// Objects of fractal heaps: managed, huge and tiny, with and without filters, and damaged ones.

import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { placeBTree2 } from '../../../../test/fixtures/b-tree-2.ts'
import {
  type AddressedStructure,
  ALL_WIDTHS,
  fileOf,
  WIDE,
} from '../../../../test/fixtures/file-of-structures.ts'
import { EMPTY_HEAP, placeFractalHeap } from '../../../../test/fixtures/fractal-heap.ts'
import { FieldWriter } from '../../format/field-writer.ts'
import { encodeFractalHeapHeader, type FractalHeapHeader } from '../../format/heaps/fractal-heap.ts'
import { encodeDirectBlock, encodeIndirectBlock } from '../../format/heaps/fractal-heap-blocks.ts'
import { encodeHeapId, type HeapId } from '../../format/heaps/heap-id.ts'
import { encodeFilters } from '../../format/messages/filters.ts'
import { openFractalHeap } from './fractal-heap.ts'

const HEAP = 40

function header(heap: FractalHeapHeader): AddressedStructure {
  return { address: HEAP, bytes: encodeFractalHeapHeader(heap, WIDE).slice() }
}

function stringsOf(objects: readonly Uint8Array[]): readonly string[] {
  return objects.map(object => Buffer.from(object).toString())
}

function id(heap: FractalHeapHeader, value: HeapId): Uint8Array {
  return encodeHeapId(value, heap, WIDE).slice()
}

function deflateFilters(name = '', filterId = 1): Uint8Array {
  const writer = new FieldWriter(WIDE)
  encodeFilters(writer, [{ id: filterId, name, isOptional: false, clientData: [6] }])
  return writer.bytes.slice()
}

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  it('managed objects are found in all blocks, in any order', async () => {
    const { structures, ids } = placeFractalHeap(HEAP, widths)
    const file = fileOf(structures, widths)
    const heap = await openFractalHeap(file, HEAP)
    const objects = stringsOf(await heap.objects([...ids].reverse()))
    // Six blocks in the root, four in each of the two indirect blocks below it.
    expect(objects.length).toBe(14)
    const offsets = [0, 64, 128, 192, 256, 384, 512, 576, 640, 704, 768, 832, 896, 960].reverse()
    for (const [index, offset] of offsets.entries()) {
      expect(objects[index].startsWith(`object of block ${offset}`.slice(0, objects[index].length))).toBe(
        true,
      )
    }
    expect(stringsOf(await (await openFractalHeap(file, HEAP)).objects(ids))).toEqual(
      stringsOf(await heap.objects(ids)),
    )
  })
})

describe('objects of a fractal heap', () => {
  it('are in the root if it is a direct block', async () => {
    const bytes = encodeDirectBlock(
      Buffer.alloc(43, 'abc'),
      EMPTY_HEAP,
      { heapAddress: HEAP, offset: 0 },
      WIDE,
    ).slice()
    const heap: FractalHeapHeader = { ...EMPTY_HEAP, table: { ...EMPTY_HEAP.table, root: 512 } }
    const opened = await openFractalHeap(fileOf([header(heap), { address: 512, bytes }]), HEAP)
    const object = await opened.object(id(heap, { kind: 'managed', offset: 24, length: 6 }))
    expect(Buffer.from(object).toString()).toBe('abcabc')
  })

  it('that are tiny are in their ids', async () => {
    const heap = await openFractalHeap(fileOf([header(EMPTY_HEAP)]), HEAP)
    const objects = await heap.objects([id(EMPTY_HEAP, { kind: 'tiny', object: Buffer.from('tiny') })])
    expect(stringsOf(objects)).toEqual(['tiny'])
  })

  it('that are huge are found by their address, or in the B-tree', async () => {
    const huge = { address: 9000, bytes: Buffer.alloc(5000, 'huge') }
    const direct: FractalHeapHeader = { ...EMPTY_HEAP, idLength: 17 }
    const first = await openFractalHeap(fileOf([header(direct), huge]), HEAP)
    const location = { address: 9000, length: 5000 }
    expect(await first.object(id(direct, { kind: 'huge', object: location }))).toEqual(
      Uint8Array.from(huge.bytes),
    )

    const record = new FieldWriter(WIDE)
    record.address(9000)
    record.length(5000)
    record.length(3)
    const tree = placeBTree2(
      { type: 1, records: [record.bytes.slice()], depth: 0, nodeSize: 512 },
      1024,
      WIDE,
    )
    const indexed: FractalHeapHeader = { ...EMPTY_HEAP, hugeIndex: 1024 }
    const second = await openFractalHeap(fileOf([header(indexed), ...tree, huge]), HEAP)
    expect(await second.object(id(indexed, { kind: 'indexed', id: 3 }))).toEqual(Uint8Array.from(huge.bytes))
    await expect(second.object(id(indexed, { kind: 'indexed', id: 4 }))).rejects.toThrow(
      'it has no huge object 4',
    )
    const same = id(indexed, { kind: 'indexed', id: 3 })
    await expect(second.objects([same, same])).rejects.toThrow('two of its parts lead to this address')
  })

  it('are decoded where the heap has filters', async () => {
    const plain = encodeDirectBlock(Buffer.alloc(43, 'x'), EMPTY_HEAP, { heapAddress: HEAP, offset: 0 }, WIDE)
    const block = deflateSync(plain)
    const huge = deflateSync(Buffer.alloc(5000, 'huge'))
    const heap: FractalHeapHeader = {
      ...EMPTY_HEAP,
      idLength: 29,
      table: { ...EMPTY_HEAP.table, root: 512 },
      filters: { message: deflateFilters(), root: { length: block.length, mask: 0 } },
    }
    const structures = [header(heap), { address: 512, bytes: block }, { address: 9000, bytes: huge }]
    const opened = await openFractalHeap(fileOf(structures), HEAP)
    const filtered = { mask: 0, length: 5000 }
    const objects = await opened.objects([
      id(heap, { kind: 'managed', offset: 21, length: 43 }),
      id(heap, { kind: 'huge', object: { address: 9000, length: huge.length, filtered } }),
    ])
    expect(stringsOf(objects)).toEqual(['x'.repeat(43), 'huge'.repeat(1250)])
    const longer = { address: 9000, length: huge.length, filtered: { mask: 0, length: 5001 } }
    await expect(opened.object(id(heap, { kind: 'huge', object: longer }))).rejects.toThrow(
      'it has 5000 bytes instead of 5001',
    )
    const enormous = { address: 9000, length: huge.length, filtered: { mask: 0, length: 2 ** 30 } }
    await expect(opened.object(id(heap, { kind: 'huge', object: enormous }))).rejects.toThrow(
      'its filtered objects have more than 67108864 bytes',
    )
  })

  it('of a filter that is not available are an error that names it', async () => {
    const heap: FractalHeapHeader = {
      ...EMPTY_HEAP,
      table: { ...EMPTY_HEAP.table, root: 512 },
      filters: { message: deflateFilters('rot13', 40_000), root: { length: 10, mask: 0 } },
    }
    const opened = await openFractalHeap(
      fileOf([header(heap), { address: 512, bytes: Buffer.alloc(10) }]),
      HEAP,
    )
    await expect(opened.object(id(heap, { kind: 'managed', offset: 21, length: 1 }))).rejects.toThrow(
      'was encoded with filter 40000 (rot13), which is not available',
    )
  })
})

describe('a damaged fractal heap', () => {
  const sound = placeFractalHeap(HEAP, WIDE)
  const { header: heap, structures, ids } = sound
  const managed = (offset: number, length: number) => id(heap, { kind: 'managed', offset, length })
  /** The sound heap, and `changed` over it. */
  const open = (...changed: readonly AddressedStructure[]) =>
    openFractalHeap(fileOf([...structures, ...changed]), HEAP)

  it.each([
    ['an offset beyond its blocks', managed(70_000, 1), 'it has no block at offset 70000'],
    ['an object in the prefix of a block', managed(20, 1), '1 bytes at offset 20 are not within'],
    ['an object that ends in the next block', managed(60, 5), '5 bytes at offset 60 are not within'],
    ['an object of no bytes', managed(30, 0), '0 bytes at offset 30 are not within'],
  ])('with %s is an error', async (_, id, message) => {
    await expect((await open()).object(id)).rejects.toThrow(message)
  })

  it('whose block was changed is an error', async () => {
    const [block] = structures
    for (let at = 0; at < block.bytes.length; at++) {
      const damagedBlock = await open({
        address: block.address,
        bytes: block.bytes.with(at, block.bytes[at] ^ 1),
      })
      await expect(damagedBlock.object(ids[0])).rejects.toThrow('a direct block of the fractal heap at')
    }
  })

  it('whose entries all lead to one block, or back to the root, is an error', async () => {
    const root = heap.table.root ?? 0
    const entries = Array.from({ length: 8 }, (_, index) => ({
      address: index < 6 ? structures[0].address : root,
    }))
    const bytes = encodeIndirectBlock(entries, heap, { heapAddress: HEAP, offset: 0 }, WIDE).slice()
    const opened = await open({ address: root, bytes })
    await expect(opened.object(ids[1])).rejects.toThrow('it is the block of offset 0 instead of 64')
    await expect(opened.object(ids[6])).rejects.toThrow('it is the block of offset 0 instead of 512')
  })

  it('whose block has no address, or lies beyond the end of the file, is an error', async () => {
    const rootless = { ...heap, table: { ...EMPTY_HEAP.table, rootRows: 4 } }
    await expect((await open(header(rootless))).object(ids[0])).rejects.toThrow('it has no block at offset 0')
    const beyond = { ...heap, table: { ...heap.table, root: 999_999 } }
    await expect((await open(header(beyond))).object(ids[0])).rejects.toThrow('the file ends at')
  })
})
