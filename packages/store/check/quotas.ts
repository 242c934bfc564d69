// Quotas: the use of each must be the sum of what is counted of the contents that are charged to it, and contents must
// be charged to the quotas that cover their domains, for these domains.

import type { ObjectId } from '@hyperslab/model/names'
import type { DomainEntry } from '../interfaces/store.ts'
import { decodeCharges, isCovered, nameOfScope, type StoredQuota } from '../quotas/quotas.ts'
import { counterOf } from '../records/counters.ts'
import { domainKey, quotaUseKey, statisticKey } from '../records/keys.ts'
import { domainIn } from './lookups.ts'
import { type CheckParts, decoded } from './parts.ts'
import type { DomainWalk } from './walks.ts'

interface Sum {
  bytes: number
  objects: number
}

export class QuotaCheck {
  readonly #parts: CheckParts
  readonly #sums = new Map<string, Sum>()
  /** Contents whose counts are not known. */
  #hasBroken = false

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  /** Adds contents whose records are all counted. */
  addContents({ root, counts, stored, isBroken }: DomainWalk): void {
    const record = stored.get('charges')
    if (record === undefined) return
    const { later, quotas, report } = this.#parts
    const charges = decoded(this.#parts, { object: root }, () => decodeCharges(record))
    this.#hasBroken ||= isBroken || charges === undefined
    if (charges === undefined) return
    for (const quota of quotas) {
      const names = charges[quota.id] ?? []
      if (names.length === 0) continue
      const sum = this.#sums.get(quota.id) ?? { bytes: 0, objects: 0 }
      this.#sums.set(quota.id, sum)
      sum.bytes += counts.allocatedBytes + counts.metadataBytes
      sum.objects += counts.group + counts.dataset + counts.datatype
      for (const domain of names) {
        later.get(domainKey(domain), entry => {
          const found = entry && domainIn(entry)
          if (found?.root !== root || !isCovered(quota, found))
            report({ kind: 'wrong-charge', object: root, domain })
        })
      }
    }
  }

  /** Compares the sums with the use, after all contents. */
  async end(): Promise<void> {
    const { quotas, reads, report } = this.#parts
    if (this.#hasBroken) return
    for (const quota of quotas) {
      for (const what of ['bytes', 'objects'] as const) {
        const expected = this.#sums.get(quota.id)?.[what] ?? 0
        const found = counterOf(await reads.get(quotaUseKey(quota.id, what)))
        const name = `${what} used of the quota of ${nameOfScope(quota)}`
        if (found !== expected) report({ kind: 'wrong-counter', name, expected, found })
      }
    }
  }
}

/** Reports a domain for which its contents are not charged to a quota that covers it. */
export function checkCharges(
  { later, quotas, report }: CheckParts,
  entry: Pick<DomainEntry, 'path' | 'owner'> & { readonly root: ObjectId },
): void {
  const covering = quotas.filter(quota => quota.isEnforced && isCovered(quota, entry))
  if (covering.length === 0) return
  const { path: domain, root } = entry
  later.get(statisticKey(root, 'charges'), record => {
    if (!covering.every(quota => isCharged(quota, domain, record)))
      report({ kind: 'wrong-charge', object: root, domain })
  })
}

function isCharged({ id }: StoredQuota, domain: string, record: Uint8Array | undefined): boolean {
  try {
    return decodeCharges(record)[id]?.some(name => name === domain) ?? false
  } catch {
    // The record is reported where it is visited.
    return true
  }
}
