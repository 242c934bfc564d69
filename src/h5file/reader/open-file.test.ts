// Opening files and reading headers: continuations, shared messages, and the files that are refused.

import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../byte-source.ts'
import { FieldWriter } from '../format/field-writer.ts'
import { encodeCacheImage } from '../format/messages/cache-image.ts'
import { FAIL_IF_UNKNOWN_FLAG, MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import { encodeNodeSizes } from '../format/messages/node-sizes.ts'
import { encodeShared } from '../format/messages/shared.ts'
import { encodeObjectHeader, type NewObjectHeader } from '../format/object-header.ts'
import { encodeSuperblock, HDF5_SIGNATURE, type Superblock } from '../format/superblock.ts'
import { findMessage, readObjectHeader, resolveShared } from './object-header.ts'
import { type H5File, openFile } from './open-file.ts'

const WIDTHS = { offsets: 8, lengths: 8 }
const SUPERBLOCK: Superblock = {
  version: 3,
  widths: WIDTHS,
  baseAddress: 0,
  endOfFile: 4096,
  rootHeader: 100,
  groupLeafK: 4,
  groupInternalK: 16,
  chunkK: 32,
  flags: 0,
}

type Structures = readonly (readonly [address: number, bytes: Uint8Array])[]

/** A file of 4096 bytes, with a user block of `base` bytes before them. */
function sourceOf(structures: Structures, superblock: Partial<Superblock> = {}, base = 0): ByteSource {
  const file = new Uint8Array(base + 4096)
  file.set(encodeSuperblock({ ...SUPERBLOCK, ...superblock }), base)
  for (const [address, bytes] of structures) file.set(bytes, base + address)
  return sourceOfBytes(file)
}

function sourceOfBytes(file: Uint8Array): ByteSource {
  return {
    size: file.length,
    stamp: '',
    read: async ranges => ranges.map(({ position, length }) => file.subarray(position, position + length)),
  }
}

const open = (structures: Structures, superblock?: Partial<Superblock>): Promise<H5File> =>
  openFile(sourceOf(structures, superblock), 'a.h5')

function header(...messages: NewObjectHeader['messages']): Uint8Array {
  return encodeObjectHeader({ tracksAttributeOrder: false, indexesAttributeOrder: false, messages }, WIDTHS)
}

function message(
  type: number,
  write: (writer: FieldWriter) => void,
  flags = 0,
): NewObjectHeader['messages'][0] {
  const writer = new FieldWriter(WIDTHS)
  write(writer)
  return { type, flags, body: writer.bytes.slice() }
}

const plain = (type: number, ...body: readonly number[]) =>
  message(type, writer => writer.put(Uint8Array.from(body)))

describe('a file', () => {
  it('has a root', async () => {
    const file = await open([])
    expect(file).toMatchObject({ root: 100, path: 'a.h5', superblock: SUPERBLOCK })
    expect(file.truncation).toBeUndefined()
  })

  it('may begin after other bytes, to which its stored addresses need not count', async () => {
    for (const baseAddress of [0, 512]) {
      const structures: Structures = [[100, header(plain(MESSAGE.comment, 65, 0))]]
      const source = sourceOf(structures, { baseAddress, endOfFile: 4096 + baseAddress }, 512)
      const file = await openFile(source, 'a.h5')
      expect(file.truncation).toBeUndefined()
      expect((await readObjectHeader(file, file.root)).messages).toMatchObject([{ type: MESSAGE.comment }])
    }
  })

  it('may have sizes of nodes in its extension', async () => {
    const sizes = { groupLeafK: 1, groupInternalK: 2, chunkK: 3 }
    const extension = header(message(MESSAGE.nodeSizes, writer => encodeNodeSizes(writer, sizes)))
    const file = await open([[200, extension]], { extension: 200 })
    expect(file.superblock).toMatchObject(sizes)
  })

  it('that is cut off is opened, and says so', async () => {
    expect((await open([], { endOfFile: 5000 })).truncation).toBe(
      'the file is cut off: it has 4096 of 5000 bytes; what lies beyond cannot be read',
    )
    // A writer that lets others read makes the file longer at any moment.
    expect((await open([], { endOfFile: 5000, flags: 5 })).truncation).toBeUndefined()
    expect((await open([], { endOfFile: 3000 })).truncation).toBeUndefined()
  })

  it('that is no HDF5 file is refused', async () => {
    const text = new TextEncoder().encode('\x89PNG\r\n\x1a\n and so on')
    await expect(openFile(sourceOfBytes(text), 'a.h5')).rejects.toMatchObject({ code: 'not-hdf5' })
    const signature = Uint8Array.from(HDF5_SIGNATURE, character => character.charCodeAt(0))
    await expect(openFile(sourceOfBytes(signature), 'a.h5')).rejects.toMatchObject({
      code: 'file-unreadable',
    })
  })

  it.each([
    ['left open by its writer', [], { flags: 1 }, '"h5clear -s" removes the mark'],
    [
      'with a metadata cache image',
      [
        [
          200,
          header(message(MESSAGE.cacheImage, writer => encodeCacheImage(writer, { address: 7, length: 8 }))),
        ],
      ],
      { extension: 200 },
      'it has a metadata cache image',
    ],
    [
      'of the family driver',
      [[200, header(message(MESSAGE.driverInformation, writer => writer.signature('\0NCSAfami')))]],
      { extension: 200 },
      'it is one of the files that the family driver made of one file',
    ],
    ['without its extension', [], { extension: 200 }, 'the object header at 200 cannot be read'],
  ] as [string, Structures, Partial<Superblock>, string][])(
    '%s is refused',
    async (_what, structures, superblock, rule) => {
      await expect(open(structures, superblock)).rejects.toThrow(rule)
    },
  )

  it('with an extension without a cache image is opened', async () => {
    const extension = header(message(MESSAGE.cacheImage, writer => encodeCacheImage(writer, { length: 0 })))
    await open([[200, extension]], { extension: 200 })
  })
})

/** A header of version 1 with a continuation of `length` bytes at `address`, and with the messages in `bytes`. */
function continued(address: number, length: number): Uint8Array {
  const writer = new FieldWriter(WIDTHS)
  for (const byte of [1, 0, 1, 0, 1, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0]) writer.u8(byte)
  writer.put(continuation(address, length))
  return writer.bytes.slice()
}

function continuation(address: number, length: number): Uint8Array {
  const writer = new FieldWriter(WIDTHS)
  for (const byte of [0x10, 0, 16, 0, 0, 0, 0, 0]) writer.u8(byte)
  writer.address(address)
  writer.length(length)
  return writer.bytes.slice()
}

describe('an object header', () => {
  it('goes on at its continuations, in order', async () => {
    const first = Uint8Array.from([
      ...continuation(400, 16),
      ...[0x0d, 0, 8, 0, 0, 0, 0, 0, 65, 0, 0, 0, 0, 0, 0, 0],
    ])
    const second = Uint8Array.of(0x11, 0, 8, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)
    const file = await open([
      [100, continued(300, 40)],
      [300, first],
      [400, second],
    ])
    const read = await readObjectHeader(file, 100)
    expect(read).toMatchObject({ version: 1, address: 100 })
    expect(read.messages.map(({ type, address }) => [type, address])).toEqual([
      [0x0d, 332],
      [0x11, 408],
    ])
    expect(await readObjectHeader(file, 100)).toBe(read)
  })

  it.each([
    ['a continuation that leads back', 300, 24, 300, 24, 'its continuation at 300 occurs twice'],
    ['a continuation beyond the end', 4090, 24, 0, 0, 'a continuation of the object header at 4090'],
    ['a continuation of any length', 300, 2 ** 40, 0, 0, 'it has more than 67108864 bytes'],
  ])('with %s is damaged', async (_what, address, length, next, nextLength, rule) => {
    const structures: Structures = [
      [300, continuation(next, nextLength)],
      [100, continued(address, length)],
    ]
    const file = await open(structures)
    await expect(readObjectHeader(file, 100)).rejects.toThrow(rule)
  })

  it('beyond the end of the file is damaged', async () => {
    const file = await open([])
    for (const address of [4095, 4096, 2 ** 50]) {
      await expect(readObjectHeader(file, address)).rejects.toThrow('the object header')
    }
  })

  it('with an unknown message cannot be read if the message says so', async () => {
    const unknown = (flags: number) => header({ type: 0x30, flags, body: Uint8Array.of(1) })
    const file = await open([
      [100, unknown(0)],
      [200, unknown(FAIL_IF_UNKNOWN_FLAG)],
    ])
    expect(findMessage(await readObjectHeader(file, 100), 0x30)?.body).toEqual(Uint8Array.of(1))
    await expect(readObjectHeader(file, 200)).rejects.toThrow('it has a message of the unknown type 48')
  })
})

describe('object headers', () => {
  it('together are no longer than the file', async () => {
    // Each has one nil message, in which all the next ones are.
    const structures: Structures = Array.from({ length: 60 }, (_, index) => {
      const length = 2048 - 32 * index
      const prefix = [1, 0, 1, 0, 1, 0, 0, 0, length & 255, length >> 8, 0, 0, 0, 0, 0, 0]
      const size = length - 8
      return [200 + 32 * index, Uint8Array.from([...prefix, 0, 0, size & 255, size >> 8, 0, 0, 0, 0])]
    })
    const file = await open(structures)
    const read = async () => {
      for (const [address] of structures) await readObjectHeader(file, address)
    }
    await expect(read()).rejects.toThrow('it lies upon other object headers')
  })
})

describe('a shared message', () => {
  const shared = (type: number, address: number) =>
    message(type, writer => encodeShared(writer, { kind: 'object', address }), SHARED_FLAG)

  it('is in the header that it names', async () => {
    const file = await open([
      [100, header(shared(MESSAGE.datatype, 200), plain(MESSAGE.comment, 65, 0))],
      [200, header(plain(MESSAGE.comment, 66, 0), plain(MESSAGE.datatype, 1, 2, 3))],
    ])
    const { messages } = await readObjectHeader(file, 100)
    expect(await resolveShared(file, messages[0])).toEqual(Uint8Array.of(1, 2, 3))
    expect(await resolveShared(file, messages[1])).toEqual(Uint8Array.of(65, 0))
  })

  it.each([
    ['an object without such a message', header(plain(MESSAGE.comment, 66, 0))],
    ['an object that shares it in turn', header(shared(MESSAGE.datatype, 100))],
  ])('that names %s is damaged', async (_what, target) => {
    const file = await open([
      [100, header(shared(MESSAGE.datatype, 200))],
      [200, target],
    ])
    const { messages } = await readObjectHeader(file, 100)
    await expect(resolveShared(file, messages[0])).rejects.toThrow('the object at 200 does not hold it')
  })
})
