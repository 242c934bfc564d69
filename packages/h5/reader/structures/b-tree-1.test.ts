// Walks over version 1 B-trees: in order, over several levels, past what is not wanted, and never for ever.

import { describe, expect, it } from 'vitest'
import {
  type AddressedStructure,
  collect,
  fileOf,
  WIDE,
} from '../../../../test/fixtures/file-of-structures.ts'
import { encodeBTree1Node, GROUP_B_TREE } from '../../format/indexes/b-tree-1.ts'
import { walkBTree1 } from './b-tree-1.ts'

const NODE_SIZE = 8192

function node(
  address: number,
  level: number,
  keys: readonly number[],
  children: readonly number[],
): AddressedStructure {
  return { address, bytes: encodeBTree1Node({ level, keys, children }, GROUP_B_TREE, WIDE).slice() }
}

/** Three levels of 16 children each: the leaves' children are 1, 2, 3, ... */
function tree(): readonly AddressedStructure[] {
  const placed: AddressedStructure[] = []
  let next = 1
  const placeNode = (level: number): { address: number; first: number; last: number } => {
    const address = placed.length * NODE_SIZE
    placed.push({ address, bytes: new Uint8Array(0) })
    const first = next - 1
    const keys = [first]
    const children: number[] = []
    for (let index = 0; index < 16; index++) {
      if (level > 0) {
        const child = placeNode(level - 1)
        children.push(child.address)
        keys.push(child.last)
      } else {
        children.push(next)
        keys.push(next++)
      }
    }
    placed[address / NODE_SIZE] = node(address, level, keys, children)
    return { address, first, last: next - 1 }
  }
  placeNode(2)
  return placed
}

describe('a walk over a version 1 B-tree', () => {
  it('gives the entries of all leaves in order', async () => {
    const entries = await collect(walkBTree1(fileOf(tree()), 0, GROUP_B_TREE))
    expect(entries.map(({ child }) => child)).toEqual(
      Array.from({ length: 16 ** 3 }, (_, index) => index + 1),
    )
    expect(entries[100]).toEqual({ key: 100, child: 101, nextKey: 101 })
  })

  it('reads only the nodes between whose keys is what is wanted', async () => {
    const sound = tree()
    // All nodes but the path to the one entry are damaged.
    const wanted = [0, 1, 2].map(index => index * NODE_SIZE)
    const damaged = sound.map(({ address, bytes }) =>
      wanted.includes(address) ? { address, bytes } : { address, bytes: new Uint8Array(bytes.length) },
    )
    const entries = await collect(
      walkBTree1(fileOf(damaged), 0, GROUP_B_TREE, ({ key, nextKey }) => key <= 3 && 3 < nextKey),
    )
    expect(entries).toEqual([{ key: 3, child: 4, nextKey: 4 }])
  })

  it('of a root without entries gives nothing', async () => {
    expect(await collect(walkBTree1(fileOf([node(0, 0, [], [])]), 0, GROUP_B_TREE))).toEqual([])
  })

  it('gives entries that lead to the same bytes, which are no nodes', async () => {
    const entries = await collect(walkBTree1(fileOf([node(0, 0, [0, 1, 2], [5, 5])]), 0, GROUP_B_TREE))
    expect(entries.map(({ child }) => child)).toEqual([5, 5])
  })

  const leaf = node(NODE_SIZE, 0, [0, 1], [5])
  it.each([
    ['a node that is its own child', [node(0, 1, [0, 1], [0])], 'two of its parts lead to this address'],
    [
      'a cycle over levels',
      [node(0, 2, [0, 1], [NODE_SIZE]), node(NODE_SIZE, 1, [0, 1], [0])],
      'two of its parts lead to this address',
    ],
    ['a shared subtree', [node(0, 1, [0, 1, 2], [NODE_SIZE, NODE_SIZE]), leaf], 'two of its parts lead'],
    ['a child of another level', [node(0, 2, [0, 1], [NODE_SIZE]), leaf], 'a node cannot have the level 0'],
    ['too many levels', [node(0, 64, [0, 1], [NODE_SIZE]), leaf], 'a node cannot have the level 64'],
    [
      'more entries than the file can hold',
      [{ address: 0, bytes: leaf.bytes.with(6, 255).with(7, 255) }],
      'its nodes are longer than the file',
    ],
    ['a child beyond the end', [node(0, 1, [0, 1], [99_999])], 'the file ends at'],
  ])('of %s is an error', async (_, structures, message) => {
    await expect(collect(walkBTree1(fileOf(structures), 0, GROUP_B_TREE))).rejects.toThrow(message)
  })

  it('of nodes that lie upon each other ends when they are longer than the file', async () => {
    // Every leaf claims most of the file.
    const leaves = Array.from({ length: 50 }, (_, index) => 1000 + index * 24)
    const root = node(0, 1, Array(51).fill(0), leaves)
    const claim = Uint8Array.from([0x54, 0x52, 0x45, 0x45, 0, 0, 0, 16])
    const structures = [root, ...leaves.map(address => ({ address, bytes: claim })), node(100_000, 0, [], [])]
    await expect(collect(walkBTree1(fileOf(structures), 0, GROUP_B_TREE))).rejects.toThrow(
      'its nodes are longer than the file',
    )
  })
})
