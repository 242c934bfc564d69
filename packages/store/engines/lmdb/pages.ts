// The pages of LMDB's file as they are on the disk. LMDB maps the file and trusts every number in it: one that is cut
// short or damaged would end the process by SIGBUS or SIGSEGV, without a word. So a process checks here the pages that
// it is going to use, by reading the file. The layout is that of the package's fork of LMDB 1.0, on 64-bit systems with
// the lowest byte first (docs/decisions/003-lmdb.md).

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { HyperslabError } from '@hyperslab/base/errors'
import { recordsDamaged } from './storage-errors.ts'

const HEADER_BYTES = 24
const META_BYTES = HEADER_BYTES + 144
const PAGE_BYTES_OFFSET = HEADER_BYTES + 24
/** The place of the number of its state in a page with the roots of a state; the first two pages are such pages. */
export const STATE_OFFSET = HEADER_BYTES + 128
const MAGIC = 0xbeefc0de
const VERSION = 2
const MIN_PAGE_BYTES = 512
/** Bytes of a page of LMDB. @limit format, bytes */
const MAX_PAGE_BYTES = 65_536
/** The root of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n
/** Levels of a tree of LMDB. @limit format, levels */
const MAX_DEPTH = 32

const BRANCH = 0x01
const LEAF = 0x02
const OVERFLOW = 0x04
const META = 0x08

/** The flag of a node whose value is in pages of its own. */
const BIG_VALUE = 0x01
const NODE_BYTES = 8
const BIG_VALUE_BYTES = 24

interface Tree {
  readonly name: string
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly entries: number
  readonly root: bigint
}

interface Meta {
  readonly pageBytes: number
  readonly lastPage: number
  readonly state: bigint
  readonly trees: readonly Tree[]
}

/** The number of times that the pages are read again because another process has committed and reused some of them. */
const ATTEMPTS = 20

/**
 * Throws `records-damaged` unless the folder's file can be mapped: its header must be right, and its length at least
 * that of its state. The first page of each tree is checked too. A folder without the file is new.
 */
export function requireWholeFile(folder: string): void {
  reading(folder, file => {
    for (let attempt = 1; ; attempt++) {
      const meta = readMeta(file)
      // Another process may make the file longer meanwhile: the length is read after the state that it must hold.
      const { size } = fstatSync(file)
      // The last pages may be free, and may never have been written.
      const isShort = size < (meta.lastPage + 1) * meta.pageBytes
      try {
        return checkTrees(file, size, meta, isShort ? MAX_DEPTH : 1)
      } catch (error) {
        if (attempt === ATTEMPTS || readMeta(file).state === meta.state) throw error
      }
    }
  })
}

/**
 * Reads every page that the newest state uses, unless the file has more than `mostBytes`. Must be called while a
 * snapshot is open, so that none of them is reused.
 */
export function requireSoundPages(folder: string, mostBytes: number): void {
  reading(folder, file => {
    const meta = readMeta(file)
    const { size } = fstatSync(file)
    if (size <= mostBytes) checkTrees(file, size, meta, MAX_DEPTH)
  })
}

/** The length of a page of the file, which has been checked. */
export function readPageBytes(file: number): number {
  const bytes = Buffer.alloc(4)
  readSync(file, bytes, 0, 4, PAGE_BYTES_OFFSET)
  return bytes.readUInt32LE()
}

