// Opening a file: its superblock, and the messages of the superblock extension that concern the whole file (file format
// specification, II.A). Files whose metadata may be incomplete are refused: one part of several files, and a file that
// a writer left open.

import { HyperslabError } from '@hyperslab/base/errors'
import { type ByteSource, findSignature, readRange } from '../byte-source.ts'
import { decodeCacheImageEntries } from '../format/cache-image.ts'
import { FieldReader } from '../format/field-reader.ts'
import { decodeCacheImage } from '../format/messages/cache-image.ts'
import { DRIVER_BLOCK_SIZE, decodeDriverBlock, decodeDriverMessage } from '../format/messages/driver-info.ts'
import { MESSAGE } from '../format/messages/message-type.ts'
import { decodeNodeSizes } from '../format/messages/node-sizes.ts'
import { decodeSharedTableMessage } from '../format/messages/shared-table.ts'
import type { RawMessage } from '../format/object-header.ts'
import {
  decodeSuperblock,
  isGrowing,
  LONGEST_SUPERBLOCK,
  OPEN_FOR_WRITING,
  type Superblock,
} from '../format/superblock.ts'
import { isHarmless } from './structures/attempt.ts'
import { FileBytes } from './structures/file-bytes.ts'
import type { H5File, OpenOptions } from './structures/h5-file.ts'
import { HeaderCache } from './structures/header-cache.ts'
import { imagedSource } from './structures/imaged-source.ts'
import { KnownMessages } from './structures/known-messages.ts'
import { MemberCount } from './structures/member-count.ts'
import { findMessage, readObjectHeader } from './structures/object-header.ts'
import { SharedMessages } from './structures/shared-messages.ts'

export async function openFile(source: ByteSource, path: string, options: OpenOptions = {}): Promise<H5File> {
  const { readsWhileWritten = false, isLongLived } = options
  const base = await findSignature(source)
  if (base === undefined) {
    throw new HyperslabError('not-hdf5', `${path} is not an HDF5 file: it has no HDF5 signature`, {
      subject: path,
    })
  }
  const superblock = await readSuperblock(source, base)
  if (!readsWhileWritten) refuseOpenForWriting(superblock, path)
  const truncation = truncationOf(superblock, base, source.size)
  const bytes = new FileBytes(source, base, superblock.widths, isLongLived)
  const file: H5File = {
    bytes,
    superblock,
    path,
    options,
    root: superblock.rootHeader,
    ...(truncation !== undefined && { truncation }),
    headers: new HeaderCache(bytes.end),
    known: new KnownMessages(),
    linkCount: new MemberCount(bytes.end),
    attributeCount: new MemberCount(bytes.end),
    chunkCount: new MemberCount(bytes.end),
  }
  await refuseDriverBlock(file)
  if (superblock.extension === undefined) return file
  const imaged = await withCacheImage(file, superblock.extension, source, base, isLongLived)
  return withExtension(imaged, superblock.extension)
}

function readSuperblock(source: ByteSource, base: number): Promise<Superblock> {
  return readRange(source, base, LONGEST_SUPERBLOCK).then(decodeSuperblock)
}

/**
 * The warning about a file that is too short, of which the superblock is at `base`. Undefined also when the superblock
 * is damaged: then the file cannot be opened, and the error says it.
 */
export async function findTruncation(source: ByteSource, base: number): Promise<string | undefined> {
  try {
    return truncationOf(await readSuperblock(source, base), base, source.size)
  } catch (error) {
    if (isHarmless(error)) return undefined
    throw error
  }
}

/** Older versions have no such flags. */
function refuseOpenForWriting(superblock: Superblock, path: string): void {
  const { version, flags } = superblock
  if (version < 3 || !(flags & OPEN_FOR_WRITING) || isGrowing(superblock)) return
  const reason = 'it is marked as open for writing: its writer is at work, or ended without closing it'
  const message = `${path} cannot be read: ${reason}. "h5clear -s" removes the mark`
  throw new HyperslabError('file-open-for-writing', message, { subject: path })
}

/**
 * The warning about a file that is too short. With SWMR the writer may extend the file at any moment, and writes the
 * superblock last.
 */
function truncationOf(superblock: Superblock, base: number, size: number): string | undefined {
  const end = superblock.endOfFile - superblock.baseAddress + base
  if (size >= end || isGrowing(superblock)) return undefined
  return `the file is cut off: it has ${size} of ${end} bytes; the rest cannot be read`
}

async function refuseDriverBlock(file: H5File): Promise<void> {
  const { driverInformation } = file.superblock
  if (driverInformation === undefined) return
  const structure = 'the driver information block'
  const bytes = await file.bytes.read(driverInformation, DRIVER_BLOCK_SIZE, structure)
  const fields = new FieldReader(bytes, file.bytes.widths, structure, driverInformation)
  refuseDriver(decodeDriverBlock(fields), file.path)
}

function refuseDriver(driver: string | undefined, path: string): void {
  if (driver === undefined) return
  throw unreadableFile(
    path,
    `it is one of the files that the ${driver} driver made of one file: make them one file, for example with ` +
      `${driver === 'family' ? 'h5repart' : 'h5repack'}`,
  )
}

/** The longest image; it is in memory as long as the file is open. @limit memory, bytes */
const MAX_CACHE_IMAGE = 32 * 2 ** 20

/**
 * The file with the structures of its metadata cache image, if it has one. The extension itself is never in the image.
 */
async function withCacheImage(
  file: H5File,
  extension: number,
  source: ByteSource,
  base: number,
  isLongLived: boolean | undefined,
): Promise<H5File> {
  const message = findMessage(await readObjectHeader(file, extension), MESSAGE.cacheImage)
  const { address, length } = message ? decodeCacheImage(messageFields(file, message)) : { length: 0 }
  if (address === undefined || length === 0) return file
  if (length > MAX_CACHE_IMAGE) {
    const rule = `its metadata cache image has ${length} bytes, and the limit is ${MAX_CACHE_IMAGE}`
    throw unreadableFile(
      file.path,
      `${rule}: open and close it with an HDF5 library, which removes the image`,
    )
  }
  const { widths } = file.bytes
  const image = await file.bytes.read(address, length, 'the metadata cache image')
  const imaged = imagedSource(source, base, decodeCacheImageEntries(image.slice(), widths, address))
  const bytes = new FileBytes(imaged, base, widths, isLongLived)
  return { ...file, bytes, headers: new HeaderCache(file.bytes.end) }
}

async function withExtension(file: H5File, address: number): Promise<H5File> {
  const { messages } = await readObjectHeader(file, address)
  const fieldsOf = (type: number): FieldReader | undefined => {
    const message = messages.find(other => other.type === type)
    return message && messageFields(file, message)
  }
  const driver = fieldsOf(MESSAGE.driverInformation)
  if (driver) refuseDriver(decodeDriverMessage(driver), file.path)
  const nodeSizes = fieldsOf(MESSAGE.nodeSizes)
  const sharedTable = fieldsOf(MESSAGE.sharedTable)
  return {
    ...file,
    ...(nodeSizes && { superblock: { ...file.superblock, ...decodeNodeSizes(nodeSizes) } }),
    ...(sharedTable && {
      sharedMessages: new SharedMessages(file.bytes, decodeSharedTableMessage(sharedTable)),
    }),
  }
}

function messageFields(file: H5File, { body, address }: RawMessage): FieldReader {
  return new FieldReader(body, file.bytes.widths, 'a message of the superblock extension', address)
}

function unreadableFile(path: string, reason: string): HyperslabError {
  return new HyperslabError('file-unreadable', `${path} cannot be read: ${reason}`, { subject: path })
}
