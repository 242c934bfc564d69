// The reader over files made by hand: names that are not UTF-8, links of every class, and damage that harms only its
// own part.

import { idFromHex, type ObjectReference } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import { collect } from '../../../test/fixtures/file-of-structures.ts'
import { h5FileOf, header, message, type NewMessage, rawMessage } from '../../../test/fixtures/h5-file.ts'
import { encodeComment, encodeModificationTime } from '../../../test/fixtures/library-structures.ts'
import type { FileAttribute, H5FileReader, ReferenceResolver } from '../file-reader.ts'
import { encodeDatatype } from '../format/datatype.ts'
import type { FieldWriter } from '../format/field-writer.ts'
import type { FileType } from '../format/file-type.ts'
import { encodeAttribute } from '../format/messages/attribute.ts'
import { encodeDataspace } from '../format/messages/dataspace.ts'
import { encodeFillValue } from '../format/messages/fill-value.ts'
import { encodeLayout } from '../format/messages/layout.ts'
import { encodeLink, type LinkTarget } from '../format/messages/link.ts'
import { encodeLinkInfo } from '../format/messages/member-info.ts'
import { MESSAGE } from '../format/messages/message-type.ts'
import { encodeShared } from '../format/messages/shared.ts'
import { openH5File } from './reader.ts'

const BYTE: FileType = { class: 'H5T_INTEGER', size: 1, order: 'LE', signed: false, offset: 0, precision: 8 }
const REFERENCE: FileType = { class: 'H5T_REFERENCE', size: 8, kind: 'object' }

const LINK_INFO = message(MESSAGE.linkInfo, writer => encodeLinkInfo(writer, { tracksOrder: false }))

/** Latin-1. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

function link(name: string, target: LinkTarget): NewMessage {
  return message(MESSAGE.link, writer =>
    encodeLink(writer, { name: bytesOf(name), characterSet: 'H5T_CSET_UTF8', target }),
  )
}

function bodyOf(write: (writer: FieldWriter) => void): Uint8Array {
  return message(0, write).body
}

const SCALAR = { shared: false, body: bodyOf(writer => encodeDataspace(writer, { class: 'H5S_SCALAR' })) }
const typePart = (type: FileType) => ({ shared: false, body: bodyOf(writer => encodeDatatype(writer, type)) })

function attribute(
  name: string,
  data: readonly number[],
  type: { shared: boolean; body: Uint8Array } = typePart(BYTE),
): NewMessage {
  return message(MESSAGE.attribute, writer =>
    encodeAttribute(writer, {
      name: bytesOf(name),
      characterSet: 'H5T_CSET_UTF8',
      type,
      space: SCALAR,
      data: Uint8Array.from(data),
    }),
  )
}

const none = () => undefined

/** A file whose root group has these messages. */
function open(...messages: readonly NewMessage[]): Promise<H5FileReader> {
  const datatype = message(MESSAGE.datatype, writer => encodeDatatype(writer, BYTE))
  return openH5File(h5FileOf([header(100, LINK_INFO, ...messages), header(3000, datatype)]), 'a.h5')
}

