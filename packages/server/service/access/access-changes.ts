// Changes of access to a domain or folder, and to everything below it: another owner, items of lists that are put and
// removed. One request is one transaction: all that it looks at is changed, or nothing. It looks at a number of entries
// at most, in the order of their paths, each folder before its contents; `next` is the position for the request that
// goes on. An entry that is as it should be is not written, so a request can be repeated until all is changed.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  type Acl,
  childOf,
  type DomainPath,
  namesBelow,
  type ObjectId,
  PERMISSIONS,
} from '@hyperslab/model/names'
import type { DomainEntry, Group } from '@hyperslab/store/store'
import { type AclChange, type ChangedItem, requireKnownName, unlisted, withItems } from '../acls.ts'
import type { Context, WriteContext } from '../context.ts'
import { requireEntry, withRoot } from '../domains/domains.ts'
import { readTogether } from '../objects/read-together.ts'
import {
  ALL_PERMISSIONS,
  requireAdmin,
  requireFolderPermission,
  requirePermission,
  requireStored,
} from './access.ts'
import { folderAcl } from './folder-access.ts'

/** Domains and folders that one request looks at: a transaction is in memory as a whole. @limit memory, domains */
const MAX_CHECKED = 10_000

export interface AccessChange {
  /** The new owner; absent: the owners stay. */
  readonly owner?: string
  readonly items: readonly AclChange[]
  /** Names whose items are removed, where a list has them. */
  readonly removed: readonly string[]
  /** Everything below is changed too. */
  readonly below: boolean
  /** Only what this user owns is changed. */
  readonly ownedBy?: string
  /** Names that no account has are allowed. */
  readonly force: boolean
}

/** The part of the entries that a request looks at. */
export interface AccessPage {
  /** The position: entries after this path; absent: from the domain or folder itself on. */
  readonly after?: DomainPath | undefined
  readonly limit?: number | undefined
}

export interface ChangedEntry {
  readonly path: DomainPath
  /** The former owner, where there is another one now; absent: the owner is the same. */
  readonly formerOwner?: string | undefined
  readonly items: readonly ChangedItem[]
}

export interface ChangedAccess {
  readonly changed: readonly ChangedEntry[]
  /** The number of entries that were as requested before. */
  readonly unchanged: number
  /** The last path that was looked at; absent: all is done. */
  readonly next?: DomainPath
}

/** An entry with what is needed to change it: its root group, or the list of the folder. */
type FoundEntry = { readonly entry: DomainEntry } & ({ readonly root: Group } | { readonly acl: Acl })

/** A change that is made when all are known to be allowed. */
interface PlannedChange extends ChangedEntry {
  readonly entry: DomainEntry
  readonly acl: Acl
}

/**
 * Each entry that is changed needs `updateACL`, each folder that is walked needs `read`, and a change of the owner an
 * administrator: if one right is missing, nothing is changed. Mounted files are left out, and so are folders below that
 * have neither an owner nor a list: what holds above them holds for them.
 */
export async function changeAccess(
  context: WriteContext,
  path: DomainPath,
  change: AccessChange,
  { after, limit = MAX_CHECKED }: AccessPage,
): Promise<ChangedAccess> {
  const first = await requireEntry(context, path)
  requireStored(first)
  requireAllowed(context, path, change)
  const most = Math.min(limit, MAX_CHECKED)
  const plan = new Plan(context, path, change)
  const walked = { entries: 0, isCut: false, last: path }
  // All is read and checked before the first change: afterwards other rights hold.
  for await (const looked of readTogether(
    upTo(most, entriesOf(context, first, change.below, after), walked),
    entry => look(context, entry, path),
  )) {
    context.signal.throwIfAborted()
    plan.add(looked)
  }
  await store(context, plan.planned)
  return {
    changed: plan.planned,
    unchanged: plan.unchanged,
    ...(walked.isCut && { next: walked.last }),
  }
}

function requireAllowed(context: Context, path: DomainPath, { owner, items, force }: AccessChange): void {
  if (owner !== undefined) requireAdmin(context, `change the owner of ${path}`)
  if (force) return
  for (const name of [...(owner === undefined ? [] : [owner]), ...items.map(({ userName }) => userName)])
    requireKnownName(context, name)
}

/** The first entries, and whether there are more. */
async function* upTo(
  most: number,
  entries: AsyncIterable<DomainEntry>,
  walked: { entries: number; isCut: boolean; last: DomainPath },
): AsyncGenerator<DomainEntry> {
  for await (const entry of entries) {
    if (isTurnOver()) await nextTurn()
    if (walked.entries === most) {
      walked.isCut = true
      return
    }
    walked.entries++
    walked.last = entry.path
    yield entry
  }
}

async function* entriesOf(
  context: Context,
  first: DomainEntry,
  below: boolean,
  after: DomainPath | undefined,
): AsyncGenerator<DomainEntry> {
  if (after === undefined) yield first
  if (below) yield* entriesBelow(context, first, after === first.path ? undefined : after)
}

