// The warnings of one file: each once, because a dataset may have millions of references that lead nowhere; and only as
// many as a person can read.

import type { FileWarning, MemberFailure } from '../../file-reader.ts'
import { type Attempt, isHarmless } from './attempt.ts'

/** Warnings of a file. @limit memory, warnings */
const MAX_WARNINGS = 10_000

export class Warnings {
  readonly list: FileWarning[] = []
  readonly #known = new Set<string>()

  add(path: string, message: string): void {
    const key = `${path}\0${message}`
    if (this.#known.size > MAX_WARNINGS || this.#known.has(key)) return
    this.#known.add(key)
    const isLast = this.#known.size > MAX_WARNINGS
    this.list.push(isLast ? { path: '/', message: 'further warnings are not listed' } : { path, message })
  }

  /** Leaves out parts that cannot be read, with a warning, and calls `onFailure`. */
  attempt(path: string, onFailure?: MemberFailure): Attempt {
    const report = (error: unknown): undefined => {
      if (!isHarmless(error)) throw error
      this.add(path, error.message)
      onFailure?.(error)
    }
    return work => {
      try {
        const result = work()
        return result instanceof Promise ? result.catch(report) : result
      } catch (error) {
        return report(error)
      }
    }
  }
}
