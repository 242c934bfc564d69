// Attributes of objects in every kind of storage.

import { describe, expect, it } from 'vitest'
import { placeBTree2 } from '../../../../test/fixtures/b-tree-2.ts'
import { type AddressedStructure, fileOf, WIDE } from '../../../../test/fixtures/file-of-structures.ts'
import { EMPTY_HEAP } from '../../../../test/fixtures/fractal-heap.ts'
import { message, type NewMessage, SUPERBLOCK } from '../../../../test/fixtures/h5-file.ts'
import { encodeSharedMessageTable } from '../../../../test/fixtures/library-structures.ts'
import { FieldWriter } from '../../format/field-writer.ts'
import { encodeFractalHeapHeader } from '../../format/heaps/fractal-heap.ts'
import { encodeHeapId } from '../../format/heaps/heap-id.ts'
import { type AttributeMessage, encodeAttribute } from '../../format/messages/attribute.ts'
import { encodeAttributeInfo } from '../../format/messages/member-info.ts'
import { MESSAGE, SHARED_FLAG } from '../../format/messages/message-type.ts'
import { encodeShared } from '../../format/messages/shared.ts'
import {
  decodeSharedMessageTable,
  type SharedMessageIndex,
  sharedMessageTableSize,
} from '../../format/shared-message-table.ts'
import { runSteps } from '../../steps.ts'
import type { Attempt } from '../structures/attempt.ts'
import type { H5File } from '../structures/h5-file.ts'
import { HeaderCache, type ObjectHeader } from '../structures/header-cache.ts'
import { KnownMessages } from '../structures/known-messages.ts'
import { MemberCount } from '../structures/member-count.ts'
import { SharedMessages } from '../structures/shared-messages.ts'
import { Warnings } from '../structures/warnings.ts'
import { readAttributeMessages } from './attribute-messages.ts'

const TOLERANT = new Warnings().attempt('/')

const PART = { shared: false, body: Uint8Array.from([1, 2, 3]) }
const TABLE = { address: 512, indexCount: 2 }
/** A tiny object is no attribute, and a managed one needs a block: the messages are huge objects. */
const HEAP = { ...EMPTY_HEAP, idLength: 8, hugeIndex: 10_000 }

const OTHER_INDEX: SharedMessageIndex = {
  isBTree: true,
  messageTypes: 2 ** MESSAGE.dataspace + 2 ** MESSAGE.datatype,
  minMessageSize: 50,
  maxListSize: 40,
  minBTreeSize: 30,
  messageCount: 0,
}
const ATTRIBUTE_INDEX: SharedMessageIndex = {
  ...OTHER_INDEX,
  isBTree: false,
  messageTypes: 2 ** MESSAGE.attribute,
  messageCount: 2,
  index: 3000,
  heap: 1024,
}

function bodyOf(name: string): Uint8Array {
  const writer = new FieldWriter(WIDE)
  const attribute: AttributeMessage = {
    name: Buffer.from(name),
    characterSet: 'H5T_CSET_ASCII',
    type: PART,
    space: PART,
    data: Uint8Array.from([7]),
  }
  encodeAttribute(writer, attribute)
  return writer.bytes.slice()
}

/** A fractal heap whose objects are attributes of these names, with the ids 1, 2, ... */
function heapOf(names: readonly string[]): readonly AddressedStructure[] {
  const placed = names.map((name, index) => ({ address: 40_000 + 64 * index, bytes: bodyOf(name) }))
  const records = placed.map(({ address, bytes }, index) => {
    const writer = new FieldWriter(WIDE)
    writer.address(address)
    writer.length(bytes.length)
    writer.length(index + 1)
    return writer.bytes.slice()
  })
  const tree = placeBTree2({ type: 1, records, depth: 0, nodeSize: 9000 }, 10_000, WIDE)
  return [{ address: 1024, bytes: encodeFractalHeapHeader(HEAP, WIDE).slice() }, ...tree, ...placed]
}

function heapId(id: number): Uint8Array {
  return encodeHeapId({ kind: 'indexed', id }, HEAP, WIDE).slice()
}

function nameIndex(
  entries: readonly { id: number; flags?: number; order: number }[],
): readonly AddressedStructure[] {
  const records = entries.map(({ id, flags = 0, order }) => {
    const writer = new FieldWriter(WIDE)
    writer.put(heapId(id))
    writer.u8(flags)
    writer.u32(order)
    writer.u32(0)
    return writer.bytes.slice()
  })
  return placeBTree2({ type: 8, records, depth: 0, nodeSize: 9000 }, 20_000, WIDE)
}

