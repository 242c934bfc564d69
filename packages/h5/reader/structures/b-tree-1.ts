// A walk over a version 1 B-tree of a file.

import { damaged } from '../../format/errors.ts'
import {
  type BTree1Entry,
  type BTree1Kind,
  bTree1EntriesSize,
  bTree1PrefixSize,
  decodeBTree1Entries,
  decodeBTree1Prefix,
} from '../../format/indexes/b-tree-1.ts'
import type { FileBytes } from './file-bytes.ts'
import { MAX_DEPTH, VisitedNodes, walkTree } from './tree-walk.ts'

interface NodeAt {
  readonly address: number
  /** Undefined: it is the root. */
  readonly level?: number
}

/**
 * The entries of the leaves in the order of their keys, in batches. When `isWanted` returns false, the child between
 * the entry's keys is skipped, with all nodes below it.
 */
export function walkBTree1<Key>(
  file: FileBytes,
  root: number,
  kind: BTree1Kind<Key>,
  isWanted: (entry: BTree1Entry<Key>) => boolean = () => true,
): AsyncGenerator<readonly BTree1Entry<Key>[]> {
  const { structure } = kind
  const visited = new VisitedNodes(file, structure)
  visited.add(root)
  const step = async ({ address, level }: NodeAt) => {
    const prefixSize = bTree1PrefixSize(file.widths)
    const prefixBytes = await file.read(address, prefixSize, structure)
    const prefix = decodeBTree1Prefix(prefixBytes, kind, file.widths, address)
    if (level === undefined ? prefix.level >= MAX_DEPTH : prefix.level !== level) {
      throw damaged(structure, address, `a node cannot have the level ${prefix.level}`)
    }
    const { entryCount } = prefix
    const size = bTree1EntriesSize(kind, entryCount, file.widths)
    visited.count(address, prefixSize + size)
    const bytes = await file.read(address + prefixSize, size, structure)
    const entries = decodeBTree1Entries(bytes, entryCount, kind, file.widths, address).filter(isWanted)
    // The children of leaves are not nodes of the tree, and may be a million chunks.
    if (prefix.level === 0) return { items: entries, children: [] }
    for (const { child } of entries) visited.add(child)
    const children = entries.map(({ child }) => ({ address: child, level: prefix.level - 1 }))
    return { items: [], children }
  }
  return walkTree<NodeAt, BTree1Entry<Key>>({ address: root }, step)
}
