// The objects of a file that an import takes: found from the root group along the hard links, each once, with the
// storage of their values. All are found before the first is created, because they decide together whether the file
// itself is kept.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type {
  ChunkCoordinates,
  ChunkedBytes,
  FileAddress,
  FileDataset,
  FileLink,
  H5FileReader,
  StoredBytes,
  StoredChunks,
} from '@hyperslab/h5/reader'
import { type Attempt, untilDamaged } from '@hyperslab/h5/reader'
import { elementCount, extentsOf, product } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementSize } from '@hyperslab/model/datatype'
import type { ObjectKind } from '@hyperslab/model/names'
import { type AdoptableDataset, adoptionOf } from './adoption.ts'
import { boxAt } from './boxes.ts'
import { PARALLEL_OBJECTS, readObject, reasonOf } from './file-objects.ts'
import { type H5servTable, TABLE_PATH } from './h5serv-table.ts'
import type { Losses } from './losses.ts'

/**
 * A chunk takes a record in the target: more than these, of fewer bytes than these, become larger chunks. This is not
 * done for a sparse dataset, because larger chunks also hold elements that were never written.
 */
const FEW_CHUNKS = 1024
const SMALL_CHUNK = 4096
/** Chunks of an imported dataset for each one that the file has. @limit safety, times */
const MAX_SPARSE = 2

export interface FoundObject {
  readonly address: FileAddress
  readonly kind: ObjectKind
  /** Present for a dataset. */
  readonly dataset: FileDataset | undefined
  /** Present for a committed datatype. */
  readonly type: Datatype | undefined
  /** The unfiltered bytes of a dataset's values that the file stores. */
  readonly bytes: number
  /** The chunks that the file stores; undefined: all values. */
  readonly chunks: StoredChunks | undefined
  /** Present for a dataset some of whose chunks can be taken over as they are; then `adoptable` has their bytes. */
  readonly adoption: AdoptableDataset | undefined
  readonly adoptable: number
  /** True: its chunks are so small that the target has larger ones. */
  readonly isJoined: boolean
  /** The reason why the stored chunks are unknown. */
  readonly damage: string | undefined
}

/** The objects in the order of the walk. */
export interface FoundObjects {
  readonly all: readonly FoundObject[]
  readonly datatypes: readonly FoundObject[]
  readonly groups: readonly FoundObject[]
  readonly datasets: readonly FoundObject[]
  /** The sums of theirs. */
  readonly bytes: number
  readonly adoptable: number
  /** The bytes of those of which chunks can be taken over. */
  readonly bytesOfAdoptable: number
}

/** The source of objects. */
export interface SourceFile {
  readonly reader: H5FileReader
  readonly table: H5servTable
  readonly losses: Losses
  readonly signal: AbortSignal
  /** The length of the file; absent: none of its chunks can be taken over. */
  readonly size?: number
}

type StoredValues = Pick<FoundObject, 'chunks' | 'bytes' | 'damage' | 'adoption' | 'adoptable' | 'isJoined'>

/**
 * Every object that hard links reach from the root group, each once, also where links form cycles; and those
 * without a link that h5serv's table has.
 */
export async function findObjects(file: SourceFile): Promise<FoundObjects> {
  const { reader, table, losses, signal } = file
  const lists: Record<ObjectKind, FoundObject[]> = { group: [], dataset: [], datatype: [] }
  const all: FoundObject[] = []
  const seen = new Set([reader.root])
  const waiting = [reader.root]
  let [bytes, adoptable, bytesOfAdoptable] = [0, 0, 0]
  const meet = (address: FileAddress) => {
    if (seen.has(address)) return
    seen.add(address)
    waiting.push(address)
  }
  for (let from = 0; from < waiting.length; ) {
    const next = waiting.slice(from, from + PARALLEL_OBJECTS)
    from += next.length
    signal.throwIfAborted()
    const opened = await Promise.all(
      next.map(address => {
        const open = () => openFound(file, address)
        // Without the root group there is nothing to import.
        return address === reader.root ? open() : losses.tolerate(reader.pathOf(address), open)
      }),
    )
    for (const object of opened) {
      if (!object) continue
      all.push(object)
      lists[object.kind].push(object)
      bytes += object.bytes
      adoptable += object.adoptable
      if (object.adoption) bytesOfAdoptable += object.bytes
      if (object.kind !== 'group') continue
      for await (const link of linksOf(file, object.address)) {
        if (link.class === 'H5L_TYPE_HARD') meet(link.address)
      }
      if (object.address === reader.root && table.isThere)
        (await table.anonymous(tableAttempt(file))).forEach(meet)
    }
    await nextTurn()
  }
  const { group: groups, dataset: datasets, datatype: datatypes } = lists
  return { all, groups, datasets, datatypes, bytes, adoptable, bytesOfAdoptable }
}

