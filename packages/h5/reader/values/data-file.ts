// A file whose values can be read, and the files beside it that its datasets name.

import { BoundedMap, ByteGate } from '@hyperslab/base/bounded'
import type { ByteSource } from '../../byte-source.ts'
import type { JoinedObjects } from '../../file-reader.ts'
import type { LinkMessage } from '../../format/messages/link.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import { GlobalHeap } from '../structures/global-heap.ts'
import type { H5File } from '../structures/h5-file.ts'
import { type ChunkDecoder, type OpenDataset, openValueSource, type ValueSource } from './value-source.ts'
import { PARTS_AT_ONCE } from './virtual.ts'
import { StepPool } from './virtual-work.ts'

/** The targets of the links of a group, by name. */
export type Members = ReadonlyMap<string, LinkMessage['target']>

export interface DataFile {
  readonly file: H5File
  readonly heap: GlobalHeap
  readonly values: ValueSource
  readonly openSibling: OpenSibling
  readonly decode: ChunkDecoder | undefined
  /** HDF5 files beside this one by name, the last used. */
  readonly siblings: BoundedMap<string, OtherFile>
  /** Members of groups by address: a virtual dataset may search a group once for each of its sources. */
  readonly members: BoundedMap<number, Members>
  /** Mappings of virtual datasets, by the position of their list in the global heap: several datasets may share one. */
  readonly mappings: BoundedMap<string, readonly VirtualMapping[]>
  /** Datasets by address that are sources of virtual ones: these are read box by box. */
  readonly sources: BoundedMap<number, OpenDataset>
  /** Datasets by address that are read as those of several files. */
  readonly joined?: JoinedObjects['datasets'] | undefined
  /** Admits the parts of joined datasets that are read at once, for whatever box. */
  readonly parts?: ByteGate
  /** The work that reads of this file share; absent: each read has its own. */
  readonly steps?: StepPool
}

/** An HDF5 file beside a file. */
export interface OtherFile {
  /** Undefined: there is none. */
  readonly opening: Promise<DataFile | undefined>
  /** The memory of the kept data of the file when it was read last. */
  readonly bytes: number
}

/** A file that a dataset names: one of raw values, or an HDF5 file with the source of a virtual dataset. */
export interface Sibling {
  readonly source: ByteSource
  /** The path in messages. */
  readonly path: string
  /** Names in that file count from its own folder. */
  readonly openSibling: OpenSibling
}

/**
 * The file of that name, relative to the folder of the file that names it. Undefined: there is none, or it is outside
 * the folder from which files may be read. The opener closes it.
 */
export type OpenSibling = (name: string) => Promise<Sibling | undefined>

/** Bytes of the kept data of files beside a file: each box of a virtual dataset may need all. @limit memory, bytes */
const MAX_SIBLING_BYTES = 64 * 2 ** 20
/** The same of the parts of joined datasets: a box needs few of them. @limit memory, bytes */
const MAX_PART_BYTES = 8 * 2 ** 20
/** The memory of an open file without kept data. */
export const FILE_BYTES = 16 * 2 ** 10
/** Links of groups that are kept for searches. @limit memory, members */
const MAX_MEMBERS = 65_536
/** The memory of one of them. */
const MEMBER_BYTES = 200
/** Mappings of virtual datasets that are kept. @limit memory, mappings */
const MAX_MAPPINGS = 65_536
const MAPPING_BYTES = 500
/** Sources of virtual datasets that are kept. @limit memory, sources */
const MAX_SOURCES = 1024
const SOURCE_BYTES = 2000

/** `decode`: runs the filters of chunks; default: in this thread. */
export function openDataFile(
  file: H5File,
  openSibling: OpenSibling,
  decode?: ChunkDecoder,
  joined?: JoinedObjects['datasets'],
): DataFile {
  return {
    file,
    heap: new GlobalHeap(file.bytes),
    values: openValueSource(file.bytes, decode),
    openSibling,
    decode,
    joined,
    ...(joined && { parts: new ByteGate(PARTS_AT_ONCE) }),
    /** Files that are not opened again for the next mapping. @limit speed, bytes, bench/joins.bench.mjs */
    siblings: new BoundedMap(joined ? MAX_PART_BYTES : MAX_SIBLING_BYTES, { weightOf: ({ bytes }) => bytes }),
    /**
     * Links for searches among the sources of virtual datasets.
     * @limit speed, links, bench/results.md#062-limits-of-speed
     */
    members: new BoundedMap(MAX_MEMBERS, { weightOf: ({ size }) => size + 1 }),
    /** Mappings of virtual datasets. @limit speed, mappings, bench/results.md#062-limits-of-speed */
    mappings: new BoundedMap(MAX_MAPPINGS, { weightOf: ({ length }) => length + 1 }),
    /** Sources of virtual datasets. @limit speed, datasets, bench/results.md#062-limits-of-speed */
    sources: new BoundedMap(MAX_SOURCES),
    ...(!file.options?.isLongLived && { steps: new StepPool() }),
  }
}

/** The approximate memory of the kept data of the file and of the files beside it. */
export function heldByFile(data: DataFile): number {
  const { file, heap, values, members, mappings, sources } = data
  const read = file.bytes.heldBytes + heap.heldBytes + values.decoded.weight
  const decoded =
    MEMBER_BYTES * members.weight + MAPPING_BYTES * mappings.weight + SOURCE_BYTES * sources.weight
  return FILE_BYTES + read + decoded + data.siblings.weight
}
