// How many bytes the links, the attributes or the chunks of the objects of one file take in their indexes. Those of
// different objects are different bytes. Without this bound, thousands of groups of a small damaged file could all lead
// to the same nodes, which would be decoded for each, and so could datasets to the same index of chunks.

import { damaged } from '../../format/errors.ts'

/** How many owners are remembered. */
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
   * Counts the members of the object at `owner`; nothing if they were counted before. Throws where there can be no
   * more.
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
