// Where the values of chunks come from, and reading them from blobs.

import type { ChunkFilters } from '../../chunks/chunk-filters.ts'
import type { Blobs } from '../engine.ts'
import { valuesDamaged } from '../engines/system-errors.ts'

export interface ValueSource {
  readonly blobs: Pick<Blobs, 'read' | 'readCompared'>
  readonly filters: ChunkFilters
  get(key: Uint8Array): Promise<Uint8Array | undefined>
}

/** Fills `into`; a blob that ends before is damaged. */
export async function readBlob(
  { blobs }: Pick<ValueSource, 'blobs'>,
  name: string,
  offset: number,
  into: Uint8Array,
): Promise<void> {
  requireLength(name, into, await blobs.read(name, offset, into))
}

/** The same, compared with what was written: of a damaged value, others would be made whose checksum is right. */
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
