// A file that is read again when it has changed. Looking costs one stat, of a small request nearly a tenth; so it is
// looked at once in a turn of the event loop: the requests of one turn have all come in before it began.

import { readFileSync, type Stats, statSync } from 'node:fs'

export class FollowedFile<T> {
  readonly #path: string
  readonly #parse: (text: string | undefined) => T
  readonly #report: ((error: unknown) => void) | undefined
  #current: { readonly stat: Stats | undefined; readonly value: T } | undefined
  #looked = false

  /** `parse` gets undefined when there is no file. */
  constructor(path: string, parse: (text: string | undefined) => T, report?: (error: unknown) => void) {
    this.#path = path
    this.#parse = parse
    this.#report = report
  }

  /** What the file holds in this turn. An error in it is thrown at first; later it is reported, and the last value stays. */
  read(): T {
    if (this.#looked && this.#current !== undefined) return this.#current.value
    this.#looked = true
    setImmediate(() => {
      this.#looked = false
    })
    return this.readNow()
  }

  /** What the file holds at this moment, for those who are about to change it or have done so. */
  readNow(): T {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    if (this.#current !== undefined && isSame(stat, this.#current.stat)) return this.#current.value
    const value = this.#parsed(stat !== undefined)
    this.#current = { stat, value }
    return value
  }

  #parsed(exists: boolean): T {
    try {
      return this.#parse(exists ? readFileSync(this.#path, 'utf8') : undefined)
    } catch (error) {
      if (this.#current === undefined || this.#report === undefined) throw error
      this.#report(error)
      return this.#current.value
    }
  }
}

/** True when the file is the same and was not written in between. */
function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.mtimeMs === other?.mtimeMs && one?.size === other?.size
}
