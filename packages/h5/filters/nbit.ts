// HDF5's n-bit filter (id 5): of each number only the bits that its precision calls significant, one number after
// another without gaps (bit-stream.ts). Whatever is not an integer or a float keeps all its bits.
//
// Client data (H5Znbit.c): their count, whether the filter changes nothing, elements in a chunk, then the type: a class
// and its parameters. An array is followed by its base type, each member of a compound by its own type. Storage form
// has a number in the lowest bits of its bytes, hence the written bit offset is always 0.

import { type ByteOrder, type Datatype, elementSize } from '@hyperslab/model/datatype'
import { BitReader, BitWriter } from './bit-stream.ts'
import type { ClientData, FilterCodec } from './filter.ts'

const ATOMIC = 1
const ARRAY = 2
const COMPOUND = 3
const OPAQUE = 4
const LITTLE_ENDIAN = 0
const BIG_ENDIAN = 1

/** Values ahead of the type: their count, the flag, elements in a chunk. */
const HEADER = 3
/** Bytes of a number: those of the longest floats and more. @limit format, bytes */
const MAX_NUMBER_SIZE = 32
/** The limit of client data, beyond which libhdf5 refuses the type. @limit format, client data */
const MAX_CLIENT_DATA = 4096

export const nbit: FilterCodec = {
  id: 5,
  takesAnyBytes: false,
  clientData(_options, { type, chunkDims }) {
    if (!isPacked(type)) return undefined
    const elements = chunkDims.reduce((count, extent) => count * extent, 1)
    const described = describe(type)
    const values = [HEADER + described.length, isWhole(type) ? 1 : 0, elements, ...described]
    return values.length > MAX_CLIENT_DATA || isGarbled(parse(values).root) ? undefined : values
  },
  encode(bytes, clientData) {
    if (clientData[1]) return undefined
    const { root, count } = parse(clientData)
    if (bytes.length !== count * root.size || bytes.length === 0) return undefined
    // Like libhdf5, one byte more than the full ones, even if it is empty.
    const writer = new BitWriter(Math.floor((count * root.bits) / 8) + 1)
    for (let offset = 0; offset < bytes.length; offset += root.size)
      if (!pack(root, bytes, offset, writer)) return undefined
    return writer.finish()
  },
  decode(bytes, clientData, maxLength) {
    if (clientData[1]) return bytes
    const { root, count } = parse(clientData)
    const length = count * root.size
    if (isGarbled(root))
      throw new Error('libhdf5 garbles members that follow an array of arrays or compounds')
    if (length > maxLength) throw new Error(`${count} elements take ${length} bytes, more than ${maxLength}`)
    if (bytes.length * 8 < count * root.bits)
      throw new Error(`${bytes.length} bytes do not hold ${count} elements`)
    const result = new Uint8Array(length)
    const reader = new BitReader(bytes)
    for (let offset = 0; offset < length; offset += root.size) unpack(root, reader, result, offset)
    return result
  },
}

/** True when numbers are all or part of the type; others are not described. */
function isPacked(type: Datatype): boolean {
  return ['H5T_INTEGER', 'H5T_FLOAT', 'H5T_ARRAY', 'H5T_COMPOUND'].includes(type.class)
}

/** True when no number of the type leaves out bits. */
function isWhole(type: Datatype): boolean {
  switch (type.class) {
    case 'H5T_INTEGER':
      return type.precision === undefined || type.precision === type.size * 8
    case 'H5T_ARRAY':
      return isWhole(type.base)
    case 'H5T_COMPOUND':
      return type.fields.every(field => isWhole(field.type))
    default:
      return true
  }
}

function describe(type: Datatype): number[] {
  const size = elementSize(type)
  switch (type.class) {
    case 'H5T_INTEGER':
      return [ATOMIC, size, orderCode(type.order), type.precision ?? size * 8, 0]
    case 'H5T_FLOAT':
      return [ATOMIC, size, orderCode(type.order), size * 8, 0]
    case 'H5T_ARRAY':
      return [ARRAY, size, ...describe(type.base)]
    case 'H5T_COMPOUND': {
      const values = [COMPOUND, size, type.fields.length]
      let offset = 0
      for (const field of type.fields) {
        values.push(offset, ...describe(field.type))
        offset += elementSize(field.type)
      }
      return values
    }
    default:
      return [OPAQUE, size]
  }
}

function orderCode(order: ByteOrder): number {
  return order === 'LE' ? LITTLE_ENDIAN : BIG_ENDIAN
}

/** A type as the client data describe it. `bits` is the number of bits of a packed element. */
type Part = { readonly size: number; readonly bits: number } & (
  | { readonly kind: 'number'; readonly steps: Int32Array }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'array'; readonly base: Part }
  | {
      readonly kind: 'compound'
      readonly members: readonly { readonly offset: number; readonly part: Part }[]
    }
)

