// The link message (0x06): a name and its target (file format specification, IV.A.2.g). Groups keep it in their header
// or in a fractal heap.

import { CHARACTER_SETS, type CharacterSet } from '@hyperslab/model/datatype'
import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export type LinkTarget =
  /** The address of an object header. */
  | { readonly class: 'hard'; readonly address: number }
  | { readonly class: 'soft'; readonly path: Uint8Array }
  | { readonly class: 'external'; readonly file: Uint8Array; readonly path: Uint8Array }
  /** `linkType`: 65 to 255, but not 64, which is external. */
  | { readonly class: 'user-defined'; readonly linkType: number; readonly data: Uint8Array }

/** Names and paths are bytes: they should be UTF-8 (names.ts). */
export interface LinkMessage {
  readonly name: Uint8Array
  readonly characterSet: CharacterSet
  /** The creation order, if the group tracks it. */
  readonly creationOrder?: number
  readonly target: LinkTarget
}

const NAME_LENGTH_WIDTH_BITS = 0x03
const ORDER_STORED = 0x04
const TYPE_STORED = 0x08
const CHARACTER_SET_STORED = 0x10

const HARD = 0
const SOFT = 1
const EXTERNAL = 64

export function decodeLink(fields: FieldReader): LinkMessage {
  fields.version([1])
  const flags = fields.u8()
  const linkType = flags & TYPE_STORED ? fields.u8() : HARD
  const creationOrder = flags & ORDER_STORED ? fields.unsigned(8) : undefined
  const characterSet = decodeCharacterSet(fields, flags & CHARACTER_SET_STORED ? fields.u8() : 0)
  const name = fields.take(fields.unsigned(1 << (flags & NAME_LENGTH_WIDTH_BITS)))
  if (name.length === 0) throw fields.error('a link has an empty name')
  return {
    name,
    characterSet,
    ...(creationOrder !== undefined && { creationOrder }),
    target: decodeTarget(fields, linkType),
  }
}

export function decodeCharacterSet(fields: FieldReader, number: number): CharacterSet {
  const characterSet = CHARACTER_SETS[number]
  if (!characterSet) throw fields.error(`there is no character set ${number}`)
  return characterSet
}

function decodeTarget(fields: FieldReader, linkType: number): LinkTarget {
  if (linkType === HARD) return { class: 'hard', address: fields.definedAddress('the object of a link') }
  if (linkType !== SOFT && linkType < EXTERNAL) throw fields.error(`there is no link of type ${linkType}`)
  const data = fields.take(fields.u16())
  if (linkType === SOFT) {
    if (data.length === 0) throw fields.error('a soft link has an empty path')
    return { class: 'soft', path: data }
  }
  return linkType === EXTERNAL ? decodeExternal(fields, data) : { class: 'user-defined', linkType, data }
}

/** A byte of version and flags, both 0; then the names of the file and of the object, each with a NUL at its end. */
function decodeExternal(fields: FieldReader, data: Uint8Array): LinkTarget {
  const fileEnd = data.indexOf(0, 1)
  const pathEnd = data.indexOf(0, fileEnd + 1)
  if (data[0] !== 0 || fileEnd === -1 || pathEnd === -1) {
    throw fields.error('an external link does not name a file and an object')
  }
  return { class: 'external', file: data.subarray(1, fileEnd), path: data.subarray(fileEnd + 1, pathEnd) }
}

export function encodeLink(writer: FieldWriter, link: LinkMessage): void {
  const { name, characterSet, creationOrder, target } = link
  const linkType = linkTypeOf(target)
  const widthBits = name.length <= 0xff ? 0 : name.length <= 0xffff ? 1 : 2
  writer.u8(1)
  writer.u8(
    widthBits |
      (creationOrder === undefined ? 0 : ORDER_STORED) |
      (linkType === HARD ? 0 : TYPE_STORED) |
      (characterSet === 'H5T_CSET_ASCII' ? 0 : CHARACTER_SET_STORED),
  )
  if (linkType !== HARD) writer.u8(linkType)
  if (creationOrder !== undefined) writer.unsigned(creationOrder, 8)
  if (characterSet !== 'H5T_CSET_ASCII') writer.u8(CHARACTER_SETS.indexOf(characterSet))
  writer.unsigned(name.length, 1 << widthBits)
  writer.put(name)
  if (target.class === 'hard') {
    writer.address(target.address)
  } else {
    const data = targetData(target)
    writer.u16(data.length)
    writer.put(data)
  }
}

function linkTypeOf(target: LinkTarget): number {
  if (target.class === 'user-defined') return target.linkType
  return { hard: HARD, soft: SOFT, external: EXTERNAL }[target.class]
}

function targetData(target: Exclude<LinkTarget, { class: 'hard' }>): Uint8Array {
  if (target.class === 'soft') return target.path
  if (target.class === 'user-defined') return target.data
  return Uint8Array.from([0, ...target.file, 0, ...target.path, 0])
}
