// The index of the chunks of a dataset: a B-tree of version 1, made at once of the chunks in the order of their
// coordinates. Its nodes are level by level, the leaves first. Each level is made of a walk over all chunks, so that
// memory does not grow with them.

import {
  bTree1PrefixSize,
  type ChunkKey,
  chunkBTree,
  encodeBTree1Node,
} from '../../format/indexes/b-tree-1.ts'
import { padded } from '../pieces.ts'
import { WIDTHS } from './elements.ts'

/**
 * Children of a node in a file without a setting for it: twice the 'K' of chunks (H5Bprivate.h).
 * @limit format, children
 */
const MAX_CHILDREN = 64

export interface WrittenChunk {
  readonly coordinates: readonly number[]
  readonly address: number
  readonly length: number
  readonly mask: number
}

export class ChunkTree {
  readonly #chunkDims: readonly number[]
  /** Nodes of each level, the leaves first. */
  readonly #nodeCounts: readonly number[]

  constructor(chunkDims: readonly number[], chunkCount: number) {
    this.#chunkDims = chunkDims
    const counts: number[] = []
    for (let count = chunkCount; counts.length === 0 || count > 1; ) {
      count = Math.ceil(count / MAX_CHILDREN)
      counts.push(count)
    }
    this.#nodeCounts = chunkCount === 0 ? [] : counts
  }

  get length(): number {
    return this.#nodeCounts.reduce((sum, count) => sum + count, 0) * this.#nodeSize
  }

  /** Undefined: there is no chunk. */
  rootAddress(address: number): number | undefined {
    return this.#nodeCounts.length === 0 ? undefined : address + this.length - this.#nodeSize
  }

  /** `chunks` begins a walk over the chunks. */
  async *bytes(address: number, chunks: () => AsyncIterable<WrittenChunk>): AsyncGenerator<Uint8Array> {
    let levelAddress = address
    let childAddress = 0
    for (const [level, nodeCount] of this.#nodeCounts.entries()) {
      // A child of a leaf is a chunk, a child of another node has the chunks of all nodes below it.
      const step = MAX_CHILDREN ** level
      const node = new NodeWriter(level, levelAddress, nodeCount, this.#nodeSize, this.#chunkDims)
      let index = 0
      let last: readonly number[] = []
      for await (const chunk of chunks()) {
        last = chunk.coordinates
        if (index % step === 0) {
          const child = level === 0 ? chunk.address : childAddress + (index / step) * this.#nodeSize
          const full = node.add(this.#keyOf(chunk), child)
          if (full) yield full
        }
        index++
      }
      // The last key of a node is beyond all chunks.
      const beyond = last.map(coordinate => coordinate + 1)
      yield node.encode(this.#keyOf({ coordinates: beyond, length: 0, mask: 0 }))
      childAddress = levelAddress
      levelAddress += nodeCount * this.#nodeSize
    }
  }

  get #nodeSize(): number {
    const keySize = chunkBTree(this.#chunkDims.length).keySize(WIDTHS)
    return bTree1PrefixSize(WIDTHS) + MAX_CHILDREN * (keySize + WIDTHS.offsets) + keySize
  }

  #keyOf({ coordinates, length, mask }: Omit<WrittenChunk, 'address'>): ChunkKey {
    return { length, mask, offsets: [...coordinates.map((index, d) => index * this.#chunkDims[d]), 0] }
  }
}

/** The nodes of one level, one after another. */
class NodeWriter {
  readonly #level: number
  readonly #address: number
  readonly #nodeCount: number
  readonly #nodeSize: number
  readonly #chunkDims: readonly number[]
  #number = 0
  #keys: ChunkKey[] = []
  #children: number[] = []

  constructor(
    level: number,
    address: number,
    nodeCount: number,
    nodeSize: number,
    chunkDims: readonly number[],
  ) {
    this.#level = level
    this.#address = address
    this.#nodeCount = nodeCount
    this.#nodeSize = nodeSize
    this.#chunkDims = chunkDims
  }

  /**
   * Adds a child; returns the bytes of the node that was full, if any. The last key of that node is the key of this
   * child.
   */
  add(key: ChunkKey, child: number): Uint8Array | undefined {
    const full = this.#children.length === MAX_CHILDREN ? this.encode(key) : undefined
    this.#keys.push(key)
    this.#children.push(child)
    return full
  }

  /** The bytes of the node, after which another one begins. */
  encode(nextKey: ChunkKey): Uint8Array {
    const addressOf = (number: number) => this.#address + number * this.#nodeSize
    const node = {
      level: this.#level,
      ...(this.#number > 0 && { leftSibling: addressOf(this.#number - 1) }),
      ...(this.#number < this.#nodeCount - 1 && { rightSibling: addressOf(this.#number + 1) }),
      keys: [...this.#keys, nextKey],
      children: this.#children,
    }
    this.#number++
    this.#keys = []
    this.#children = []
    return padded(encodeBTree1Node(node, chunkBTree(this.#chunkDims.length), WIDTHS), this.#nodeSize)
  }
}
