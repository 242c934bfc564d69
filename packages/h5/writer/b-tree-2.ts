// A version 2 B-tree made at once from sorted records. Records are spread evenly, so that nodes are as full as possible
// and none is nearly empty. Each node comes before those below it.

import { joinBytes } from '@hyperslab/model/values'
import {
  type BTree2Child,
  type BTree2Header,
  type BTree2Level,
  bTree2HeaderSize,
  bTree2Levels,
  encodeBTree2Header,
  encodeBTree2Node,
} from '../format/indexes/b-tree-2.ts'
import { padded } from './pieces.ts'
import { WIDTHS } from './values/elements.ts'

/** The values of libhdf5 (H5Gpkg.h, H5Apkg.h, H5HFpkg.h). */
const NODE_SIZE = 512
const SPLIT_PERCENT = 100
const MERGE_PERCENT = 40

export class NewBTree2 {
  readonly #header: Omit<BTree2Header, 'root' | 'rootRecordCount'>
  readonly #levels: readonly BTree2Level[]
  /** The most records of a subtree, by depth. */
  readonly #capacities: readonly number[]
  readonly #nodeCounts = new Map<string, number>()

  constructor(type: number, recordSize: number, recordCount: number) {
    const form = { type, nodeSize: NODE_SIZE, recordSize }
    let depth = 0
    let levels = bTree2Levels({ ...form, depth }, WIDTHS)
    let capacities = capacitiesOf(levels)
    while (capacities[depth] < recordCount) {
      depth++
      levels = bTree2Levels({ ...form, depth }, WIDTHS)
      capacities = capacitiesOf(levels)
    }
    this.#levels = levels
    this.#capacities = capacities
    this.#header = {
      ...form,
      depth,
      splitPercent: SPLIT_PERCENT,
      mergePercent: MERGE_PERCENT,
      totalRecordCount: recordCount,
    }
  }

  /** Bytes of the header and all nodes. */
  get length(): number {
    const { totalRecordCount: count, depth } = this.#header
    return bTree2HeaderSize(WIDTHS) + (count === 0 ? 0 : this.#nodeCount(count, depth) * NODE_SIZE)
  }

  /** The header at `address`, then the nodes. `record`: the one at a position in the order of the tree. */
  *bytes(address: number, record: (index: number) => Uint8Array): Generator<Uint8Array> {
    const { totalRecordCount: count, depth } = this.#header
    const root = address + bTree2HeaderSize(WIDTHS)
    const rootRecordCount = this.#ownCount(count, depth)
    const header = { ...this.#header, rootRecordCount, ...(count > 0 && { root }) }
    yield encodeBTree2Header(header, WIDTHS)
    if (count > 0) yield* this.#nodes(root, 0, count, depth, record)
  }

  /** The node of the records from `first` on, and those below it. */
  *#nodes(
    address: number,
    first: number,
    count: number,
    depth: number,
    record: (index: number) => Uint8Array,
  ): Generator<Uint8Array> {
    const counts = this.#childCounts(count, depth)
    const records: Uint8Array[] = []
    const children: (BTree2Child & { readonly first: number })[] = []
    let next = first
    let childAddress = address + NODE_SIZE
    for (const [index, childCount] of counts.entries()) {
      const recordCount = this.#ownCount(childCount, depth - 1)
      children.push({ address: childAddress, recordCount, totalRecordCount: childCount, first: next })
      childAddress += this.#nodeCount(childCount, depth - 1) * NODE_SIZE
      next += childCount
      // A record is between two children.
      if (index < counts.length - 1) records.push(record(next++))
    }
    if (depth === 0) for (let i = 0; i < count; i++) records.push(record(first + i))
    const node = { records: joinBytes(records), children }
    yield padded(encodeBTree2Node(node, this.#header, this.#levels[depth], WIDTHS), NODE_SIZE)
    for (const child of children) {
      yield* this.#nodes(child.address, child.first, child.totalRecordCount, depth - 1, record)
    }
  }

  /** The number of records in the root of a subtree of `count` records. */
  #ownCount(count: number, depth: number): number {
    return depth === 0 ? count : this.#childCounts(count, depth).length - 1
  }

  /** The numbers of records in the subtrees of the children of a node with `count` records; none for a leaf. */
  #childCounts(count: number, depth: number): readonly number[] {
    if (depth === 0) return []
    const capacity = this.#capacities[depth - 1]
    const children = Math.max(2, Math.ceil((count + 1) / (capacity + 1)))
    const below = count - (children - 1)
    const least = Math.floor(below / children)
    const more = below % children
    return Array.from({ length: children }, (_, index) => least + (index < more ? 1 : 0))
  }

  /** Nodes of a subtree. */
  #nodeCount(count: number, depth: number): number {
    if (depth === 0) return 1
    const key = `${depth} ${count}`
    const known = this.#nodeCounts.get(key)
    if (known !== undefined) return known
    let nodes = 1
    for (const childCount of this.#childCounts(count, depth)) nodes += this.#nodeCount(childCount, depth - 1)
    this.#nodeCounts.set(key, nodes)
    return nodes
  }
}

function capacitiesOf(levels: readonly BTree2Level[]): readonly number[] {
  const capacities: number[] = []
  for (const [depth, { maxRecords }] of levels.entries()) {
    capacities.push(depth === 0 ? maxRecords : (maxRecords + 1) * capacities[depth - 1] + maxRecords)
  }
  return capacities
}
