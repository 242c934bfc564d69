// Joined files: each is a domain made of the files that a definition names. The first of these gives all objects; its
// datasets along the dimension are read from all of them, one after another. Nothing is copied: a file that comes, goes
// or changes changes the state of the joined file within a second.

import { createHash } from 'node:crypto'
import { type AbortCheck, BoundedMap, inParallel } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import { type H5FileReader, openH5File } from '@hyperslab/h5/reader'
import {
  type DomainPath,
  isTopLevel,
  namesBelow,
  type ObjectId,
  parentOf,
  type Timestamp,
} from '@hyperslab/model/names'
import type { JoinConflict, JoinReview, KnownFiles } from '@hyperslab/store/store'
import type { MountedFile, OpenFile } from '../mounts/mount.ts'
import { reportConflict } from './conflicts.ts'
import { compareNames, cutOverlaps, haveCoordinates, orderSources, type WithReader } from './coordinates.ts'
import { type JoinAxis, type JoinDefinition, type JoinSource, labelOf } from './definition.ts'
import { type FoundFiles, findFiles, type JoinableFiles, refused } from './find-files.ts'
import { withKnownParts } from './known-parts.ts'
import { newDimension, orderByCoordinate } from './new-axis.ts'
import { readNewOutline } from './new-outline.ts'
import { type Outline, readOutline } from './outline.ts'
import { openJoined, PartFiles } from './part-files.ts'
import { type KnownByPath, newPlaces, type PlacedFile, placeUnwell } from './places.ts'
import { planJoin } from './plan.ts'
import { withWholeChunks } from './whole-chunks.ts'

/** A definition at a path, in one state. */
export interface PlacedDefinition {
  readonly path: DomainPath
  readonly stamp: string
  readonly lastModified: Timestamp
  readonly definition: () => Promise<JoinDefinition>
  /** The root group of its domain, if the store knows its files (`KnownFiles`). */
  readonly root?: ObjectId
}

/** Files whose outlines are read at once: each is open meanwhile. @limit memory, files */
const OUTLINES_AT_ONCE = 8
/** Datasets in outlines that are kept, so that only a changed file is read again. @limit memory, datasets */
const MAX_OUTLINED = 262_144
/** Joined files whose last look is kept. @limit memory, files */
const MAX_LOOKS = 256
/** The files are looked for at most this often: thousands of them take tens of milliseconds. */
const LOOK_MILLISECONDS = 1000
/** The time without a look after one that took long, as a multiple of it. */
const REST = 9

interface Look {
  readonly stamp: string
  /** The time, by the clock of the process, from which on the files are looked for again. */
  until: number
  readonly found: Promise<MountedFile>
}

interface OutlinedFile extends PlacedFile {
  readonly file: MountedFile
}

/** The files together, and all that were found, also those that cannot be read. */
interface Review extends Omit<JoinReview, 'fileLists'> {
  readonly found: readonly DomainPath[]
}

/** The files of a definition as a look has found them. */
interface LookedFiles extends PlacedDefinition {
  readonly rules: JoinDefinition
  readonly found: readonly FoundFiles[]
  /** The files as they were last, by path. */
  readonly known: KnownByPath
  /** Files that cannot be read: those that are gone, and, once it was opened, others. */
  readonly unwell: Map<DomainPath, string>
}

