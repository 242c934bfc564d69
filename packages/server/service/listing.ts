// A page of a listing as requests name it, read from pages of the store, where an unknown marker counts by its order. A
// listing continues after a marker that was deleted since the previous page: the store remembers deleted members.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Glob } from '@hyperslab/model/names'
import type { Page } from '@hyperslab/store/store'

/**
 * At most `limit` (absent: all) of the items that match the pattern, strictly after `marker` (absent: from the first).
 */
export interface Listing<Marker = string> {
  readonly marker?: Marker | undefined
  readonly limit?: number | undefined
  readonly order?: 'name' | 'created' | undefined
  /** The marker need not match it. */
  readonly pattern?: Glob | undefined
  /**
   * A marker that never was in the listing counts by its order (the default), makes the listing empty, or is an error.
   * One that was deleted always counts by its order.
   */
  readonly unknownMarker?: 'passed' | 'empty' | 'missing'
}

/** The page to read from the store. */
export function pageOf<Marker>({ marker, limit, order }: Listing<Marker>): Page<Marker> {
  return {
    ...(marker !== undefined && { marker }),
    ...(limit !== undefined && { limit }),
    ...(order !== undefined && { order }),
  }
}

/** False when the marker is unknown and the listing is empty therefore; throws `code` when that is an error. */
export async function isMarkerAccepted<Marker>(
  { marker, unknownMarker = 'passed' }: Listing<Marker>,
  isOrWasThere: (marker: Marker) => Promise<boolean>,
  code: 'link-not-found' | 'attribute-not-found' | 'object-not-found',
): Promise<boolean> {
  if (marker === undefined || unknownMarker === 'passed' || (await isOrWasThere(marker))) return true
  if (unknownMarker === 'empty') return false
  throw new HyperslabError(code, `the marker "${marker}" is not in the listing`, { subject: `${marker}` })
}

/** Whether a member exists; one that cannot be read is listed, and so exists. */
export async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    return (await reading) !== undefined
  } catch (error) {
    if (error instanceof HyperslabError && error.kind === 'unsupported') return true
    throw error
  }
}

/**
 * The page; it reads no further than the last item. `list` reads a page of the store; the pattern is matched with
 * `nameOf`.
 */
export async function collectPage<T>(
  list: (page: Page) => AsyncIterable<T>,
  { pattern, limit, ...listing }: Listing,
  nameOf: (item: T) => string,
): Promise<T[]> {
  if (limit === 0) return []
  if (pattern === undefined) return collect(list(pageOf({ ...listing, limit })))
  const fitting: T[] = []
  for await (const item of list({ ...pageOf(listing), prefix: pattern.prefix })) {
    if (pattern.matches(nameOf(item)) && fitting.push(item) === limit) break
    await nextTurn()
  }
  return fitting
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) {
    all.push(item)
    await nextTurn()
  }
  return all
}
