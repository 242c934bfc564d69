// Blobs that no record names, and notes of garbage that name a blob which a record names.

import { nextTurn } from '@hyperslab/base/bounded'
import type { Reads } from '../changes.ts'
import { chunkKey, isBlobNamed } from '../chunk-records/chunk-record.ts'
import type { Snapshot } from '../interfaces/engine.ts'
import { type ChunkBlob, domainBlobs, objectBlobs, parseBlobName } from '../records/blob-name.ts'
import { garbageFrom } from '../records/keys.ts'
import { UNCERTAIN } from '../transaction/garbage.ts'
import type { Finding } from './finding.ts'
import { type CheckParts, MOST_UNRESOLVED } from './parts.ts'

/** Blobs whose records are read at once. */
const BATCH = 256

/** Checks a note of garbage. One that is not certain may name a blob that a running write has named since. */
export function checkGarbage({ later, report }: CheckParts, note: Uint8Array): void {
  const name = Buffer.from(note).toString()
  const blob = name.startsWith(UNCERTAIN) || name.endsWith('/') ? undefined : parseBlobName(name)
  if (blob === undefined) return
  later.get(chunkKey(blob), record => {
    if (isBlobNamed(blob, record)) report({ kind: 'garbage-in-use', blob: name })
  })
}

/** Checks every blob that exists now. The newest state names the blobs that were put after the state of `parts`. */
export async function* checkBlobs(
  { blobs, reads }: CheckParts,
  newestState: () => Snapshot,
): AsyncGenerator<Finding> {
  let batch = new Map<string, ChunkBlob>()
  let orphans = new Map<string, ChunkBlob>()
  for await (const name of blobs.list('')) {
    const blob = parseBlobName(name)
    if (blob === undefined) yield { kind: 'foreign-file', blob: name }
    else batch.set(name, blob)
    if (batch.size < BATCH) continue
    for (const [name, blob] of await unnamed(reads, batch)) orphans.set(name, blob)
    batch = new Map()
    if (orphans.size >= MOST_UNRESOLVED) {
      yield* reportOrphans(blobs, orphans, newestState)
      orphans = new Map()
    }
    await nextTurn()
  }
  for (const [name, blob] of await unnamed(reads, batch)) orphans.set(name, blob)
  yield* reportOrphans(blobs, orphans, newestState)
}

async function* reportOrphans(
  blobs: CheckParts['blobs'],
  orphans: ReadonlyMap<string, ChunkBlob>,
  newestState: () => Snapshot,
): AsyncGenerator<Finding> {
  if (orphans.size === 0) return
  const newest = newestState()
  try {
    for (const blob of await notNoted(newest, await unnamed(newest, orphans))) {
      // It may have been deleted since it was listed.
      if ((await blobs.size(blob)) !== undefined) yield { kind: 'orphaned-blob', blob }
    }
  } finally {
    newest.close()
  }
}

async function unnamed(reads: Reads, blobs: ReadonlyMap<string, ChunkBlob>): Promise<Map<string, ChunkBlob>> {
  const list = [...blobs]
  const found = new Map<string, ChunkBlob>()
  for (let from = 0; from < list.length; from += BATCH) {
    const piece = list.slice(from, from + BATCH)
    const records = await reads.getMany(piece.map(([, blob]) => chunkKey(blob)))
    for (const [i, [name, blob]] of piece.entries()) if (!isBlobNamed(blob, records[i])) found.set(name, blob)
  }
  return found
}

/** The blobs that are not noted as garbage, neither one by one nor with their object or domain. */
async function notNoted(reads: Reads, blobs: ReadonlyMap<string, ChunkBlob>): Promise<readonly string[]> {
  const left = new Set(blobs.keys())
  const below = new Map<string, string[]>()
  for (const [name, { dataset }] of blobs) {
    for (const prefix of [domainBlobs(dataset), objectBlobs(dataset)]) {
      const names = below.get(prefix) ?? []
      names.push(name)
      below.set(prefix, names)
    }
  }
  for await (const { value } of reads.range(garbageFrom(0))) {
    const text = Buffer.from(value).toString()
    const name = text.startsWith(UNCERTAIN) ? text.slice(1) : text
    left.delete(name)
    for (const noted of below.get(name) ?? []) left.delete(noted)
  }
  return [...left]
}
