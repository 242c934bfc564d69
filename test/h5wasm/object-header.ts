// The object header of an object in a file: its messages, and what h5wasm leaves out of them: the fill
// value and its times, the layout class, and which committed datatype is used (HDF5 file format specification, IV.A).

import { HyperslabError } from '../../src/errors.ts'
import { type ByteSource, readRange } from '../../src/h5file/byte-source.ts'
import { type Fields, fieldsOf } from './fields.ts'

export interface HeaderMessage {
  readonly type: number
  /** The body stands for a message that is stored elsewhere. */
  readonly shared: boolean
  readonly body: Uint8Array
}

export interface FillValue {
  readonly allocTime?: string
  readonly fillTime?: string
  /** In the form of the file. Absent: not defined by the user. */
  readonly value?: Uint8Array
}

const DATATYPE = 0x03
const OLD_FILL_VALUE = 0x04
const FILL_VALUE = 0x05
const EXTERNAL_FILES = 0x07
const LAYOUT = 0x08
const ATTRIBUTE = 0x0c
const CONTINUATION = 0x10

const SHARED_FLAG = 2
const CHECKSUM_SIZE = 4
/** More blocks than this are a loop of a damaged file. */
const MOST_BLOCKS = 10_000

const ALLOC_TIMES = [
  'H5D_ALLOC_TIME_DEFAULT',
  'H5D_ALLOC_TIME_EARLY',
  'H5D_ALLOC_TIME_LATE',
  'H5D_ALLOC_TIME_INCR',
]
const FILL_TIMES = ['H5D_FILL_TIME_ALLOC', 'H5D_FILL_TIME_NEVER', 'H5D_FILL_TIME_IFSET']
const LAYOUTS = ['H5D_COMPACT', 'H5D_CONTIGUOUS', 'H5D_CHUNKED'] as const

/** All messages of the header at `address`. `base`: where the file's address 0 lies. */
export async function readHeader(
  source: ByteSource,
  base: number,
  address: number,
): Promise<readonly HeaderMessage[]> {
  if (!(await hasWideAddresses(source, base))) return []
  const start = fieldsOf(await readRange(source, base + address, 6))
  if (start.text(4) === 'OHDR') {
    start.skip(1)
    return readNewHeader(source, base, address, start.unsigned(1))
  }
  const header = fieldsOf(await readRange(source, base + address, 16))
  if (header.unsigned(1) !== 1) throw unreadableHeader(`there is no object header at ${address}`)
  header.skip(7)
  const first = { position: address + 16, length: header.unsigned(4) }
  return readBlocks(source, base, [first], fields => {
    const [type, size, flags] = [fields.unsigned(2), fields.unsigned(2), fields.unsigned(1)]
    fields.skip(3)
    return { type, size, flags }
  })
}

/** Other widths of addresses are allowed by the format, but are not written by anything that is in use. */
async function hasWideAddresses(source: ByteSource, base: number): Promise<boolean> {
  const superblock = await readRange(source, base + 8, 8)
  const at = (superblock[0] ?? 0) < 2 ? 5 : 1
  return superblock[at] === 8 && superblock[at + 1] === 8
}

async function readNewHeader(
  source: ByteSource,
  base: number,
  address: number,
  flags: number,
): Promise<readonly HeaderMessage[]> {
  const timesSize = flags & 0x20 ? 16 : 0
  const phaseChangeSize = flags & 0x10 ? 4 : 0
  const width = 1 << (flags & 3)
  const sizeAt = address + 6 + timesSize + phaseChangeSize
  const length = fieldsOf(await readRange(source, base + sizeAt, width)).unsigned(width)
  const first = { position: sizeAt + width, length }
  const orderSize = flags & 4 ? 2 : 0
  return readBlocks(
    source,
    base,
    [first],
    fields => {
      const [type, size, messageFlags] = [fields.unsigned(1), fields.unsigned(2), fields.unsigned(1)]
      fields.skip(orderSize)
      return { type, size, flags: messageFlags }
    },
    { signatureSize: 4, prefixSize: 4 + orderSize },
  )
}

interface Block {
  readonly position: number
  readonly length: number
}