function reading(folder: string, work: (file: number) => void): void {
  let file: number
  try {
    file = openSync(join(folder, 'data.mdb'), 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  try {
    work(file)
  } finally {
    closeSync(file)
  }
}

/** The newest state. */
function readMeta(file: number): Meta {
  const { size } = fstatSync(file)
  if (size === 0) throw recordsDamaged('the file is empty')
  const [first, at] = metaAt(file, size, 0, 0)
  const [second] = metaAt(file, size, 1, at)
  if (first.pageBytes !== second.pageBytes) throw recordsDamaged('its two first pages do not agree')
  return first.state >= second.state ? first : second
}

/** A meta page, and the offset of the next page. */
function metaAt(file: number, size: number, page: number, position: number): [Meta, number] {
  const bytes = Buffer.alloc(META_BYTES)
  if (readSync(file, bytes, 0, META_BYTES, position) < META_BYTES) throw cutShort(size)
  const isMeta = (bytes.readUInt16LE(18) & META) !== 0 && bytes.readUInt32LE(HEADER_BYTES) === MAGIC
  if (!isMeta) throw recordsDamaged(`page ${page} is not a page of LMDB`)
  const version = bytes.readUInt32LE(HEADER_BYTES + 4) & 0xffff
  if (version !== VERSION)
    throw recordsDamaged(`page ${page} has the version ${version} instead of ${VERSION}`)
  const pageBytes = bytes.readUInt32LE(PAGE_BYTES_OFFSET)
  const isPower = (pageBytes & (pageBytes - 1)) === 0
  if (!isPower || pageBytes < MIN_PAGE_BYTES || pageBytes > MAX_PAGE_BYTES)
    throw recordsDamaged(`page ${page} says that a page has ${pageBytes} bytes`)
  const lastPage = bytes.readBigUInt64LE(144)
  // No disk has so large a file.
  if (lastPage >= 2n ** 40n || lastPage < 1n) throw recordsDamaged(`page ${page} counts ${lastPage} pages`)
  const trees = [treeAt(bytes, 48, 'free pages'), treeAt(bytes, 96, 'records')]
  return [
    { pageBytes, lastPage: Number(lastPage), state: bytes.readBigUInt64LE(STATE_OFFSET), trees },
    pageBytes,
  ]
}

function treeAt(bytes: Buffer, offset: number, name: string): Tree {
  return {
    name,
    depth: bytes.readUInt16LE(offset + 6),
    branchPages: Number(bytes.readBigUInt64LE(offset + 8)),
    leafPages: Number(bytes.readBigUInt64LE(offset + 16)),
    entries: Number(bytes.readBigUInt64LE(offset + 32)),
    root: bytes.readBigUInt64LE(offset + 40),
  }
}

function checkTrees(file: number, size: number, meta: Meta, levels: number): void {
  for (const tree of meta.trees) new TreeCheck(file, size, meta, tree).run(levels)
}

/** The walk of one tree. It throws at the first impossible number. */
class TreeCheck {
  readonly #file: number
  readonly #size: number
  readonly #meta: Meta
  readonly #tree: Tree
  readonly #big: Buffer
  #branchPages = 0
  #leafPages = 0
  #entries = 0

  constructor(file: number, size: number, meta: Meta, tree: Tree) {
    this.#file = file
    this.#size = size
    this.#meta = meta
    this.#tree = tree
    this.#big = Buffer.alloc(HEADER_BYTES)
  }

  /** Walks the tree down to this number of levels. */
  run(levels: number): void {
    const { name, root, depth, branchPages, leafPages, entries } = this.#tree
    if (root === NO_PAGE) {
      if (entries !== 0) throw recordsDamaged(`the tree of ${name} has no root and ${entries} entries`)
      return
    }
    if (depth < 1 || depth > MAX_DEPTH) throw recordsDamaged(`the tree of ${name} has ${depth} levels`)
    this.#walk(Number(root), depth, levels)
    if (levels < depth) return
    if (this.#branchPages === branchPages && this.#leafPages === leafPages && this.#entries === entries)
      return
    throw recordsDamaged(
      `the tree of ${name} has ${this.#entries} entries in ${this.#leafPages} pages instead of ${entries} in ` +
        `${leafPages}`,
    )
  }

  #walk(page: number, height: number, levels: number): void {
    const bytes = this.#read(page)
    const isLeaf = height === 1
    if (isLeaf) this.#leafPages++
    else this.#branchPages++
    // The pages lead back to themselves.
    if (this.#leafPages + this.#branchPages > this.#meta.lastPage)
      throw recordsDamaged(`the tree of ${this.#tree.name} has more pages than the file`)
    const count = this.#checkHeader(bytes, page, isLeaf)
    if (isLeaf) this.#entries += count
    const children: number[] = []
    let before: Buffer | undefined
    for (let index = 0; index < count; index++) {
      const node = HEADER_BYTES + bytes.readUInt16LE(HEADER_BYTES + 2 * index)
      if (node < HEADER_BYTES + bytes.readUInt16LE(22) || node + NODE_BYTES > bytes.length)
        throw wrongPage(page, 'an entry is outside of it')
      const keyEnd = node + NODE_BYTES + bytes.readUInt16LE(node + 6)
      if (keyEnd > bytes.length) throw wrongPage(page, 'a key goes beyond its end')
      const key = bytes.subarray(node + NODE_BYTES, keyEnd)
      // The first key of a branch page is not used.
      if (isLeaf || index > 1) this.#checkOrder(page, before, key)
      before = key
      if (isLeaf) this.#checkValue(bytes, page, node, keyEnd)
      else children.push(bytes.readUInt32LE(node) + bytes.readUInt16LE(node + 4) * 2 ** 32)
    }
    if (levels > 1) for (const child of children) this.#walk(child, height - 1, levels - 1)
  }

  #read(page: number): Buffer {
    const { pageBytes } = this.#meta
    this.#requireInFile(page, 1)
    const bytes = Buffer.allocUnsafe(pageBytes)
    if (readSync(this.#file, bytes, 0, pageBytes, page * pageBytes) < pageBytes) throw cutShort(this.#size)
    return bytes
  }

  #requireInFile(page: number, count: number): void {
    const { lastPage, pageBytes } = this.#meta
    if (page < 2 || page + count - 1 > lastPage)
      throw recordsDamaged(`the tree of ${this.#tree.name} names page ${page}, which cannot be`)
    if ((page + count) * pageBytes > this.#size) throw cutShort(this.#size)
  }

  /** Checks the header of a page, and returns the number of its entries. */
  #checkHeader(bytes: Buffer, page: number, isLeaf: boolean): number {
    this.#checkOrderEntry(bytes, page)
    if (bytes.readUInt16LE(18) !== (isLeaf ? LEAF : BRANCH)) throw wrongPage(page, 'it is of another kind')
    const lower = bytes.readUInt16LE(20)
    const upper = bytes.readUInt16LE(22)
    if (lower % 2 !== 0 || lower > upper || upper > bytes.length - HEADER_BYTES)
      throw wrongPage(page, `its free space is ${lower} to ${upper}`)
    const count = lower / 2
    if (count < (isLeaf ? 1 : 2)) throw wrongPage(page, `it has ${count} entries`)
    return count
  }

  #checkOrderEntry(bytes: Buffer, page: number): void {
    const number = bytes.readBigUInt64LE(0)
    if (number !== BigInt(page)) throw wrongPage(page, `it says that it is page ${number}`)
    if (bytes.readBigUInt64LE(8) > this.#meta.state)
      throw wrongPage(page, 'it is newer than the newest state')
  }

  #checkOrder(page: number, before: Buffer | undefined, key: Buffer): void {
    const isFreePages = this.#tree === this.#meta.trees[0]
    if (isFreePages && key.length !== 8) throw wrongPage(page, 'a key is not a number')
    if (before === undefined) return
    const isInOrder = isFreePages
      ? before.readBigUInt64LE() < key.readBigUInt64LE()
      : Buffer.compare(before, key) < 0
    if (!isInOrder) throw wrongPage(page, 'its keys are not in order')
  }

  #checkValue(bytes: Buffer, page: number, node: number, start: number): void {
    const length = bytes.readUInt32LE(node)
    const flags = bytes.readUInt16LE(node + 4)
    if (flags === 0 && start + length <= bytes.length) return
    if (flags !== BIG_VALUE || start + BIG_VALUE_BYTES > bytes.length)
      throw wrongPage(page, 'a value goes beyond its end')
    const { pageBytes } = this.#meta
    const count = Math.floor((HEADER_BYTES - 1 + length) / pageBytes) + 1
    const first = Number(bytes.readBigUInt64LE(start))
    this.#requireInFile(first, count)
    readSync(this.#file, this.#big, 0, HEADER_BYTES, first * pageBytes)
    this.#checkOrderEntry(this.#big, first)
    if (this.#big.readUInt16LE(18) !== OVERFLOW || this.#big.readUInt32LE(20) < count)
      throw wrongPage(first, `it does not begin a value of ${length} bytes`)
  }
}

function wrongPage(page: number, problem: string): HyperslabError {
  return recordsDamaged(`page ${page}: ${problem}`)
}

function cutShort(size: number): HyperslabError {
  return recordsDamaged(`the file has been cut short to ${size} bytes`)
}
