// Joined files: each is a domain made of the files that a definition names. The first of these gives all objects; its
// datasets along the dimension are read from all of them, one after another. Nothing is copied: a file that comes, goes
// or changes changes the state of the joined file within a second.

import { createHash } from 'node:crypto'
import { BoundedMap, inParallel } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import { type H5FileReader, openH5File } from '@hyperslab/h5/reader'
import { type DomainPath, isTopLevel, namesBelow, parentOf, type Timestamp } from '@hyperslab/model/names'
import type { JoinConflict, JoinReview } from '@hyperslab/store/store'
import type { MountedFile, OpenFile } from '../mounts/mount.ts'
import { reportConflict } from './conflicts.ts'
import { compareNames, cutOverlaps, type JoinedSource, orderSources, type WithReader } from './coordinates.ts'
import { type JoinAxis, type JoinDefinition, labelOf } from './definition.ts'
import { type FoundFiles, findFiles, type JoinableFiles } from './find-files.ts'
import { withKnownParts } from './known-parts.ts'
import { newDimension, orderByCoordinate } from './new-axis.ts'
import { readNewOutline } from './new-outline.ts'
import { type Outline, readOutline } from './outline.ts'
import { openJoined, PartFiles } from './part-files.ts'
import { planJoin } from './plan.ts'
import { withWholeChunks } from './whole-chunks.ts'

/** A definition at a path, in one state. */
export interface PlacedDefinition {
  readonly path: DomainPath
  readonly stamp: string
  readonly lastModified: Timestamp
  readonly definition: () => Promise<JoinDefinition>
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

interface OutlinedFile extends JoinedSource {
  readonly file: MountedFile
}

export class JoinedFiles {
  readonly #files: JoinableFiles
  /** Looks of the last second. @limit speed, files, bench/joins.bench.mjs */
  readonly #looks = new BoundedMap<DomainPath, Look>(MAX_LOOKS)
  /** Outlines by stamp and dimension. @limit speed, datasets, bench/joins.bench.mjs */
  readonly #outlines = new BoundedMap<string, Outline>(MAX_OUTLINED, {
    weightOf: ({ datasets }) => datasets.size + 1,
  })

  constructor(files: JoinableFiles) {
    this.#files = files
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
  async review(path: DomainPath, definition: JoinDefinition): Promise<Omit<JoinReview, 'fileLists'>> {
    const conflicts: JoinConflict[] = []
    const sources: OutlinedFile[] = []
    try {
      const found = await findFiles(this.#files, path, definition.sources)
      sources.push(...(await this.#outlineSources(path, definition, found, conflicts)))
      const { along } = definition
      if (along.kind === 'new' && sources.length > 0) await newDimension(along, sources)
    } catch (error) {
      if (!isAboutFile(error)) throw error
      reportConflict(conflicts, { files: [], reason: error.message })
    }
    const files = sources.map(({ file }) => file.path)
    if (files.length === 0) return { files, length: 0, datasets: [], conflicts }
    const joined = await planJoin(definition, sources, files, conflicts)
    const datasets = [...sources[0].outline.datasets].flatMap(([path, { address }]) => {
      const { space, axis } = joined.get(address) ?? {}
      return space && axis !== undefined ? [{ path, shape: space.dims, axis }] : []
    })
    const length = sources.reduce((sum, { outline }) => sum + outline.extent, 0)
    return { files, length, datasets, conflicts }
  }

  async #look(placed: PlacedDefinition): Promise<MountedFile> {
    const { path, lastModified, stamp } = placed
    const hash = createHash('sha256').update(stamp)
    try {
      const definition = await placed.definition()
      const found = await findFiles(this.#files, path, definition.sources)
      const files = found.flatMap(({ files }) => files)
      for (const { stamp, path } of files) hash.update(`${stamp}\0${path}\0`)
      // Its state is another one when the time for the last file to be written is over.
      for (const { newest } of found) hash.update(newest ? '1' : '0')
      return {
        kind: 'file',
        madeOf: files.map(({ path }) => path),
        path,
        size: files.reduce((bytes, { size }) => bytes + size, 0),
        lastModified: files.reduce((last, file) => Math.max(last, file.lastModified), lastModified),
        stamp: hash.digest('hex'),
        open: () => this.#open(path, definition, found),
      }
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code !== 'file-unreadable') throw error
      const open = () => Promise.reject(error)
      const base = { kind: 'file', madeOf: [], path, size: 0, lastModified } as const
      return { ...base, stamp: hash.update(error.message).digest('hex'), damage: error.message, open }
    }
  }

  async #open(path: DomainPath, definition: JoinDefinition, found: readonly FoundFiles[]): Promise<OpenFile> {
    const sources = await this.#outlineSources(path, definition, found)
    const files = sources.map(({ file }) => file)
    const paths = files.map(({ path }) => path)
    const datasets = await planJoin(definition, sources, paths)
    const { along } = definition
    const added = along.kind === 'new' && { dimension: await newDimension(along, sources) }
    const outlines = new Map(sources.map(({ file, outline }) => [file.path, outline]))
    const known = await withKnownParts(datasets, outlines)
    return openJoined(files, { datasets: await withWholeChunks(known, outlines), ...added })
  }

  /** The files in their order, with their outlines. With a list for conflicts, unreadable files are added to it. */
  async #outlineSources(
    path: DomainPath,
    definition: JoinDefinition,
    found: readonly FoundFiles[],
    conflicts?: JoinConflict[],
  ): Promise<readonly OutlinedFile[]> {
    const sources: OutlinedFile[] = []
    const { along } = definition
    const dimension = labelOf(along)
    for (const { source, ...group } of found) {
      const outlined = await this.#outlineAll(path, along, group, conflicts)
      const [first] = outlined
      const length = first?.outline.extent
      if (source.kind === 'file' && first && (source.count ?? length) !== length) {
        const rule = `${dimension} has the length ${length}, and its ncoords is ${source.count}`
        reportConflict(conflicts, { files: [first.name], reason: `${first.name}: ${rule}` })
      } else if (along.kind === 'new') sources.push(...(await orderByCoordinate(along, source, outlined)))
      else if (source.kind === 'file') sources.push(...outlined)
      else {
        const ordered = await orderSources(definition, outlined, conflicts)
        sources.push(...(await cutOverlaps(definition, ordered, WITH_READER)))
      }
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
    conflicts?: JoinConflict[],
  ): Promise<readonly OutlinedFile[]> {
    const outlined: OutlinedFile[] = []
    const failures: JoinConflict[] = []
    const axisKey = keyOf(along)
    await inParallel(files, OUTLINES_AT_ONCE, async file => {
      const name = this.#nameOf(file, path)
      const key = `${file.stamp}\0${axisKey}`
      try {
        const outline =
          this.#outlines.use(key) ??
          (await withReaderOf(file, name, reader =>
            along.kind === 'new' ? readNewOutline(reader, along) : readOutline(reader, along),
          ))
        this.#outlines.set(key, outline)
        outlined.push({ name, file, outline })
      } catch (error) {
        if (!isAboutFile(error)) throw error
        if (file === newest) return
        if (!conflicts) throw error
        failures.push({ files: [name], reason: error.message })
      }
    })
    failures.sort(({ files: [one] }, { files: [other] }) => compareNames(one, other))
    for (const failure of failures) reportConflict(conflicts, failure)
    return outlined
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
    throw new HyperslabError('file-unreadable', `${name}: ${error.message}`, { cause: error })
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