export class JoinedFiles {
  readonly #files: JoinableFiles
  readonly #known: KnownFiles | undefined
  /** Looks of the last second. @limit speed, files, bench/joins.bench.mjs */
  readonly #looks = new BoundedMap<DomainPath, Look>(MAX_LOOKS)
  /**
   * Files that cannot be read, by the state of the joined file: while this is open they are not read again.
   * @limit memory, files
   */
  readonly #unwell = new BoundedMap<string, Map<DomainPath, string>>(MAX_LOOKS)
  /** Outlines by stamp and dimension. @limit speed, datasets, bench/joins.bench.mjs */
  readonly #outlines = new BoundedMap<string, Outline>(MAX_OUTLINED, {
    weightOf: ({ datasets }) => datasets.size + 1,
  })

  /** `known`: absent, files that are gone leave no place behind. */
  constructor(files: JoinableFiles, known?: KnownFiles) {
    this.#files = files
    this.#known = known
  }

  /** The joined file of a definition. One that is not understood has the reason as its damage. */
  async look(placed: PlacedDefinition): Promise<MountedFile> {
    const { path, stamp } = placed
    const known = this.#looks.get(path)
    const now = SYSTEM_CLOCK.elapsed()
    if (known?.stamp === stamp && now < known.until) return known.found
    const found = this.#look(placed)
    const look = { stamp, until: Number.POSITIVE_INFINITY, found }
    this.#looks.set(path, look)
    try {
      return await found
    } catch (error) {
      if (this.#looks.get(path) === look) this.#looks.forget(path)
      throw error
    } finally {
      const end = SYSTEM_CLOCK.elapsed()
      look.until = end + Math.max(LOOK_MILLISECONDS, REST * (end - now))
    }
  }

  /** Reads the outlines of all files of a definition, and plans the joined file. */
  async review(path: DomainPath, definition: JoinDefinition, signal?: AbortCheck): Promise<Review> {
    const conflicts: JoinConflict[] = []
    const sources: OutlinedFile[] = []
    const paths: DomainPath[] = []
    try {
      const found = await findFiles(this.#files, path, definition.sources, { signal })
      paths.push(...found.flatMap(({ files }) => files.map(({ path }) => path)))
      sources.push(...(await this.#outlineSources(path, definition, found, { conflicts, signal })))
      const { along } = definition
      if (along.kind === 'new' && sources.length > 0) await newDimension(along, sources)
    } catch (error) {
      if (!isAboutFile(error)) throw error
      reportConflict(conflicts, { files: [], reason: error.message })
    }
    const files = sources.map(({ file }) => file.path)
    if (files.length === 0) return { found: paths, files, length: 0, places: [], datasets: [], conflicts }
    const joined = await planJoin(definition, sources, files, conflicts)
    const datasets = [...sources[0].outline.datasets].flatMap(([path, { address }]) => {
      const { space, axis } = joined.get(address) ?? {}
      return space && axis !== undefined ? [{ path, shape: space.dims, axis }] : []
    })
    const length = sources.reduce(
      (sum, { outline, taken = { count: outline.extent } }) => sum + taken.count,
      0,
    )
    const places = definition.along.kind === 'new' ? [] : newPlaces(sources, new Map())
    return { found: paths, files, length, places, datasets, conflicts }
  }

  async #look(placed: PlacedDefinition): Promise<MountedFile> {
    const { path, lastModified, stamp } = placed
    const hash = createHash('sha256').update(stamp)
    try {
      const rules = await placed.definition()
      const known = await this.#knownOf(placed, rules)
      const found = await findFiles(this.#files, path, rules.sources, { known })
      const files = found.flatMap(({ files }) => files)
      for (const { stamp, path } of files) hash.update(`${stamp}\0${path}\0`)
      // Its state is another one when the time for the last file to be written is over.
      for (const { newest } of found) hash.update(newest ? '1' : '0')
      const gone = new Map<DomainPath, string>()
      const there = new Set(files.map(({ path }) => path))
      for (const path of known.keys()) {
        if (there.has(path)) continue
        gone.set(path, `the file ${path} is gone`)
        hash.update(path)
      }
      const state = hash.digest('hex')
      const unwell = this.#unwell.use(state) ?? gone
      this.#unwell.set(state, unwell)
      return {
        kind: 'file',
        madeOf: [...there, ...gone.keys()],
        unwell,
        path,
        size: files.reduce((bytes, { size }) => bytes + size, 0),
        lastModified: files.reduce((last, file) => Math.max(last, file.lastModified), lastModified),
        stamp: state,
        open: () => this.#open({ ...placed, rules, found, known, unwell }),
      }
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code !== 'file-unreadable') throw error
      const open = () => Promise.reject(error)
      const base = { kind: 'file', madeOf: [], path, size: 0, lastModified } as const
      return { ...base, stamp: hash.update(error.message).digest('hex'), damage: error.message, open }
    }
  }

  /** A file is a coordinate of a new dimension: its place means nothing there. */
  async #knownOf({ root }: PlacedDefinition, { along }: JoinDefinition): Promise<KnownByPath> {
    return (root && along.kind !== 'new' && (await this.#known?.read(root))) || new Map()
  }

  async #open(looked: LookedFiles): Promise<OpenFile> {
    const { path, rules, found, known, root } = looked
    const readable = await this.#outlineSources(path, rules, found, looked)
    // None gives the objects.
    const [damage] = looked.unwell.values()
    if (readable.length === 0) throw refused(damage ?? 'none of its files can be read')
    const { sources, datasets } = await planFitting(readable, looked)
    const { along } = rules
    const added = along.kind === 'new' && { dimension: await newDimension(along, sources) }
    if (root && along.kind !== 'new') await this.#known?.write(root, newPlaces(sources, known))
    const files = sources.flatMap(({ file }) => file ?? [])
    const outlines = new Map(sources.map(({ path, outline }) => [path, outline]))
    const parts = await withKnownParts(datasets, outlines)
    return openJoined(files, { datasets: await withWholeChunks(parts, outlines), ...added })
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
    for (const { source, files, ...group } of found) {
      const others = areOneSource ? files.filter(file => !seen.has(file.path)) : files
      for (const file of others) seen.add(file.path)
      groups.push({ source, files: await this.#outlineAll(path, along, { ...group, files: others }, failed) })
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
    along: JoinAxis,
    { files, newest }: Pick<FoundFiles, 'files' | 'newest'>,
    { conflicts, known, unwell, signal }: Failures,
  ): Promise<readonly OutlinedFile[]> {
    const outlined: OutlinedFile[] = []
    const failures: JoinConflict[] = []
    const axisKey = keyOf(along)
    await inParallel(files, OUTLINES_AT_ONCE, async file => {
      signal?.throwIfAborted()
      const name = this.#nameOf(file, path)
      const key = `${file.stamp}\0${axisKey}`
      try {
        const outline =
          this.#outlines.use(key) ??
          (await withReaderOf(file, name, reader =>
            along.kind === 'new' ? readNewOutline(reader, along) : readOutline(reader, along),
          ))
        this.#outlines.set(key, outline)
        outlined.push({ name, path: file.path, file, outline })
      } catch (error) {
        if (!isAboutFile(error)) throw error
        if (file === newest) return
        if (known?.has(file.path)) unwell?.set(file.path, error.message)
        else if (conflicts) failures.push({ files: [name], reason: error.message })
        else throw error
      }
    })
    failures.sort(({ files: [one] }, { files: [other] }) => compareNames(one, other))
    for (const failure of failures) reportConflict(conflicts, failure)
    return outlined
  }
}

/** The place of a file that cannot be read: with none of these it is an error. */
interface Failures {
  /** It is added to them. */
  readonly conflicts?: JoinConflict[]
  /** If it is one of these, it is added to those that are unwell, with the reason. */
  readonly known?: KnownByPath
  readonly unwell?: Map<DomainPath, string>
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

/** The plan in which known files that do not fit any more have their places. */
async function planFitting(readable: readonly PlacedFile[], { rules, known, unwell }: LookedFiles) {
  for (;;) {
    const sources = placeUnwell(readable, unwell, known)
    const paths = sources.map(({ path }) => path)
    const conflicts: JoinConflict[] = []
    const datasets = await planJoin(rules, sources, paths, conflicts)
    if (conflicts.length === 0) return { sources, datasets }
    for (const conflict of conflicts) {
      const path = readable.find(({ name }) => name === conflict.files.at(-1))?.path
      if (path === undefined || !known.has(path)) reportConflict(undefined, conflict)
      else unwell.set(path, conflict.reason)
    }
  }
}

/** Two dimensions that have different outlines in some file have different keys. */
function keyOf(along: JoinAxis): string {
  return JSON.stringify(along, (_, value) => (value instanceof Map ? [...value] : value))
}

const WITH_READER: WithReader<OutlinedFile> = ({ file, name }, use) => withReaderOf(file, name, use)

/** Calls the function with a reader of the file; an error names the file. */
async function withReaderOf<Result>(
  file: MountedFile,
  name: string,
  use: (reader: H5FileReader) => Promise<Result>,
): Promise<Result> {
  const parts = new PartFiles([file])
  try {
    const open = await parts.open(file.path)
    return await use(await openH5File(open.source, name, { openSibling: open.openSibling }))
  } catch (error) {
    if (!isAboutFile(error)) throw error
    // Parts that a file has no more are missing for that reason.
    const reason = file.damage ?? error.message
    throw new HyperslabError('file-unreadable', `${name}: ${reason}`, { cause: error })
  } finally {
    parts.close()
  }
}

const CODES_OF_FILES: readonly ErrorCode[] = [
  'file-unreadable',
  'file-damaged',
  'file-open-for-writing',
  'not-hdf5',
  'type-unsupported',
]

function isAboutFile(error: unknown): error is HyperslabError {
  return error instanceof HyperslabError && CODES_OF_FILES.includes(error.code)
}
