import { describe, expect, test } from 'vitest'
import { decodeDatatype, encodeDatatype } from '../../format/datatype.ts'
import { FieldWriter } from '../../format/field-writer.ts'
import type { FileType } from '../../format/file-type.ts'
import { MessageCache } from './message-cache.ts'

const WIDTHS = { offsets: 8, lengths: 8 }

function message(type: FileType): Uint8Array {
  const writer = new FieldWriter(WIDTHS)
  encodeDatatype(writer, type)
  return new Uint8Array(writer.bytes)
}

function opaque(tag: string): FileType {
  return { class: 'H5T_OPAQUE', size: 4, tag: new TextEncoder().encode(tag) }
}

describe('messages of a file', () => {
  test('equal messages are one object', () => {
    const cache = new MessageCache('the datatype', decodeDatatype)
    const first = cache.decode(message(opaque('image')), WIDTHS, 96)
    expect(cache.decode(message(opaque('image')), WIDTHS, 96)).toBe(first)
  })

  test('messages that differ in one byte are different types', () => {
    const cache = new MessageCache('the datatype', decodeDatatype)
    cache.decode(message(opaque('image')), WIDTHS, 96)
    expect(cache.decode(message(opaque('imago')), WIDTHS, 96)).toEqual(opaque('imago'))
  })

  test('a type is not changed when the memory of its message is used again', () => {
    const cache = new MessageCache('the datatype', decodeDatatype)
    const body = message(opaque('image'))
    const type = cache.decode(body, WIDTHS, 96)
    body.fill(0)
    expect(type).toEqual(opaque('image'))
  })
})
