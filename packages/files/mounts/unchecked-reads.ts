// Files that a mounted file names, and that were read since it was known last that they are unchanged. A file may name
// thousands, of which a request reads a few: only these need to be looked at when it ends.

import type { LocalFile } from './local-file.ts'

type CheckedFile = Pick<LocalFile, 'isUnchanged'>

export class UncheckedReads {
  /** The number of the last read of each file. */
  readonly #reads = new Map<CheckedFile, number>()
  #count = 0

  /** Must be called after each read. */
  add(file: CheckedFile): void {
    this.#reads.set(file, ++this.#count)
  }

  /**
   * Whether all reads that have ended gave the state in which their files were opened. A file in its first state was in
   * it at all earlier reads, so these need not be checked again by other callers. A file that has changed stays among
   * those that are checked.
   */
  async areUnchanged(): Promise<boolean> {
    const checked = [...this.#reads]
    const areUnchanged = await Promise.all(checked.map(([file]) => file.isUnchanged()))
    for (const [i, [file, read]] of checked.entries()) {
      if (areUnchanged[i] && this.#reads.get(file) === read) this.#reads.delete(file)
    }
    return areUnchanged.every(Boolean)
  }
}
