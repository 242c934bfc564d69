// What was first found at each place that a file names others at: a reader may remember it, so what it gives is of the
// present only as long as all of them are as they were.

/** Places that are looked at again; where there are more, what was found counts as out of date. */
const MAX_LOOKED_AT = 1000

export class FirstFound<Place, Found> {
  readonly #found = new Map<Place, Found>()

  /** Only the first of a place counts. */
  add(place: Place, found: Found): void {
    if (!this.#found.has(place)) this.#found.set(place, found)
  }

  has(place: Place): boolean {
    return this.#found.has(place)
  }

  /** Whether `isCurrent` holds for all of them. */
  async areCurrent(isCurrent: (place: Place, found: Found) => Promise<boolean>): Promise<boolean> {
    if (this.#found.size > MAX_LOOKED_AT) return false
    // What cannot be looked at is opened again, which says why.
    const looks = [...this.#found].map(([place, found]) => isCurrent(place, found).catch(() => false))
    return (await Promise.all(looks)).every(Boolean)
  }
}
