// The location of a store. The settings parse it once; every function that opens a store reads its kinds.

export type RecordsLocation =
  | { readonly kind: 'folder' }
  /** `postgres://user@host/database`. */
  | { readonly kind: 'postgres'; readonly address: string }

export type BlobsLocation =
  | { readonly kind: 'folder' }
  /** `s3://bucket` or `s3://bucket/prefix`. */
  | { readonly kind: 's3'; readonly address: string }

export interface StoreLocation {
  /** The folder for the data that are nowhere else, and for caches. */
  readonly dataFolder: string
  readonly records: RecordsLocation
  readonly blobs: BlobsLocation
}

/** The location of a store that is wholly in one data folder. */
export function inFolder(dataFolder: string): StoreLocation {
  return { dataFolder, records: { kind: 'folder' }, blobs: { kind: 'folder' } }
}

/** Whether the whole store is in its data folder. */
export function isInFolder({ records, blobs }: Omit<StoreLocation, 'dataFolder'>): boolean {
  return records.kind === 'folder' && blobs.kind === 'folder'
}

/** Whether the store needs its data folder. */
export function needsFolder({ records, blobs }: Omit<StoreLocation, 'dataFolder'>): boolean {
  return records.kind === 'folder' || blobs.kind === 'folder'
}
