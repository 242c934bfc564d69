// Figures about requests, connections and logins of the process.

import type { PasswordChecks } from '../auth/password-checks.ts'
import type { Admission } from '../connection/admission.ts'
import type { CallerBudgets } from '../connection/caller-budgets.ts'
import type { Connections } from '../connection/connections.ts'
import type { FigureList } from './figure-list.ts'

export interface RequestParts {
  readonly admission: Admission
  readonly connections: Connections
  readonly passwords: Pick<PasswordChecks, 'failed' | 'waiting'>
  readonly callerBudgets: Pick<CallerBudgets, 'refused'>
}

export function addRequestFigures(figures: FigureList, parts: RequestParts): void {
  const { admission, connections, passwords, callerBudgets } = parts
  figures.gauge(
    'hyperslab_requests_in_flight',
    'Requests that have begun and are not answered',
    () => connections.inFlight,
  )
  figures.gauge(
    'hyperslab_requests_queued',
    'Requests that came behind another one of their connection, which is not answered',
    () => connections.queued,
  )
  figures.gauge('hyperslab_connections', 'Open connections of clients', () => connections.open)
  figures.counter(
    'hyperslab_idle_connections_closed_total',
    'Idle connections closed in favour of new ones because of max_connections',
    () => connections.idleClosed,
  )
  figures.counter(
    'hyperslab_connections_refused_total',
    'New connections rejected because max_connections were busy',
    () => connections.rejected,
  )
  figures.counter(
    'hyperslab_slow_clients_total',
    'Clients cut off because they sent or took too little while the service waited for them',
    () => connections.cutOff,
  )
  figures.gauge(
    'hyperslab_requests_waiting',
    'Requests that queue for a slot or for memory',
    () => admission.waiting,
  )
  figures.gauge('hyperslab_requests_working', 'Requests that have a slot', () => admission.working)
  figures.gauge(
    'hyperslab_request_memory_bytes',
    'Bytes of max_request_memory that large bodies and streamed answers use',
    () => admission.bytes.used,
  )
  figures.counter(
    'hyperslab_requests_refused_total',
    'Requests rejected as too-busy',
    () => admission.rejected,
  )
  figures.counter(
    'hyperslab_budget_refused_total',
    'Requests rejected as budget-exceeded',
    () => callerBudgets.refused,
  )
  figures.counter('hyperslab_failed_logins_total', 'Passwords that were wrong', () => passwords.failed)
  figures.gauge(
    'hyperslab_password_checks_waiting',
    'Passwords that queue to be checked',
    () => passwords.waiting,
  )
}
