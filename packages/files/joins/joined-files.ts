// Joined files: each is a domain made of the files that a definition names. The first of these gives all objects; its
// datasets along the dimension are read from all of them, one after another. Nothing is copied: a file that comes, goes
// or changes changes the state of the joined file within a second.

import { createHash } from 'node:crypto'
import { type AbortCheck, BoundedMap, inParallel, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import { isOfUnreadable } from '@hyperslab/h5/reader'
import { type DomainPath, isTopLevel, namesBelow, parentOf } from '@hyperslab/model/names'
import {
  isUnavailable,
  type JoinConflict,
  type JoinProgress,
  type JoinReview,
  type KnownFiles,
  type ReviewOptions,
} from '@hyperslab/store/store'
import type { MountedFile, OpenFile } from '../mounts/mount.ts'
import { type JoinWarning, refused, reportConflict, warn } from './conflicts.ts'
import { compareNames, cutOverlaps, haveCoordinates, orderSources, type WithReader } from './coordinates.ts'
import {
  type JoinAxis,
  type JoinDefinition,
  type JoinSource,
  keepsPlaces,
  labelOf,
  type OutlineRules,
  UNION,
} from './definition.ts'
import { type FoundFiles, findFiles, type JoinableFiles } from './find-files.ts'
import { withKnownParts } from './known-parts.ts'
import { newDimension, orderByCoordinate } from './new-axis.ts'
import { domainObjects, planFitting, type ReadObjects } from './objects/domain-objects.ts'
import { FileOutlines, weightOfOutline, withReaderOf } from './outlines/file-outlines.ts'
import { FIRST_FILES, firstFiles, OUTLINES_AT_ONCE, OutlineWork } from './outlines/first-files.ts'
import { openJoined } from './part-files.ts'
import { type KnownByPath, newPlaces, type PlacedFile } from './places.ts'
import { planJoin } from './plan.ts'
import { FileSearches, type PlacedDefinition, type SearchedFiles } from './searched-files.ts'
import { withWholeChunks } from './whole-chunks.ts'

/** Objects of all files of a union, and links and attributes of their groups. @limit memory, members */
const MAX_UNITED = 262_144
/** Joined files whose unwell files are kept. @limit memory, files */
const MAX_UNWELL = 256

interface OutlinedFile extends PlacedFile {
  readonly file: MountedFile
}

/** The files together, without the folders that the caller must be able to read. */
type Review = Omit<JoinReview, 'searched'>

/** The files of a definition as a look has found them. */
interface LookedFiles extends PlacedDefinition {
  readonly rules: JoinDefinition
  readonly found: readonly FoundFiles[]
  /** False: the domain does not have all of its files yet. */
  readonly areAll: boolean
  /** The files as they were last, by path. */
  readonly known: KnownByPath
  /** Files that cannot be read: those that are gone, and, once it was opened, others. */
  readonly unwell: Map<DomainPath, HyperslabError>
}

export class JoinedFiles {
  readonly #files: JoinableFiles
  readonly #known: KnownFiles | undefined
  /**
   * Files that cannot be read, by the state of the joined file: while this is open they are not read again.
   * @limit memory, files
   */
  readonly #unwell = new BoundedMap<string, Map<DomainPath, HyperslabError>>(MAX_UNWELL)
  readonly #outlines: FileOutlines
  readonly #searches: FileSearches
  readonly #work: OutlineWork | undefined
  readonly #first: number

  /** `known`: absent, nothing is stored of the files: those that are gone leave no place behind. */
  constructor(files: JoinableFiles, known?: KnownFiles, first = FIRST_FILES) {
    this.#files = files
    this.#known = known
    this.#outlines = new FileOutlines(known)
    this.#searches = new FileSearches(files, known)
    this.#work = known && new OutlineWork(this.#outlines, known)
    this.#first = first
  }

  /** Ends the work on files that domains do not have yet. */
  close(): void {
    this.#work?.close()
  }

  /** The joined file of a definition. One that is not understood has the reason as its damage. */
  async look(placed: PlacedDefinition): Promise<MountedFile> {
    const searched = await this.#searches.find(placed)
    if ('failure' in searched) return failedFile(placed, searched.failure)
    // A domain that has all of its files keeps them.
    if (searched.joined && searched.joined.limit === undefined) return searched.joined.file
    const { root } = placed
    const progress = root && (await this.#known?.progress(root))
    const limit = progress?.limit
    if (!searched.joined || searched.joined.limit !== limit)
      searched.joined = { limit, file: this.#joinedFile(placed, searched, limit) }
    const { file } = searched.joined
    if (!root || !progress) return file
    this.#work?.proceed({ root, rules: searched.rules, found: searched.found }, progress)
    return { ...(await file), progress }
  }

  /** Reads the outlines of the files of a definition, and plans the joined file. */
  async review(
    path: DomainPath,
    definition: JoinDefinition,
    { signal, ofFirst = false }: ReviewOptions = {},
  ): Promise<Review> {
    const conflicts: JoinConflict[] = []
    const warnings: JoinWarning[] = []
    const sources: OutlinedFile[] = []
    const storedDomains: DomainPath[] = []
    let progress: JoinProgress | undefined
    const failed = (error: unknown) => {
      if (!isOfUnreadable(error)) throw error
      reportConflict(conflicts, { files: [], reason: error.message })
    }
    try {
      this.#files.renew?.()
      const all = await findFiles(this.#files, path, definition.sources, { signal, warnings })
      for (const { files } of all)
        for (const { path, isStored } of files) if (isStored) storedDomains.push(path)
      const limit = this.#first
      const { found, isPart } = await firstFiles(all, ofFirst ? limit : Number.POSITIVE_INFINITY)
      if (isPart) progress = { limit, done: limit }
      sources.push(...(await this.#outlineSources(path, definition, found, { conflicts, warnings, signal })))
      const { along } = definition
      if (along.kind === 'new' && sources.length > 0) await newDimension(along, sources)
    } catch (error) {
      failed(error)
    }
    const files = sources.map(({ file }) => file.path)
    const said = { storedDomains, files, conflicts, warnings }
    if (files.length === 0) return { ...said, length: 0, places: [], datasets: [] }
    const planned = await planJoin(definition, sources, files, conflicts)
    const objectsOf: ReadObjects = async file => {
      signal?.throwIfAborted()
      return this.#objectsOf(file)
    }
    await domainObjects(definition, sources, planned, objectsOf, conflicts).catch(failed)
    const datasets = [...planned].map(([path, { joined }]) => {
      const { space, axis } = joined
      return { path, shape: space.dims, axis }
    })
    const length = sources.reduce(
      (sum, { outline, taken = { count: outline.extent } }) => sum + taken.count,
      0,
    )
    const places = keepsPlaces(definition) ? newPlaces(sources, new Map()) : []
    return { ...said, length, places, datasets, ...(progress && { progress }) }
  }

  async #joinedFile(
    placed: PlacedDefinition,
    { rules, found: all, known, missing }: SearchedFiles,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<MountedFile> {
    const { path, lastModified, stamp } = placed
    const { found } = await firstFiles(all, limit)
    const hash = createHash('sha256').update(`${stamp}\0${limit}\0`)
    const there = new Set<DomainPath>()
    const storedDomains: DomainPath[] = []
    let size = 0
    let last = lastModified
    for (const { files, newest } of all) {
      for (const file of files) {
        if (isTurnOver()) await nextTurn()
        hash.update(`${file.stamp}\0${file.path}\0`)
        there.add(file.path)
        if (file.isStored) storedDomains.push(file.path)
        size += file.size
        last = Math.max(last, file.lastModified)
      }
      // Its state is another one when the time for the last file to be written is over.
      hash.update(newest ? '1' : '0')
    }
    for (const [path, { message }] of missing) hash.update(`${path}\0${message}\0`)
    const state = hash.digest('hex')
    const unwell = this.#unwell.use(state) ?? new Map(missing)
    this.#unwell.set(state, unwell)
    return {
      kind: 'file',
      madeOf: [...there, ...missing.keys()],
      storedDomains,
      unwell,
      path,
      size,
      lastModified: last,
      stamp: state,
      open: () => this.#open({ ...placed, rules, found, areAll: found === all, known, unwell }),
    }
  }

  async #open(looked: LookedFiles): Promise<OpenFile> {
    const { path, rules, found, known, root } = looked
    const files = found.flatMap(({ files }) => files)
    if (root) await this.#outlines.load(root, rules, files, looked.areAll)
    const readable = await this.#outlineSources(path, rules, found, looked)
    // None gives the objects.
    const [failure] = looked.unwell.values()
    if (readable.length === 0)
      throw isUnavailable(failure) ? failure : refused(failure?.message ?? 'none of its files can be read')
    const { sources, objects } = await planFitting(readable, looked, this.#objectsOf)
    const { along } = rules
    const added = along.kind === 'new' && { dimension: await newDimension(along, sources) }
    if (root) await this.#outlines.store(root, readable)
    if (root && keepsPlaces(rules)) await this.#known?.write(root, newPlaces(sources, known))
    const readFiles = sources.flatMap(({ file }) => file ?? [])
    const outlines = new Map(sources.map(({ path, outline }) => [path, outline]))
    const parts = await withKnownParts(objects.datasets, outlines)
    return openJoined(readFiles, { ...objects, datasets: await withWholeChunks(parts, outlines), ...added })
  }

  /** The files that can be read, in their order, with their outlines. */
  async #outlineSources(
    path: DomainPath,
    definition: JoinDefinition,
    found: readonly FoundFiles[],
    failed: Failures,
  ): Promise<readonly OutlinedFile[]> {
    const { along, areOneSource = false } = definition
    const groups: { readonly source: JoinSource; readonly files: readonly OutlinedFile[] }[] = []
    const seen = new Set<DomainPath>()
    const budget = { members: MAX_UNITED }
    for (const { source, files, ...group } of found) {
      const others = areOneSource ? files.filter(file => !seen.has(file.path)) : files
      for (const file of others) seen.add(file.path)
      groups.push({
        source,
        files: await this.#outlineAll(path, definition, { ...group, files: others }, failed, budget),
      })
    }
    const all = groups.flatMap(({ files }) => files)
    if (areOneSource && along.kind !== 'new' && haveCoordinates(all)) return inOrder(definition, all, failed)
    const sources: OutlinedFile[] = []
    for (const { source, files } of groups) {
      const own = source.kind === 'file' ? withLength(source.count, files, along, failed) : files
      if (along.kind === 'new') sources.push(...(await orderByCoordinate(along, source, own)))
      else if (source.kind === 'file') sources.push(...own)
      else sources.push(...(await inOrder(definition, own, failed)))
    }
    return sources
  }

  /** The file in messages. */
  #nameOf({ path }: MountedFile, definition: DomainPath): string {
    const names = isTopLevel(this.#files.path) ? undefined : namesBelow(parentOf(definition), path)
    return names?.join('/') ?? path
  }

  async #outlineAll(
    path: DomainPath,
    rules: OutlineRules,
    { files, newest }: Pick<FoundFiles, 'files' | 'newest'>,
    { conflicts, known, unwell, signal, warnings }: Failures,
    budget: { members: number },
  ): Promise<readonly OutlinedFile[]> {
    const outlined: OutlinedFile[] = []
    const failures: JoinConflict[] = []
    await inParallel(files, OUTLINES_AT_ONCE, async file => {
      signal?.throwIfAborted()
      if (budget.members < 0) throw refused(`they have more than ${MAX_UNITED} objects, links and attributes`)
      const name = this.#nameOf(file, path)
      try {
        const outline = await this.#outlines.read(file, name, rules)
        if (rules.along.kind === 'union') budget.members -= weightOfOutline(outline)
        outlined.push({ name, path: file.path, file, outline })
      } catch (error) {
        if (!isOfUnreadable(error)) throw error
        if (file === newest && !known?.has(file.path))
          return warn(
            warnings,
            name,
            'it cannot be read, and was changed a moment ago: it is left out for a minute',
          )
        if (known?.has(file.path)) unwell?.set(file.path, error)
        else if (conflicts) failures.push({ files: [name], reason: error.message })
        else throw error
      }
    })
    failures.sort(({ files: [one] }, { files: [other] }) => compareNames(one, other))
    for (const failure of failures) reportConflict(conflicts, failure)
    return outlined
  }

  /** The objects of a file; a union has them in its outlines. */
  readonly #objectsOf: ReadObjects = async ({ file, name, outline }) => {
    const { objects = new Map() } =
      file && !outline.objects ? await this.#outlines.read(file, name, { along: UNION }) : outline
    return objects
  }
}

/** A definition that has no joined file. */
function failedFile({ path, stamp, lastModified }: PlacedDefinition, failure: HyperslabError): MountedFile {
  const open = () => Promise.reject(failure)
  const state = createHash('sha256').update(stamp).update(failure.message).digest('hex')
  const base = { kind: 'file', madeOf: [], path, size: 0, lastModified } as const
  return { ...base, stamp: state, damage: failure.message, open }
}

/** The place of a file that cannot be read: with none of these it is an error. */
interface Failures {
  /** It is added to them. */
  readonly conflicts?: JoinConflict[]
  /** If it is one of these, it is added to those that are unwell, with the reason. */
  readonly known?: KnownByPath
  readonly unwell?: Map<DomainPath, HyperslabError>
  /** Gets files that may be written just now. */
  readonly warnings?: JoinWarning[]
  /** Ends the work; absent: others share it. */
  readonly signal?: AbortCheck | undefined
}

async function inOrder(
  definition: JoinDefinition,
  files: readonly OutlinedFile[],
  { conflicts }: Failures,
): Promise<readonly OutlinedFile[]> {
  const ordered = await orderSources(definition, files, conflicts)
  return cutOverlaps(definition, ordered, WITH_READER)
}

/** The file, if it has the length that an NcML document gives it. */
function withLength(
  count: number | undefined,
  files: readonly OutlinedFile[],
  along: JoinAxis,
  { conflicts }: Failures,
): readonly OutlinedFile[] {
  return files.filter(({ name, outline: { extent } }) => {
    const isRight = extent === (count ?? extent)
    const rule = `${labelOf(along)} has the length ${extent}, and its ncoords is ${count}`
    if (!isRight) reportConflict(conflicts, { files: [name], reason: `${name}: ${rule}` })
    return isRight
  })
}

const WITH_READER: WithReader<OutlinedFile> = ({ file, name }, use) => withReaderOf(file, name, use)
