// The location of the object of a finding: its domain, and a path of hard links that leads to it. The walk of a check
// knows ids only, so this is looked up afterwards, for many findings at once, in a state of its own.

import { isRoot, type ObjectId, rootOf } from '@hyperslab/model/names'
import type { KeyValue, Snapshot } from '../interfaces/engine.ts'
import { DOMAINS_RANGE } from '../records/keys.ts'
import { listLinksTo } from '../records/links.ts'
import { withSnapshot } from '../records/with-snapshot.ts'
import { describeKind, type Finding, type Severity, severityOf } from './finding.ts'
import { domainIn } from './lookups.ts'

/** A finding as it is shown. */
export interface LocatedFinding extends Finding {
  readonly severity: Severity
  /** The kind in a sentence. */
  readonly description: string
  /** The path of the object in its domain; absent: no link leads to it, or only a path of many links. */
  readonly path?: string
}

/**
 * Findings of a check that are kept until one walk over all domains finds the domains of all.
 * @limit memory, entries
 */
const MAX_KEPT = 1000
/** The most objects that are read on the path to the root group. @limit safety, objects */
const MAX_OBJECTS = 1000

export async function* withDomains(
  keyValue: Pick<KeyValue, 'snapshot'>,
  findings: AsyncIterable<Finding>,
): AsyncGenerator<LocatedFinding> {
  let kept: Finding[] = []
  for await (const finding of findings) {
    kept.push(finding)
    if (kept.length < MAX_KEPT) continue
    yield* await locateFindings(keyValue, kept)
    kept = []
  }
  yield* await locateFindings(keyValue, kept)
}

function locateFindings(
  keyValue: Pick<KeyValue, 'snapshot'>,
  findings: readonly Finding[],
): Promise<readonly LocatedFinding[]> {
  const roots = findings.flatMap(({ object }) => (object === undefined ? [] : [rootOf(object)]))
  return withSnapshot(keyValue, async snapshot => {
    const domains = await domainsOf(snapshot, new Set(roots))
    const located: LocatedFinding[] = []
    for (const finding of findings) {
      const { kind, object } = finding
      const domain = object && domains.get(rootOf(object))
      const shown = { ...finding, severity: severityOf(kind), description: describeKind(kind) }
      if (object === undefined || domain === undefined) located.push(shown)
      else {
        const path = await pathOf(snapshot, object)
        located.push({ ...shown, domain, ...(path !== undefined && { path }) })
      }
    }
    return located
  })
}

/** A domain of each of the root groups that have one. */
async function domainsOf(reads: Snapshot, roots: ReadonlySet<ObjectId>): Promise<Map<ObjectId, string>> {
  const domains = new Map<ObjectId, string>()
  if (roots.size === 0) return domains
  for await (const { value } of reads.range(DOMAINS_RANGE)) {
    const domain = domainIn(value)
    if (domain?.root !== undefined && roots.has(domain.root)) domains.set(domain.root, domain.path)
  }
  return domains
}

/** The shortest path from the root group. */
async function pathOf(reads: Snapshot, object: ObjectId): Promise<string | undefined> {
  const waiting = [{ id: object, path: '' }]
  const seen = new Set([object])
  for (const { id, path } of waiting) {
    if (isRoot(id)) return path || '/'
    if (seen.size > MAX_OBJECTS) return undefined
    try {
      for await (const { group, title } of listLinksTo(reads, id)) {
        if (seen.has(group)) continue
        seen.add(group)
        waiting.push({ id: group, path: `/${title}${path}` })
      }
    } catch {
      // The record of a link is damaged, which has a finding of its own.
    }
  }
  return undefined
}