/** Stored entries below a domain or folder, each before those below it; `after` is a path below. */
async function* entriesBelow(
  context: Context,
  { path, root }: DomainEntry,
  after?: DomainPath,
): AsyncGenerator<DomainEntry> {
  const { reader } = context
  if (root !== undefined && !(await reader.hasHeldDomains(path))) return
  requireFolderPermission(context, 'read', path, await folderAcl(reader, path))
  const [name] = (after && namesBelow(path, after)) ?? []
  const step = name === undefined ? undefined : childOf(path, name)
  const entry = step && (await reader.domain(step))
  if (entry && !entry.mounted) yield* entriesBelow(context, entry, after === step ? undefined : after)
  for await (const child of reader.children(path, step === undefined ? {} : { marker: step })) {
    if (child.mounted) continue
    yield child
    yield* entriesBelow(context, child)
  }
}

/** Undefined: a folder below that has no list of its own, and no owner. */
async function look(
  context: Context,
  entry: DomainEntry,
  named: DomainPath,
): Promise<FoundEntry | undefined> {
  const domain = await withRoot(context, entry)
  if (domain) return domain
  const { path, acl, owner } = entry
  if (acl === undefined && owner === undefined && path !== named) return undefined
  return { entry, acl: acl ?? (await folderAcl(context.reader, path)) ?? unlisted(context) }
}

/** The changes of one request, none of which is made yet. */
class Plan {
  readonly planned: PlannedChange[] = []
  unchanged = 0
  readonly #context: Context
  readonly #origin: DomainPath
  readonly #change: AccessChange
  /** The lists of contents with several names, as they will be. */
  readonly #lists = new Map<ObjectId, Acl>()

  constructor(context: Context, origin: DomainPath, change: AccessChange) {
    this.#context = context
    this.#origin = origin
    this.#change = change
  }

  add(looked: FoundEntry | undefined): void {
    const { ownedBy } = this.#change
    if (looked === undefined || (ownedBy !== undefined && looked.entry.owner !== ownedBy)) return
    const { entry } = looked
    this.#requireRight(looked)
    const acl = 'root' in looked ? (this.#lists.get(looked.root.id) ?? looked.root.acl) : looked.acl
    const owner = this.#change.owner ?? entry.owner
    const list = this.#listOf(entry, owner, acl)
    if (owner === entry.owner && list.changed.length === 0) {
      this.unchanged++
      return
    }
    if ('root' in looked) this.#lists.set(looked.root.id, list.acl)
    this.planned.push({
      path: entry.path,
      ...(owner !== entry.owner && { formerOwner: entry.owner }),
      items: list.changed,
      entry: { ...entry, ...(owner !== undefined && { owner }) },
      acl: list.acl,
    })
  }

  #requireRight(looked: FoundEntry): void {
    const context = this.#context
    if ('root' in looked) requirePermission(context, 'updateACL', looked)
    else requireFolderPermission(context, 'updateACL', looked.entry.path, looked.acl)
  }

  /** The list after the change: the new owner's item has all flags, that of the former owner is removed. */
  #listOf(
    { path, owner: before }: DomainEntry,
    owner: string | undefined,
    acl: Acl,
  ): { readonly acl: Acl; readonly changed: readonly ChangedItem[] } {
    const { items, removed, owner: given } = this.#change
    const gone = new Set(removed)
    if (given !== undefined && before !== undefined && before !== given) gone.add(before)
    const own = given === undefined ? [] : [{ userName: given, permissions: ALL_PERMISSIONS }]
    const left = acl.filter(({ userName }) => !gone.has(userName))
    const options = { origin: this.#origin, names: 'any' } as const
    const list = withItems(this.#context, left, [...own, ...items], options)
    const changed = changesBetween(acl, list.acl)
    if (changed.some(({ userName, after }) => userName === owner && !isWhole(after))) {
      const message = `${owner} owns ${path}, so its item there keeps all permissions: change the owner first`
      throw new HyperslabError('acl-of-owner', message, { subject: path })
    }
    return { acl: list.acl, changed }
  }
}

/** The items that differ. */
function changesBetween(before: Acl, after: Acl): readonly ChangedItem[] {
  const old = new Map(before.map(item => [item.userName, item]))
  const fresh = new Map(after.map(item => [item.userName, item]))
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap(userName => {
    const [one, other] = [old.get(userName), fresh.get(userName)]
    if (one && other && PERMISSIONS.every(permission => one[permission] === other[permission])) return []
    return [{ userName, ...(one && { before: one }), ...(other && { after: other }) }]
  })
}

function isWhole(item: ChangedItem['after']): boolean {
  return item !== undefined && PERMISSIONS.every(permission => item[permission])
}

async function store(
  { writer, now, signal }: WriteContext,
  planned: readonly PlannedChange[],
): Promise<void> {
  for (const { entry, acl } of planned) {
    if (isTurnOver()) await nextTurn()
    signal.throwIfAborted()
    const { root } = entry
    if (root !== undefined) await writer.setAcl(root, acl)
    await writer.putDomain({ ...entry, lastModified: now, ...(root === undefined && { acl }) })
  }
}
