// Figures about the work of the service, for Prometheus and for `GET /info`. Requests are counted when they end. The
// counts of other parts are read when the figures are requested. Each label has a limited number of values: operations
// are those of the list of routes.

import { hostname } from 'node:os'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { JsonOutput } from '@hyperslab/model/json'
import type { Store } from '@hyperslab/store/store'
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { requireWholeScope } from '../../service/access/scope.ts'
import type { Caller } from '../../service/context.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { FigureList } from './figure-list.ts'
import { LoopDelay, NEVER_MILLISECONDS } from './loop-delay.ts'
import type { Answers, AskProcesses } from './processes.ts'
import { addRequestFigures, type RequestParts } from './request-figures.ts'
import { addServiceFigures, addWorkerFigures, type ServiceParts } from './service-figures.ts'
import { addStoreFigures } from './store-figures.ts'

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
  /** The code of the error that it was answered with; absent: none. */
  readonly code?: string | undefined
}

export interface MetricsParts extends RequestParts, ServiceParts {
  readonly store: Store
}

/** The figures of one process, as they are sent to another one. */
type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The figures of several processes on one store as one text in Prometheus' format. */
function sumMetricValues({ answers, silent, restarts }: Answers<MetricValues>): Promise<string> {
  // The library's types want an array that may be changed, name its elements `object`, and leave the format open.
  const sum = AggregatorRegistry.aggregate([...answers] as unknown as object[]) as Registry
  addWorkerFigures(new FigureList(sum), { answering: answers.length, silent, restarts })
  return sum.metrics()
}

/** Seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** Errors that operators want an alarm for: a counter that is not there before the first one does not grow by it. */
const ALARMING = ['internal', 'storage-failed', 'storage-full', 'records-damaged', 'values-damaged']

/** Counts of the requests of a class of callers. */
interface CallerCounts {
  requests: number
  bytes: number
  seconds: number
}

export class Metrics {
  readonly #parts: MetricsParts
  readonly #figures = new FigureList()
  readonly #durations: Histogram<'operation' | 'dialect' | 'status'>
  readonly #byMethod: Record<string, number> = { GET: 0, PUT: 0, POST: 0, DELETE: 0 }
  readonly #loopDelay: LoopDelay
  readonly #byCallers = new Map<string, CallerCounts>()
  readonly #errors = new Map<string, number>(ALARMING.map(code => [code, 0]))
  #received = 0
  #sent = 0

  constructor(parts: MetricsParts, ask?: AskProcesses) {
    this.#parts = parts
    const { registry } = this.#figures
    const askAll = ask?.('metrics', (): Promise<MetricValues> => registry.getMetricsAsJSON())
    if (!askAll) addWorkerFigures(this.#figures, { answering: 1, silent: 0, restarts: 0 })
    this.text = askAll ? async () => sumMetricValues(await askAll('')) : () => registry.metrics()
    this.#durations = new Histogram({
      name: 'hyperslab_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer; status is the class, or left when the client left',
      labelNames: ['operation', 'dialect', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    })
    addRequestFigures(this.#figures, parts)
    this.#addCounts()
    addStoreFigures(this.#figures, parts.store)
    addServiceFigures(this.#figures, parts)
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MILLISECONDS })
    this.#loopDelay = new LoopDelay(registry, SYSTEM_CLOCK)
  }

  /** The metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE

  /** Adds what `observe` counts. */
  #addCounts(): void {
    const figures = this.#figures
    const byCallers = (count: keyof CallerCounts) => () =>
      [...this.#byCallers].map(([callers, counts]) => [callers, counts[count]] as const)
    figures.counters(
      'hyperslab_caller_requests_total',
      'Requests by callers: administrators, users, anonymous',
      'callers',
      byCallers('requests'),
    )
    figures.counters(
      'hyperslab_caller_bytes_total',
      'Bytes of bodies and answers by callers: administrators, users, anonymous',
      'callers',
      byCallers('bytes'),
    )
    figures.counters(
      'hyperslab_caller_seconds_total',
      'Time of requests by callers: its growth in a second is the number of requests in flight',
      'callers',
      byCallers('seconds'),
    )
    figures.counters(
      'hyperslab_errors_total',
      'Errors that were answered, by code; refused connections are among them',
      'code',
      () => this.#errors,
    )
    figures.counter('hyperslab_received_bytes_total', 'Bytes of bodies of requests', () => this.#received)
    figures.counter('hyperslab_sent_bytes_total', 'Bytes of answers with their heads', () => this.#sent)
  }

  /** Counts an error that a request or a connection was answered with. */
  countError(code: string): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1)
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
    code,
  }: RequestFigures): void {
    const labels = {
      operation,
      dialect,
      status: status === undefined ? 'left' : `${Math.floor(status / 100)}xx`,
    }
    this.#loopDelay.noteRequest()
    this.#durations.observe(labels, milliseconds / 1000)
    this.#countCaller(callers, received + sent, milliseconds / 1000)
    if (code !== undefined) this.countError(code)
    this.#received += received
    this.#sent += sent
    if (this.#byMethod[method] !== undefined) this.#byMethod[method]++
  }

  #countCaller(callers: string, bytes: number, seconds: number): void {
    const counts = this.#byCallers.get(callers) ?? { requests: 0, bytes: 0, seconds: 0 }
    counts.requests++
    counts.bytes += bytes
    counts.seconds += seconds
    this.#byCallers.set(callers, counts)
  }

  /** The members of `GET /info` (hsds-objects 6.2). */
  info(): Record<string, JsonOutput> {
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
    const usage = process.resourceUsage()
    const { commits, retries, conflicts, ...cached } = this.#parts.store.figures
    return {
      host: hostname(),
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
}
