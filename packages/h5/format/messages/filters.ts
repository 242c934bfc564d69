// The filter pipeline message (0x0b, IV.A.2.l), versions 1 and 2: the filters that chunks go through, in order.

import { MAX_FILTERS } from '../../filters/filter.ts'
import { roundUp } from '../alignment.ts'
import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export interface FilterDescription {
  readonly id: number
  /** Empty: the file has none. The bytes may be no UTF-8. */
  readonly name: string
  /** A chunk may be stored without it. */
  readonly isOptional: boolean
  /** Unsigned 32-bit numbers. */
  readonly clientData: readonly number[]
}

const OPTIONAL_FLAG = 1
/** Filters below are HDF5's own, and have no name in version 2. */
const FIRST_REGISTERED = 256

export function decodeFilters(fields: FieldReader): readonly FilterDescription[] {
  const version = fields.version([1, 2])
  const count = fields.u8()
  if (count > MAX_FILTERS) throw fields.error(`it has ${count} filters, ${MAX_FILTERS} are the most`)
  if (version === 1) fields.skip(6)
  return fields.list(count, 6, () => decodeFilter(fields, version))
}

function decodeFilter(fields: FieldReader, version: number): FilterDescription {
  const id = fields.u16()
  const hasName = version === 1 || id >= FIRST_REGISTERED
  const nameLength = hasName ? fields.u16() : 0
  const flags = fields.u16()
  const count = fields.u16()
  const name = textBefore0(fields.take(version === 1 ? roundUp(nameLength) : nameLength))
  const clientData = fields.list(count, 4, () => fields.u32())
  if (version === 1 && count % 2 === 1) fields.skip(4)
  return { id, name, isOptional: (flags & OPTIONAL_FLAG) !== 0, clientData }
}

/** Version 1, which all versions of HDF5 read. */
export function encodeFilters(writer: FieldWriter, filters: readonly FilterDescription[]): void {
  writer.u8(1)
  writer.u8(filters.length)
  writer.zeros(6)
  for (const { id, name, isOptional, clientData } of filters) {
    const bytes = new TextEncoder().encode(name)
    const nameLength = name === '' ? 0 : roundUp(bytes.length + 1)
    writer.u16(id)
    writer.u16(nameLength)
    writer.u16(isOptional ? OPTIONAL_FLAG : 0)
    writer.u16(clientData.length)
    writer.put(bytes)
    writer.zeros(nameLength === 0 ? 0 : nameLength - bytes.length)
    for (const value of clientData) writer.u32(value)
    if (clientData.length % 2 === 1) writer.zeros(4)
  }
}

function textBefore0(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end))
}
