// Object headers: version 2 as written and read, version 1 byte by byte, gaps, continuations, damage.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookup3 } from './checksum.ts'
import { FieldWriter } from './field-writer.ts'
import { MESSAGE } from './messages/message-type.ts'
import {
  decodeContinuationChunk,
  decodeFirstChunk,
  decodePrefix,
  encodeObjectHeader,
  type HeaderChunk,
  LONGEST_PREFIX,
  type NewObjectHeader,
  objectHeaderLength,
} from './object-header.ts'

const WIDTHS = { offsets: 8, lengths: 8 }
const ADDRESS = 800

const u16 = fc.nat(0xffff)
const u32 = fc.nat(0xffffffff)

const headers: fc.Arbitrary<NewObjectHeader> = fc.boolean().chain(tracksAttributeOrder =>
  fc.record(
    {
      tracksAttributeOrder: fc.constant(tracksAttributeOrder),
      indexesAttributeOrder: fc.boolean(),
      times: fc.record({ access: u32, modification: u32, change: u32, birth: u32 }),
      attributePhaseChange: fc.record({ maxCompact: u16, minDense: u16 }),
      messages: fc.array(
        fc.record({
          type: fc.nat(0x40).filter(type => type !== MESSAGE.nil && type !== MESSAGE.continuation),
          flags: fc.nat(255),
          body: fc.uint8Array({ maxLength: 300 }),
          ...(tracksAttributeOrder && { creationOrder: u16 }),
        }),
        { maxLength: 40 },
      ),
    },
    { requiredKeys: ['tracksAttributeOrder', 'indexesAttributeOrder', 'messages'] },
  ),
)

function decode(bytes: Uint8Array): HeaderChunk {
  const prefix = decodePrefix(bytes.subarray(0, LONGEST_PREFIX), WIDTHS, ADDRESS)
  const chunk = bytes.subarray(prefix.chunkStart, prefix.chunkStart + prefix.chunkLength)
  return decodeFirstChunk(chunk, prefix, WIDTHS, ADDRESS)
}

describe('an object header of version 2', () => {
  it('is what was written', () => {
    fc.assert(
      fc.property(headers, ({ messages, ...written }) => {
        const bytes = encodeObjectHeader({ messages, ...written }, WIDTHS)
        expect(bytes.length).toBe(objectHeaderLength({ messages, ...written }))
        const prefix = decodePrefix(bytes.subarray(0, LONGEST_PREFIX), WIDTHS, ADDRESS)
        expect(prefix).toEqual({ version: 2, ...written, chunkStart: 0, chunkLength: bytes.length })
        const chunk = decode(bytes)
        expect(chunk.continuations).toEqual([])
        expect(chunk.messages.map(({ address: _, ...message }) => message)).toEqual(messages)
        for (const { address, body } of chunk.messages) {
          const at = address - ADDRESS
          expect(bytes.subarray(at, at + body.length)).toEqual(body)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('may end with a gap, and go on elsewhere', () => {
    const writer = new FieldWriter(WIDTHS)
    writer.signature('OHDR')
    for (const byte of [2, 0, 4 + 16 + 3]) writer.u8(byte)
    writer.u8(MESSAGE.continuation)
    writer.u16(16)
    writer.u8(0)
    writer.unsigned(5000, 8)
    writer.unsigned(300, 8)
    writer.put(Uint8Array.of(1, 2, 3))
    writer.u32(lookup3(writer.bytes))
    expect(decode(writer.bytes)).toEqual({
      messages: [],
      continuations: [{ address: 5000, length: 300 }],
    })
  })

  it('has checked continuations', () => {
    const prefix = decodePrefix(encodeObjectHeader(EMPTY, WIDTHS), WIDTHS, ADDRESS)
    const writer = new FieldWriter(WIDTHS)
    writer.signature('OCHK')
    writer.put(Uint8Array.of(MESSAGE.link, 2, 0, 0, 7, 8, 0))
    writer.u32(lookup3(writer.bytes))
    const bytes = writer.bytes.slice()
    expect(decodeContinuationChunk(bytes, prefix, WIDTHS, 5000)).toEqual({
      messages: [{ type: MESSAGE.link, flags: 0, body: Uint8Array.of(7, 8), address: 5008 }],
      continuations: [],
    })
    for (const index of bytes.keys()) {
      const damaged = bytes.slice()
      damaged[index] ^= 0x10
      expect(() => decodeContinuationChunk(damaged, prefix, WIDTHS, 5000)).toThrow('at 5000 cannot be read')
    }
  })

  it('is rejected when any of its bytes is another or missing', () => {
    const message = { type: MESSAGE.link, flags: 0, body: Uint8Array.of(7, 8, 9) }
    const bytes = encodeObjectHeader({ ...EMPTY, messages: [message] }, WIDTHS).slice()
    for (const index of bytes.keys()) {
      const damaged = bytes.slice()
      damaged[index] ^= 1
      expect(() => decode(damaged), `byte ${index}`).toThrow('the object header at 800 cannot be read')
      expect(() => decode(bytes.subarray(0, index)), `cut at ${index}`).toThrow('the object header')
    }
  })
})

const EMPTY: NewObjectHeader = { tracksAttributeOrder: false, indexesAttributeOrder: false, messages: [] }

/** Prefix of 16 bytes; messages are padded to 8. */
function header1(...messages: readonly (readonly number[])[]): Uint8Array {
  const body = messages.flat()
  return Uint8Array.from([1, 0, messages.length, 0, 3, 0, 0, 0, body.length, 0, 0, 0, 0, 0, 0, 0, ...body])
}

describe('an object header of version 1', () => {
  it('is a prefix and messages', () => {
    const bytes = header1(
      [0x11, 0, 8, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8],
      [0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x10, 0, 16, 0, 0, 0, 0, 0, 0x88, 0x13, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0],
    )
    expect(decodePrefix(bytes, WIDTHS, ADDRESS).referenceCount).toBe(3)
    expect(decode(bytes)).toEqual({
      messages: [
        { type: 0x11, flags: 1, body: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), address: ADDRESS + 24 },
      ],
      continuations: [{ address: 5000, length: 64 }],
    })
  })

  it('has continuations without signature and checksum', () => {
    const bytes = Uint8Array.of(0x11, 0, 8, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)
    const prefix = decodePrefix(header1(), WIDTHS, ADDRESS)
    expect(decodeContinuationChunk(bytes, prefix, WIDTHS, 5000).messages).toEqual([
      { type: 0x11, flags: 0, body: bytes.subarray(8), address: 5008 },
    ])
  })

  it.each([
    [
      'a version that is none',
      Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      'there is no version 3 of it',
    ],
    [
      'a message that does not end',
      header1([0x11, 0, 16, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
      '16 bytes are needed, 8 are left',
    ],
    [
      'a continuation nowhere',
      header1([0x10, 0, 16, 0, 0, 0, 0, 0, ...Array<number>(8).fill(255), 1, 0, 0, 0, 0, 0, 0, 0]),
      'the address of a continuation is undefined',
    ],
    [
      'more messages than there can be',
      (() => {
        const bytes = new Uint8Array(16 + 8 * 65_537)
        bytes[0] = 1
        new DataView(bytes.buffer).setUint32(8, 8 * 65_537, true)
        return bytes
      })(),
      'it has more than 65536 messages',
    ],
  ])('with %s is rejected', (_what, bytes, rule) => {
    expect(() => decode(bytes)).toThrow(rule)
  })
})
