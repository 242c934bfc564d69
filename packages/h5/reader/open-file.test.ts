// Opening files and reading headers: continuations, shared messages, and the files that are refused.

import { describe, expect, it } from 'vitest'
import { type AddressedStructure, sourceOf, WIDE } from '../../../test/fixtures/file-of-structures.ts'
import {
  FILE_SIZE,
  h5FileOf,
  header,
  message,
  rawMessage,
  SUPERBLOCK,
} from '../../../test/fixtures/h5-file.ts'
import {
  encodeCacheImage,
  encodeCacheImageEntries,
  encodeNodeSizes,
} from '../../../test/fixtures/library-structures.ts'
import { FieldWriter } from '../format/field-writer.ts'
import type { CacheImageMessage } from '../format/messages/cache-image.ts'
import { FAIL_IF_UNKNOWN_FLAG, MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import { encodeShared } from '../format/messages/shared.ts'
import { HDF5_SIGNATURE } from '../format/signature.ts'
import type { Superblock } from '../format/superblock.ts'
import { openFile } from './open-file.ts'
import type { H5File } from './structures/h5-file.ts'
import { findMessage, readObjectHeader, resolveShared } from './structures/object-header.ts'

const open = (structures: readonly AddressedStructure[], superblock?: Partial<Superblock>): Promise<H5File> =>
  openFile(h5FileOf(structures, superblock), 'a.h5')

const COMMENT = rawMessage(MESSAGE.comment, 65, 0)
const cacheImage = (image: CacheImageMessage) =>
  message(MESSAGE.cacheImage, writer => encodeCacheImage(writer, image))

/** An extension at 200 that names an image of the structures. */
function withImage(...structures: readonly AddressedStructure[]): AddressedStructure[] {
  const image = encodeCacheImageEntries(structures, WIDE).slice()
  return [header(200, cacheImage({ address: 2000, length: image.length })), { address: 2000, bytes: image }]
}

describe('a file', () => {
  it('has a root', async () => {
    const file = await open([])
    expect(file).toMatchObject({ root: 100, path: 'a.h5', superblock: SUPERBLOCK })
    expect(file.truncation).toBeUndefined()
  })

  it('may begin after other bytes, to which its stored addresses need not count', async () => {
    for (const baseAddress of [0, 512]) {
      const superblock = { baseAddress, endOfFile: FILE_SIZE + baseAddress }
      const file = await openFile(h5FileOf([header(100, COMMENT)], superblock, 512), 'a.h5')
      expect(file.truncation).toBeUndefined()
      expect((await readObjectHeader(file, file.root)).messages).toMatchObject([{ type: MESSAGE.comment }])
    }
  })

  it('may have sizes of nodes in its extension', async () => {
    const sizes = { groupLeafK: 1, groupInternalK: 2, chunkK: 3 }
    const extension = header(
      200,
      message(MESSAGE.nodeSizes, writer => encodeNodeSizes(writer, sizes)),
    )
    expect((await open([extension], { extension: 200 })).superblock).toMatchObject(sizes)
  })

  it('that is cut off is opened, and says so', async () => {
    expect((await open([], { endOfFile: 5000 })).truncation).toBe(
      'the file is cut off: it has 4096 of 5000 bytes; the rest cannot be read',
    )
    // A writer that lets others read makes the file longer at any moment.
    expect((await open([], { endOfFile: 5000, flags: 5 })).truncation).toBeUndefined()
    expect((await open([], { endOfFile: 3000 })).truncation).toBeUndefined()
  })

  it('that is no HDF5 file is refused', async () => {
    const text = new TextEncoder().encode('\x89PNG\r\n\x1a\n and so on')
    await expect(openFile(sourceOf(text), 'a.h5')).rejects.toMatchObject({ code: 'not-hdf5' })
    const signature = Uint8Array.from(HDF5_SIGNATURE, character => character.charCodeAt(0))
    await expect(openFile(sourceOf(signature), 'a.h5')).rejects.toMatchObject({ code: 'file-unreadable' })
  })

  it.each<[string, AddressedStructure[], Partial<Superblock>, string]>([
    ['left open by its writer', [], { flags: 1 }, '"h5clear -s" removes the mark'],
    [
      'with a metadata cache image that is too long',
      [header(200, cacheImage({ address: 7, length: 2 ** 25 + 1 }))],
      { extension: 200 },
      'its metadata cache image has 33554433 bytes, and the limit is 33554432',
    ],
    [
      'with a metadata cache image of structures that lie upon each other',
      withImage({ address: 100, bytes: new Uint8Array(9) }, { address: 108, bytes: new Uint8Array(9) }),
      { extension: 200 },
      'two entries overlap there',
    ],
    [
      'with a metadata cache image of structures beyond its end',
      withImage({ address: 4090, bytes: new Uint8Array(9) }),
      { extension: 200 },
      'an entry ends at 4099, beyond the file',
    ],
    [
      'of the family driver',
      [
        header(
          200,
          message(MESSAGE.driverInformation, writer => writer.signature('\0NCSAfami')),
        ),
      ],
      { extension: 200 },
      'it is one of the files that the family driver made of one file',
    ],
    ['without its extension', [], { extension: 200 }, 'the object header at 200 cannot be read'],
  ])('%s is refused', async (_what, structures, superblock, rule) => {
    await expect(open(structures, superblock)).rejects.toThrow(rule)
  })

  it('has the structures of its metadata cache image in the place of older ones', async () => {
    const image = withImage(header(100, COMMENT), header(400, COMMENT, COMMENT))
    for (const base of [0, 512]) {
      const source = h5FileOf([header(100), ...image], { extension: 200 }, base)
      const file = await openFile(source, 'a.h5')
      expect((await readObjectHeader(file, 100)).messages).toHaveLength(1)
      expect((await readObjectHeader(file, 400)).messages).toHaveLength(2)
      const { bytes } = header(400, COMMENT, COMMENT)
      const cut = await file.bytes.readValues(
        [
          { position: 390, length: 15 },
          { position: 404, length: 3 },
        ],
        'it',
      )
      expect(cut).toEqual([Uint8Array.from([...new Uint8Array(10), ...bytes.slice(0, 5)]), bytes.slice(4, 7)])
    }
  })

  it('with an extension without a cache image is opened', async () => {
    const file = await open([header(200, cacheImage({ length: 0 }))], { extension: 200 })
    expect(file.root).toBe(100)
  })
})

/** A header of version 1 that goes on at `target`. */
function continued(address: number, target: number, length: number): AddressedStructure {
  const prefix = [1, 0, 1, 0, 1, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0]
  return { address, bytes: Uint8Array.from([...prefix, ...continuation(target, length)]) }
}

/** A continuation message with its header of version 1. */
function continuation(target: number, length: number): Uint8Array {
  const writer = new FieldWriter(WIDE)
  for (const byte of [0x10, 0, 16, 0, 0, 0, 0, 0]) writer.u8(byte)
  writer.address(target)
  writer.length(length)
  return writer.bytes
}

describe('an object header', () => {
  it('goes on at its continuations, in order', async () => {
    const comment = [0x0d, 0, 8, 0, 0, 0, 0, 0, 65, 0, 0, 0, 0, 0, 0, 0]
    const symbolTable = [0x11, 0, 8, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    const file = await open([
      continued(100, 300, 40),
      { address: 300, bytes: Uint8Array.from([...continuation(400, 16), ...comment]) },
      { address: 400, bytes: Uint8Array.from(symbolTable) },
    ])
    const read = await readObjectHeader(file, 100)
    expect(read).toMatchObject({ version: 1, address: 100 })
    expect(read.messages.map(({ type, address }) => [type, address])).toEqual([
      [MESSAGE.comment, 332],
      [MESSAGE.symbolTable, 408],
    ])
    expect(await readObjectHeader(file, 100)).toBe(read)
  })

  it.each([
    ['a continuation that leads back', 300, 24, 'its continuation at 300 occurs twice'],
    ['a continuation beyond the end', 4090, 24, 'a continuation of the object header at 4090'],
    ['a continuation of any length', 300, 2 ** 40, 'it has more than 67108864 bytes'],
  ])('with %s is damaged', async (_what, target, length, rule) => {
    const file = await open([
      { address: 300, bytes: continuation(300, 24).slice() },
      continued(100, target, length),
    ])
    await expect(readObjectHeader(file, 100)).rejects.toThrow(rule)
  })

  it('beyond the end of the file is damaged', async () => {
    const file = await open([])
    for (const address of [4095, 4096, 2 ** 50]) {
      await expect(async () => readObjectHeader(file, address)).rejects.toThrow('the object header')
    }
  })

  it('with an unknown message cannot be read if the message says so', async () => {
    const unknown = (flags: number) => ({ type: 0x30, flags, body: Uint8Array.of(1) })
    // Between the known types there is an unknown one, which tests of the library write.
    const bogus = { type: 0x09, flags: FAIL_IF_UNKNOWN_FLAG, body: Uint8Array.of(1) }
    const file = await open([
      header(100, unknown(0)),
      header(200, unknown(FAIL_IF_UNKNOWN_FLAG)),
      header(300, bogus),
    ])
    expect(findMessage(await readObjectHeader(file, 100), 0x30)?.body).toEqual(Uint8Array.of(1))
    expect(() => readObjectHeader(file, 200)).toThrow('it has a message of the unknown type 48')
    expect(() => readObjectHeader(file, 300)).toThrow('it has a message of the unknown type 9')
  })

  it('lies upon no other', async () => {
    // Each has one nil message, in which all the next ones are.
    const structures = Array.from({ length: 60 }, (_, index) => {
      const length = 2048 - 32 * index
      const prefix = [1, 0, 1, 0, 1, 0, 0, 0, length & 255, length >> 8, 0, 0, 0, 0, 0, 0]
      const size = length - 8
      const bytes = Uint8Array.from([...prefix, 0, 0, size & 255, size >> 8, 0, 0, 0, 0])
      return { address: 200 + 32 * index, bytes }
    })
    const file = await open(structures)
    const readAll = async () => {
      for (const { address } of structures) await readObjectHeader(file, address)
    }
    await expect(readAll()).rejects.toThrow('it overlaps other object headers')
  })
})

describe('a shared message', () => {
  const shared = (address: number) =>
    message(MESSAGE.datatype, writer => encodeShared(writer, { kind: 'object', address }), SHARED_FLAG)

  it('is in the header that it names', async () => {
    const file = await open([
      header(100, shared(200), COMMENT),
      header(200, rawMessage(MESSAGE.comment, 66, 0), rawMessage(MESSAGE.datatype, 1, 2, 3)),
    ])
    const { messages } = await readObjectHeader(file, 100)
    expect(await resolveShared(file, messages[0])).toEqual(Uint8Array.of(1, 2, 3))
    expect(await resolveShared(file, messages[1])).toEqual(COMMENT.body)
  })

  it.each([
    ['an object without such a message', header(200, COMMENT)],
    ['an object that shares it in turn', header(200, shared(100))],
  ])('that names %s is damaged', async (_what, target) => {
    const file = await open([header(100, shared(200)), target])
    const { messages } = await readObjectHeader(file, 100)
    await expect(resolveShared(file, messages[0])).rejects.toThrow('the object at 200 does not hold it')
  })
})
