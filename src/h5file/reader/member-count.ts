// How many links and attributes the objects of one file have. Those of different objects have different bytes of the file. Without
// this bound, thousands of groups of a small damaged file could all lead to the same nodes, which would be decoded for each.

import { damaged } from '../format/errors.ts'

/** No link and no attribute takes fewer bytes: those of its record in a version 2 B-tree, or of its message. */
const MIN_MEMBER_SIZE = 8

/** How many owners are remembered. */
const MAX_KNOWN = 2 ** 20

export class MemberCount {
  readonly #most: number
  readonly #owners = new Set<number>()
  #count = 0

  constructor(fileLength: number) {
    this.#most = fileLength / MIN_MEMBER_SIZE
  }

  /** Counts the members of the object at `owner`; nothing if they were counted before. Throws where there can be no more. */
  begin(owner: number): (count: number) => void {
    if (this.#owners.has(owner)) return () => {}
    this.#check(owner)
    if (this.#owners.size < MAX_KNOWN) this.#owners.add(owner)
    return count => {
      this.#count += count
      this.#check(owner)
    }
  }

  #check(owner: number): void {
    if (this.#count <= this.#most) return
    throw damaged(
      'the object',
      owner,
      'it shares links or attributes with other objects: the file is damaged',
    )
  }
}
