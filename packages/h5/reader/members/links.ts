// The links of a group: of an old group in a symbol table; of a new one in its object header, or, if they are many, in
// a fractal heap (file format specification, IV.A.2.c, IV.A.2.g and IV.A.2.r).

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import { GROUP_B_TREE } from '../../format/indexes/b-tree-1.ts'
import { LINK_NAMES } from '../../format/indexes/b-tree-2-records.ts'
import {
  decodeSymbolTableEntries,
  decodeSymbolTableNodePrefix,
  SYMBOL_TABLE_NODE_PREFIX_SIZE,
  type SymbolTableEntry,
  symbolTableEntrySize,
} from '../../format/indexes/symbol-table-node.ts'
import { decodeLink, type LinkMessage } from '../../format/messages/link.ts'
import { decodeLinkInfo } from '../../format/messages/member-info.ts'
import { MESSAGE } from '../../format/messages/message-type.ts'
import { decodeSymbolTable, type SymbolTable } from '../../format/messages/symbol-table.ts'
import type { RawMessage } from '../../format/object-header.ts'
import { runSteps } from '../../steps.ts'
import { ATTEMPT_ALL, type Attempt } from '../structures/attempt.ts'
import { walkBTree1 } from '../structures/b-tree-1.ts'
import { bTree2Records } from '../structures/b-tree-2.ts'
import type { FileBytes } from '../structures/file-bytes.ts'
import { openFractalHeap } from '../structures/fractal-heap.ts'
import type { H5File } from '../structures/h5-file.ts'
import type { ObjectHeader } from '../structures/header-cache.ts'
import { type LocalHeap, openLocalHeap } from '../structures/local-heap.ts'
import type { CountMembers } from '../structures/member-count.ts'
import { findMessage, resolveShared } from '../structures/object-header.ts'
import { VisitedNodes } from '../structures/tree-walk.ts'
import { DenseMembers, readMemberLists } from './dense-members.ts'

/** Bytes that a link takes at least: its record in the B-tree, and its message in the heap. */
const DENSE_LINK_SIZE = 16

const NODE_STRUCTURE = 'the symbol table node'

/**
 * The links in the order of creation if the group tracks it, else by name, in batches: a group may have a million.
 * `attempt` is called for each link, each node of a symbol table, and dense storage; any other error ends the batches.
 */
export async function* readLinks(
  file: H5File,
  header: ObjectHeader,
  attempt: Attempt = ATTEMPT_ALL,
): AsyncGenerator<readonly LinkMessage[]> {
  const { bytes } = file
  const count = file.linkCount.begin(header.address)
  const symbolTable = findMessage(header, MESSAGE.symbolTable)
  if (symbolTable) {
    const table = decodeSymbolTable(fieldsOf(bytes, symbolTable))
    return yield* readSymbolTable(bytes, table, count, attempt)
  }
  const info = findMessage(header, MESSAGE.linkInfo)
  const links: LinkMessage[] = []
  for (const message of header.messages) {
    if (message.type !== MESSAGE.link) continue
    const link = await attempt(async () => {
      const body = await resolveShared(file, message)
      return decodeLink(fieldsOf(bytes, { ...message, body }))
    })
    if (link) links.push(link)
  }
  const dense = info && (await attempt(() => openDenseLinks(bytes, fieldsOf(bytes, info), count, attempt)))
  yield* await runSteps(readMemberLists(links, dense))
}

function fieldsOf(
  { widths }: FileBytes,
  { body, address }: Pick<RawMessage, 'body' | 'address'>,
): FieldReader {
  return new FieldReader(body, widths, 'a message of the group', address)
}

async function openDenseLinks(
  file: FileBytes,
  info: FieldReader,
  count: CountMembers,
  attempt: Attempt,
): Promise<DenseMembers<LinkMessage> | undefined> {
  const { heap, nameIndex, tracksOrder } = decodeLinkInfo(info)
  if (heap === undefined || nameIndex === undefined) return undefined
  // The heap itself is not walked: its blocks still hold the bytes of links that were deleted.
  const dense = new DenseMembers<LinkMessage>({
    heap: await openFractalHeap(file, heap),
    tracksOrder,
    attempt,
    decode: body => decodeLink(new FieldReader(body, file.widths, 'a link in the fractal heap', heap)),
  })
  for await (const heapIds of bTree2Records(file, nameIndex, LINK_NAMES)) {
    count(heapIds.length, DENSE_LINK_SIZE)
    for (const heapId of heapIds) dense.add({ heapId })
  }
  return dense
}

/** The nodes hold the links in the order of their names. */
async function* readSymbolTable(
  file: FileBytes,
  table: SymbolTable,
  count: CountMembers,
  attempt: Attempt,
): AsyncGenerator<readonly LinkMessage[]> {
  const heap = await openLocalHeap(file, table.heap)
  const visited = new VisitedNodes(file, NODE_STRUCTURE)
  for await (const batch of walkBTree1(file, table.bTree, GROUP_B_TREE)) {
    const nodes = await Promise.all(
      batch.map(({ child }) => attempt(() => readSymbolTableNode(file, child, visited))),
    )
    for (const entries of nodes) {
      if (!entries) continue
      count(entries.length, symbolTableEntrySize(file.widths))
      const links: LinkMessage[] = []
      for (const entry of entries) {
        const link = await attempt(() => linkOfEntry(entry, heap, table.bTree))
        if (link) links.push(link)
      }
      yield links
      if (isTurnOver()) await nextTurn()
    }
  }
}

async function readSymbolTableNode(
  file: FileBytes,
  address: number,
  visited: VisitedNodes,
): Promise<readonly SymbolTableEntry[]> {
  visited.add(address)
  const prefix = await file.read(address, SYMBOL_TABLE_NODE_PREFIX_SIZE, NODE_STRUCTURE)
  const count = decodeSymbolTableNodePrefix(prefix, file.widths, address)
  const size = count * symbolTableEntrySize(file.widths)
  visited.count(address, SYMBOL_TABLE_NODE_PREFIX_SIZE + size)
  const entries = await file.read(address + SYMBOL_TABLE_NODE_PREFIX_SIZE, size, NODE_STRUCTURE)
  return decodeSymbolTableEntries(entries, file.widths, address)
}

function linkOfEntry({ nameOffset, target }: SymbolTableEntry, heap: LocalHeap, bTree: number): LinkMessage {
  const name = heap.string(nameOffset)
  if (name.length === 0) throw damaged(GROUP_B_TREE.structure, bTree, 'a link has an empty name')
  return {
    name,
    characterSet: 'H5T_CSET_ASCII',
    target:
      target.kind === 'hard'
        ? { class: 'hard', address: target.address }
        : { class: 'soft', path: heap.string(target.valueOffset) },
  }
}
