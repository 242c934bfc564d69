// Domains and folders: each must have its root group and its folder, and each root group the number of domains in its
// counter.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { isTopLevel, type ObjectId, parentOf } from '@hyperslab/model/names'
import { isSameValue } from '../batch.ts'
import type { Entry } from '../interfaces/engine.ts'
import type { DomainEntry } from '../interfaces/store.ts'
import { DOMAINS_RANGE, domainKey, domainTombstoneKey, objectKey } from '../records/keys.ts'
import { decodeRecord } from '../records/record.ts'
import { checkNoted } from './folders.ts'
import { domainIn } from './lookups.ts'
import { type CheckParts, decoded } from './parts.ts'
import { checkCharges } from './quotas.ts'

export function checkDomain(parts: CheckParts, { key, value }: Entry): void {
  const { later, report, totals } = parts
  const entry = decoded(parts, { key }, () => {
    const { path, root, owner } = decodeRecord<DomainEntry>(value)
    const folder = parentOf(path)
    return {
      path,
      own: domainKey(path),
      ...(root !== undefined && { named: { path, root, ...(owner !== undefined && { owner }) } }),
      // A folder may be in the place of a deleted domain.
      ...(root !== undefined && { tombstone: domainTombstoneKey(path) }),
      ...(root !== undefined && { root: objectKey(root, 'record') }),
      ...(!isTopLevel(folder) && { folder: domainKey(folder) }),
    }
  })
  if (entry === undefined) return
  totals.domains++
  const { path: domain, own, tombstone, root, folder, named } = entry
  if (!isSameValue(own, key)) {
    report({ kind: 'misplaced-record', domain, key })
    return
  }
  if (named) checkCharges(parts, named)
  if (tombstone) {
    later.get(tombstone, record => {
      if (record !== undefined) report({ kind: 'deleted-and-there', domain })
    })
  }
  if (root) {
    checkNoted(parts, domain)
    later.get(root, record => {
      if (record === undefined) report({ kind: 'domain-without-root', domain })
    })
  }
  if (folder) {
    later.get(folder, record => {
      if (record === undefined) report({ kind: 'domain-without-folder', domain })
    })
  }
}

/** The counted number of domains of each root group. */
export interface ExpectedNames {
  readonly names: number
  readonly isUnfinished: boolean
}

/** Compares the counted numbers with the domains, in one walk over them. */
export async function checkNames(
  { reads, report }: CheckParts,
  roots: ReadonlyMap<ObjectId, ExpectedNames>,
): Promise<void> {
  const counts = new Map<ObjectId, number>()
  for await (const { value } of reads.range(DOMAINS_RANGE)) {
    const root = domainIn(value)?.root
    if (root !== undefined && roots.has(root)) counts.set(root, (counts.get(root) ?? 0) + 1)
    if (isTurnOver()) await nextTurn()
  }
  for (const [object, { names, isUnfinished }] of roots) {
    const expected = counts.get(object) ?? 0
    if (names !== expected) report({ kind: 'wrong-counter', object, name: 'names', expected, found: names })
    else if (expected === 0 && !isUnfinished) report({ kind: 'contents-without-domain', object })
  }
}
