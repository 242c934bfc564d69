// The superblock: the address of a file's metadata, and the widths of its addresses and lengths (file format
// specification, II.A). Versions 0 and 1 end with the symbol table entry of the root group. Versions 2 and 3 have a
// checksum, and keep optional data in a separate object header, the superblock extension.

import { CHECKSUM_SIZE, checkChecksum, withChecksum } from './checksum.ts'
import { damaged } from './errors.ts'
import { FieldReader, type Widths } from './field-reader.ts'
import { FieldWriter } from './field-writer.ts'
import { HDF5_SIGNATURE } from './signature.ts'

/** No superblock is longer: version 1 with the widest fields. */
export const LONGEST_SUPERBLOCK = 100

/** The flags of version 3, "file consistency flags". */
export const OPEN_FOR_WRITING = 1
export const OPEN_FOR_SWMR_WRITING = 4

/** The values of a file that has none (H5B_IK_MAX, H5Gprivate.h). */
const DEFAULT_SIZES = { groupLeafK: 4, groupInternalK: 16, chunkK: 32 }

/** The sizes of the nodes of version 1 B-trees and of symbol tables: a node holds at most twice as many children. */
export interface NodeSizes {
  readonly groupLeafK: number
  readonly groupInternalK: number
  readonly chunkK: number
}

export interface Superblock extends NodeSizes {
  readonly version: number
  readonly widths: Widths
  /** The position of the superblock according to the writer. Addresses count from its real position. */
  readonly baseAddress: number
  /** Counts from the beginning of the file, with everything before `baseAddress`. */
  readonly endOfFile: number
  /** The address of the object header of the root group. */
  readonly rootHeader: number
  /** The address of the object header of the superblock extension. */
  readonly extension?: number
  /** The address of the driver information block of versions 0 and 1. */
  readonly driverInformation?: number
  readonly flags: number
}

const WIDTHS = [2, 4, 8]

/** Whether a SWMR writer has the file open: it may grow at any moment, and is always consistent for readers. */
export function isGrowing({ version, flags }: Pick<Superblock, 'version' | 'flags'>): boolean {
  return version >= 3 && (flags & OPEN_FOR_SWMR_WRITING) !== 0
}

/** `bytes` from the signature on: LONGEST_SUPERBLOCK of them, or all that the file has. */
export function decodeSuperblock(bytes: Uint8Array): Superblock {
  const version = bytes[HDF5_SIGNATURE.length] ?? 0
  const widths = decodeWidths(bytes, version < 2 ? 13 : 9)
  const fields = new FieldReader(bytes, widths, 'the superblock', 0)
  fields.expectSignature(HDF5_SIGNATURE)
  return fields.version([0, 1, 2, 3]) < 2 ? decodeOld(fields, version) : decodeNew(fields, version)
}

function decodeWidths(bytes: Uint8Array, position: number): Widths {
  const widths = { offsets: bytes[position] ?? 0, lengths: bytes[position + 1] ?? 0 }
  for (const width of [widths.offsets, widths.lengths]) {
    if (!WIDTHS.includes(width)) {
      throw damaged('the superblock', 0, `addresses or lengths of ${width} bytes are not supported`)
    }
  }
  return widths
}

function decodeOld(fields: FieldReader, version: number): Superblock {
  // Versions of the free space, of the root's symbol table entry, a reserved byte, the version of shared messages, the
  // widths, a reserved byte.
  fields.skip(7)
  const groupLeafK = fields.u16()
  const groupInternalK = fields.u16()
  const flags = fields.u32()
  const chunkK = version === 1 ? fields.u16() : DEFAULT_SIZES.chunkK
  if (version === 1) fields.skip(2)
  const baseAddress = fields.definedAddress('the superblock')
  // The address of the free space, which was never stored.
  fields.address()
  const endOfFile = fields.definedAddress('the end of the file')
  const driverInformation = fields.address()
  // The offset of a name in no heap. It is as wide as lengths are, whatever the specification says (H5Gent.c).
  fields.length()
  const rootHeader = fields.definedAddress('the root group')
  return {
    version,
    widths: fields.widths,
    baseAddress,
    endOfFile,
    rootHeader,
    ...(driverInformation !== undefined && { driverInformation }),
    groupLeafK,
    groupInternalK,
    chunkK,
    flags,
  }
}

function decodeNew(fields: FieldReader, version: number): Superblock {
  fields.skip(2)
  const flags = fields.u8()
  const baseAddress = fields.definedAddress('the superblock')
  const extension = fields.address()
  const endOfFile = fields.definedAddress('the end of the file')
  const rootHeader = fields.definedAddress('the root group')
  checkChecksum(fields)
  return {
    version,
    widths: fields.widths,
    baseAddress,
    endOfFile,
    rootHeader,
    ...(extension !== undefined && { extension }),
    ...DEFAULT_SIZES,
    flags,
  }
}

/** The length of a superblock of version 2 or 3. */
export function superblockSize(widths: Widths): number {
  return HDF5_SIGNATURE.length + 4 + 4 * widths.offsets + CHECKSUM_SIZE
}

/** Versions 2 and 3. */
export function encodeSuperblock(superblock: Superblock): Uint8Array {
  const writer = new FieldWriter(superblock.widths)
  writer.signature(HDF5_SIGNATURE)
  writer.u8(superblock.version)
  writer.u8(superblock.widths.offsets)
  writer.u8(superblock.widths.lengths)
  writer.u8(superblock.flags)
  writer.address(superblock.baseAddress)
  writer.address(superblock.extension)
  writer.address(superblock.endOfFile)
  writer.address(superblock.rootHeader)
  return withChecksum(writer)
}
