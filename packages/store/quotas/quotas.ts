// Quotas: limits on what is stored below a folder, or belongs to an owner. One record lists them. Contents that a quota
// covers have a record of their charges: the quotas, each with the names of the contents that it covers. Each quota has
// two counters of its use; every commit that changes what is counted of charged contents adds the same to them
// (charges.ts), so they are exact, and writes do not conflict because of them.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isWithin, type ObjectId } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { NewQuota, Quota, QuotaScope } from '../interfaces/quotas.ts'
import type { DomainEntry } from '../interfaces/store.ts'
import { hexOf, successor } from '../key-range.ts'
import { counterOf } from '../records/counters.ts'
import { DOMAINS_RANGE, QUOTAS_KEY, quotaUseKey, statisticKey } from '../records/keys.ts'
import { decodeRecord, encodeRecord } from '../records/record.ts'

/** A quota as it is stored. */
export type StoredQuota = NewQuota & {
  /** 16 hexadecimal digits, new for each quota. */
  readonly id: string
  /** False: the contents that were there before the quota are not all charged yet. */
  readonly isEnforced: boolean
}

/** The names of contents that each quota covers, by the id of the quota. */
export type Charges = Readonly<Record<string, readonly DomainPath[]>>

const ID_BYTES = 8
const NO_CHARGES: Charges = {}

export async function listQuotas(reads: Pick<Reads, 'get'>): Promise<readonly StoredQuota[]> {
  const record = await reads.get(QUOTAS_KEY)
  return record ? decodeQuotas(record) : []
}

export function decodeQuotas(record: Uint8Array): readonly StoredQuota[] {
  return decodeRecord<{ readonly quotas: readonly StoredQuota[] }>(record).quotas
}

export function decodeCharges(record: Uint8Array | undefined): Charges {
  return record ? decodeRecord<Charges>(record) : NO_CHARGES
}

/** All quotas with their use. */
export async function getQuotas(reads: Reads): Promise<readonly Quota[]> {
  const quotas = await listQuotas(reads)
  const uses = await reads.getMany(
    quotas.flatMap(({ id }) => [quotaUseKey(id, 'bytes'), quotaUseKey(id, 'objects')]),
  )
  return quotas.map(({ id: _, ...quota }, i) => ({
    ...quota,
    used: { bytes: counterOf(uses[2 * i]), objects: counterOf(uses[2 * i + 1]) },
  }))
}

/** Whether the quota covers a domain. */
export function isCovered(quota: QuotaScope, { path, owner }: Pick<DomainEntry, 'path' | 'owner'>): boolean {
  return 'folder' in quota ? isWithin(quota.folder, path) : quota.owner === owner
}

export function isSameScope(one: QuotaScope, other: QuotaScope): boolean {
  return 'folder' in one
    ? 'folder' in other && one.folder === other.folder
    : 'owner' in other && one.owner === other.owner
}

/** Puts a quota in the place of one of the same scope. A new one is not enforced before `enforceQuota`. */
export async function putQuota(changes: Changes, quota: NewQuota): Promise<string> {
  const quotas = await listQuotas(changes)
  const before = quotas.find(other => isSameScope(other, quota))
  const { id, isEnforced } = before ?? { id: hexOf(changes.random(ID_BYTES)), isEnforced: false }
  setQuotas(changes, [...quotas.filter(other => other !== before), { ...quota, id, isEnforced }])
  return id
}

/** False: there is no quota of the scope. */
export async function deleteQuota(changes: Changes, scope: QuotaScope): Promise<boolean> {
  const quotas = await listQuotas(changes)
  const quota = quotas.find(other => isSameScope(other, scope))
  if (quota === undefined) return false
  setQuotas(
    changes,
    quotas.filter(other => other !== quota),
  )
  for (const what of ['bytes', 'objects'] as const) changes.delete(quotaUseKey(quota.id, what))
  return true
}

