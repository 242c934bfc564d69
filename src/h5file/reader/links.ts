// The links of a group: of an old group in a symbol table; of a new one in its object header, or, if they are many, in a fractal
// heap (file format specification, IV.A.2.c, IV.A.2.g and IV.A.2.r).

import { isTurnOver, nextTurn } from '../../turns.ts'
import { GROUP_B_TREE } from '../format/b-tree-1.ts'
import { LINK_NAMES } from '../format/b-tree-2-records.ts'
import { damaged } from '../format/errors.ts'
import { FieldReader } from '../format/field-reader.ts'
import { decodeLink, type LinkMessage } from '../format/messages/link.ts'
import { decodeLinkInfo, type MemberInfo } from '../format/messages/member-info.ts'
import { MESSAGE } from '../format/messages/message-type.ts'
import { decodeSymbolTable, type SymbolTable } from '../format/messages/symbol-table.ts'
import type { RawMessage } from '../format/object-header.ts'
import {
  decodeSymbolTableEntries,
  decodeSymbolTableNodePrefix,
  SYMBOL_TABLE_NODE_PREFIX_SIZE,
  type SymbolTableEntry,
  symbolTableEntrySize,
} from '../format/symbol-table-node.ts'
import { ATTEMPT_ALL, type Attempt, readHeapObjects } from './attempt.ts'
import { walkBTree1 } from './b-tree-1.ts'
import { allBTree2Records } from './b-tree-2.ts'
import type { FileBytes } from './file-bytes.ts'
import { openFractalHeap } from './fractal-heap.ts'
import type { H5File } from './h5-file.ts'
import type { ObjectHeader } from './header-cache.ts'
import { type LocalHeap, openLocalHeap } from './local-heap.ts'
import type { CountMembers } from './member-count.ts'
import { inMemberOrder } from './member-order.ts'
import { findMessage, resolveShared } from './object-header.ts'
import { VisitedNodes } from './tree-walk.ts'

/** Of a link: its record in the B-tree, and its message in the heap. */
const DENSE_LINK_SIZE = 16

const NODE_STRUCTURE = 'the symbol table node'

/** In the order of creation if the group tracks it, else by name. `attempt`: of each link, and of each node that has links. */
export async function readLinks(
  file: H5File,
  header: ObjectHeader,
  attempt: Attempt = ATTEMPT_ALL,
): Promise<readonly LinkMessage[]> {
  const { bytes } = file
  const count = file.linkCount.begin(header.address)
  const symbolTable = findMessage(header, MESSAGE.symbolTable)
  if (symbolTable)
    return readSymbolTable(bytes, decodeSymbolTable(fieldsOf(bytes, symbolTable)), count, attempt)
  const info = findMessage(header, MESSAGE.linkInfo)
  const compact = header.messages.filter(({ type }) => type === MESSAGE.link)
  const links: LinkMessage[] = []
  for (const message of compact) {
    const link = await attempt(async () => {
      const body = await resolveShared(file, message)
      return decodeLink(fieldsOf(bytes, { ...message, body }))
    })
    if (link) links.push(link)
  }
  const dense =
    info &&
    (await attempt(() => readDenseLinks(bytes, decodeLinkInfo(fieldsOf(bytes, info)), count, attempt)))
  return inMemberOrder(links.concat(dense ?? []))
}

function fieldsOf(
  { widths }: FileBytes,
  { body, address }: Pick<RawMessage, 'body' | 'address'>,
): FieldReader {
  return new FieldReader(body, widths, 'a message of the group', address)
}

async function readDenseLinks(
  file: FileBytes,
  { heap, nameIndex }: MemberInfo,
  count: CountMembers,
  attempt: Attempt,
): Promise<readonly LinkMessage[]> {
  if (heap === undefined || nameIndex === undefined) return []
  // The heap itself is not walked: its blocks still hold the bytes of links that were deleted.
  const ids = await allBTree2Records(file, nameIndex, LINK_NAMES)
  count(ids.length, DENSE_LINK_SIZE)
  const messages = await readHeapObjects(await openFractalHeap(file, heap), ids, attempt)
  const links: LinkMessage[] = []
  for (const body of messages) {
    const fields = body && new FieldReader(body, file.widths, 'a link in the fractal heap', heap)
    const link = fields && (await attempt(() => decodeLink(fields)))
    if (link) links.push(link)
    if (isTurnOver()) await nextTurn()
  }
  return links
}

/** The nodes hold the links in the order of their names. */
async function readSymbolTable(
  file: FileBytes,
  table: SymbolTable,
  count: CountMembers,
  attempt: Attempt,
): Promise<readonly LinkMessage[]> {
  const heap = await openLocalHeap(file, table.heap)
  const visited = new VisitedNodes(file, NODE_STRUCTURE)
  const links: LinkMessage[] = []
  await attempt(async () => {
    for await (const batch of walkBTree1(file, table.bTree, GROUP_B_TREE)) {
      const nodes = await Promise.all(
        batch.map(({ child }) => attempt(() => readSymbolTableNode(file, child, visited))),
      )
      for (const entries of nodes) {
        if (!entries) continue
        count(entries.length, symbolTableEntrySize(file.widths))
        for (const entry of entries) {
          const link = await attempt(() => linkOfEntry(entry, heap, table.bTree))
          if (link) links.push(link)
        }
        if (isTurnOver()) await nextTurn()
      }
    }
  })
  return links
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