async function readBlocks(
  source: ByteSource,
  base: number,
  blocks: Block[],
  readPrefix: (fields: Fields) => { type: number; size: number; flags: number },
  { signatureSize, prefixSize } = { signatureSize: 0, prefixSize: 8 },
): Promise<readonly HeaderMessage[]> {
  const messages: HeaderMessage[] = []
  for (let index = 0; index < blocks.length; index++) {
    if (index > MOST_BLOCKS) throw unreadableHeader(`it has more than ${MOST_BLOCKS} blocks`)
    const { position, length } = blocks[index]
    const fields = fieldsOf(await readRange(source, base + position, length))
    while (fields.left >= prefixSize) {
      const { type, size, flags } = readPrefix(fields)
      if (size > fields.left) break
      const body = fields.bytes(size)
      if (type !== CONTINUATION) {
        messages.push({ type, shared: (flags & SHARED_FLAG) !== 0, body })
        continue
      }
      const continuation = fieldsOf(body)
      const [next, nextLength] = [continuation.number64(), continuation.number64()]
      const trailer = signatureSize === 0 ? 0 : CHECKSUM_SIZE
      blocks.push({ position: next + signatureSize, length: nextLength - signatureSize - trailer })
    }
  }
  return messages
}

/** The body of the layout message. */
export function layoutMessageOf(messages: readonly HeaderMessage[]): Uint8Array | undefined {
  return messages.find(({ type, shared }) => type === LAYOUT && !shared)?.body
}

/** True when the values lie in other files. */
export function hasExternalFiles(messages: readonly HeaderMessage[]): boolean {
  return messages.some(({ type }) => type === EXTERNAL_FILES)
}

export function layoutClassOf(messages: readonly HeaderMessage[]): (typeof LAYOUTS)[number] | undefined {
  const body = layoutMessageOf(messages)
  if (!body) return undefined
  const version = body[0] ?? 0
  return LAYOUTS[body[version < 3 ? 2 : 1] ?? -1]
}

export function fillValueOf(messages: readonly HeaderMessage[]): FillValue {
  const body = messages.find(({ type, shared }) => type === FILL_VALUE && !shared)?.body
  if (body) return readFillValue(fieldsOf(body))
  const old = messages.find(({ type, shared }) => type === OLD_FILL_VALUE && !shared)?.body
  return old ? sizedValue(fieldsOf(old)) : {}
}

function readFillValue(fields: Fields): FillValue {
  const version = fields.unsigned(1)
  if (version === 3) {
    const flags = fields.unsigned(1)
    return { ...times(flags & 3, (flags >> 2) & 3), ...(flags & 0x20 && sizedValue(fields)) }
  }
  const [allocTime, fillTime, defined] = [fields.unsigned(1), fields.unsigned(1), fields.unsigned(1)]
  return { ...times(allocTime, fillTime), ...((version === 1 || defined) && sizedValue(fields)) }
}

function times(allocTime: number, fillTime: number): FillValue {
  const [alloc, fill] = [ALLOC_TIMES[allocTime], FILL_TIMES[fillTime]]
  return { ...(alloc && { allocTime: alloc }), ...(fill && { fillTime: fill }) }
}

/** A length of 0 is the library's default: all bytes zero. */
function sizedValue(fields: Fields): FillValue {
  const size = fields.unsigned(4)
  return size === 0 ? {} : { value: fields.bytes(size) }
}

/** The address of the committed datatype that the object is of. */
export function committedTypeOf(messages: readonly HeaderMessage[]): bigint | undefined {
  const message = messages.find(({ type }) => type === DATATYPE)
  return message?.shared ? sharedAddress(fieldsOf(message.body)) : undefined
}

/** The addresses of the committed datatypes that attributes use, by name; only of attributes in the header itself. */
export function committedTypesOfAttributes(messages: readonly HeaderMessage[]): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>()
  for (const { type, shared, body } of messages) {
    if (type !== ATTRIBUTE || shared) continue
    const fields = fieldsOf(body)
    const [version, flags] = [fields.unsigned(1), fields.unsigned(1)]
    // In version 1 the second byte is reserved, and datatypes cannot be shared.
    if (version === 1 || !(flags & 1)) continue
    const nameSize = fields.unsigned(2)
    fields.skip(version === 3 ? 5 : 4)
    const name = new TextDecoder().decode(fields.bytes(nameSize).subarray(0, -1))
    const address = sharedAddress(fields)
    if (address !== undefined) found.set(name, address)
  }
  return found
}

const IN_OBJECT_HEADER = 2

function sharedAddress(fields: Fields): bigint | undefined {
  const [version, type] = [fields.unsigned(1), fields.unsigned(1)]
  if (version === 1) fields.skip(6)
  // In version 3 the message may also be in a heap of shared messages, which is no object.
  return version < 3 || type === IN_OBJECT_HEADER ? fields.unsigned64() : undefined
}

function unreadableHeader(rule: string): HyperslabError {
  return new HyperslabError('file-unreadable', `the object header cannot be read: ${rule}`)
}