/** Notes that all contents that a quota covers are charged to it. False: the quota is gone. */
export async function enforceQuota(changes: Changes, id: string): Promise<boolean> {
  const quotas = await listQuotas(changes)
  setQuotas(
    changes,
    quotas.map(quota => (quota.id === id ? { ...quota, isEnforced: true } : quota)),
  )
  return quotas.some(quota => quota.id === id)
}

function setQuotas(changes: Changes, quotas: readonly StoredQuota[]): void {
  if (quotas.length === 0) changes.delete(QUOTAS_KEY)
  else changes.set(QUOTAS_KEY, encodeRecord({ quotas }))
}

export function nameOfScope(quota: QuotaScope): string {
  return 'folder' in quota ? `the folder ${quota.folder}` : `the owner "${quota.owner}"`
}

/** The error of a write for which a quota has no room. */
export function quotaExceeded(
  quota: NewQuota,
  what: 'bytes' | 'objects',
  used: number,
  cause?: unknown,
): HyperslabError {
  const subject = 'folder' in quota ? quota.folder : quota.owner
  const message =
    `the quota of ${nameOfScope(quota)} is ${quota[what]} ${what}, of which ${used} are used: the write needs more ` +
    'than is left, and nothing was changed'
  return new HyperslabError('quota-exceeded', message, { subject, cause })
}

/** Domains that one call of `chargeDomains` looks at. @limit safety, domains */
const DOMAINS_AT_ONCE = 1000

/**
 * Charges the contents of some domains to the quotas that cover them. Returns where to go on; undefined: all domains
 * that were there at the first call are charged.
 */
export async function chargeDomains(
  changes: Changes,
  after: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  const quotas = await listQuotas(changes)
  const start = after ? successor(after) : DOMAINS_RANGE.start
  let [count, last] = [0, after]
  // Domains that others make meanwhile are charged when they are made, so the range itself is not expected to stay.
  const { stored } = changes
  for await (const { key, value } of stored.range({ ...DOMAINS_RANGE, start, limit: DOMAINS_AT_ONCE })) {
    count++
    last = key
    const { root, ...entry } = decodeRecord<DomainEntry>(value)
    if (root === undefined || !quotas.some(quota => isCovered(quota, entry))) continue
    const record = await changes.get(key)
    if (record) await charge(changes, quotas, decodeRecord<DomainEntry>(record))
  }
  return count < DOMAINS_AT_ONCE ? undefined : last
}

/** Charges contents for a domain that they get, have in another way, or lose. */
export async function recharge(
  changes: Changes,
  before: DomainEntry | undefined,
  after: DomainEntry | undefined,
): Promise<void> {
  if (before?.root === after?.root && before?.owner === after?.owner) return
  const quotas = await listQuotas(changes)
  if (quotas.length === 0) return
  if (before) await discharge(changes, before)
  if (after) await charge(changes, quotas, after)
}

async function charge(changes: Changes, quotas: readonly StoredQuota[], entry: DomainEntry): Promise<void> {
  const { path, root } = entry
  const covering = quotas.filter(quota => isCovered(quota, entry))
  if (root === undefined || covering.length === 0) return
  const charges: Record<string, readonly DomainPath[]> = { ...(await getCharges(changes, root)) }
  for (const { id } of covering) {
    const names = charges[id] ?? []
    if (!names.includes(path)) charges[id] = [...names, path]
  }
  setCharges(changes, root, charges)
}

async function discharge(changes: Changes, { path, root }: DomainEntry): Promise<void> {
  if (root === undefined) return
  const charges = Object.entries(await getCharges(changes, root))
  const left = charges.map(([id, names]) => [id, names.filter(name => name !== path)] as const)
  setCharges(changes, root, Object.fromEntries(left.filter(([, names]) => names.length > 0)))
}

async function getCharges(reads: Reads, root: ObjectId): Promise<Charges> {
  return decodeCharges(await reads.get(statisticKey(root, 'charges')))
}

function setCharges(changes: Changes, root: ObjectId, charges: Charges): void {
  const key = statisticKey(root, 'charges')
  if (Object.keys(charges).length === 0) changes.delete(key)
  else changes.set(key, encodeRecord(charges))
}
