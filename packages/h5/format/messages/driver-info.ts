// The driver of a file whose bytes are spread over several files: the driver information block of superblocks 0 and 1
// (file format specification, II.B), and the driver info message (0x14) of the superblock extension (IV.A.2.u).

import type { FieldReader } from '../field-reader.ts'

const DRIVERS = new Map([
  ['NCSAfami', 'family'],
  ['NCSAmult', 'multi'],
])

const IDENTIFICATION_SIZE = 8

/** The beginning of the driver information block, which has the driver's name. */
export const DRIVER_BLOCK_SIZE = 16

/**
 * The name of the driver that spreads the file; undefined: none. The rest of the structure has the driver's own format.
 */
export function decodeDriverBlock(fields: FieldReader): string | undefined {
  fields.version([0])
  // Reserved bytes, and the size of the rest.
  fields.skip(7)
  return decodeDriver(fields)
}

/** The name of the driver from the message of the superblock extension; undefined: none. */
export function decodeDriverMessage(fields: FieldReader): string | undefined {
  fields.version([0])
  return decodeDriver(fields)
}

function decodeDriver(fields: FieldReader): string | undefined {
  return DRIVERS.get(String.fromCharCode(...fields.take(IDENTIFICATION_SIZE)))
}
