// The outlines of the files of joined domains: each file is read once for each of its states. They are kept in memory,
// and in the store with the domain, so that a restart or another node reads them back.

import { BoundedMap, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type H5FileReader, isOfUnreadable, openH5File } from '@hyperslab/h5/reader'
import type { ObjectId } from '@hyperslab/model/names'
import type { KeptOutline, KnownFiles } from '@hyperslab/store/store'
import type { MountedFile } from '../../mounts/mount.ts'
import { isWithinLast } from '../../mounts/session-contents.ts'
import type { OutlineRules } from '../definition.ts'
import { readObjects } from '../objects/objects-outline.ts'
import { PartFiles } from '../part-files.ts'
import { readCompared } from './compared-datasets.ts'
import { readNewOutline } from './new-outline.ts'
import { type Outline, readOutline } from './outline.ts'
import { keyOfDatasets, shareDatasets, shareValue } from './shared-parts.ts'

/** Files, and different datasets in them, whose outlines are kept in memory. @limit memory, files and datasets */
const MAX_OUTLINED = 400_000
/** Joined domains of which it is known what the store has. @limit memory, domains */
const MAX_DOMAINS = 256
/** More files than these are read back from the store together. */
const FEW = 8
/** The time after its last change in which a file may change again and look the same. */
const SETTLED_MILLISECONDS = 2000
/** The beginning of the keys of parts that files share: they are before those of files, which are paths. */
const SHARED_PREFIX = '#'
/** Another number when outlines have other parts, or other meanings. */
const FORM = 1

/** A file and what was read of it. */
export interface FileWithOutline {
  readonly file: MountedFile
  readonly outline: Outline
}

interface FileHead extends Omit<Outline, 'datasets' | 'known'> {
  readonly form: number
  readonly stamp: string
  /** The key of its datasets. */
  readonly shared: string
  /** Its coordinates are the data beside the head. */
  readonly known?: Omit<NonNullable<Outline['known']>, 'data'>
}

interface SharedHead {
  readonly form: number
  readonly datasets: Outline['datasets']
}

