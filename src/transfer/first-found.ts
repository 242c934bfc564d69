// What was first found at each location that a file names others at: a reader may remember it, so what it gives is of
// the present only as long as all of them are as they were.

/** Locations that are looked at again; where there are more, what was found counts as out of date. */
const MAX_LOOKED_AT = 1000

export class FirstFound<Location, Found> {
  readonly #found = new Map<Location, Found>()

  /** Only the first of a location counts. */
  add(location: Location, found: Found): void {
    if (!this.#found.has(location)) this.#found.set(location, found)
  }

  has(location: Location): boolean {
    return this.#found.has(location)
  }

  /** Whether `isCurrent` holds for all of them. */
  async areCurrent(isCurrent: (location: Location, found: Found) => Promise<boolean>): Promise<boolean> {
    if (this.#found.size > MAX_LOOKED_AT) return false
    // What cannot be looked at is opened again, which says why.
    const looks = [...this.#found].map(([location, found]) => isCurrent(location, found).catch(() => false))
    return (await Promise.all(looks)).every(Boolean)
  }
}
