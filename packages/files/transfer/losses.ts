// The parts of a file that an import leaves out, each with the reason.

import type { FileWarning } from '@hyperslab/h5/reader'
import { reasonOf } from './file-objects.ts'

export class Losses {
  readonly list: FileWarning[] = []
  readonly #paths = new Set<string>()

  add(path: string, message: string): void {
    this.list.push({ path, message })
    this.#paths.add(path)
  }

  /** Whether a loss at the path was reported. */
  isKnown(path: string): boolean {
    return this.#paths.has(path)
  }

  /**
   * The result of the work; undefined: it failed, which is noted as a loss. Errors after which nothing more can be read
   * are thrown.
   */
  async tolerate<T>(path: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.add(path, reasonOf(error))
      return undefined
    }
  }
}
