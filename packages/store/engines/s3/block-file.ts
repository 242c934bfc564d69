// The form of a file of the cache: a header with the length and a CRC-32 of each 64 KiB, then the bytes of one block of
// a blob. The checksums include the key of the block, so a file under a wrong name, and a damaged or cut one, is
// detected when it is read.

import { crc32 } from 'node:zlib'

/** The length of a block, the unit of the cache. */
export const BLOCK_BYTES = 2 ** 20
const PAGE_BYTES = 2 ** 16
const PAGES = BLOCK_BYTES / PAGE_BYTES
/** Bytes of the header: the length, the checksums of the pages, and the checksum of the header before it. */
export const HEADER_BYTES = 4 + 4 * PAGES + 4

/** The contents of a header. */
export interface BlockHead {
  readonly length: number
  readonly checksums: readonly number[]
}

export function encodeHead(key: string, block: Uint8Array): Uint8Array {
  const head = Buffer.alloc(HEADER_BYTES)
  head.writeUInt32LE(block.length, 0)
  for (let page = 0; page * PAGE_BYTES < block.length; page++) {
    head.writeUInt32LE(crc32(block.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)), 4 + 4 * page)
  }
  head.writeUInt32LE(headSum(key, head), HEADER_BYTES - 4)
  return head
}

/** The decoded header; undefined: it is damaged, or that of another block. */
export function decodeHead(key: string, bytes: Uint8Array): BlockHead | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (head.length !== HEADER_BYTES || head.readUInt32LE(HEADER_BYTES - 4) !== headSum(key, head))
    return undefined
  const checksums = Array.from({ length: PAGES }, (_, page) => head.readUInt32LE(4 + 4 * page))
  return { length: head.readUInt32LE(0), checksums }
}

function headSum(key: string, head: Uint8Array): number {
  return crc32(head.subarray(0, HEADER_BYTES - 4), crc32(key))
}

/** Whole pages of a block. */
export interface PageRange {
  readonly start: number
  readonly end: number
}

/** The whole pages around a range of the block. */
export function pagesAround({ length }: BlockHead, offset: number, count: number): PageRange {
  const start = Math.floor(offset / PAGE_BYTES) * PAGE_BYTES
  const end = Math.min(Math.ceil((offset + count) / PAGE_BYTES) * PAGE_BYTES, length)
  return { start: Math.min(start, end), end }
}

/** The pages of a block that were found intact. */
export class CheckedPages {
  /** A bit for each page. */
  #pages = 0

  has(range: PageRange): boolean {
    const wanted = bitsOf(range)
    return (this.#pages & wanted) === wanted
  }

  add(range: PageRange): void {
    this.#pages |= bitsOf(range)
  }
}

function bitsOf({ start, end }: PageRange): number {
  const [first, last] = [Math.floor(start / PAGE_BYTES), Math.ceil(end / PAGE_BYTES)]
  return 2 ** last - 2 ** first
}

/** Whether `bytes`, whole pages that begin at `start` of the block, match their checksums. */
export function arePagesIntact({ checksums }: BlockHead, start: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    if (crc32(bytes.subarray(at, at + PAGE_BYTES)) !== checksums[(start + at) / PAGE_BYTES]) return false
  }
  return true
}
