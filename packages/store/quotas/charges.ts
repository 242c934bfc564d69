// The charges of a commit: each change of a counter of charged contents (quotas.ts) is made to the use of their
// quotas as well, also where it follows from a value at the commit. Contents that a commit charges, or no longer
// charges, add or subtract all that is counted of them. The use of each quota is bounded in the same commit.

import type { HyperslabError } from '@hyperslab/base/errors'
import type { Changes } from '../changes.ts'
import type { Change, Follow, KeyValue } from '../interfaces/engine.ts'
import { hexOf, keyTextOf } from '../key-range.ts'
import { counterOf } from '../records/counters.ts'
import { quotaUseKey, statisticKeyNear, statisticOf } from '../records/keys.ts'
import { withSnapshot } from '../records/with-snapshot.ts'
import { type Charges, decodeCharges, listQuotas, quotaExceeded, type StoredQuota } from './quotas.ts'

/** The counter of a quota to which each statistic of contents is added. */
const COUNTED_AS = {
  allocatedBytes: 'bytes',
  metadataBytes: 'bytes',
  group: 'objects',
  dataset: 'objects',
  datatype: 'objects',
} as const
type ChargedStatistic = keyof typeof COUNTED_AS
const WHATS = ['bytes', 'objects'] as const
const CHARGED = Object.keys(COUNTED_AS) as ChargedStatistic[]

/** The ids of the quotas of contents before and after a commit. */
interface ContentsCharges {
  /** The key of the charges. */
  readonly key: Uint8Array
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The same changes with those of the use of quotas; the same list if there are no quotas. */
export async function withCharges(
  reads: Pick<Changes, 'get' | 'stored'>,
  changes: Change[],
): Promise<Change[]> {
  const quotas = await listQuotas(reads)
  if (quotas.length === 0 || changes.length === 0) return changes
  const charged = await findCharges(reads, changes, quotas)
  if (charged.size === 0) return changes
  const charges = [...charged.values()]
  return [
    ...charges.flatMap(contents => [
      ...chargeAll(contents, contents.after, contents.before, 1),
      ...chargeAll(contents, contents.before, contents.after, -1),
    ]),
    ...withUse(changes, charged),
    ...boundsOf(quotas, charges),
  ]
}

/** The error that a caller gets in the place of that of a bound, whose subject is the key of the use of a quota. */
export function explainExceeded(
  keyValue: Pick<KeyValue, 'snapshot'>,
  error: HyperslabError,
): Promise<HyperslabError> {
  return withSnapshot(keyValue, async snapshot => {
    for (const quota of await listQuotas(snapshot)) {
      for (const what of WHATS) {
        const key = quotaUseKey(quota.id, what)
        if (hexOf(key) !== error.subject) continue
        return quotaExceeded(quota, what, counterOf(await snapshot.get(key)), error)
      }
    }
    return error
  })
}

/** The charges of all contents of which the changes change something that is counted, by the keys of the charges. */
async function findCharges(
  reads: Pick<Changes, 'get' | 'stored'>,
  changes: readonly Change[],
  quotas: readonly StoredQuota[],
): Promise<ReadonlyMap<string, ContentsCharges>> {
  const keys = new Map<string, Uint8Array>()
  for (const change of changes) {
    if (change.op !== 'add' && change.op !== 'follow' && change.op !== 'deleteRange' && !isOfCharges(change))
      continue
    const key = statisticKeyNear(change.op === 'deleteRange' ? change.start : change.key, 'charges')
    if (key) keys.set(keyTextOf(key), key)
  }
  const found = new Map<string, ContentsCharges>()
  const idsOf = (charges: Charges) => quotas.flatMap(({ id }) => (Object.hasOwn(charges, id) ? [id] : []))
  for (const [text, key] of keys) {
    const after = idsOf(decodeCharges(await reads.get(key)))
    const before = idsOf(decodeCharges(await reads.stored.get(key)))
    if (before.length + after.length > 0) found.set(text, { key, before, after })
  }
  return found
}

function isOfCharges(change: Change): boolean {
  return 'key' in change && statisticOf(change.key) === 'charges'
}

/** Adds all that is counted of contents to the quotas that are not among `others`. */
function chargeAll(
  { key }: ContentsCharges,
  ids: readonly string[],
  others: readonly string[],
  sign: 1 | -1,
): readonly Change[] {
  const changed = ids.filter(id => !others.includes(id))
  if (changed.length === 0) return []
  return CHARGED.flatMap((statistic): readonly Change[] => {
    const counter = statisticKeyNear(key, statistic)
    const use = (id: string) => quotaUseKey(id, COUNTED_AS[statistic])
    const changes: Follow = value =>
      changed.map(id => ({ op: 'add', key: use(id), delta: sign * counterOf(value) }))
    return counter ? [{ op: 'follow', key: counter, changes }] : []
  })
}

/** The changes, with each change of what is counted of charged contents made to the use of their quotas too. */
function withUse(
  changes: readonly Change[],
  charged: ReadonlyMap<string, ContentsCharges>,
): readonly Change[] {
  return changes.flatMap((change): readonly Change[] => {
    if (change.op === 'follow') return [{ ...change, changes: chargedFollow(change.changes, charged) }]
    const statistic = 'key' in change ? statisticOf(change.key) : undefined
    if (change.op !== 'add' || statistic === undefined || !isCharged(statistic)) return [change]
    const key = statisticKeyNear(change.key, 'charges')
    const ids = key ? (charged.get(keyTextOf(key))?.after ?? []) : []
    const use = ids.map(id => ({ ...change, key: quotaUseKey(id, COUNTED_AS[statistic]) }))
    return [change, ...use]
  })
}

function chargedFollow(follow: Follow, charged: ReadonlyMap<string, ContentsCharges>): Follow {
  return value => withUse(follow(value), charged)
}

function isCharged(statistic: string): statistic is ChargedStatistic {
  return Object.hasOwn(COUNTED_AS, statistic)
}

/** The bounds of the quotas that the contents are charged to. */
function boundsOf(quotas: readonly StoredQuota[], charges: readonly ContentsCharges[]): readonly Change[] {
  const charged = new Set(charges.flatMap(({ after }) => after))
  return quotas.flatMap(quota => {
    if (!quota.isEnforced || !charged.has(quota.id)) return []
    return WHATS.flatMap(what => {
      const most = quota[what]
      return most === undefined ? [] : [{ op: 'bound' as const, key: quotaUseKey(quota.id, what), most }]
    })
  })
}
