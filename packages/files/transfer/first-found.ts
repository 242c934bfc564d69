// The first result at each location that a file names: a reader may remember it, so its data are current only as long
// as all results are unchanged.

import { createHash } from 'node:crypto'

/**
 * The most locations that are checked again; if there are more, the results count as out of date.
 * @limit safety, entries
 */
const MAX_LOOKED_AT = 1000

export class FirstFound<Location, Found> {
  readonly #found = new Map<Location, Found>()

  /** Adds a result; only the first one of a location counts. */
  add(location: Location, found: Found): void {
    if (!this.#found.has(location)) this.#found.set(location, found)
  }

  has(location: Location): boolean {
    return this.#found.has(location)
  }

  /** Differs for different results. `stampOf` gives the state of one; undefined: nothing was found. */
  state(stampOf: (found: Found) => string | undefined): string {
    const states = [...this.#found].map(([location, found]) => `${location}\0${stampOf(found) ?? ''}`)
    return states.length === 0 ? '' : createHash('sha256').update(states.sort().join('\0')).digest('hex')
  }

  /** Whether `isCurrent` holds for all of them. */
  async areCurrent(isCurrent: (location: Location, found: Found) => Promise<boolean>): Promise<boolean> {
    if (this.#found.size > MAX_LOOKED_AT) return false
    // A location that cannot be checked is opened again, which reports the reason.
    const looks = [...this.#found].map(([location, found]) => isCurrent(location, found).catch(() => false))
    return (await Promise.all(looks)).every(Boolean)
  }
}
