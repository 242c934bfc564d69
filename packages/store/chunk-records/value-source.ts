// The source of the values of chunks, and their reading from blobs.

import type { ChunkFilters } from '../chunks/chunk-filters.ts'
import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import { valuesDamaged } from '../engines/system-errors.ts'
import type { Blobs } from '../interfaces/engine.ts'
import type { ChunkAddress, PatchNumbers } from './chunk-record.ts'

export type NotePatches = (layout: ChunkLayout, address: ChunkAddress, patches: PatchNumbers) => void

export interface ValueSource {
  readonly blobs: Pick<Blobs, 'read' | 'readCompared'>
  readonly filters: ChunkFilters
  get(key: Uint8Array): Promise<Uint8Array | undefined>
  /** Called with the patches of each chunk that is found. */
  readonly notePatches?: NotePatches
}

/** Fills `into`; a blob that is too short is damaged. */
export async function readBlob(
  { blobs }: Pick<ValueSource, 'blobs'>,
  name: string,
  offset: number,
  into: Uint8Array,
): Promise<void> {
  requireLength(name, into, await blobs.read(name, offset, into))
}

/**
 * Fills `into` and compares the bytes with their checksums. Values that are stored again must be read so: a copy of
 * damaged ones would get correct checksums.
 */
export async function readBlobCompared(
  { blobs }: Pick<ValueSource, 'blobs'>,
  name: string,
  offset: number,
  into: Uint8Array,
): Promise<void> {
  requireLength(name, into, await blobs.readCompared(name, offset, into))
}

function requireLength(name: string, into: Uint8Array, length: number): void {
  if (length === into.length) return
  throw valuesDamaged(`the blob ${name} ends ${into.length - length} bytes early: it is damaged`)
}
