// A file that is read again when its content, owner or mode has changed. The check is one stat, nearly a tenth of a
// small request; so it is made once in a turn of the event loop: all requests of a turn arrived before it began. While
// a file cannot be read, `read` throws: its former content may have been revoked since.

import { readFileSync, type Stats, statSync } from 'node:fs'

type State<T> = { readonly stat: Stats | undefined; readonly value: T } | { readonly error: unknown }

export class FollowedFile<T> {
  readonly #path: string
  readonly #parse: (bytes: Uint8Array | undefined) => T
  readonly #report: ((error: unknown) => void) | undefined
  #state: State<T> | undefined
  #looked = false

  /** `parse` gets undefined when there is no file. `report` gets the error when the file becomes unreadable, once. */
  constructor(path: string, parse: (bytes: Uint8Array | undefined) => T, report?: (error: unknown) => void) {
    this.#path = path
    this.#parse = parse
    this.#report = report
  }

  /** The content of the file in this turn; throws when it cannot be read or parsed. */
  read(): T {
    if (this.#looked && this.#state !== undefined) return valueIn(this.#state)
    this.#looked = true
    setImmediate(() => {
      this.#looked = false
    })
    return this.readNow()
  }

  /** The content of the file now, for code that is about to change it or has changed it. */
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
      if (before !== undefined && 'value' in before && isSameFile(stat, before.stat)) return before
      return { stat, value: this.#parse(stat && readFileSync(this.#path)) }
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

/** True when it is the same, unchanged file; `ctime` covers its owner and mode, too. */
function isSameFile(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.ctimeMs === other?.ctimeMs && one?.size === other?.size
}
