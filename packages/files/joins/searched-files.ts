// The files of joined domains as they were found last. They are looked for again after a while, when a request needs
// them: the files of a domain of very many beside the requests, which get those that were found before.

import { BoundedMap } from '@hyperslab/base/bounded'
import { type CancelTimer, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainPath, ObjectId, Timestamp } from '@hyperslab/model/names'
import { isUnavailable, type KnownFiles } from '@hyperslab/store/store'
import type { MountedFile } from '../mounts/mount.ts'
import { type JoinDefinition, keepsPlaces } from './definition.ts'
import { type FoundFiles, findFiles, type JoinableFiles } from './find-files.ts'
import { FIRST_FILES } from './outlines/first-files.ts'
import { type KnownByPath, missingFiles } from './places.ts'

/** A definition at a path, in one state. */
export interface PlacedDefinition {
  readonly path: DomainPath
  readonly stamp: string
  readonly lastModified: Timestamp
  readonly definition: () => Promise<JoinDefinition>
  /** The root group of its domain, if the store knows its files (`KnownFiles`). */
  readonly root?: ObjectId
}

/** The files of a definition. */
export interface SearchedFiles {
  readonly rules: JoinDefinition
  readonly found: readonly FoundFiles[]
  readonly count: number
  /** The files as they were last, by path. */
  readonly known: KnownByPath
  /** Known files that are gone, or do not answer, with the reasons. */
  readonly missing: ReadonlyMap<DomainPath, HyperslabError>
  /** Whether some of these do not answer: to look for files may take long. */
  readonly isHeldUp: boolean
  /** The joined file that they were last, and how many of them it has: undefined is all. */
  joined?: { readonly limit: number | undefined; readonly file: Promise<MountedFile> }
}

/** The reason why there are no files. */
export interface FailedSearch {
  readonly failure: HyperslabError
}

/** Definitions whose files are kept. @limit memory, definitions */
const MAX_SEARCHES = 256
/** The files are looked for at most this often: thousands of them take tens of milliseconds. */
const SEARCH_MILLISECONDS = 1000
/** The time without a search after one that took long, as a multiple of it. */
const REST = 9

interface Search {
  readonly stamp: string
  /** The time, by the clock of the process, from which on the files are looked for again. */
  until: number
  readonly result: Promise<SearchedFiles | FailedSearch>
  /** The result, once it is there. */
  files?: SearchedFiles
}

export class FileSearches {
  readonly #files: JoinableFiles
  readonly #known: KnownFiles | undefined
  /** Searches by definition. @limit speed, definitions, bench/joins.bench.mjs */
  readonly #searches = new BoundedMap<DomainPath, Search>(MAX_SEARCHES)

  constructor(files: JoinableFiles, known: KnownFiles | undefined) {
    this.#files = files
    this.#known = known
  }

  /** The files of the definition, as they were at most a second ago, or longer if it takes long to look for them. */
  async find(placed: PlacedDefinition): Promise<SearchedFiles | FailedSearch> {
    const { path, stamp } = placed
    const last = this.#searches.get(path)
    const before = last?.stamp === stamp ? last : undefined
    const now = SYSTEM_CLOCK.elapsed()
    if (before && now < before.until) return this.#usable(before)
    const search: Search = {
      stamp,
      until: Number.POSITIVE_INFINITY,
      result: this.#search(placed, before?.files),
      ...(before?.files && { files: before.files }),
    }
    this.#searches.set(path, search)
    const end = (rest: number) => {
      const end = SYSTEM_CLOCK.elapsed()
      search.until = end + Math.max(SEARCH_MILLISECONDS, rest * (end - now))
    }
    search.result.then(
      result => {
        if ('rules' in result) search.files = result
        else delete search.files
        // To wait for files that do not answer is no work.
        end(search.files?.isHeldUp ? 0 : REST)
      },
      () => {
        if (this.#searches.get(path) === search) this.#searches.forget(path)
      },
    )
    return this.#usable(search)
  }

  /** The result of a search, or that of the one before while it takes long. */
  async #usable({ result, files }: Search): Promise<SearchedFiles | FailedSearch> {
    if (files && files.count > FIRST_FILES) return files
    return files?.isHeldUp ? ((await unlessLate(result, SEARCH_MILLISECONDS)) ?? files) : result
  }

  async #search(
    { path, definition, root }: PlacedDefinition,
    before: SearchedFiles | undefined,
  ): Promise<SearchedFiles | FailedSearch> {
    try {
      const rules = await definition()
      const known: KnownByPath = (root && keepsPlaces(rules) && (await this.#known?.read(root))) || new Map()
      const unavailable = new Map<DomainPath, HyperslabError>()
      const options = known.size > 0 ? { known, unavailable } : {}
      const found = await findFiles(this.#files, path, rules.sources, options)
      const there = new Set(found.flatMap(({ files }) => files.map(({ path }) => path)))
      const missing = await missingFiles(this.#files, known, there, unavailable)
      const isHeldUp = [...missing.values()].some(isUnavailable)
      return { rules, found, count: there.size, known, missing, isHeldUp }
    } catch (error) {
      // Files of other mounts can be read on.
      if (before && isUnavailable(error)) return { ...before, isHeldUp: true }
      if (error instanceof HyperslabError && error.code === 'file-unreadable') return { failure: error }
      throw error
    }
  }
}

/** The result of the work; undefined if it does not come within the time. */
export async function unlessLate<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let cancel: CancelTimer | undefined
  const late = new Promise<undefined>(resolve => {
    cancel = SYSTEM_CLOCK.after(milliseconds, () => setImmediate(() => resolve(undefined)))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel?.()
  }
}
