// The links of the groups of a mounted file, kept within bounds, in both orders of listings.

import { BoundedMap, isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, FileLink, H5FileReader } from '@hyperslab/h5/reader'
import { firstIndex } from '@hyperslab/model/dataset'
import { compareUtf8, linkTitle, type Timestamp } from '@hyperslab/model/names'
import type { Link } from '@hyperslab/store/store'
import { linkTargetOf } from '../transfer/file-objects.ts'
import type { H5servTable } from '../transfer/h5serv-table.ts'
import type { MountedObjects } from './objects.ts'
import { failureOf } from './tolerate.ts'

export interface GroupLinks {
  /** The links in the order of `H5FileReader.links`. */
  readonly byCreation: readonly FileLink[]
  readonly byName: readonly FileLink[]
  /** The hard links in the order of their targets, once they were needed. */
  byTarget?: readonly HardLink[]
  /** The reason why the first of the links without a name that the model allows is left out. */
  readonly damage?: HyperslabError
}

type HardLink = Extract<FileLink, { readonly class: 'H5L_TYPE_HARD' }>

/** Called for an object of which links or attributes are left out, because even their names cannot be read. */
export type OnDamage = (owner: FileAddress, damage: HyperslabError) => void

/** The most links that are kept decoded. @limit memory, links */
const MAX_LINKS = 250_000
/** The approximate memory of one link. */
const LINK_BYTES = 200

export class MountedLinks {
  readonly #reader: H5FileReader
  readonly #table: H5servTable
  readonly #objects: MountedObjects
  readonly #created: Timestamp
  readonly #onDamage: OnDamage
  /** Links of mounted groups. @limit speed, links, bench/results.md#062-limits-of-speed */
  readonly #links = new BoundedMap<FileAddress, GroupLinks>(MAX_LINKS, {
    weightOf: ({ byName }) => byName.length + 1,
  })
  readonly #reading = new Map<FileAddress, Promise<GroupLinks>>()

  constructor(
    reader: H5FileReader,
    table: H5servTable,
    objects: MountedObjects,
    created: Timestamp,
    onDamage: OnDamage,
  ) {
    this.#onDamage = onDamage
    this.#reader = reader
    this.#table = table
    this.#objects = objects
    this.#created = created
  }

  get heldBytes(): number {
    return LINK_BYTES * this.#links.weight
  }

  async get(group: FileAddress): Promise<GroupLinks> {
    const known = this.#links.use(group) ?? this.#reading.get(group)
    if (known) return known
    const reading = this.#read(group).finally(() => this.#reading.delete(group))
    this.#reading.set(group, reading)
    return reading
  }

  /** The hard links of a group to an object, in the order of their titles. */
  async linksTo(target: FileAddress, group: FileAddress): Promise<readonly HardLink[]> {
    const links = await this.get(group)
    links.byTarget ??= await sortByTarget(links.byName)
    const from = firstIndex(links.byTarget, ({ address }) => address >= target)
    return links.byTarget.slice(
      from,
      firstIndex(links.byTarget, ({ address }) => address > target),
    )
  }

  async #read(group: FileAddress): Promise<GroupLinks> {
    const byCreation: FileLink[] = []
    let isSorted = true
    let damage: HyperslabError | undefined
    const onFailure = (error: HyperslabError) => {
      damage ??= error
    }
    for await (const batch of this.#table.visibleLinks(group, this.#reader.links(group, onFailure))) {
      for (const link of batch) {
        if (isTurnOver()) await nextTurn()
        const failure = failureOf(() => linkTitle(link.title))
        if (failure) {
          onFailure(failure)
          continue
        }
        const last = byCreation.at(-1)
        if (last && compareUtf8(last.title, link.title) > 0) isSorted = false
        byCreation.push(link)
        if (link.class === 'H5L_TYPE_HARD') this.#objects.meet(link.address)
      }
    }
    const byName = isSorted
      ? byCreation
      : await sortInTurns(byCreation, (a, b) => compareUtf8(a.title, b.title))
    if (damage) this.#onDamage(group, damage)
    const links: GroupLinks = { byCreation, byName, ...(damage && { damage }) }
    this.#links.set(group, links)
    return links
  }

  /** A link of the model; throws the reason when its target cannot be read. */
  async link(link: FileLink): Promise<Link> {
    const known = this.knownLink(link)
    if (known) return known
    if (link.class === 'H5L_TYPE_HARD') await this.#objects.object(link.address)
    const read = this.knownLink(link)
    if (!read) throw new Error('a hard link has no target')
    return read
  }

  /** The same without waiting; undefined: its target has not been read yet. */
  knownLink(link: FileLink): Link | undefined {
    const target = linkTargetOf(link, address => this.#objects.knownReference(address))
    return target && { title: link.title, created: this.#created, target }
  }
}

async function sortByTarget(links: readonly FileLink[]): Promise<readonly HardLink[]> {
  const hard = links.filter(link => link.class === 'H5L_TYPE_HARD')
  return sortInTurns(hard, (a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0))
}