describe('links', () => {
  it('of each class are read', async () => {
    const reader = await open(
      link('hard', { class: 'hard', address: 3000 }),
      link('soft', { class: 'soft', path: bytesOf('/a') }),
      link('external', { class: 'external', file: bytesOf('b.h5'), path: bytesOf('/a') }),
      link('other', { class: 'user-defined', linkType: 99, data: new Uint8Array(3) }),
    )
    expect(await reader.object(reader.root)).toEqual({ address: '100', kind: 'group' })
    expect(await collect(reader.links(reader.root))).toEqual([
      { title: 'external', class: 'H5L_TYPE_EXTERNAL', file: 'b.h5', h5path: '/a' },
      { title: 'hard', class: 'H5L_TYPE_HARD', address: '3000' },
      { title: 'other', class: 'H5L_TYPE_USER_DEFINED' },
      { title: 'soft', class: 'H5L_TYPE_SOFT', h5path: '/a' },
    ])
    expect(await reader.object('3000')).toEqual({ address: '3000', kind: 'datatype' })
    expect(await reader.datatype('3000')).toMatchObject({ class: 'H5T_INTEGER' })
    expect(reader.warnings).toEqual([])
  })

  it('whose names are not UTF-8 have them escaped, with a warning', async () => {
    const reader = await open(
      link('Temp\xe9rature', { class: 'hard', address: 3000 }),
      link('soft', { class: 'soft', path: bytesOf('/Temp\xe9rature') }),
    )
    expect(await collect(reader.links(reader.root))).toEqual([
      { title: 'Temp\ufffdxe9rature', class: 'H5L_TYPE_HARD', address: '3000' },
      { title: 'soft', class: 'H5L_TYPE_SOFT', h5path: '/Temp\ufffdxe9rature' },
    ])
    expect(reader.warnings).toEqual([
      { path: '/Temp\ufffdxe9rature', message: 'the name is not UTF-8: its bytes are escaped' },
      { path: '/soft', message: 'the target of the link is not UTF-8: its bytes are escaped' },
    ])
  })

  it('with the name of another, or damaged, are left out, with a warning', async () => {
    const reader = await open(
      link('a', { class: 'hard', address: 3000 }),
      rawMessage(MESSAGE.link, 1, 8, 9, 1, 65),
      link('a', { class: 'hard', address: 100 }),
      link('b', { class: 'hard', address: 3000 }),
    )
    const links = await collect(reader.links(reader.root))
    expect(links.map(({ title }) => title)).toEqual(['a', 'b'])
    expect(reader.warnings).toEqual([
      { path: '/', message: expect.stringContaining('there is no link of type 9') },
      { path: '/a', message: 'the link is left out: another link of the group has its name' },
    ])
  })
})

describe('objects', () => {
  it('may have a comment and a time', async () => {
    const time = message(MESSAGE.modificationTime, writer => encodeModificationTime(writer, 1_700_000_000))
    const comment = message(MESSAGE.comment, writer => encodeComment(writer, 'Grüße'))
    const reader = await open(time, comment)
    expect(await reader.object(reader.root)).toEqual({
      address: '100',
      kind: 'group',
      comment: 'Grüße',
      modified: 1_700_000_000,
    })
  })

  it('with a damaged comment are read without it', async () => {
    const reader = await open(rawMessage(MESSAGE.comment, 65))
    expect(await reader.object(reader.root)).toEqual({ address: '100', kind: 'group' })
    expect(reader.warnings).toMatchObject([{ path: '/' }])
  })

  it('that are none are an error', async () => {
    const reader = await open(
      link('a', { class: 'hard', address: 100_000 }),
      link('b', { class: 'hard', address: 2000 }),
    )
    await collect(reader.links(reader.root))
    await expect(reader.object('100000')).rejects.toMatchObject({ code: 'file-unreadable' })
    await expect(reader.object('2000')).rejects.toMatchObject({ code: 'file-unreadable' })
  })
})

async function attributesOf(
  reader: H5FileReader,
  resolve: ReferenceResolver,
): Promise<readonly FileAttribute[]> {
  const attributes: FileAttribute[] = []
  for await (const batch of reader.attributes(reader.root, resolve)) attributes.push(...batch)
  return attributes
}