async function namesOf(
  messages: readonly (NewMessage & { readonly creationOrder?: number })[],
  structures: readonly AddressedStructure[] = [],
  sharedIndexes: readonly SharedMessageIndex[] = [OTHER_INDEX, ATTRIBUTE_INDEX],
  attempt?: Attempt,
): Promise<readonly string[]> {
  const table = { address: TABLE.address, bytes: encodeSharedMessageTable(sharedIndexes, WIDE).slice() }
  const bytes = fileOf([table, ...structures, { address: 80_000, bytes: new Uint8Array(8) }])
  const object: ObjectHeader = {
    version: 2,
    address: 100,
    tracksAttributeOrder: messages.some(({ creationOrder }) => creationOrder !== undefined),
    indexesAttributeOrder: false,
    chunkStart: 0,
    chunkLength: 0,
    length: 0,
    messages: messages.map(message => ({ ...message, address: 100 })),
  }
  const file: H5File = {
    bytes,
    superblock: SUPERBLOCK,
    path: 'a.h5',
    root: 100,
    sharedMessages: new SharedMessages(bytes, TABLE),
    headers: new HeaderCache(bytes.end),
    known: new KnownMessages(),
    linkCount: new MemberCount(bytes.end),
    attributeCount: new MemberCount(bytes.end),
    chunkCount: new MemberCount(bytes.end),
  }
  const attributes: AttributeMessage[] = []
  for await (const list of await runSteps(readAttributeMessages(file, object, attempt)))
    attributes.push(...list)
  return attributes.map(({ name }) => Buffer.from(name).toString())
}

const own = (name: string) => message(MESSAGE.attribute, writer => writer.put(bodyOf(name)))
const shared = (id: number) =>
  message(
    MESSAGE.attribute,
    writer => encodeShared(writer, { kind: 'heap', heapId: heapId(id) }),
    SHARED_FLAG,
  )
const info = (tracksOrder: boolean) =>
  message(MESSAGE.attributeInfo, writer =>
    encodeAttributeInfo(writer, { tracksOrder, heap: 1024, nameIndex: 20_000 }),
  )

describe('the attributes of an object', () => {
  it('in its header are in the order of their names, or of their creation if it is tracked', async () => {
    const messages = [own('first'), own('a'), own('zz')]
    expect(await namesOf(messages)).toEqual(['a', 'first', 'zz'])
    const ordered = messages.map((message, index) => ({ ...message, creationOrder: 2 - index }))
    expect(await namesOf(ordered)).toEqual(['zz', 'a', 'first'])
  })

  it('are read from the heap of shared messages', async () => {
    expect(await namesOf([shared(2), own('b'), shared(1)], heapOf(['a', 'c']))).toEqual(['a', 'b', 'c'])
  })

  it('are read from a fractal heap, where some may be shared messages', async () => {
    const structures = [
      ...heapOf(['a', 'b', 'c']),
      ...nameIndex([
        { id: 3, order: 0 },
        { id: 1, order: 2, flags: SHARED_FLAG },
        { id: 2, order: 1 },
      ]),
    ]
    expect(await namesOf([info(false)], structures)).toEqual(['a', 'b', 'c'])
    expect(await namesOf([info(true)], structures)).toEqual(['c', 'b', 'a'])
  })

  it('are in the same order when they are too many to be read at once', async () => {
    // Huge objects whose length the heap ids do not tell count as 4 KiB each, of 1 MiB.
    const names = Array.from({ length: 300 }, (_, index) => `a${(index * 7) % 300}`.padEnd(20, 'x'))
    const entries = names.map((_, index) => ({ id: index + 1, order: (index * 11) % 300 }))
    const structures = [...heapOf(names), ...nameIndex(entries)]
    const byOrder = entries.toSorted((a, b) => a.order - b.order).map(({ id }) => names[id - 1])
    expect(await namesOf([info(false)], structures)).toEqual(names.toSorted())
    expect(await namesOf([info(true)], structures)).toEqual(byOrder)
    const single = own('a1')
    expect(await namesOf([info(true), single], structures)).toEqual([...names, 'a1'].toSorted())
    expect(await namesOf([info(true), { ...single, creationOrder: 300 }], structures)).toEqual([
      ...byOrder,
      'a1',
    ])
    const missing = nameIndex(entries.map(entry => (entry.id === 5 ? { ...entry, id: 999 } : entry)))
    expect(await namesOf([info(false)], [...heapOf(names), ...missing], undefined, TOLERANT)).toEqual(
      names.toSpliced(4, 1).toSorted(),
    )
  })

  it('that no index has are an error', async () => {
    await expect(namesOf([shared(1)], heapOf(['a']), [OTHER_INDEX, OTHER_INDEX])).rejects.toThrow(
      'the shared message table at 512 cannot be read: it has no messages of type 12',
    )
    await expect(namesOf([shared(9)], heapOf(['a']))).rejects.toThrow('it has no huge object 9')
  })
})

it('a table of shared messages decodes to what was encoded', () => {
  const indexes = [OTHER_INDEX, ATTRIBUTE_INDEX]
  const bytes = encodeSharedMessageTable(indexes, WIDE)
  expect(bytes.length).toBe(sharedMessageTableSize(2, WIDE))
  expect(decodeSharedMessageTable(bytes, 2, WIDE, 0)).toEqual(indexes)
  for (let at = 0; at < bytes.length; at++) {
    expect(() => decodeSharedMessageTable(bytes.with(at, bytes[at] ^ 1), 2, WIDE, 0)).toThrow(
      /cannot be read/,
    )
  }
})
