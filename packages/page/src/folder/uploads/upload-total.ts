// The order of the uploads in their list, and how far all of them are together.

import type { Upload } from './upload.ts'

export interface Total {
  /** Bytes of the files that are sent, or will be. */
  readonly size: number
  /** Bytes that are sent. */
  readonly sent: number
  /** Seconds until all are sent; undefined: nothing says yet how fast it goes. */
  readonly left: number | undefined
}

/** The state of the list when the first of the uploads that run began. */
export interface Beginning {
  /** Milliseconds. */
  readonly time: number
  /** Bytes that had been sent before. */
  readonly sent: number
}

/** The least time that says how fast it goes, in seconds. */
const LEAST_TIME = 1

export function totalOf(uploads: readonly Upload[], beginning: Beginning, now: number): Total {
  const size = uploads.reduce((sum, { state, file }) => sum + (WITHOUT_BYTES.has(state) ? 0 : file.size), 0)
  const sent = sentBytes(uploads)
  const seconds = (now - beginning.time) / 1000
  const speed = (sent - beginning.sent) / seconds
  return { size, sent, left: seconds >= LEAST_TIME && speed > 0 ? (size - sent) / speed : undefined }
}

/** States of files of which nothing is kept. */
const WITHOUT_BYTES: ReadonlySet<Upload['state']> = new Set(['there', 'failed'])

export function sentBytes(uploads: readonly Upload[]): number {
  return uploads.reduce((sum, { state, file, sent = 0 }) => {
    // The request has some bytes beside the file.
    if (state === 'sending') return sum + Math.min(sent, file.size)
    return state === 'done' ? sum + file.size : sum
  }, 0)
}

/** How many files were uploaded, and what came of the others. */
export function outcomeText(uploads: readonly Upload[]): string {
  const count = (wanted: Upload['state']) => uploads.filter(({ state }) => state === wanted).length
  const [done, there, failed] = [count('done'), count('there'), count('failed')]
  return [
    `${done} of ${uploads.length} ${uploads.length === 1 ? 'file' : 'files'} uploaded`,
    ...(there > 0 ? [`${there} there already`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ')
}

/** The first of the list: what runs, what needs a person, what waits; then what is done. */
export function byState(a: Upload, b: Upload): number {
  return rankOf(a) - rankOf(b)
}

function rankOf({ state, losses = [] }: Upload): number {
  if (state === 'done' && losses.length > 0) return RANKS.partly
  return RANKS[state]
}

const RANKS = { sending: 0, failed: 1, partly: 2, waiting: 3, there: 4, done: 5 }
