// Quotas: administrators limit the bytes and objects below a folder, or those of an owner. A new quota is enforced once
// everything that it covers has been counted; the counting goes in pieces beside other writes, and a request that was
// interrupted can be sent again.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isTopLevel, isWithin } from '@hyperslab/model/names'
import type { NewQuota, Quota, QuotaScope, Reader, Store } from '@hyperslab/store/store'
import type { Caller } from './context.ts'

/** Quotas of a store: each write reads their list. @limit safety, quotas */
const MAX_QUOTAS = 1000

type Writes = Pick<Store, 'write'>

/** The quotas that the caller may know: administrators all of them, others those on what they own. */
export async function listQuotas(reader: Reader, { admin, name, scope }: Caller): Promise<readonly Quota[]> {
  const quotas = await reader.quotas()
  if (admin && scope?.within === undefined) return quotas
  return quotas.filter(quota => 'owner' in quota && quota.owner === name)
}

/** The quotas on a folder and on those above it, from the top. */
export async function quotasAbove(reader: Reader, folder: DomainPath): Promise<readonly Quota[]> {
  const quotas = await reader.quotas()
  return quotas
    .flatMap(quota => ('folder' in quota && isWithin(quota.folder, folder) ? [quota] : []))
    .sort((one, other) => one.folder.length - other.folder.length)
}

/** Sets a quota, and counts what it covers unless that was done. The quota may be below what is used. */
export async function setQuota(store: Writes, quota: NewQuota): Promise<Quota> {
  const { id, isEnforced } = await store.write(async writer => {
    if ('folder' in quota && !isTopLevel(quota.folder)) await requireStoredFolder(writer, quota.folder)
    const quotas = await writer.quotas()
    const before = quotas.find(other => isOf(other, quota))
    if (before === undefined && quotas.length >= MAX_QUOTAS) {
      const message = `there are ${MAX_QUOTAS} quotas, and no more are accepted: remove one that is not needed`
      throw new HyperslabError('malformed-body', message)
    }
    return { id: await writer.putQuota(quota), isEnforced: before?.isEnforced ?? false }
  })
  if (!isEnforced) await chargeAll(store)
  return store.write(async writer => {
    const isThere = await writer.enforceQuota(id)
    const found = (await writer.quotas()).find(other => isOf(other, quota))
    if (isThere && found) return found
    throw quotaNotFound(quota)
  })
}

/** Charges the contents of all domains, in pieces. */
async function chargeAll(store: Writes): Promise<void> {
  let cursor: Uint8Array | undefined
  do {
    const after = cursor
    cursor = await store.write(writer => writer.chargeDomains(after))
  } while (cursor)
}

/** A file that is about to be stored. */
interface NewFile {
  readonly path: DomainPath
  readonly owner: string | undefined
  /** Its bytes; absent: they are not known yet. */
  readonly length: number | undefined
  /** Bytes of the domain that it replaces. */
  readonly replaced: number
}

/** Throws `quota-exceeded` if a quota has no room for a file, before it is sent. */
export async function requireRoom(reader: Reader, { path, owner, length, replaced }: NewFile): Promise<void> {
  for (const quota of await reader.quotas()) {
    const { bytes, used, isEnforced } = quota
    const isCovered = 'folder' in quota ? isWithin(quota.folder, path) : quota.owner === owner
    if (!isEnforced || bytes === undefined || !isCovered) continue
    const room = Math.max(0, bytes - used.bytes) + replaced
    if (room >= Math.max(1, length ?? 0)) continue
    const message = `the quota of ${nameOfScope(quota)} is ${bytes} bytes, of which ${used.bytes} are used: the file has ${length ?? 'more'} bytes`
    throw new HyperslabError('quota-exceeded', message, {
      subject: 'folder' in quota ? quota.folder : quota.owner,
    })
  }
}

export function nameOfScope(scope: QuotaScope): string {
  return 'folder' in scope ? `the folder ${scope.folder}` : `the owner "${scope.owner}"`
}

/** Removes a quota. */
export async function removeQuota(store: Writes, scope: QuotaScope): Promise<void> {
  if (!(await store.write(writer => writer.deleteQuota(scope)))) throw quotaNotFound(scope)
}

async function requireStoredFolder(reader: Reader, folder: DomainPath): Promise<void> {
  const entry = await reader.domain(folder)
  if (!entry)
    throw new HyperslabError('domain-not-found', `there is no folder ${folder}`, { subject: folder })
  if (entry.mounted || entry.root !== undefined) {
    const what = entry.mounted ? 'mounted: what is below it is not stored here' : 'a domain'
    throw new HyperslabError(
      'malformed-body',
      `body.folder must be a folder of the store: ${folder} is ${what}`,
    )
  }
}

function isOf(quota: Quota, scope: QuotaScope): boolean {
  return 'folder' in quota
    ? 'folder' in scope && quota.folder === scope.folder
    : 'owner' in scope && quota.owner === scope.owner
}

function quotaNotFound(scope: QuotaScope): HyperslabError {
  const subject = 'folder' in scope ? scope.folder : scope.owner
  const message = `there is no quota of ${nameOfScope(scope)}: GET /quotas lists them`
  return new HyperslabError('quota-not-found', message, { subject })
}
