// The bytes that the links, the attributes or the chunks of all objects of one file take in their indexes, with a
// limit: different objects have different bytes. Without it, thousands of groups of a small damaged file could all name
// the same nodes, which would be decoded for each group, and so could datasets with an index of chunks.

import { damaged } from '../../format/errors.ts'

/** Owners whose number of members is remembered. @limit memory, entries */
const MAX_KNOWN = 2 ** 20

/** Counts `members`, each of at least `size` bytes. */
export type CountMembers = (members: number, size: number) => void

export class MemberCount {
  readonly #most: number
  readonly #owners = new Set<number>()
  #bytes = 0

  constructor(fileLength: number) {
    this.#most = fileLength
  }

  /**
   * Counts the members of the object at `owner`; does nothing if they were counted before. Throws if the file cannot
   * have as many.
   */
  begin(owner: number): CountMembers {
    if (this.#owners.has(owner)) return () => {}
    this.#check(owner)
    if (this.#owners.size < MAX_KNOWN) this.#owners.add(owner)
    return (members, size) => {
      this.#bytes += members * size
      this.#check(owner)
    }
  }

  #check(owner: number): void {
    if (this.#bytes <= this.#most) return
    throw damaged(
      'the object',
      owner,
      'it shares links, attributes or chunks with other objects: the file is damaged',
    )
  }
}
