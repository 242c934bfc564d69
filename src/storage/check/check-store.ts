// Checks all that a store holds: every record is decoded and compared with those that it names and those that name it,
// every counter with what it counts, every blob with its record. It reads one state, writes nothing, and may run beside
// processes that write: while the state is read, the sweepers of all of them keep the blobs that it names.
//
// Memory is bounded, whatever the store holds. The records are walked in the order of their keys, which has all of a
// domain and all of an object together; what a record says of another one is looked up, many at once. Three questions
// go against the order of the keys: how many domains have a root group, which attribute has a large value, and which
// blobs are noted as garbage. There up to 100,000 that ask are kept, and one walk over the records that know answers
// all.

import { isTurnOver, nextTurn } from '../../bounded/turns.ts'
import { ChunkFilters } from '../../chunks/chunk-filters.ts'
import type { FilterRunner } from '../../chunks/filter-runner.ts'
import type { Blobs, Entry, KeyValue } from '../engine.ts'
import { EVERYTHING } from '../key-range.ts'
import { decodeMembers, decodeUser } from '../records/accounts.ts'
import { ACCOUNTS_KEY, parseKey, timeOf } from '../records/keys.ts'
import { decodeMountSecret } from '../records/mount-secret.ts'
import { decodeRecord } from '../records/record.ts'
import { checkBlobs, checkGarbage } from './blobs.ts'
import { ContentsCheck } from './contents.ts'
import { checkDomain } from './domains.ts'
import { type Finding, severityOf, type Totals } from './finding.ts'
import { Later } from './later.ts'
import { type CheckParts, decoded } from './parts.ts'

/** What of an engine a check needs. */
interface CheckedEngine {
  readonly keyValue: Pick<KeyValue, 'snapshot'>
  readonly blobs: Pick<Blobs, 'read' | 'readCompared' | 'size' | 'hasChecksums' | 'list'>
}

export interface CheckOptions {
  /** All values are read, through filters that run here. Absent: only their lengths are looked at. */
  readonly filterRunner?: FilterRunner
}

export interface StoreCheck {
  /** To be iterated once. */
  readonly findings: AsyncIterable<Finding>
  /** Goes on while the findings are iterated. */
  readonly totals: Readonly<Totals>
}

export function checkStore(engine: CheckedEngine, options: CheckOptions = {}): StoreCheck {
  const totals: Totals = {
    domains: 0,
    objects: 0,
    records: 0,
    recordBytes: 0,
    blobs: 0,
    blobBytes: 0,
    uncomparedBlobs: 0,
    errors: 0,
  }
  return { findings: counted(walk(engine, options, totals), totals), totals }
}

async function* counted(findings: AsyncIterable<Finding>, totals: Totals): AsyncGenerator<Finding> {
  for await (const finding of findings) {
    if (severityOf(finding.kind) === 'error') totals.errors++
    yield finding
  }
}

/** Decoded chunks are read once. */
const KEPT_CHUNK_BYTES = 0

async function* walk(
  engine: CheckedEngine,
  { filterRunner }: CheckOptions,
  totals: Totals,
): AsyncGenerator<Finding> {
  const { keyValue, blobs } = engine
  const snapshot = keyValue.snapshot()
  let found: Finding[] = []
  const takeFound = (): Finding[] => {
    const findings = found
    found = []
    return findings
  }
  const parts: CheckParts = {
    reads: snapshot,
    blobs,
    later: new Later(snapshot),
    totals,
    filters: filterRunner && new ChunkFilters(filterRunner, KEPT_CHUNK_BYTES),
    report: finding => void found.push(finding),
  }
  const contents = new ContentsCheck(parts)
  try {
    for await (const entry of snapshot.range(EVERYTHING)) {
      totals.records++
      totals.recordBytes += entry.key.length + entry.value.length
      await visit(parts, contents, entry)
      if (parts.later.isFull) await parts.later.flush()
      if (found.length > 0) yield* takeFound()
      if (isTurnOver()) await nextTurn()
    }
    await contents.end()
    yield* takeFound()
    yield* checkBlobs(parts, () => keyValue.snapshot())
  } finally {
    snapshot.close()
  }
}

async function visit(parts: CheckParts, contents: ContentsCheck, entry: Entry): Promise<void> {
  const { key, value } = entry
  const parsed = parseKey(key)
  if (parsed === undefined) {
    parts.report({ kind: 'unknown-key', key })
    return
  }
  switch (parsed.type) {
    case 'index':
    case 'part':
    case 'tombstone':
    case 'statistic':
      return contents.visit(parsed, entry)
    case 'domain':
      checkDomain(parts, entry)
      return
    case 'garbage':
      checkGarbage(parts, value)
      return
    case 'remains':
      parts.report({ kind: 'being-removed', object: parsed.id })
      return
    case 'unfinished':
      parts.report({ kind: 'unfinished-import', object: parsed.id })
      return
    case 'user':
    case 'userGroup':
      decoded(parts, { key }, () => (parsed.type === 'user' ? decodeUser(value) : decodeMembers(value)))
      parts.later.get(ACCOUNTS_KEY, record => {
        if (record === undefined) parts.report({ kind: 'account-without-revision', key })
      })
      return
    case 'mountSecret':
      decoded(parts, { key }, () => decodeMountSecret(value))
      return
    case 'domainTombstone':
    case 'accounts':
    case 'identity':
    case 'longWrite':
      decoded(parts, { key }, () => decodeRecord(value))
      return
    case 'bin':
    case 'probe':
      decoded(parts, { key }, () => timeOf(value))
      return
  }
}
