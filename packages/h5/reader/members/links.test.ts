// Links of groups in every kind of storage.

import { describe, expect, it } from 'vitest'
import { placeBTree2 } from '../../../../test/fixtures/b-tree-2.ts'
import {
  type AddressedStructure,
  collect,
  fileOf,
  WIDE,
} from '../../../../test/fixtures/file-of-structures.ts'
import { EMPTY_HEAP } from '../../../../test/fixtures/fractal-heap.ts'
import { message, type NewMessage, SUPERBLOCK } from '../../../../test/fixtures/h5-file.ts'
import {
  encodeLocalHeapHeader,
  encodeSymbolTable,
  encodeSymbolTableNode,
} from '../../../../test/fixtures/library-structures.ts'
import { FieldWriter } from '../../format/field-writer.ts'
import { encodeFractalHeapHeader } from '../../format/heaps/fractal-heap.ts'
import { encodeHeapId } from '../../format/heaps/heap-id.ts'
import { encodeBTree1Node, GROUP_B_TREE } from '../../format/indexes/b-tree-1.ts'
import type { SymbolTableEntry } from '../../format/indexes/symbol-table-node.ts'
import { encodeLink, type LinkMessage } from '../../format/messages/link.ts'
import { encodeLinkInfo } from '../../format/messages/member-info.ts'
import { MESSAGE } from '../../format/messages/message-type.ts'
import type { H5File } from '../structures/h5-file.ts'
import { HeaderCache, type ObjectHeader } from '../structures/header-cache.ts'
import { KnownMessages } from '../structures/known-messages.ts'
import { MemberCount } from '../structures/member-count.ts'
import { readLinks } from './links.ts'

const SEGMENT = '\0\0\0\0\0\0\0\0hard\0\0\0\0soft\0\0\0\0/path\0\0\0'

function group(...messages: readonly NewMessage[]): ObjectHeader {
  return {
    version: 2,
    address: 4096,
    tracksAttributeOrder: false,
    indexesAttributeOrder: false,
    chunkStart: 0,
    chunkLength: 0,
    length: 0,
    messages: messages.map(message => ({ ...message, address: 4096 })),
  }
}

function openFileOf(structures: readonly AddressedStructure[]): H5File {
  const bytes = fileOf([...structures, { address: 8192, bytes: new Uint8Array(8) }])
  return {
    bytes,
    superblock: SUPERBLOCK,
    path: 'a.h5',
    root: 100,
    headers: new HeaderCache(bytes.end),
    known: new KnownMessages(),
    linkCount: new MemberCount(bytes.end),
    attributeCount: new MemberCount(bytes.end),
    chunkCount: new MemberCount(bytes.end),
  }
}

function linksOf(
  messages: readonly NewMessage[],
  structures: readonly AddressedStructure[],
): Promise<readonly LinkMessage[]> {
  return collect(readLinks(openFileOf(structures), group(...messages)))
}

function summary(links: readonly LinkMessage[]): readonly unknown[] {
  return links.map(({ name, target }) => [
    Buffer.from(name).toString(),
    target.class === 'hard'
      ? target.address
      : target.class === 'soft'
        ? Buffer.from(target.path).toString()
        : target.class,
  ])
}

describe('the links of a symbol table', () => {
  const TABLE = message(MESSAGE.symbolTable, writer => encodeSymbolTable(writer, { bTree: 1024, heap: 2048 }))
  const heap = { segmentAddress: 2560, segmentSize: SEGMENT.length, freeBlock: 1 }
  const HARD: SymbolTableEntry = { nameOffset: 8, target: { kind: 'hard', address: 777 } }
  const SOFT: SymbolTableEntry = { nameOffset: 16, target: { kind: 'soft', valueOffset: 24 } }

  function table(entries: readonly SymbolTableEntry[], nodes = [3072]): readonly AddressedStructure[] {
    const keys = Array(nodes.length + 1).fill(0)
    const root = { level: 0, keys, children: nodes }
    return [
      { address: 1024, bytes: encodeBTree1Node(root, GROUP_B_TREE, WIDE).slice() },
      { address: 2048, bytes: encodeLocalHeapHeader(heap, WIDE).slice() },
      { address: 2560, bytes: Buffer.from(SEGMENT) },
      { address: 3072, bytes: encodeSymbolTableNode(entries, WIDE).slice() },
    ]
  }

  it('are hard, or soft with the path in the local heap', async () => {
    expect(summary(await linksOf([TABLE], table([HARD, SOFT])))).toEqual([
      ['hard', 777],
      ['soft', '/path'],
    ])
  })

  it.each([
    ['a node that has two entries in the tree', table([HARD], [3072, 3072]), 'two of its parts lead'],
    ['a link without a name', table([{ ...HARD, nameOffset: 0 }]), 'a link has an empty name'],
    ['a name beyond the heap', table([{ ...HARD, nameOffset: 5000 }]), 'a string at offset 5000 is beyond'],
    ['names that lie upon each other', table(Array(20).fill(HARD)), 'its strings overlap'],
    ['a child that is no node', table([HARD], [2048]), 'it does not begin with SNOD'],
  ])('with %s are an error', async (_, structures, error) => {
    await expect(linksOf([TABLE], structures)).rejects.toThrow(error)
  })
})

