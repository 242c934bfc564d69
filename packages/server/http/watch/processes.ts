// Questions that every process which serves the same address answers, such as the workers of one service.

/** The answers of the processes, and the number of those that gave none in time. */
export interface Answers<T> {
  readonly answers: readonly T[]
  readonly silent: number
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
export const ALONE: AskProcesses = (_, own) => async about => ({ answers: [await own(about)], silent: 0 })
