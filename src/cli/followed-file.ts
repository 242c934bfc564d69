// A file that is read again when it has changed. Looking costs one stat (about 3 us).

import { readFileSync, statSync } from 'node:fs'

export class FollowedFile<T> {
  readonly #path: string
  readonly #parse: (text: string | undefined) => T
  readonly #report: ((error: unknown) => void) | undefined
  #current: { readonly version: string; readonly value: T } | undefined

  /** `parse` gets undefined when there is no file. */
  constructor(path: string, parse: (text: string | undefined) => T, report?: (error: unknown) => void) {
    this.#path = path
    this.#parse = parse
    this.#report = report
  }

  /** What the file holds now. An error in it is thrown at first; later it is reported, and the last value stays. */
  read(): T {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    const version = stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : ''
    if (this.#current?.version === version) return this.#current.value
    const value = this.#parsed(stat !== undefined)
    this.#current = { version, value }
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
