// Listing a folder (hsds-objects 8.5 and 8.6): its direct children in the order of their names, filtered by a pattern
// and by a query over the attributes of their root groups. `read` on the folder is enough for its children; queries and
// statistics, which show the contents of a domain, need `read` on the domain.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, nameOf, type ObjectId } from '@hyperslab/model/names'
import type { Attribute, DomainEntry, DomainStatistics, Page, Reader } from '@hyperslab/store/store'
import { asListed, hasPermission, isListed } from '../access/access.ts'
import { type Context, isOfFiles } from '../context.ts'
import { type Listing, pageOf } from '../listing.ts'
import { READS_AT_ONCE, readTogether } from '../objects/read-together.ts'
import type { Scalar, ScalarQuery } from '../query/scalars.ts'
import { requireFolder, withRoot } from './domains.ts'

export interface FolderListing extends Listing {
  /** Folders never match, nor do domains that lack one of the attributes. */
  readonly query?: ScalarQuery
  /** Domains that the caller may read come with their statistics. */
  readonly verbose?: boolean
}

export interface ListedEntry {
  readonly entry: DomainEntry
  readonly statistics?: DomainStatistics
}

/** The first `limit` children after the marker that match the pattern and the query. A domain has none. */
export async function listFolder(
  context: Context,
  folder: DomainPath,
  { pattern, query, verbose = false, limit, ...page }: FolderListing,
): Promise<readonly ListedEntry[]> {
  if (!(await requireFolder(context, folder)) || limit === 0) return []
  const { reader, signal } = context
  const isFiltered = pattern !== undefined || query !== undefined
  const children = listedChildren(context, folder, {
    ...pageOf({ ...page, limit: isFiltered ? undefined : limit }),
    ...(pattern && { prefix: pattern.prefix }),
  })
  const matches = query && rootGroupTest(context, query)
  /** Undefined: the query does not match. */
  const show = async (entry: DomainEntry): Promise<ListedEntry | undefined> => {
    if (matches && !(await matches(entry))) return undefined
    return verbose ? withStatistics(context, entry) : { entry }
  }
  const unreadable = (entry: DomainEntry) => (matches ? undefined : { entry })
  let lastFile: Promise<unknown> = Promise.resolve()
  const read = async (entry: DomainEntry): Promise<ListedEntry | undefined> => {
    signal.throwIfAborted()
    if (matches === undefined && !verbose) return { entry }
    if (!isOfFiles(entry)) return show(entry)
    // Files are opened one after another.
    const shown = lastFile.then(() => ofReadable(reader, entry, show, unreadable(entry)))
    lastFile = shown.catch(() => undefined)
    return shown
  }
  async function* matching() {
    for await (const entry of children) {
      if (pattern === undefined || pattern.matches(nameOf(entry.path))) yield entry
      await nextTurn()
      signal.throwIfAborted()
    }
  }
  const listed: ListedEntry[] = []
  for await (const shown of readTogether(matching(), read, Math.min(READS_AT_ONCE, limit ?? READS_AT_ONCE))) {
    if (shown) listed.push(shown)
    if (listed.length === limit) break
  }
  return listed
}

/** Entries that are read after some that are not listed. @limit speed, entries */
const READ_AFTER_HIDDEN = 100

/** The children that the caller finds in the list, at least as many as the page has. */
async function* listedChildren(
  context: Context,
  folder: DomainPath,
  first: Page,
): AsyncGenerator<DomainEntry> {
  let hasHidden = false
  for (let page = first, count = 0; ; count = 0) {
    let last: DomainPath | undefined
    for await (const entry of context.reader.children(folder, page)) {
      last = entry.path
      count++
      if (isListed(context, entry)) yield asListed(context, entry)
      else hasHidden = true
    }
    // A page with hidden entries has fewer than its limit.
    if (!hasHidden || last === undefined || page.limit === undefined || count < page.limit) return
    page = { ...page, marker: last, limit: READ_AFTER_HIDDEN }
  }
}

/** Attempts to read a file that changes each time. @limit safety, attempts */
export const MAX_ATTEMPTS = 4

/**
 * The result of `read` for an entry; `unreadable` for a mounted file that cannot be read or that changes all the time,
 * so that the other entries of its folder can be listed. Each file is read in one state, but not all files in states of
 * the same time.
 */
async function ofReadable<T>(
  reader: Reader,
  entry: DomainEntry,
  read: (entry: DomainEntry) => Promise<T>,
  unreadable: T,
): Promise<T> {
  if (!isOfFiles(entry)) return read(entry)
  let current: DomainEntry | undefined = entry
  for (let attempt = 1; current && attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await readAndFinish(reader, current, read)
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      if (error.code !== 'file-changed') return unreadable
      current = await reader.domain(entry.path)
    }
  }
  return unreadable
}

async function readAndFinish<T>(
  reader: Reader,
  entry: DomainEntry,
  read: (entry: DomainEntry) => Promise<T>,
): Promise<T> {
  try {
    return await read(entry)
  } finally {
    if (entry.root) await reader.finishDomain(entry.root)
  }
}

/** The root group of a domain that the caller may read. */
async function readableRoot(context: Context, entry: DomainEntry): Promise<ObjectId | undefined> {
  const domain = await withRoot(context, entry)
  return domain && hasPermission(context, 'read', domain) ? domain.root.id : undefined
}

async function withStatistics(context: Context, entry: DomainEntry): Promise<ListedEntry> {
  if ((await readableRoot(context, entry)) === undefined) return { entry }
  const statistics = await context.reader.statistics(entry.path)
  return { entry, ...(statistics && { statistics }) }
}

/**
 * True for a domain that the caller may read and whose root group has all attributes, scalar and matching the query.
 */
function rootGroupTest(context: Context, query: ScalarQuery): (entry: DomainEntry) => Promise<boolean> {
  return async entry => {
    const root = await readableRoot(context, entry)
    if (root === undefined) return false
    const scalars: Scalar[] = []
    for (const name of query.names) {
      const scalar = scalarOf(await context.reader.attribute(root, name))
      if (scalar === undefined) return false
      scalars.push(scalar)
    }
    return query.matches(scalars)
  }
}

const COMPARED: ReadonlySet<string> = new Set(['H5T_INTEGER', 'H5T_FLOAT', 'H5T_STRING'])

/** The value to compare. A string that is too long to be stored with its attribute matches nothing. */
function scalarOf(attribute: Attribute | undefined): Scalar | undefined {
  if (attribute?.value === undefined || attribute.space.class !== 'H5S_SCALAR') return undefined
  const { type, value } = attribute
  return COMPARED.has(type.class) && 'data' in value ? { type, value } : undefined
}
