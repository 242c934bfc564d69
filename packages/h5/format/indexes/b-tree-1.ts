// A node of a version 1 B-tree (file format specification, III.A.1). Node type 0 finds the symbol table nodes of a
// group by the names of links; node type 1 finds the chunks of a dataset by their offsets. Between two keys is the
// address of a child: another node or, in a leaf (level 0), a symbol table node or a chunk.

import { FieldReader, type Widths } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'

const SIGNATURE = 'TREE'

/** A node type, and its keys. */
export interface BTree1Kind<Key> {
  readonly nodeType: number
  /** The name of the structure in messages, with its article. */
  readonly structure: string
  keySize(widths: Widths): number
  decodeKey(fields: FieldReader): Key
  encodeKey(writer: FieldWriter, key: Key): void
}

/** The keys are offsets of names in the local heap. */
export const GROUP_B_TREE: BTree1Kind<number> = {
  nodeType: 0,
  structure: 'the B-tree of the group',
  keySize: ({ lengths }) => lengths,
  decodeKey: fields => fields.length(),
  encodeKey: (writer, key) => writer.length(key),
}

export interface ChunkKey {
  /** Bytes of the chunk as it is stored. */
  readonly length: number
  /** Bit i: filter i was not applied. */
  readonly mask: number
  /**
   * The chunk's first element, as its offset along each dimension, and one more number, which is 0 in every key but the
   * last.
   */
  readonly offsets: readonly number[]
}

/** `rank`: of the dataset. */
export function chunkBTree(rank: number): BTree1Kind<ChunkKey> {
  return {
    nodeType: 1,
    structure: 'the B-tree of chunks',
    keySize: () => 8 + 8 * (rank + 1),
    decodeKey(fields) {
      const length = fields.u32()
      const mask = fields.u32()
      return { length, mask, offsets: fields.list(rank + 1, 8, () => fields.unsigned(8)) }
    },
    encodeKey(writer, { length, mask, offsets }) {
      writer.u32(length)
      writer.u32(mask)
      for (const offset of offsets) writer.unsigned(offset, 8)
    },
  }
}

export interface BTree1Prefix {
  /** 0: a leaf. */
  readonly level: number
  readonly entryCount: number
  /** The nodes before and after this one on the same level. */
  readonly leftSibling?: number
  readonly rightSibling?: number
}

/** One child, and the keys on both sides of it. */
export interface BTree1Entry<Key> {
  readonly key: Key
  readonly child: number
  readonly nextKey: Key
}

export function bTree1PrefixSize({ offsets }: Widths): number {
  return 8 + 2 * offsets
}

/** Bytes that follow the prefix of a node with `entryCount` entries. */
export function bTree1EntriesSize(kind: BTree1Kind<unknown>, entryCount: number, widths: Widths): number {
  return entryCount === 0 ? 0 : entryCount * (kind.keySize(widths) + widths.offsets) + kind.keySize(widths)
}

export function decodeBTree1Prefix(
  bytes: Uint8Array,
  kind: BTree1Kind<unknown>,
  widths: Widths,
  address: number,
): BTree1Prefix {
  const fields = new FieldReader(bytes, widths, kind.structure, address)
  fields.expectSignature(SIGNATURE)
  const nodeType = fields.u8()
  if (nodeType !== kind.nodeType)
    throw fields.error(`it has nodes of type ${nodeType} instead of ${kind.nodeType}`)
  const level = fields.u8()
  const entryCount = fields.u16()
  const leftSibling = fields.address()
  const rightSibling = fields.address()
  return {
    level,
    entryCount,
    ...(leftSibling !== undefined && { leftSibling }),
    ...(rightSibling !== undefined && { rightSibling }),
  }
}

/** `bytes`: those after the prefix, bTree1EntriesSize of them. */
export function decodeBTree1Entries<Key>(
  bytes: Uint8Array,
  entryCount: number,
  kind: BTree1Kind<Key>,
  widths: Widths,
  address: number,
): readonly BTree1Entry<Key>[] {
  if (entryCount === 0) return []
  const fields = new FieldReader(bytes, widths, kind.structure, address)
  let key = kind.decodeKey(fields)
  return fields.list(entryCount, kind.keySize(widths) + widths.offsets, () => {
    const child = fields.definedAddress('a child')
    const entry = { key, child, nextKey: kind.decodeKey(fields) }
    key = entry.nextKey
    return entry
  })
}

/** A node: it has one key more than children, unless it has neither. */
export interface BTree1Node<Key> extends Omit<BTree1Prefix, 'entryCount'> {
  readonly keys: readonly Key[]
  readonly children: readonly number[]
}

export function encodeBTree1Node<Key>(
  node: BTree1Node<Key>,
  kind: BTree1Kind<Key>,
  widths: Widths,
): Uint8Array {
  const writer = new FieldWriter(widths)
  writer.signature(SIGNATURE)
  writer.u8(kind.nodeType)
  writer.u8(node.level)
  writer.u16(node.children.length)
  writer.address(node.leftSibling)
  writer.address(node.rightSibling)
  for (const [index, key] of node.keys.entries()) {
    kind.encodeKey(writer, key)
    if (index < node.children.length) writer.address(node.children[index])
  }
  return writer.bytes
}
