// The fill value messages: 0x05 (versions 1 to 3, IV.A.2.f) and the old one, 0x04 (IV.A.2.e), which has the value
// alone.

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export type AllocationTime = (typeof ALLOCATION_TIMES)[number]
export type FillTime = (typeof FILL_TIMES)[number]

export interface FillValueMessage {
  /** Absent: the file has none. */
  readonly allocationTime?: AllocationTime
  readonly fillTime?: FillTime
  /** The element in the form of the file. Absent: all bytes zero. */
  readonly value?: Uint8Array
  /** True: the user has declared that there is no fill value. */
  readonly isUndefined: boolean
}

/** The allocation times by their numbers; 0 is the default of the layout. */
export const ALLOCATION_TIMES = [
  'H5D_ALLOC_TIME_DEFAULT',
  'H5D_ALLOC_TIME_EARLY',
  'H5D_ALLOC_TIME_LATE',
  'H5D_ALLOC_TIME_INCR',
] as const
/** The meaning of the default in libhdf5, by the class of the layout. */
export const DEFAULT_ALLOCATION_TIMES = {
  compact: 'H5D_ALLOC_TIME_EARLY',
  contiguous: 'H5D_ALLOC_TIME_LATE',
  chunked: 'H5D_ALLOC_TIME_INCR',
  virtual: 'H5D_ALLOC_TIME_INCR',
} as const
export const FILL_TIMES = ['H5D_FILL_TIME_ALLOC', 'H5D_FILL_TIME_NEVER', 'H5D_FILL_TIME_IFSET'] as const

const UNDEFINED_FLAG = 0x10
const VALUE_FLAG = 0x20
const RESERVED_FLAGS = 0xc0

/** The size of a value that is not defined (versions 1 and 2). */
const NO_VALUE = 0xffffffff

export function decodeFillValue(fields: FieldReader): FillValueMessage {
  const version = fields.version([1, 2, 3])
  if (version === 3) {
    const flags = fields.u8()
    if (flags & RESERVED_FLAGS || (flags & UNDEFINED_FLAG && flags & VALUE_FLAG)) {
      throw fields.error(`its flags ${flags} contradict each other`)
    }
    return {
      isUndefined: (flags & UNDEFINED_FLAG) !== 0,
      ...decodeTimes(fields, flags & 3, (flags >> 2) & 3),
      ...(flags & VALUE_FLAG && decodeValue(fields)),
    }
  }
  const [allocationTime, fillTime, isDefined] = [fields.u8(), fields.u8(), fields.u8() !== 0]
  const times = decodeTimes(fields, allocationTime, fillTime)
  return isDefined
    ? { isUndefined: false, ...times, ...decodeValue(fields) }
    : { isUndefined: true, ...times }
}

export function decodeOldFillValue(fields: FieldReader): FillValueMessage {
  return { isUndefined: false, ...decodeValue(fields) }
}

function decodeTimes(
  fields: FieldReader,
  allocation: number,
  fill: number,
): { allocationTime: AllocationTime; fillTime: FillTime } {
  const [allocationTime, fillTime] = [ALLOCATION_TIMES[allocation], FILL_TIMES[fill]]
  if (!allocationTime || !fillTime) throw fields.error(`its times ${allocation} and ${fill} are unknown`)
  return { allocationTime, fillTime }
}

/** A size of 0 means the default: all bytes zero. */
function decodeValue(fields: FieldReader): { value?: Uint8Array; isUndefined?: boolean } {
  const size = fields.u32()
  if (size === NO_VALUE) return { isUndefined: true }
  return size === 0 ? {} : { value: fields.take(size) }
}

/** Version 3. */
export function encodeFillValue(writer: FieldWriter, message: FillValueMessage): void {
  const { allocationTime = 'H5D_ALLOC_TIME_DEFAULT', fillTime = 'H5D_FILL_TIME_IFSET', value } = message
  const valueFlags = (message.isUndefined ? UNDEFINED_FLAG : 0) | (value ? VALUE_FLAG : 0)
  writer.u8(3)
  writer.u8(ALLOCATION_TIMES.indexOf(allocationTime) | (FILL_TIMES.indexOf(fillTime) << 2) | valueFlags)
  if (!value) return
  writer.u32(value.length)
  writer.put(value)
}
