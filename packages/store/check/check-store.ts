// Checks all that a store holds: every record is decoded and compared with the records that it names and with those
// that name it, every counter with a count of the records, every blob with its record. It reads one state, writes
// nothing, and may run beside processes that write: while the state is read, the sweepers of all of them keep the blobs
// that it names.
//
// Memory is bounded, whatever the store holds. The records are walked in the order of their keys, in which the records
// of a domain, and those of an object, are together. Other records that a record names are looked up, many at once.
// Three questions go against the order of the keys: how many domains have a root group, which attribute has a large
// value, and which blobs are noted as garbage. For these, up to 100,000 questions are kept, and one walk over the
// records answers all of them.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { ChunkFilters } from '../chunks/chunk-filters.ts'
import type { FilterRunner } from '../chunks/filter-runner.ts'
import type { Blobs, Entry, KeyValue } from '../interfaces/engine.ts'
import { EVERYTHING, timeOf } from '../key-range.ts'
import { decodeQuotas, listQuotas } from '../quotas/quotas.ts'
import { decodeMembers, decodeUser } from '../records/accounts.ts'
import { ACCOUNTS_KEY, parseKey } from '../records/keys.ts'
import { decodeLogin } from '../records/logins.ts'
import { decodeMountSecret } from '../records/mount-secret.ts'
import { decodeRecord } from '../records/record.ts'
import { checkBlobs, checkGarbage } from './blobs.ts'
import { ContentsCheck } from './contents.ts'
import { checkDomain } from './domains.ts'
import { type Finding, severityOf, type Totals } from './finding.ts'
import { checkFolderPart } from './folders.ts'
import { Later } from './later.ts'
import { type LocatedFinding, withDomains } from './locate-findings.ts'
import { type CheckParts, decoded } from './parts.ts'

/** The part of an engine that a check needs. */
interface CheckedEngine {
  readonly keyValue: Pick<KeyValue, 'snapshot'>
  readonly blobs: Pick<Blobs, 'read' | 'readCompared' | 'size' | 'hasChecksums' | 'list'>
}

export interface CheckOptions {
  /** The runner of the filters through which all values are read. Absent: only the lengths of values are checked. */
  readonly filterRunner?: FilterRunner
}

export interface StoreCheck {
  /** The findings, which can be iterated once. */
  readonly findings: AsyncIterable<Finding>
  /** The same findings, with the domains and the paths of their objects. */
  located(): AsyncIterable<LocatedFinding>
  /** The totals so far, which grow while the findings are iterated. */
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
  const findings = counted(walk(engine, options, totals), totals)
  return { findings, located: () => withDomains(engine.keyValue, findings), totals }
}

async function* counted(findings: AsyncIterable<Finding>, totals: Totals): AsyncGenerator<Finding> {
  for await (const finding of findings) {
    if (severityOf(finding.kind) === 'error') totals.errors++
    yield finding
  }
}

/** Decoded chunks are not kept: each is read once. */
const KEPT_CHUNK_BYTES = 0

async function* walk(
  engine: CheckedEngine,
  { filterRunner }: CheckOptions,
  totals: Totals,
): AsyncGenerator<Finding> {
  const { keyValue, blobs } = engine
  const snapshot = keyValue.snapshot()
  let batch: Finding[] = []
  const takeFound = (): Finding[] => {
    const findings = batch
    batch = []
    return findings
  }
  const parts: CheckParts = {
    reads: snapshot,
    // A damaged record is reported where it is visited.
    quotas: await listQuotas(snapshot).catch(() => []),
    blobs,
    later: new Later(snapshot),
    totals,
    filters: filterRunner && new ChunkFilters(filterRunner, KEPT_CHUNK_BYTES),
    report: finding => void batch.push(finding),
  }
  const contents = new ContentsCheck(parts)
  try {
    for await (const piece of inPieces(snapshot.range(EVERYTHING))) {
      await contents.prepare(piece.flatMap(({ key }) => parseKey(key) ?? []))
      for (const entry of piece) {
        totals.records++
        totals.recordBytes += entry.key.length + entry.value.length
        await visit(parts, contents, entry)
        if (parts.later.isFull) await parts.later.flush()
        if (batch.length > 0) yield* takeFound()
        if (isTurnOver()) await nextTurn()
      }
    }
    await contents.end()
    yield* takeFound()
    yield* checkBlobs(parts, () => keyValue.snapshot())
  } finally {
    snapshot.close()
  }
}

/** Entries, and bytes of their values, after which a piece ends. */
const PIECE_ENTRIES = 256
const PIECE_BYTES = 2 ** 20

async function* inPieces(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> {
  let piece: Entry[] = []
  let bytes = 0
  for await (const entry of entries) {
    piece.push(entry)
    bytes += entry.value.length
    if (piece.length < PIECE_ENTRIES && bytes < PIECE_BYTES) continue
    yield piece
    piece = []
    bytes = 0
  }
  if (piece.length > 0) yield piece
}

/** The decoders of records that are decoded and nothing more. */
const DECODERS = { login: decodeLogin, quotas: decodeQuotas, mountSecret: decodeMountSecret }

async function visit(parts: CheckParts, contents: ContentsCheck, entry: Entry): Promise<void> {
  const { key, value } = entry
  const parsed = parseKey(key)
  if (parsed === undefined) return parts.report({ kind: 'unknown-key', key })
  switch (parsed.type) {
    case 'index':
    case 'part':
    case 'tombstone':
    case 'statistic':
      return contents.visit(parsed, entry)
    case 'domain':
      checkDomain(parts, entry)
      return
    case 'folder':
      checkFolderPart(parts, parsed.part, entry)
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
    case 'login':
    case 'quotas':
    case 'mountSecret':
      decoded(parts, { key }, () => DECODERS[parsed.type](value))
      return
    case 'domainTombstone':
    case 'event':
    case 'followed':
    case 'allFollowed':
    case 'joined':
    case 'accounts':
    case 'foldersNoted':
    case 'identity':
    case 'longWrite':
      decoded(parts, { key }, () => decodeRecord(value))
      return
    case 'quotaUse':
      // Compared with its sum at the end (quotas.ts).
      return
    case 'bin':
    case 'eventsRemoved':
    case 'probe':
      decoded(parts, { key }, () => timeOf(value))
      return
  }
}
