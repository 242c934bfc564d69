// The warnings of one file: each once, because a dataset may have millions of references that lead nowhere; and so many that
// somebody may still read them.

import { HyperslabError } from '../../errors.ts'
import type { FileWarning } from '../reader.ts'

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

  /** The result of `work`; undefined, with a warning, when the file does not allow it. */
  async tolerate<T>(path: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code === 'file-damaged') throw error
      this.add(path, error.message)
      return undefined
    }
  }
}
