// Figures about the work of the service, for Prometheus and for `GET /info`. Requests are counted when they end. The
// counts of other parts are read when the figures are requested. Each label has a limited number of values: operations
// are those of the list of routes.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { JsonOutput } from '@hyperslab/model/json'
import type { Store } from '@hyperslab/store/store'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { requireWholeScope } from '../../service/access/scope.ts'
import type { Caller } from '../../service/context.ts'
import type { PasswordChecks } from '../auth/password-checks.ts'
import type { Admission } from '../connection/admission.ts'
import type { CallerBudgets } from '../connection/caller-budgets.ts'
import type { Connections } from '../connection/connections.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { AuditLog } from './audit-log.ts'
import { LoopDelay, NEVER_MILLISECONDS } from './loop-delay.ts'
import type { AskProcesses } from './processes.ts'
import type { UnwellMount } from './readiness.ts'

/** The callers that may read figures about the process. */
export type Audience = 'off' | 'admin' | 'public'

/** A token that is good for a part of the domains shows no figures. */
export function seesFigures({ admin, scope }: Caller, audience: Audience = 'off'): boolean {
  return audience === 'public' || (audience === 'admin' && admin && scope?.within === undefined)
}

/** Throws unless the caller may see the figures; `subject` names them, and `message` the callers that may see them. */
export function requireFigures(
  caller: Caller,
  audience: Audience | undefined,
  { subject, message }: { readonly subject: string; readonly message: string },
): void {
  if (seesFigures(caller, audience)) return
  requireWholeScope(caller, subject)
  throw new HyperslabError(caller.name === undefined ? 'credentials-required' : 'permission-denied', message)
}

/** A request that has ended. */
export interface RequestFigures {
  readonly method: string
  /** The operation; undefined: the request has no route. */
  readonly operation: string | undefined
  readonly dialect: Dialect['name']
  /** `administrators`, `users`, or `anonymous`: without a login, or before it is known. */
  readonly callers: string
  /** The status; undefined: the client left before the end of the answer. */
  readonly status: number | undefined
  readonly milliseconds: number
  /** Bytes of its body, and all bytes that were sent. */
  readonly received: number
  readonly sent: number
}

export interface MetricsParts {
  readonly store: Store
  readonly admission: Admission
  readonly connections: Connections
  readonly passwords: Pick<PasswordChecks, 'failed' | 'waiting'>
  readonly callerBudgets: Pick<CallerBudgets, 'refused'>
  readonly audit?: Pick<AuditLog, 'written' | 'failed'>
  readonly unwellMounts: () => readonly UnwellMount[]
}

/** The figures of one process, as they are sent to another one. */
type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The figures of several processes on one store as one text in Prometheus' format. */
function sumMetricValues(processes: readonly MetricValues[]): Promise<string> {
  // The library's types want an array that may be changed, and name its elements `object`.
  return AggregatorRegistry.aggregate([...processes] as unknown as object[]).metrics()
}

/** Seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

export class Metrics {
  readonly #parts: MetricsParts
  readonly #registry = new Registry()
  readonly #durations: Histogram<'operation' | 'dialect' | 'status'>
  readonly #byMethod: Record<string, number> = { GET: 0, PUT: 0, POST: 0, DELETE: 0 }
  readonly #loopDelay: LoopDelay
  readonly #requestsByCallers: Counter<'callers'>
  readonly #bytesByCallers: Counter<'callers'>
  #received = 0
  #sent = 0

  constructor(parts: MetricsParts, ask?: AskProcesses) {
    this.#parts = parts
    const askAll = ask?.('metrics', (): Promise<MetricValues> => this.#registry.getMetricsAsJSON())
    this.text = askAll
      ? async () => sumMetricValues((await askAll('')).answers)
      : () => this.#registry.metrics()
    this.#durations = new Histogram({
      name: 'hyperslab_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer; status is the class, or left when the client left',
      labelNames: ['operation', 'dialect', 'status'],
      buckets: BUCKETS,
      registers: [this.#registry],
    })
    const byCallers = { labelNames: ['callers' as const], registers: [this.#registry] }
    this.#requestsByCallers = new Counter({
      ...byCallers,
      name: 'hyperslab_caller_requests_total',
      help: 'Requests by callers: administrators, users, anonymous',
    })
    this.#bytesByCallers = new Counter({
      ...byCallers,
      name: 'hyperslab_caller_bytes_total',
      help: 'Bytes of bodies and answers by callers: administrators, users, anonymous',
    })
    this.#addRequestFigures(parts)
    this.#addStoreFigures(parts)
    this.#addMountFigures(parts)
    this.#addAuditFigures(parts)
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: NEVER_MILLISECONDS })
    this.#loopDelay = new LoopDelay(this.#registry, SYSTEM_CLOCK)
  }

  /** The metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE

  #addRequestFigures({ admission, connections, passwords, callerBudgets }: MetricsParts): void {
    this.#gauge(
      'hyperslab_requests_in_flight',
      'Requests that have begun and are not answered',
      () => connections.inFlight,
    )
    this.#gauge(
      'hyperslab_requests_queued',
      'Requests that came behind another one of their connection, which is not answered',
      () => connections.queued,
    )
    this.#gauge('hyperslab_connections', 'Open connections of clients', () => connections.open)
    this.#counter(
      'hyperslab_idle_connections_closed_total',
      'Idle connections closed in favour of new ones because of max_connections',
      () => connections.idleClosed,
    )
    this.#counter(
      'hyperslab_connections_refused_total',
      'New connections rejected because max_connections were busy',
      () => connections.rejected,
    )
    this.#counter(
      'hyperslab_slow_clients_total',
      'Clients cut off because they sent or took too little while the service waited for them',
      () => connections.cutOff,
    )
    this.#gauge(
      'hyperslab_requests_waiting',
      'Requests that queue for a slot or for memory',
      () => admission.waiting,
    )
    this.#gauge('hyperslab_requests_working', 'Requests that have a slot', () => admission.working)
    this.#gauge(
      'hyperslab_request_memory_bytes',
      'Bytes of max_request_memory that large bodies and streamed answers use',
      () => admission.bytes.used,
    )
    this.#counter(
      'hyperslab_requests_refused_total',
      'Requests rejected as too-busy',
      () => admission.rejected,
    )
    this.#counter(
      'hyperslab_budget_refused_total',
      'Requests rejected as budget-exceeded',
      () => callerBudgets.refused,
    )
    this.#counter('hyperslab_failed_logins_total', 'Passwords that were wrong', () => passwords.failed)
    this.#gauge(
      'hyperslab_password_checks_waiting',
      'Passwords that queue to be checked',
      () => passwords.waiting,
    )
    this.#counter('hyperslab_received_bytes_total', 'Bytes of bodies of requests', () => this.#received)
    this.#counter('hyperslab_sent_bytes_total', 'Bytes of answers with their heads', () => this.#sent)
  }

  #addStoreFigures({ store }: MetricsParts): void {
    this.#counter('hyperslab_store_commits_total', 'Writes that were committed', () => store.figures.commits)
    this.#counter(
      'hyperslab_store_retries_total',
      'Writes run again because another commit got in between',
      () => store.figures.retries,
    )
    this.#counter(
      'hyperslab_store_conflicts_total',
      'Writes that gave up because other commits got in between',
      () => store.figures.conflicts,
    )
    this.#counter(
      'hyperslab_store_decoded_chunks_total',
      'Chunks of values whose filters were undone',
      () => store.figures.decodedChunks,
    )
    this.#gauge('hyperslab_store_transactions', 'Reads and writes that are open', () => store.figures.open)
    this.#gauge(
      'hyperslab_store_oldest_snapshot_seconds',
      'For how long the oldest read or write has seen the same state',
      () => store.figures.oldestSeconds,
      'max',
    )
    this.#counter(
      'hyperslab_store_snapshots_too_old_total',
      'Reads ended because they took longer than max_snapshot_age',
      () => store.figures.tooOld,
    )
    this.#counter(
      'hyperslab_store_locked_total',
      'Writes rejected because another process did not release the write lock',
      () => store.figures.locked,
    )
    this.#gauge(
      'hyperslab_store_snapshots',
      'Slots for snapshots that all processes on the data folder use',
      () => store.figures.snapshotSlots.taken,
      'first',
    )
    this.#gauge(
      'hyperslab_store_snapshots_limit',
      'Slots for snapshots of the data folder',
      () => store.figures.snapshotSlots.limit,
      'first',
    )
  }

  #addAuditFigures({ audit }: MetricsParts): void {
    this.#counter('hyperslab_audit_lines_total', 'Lines of the audit written', () => audit?.written ?? 0)
    this.#counter(
      'hyperslab_audit_lost_total',
      'Lines of the audit that could not be written',
      () => audit?.failed ?? 0,
    )
  }

  #addMountFigures({ unwellMounts }: MetricsParts): void {
    new Gauge({
      name: 'hyperslab_mount_overdue_calls',
      help: 'Calls of the file system of a mount that have not ended in time; a mount whose calls have is not listed',
      labelNames: ['mount'],
      registers: [this.#registry],
      collect() {
        this.reset()
        for (const { path, overdue } of unwellMounts()) {
          if (overdue > 0) this.set({ mount: path }, overdue)
        }
      },
    })
    new Gauge({
      name: 'hyperslab_mount_unwell',
      help: '1 for a mount whose file system does not answer, or fails for several files; others are not listed',
      labelNames: ['mount'],
      registers: [this.#registry],
      collect() {
        this.reset()
        for (const { path } of unwellMounts()) this.set({ mount: path }, 1)
      },
    })
  }

  observe({
    method,
    operation = 'none',
    dialect,
    callers,
    status,
    milliseconds,
    received,
    sent,
  }: RequestFigures): void {
    const labels = {
      operation,
      dialect,
      status: status === undefined ? 'left' : `${Math.floor(status / 100)}xx`,
    }
    this.#loopDelay.noteRequest()
    this.#durations.observe(labels, milliseconds / 1000)
    this.#requestsByCallers.inc({ callers })
    this.#bytesByCallers.inc({ callers }, received + sent)
    this.#received += received
    this.#sent += sent
    if (this.#byMethod[method] !== undefined) this.#byMethod[method]++
  }

  /** The members of `GET /info` (hsds-objects 6.2). */
  info(): Record<string, JsonOutput> {
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
    const usage = process.resourceUsage()
    const { commits, retries, conflicts, ...cached } = this.#parts.store.figures
    return {
      req_count: { ...this.#byMethod, num_tasks: this.#parts.connections.inFlight },
      memory: { rss, heap_total: heapTotal, heap_used: heapUsed, external },
      cpu: { user_seconds: usage.userCPUTime / 1e6, system_seconds: usage.systemCPUTime / 1e6 },
      // The system counts blocks of 512 bytes.
      diskio: { read_bytes: usage.fsRead * 512, write_bytes: usage.fsWrite * 512 },
      netio: { bytes_received: this.#received, bytes_sent: this.#sent },
      meta_cache_stats: { count: cached.cachedRecords },
      chunk_cache_stats: { count: cached.cachedChunks, bytes: cached.cachedChunkBytes },
      store: { commits, retries, conflicts },
    }
  }

  /** Adds a gauge; `aggregator` combines the figures of several processes on one store. */
  #gauge(name: string, help: string, value: () => number, aggregator: 'sum' | 'max' | 'first' = 'sum'): void {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [this.#registry],
      collect() {
        this.set(value())
      },
    })
  }

  #counter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  }
}
