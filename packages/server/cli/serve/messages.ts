// Messages between the supervisor and its workers.

import type { Answers } from '../../http/watch/processes.ts'

/** A question of a worker to all workers. */
export interface Question {
  readonly question: string
  readonly about: string
}

export type ToWorker =
  /** End in order. */
  | { readonly to: 'end'; readonly signal: string }
  /** Open the file of the audit again. */
  | { readonly to: 'reopen' }
  /** Answer a question. */
  | ({ readonly to: 'answer'; readonly id: number } & Question)
  /** The answers of all workers to a question of this one. */
  | ({ readonly to: 'take'; readonly id: number } & Answers<unknown>)

export type ToSupervisor =
  /** The worker answers requests. */
  | { readonly from: 'serving'; readonly greeting: string }
  | ({ readonly from: 'asking'; readonly id: number } & Question)
  | { readonly from: 'answering'; readonly id: number; readonly answer: unknown }

/** The variable for the slot of a worker, a number from 0 on, which its successor has too. */
export const SLOT_VARIABLE = 'NODE_WORKER_SLOT'
/** The variable for the code of the first account, which all workers have. */
export const CODE_VARIABLE = 'NODE_FIRST_ACCOUNT_CODE'