function parse(clientData: ClientData): { readonly root: Part; readonly count: number } {
  let position = HEADER

  function next(): number {
    if (position >= clientData.length) throw new Error('its client data end too early')
    return clientData[position++]
  }

  function parsePart(): Part {
    const code = next()
    const size = next()
    if (size < 1) throw new Error('its client data have a type of size 0')
    switch (code) {
      case ATOMIC: {
        const bigEndian = next() === BIG_ENDIAN
        const precision = next()
        const lowest = next()
        if (size > MAX_NUMBER_SIZE) throw new Error(`a number of ${size} bytes`)
        if (precision < 1 || lowest + precision > size * 8) {
          throw new Error(`${precision} significant bits from ${lowest} on in ${size} bytes`)
        }
        const steps = stepsOf(size, bigEndian, lowest, precision)
        return { kind: 'number', size, bits: precision, steps }
      }
      case ARRAY: {
        const base = parsePart()
        if (size % base.size !== 0)
          throw new Error(`an array of ${size} bytes of elements of ${base.size} bytes`)
        return { kind: 'array', size, bits: (size / base.size) * base.bits, base }
      }
      case COMPOUND: {
        const members = []
        let bits = 0
        for (let left = next(); left > 0; left--) {
          const offset = next()
          const part = parsePart()
          if (offset + part.size > size)
            throw new Error(`a member that ends beyond its compound of ${size} bytes`)
          members.push({ offset, part })
          bits += part.bits
        }
        if (bits === 0) throw new Error('a compound without members')
        return { kind: 'compound', size, bits, members }
      }
      case OPAQUE:
        return { kind: 'bytes', size, bits: size * 8 }
      default:
        throw new Error(`a type of class ${code}`)
    }
  }

  return { root: parsePart(), count: clientData[2] }
}

/** True when libhdf5 packs another type, because it continues at a wrong position in its client data. */
function isGarbled(part: Part): boolean {
  if (part.kind === 'array') return isGarbled(part.base)
  if (part.kind !== 'compound') return false
  const last = part.members.length - 1
  return part.members.some((member, i) => isGarbled(member.part) || (i < last && losesPosition(member.part)))
}

/** After an array of arrays or compounds libhdf5 is at the base type again, not after it (H5Znbit.c). */
function losesPosition(part: Part): boolean {
  if (part.kind === 'array') return part.base.kind === 'array' || part.base.kind === 'compound'
  return part.kind === 'compound' && losesPosition(part.members[part.members.length - 1].part)
}

/** False when a number has other bits than the significant ones, which would be lost. */
function pack(part: Part, bytes: Uint8Array, position: number, writer: BitWriter): boolean {
  switch (part.kind) {
    case 'number':
      return packNumber(part.steps, bytes, position, writer)
    case 'bytes':
      for (let i = 0; i < part.size; i++) writer.write(bytes[position + i], 8)
      return true
    case 'array':
      for (let offset = 0; offset < part.size; offset += part.base.size) {
        if (!pack(part.base, bytes, position + offset, writer)) return false
      }
      return true
    case 'compound':
      for (const member of part.members) {
        if (!pack(member.part, bytes, position + member.offset, writer)) return false
      }
      return true
  }
}

function unpack(part: Part, reader: BitReader, bytes: Uint8Array, position: number): void {
  switch (part.kind) {
    case 'number':
      unpackNumber(part.steps, reader, bytes, position)
      break
    case 'bytes':
      for (let i = 0; i < part.size; i++) bytes[position + i] = reader.read(8)
      break
    case 'array':
      for (let offset = 0; offset < part.size; offset += part.base.size) {
        unpack(part.base, reader, bytes, position + offset)
      }
      break
    case 'compound':
      for (const member of part.members) unpack(member.part, reader, bytes, position + member.offset)
      break
  }
}

/**
 * The steps for each byte, from the most significant on: its position, its first significant bit, and the number of
 * these bits.
 */
function stepsOf(size: number, bigEndian: boolean, lowest: number, precision: number): Int32Array {
  const steps: number[] = []
  for (let bit = (size - 1) * 8; bit >= 0; bit -= 8) {
    const first = Math.max(lowest - bit, 0)
    const count = Math.max(Math.min(lowest + precision - bit, 8) - first, 0)
    steps.push(bigEndian ? size - 1 - bit / 8 : bit / 8, count === 0 ? 0 : first, count)
  }
  return Int32Array.from(steps)
}

function packNumber(steps: Int32Array, bytes: Uint8Array, offset: number, writer: BitWriter): boolean {
  for (let i = 0; i < steps.length; i += 3) {
    const byte = bytes[offset + steps[i]]
    const first = steps[i + 1]
    const count = steps[i + 2]
    const value = (byte >>> first) & ((1 << count) - 1)
    if (value << first !== byte) return false
    writer.write(value, count)
  }
  return true
}

function unpackNumber(steps: Int32Array, reader: BitReader, bytes: Uint8Array, offset: number): void {
  for (let i = 0; i < steps.length; i += 3) {
    bytes[offset + steps[i]] = reader.read(steps[i + 2]) << steps[i + 1]
  }
}
