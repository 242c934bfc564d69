// The use of a folder: what the domains below it hold, summed for each child or for each owner. One rule says what a
// caller sees: the domains that it may read are counted, and no others; administrators may read all. Contents with
// several names are counted once, for one of the domains; mounted files are not counted, because the store has no bytes
// of theirs.

import { nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isTopLevel, type ObjectId } from '@hyperslab/model/names'
import type { DomainEntry, DomainStatistics, HdfObject, Quota } from '@hyperslab/store/store'
import { hasPermission, shareNotFound } from '../access/access.ts'
import type { Context } from '../context.ts'
import { quotasAbove } from '../quotas.ts'
import { requireFolder } from './domains.ts'

/** Domains below a folder whose use an administrator gets in one answer. @limit safety, domains */
const MAX_DOMAINS_OF_ADMINS = 200_000
/** The same for other callers, whose permission is checked for each domain. @limit safety, domains */
const MAX_DOMAINS = 10_000

/** The sum of some domains. */
export interface Use {
  readonly domains: number
  /** Groups, datasets and committed datatypes. */
  readonly objects: number
  /** Bytes of values and of records: those of the domains, their objects, links and attributes. */
  readonly bytes: number
  readonly allocatedBytes: number
  readonly metadataBytes: number
  readonly lastModified: number
}

export type Grouping = 'folder' | 'owner'

export interface UsageItem extends Use {
  /** The path of a child, or an owner; absent: the domains have none. */
  readonly name?: string
  /** True of a child only: it has others below it. */
  readonly isFolder?: boolean
}

export interface Usage {
  readonly folder: DomainPath
  readonly by: Grouping
  readonly total: Use
  /** The sums, largest bytes first; equal ones by their names. */
  readonly items: readonly UsageItem[]
  /** The quotas of the folder and of those above it. */
  readonly quotas: readonly Quota[]
  /** The folder is one of mounted files. */
  readonly mounted?: true
}

/** A domain as the store lists it. */
interface CountedDomain {
  readonly entry: DomainEntry
  readonly statistics: DomainStatistics
  /** Domains that have the same contents. */
  readonly names: number
  readonly root?: HdfObject
}

type Sum = { -readonly [Name in keyof Use]: Use[Name] }
type ItemSum = Sum & Pick<UsageItem, 'name'> & { isFolder?: boolean }

function nothing(): Sum {
  return { domains: 0, objects: 0, bytes: 0, allocatedBytes: 0, metadataBytes: 0, lastModified: 0 }
}

function add(
  sum: Sum,
  { groups, datasets, datatypes, ...statistics }: DomainStatistics,
  isCounted: boolean,
): void {
  const { allocatedBytes, metadataBytes, entryBytes, lastModified } = statistics
  sum.domains++
  sum.bytes += entryBytes
  sum.lastModified = Math.max(sum.lastModified, lastModified)
  if (isCounted) return
  sum.objects += groups + datasets + datatypes
  sum.bytes += allocatedBytes + metadataBytes
  sum.allocatedBytes += allocatedBytes
  sum.metadataBytes += metadataBytes
}

/** Sums the domains below a folder. */
class UsageSums {
  readonly total = nothing()
  readonly #items = new Map<string | undefined, ItemSum>()
  /** Root groups with several names that are counted. */
  readonly #counted = new Set<ObjectId>()
  readonly #beginning: number
  readonly #by: Grouping

  constructor(folder: DomainPath, by: Grouping) {
    this.#beginning = isTopLevel(folder) ? folder.length : folder.length + 1
    this.#by = by
  }

  add({ entry, statistics, names }: CountedDomain): void {
    const { root } = entry
    const isCounted = names > 1 && root !== undefined && this.#counted.has(root)
    if (names > 1 && root !== undefined) this.#counted.add(root)
    add(this.total, statistics, isCounted)
    add(this.#itemOf(entry), statistics, isCounted)
  }

  #itemOf({ path, owner }: DomainEntry): Sum {
    if (this.#by === 'owner') return this.#item(owner)
    const end = path.indexOf('/', this.#beginning)
    const item = this.#item(end < 0 ? path : path.slice(0, end))
    item.isFolder ||= end >= 0
    return item
  }

  #item(name: string | undefined): ItemSum {
    const known = this.#items.get(name)
    if (known) return known
    const item: ItemSum = { ...nothing(), ...(name !== undefined && { name }) }
    this.#items.set(name, item)
    return item
  }

  items(): readonly UsageItem[] | Promise<readonly UsageItem[]> {
    return sortInTurns([...this.#items.values()], compareItems)
  }
}

/** A position between the items of a usage. */
export type UsagePosition = Pick<UsageItem, 'bytes' | 'name'>

export function compareItems(one: UsagePosition, other: UsagePosition): number {
  const [name = '', otherName = ''] = [one.name, other.name]
  return other.bytes - one.bytes || (name < otherName ? -1 : name > otherName ? 1 : 0)
}

/** The use of all domains below a folder. */
export async function sumUsage(
  domains: AsyncIterable<readonly CountedDomain[]>,
  folder: DomainPath,
  by: Grouping,
  isShown: (domain: CountedDomain) => boolean = () => true,
): Promise<Omit<Usage, 'quotas'>> {
  const sums = new UsageSums(folder, by)
  for await (const some of domains) {
    for (const domain of some) if (isShown(domain)) sums.add(domain)
    await nextTurn()
  }
  return { folder, by, total: sums.total, items: await sums.items() }
}

/** The use of the domains below a folder that the caller may read. */
export async function getUsage(context: Context, folder: DomainPath, by: Grouping): Promise<Usage> {
  const { reader, caller } = context
  if (caller.sharedBy) throw shareNotFound()
  if (!(await requireFolder(context, folder))) {
    const message = `${folder} is a domain: ask for the use of a folder, and for that of a domain with verbose=1`
    throw new HyperslabError('malformed-parameter', message, { subject: folder })
  }
  const isAdmin = caller.admin && caller.scope?.within === undefined
  const limit = isAdmin ? MAX_DOMAINS_OF_ADMINS : MAX_DOMAINS
  const domains = atMost(reader.use(folder, !isAdmin), limit, folder)
  const usage = await sumUsage(domains, folder, by, ({ entry, root }) => {
    return isAdmin || (root?.kind === 'group' && hasPermission(context, 'read', { entry, root }))
  })
  const entry = isTopLevel(folder) ? undefined : await reader.domain(folder)
  const quotas = await quotasAbove(reader, folder)
  return { ...usage, quotas, ...(entry?.mounted && { mounted: true }) }
}

async function* atMost<Domain>(
  domains: AsyncIterable<readonly Domain[]>,
  limit: number,
  folder: DomainPath,
): AsyncGenerator<readonly Domain[]> {
  let count = 0
  for await (const some of domains) {
    count += some.length
    if (count > limit) {
      const message = `more than ${limit} domains are below ${folder}: ask for the use of folders below it`
      throw new HyperslabError('folder-too-large', message, { subject: folder })
    }
    yield some
  }
}
