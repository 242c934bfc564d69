// A file that is read again when it has changed: its content, or who may read it. Looking costs one stat, of a small
// request nearly a tenth; so it is looked at once in a turn of the event loop: the requests of one turn have all come in
// before it began. A file that cannot be read holds nothing: what it held before may have been taken back since.

import { readFileSync, type Stats, statSync } from 'node:fs'

type State<T> = { readonly stat: Stats | undefined; readonly value: T } | { readonly error: unknown }

export class FollowedFile<T> {
  readonly #path: string
  readonly #parse: (text: string | undefined) => T
  readonly #report: ((error: unknown) => void) | undefined
  #state: State<T> | undefined
  #looked = false

  /** `parse` gets undefined when there is no file. `report` is told why the file cannot be read any more, once. */
  constructor(path: string, parse: (text: string | undefined) => T, report?: (error: unknown) => void) {
    this.#path = path
    this.#parse = parse
    this.#report = report
  }

  /** What the file holds in this turn; throws when it cannot be read, or holds something else. */
  read(): T {
    if (this.#looked && this.#state !== undefined) return valueIn(this.#state)
    this.#looked = true
    setImmediate(() => {
      this.#looked = false
    })
    return this.readNow()
  }

  /** What the file holds at this moment, for those who are about to change it or have done so. */
  readNow(): T {
    const before = this.#state
    this.#state = this.#look(before)
    if ('error' in this.#state && before !== undefined && !isSameError(this.#state, before)) {
      this.#report?.(this.#state.error)
    }
    return valueIn(this.#state)
  }

  #look(before: State<T> | undefined): State<T> {
    try {
      const stat = statSync(this.#path, { throwIfNoEntry: false })
      if (before !== undefined && 'value' in before && isSame(stat, before.stat)) return before
      return { stat, value: this.#parse(stat && readFileSync(this.#path, 'utf8')) }
    } catch (error) {
      return { error }
    }
  }
}

function valueIn<T>(state: State<T>): T {
  if ('error' in state) throw state.error
  return state.value
}

function isSameError(one: { readonly error: unknown }, other: State<unknown>): boolean {
  return 'error' in other && String(one.error) === String(other.error)
}

/** True when the file is the same and nothing of it was changed in between: `ctime` tells of its owner and mode, too. */
function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.ctimeMs === other?.ctimeMs && one?.size === other?.size
}
