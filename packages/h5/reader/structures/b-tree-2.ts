// A walk over a version 2 B-tree of a file.

import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import {
  type BTree2Child,
  type BTree2Header,
  bTree2HeaderSize,
  bTree2Levels,
  bTree2NodeSize,
  decodeBTree2Header,
  decodeBTree2Node,
} from '../../format/indexes/b-tree-2.ts'
import type { FileBytes } from './file-bytes.ts'
import { MAX_DEPTH, VisitedNodes, walkTree } from './tree-walk.ts'

const STRUCTURE = 'the version 2 B-tree'

/** A type of records, which trees of type `type` hold. */
export interface BTree2Records<Item> {
  readonly type: number
  /** Decodes one record; its unread bytes are skipped. */
  decode(fields: FieldReader, recordSize: number): Item
}

interface NodeAt extends BTree2Child {
  readonly depth: number
}

/**
 * The records of the tree whose header is at `address`, in batches; those of internal nodes come before their
 * children's. When `isWanted` returns false, the child between the two records is skipped, with all nodes below it;
 * undefined is the end of the node.
 */
export async function* bTree2Records<Item>(
  file: FileBytes,
  address: number,
  records: BTree2Records<Item>,
  isWanted: (before: Item | undefined, after: Item | undefined) => boolean = () => true,
): AsyncGenerator<readonly Item[]> {
  const header = await readHeader(file, address, records.type)
  if (header.root === undefined) return
  const levels = bTree2Levels(header, file.widths)
  const visited = new VisitedNodes(file, STRUCTURE)
  visited.add(header.root)
  const step = async (node: NodeAt) => {
    const level = levels[node.depth]
    if (node.recordCount > level.maxRecords) {
      throw damaged(STRUCTURE, node.address, `${node.recordCount} records do not fit into a node`)
    }
    const size = bTree2NodeSize(header, level, node.recordCount, file.widths)
    visited.count(node.address, size)
    const bytes = await file.read(node.address, size, STRUCTURE)
    const decoded = decodeBTree2Node(bytes, header, level, node.recordCount, file.widths, node.address)
    checkTotal(node, decoded.children)
    const items = decodeRecords(decoded.records, header, records, file, node.address)
    const children = decoded.children.filter((_, index) => isWanted(items[index - 1], items[index]))
    for (const child of children) visited.add(child.address)
    return { items, children: children.map(child => ({ ...child, depth: node.depth - 1 })) }
  }
  const root = {
    address: header.root,
    recordCount: header.rootRecordCount,
    totalRecordCount: header.totalRecordCount,
    depth: header.depth,
  }
  yield* walkTree<NodeAt, Item>(root, step)
}

/** All records at once, for trees whose records are all needed together. */
export async function allBTree2Records<Item>(
  file: FileBytes,
  address: number,
  records: BTree2Records<Item>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const batch of bTree2Records(file, address, records)) {
    for (const item of batch) items.push(item)
  }
  return items
}

async function readHeader(file: FileBytes, address: number, type: number): Promise<BTree2Header> {
  const bytes = await file.read(address, bTree2HeaderSize(file.widths), STRUCTURE)
  const header = decodeBTree2Header(bytes, file.widths, address)
  if (header.type !== type)
    throw damaged(STRUCTURE, address, `it is of type ${header.type} instead of ${type}`)
  if (header.depth >= MAX_DEPTH) throw damaged(STRUCTURE, address, `${header.depth} levels are too many`)
  return header
}

/** Throws if records are missing: a tree that has lost records must not look complete. */
function checkTotal(node: NodeAt, children: readonly BTree2Child[]): void {
  const total = children.reduce((sum, child) => sum + child.totalRecordCount, node.recordCount)
  if (total !== node.totalRecordCount) {
    throw damaged(
      STRUCTURE,
      node.address,
      `it has ${total} records, and should have ${node.totalRecordCount}`,
    )
  }
}

function decodeRecords<Item>(
  bytes: Uint8Array,
  { recordSize }: BTree2Header,
  records: BTree2Records<Item>,
  { widths }: FileBytes,
  address: number,
): readonly Item[] {
  const fields = new FieldReader(bytes, widths, `a record of ${STRUCTURE}`, address)
  return fields.list(bytes.length / recordSize, recordSize, index => {
    const item = records.decode(fields, recordSize)
    const rest = (index + 1) * recordSize - fields.position
    if (rest < 0) throw fields.error(`a record of ${recordSize} bytes is too short`)
    fields.skip(rest)
    return item
  })
}
