// What the values of a dataset take. The records of its chunks are walked: a counter would have to be right under
// writers who replace the same chunk, and would cost every write what few ask for.

import { setImmediate } from 'node:timers/promises'
import type { ObjectId } from '../../hdf5/object-id.ts'
import { objectPartRange } from '../records/keys.ts'
import type { Allocation } from '../store.ts'
import type { Reads } from '../transaction.ts'
import { decodeChunkRecord, storedBytes } from './chunk-record.ts'

/** Records that are walked before others get their turn. */
const TURN = 1024

export async function countChunks(reads: Reads, dataset: ObjectId): Promise<Allocation> {
  let chunks = 0
  let bytes = 0
  for await (const { value } of reads.range(objectPartRange(dataset, 'chunk'))) {
    bytes += storedBytes(decodeChunkRecord(value))
    if (++chunks % TURN === 0) await setImmediate()
  }
  return { chunks, bytes }
}
