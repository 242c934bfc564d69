// A fold of one chunk: new values that include its patches. Patches that are added meanwhile stay.

import { isSameValue } from '../batch.ts'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import type { Change, Follow } from '../interfaces/engine.ts'
import { chunkCounts } from '../records/counters.ts'
import { objectKey } from '../records/keys.ts'
import { formChange } from '../records/status.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { decodeCoordinates } from './chunk-key.ts'
import {
  blobsOf,
  type ChunkAddress,
  type ChunkRecord,
  chunkKey,
  decodeChunkRecord,
  difference,
  encodeChunkRecord,
  isInline,
  type PatchNumbers,
  valuesKey,
} from './chunk-record.ts'
import type { ChunkValues, StoredValues } from './chunk-values.ts'
import { patchesAfter, patchKey, patchKeys } from './patches.ts'
import { readRecorded, recordAt } from './recorded-chunk.ts'

/** Makes new values of a chunk and its patches, if it has any. */
export async function foldChunk(
  transaction: Transaction,
  values: ChunkValues,
  layout: ChunkLayout,
  address: ChunkAddress,
): Promise<void> {
  const before = await recordAt(values.source, address)
  if (!before?.patches) return
  const { patches } = before
  const last = await transaction.glance(patchKey(address, patches.to - 1))
  const chunk = decodeCoordinates(address.coordinates)
  const elements = await readRecorded(values.source, layout, chunk, address, before)
  const stored = await values.store(layout, address, elements)
  const dropBlobs = (record: ChunkRecord): readonly Change[] => {
    const blobs = blobsOf(address, record)
    return blobs.length === 0 ? [] : [transaction.garbageNotes(blobs)]
  }
  const changes = replaceFolded({ address, before: { ...before, patches }, last, ...stored, dropBlobs })
  const form = formChange(address.dataset, transaction.random)
  // The dataset may be deleted meanwhile: nothing is written that its domain would keep for ever.
  transaction.amend(objectKey(address.dataset, 'record'), dataset =>
    dataset ? [form, { op: 'follow', key: chunkKey(address), changes }] : dropBlobs(stored.record),
  )
}

/** A chunk and its patches as they were read, and its new values without patches. */
interface FoldedChunk extends StoredValues {
  readonly address: ChunkAddress
  readonly before: ChunkRecord & { readonly patches: PatchNumbers }
  /** The last patch, to which others may have been added since. */
  readonly last: Uint8Array | undefined
  /** Notes the blobs of a record as garbage. */
  readonly dropBlobs: (record: ChunkRecord) => readonly Change[]
}

/**
 * Gives the chunk its new values, and keeps the patches that came since; if its values are not those that were read,
 * only the new ones are dropped. A last patch that has grown stays: copied over values that include its beginning it
 * gives the same result.
 */
function replaceFolded({ address, before, last, record, values, dropBlobs }: FoldedChunk): Follow {
  const key = chunkKey(address)
  const lastKey = patchKey(address, before.patches.to - 1)
  return value => {
    const there = value && decodeChunkRecord(value)
    if (there?.version !== before.version || there.patches?.from !== before.patches.from)
      return dropBlobs(record)
    const { patches } = there
    const changes: Follow = value => {
      const isSame = isSameValue(value, last)
      const { to, bytes } = before.patches
      const grown = isSame ? 0 : (last?.length ?? 0)
      const folded = { ...before.patches, to: isSame ? to : to - 1, bytes: bytes - grown }
      const left = patchesAfter(folded, patches)
      const after = left ? { ...record, patches: left } : record
      return [
        ...patchKeys(address, folded).map(key => ({ op: 'delete', key }) as const),
        { op: 'set', key, value: encodeChunkRecord(after) },
        ...(values ? [{ op: 'set', key: valuesKey(address), value: values } as const] : []),
        ...(!values && isInline(before) ? [{ op: 'delete', key: valuesKey(address) } as const] : []),
        ...chunkCounts(address.dataset, difference(there, after)),
        ...dropBlobs(before),
      ]
    }
    return [{ op: 'follow', key: lastKey, changes }]
  }
}
