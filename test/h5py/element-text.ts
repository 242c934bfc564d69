// Types and elements as strings, written as describe.py writes them.

import type { Datatype } from '@hyperslab/model/datatype'
import { elementSize, includesType, isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import { decodeRegionReference, readObjectReference, slotLength, slotStart } from '@hyperslab/model/values'

/** True when packed bytes say all: neither references nor parts of variable size. */
export function isPlain(type: Datatype): boolean {
  return !isVariableSize(type) && !includesType(type, part => part.class === 'H5T_REFERENCE')
}

const CHARSETS = { H5T_CSET_ASCII: 'ascii', H5T_CSET_UTF8: 'utf8' } as const
const PADDINGS = { H5T_STR_NULLTERM: 'term', H5T_STR_NULLPAD: 'null', H5T_STR_SPACEPAD: 'space' } as const

/** Reduced precision is left out: storage form holds the number in all bits. */
export function typeName(type: Datatype): string {
  switch (type.class) {
    case 'H5T_INTEGER':
      return `${type.signed ? 'i' : 'u'}${type.size}${orderSign(type)}`
    case 'H5T_FLOAT':
      return `f${type.size}${orderSign(type)}`
    case 'H5T_BITFIELD':
      return `b${type.size}${orderSign(type)}`
    case 'H5T_STRING': {
      const shape = `${CHARSETS[type.charSet]}:${PADDINGS[type.strPad]}`
      return type.length === 'H5T_VARIABLE' ? `vS:${shape}` : `S${type.length}:${shape}`
    }
    case 'H5T_OPAQUE':
      return `opaque(${type.size},${type.tag ?? ''})`
    case 'H5T_ENUM': {
      const members = type.members.map(({ name, value }) => ({ name, text: `${name}=${value}` }))
      // Python sorts by code points, as UTF-8 does by bytes.
      members.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
      return `enum(${typeName(type.base)},${members.map(({ text }) => text).join(',')})`
    }
    case 'H5T_COMPOUND':
      return `{${type.fields.map(field => `${field.name}:${typeName(field.type)}`).join(',')}}`
    case 'H5T_ARRAY':
      return `[${type.dims.join('x')}]${typeName(type.base)}`
    case 'H5T_VLEN':
      return `vl(${typeName(type.base)})`
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_OBJ' ? 'ref' : 'region'
  }
}

function orderSign({ size, order }: { size: number; order: 'LE' | 'BE' }): string {
  if (size === 1) return '|'
  return order === 'LE' ? '<' : '>'
}

/** The text of each element. */
export function elementTexts(
  type: Datatype,
  { count, data, heap }: Elements,
  addressOf: (id: ObjectId) => string,
): readonly string[] {
  const hex = (bytes: Uint8Array) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  const variable = (bytes: Uint8Array, at: number) => {
    const start = slotStart(bytes, at)
    return heap.subarray(start, start + slotLength(bytes, at))
  }
  const text = (of: Datatype, bytes: Uint8Array, at: number): string => {
    switch (of.class) {
      case 'H5T_COMPOUND': {
        if (isPlain(of)) break
        let offset = at
        const members: string[] = []
        for (const field of of.fields) {
          members.push(text(field.type, bytes, offset))
          offset += elementSize(field.type)
        }
        return `(${members.join(',')})`
      }
      case 'H5T_ARRAY': {
        if (isPlain(of)) break
        const size = elementSize(of.base)
        const length = of.dims.reduce((product, extent) => product * extent, 1)
        return `[${Array.from({ length }, (_, i) => text(of.base, bytes, at + i * size)).join(',')}]`
      }
      case 'H5T_VLEN': {
        const sequence = variable(bytes, at)
        const size = elementSize(of.base)
        const length = sequence.length / size
        return `<${Array.from({ length }, (_, i) => text(of.base, sequence, i * size)).join(',')}>`
      }
      case 'H5T_STRING':
        if (of.length === 'H5T_VARIABLE') return `"${hex(variable(bytes, at))}"`
        break
      case 'H5T_REFERENCE': {
        if (of.base === 'H5T_STD_REF_OBJ') {
          const reference = readObjectReference(bytes, at)
          return `@${reference ? addressOf(reference.id) : 'null'}`
        }
        return regionText(variable(bytes, at), addressOf)
      }
    }
    return hex(bytes.subarray(at, at + elementSize(of)))
  }
  const size = elementSize(type)
  return Array.from({ length: count }, (_, index) => text(type, data, index * size))
}

function regionText(bytes: Uint8Array, addressOf: (id: ObjectId) => string): string {
  if (bytes.length === 0) return 'R@null'
  const region = decodeRegionReference(bytes)
  if (typeof region === 'string') return `R@${region}`
  const kind = region.selectType.replace('H5S_SEL_', '')
  const at = `R@${addressOf(region.id)}:${kind}`
  if (region.selectType === 'H5S_SEL_POINTS') return `${at}:${region.points.join(';')}`
  if (region.selectType !== 'H5S_SEL_HYPERSLABS') return at
  return `${at}:${region.blocks
    .map(({ first, last }) => `${first}-${last}`)
    .sort()
    .join(';')}`
}