function link(name: string, creationOrder?: number): LinkMessage {
  return {
    name: Buffer.from(name),
    characterSet: 'H5T_CSET_UTF8',
    ...(creationOrder !== undefined && { creationOrder }),
    target: { class: 'hard', address: name.length },
  }
}

const NAMES = ['first', 'a', 'zz', 'bcd']

describe('the links in an object header', () => {
  const compact = (links: readonly LinkMessage[]) =>
    links.map(link => message(MESSAGE.link, writer => encodeLink(writer, link)))
  const info = (tracksOrder: boolean) =>
    message(MESSAGE.linkInfo, writer => encodeLinkInfo(writer, { tracksOrder }))

  it('are in the order of their names', async () => {
    const links = await linksOf([info(false), ...compact(NAMES.map(name => link(name)))], [])
    expect(summary(links).flat()).toEqual(['a', 1, 'bcd', 3, 'first', 5, 'zz', 2])
  })

  it('are in the order of their creation if it is tracked', async () => {
    const orders = [3, 0, 2, 1]
    const links = NAMES.map((name, index) => link(name, orders[index]))
    const read = await linksOf([info(true), ...compact(links)], [])
    expect(read.map(({ creationOrder }) => creationOrder)).toEqual([0, 1, 2, 3])
    expect(read.map(({ name }) => Buffer.from(name).toString())).toEqual(['a', 'bcd', 'zz', 'first'])
  })

  it('are none in an empty group', async () => {
    expect(await linksOf([info(true)], [])).toEqual([])
    expect(await linksOf([], [])).toEqual([])
  })
})

describe('the links in a fractal heap', () => {
  const TREE = 2 ** 14
  const INFO = message(MESSAGE.linkInfo, writer =>
    encodeLinkInfo(writer, { tracksOrder: false, heap: 1024, nameIndex: TREE }),
  )
  /** Link messages in huge objects, whose ids have their addresses. */
  const HEAP = { ...EMPTY_HEAP, idLength: 17 }

  function dense(links: readonly LinkMessage[]): readonly AddressedStructure[] {
    const placed = links.map((link, index) => {
      const writer = new FieldWriter(WIDE)
      encodeLink(writer, link)
      return { address: 2 ** 20 + 64 * index, bytes: writer.bytes.slice() }
    })
    const records = placed.map(({ address, bytes }, index) => {
      const object = { address, length: bytes.length }
      const id = encodeHeapId({ kind: 'huge', object }, HEAP, WIDE)
      return Buffer.concat([Buffer.from(Uint32Array.of(index).buffer), id])
    })
    const tree = placeBTree2({ type: 5, records, depth: 0, nodeSize: 100 + 21 * records.length }, TREE, WIDE)
    return [{ address: 1024, bytes: encodeFractalHeapHeader(HEAP, WIDE).slice() }, ...tree, ...placed]
  }

  const denseOf = (names: readonly string[]) => dense(names.map(name => link(name)))

  it('are in the order of their names', async () => {
    expect(summary(await linksOf([INFO], denseOf(NAMES))).flat()).toEqual([
      'a',
      1,
      'bcd',
      3,
      'first',
      5,
      'zz',
      2,
    ])
  })

  /** More than are read together. */
  const MANY = Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 20_000)

  it('may be very many, in the order of their names', async () => {
    const links = readLinks(openFileOf(denseOf(MANY.map(String))), group(INFO))
    const batches: number[] = []
    const names: string[] = []
    for await (const batch of links) {
      batches.push(batch.length)
      names.push(...batch.map(({ name }) => Buffer.from(name).toString()))
    }
    expect(batches).toEqual([...Array(9).fill(2048), 1568])
    expect(names).toEqual(MANY.map(String).sort())
  })

  it('may be very many, in the order of their creation, those in the header among them', async () => {
    const tracked = message(MESSAGE.linkInfo, writer =>
      encodeLinkInfo(writer, { tracksOrder: true, nextOrder: 30_000, heap: 1024, nameIndex: TREE }),
    )
    const inHeap = dense(MANY.map(order => link(`${order}`, order + Number(order >= 5000))))
    const inHeader = message(MESSAGE.link, writer => encodeLink(writer, link('header', 5000)))
    const links = await linksOf([tracked, inHeader], inHeap)
    expect(links.map(({ creationOrder }) => creationOrder)).toEqual(
      Array.from({ length: 20_001 }, (_, order) => order),
    )
    expect(Buffer.from(links[5000].name).toString()).toBe('header')
  })

  it('that very many groups share are an error', async () => {
    const file = openFileOf(denseOf(NAMES))
    const read = (address: number) => collect(readLinks(file, { ...group(INFO), address }))
    const most = Math.floor(file.bytes.end / 16 / NAMES.length)
    for (let address = 0; address < most; address++) expect((await read(address)).length).toBe(NAMES.length)
    await expect(read(most + 1)).rejects.toThrow('it shares links, attributes or chunks with other objects')
    await expect(read(most + 2)).rejects.toThrow('it shares links, attributes or chunks with other objects')
    expect((await read(0)).length).toBe(NAMES.length)
  })

  it('that are damaged are an error', async () => {
    const structures = denseOf(NAMES)
    const last = structures[structures.length - 1]
    const changed = { address: last.address, bytes: last.bytes.with(0, 9) }
    await expect(linksOf([INFO], [...structures, changed])).rejects.toThrow(
      'a link in the fractal heap at 1024 cannot be read: there is no version 9 of it',
    )
  })
})
