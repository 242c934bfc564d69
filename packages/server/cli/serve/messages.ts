// Messages between the supervisor and its workers.

import type { MetricValues } from '../../http/watch/metrics.ts'

export type ToWorker =
  /** End in order. */
  | { readonly to: 'end'; readonly signal: string }
  /** Open the file of the audit again. */
  | { readonly to: 'reopen' }
  /** Send the figures of this worker. */
  | { readonly to: 'collect'; readonly id: number }
  /** The figures of all workers, which this one has requested. */
  | { readonly to: 'summed'; readonly id: number; readonly text: string }

export type ToSupervisor =
  /** The worker answers requests. */
  | { readonly from: 'serving'; readonly greeting: string }
  | { readonly from: 'sum'; readonly id: number }
  | { readonly from: 'collected'; readonly id: number; readonly values: MetricValues }

/** The variable for the slot of a worker, a number from 0 on, which its successor has too. */
export const SLOT_VARIABLE = 'NODE_WORKER_SLOT'