/** The links of a group, until they cannot be read. An import reads them twice, since there may be a million. */
export async function* linksOf(
  { reader, table, losses, signal }: SourceFile,
  group: FileAddress,
): AsyncGenerator<FileLink> {
  const path = reader.pathOf(group)
  const batches = table.visibleLinks(group, reader.links(group))
  for await (const links of untilDamaged(batches, work => losses.tolerate(path, work))) {
    signal.throwIfAborted()
    for (const link of links) {
      if (isTurnOver()) await nextTurn()
      yield link
    }
  }
}

/** The treatment of a part of h5serv's table that cannot be read: a loss. */
export function tableAttempt({ losses, signal }: SourceFile): Attempt {
  return work => {
    signal.throwIfAborted()
    return losses.tolerate(TABLE_PATH, work)
  }
}

async function openFound(file: SourceFile, address: FileAddress): Promise<FoundObject> {
  const object = await readObject(file.reader, address)
  switch (object.kind) {
    case 'group':
      return newObject(object, undefined, undefined, {})
    case 'datatype':
      return newObject(object, undefined, object.type, {})
    case 'dataset': {
      const dataset = await file.table.withGiven(object.dataset, address, tableAttempt(file))
      return newObject(object, dataset, undefined, await readStored(file, address, dataset))
    }
  }
}

/** All members at once: V8 gives an object to which some are added later memory of another object. */
function newObject(
  { address, kind }: Pick<FoundObject, 'address' | 'kind'>,
  dataset: FileDataset | undefined,
  type: Datatype | undefined,
  { bytes = 0, chunks, adoption, adoptable = 0, isJoined = false, damage }: Partial<StoredValues>,
): FoundObject {
  return { address, kind, dataset, type, bytes, chunks, adoption, adoptable, isJoined, damage }
}

/** The values of a dataset that the file stores. */
async function readStored(
  { reader, size }: SourceFile,
  address: FileAddress,
  dataset: FileDataset,
): Promise<Partial<StoredValues>> {
  const { space, type } = dataset
  const all = elementCount(space) * elementSize(type)
  const bytesOf = (chunks: readonly ChunkCoordinates[], chunkDims: readonly number[]) =>
    chunks.reduce((sum, chunk) => sum + product(boxAt(chunk, chunkDims, extentsOf(space)).count), 0) *
    elementSize(type)
  try {
    const stored = size === undefined ? undefined : await reader.storedBytes?.(address)
    const adoptableOf = (bytes: StoredBytes | undefined) =>
      bytes && size !== undefined ? adoptionOf(dataset, bytes, size) : undefined
    if (stored?.layout === 'contiguous' && stored.position !== undefined) {
      const adoption = adoptableOf(stored)
      return { bytes: all, adoption, adoptable: adoption ? all : 0 }
    }
    const ranges = stored?.layout === 'chunked' ? stored : undefined
    const adoption = adoptableOf(ranges)
    const chunks = ranges ? chunksOf(ranges) : await reader.storedChunks(address)
    let bytes = 0
    let adoptable = 0
    let count = 0
    if (adoption) {
      for await (const { adopted, converted } of adoption.batches()) {
        for (const { length } of adopted) adoptable += length
        const batch = [...converted, ...adopted.map(({ coordinates }) => coordinates)]
        bytes += bytesOf(batch, adoption.chunkDims)
        count += batch.length
      }
    } else if (chunks) {
      for await (const batch of chunks.batches()) {
        bytes += bytesOf(batch, chunks.chunkDims)
        count += batch.length
      }
    } else {
      bytes = all
    }
    const areSmall = chunks && count > FEW_CHUNKS && bytes < count * SMALL_CHUNK && all < MAX_SPARSE * bytes
    const isJoined = areSmall && !adoption?.areKept
    if (isJoined) return { chunks, bytes, isJoined }
    return { chunks, adoption, bytes, adoptable }
  } catch (error) {
    return { damage: reasonOf(error) }
  }
}

function chunksOf({ chunkDims, batches }: ChunkedBytes): StoredChunks {
  return {
    chunkDims,
    async *batches() {
      for await (const ranges of batches()) yield ranges.map(({ coordinates }) => coordinates)
    },
  }
}