describe('attributes', () => {
  it('have values, and the committed datatypes that they use', async () => {
    const committed = {
      shared: true,
      body: bodyOf(writer => encodeShared(writer, { kind: 'object', address: 3000 })),
    }
    const reader = await open(attribute('a', [7]), attribute('b\xe9', [8], committed))
    const [a, b] = await attributesOf(reader, none)
    expect(a).toMatchObject({ name: 'a', space: { class: 'H5S_SCALAR' }, value: { data: Uint8Array.of(7) } })
    expect(a.committedType).toBeUndefined()
    expect(b).toMatchObject({ name: 'b\ufffdxe9', committedType: '3000', value: { data: Uint8Array.of(8) } })
    expect(reader.warnings).toEqual([
      { path: '/ attribute "b\ufffdxe9"', message: 'the name is not UTF-8: its bytes are escaped' },
    ])
  })

  it('that are damaged harm themselves only', async () => {
    const missing = {
      shared: true,
      body: bodyOf(writer => encodeShared(writer, { kind: 'object', address: 2000 })),
    }
    const reader = await open(
      attribute('a', []),
      attribute('b', [1]),
      attribute('c', [1], missing),
      rawMessage(MESSAGE.attribute, 9),
    )
    const attributes = await attributesOf(reader, none)
    expect(attributes.map(({ name }) => name)).toEqual(['b'])
    expect(reader.warnings).toEqual([
      { path: '/', message: expect.stringContaining('there is no version 9 of it') },
      {
        path: '/ attribute "a"',
        message: 'the attribute cannot be read: it needs 1 bytes of values and has 0',
      },
      {
        path: '/ attribute "c"',
        message: expect.stringContaining('the object header at 2000 cannot be read'),
      },
    ])
  })

  it('have no more bytes of the global heap together than the file, and some, since all may name the same', async () => {
    // 9 MiB, in object 1 of a collection at 2000.
    const element = [0, 0, 0x90, 0, ...[0xd0, 7, 0, 0, 0, 0, 0, 0], ...[1, 0, 0, 0]]
    const text = typePart({
      class: 'H5T_VLEN',
      size: 16,
      text: { padding: 'H5T_STR_NULLTERM', charSet: 'H5T_CSET_UTF8' },
      base: BYTE,
    })
    const reader = await open(attribute('a', element, text), attribute('b', element, text))
    expect(await attributesOf(reader, none)).toEqual([])
    expect(reader.warnings).toEqual([
      { path: '/ attribute "a"', message: expect.stringContaining('collection at 2000 cannot be read') },
      { path: '/ attribute "b"', message: expect.stringContaining('need more bytes than the file has') },
    ])
  })

  it('refer to objects, or to nothing where no link leads', async () => {
    const reader = await open(
      attribute('a', [0xb8, 0x0b, 0, 0, 0, 0, 0, 0], typePart(REFERENCE)),
      attribute('b', [9, 0, 0, 0, 0, 0, 0, 0], typePart(REFERENCE)),
    )
    const target: ObjectReference = { kind: 'datatype', id: idFromHex('ab'.repeat(16)) }
    const attributes = await attributesOf(reader, address => (address === '3000' ? target : undefined))
    expect(attributes.map(({ value }) => value?.data.some(byte => byte !== 0))).toEqual([true, false])
    expect(reader.warnings).toEqual([
      { path: '/ attribute "b"', message: 'a reference becomes null: no link leads to its object at 9' },
    ])
  })
})

it('fill values that are references are null, without a warning', async () => {
  const value = Uint8Array.of(0xb8, 0x0b, 0, 0, 0, 0, 0, 0)
  const dataset = header(
    3000,
    message(MESSAGE.dataspace, writer => encodeDataspace(writer, { class: 'H5S_SCALAR' })),
    message(MESSAGE.datatype, writer => encodeDatatype(writer, REFERENCE)),
    message(MESSAGE.fillValue, writer => encodeFillValue(writer, { value, isUndefined: false })),
    message(MESSAGE.layout, writer => encodeLayout(writer, { class: 'compact', bytes: value })),
  )
  const root = header(100, LINK_INFO, link('a', { class: 'hard', address: 3000 }))
  const reader = await openH5File(h5FileOf([root, dataset]), 'a.h5')
  await collect(reader.links(reader.root))
  const { fillValue } = (await reader.dataset('3000')).creationProperties
  expect(fillValue?.data).toEqual(new Uint8Array(48))
  expect(fillValue?.hasLostReferences).toBeUndefined()
  expect(reader.warnings).toEqual([])
})
