// A file whose values can be read, and the files beside it that its datasets name.

import { BoundedMap } from '../../bounded-map.ts'
import type { ByteSource } from '../byte-source.ts'
import type { LinkMessage } from '../format/messages/link.ts'
import { GlobalHeap } from './global-heap.ts'
import type { H5File } from './h5-file.ts'
import { type ChunkDecoder, openValueSource, type ValueSource } from './value-source.ts'

/** The targets of the links of a group, by name. */
export type Members = ReadonlyMap<string, LinkMessage['target']>

export interface DataFile {
  readonly file: H5File
  readonly heap: GlobalHeap
  readonly values: ValueSource
  readonly openSibling: OpenSibling
  readonly decode: ChunkDecoder | undefined
  /** HDF5 files beside this one by name, opened once; undefined: there is none. */
  readonly siblings: Map<string, Promise<DataFile | undefined>>
  /** Those of them that are open. */
  readonly openedSiblings: DataFile[]
  /** Of groups by address, which a virtual dataset may search once for each of its sources. */
  readonly members: BoundedMap<number, Members>
}

/** A file that a dataset names: raw values, or an HDF5 file that holds the source of a virtual dataset. */
export interface Sibling {
  readonly source: ByteSource
  /** For messages. */
  readonly path: string
  /** Names in that file count from its own folder. */
  readonly openSibling: OpenSibling
}

/**
 * The file of that name, relative to the folder of the file that names it. Undefined: there is none, or it lies outside the
 * folder from which files may be read. The opener closes it.
 */
export type OpenSibling = (name: string) => Promise<Sibling | undefined>

/** Links of groups that are kept for searches. */
const MAX_MEMBERS = 65_536
/** What one of them takes in memory. */
const MEMBER_BYTES = 200

/** `decode`: runs the filters of chunks; default: in this thread. */
export function openDataFile(file: H5File, openSibling: OpenSibling, decode?: ChunkDecoder): DataFile {
  return {
    file,
    heap: new GlobalHeap(file.bytes),
    values: openValueSource(file.bytes, decode),
    openSibling,
    decode,
    siblings: new Map(),
    openedSiblings: [],
    members: new BoundedMap(MAX_MEMBERS, { weightOf: ({ size }) => size + 1 }),
  }
}

/** About how many bytes of memory what was read of the file, and of the files beside it, is kept in. */
export function heldByFile({ file, heap, values, members, openedSiblings }: DataFile): number {
  const own = file.bytes.heldBytes + heap.heldBytes + values.decoded.weight + MEMBER_BYTES * members.weight
  return openedSiblings.reduce((sum, sibling) => sum + heldByFile(sibling), own)
}
