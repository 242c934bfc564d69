// A page of a listing as it is asked for, over the pages of the store, which pass over an unknown marker by order.

import { HyperslabError } from '../errors.ts'
import type { Glob } from '../hdf5/glob.ts'
import type { Page } from '../storage/store.ts'
import { Turns } from '../turns.ts'

/** Of the items that the pattern fits, at most `limit` (absent: all) strictly after `marker` (absent: from the first). */
export interface Listing<Marker = string> {
  readonly marker?: Marker | undefined
  readonly limit?: number | undefined
  readonly order?: 'name' | 'created' | undefined
  /** The marker need not fit it. */
  readonly pattern?: Glob | undefined
  /** What a marker that is not in the listing does: nothing (the default), end it, or fail. */
  readonly unknownMarker?: 'passed' | 'empty' | 'missing'
}

/** The page to ask of the store. */
export function pageOf<Marker>({ marker, limit, order }: Listing<Marker>): Page<Marker> {
  return {
    ...(marker !== undefined && { marker }),
    ...(limit !== undefined && { limit }),
    ...(order !== undefined && { order }),
  }
}

/** False when the marker is not there and the listing ends for that; throws `code` when that is an error. */
export async function isMarkerAccepted<Marker>(
  { marker, unknownMarker = 'passed' }: Listing<Marker>,
  isThere: (marker: Marker) => Promise<boolean>,
  code: 'link-not-found' | 'attribute-not-found' | 'object-not-found',
): Promise<boolean> {
  if (marker === undefined || unknownMarker === 'passed' || (await isThere(marker))) return true
  if (unknownMarker === 'empty') return false
  throw new HyperslabError(code, `the marker "${marker}" is not in the listing`, { subject: `${marker}` })
}

/** The page, read only as far as it goes; `list` gives a page of the store, `nameOf` what the pattern has to fit. */
export async function collectPage<T>(
  list: (page: Page) => AsyncIterable<T>,
  { pattern, limit, ...listing }: Listing,
  nameOf: (item: T) => string,
): Promise<T[]> {
  if (limit === 0) return []
  if (pattern === undefined) return collect(list(pageOf({ ...listing, limit })))
  const fitting: T[] = []
  const turns = new Turns()
  for await (const item of list({ ...pageOf(listing), prefix: pattern.prefix })) {
    if (pattern.matches(nameOf(item)) && fitting.push(item) === limit) break
    await turns.next()
  }
  return fitting
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  const turns = new Turns()
  for await (const item of items) {
    all.push(item)
    await turns.next()
  }
  return all
}
