// Each header message of objects and groups: what was written is read, in files of every width; a message that is cut
// off anywhere is an error. Messages with rules of their own have a file of their own beside this one.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeGroupInfo,
  decodeReferenceCount,
  encodeCacheImage,
  encodeComment,
  encodeModificationTime,
  encodeNodeSizes,
  encodeSharedTableMessage,
  encodeSymbolTable,
} from '../../../../test/fixtures/library-structures.ts'
import { FieldReader, type Widths } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { decodeAttribute, encodeAttribute } from './attribute.ts'
import { decodeCacheImage } from './cache-image.ts'
import { decodeComment } from './comment.ts'
import { encodeGroupInfo } from './group-info.ts'
import { decodeLink, encodeLink } from './link.ts'
import { decodeAttributeInfo, decodeLinkInfo, encodeAttributeInfo, encodeLinkInfo } from './member-info.ts'
import { decodeModificationTime } from './modification-time.ts'
import { decodeNodeSizes } from './node-sizes.ts'
import { encodeReferenceCount } from './reference-count.ts'
import { decodeShared, encodeShared } from './shared.ts'
import { decodeSharedTableMessage } from './shared-table.ts'
import { decodeSymbolTable } from './symbol-table.ts'

const widths = fc.record({ offsets: fc.constantFrom(2, 4, 8), lengths: fc.constantFrom(2, 4, 8) })
const address = fc.nat(0xfffe)
const u16 = fc.nat(0xffff)
const u32 = fc.nat(0xffffffff)

/** Also that the message is an error when its last byte is missing. */
function checkCircle<T>(
  values: fc.Arbitrary<T>,
  encode: (writer: FieldWriter, value: T) => void,
  decode: (fields: FieldReader) => T,
): void {
  const read = (bytes: Uint8Array, fieldWidths: Widths) =>
    decode(new FieldReader(bytes, fieldWidths, 'the message', 7))
  fc.assert(
    fc.property(values, widths, (value, fieldWidths) => {
      const writer = new FieldWriter(fieldWidths)
      encode(writer, value)
      const bytes = writer.bytes
      expect(read(bytes, fieldWidths)).toEqual(value)
      expect(() => read(bytes.subarray(0, -1), fieldWidths)).toThrow('the message at 7 cannot be read')
    }),
  )
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 })
const text = bytes.map(all => all.map(byte => byte || 1))
const characterSet = fc.constantFrom('H5T_CSET_ASCII' as const, 'H5T_CSET_UTF8' as const)
const part = fc.record({ shared: fc.boolean(), body: bytes })

const target = fc.oneof(
  fc.record({ class: fc.constant('hard' as const), address }),
  fc.record({ class: fc.constant('soft' as const), path: text }),
  fc.record({ class: fc.constant('external' as const), file: text, path: text }),
  fc.record({
    class: fc.constant('user-defined' as const),
    linkType: fc.integer({ min: 65, max: 255 }),
    data: bytes,
  }),
)

const info = (order: fc.Arbitrary<number>) =>
  fc.oneof(
    fc.record(
      {
        tracksOrder: fc.constant(true),
        nextOrder: order,
        heap: address,
        nameIndex: address,
        orderIndex: address,
      },
      { requiredKeys: ['tracksOrder', 'nextOrder'] },
    ),
    fc.record(
      { tracksOrder: fc.constant(false), heap: address, nameIndex: address },
      { requiredKeys: ['tracksOrder'] },
    ),
  )

describe('what is written is read', () => {
  it('links', () => {
    const links = fc.record(
      { name: text, characterSet, creationOrder: fc.maxSafeNat(), target },
      { requiredKeys: ['name', 'characterSet', 'target'] },
    )
    checkCircle(links, encodeLink, decodeLink)
  })

  it.each([255, 256, 70_000])('links with names of %d bytes', length => {
    const writer = new FieldWriter({ offsets: 8, lengths: 8 })
    const name = new Uint8Array(length).fill(65)
    encodeLink(writer, { name, characterSet: 'H5T_CSET_ASCII', target: { class: 'hard', address: 5 } })
    const read = decodeLink(new FieldReader(writer.bytes, writer.widths, 'the link'))
    expect(Buffer.compare(read.name, name)).toBe(0)
    expect(read.target).toEqual({ class: 'hard', address: 5 })
  })

  it('link infos', () => checkCircle(info(fc.maxSafeNat()), encodeLinkInfo, decodeLinkInfo))

  it('attribute infos', () => checkCircle(info(u16), encodeAttributeInfo, decodeAttributeInfo))

  it('group infos', () => {
    const infos = fc.record(
      {
        phaseChange: fc.record({ maxCompact: u16, minDense: u16 }),
        estimates: fc.record({ entryCount: u16, nameLength: u16 }),
      },
      { requiredKeys: [] },
    )
    checkCircle(infos, encodeGroupInfo, decodeGroupInfo)
  })

  it('symbol tables', () =>
    checkCircle(fc.record({ bTree: address, heap: address }), encodeSymbolTable, decodeSymbolTable))

  it('shared messages', () => {
    const shared = fc.oneof(
      fc.record({ kind: fc.constant('object' as const), address }),
      fc.record({
        kind: fc.constant('heap' as const),
        heapId: fc.uint8Array({ minLength: 8, maxLength: 8 }),
      }),
    )
    checkCircle(shared, encodeShared, decodeShared)
  })

  it('shared message tables', () =>
    checkCircle(
      fc.record({ address, indexCount: fc.nat(255) }),
      encodeSharedTableMessage,
      decodeSharedTableMessage,
    ))

  it('cache images', () =>
    checkCircle(
      fc.record({ address, length: u16 }, { requiredKeys: ['length'] }),
      encodeCacheImage,
      decodeCacheImage,
    ))

  it('comments', () =>
    checkCircle(
      fc.string().filter(s => !s.includes('\0')),
      encodeComment,
      decodeComment,
    ))

  it('modification times', () => checkCircle(u32, encodeModificationTime, decodeModificationTime))

  it('reference counts', () => checkCircle(u32, encodeReferenceCount, decodeReferenceCount))

  it('sizes of nodes', () =>
    checkCircle(
      fc.record({ groupLeafK: u16, groupInternalK: u16, chunkK: u16 }),
      encodeNodeSizes,
      decodeNodeSizes,
    ))

  it('attributes', () => {
    // The data are all that is left, so that a byte less is no error here.
    const attributes = fc.record({ name: text, characterSet, type: part, space: part, data: bytes })
    fc.assert(
      fc.property(attributes, attribute => {
        const writer = new FieldWriter({ offsets: 8, lengths: 8 })
        encodeAttribute(writer, attribute)
        const fields = new FieldReader(writer.bytes, writer.widths, 'the attribute')
        expect(decodeAttribute(fields)).toEqual(attribute)
      }),
    )
  })
})
