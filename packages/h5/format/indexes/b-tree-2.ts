// A version 2 B-tree (file format specification, III.A.2): a header, internal nodes and leaves, each with a checksum.
// All nodes hold records, whose meaning depends on the tree's type. The widths of the counts in an internal node follow
// from the sizes of node and record (H5B2hdr.c).

import { CHECKSUM_SIZE, checkChecksum, withChecksum } from '../checksum.ts'
import { FieldReader, type Widths } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'

const STRUCTURE = 'the version 2 B-tree'
const HEADER_SIGNATURE = 'BTHD'
const INTERNAL_SIGNATURE = 'BTIN'
const LEAF_SIGNATURE = 'BTLF'

/** Signature, version, type. */
const NODE_PREFIX_SIZE = 6
/** A count is no wider, however large it may become. @limit format, bytes */
const MAX_COUNT_WIDTH = 8

export interface BTree2Header {
  readonly type: number
  readonly nodeSize: number
  readonly recordSize: number
  /** The depth of the root; 0: it is a leaf. */
  readonly depth: number
  readonly splitPercent: number
  readonly mergePercent: number
  /** Undefined: the tree has no record. */
  readonly root?: number
  readonly rootRecordCount: number
  readonly totalRecordCount: number
}

/** A node as its parent describes it. */
export interface BTree2Child {
  readonly address: number
  readonly recordCount: number
  /** Records of the child and all nodes below it. */
  readonly totalRecordCount: number
}

export interface BTree2Node {
  /** The records, one after another, each of the size of a record: a view. */
  readonly records: Uint8Array
  /** The children: one more than the records; none in a leaf. */
  readonly children: readonly BTree2Child[]
}

export function bTree2HeaderSize({ offsets, lengths }: Widths): number {
  return 18 + offsets + lengths + CHECKSUM_SIZE
}

export function decodeBTree2Header(bytes: Uint8Array, widths: Widths, address: number): BTree2Header {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  fields.expectSignature(HEADER_SIGNATURE)
  fields.version([0])
  const type = fields.u8()
  const nodeSize = fields.u32()
  const recordSize = fields.u16()
  const depth = fields.u16()
  const splitPercent = fields.u8()
  const mergePercent = fields.u8()
  const root = fields.address()
  const rootRecordCount = fields.u16()
  const totalRecordCount = fields.length()
  checkChecksum(fields)
  if (recordSize === 0) throw fields.error('its records have no bytes')
  if (root === undefined && totalRecordCount > 0) {
    throw fields.error(`it has ${totalRecordCount} records, and the address of its root is undefined`)
  }
  return {
    type,
    nodeSize,
    recordSize,
    depth,
    splitPercent,
    mergePercent,
    ...(root !== undefined && { root }),
    rootRecordCount,
    totalRecordCount,
  }
}

export function encodeBTree2Header(header: BTree2Header, widths: Widths): Uint8Array {
  const writer = new FieldWriter(widths)
  writer.signature(HEADER_SIGNATURE)
  writer.u8(0)
  writer.u8(header.type)
  writer.u32(header.nodeSize)
  writer.u16(header.recordSize)
  writer.u16(header.depth)
  writer.u8(header.splitPercent)
  writer.u8(header.mergePercent)
  writer.address(header.root)
  writer.u16(header.rootRecordCount)
  writer.length(header.totalRecordCount)
  return withChecksum(writer)
}

/** The nodes of one depth, counted from the leaves. */
export interface BTree2Level {
  /** The number of records for which a node has room. */
  readonly maxRecords: number
  /** The width of the number of records of a child. */
  readonly countWidth: number
  /** The width of the number of records in a child's subtree; 0: the children are leaves. */
  readonly totalWidth: number
}

/** The levels by depth, the leaves first. */
export function bTree2Levels(
  { nodeSize, recordSize, depth }: Pick<BTree2Header, 'nodeSize' | 'recordSize' | 'depth'>,
  widths: Widths,
): readonly BTree2Level[] {
  const room = nodeSize - NODE_PREFIX_SIZE - CHECKSUM_SIZE
  const maxLeafRecords = Math.max(0, Math.floor(room / recordSize))
  const countWidth = widthOf(BigInt(maxLeafRecords))
  const levels: BTree2Level[] = [{ maxRecords: maxLeafRecords, countWidth: 0, totalWidth: 0 }]
  let maxTotal = BigInt(maxLeafRecords)
  for (let at = 1; at <= depth; at++) {
    const totalWidth = at === 1 ? 0 : widthOf(maxTotal)
    const pointerSize = widths.offsets + countWidth + totalWidth
    const maxRecords = Math.max(0, Math.floor((room - pointerSize) / (recordSize + pointerSize)))
    levels.push({ maxRecords, countWidth, totalWidth })
    maxTotal = BigInt(maxRecords + 1) * maxTotal + BigInt(maxRecords)
  }
  return levels
}

function widthOf(count: bigint): number {
  return Math.min(MAX_COUNT_WIDTH, Math.ceil(Math.max(1, count.toString(2).length) / 8))
}

/** The bytes that a node with this number of records uses. */
export function bTree2NodeSize(
  header: BTree2Header,
  level: BTree2Level,
  recordCount: number,
  widths: Widths,
): number {
  const isLeaf = level.countWidth === 0
  const pointerSize = widths.offsets + level.countWidth + level.totalWidth
  const pointers = isLeaf ? 0 : (recordCount + 1) * pointerSize
  return NODE_PREFIX_SIZE + recordCount * header.recordSize + pointers + CHECKSUM_SIZE
}

/** `bytes`: bTree2NodeSize of them. */
export function decodeBTree2Node(
  bytes: Uint8Array,
  header: BTree2Header,
  level: BTree2Level,
  recordCount: number,
  widths: Widths,
  address: number,
): BTree2Node {
  const isLeaf = level.countWidth === 0
  const fields = new FieldReader(bytes, widths, `${isLeaf ? 'a leaf' : 'a node'} of ${STRUCTURE}`, address)
  fields.expectSignature(isLeaf ? LEAF_SIGNATURE : INTERNAL_SIGNATURE)
  fields.version([0])
  const type = fields.u8()
  if (type !== header.type) throw fields.error(`it is of type ${type}, its tree of type ${header.type}`)
  const records = fields.take(recordCount * header.recordSize)
  const children = isLeaf ? [] : fields.list(recordCount + 1, 1, () => decodeChild(fields, level))
  checkChecksum(fields)
  return { records, children }
}

function decodeChild(fields: FieldReader, { countWidth, totalWidth }: BTree2Level): BTree2Child {
  const address = fields.definedAddress('a child')
  const recordCount = fields.unsigned(countWidth)
  const totalRecordCount = totalWidth === 0 ? recordCount : fields.unsigned(totalWidth)
  return { address, recordCount, totalRecordCount }
}

export function encodeBTree2Node(
  node: BTree2Node,
  header: Pick<BTree2Header, 'type'>,
  level: BTree2Level,
  widths: Widths,
): Uint8Array {
  const writer = new FieldWriter(widths)
  writer.signature(level.countWidth === 0 ? LEAF_SIGNATURE : INTERNAL_SIGNATURE)
  writer.u8(0)
  writer.u8(header.type)
  writer.put(node.records)
  for (const { address, recordCount, totalRecordCount } of node.children) {
    writer.address(address)
    writer.unsigned(recordCount, level.countWidth)
    writer.unsigned(totalRecordCount, level.totalWidth)
  }
  return withChecksum(writer)
}
