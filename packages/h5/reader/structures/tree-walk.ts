// The bounds of every walk along addresses. The file may be damaged on purpose: its nodes may form cycles, or share
// subtrees, which would be walked exponentially often, or overlap. Nodes of a sound tree do neither.

import { nextTurn } from '@hyperslab/base/bounded'
import { damaged } from '../../format/errors.ts'
import type { FileBytes } from './file-bytes.ts'

/** The highest number of levels of a tree; no file needs as many. @limit safety, levels */
export const MAX_DEPTH = 64

/**
 * The number of nodes that are read at once. The memory of a walk is that of this number of nodes on each level.
 * @limit memory, nodes
 */
const NODES_AT_ONCE = 64

/** The nodes that one walk has visited. */
export class VisitedNodes {
  readonly #structure: string
  readonly #addresses = new Set<number>()
  readonly #mostBytes: number
  #bytes = 0

  /** `structure` with its article. */
  constructor(file: FileBytes, structure: string) {
    this.#structure = structure
    this.#mostBytes = file.end
  }

  /** Must be called before the node is read. Throws when it was visited before. */
  add(address: number): void {
    if (this.#addresses.has(address)) {
      throw damaged(this.#structure, address, 'two of its parts lead to this address: it is damaged')
    }
    this.#addresses.add(address)
  }

  /** Must be called when the size of the node is known. Throws when the nodes must overlap. */
  count(address: number, bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#mostBytes) {
      throw damaged(this.#structure, address, 'its nodes are longer than the file: it is damaged')
    }
  }
}

/** One step of a walk: the items of the node itself, and the nodes below it. */
export interface TreeStep<Node, Item> {
  readonly items: readonly Item[]
  readonly children: readonly Node[]
}

/**
 * The items of all nodes, a batch for all nodes that are read at once; those of the leaves come in the order of the
 * tree. `step` must return nodes of a lower level than that of its argument.
 */
export async function* walkTree<Node, Item>(
  root: Node,
  step: (node: Node) => Promise<TreeStep<Node, Item>>,
): AsyncGenerator<readonly Item[]> {
  // The deepest nodes, which come next, are last.
  const pending: { readonly nodes: readonly Node[]; next: number }[] = [{ nodes: [root], next: 0 }]
  for (let last = pending.at(-1); last !== undefined; last = pending.at(-1)) {
    const nodes = last.nodes.slice(last.next, last.next + NODES_AT_ONCE)
    last.next += nodes.length
    if (last.next >= last.nodes.length) pending.pop()
    const steps = await Promise.all(nodes.map(step))
    const items = steps.flatMap(({ items }) => items)
    if (items.length > 0) yield items
    const children = steps.flatMap(({ children }) => children)
    if (children.length > 0) pending.push({ nodes: children, next: 0 })
    await nextTurn()
  }
}
