// The rules of listings in which dialects differ; parameters.ts reads them.

/** Listings of links, attributes, objects and folders. */
export interface ListingRules {
  /** An unknown marker of a listing ends it, or is an error. */
  readonly unknownMarker: 'empty' | 'missing'
  /** A negative `Limit` means none, or is an error. */
  readonly negativeLimit: 'none' | 'error'
}
