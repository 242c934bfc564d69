// Questions that every process which serves the same address answers, such as the workers of one service.

/** The answers of the processes. */
export interface Answers<T> {
  readonly answers: readonly T[]
  /** Processes that gave no answer in time. */
  readonly silent: number
  /** Processes that have ended and were started again. */
  readonly restarts: number
}

/**
 * Takes the name of a question and the function that answers it in this process; returns one that asks all processes.
 * A question has a string that it is about, and answers are JSON.
 */
export type AskProcesses = <T>(
  question: string,
  own: (about: string) => T | Promise<T>,
) => (about: string) => Promise<Answers<T>>

/** No other process serves the same address. */
export const ALONE: AskProcesses = (_, own) => async about => ({
  answers: [await own(about)],
  silent: 0,
  restarts: 0,
})