export class FileOutlines {
  readonly #known: KnownFiles | undefined
  /** Datasets that several outlines have count once. */
  readonly #counted = new WeakSet<Outline['datasets']>()
  /** Outlines by stamp and dimension. @limit speed, files and datasets, bench/joins.bench.mjs */
  readonly #outlines = new BoundedMap<string, { readonly outline: Outline; readonly weight: number }>(
    MAX_OUTLINED,
    { weightOf: ({ weight }) => weight },
  )
  /** The outlines that the store has, by root group. @limit speed, domains, bench/joins.bench.mjs */
  readonly #stored = new BoundedMap<ObjectId, WeakSet<Outline>>(MAX_DOMAINS)
  readonly #ruleKeys = new WeakMap<OutlineRules, string>()

  /** `known`: absent, outlines are kept in memory alone. */
  constructor(known?: KnownFiles) {
    this.#known = known
  }

  /** The outline of the file. Throws an error of its file (`isOfUnreadable`), with its name. */
  async read(file: MountedFile, name: string, rules: OutlineRules): Promise<Outline> {
    const key = this.#keyOf(file, rules)
    const outline =
      this.#outlines.use(key)?.outline ?? (await withReaderOf(file, name, reader => readAny(reader, rules)))
    this.#keep(key, outline)
    return outline
  }

  /**
   * Reads back what the store has of the files of a domain, if it can be much. If they are all of its files, what the
   * store has of others is removed once it is more.
   */
  async load(
    root: ObjectId,
    rules: OutlineRules,
    files: readonly MountedFile[],
    areAll: boolean,
  ): Promise<void> {
    if (!this.#known) return
    let missing = 0
    for (const file of files) if (!this.#outlines.get(this.#keyOf(file, rules))) missing++
    const before = this.#stored.use(root)
    if (before && missing <= FEW) return
    const stored = before ?? new WeakSet()
    const byPath = new Map(files.map(file => [file.path as string, file]))
    const shared = new Map<string, Outline['datasets']>()
    const unused = new Set<string>()
    for await (const { key, head, data } of this.#known.outlines(root)) {
      if (isTurnOver()) await nextTurn()
      const { form, datasets: whole, shared: name, stamp } = head as Partial<SharedHead & FileHead>
      unused.add(key)
      if (form !== FORM) continue
      if (whole) shared.set(key, shareDatasets(whole))
      const file = byPath.get(key)
      const datasets = shared.get(name ?? '')
      if (!name || !datasets || !file || stamp !== stateOf(file)) continue
      unused.delete(key)
      unused.delete(name)
      const memoryKey = this.#keyOf(file, rules)
      const outline = this.#outlines.use(memoryKey)?.outline ?? outlineOf(head as FileHead, data, datasets)
      this.#keep(memoryKey, outline)
      stored.add(outline)
    }
    this.#stored.set(root, stored)
    // A file that cannot be found now may be there again when its folder is.
    if (areAll && unused.size > files.length) await this.#known.keepOutlines(root, [], [...unused])
  }

  /** Keeps the outlines of the files of a domain in the store. */
  async store(root: ObjectId, files: readonly FileWithOutline[]): Promise<void> {
    if (!this.#known) return
    const stored = this.#stored.use(root) ?? new WeakSet()
    const parts: KeptOutline[] = []
    const shared = new Map<string, KeptOutline>()
    for (const { file, outline } of files) {
      if (isTurnOver()) await nextTurn()
      // Objects of unions are in memory alone: a file can have very many.
      if (outline.objects || stored.has(outline) || isWithinLast(SETTLED_MILLISECONDS, file.lastModified))
        continue
      const { datasets, known, ...rest } = outline
      const key = SHARED_PREFIX + keyOfDatasets(datasets)
      const head: SharedHead = { form: FORM, datasets }
      if (!shared.has(key)) shared.set(key, { key, head })
      parts.push(partOf(file, { ...rest, shared: key }, known))
      stored.add(outline)
    }
    if (parts.length > 0) await this.#known.keepOutlines(root, [...shared.values(), ...parts])
    this.#stored.set(root, stored)
  }

  /** Two rules that give different outlines of some file have different keys. */
  #keyOf({ stamp }: MountedFile, rules: OutlineRules): string {
    let key = this.#ruleKeys.get(rules)
    key ??= JSON.stringify([rules.along, rules.check], (_, value) =>
      value instanceof Map ? [...value] : value,
    )
    this.#ruleKeys.set(rules, key)
    return `${stamp}\0${key}`
  }

  #keep(key: string, outline: Outline): void {
    const { datasets } = outline
    if (this.#outlines.get(key)?.outline === outline) return
    const weight = this.#counted.has(datasets) ? 1 : weightOfOutline(outline)
    this.#counted.add(datasets)
    this.#outlines.set(key, { outline, weight })
  }
}

async function readAny(reader: H5FileReader, { along, check }: OutlineRules): Promise<Outline> {
  if (along.kind === 'union') return readObjects(reader)
  const outline = await (along.kind === 'new' ? readNewOutline(reader, along) : readOutline(reader, along))
  return check ? { ...outline, others: shareValue(await readCompared(reader, outline, check)) } : outline
}

/** The file, its datasets and objects, and the links and attributes of its groups. */
export function weightOfOutline({ datasets, objects = new Map() }: Outline): number {
  let weight = datasets.size + 1
  for (const { links = [], attributes = [] } of objects.values())
    weight += 1 + links.length + attributes.length
  return weight
}

/** The state of a file, equal on all machines that have its folder: devices have other numbers there. */
function stateOf({ stamp, place }: MountedFile): string {
  return place === undefined ? stamp : stamp.slice(stamp.indexOf('-') + 1)
}

function partOf(
  file: MountedFile,
  rest: Pick<FileHead, 'extent' | 'shared'>,
  known: Outline['known'],
): KeptOutline {
  const base = { form: FORM, stamp: stateOf(file), ...rest }
  if (!known) return { key: file.path, head: base }
  const { data, ...of } = known
  return { key: file.path, head: { ...base, known: of }, data }
}

function outlineOf(
  { form, stamp, shared, known, ...rest }: FileHead,
  data: Uint8Array | undefined,
  datasets: Outline['datasets'],
): Outline {
  return { ...rest, datasets, ...(known && data && { known: { ...shareValue(known), data } }) }
}

/** Calls the function with a reader of the file; an error names the file. */
export async function withReaderOf<Result>(
  file: MountedFile,
  name: string,
  use: (reader: H5FileReader) => Promise<Result>,
): Promise<Result> {
  const parts = new PartFiles([file])
  try {
    const open = await parts.open(file.path)
    return await use(await openH5File(open.source, name, { openSibling: open.openSibling }))
  } catch (error) {
    if (!isOfUnreadable(error)) throw error
    // Parts that a file has no more are missing for that reason.
    const reason = file.damage ?? error.message
    throw new HyperslabError('file-unreadable', `${name}: ${reason}`, { cause: error })
  } finally {
    parts.close()
  }
}
