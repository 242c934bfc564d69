// The findings of `hyperslab doctor`: one line each.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { UsageError } from '../usage-error.ts'

export interface Finding {
  /** Only what is wrong makes the command fail; a note is something that an operator may want otherwise. */
  readonly state: 'ok' | 'note' | 'wrong'
  readonly subject: string
  /** The state that was found and, unless it is ok, its remedy. */
  readonly text: string
}

export function ok(subject: string, text: string): Finding {
  return { state: 'ok', subject, text }
}

export function note(subject: string, text: string, remedy: string): Finding {
  return { state: 'note', subject, text: `${text}: ${remedy}` }
}

export function wrong(subject: string, text: string, remedy?: string): Finding {
  return { state: 'wrong', subject, text: remedy === undefined ? text : `${text}: ${remedy}` }
}

/** The message of any failure, in one line: the doctor goes on with its next check. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || String(error) : String(error)
  return message.split('\n')[0] ?? ''
}

/** One line of output. */
export function lineOf({ state, subject, text }: Finding): string {
  return `${state.padEnd(5)}  ${subject}: ${text}`
}

/** Rejects if the work has not ended within that time, and no longer waits for it. */
export async function withinTime<T>(seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const late = new UsageError(`no answer within ${seconds} seconds`, 1)
  let cancel = (): void => {}
  const time = new Promise<never>((_, reject) => {
    cancel = SYSTEM_CLOCK.after(1000 * seconds, () => {
      controller.abort(late)
      reject(late)
    })
  })
  try {
    return await Promise.race([work(controller.signal), time])
  } finally {
    cancel()
  }
}
