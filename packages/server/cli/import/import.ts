// `hyperslab import`: HDF5 files into a data folder, also while servers run on it, or into a running server.

import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { inParallel } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { findFiles, IncompleteFile, openFileSource } from '@hyperslab/files/import'
import { bucketOf, childOf, DEFAULT_BUCKET, type DomainPath, isTopLevel } from '@hyperslab/model/names'
import { ServiceEnded } from '@hyperslab/store/engines'
import { parseDomainName, parsePath } from '../domain-name.ts'
import { abortedBySignals } from '../interruption.ts'
import type { Settings } from '../settings/table.ts'
import { foreseen, INCOMPLETE, UsageError } from '../usage-error.ts'
import type { Destination, ImportedDomain } from './destination.ts'
import { type DestinationOptions, withDestination } from './import-destination.ts'
import {
  formatCount,
  formatFiles,
  formatOutcomes,
  ImportProgressBar,
  type Outcomes,
  printImported,
  printPassedOver,
  printWarnings,
  withSubject,
} from './import-report.ts'

export interface ImportCommand extends DestinationOptions {
  readonly to?: string
  readonly as?: string
  readonly recursive?: boolean
  readonly strict?: boolean
}

/**
 * A full garbage collection begins when the heap is twice as large as after the last one, instead of up to four times
 * as large: an import makes much garbage for each object of a file (docs/decisions/021).
 */
const COLLECT_SOON = '--heap-growing-percent=100'

/** Files that are imported at once: more of them would only share the same processor and disk. */
const PARALLEL_FILES = 4

/** A file, and the name of the domain that it becomes. */
interface NamedFile {
  readonly file: string
  readonly path: DomainPath
  /** The folder below which the files that it names must be. */
  readonly root: string
  /** True: it was found in a folder, and not named in the arguments. */
  readonly isFound: boolean
  /** True: its domain is read-only, because the owner of the file may not write it (classic 3.11). */
  readonly isReadOnly: boolean
}

/** Imports the files; a UsageError at the end if a file, or a part of one, could not be imported. */
export async function runImport(
  paths: readonly string[],
  command: ImportCommand,
  settings: Settings,
): Promise<void> {
  setFlagsFromString(COLLECT_SOON)
  const failed: string[] = []
  const fail = (file: string, error: unknown): void => {
    const message = foreseen(error)
    if (message === undefined) throw error
    console.error(withSubject(file, message))
    failed.push(file)
  }
  const files = nameDomains(paths, command, settings, fail)
  requireDifferentNames(files)
  const elsewhere = files.find(({ path }) => bucketOf(path) !== DEFAULT_BUCKET)
  if (elsewhere && command.endpoint !== undefined) {
    throw new UsageError(
      `${elsewhere.path}: over HTTP files go into the default bucket; other buckets need a data folder`,
    )
  }
  const total = files.length + failed.length
  const { outcomes } = await abortedBySignals(async signal => {
    const run = new ImportRun(files, command, signal, failed)
    await withDestination(command, settings, destination => run.importAll(destination, fail))
    return run
  })
  if (total === 0)
    console.log(`0 files: there is no HDF5 file below ${paths.join(', ')} (hidden ones are passed over)`)
  else if (total !== 1 || command.recursive) console.log(formatOutcomes(total, outcomes))
  const order = new Map(files.map(({ file }, index) => [file, index]))
  const summarize = (names: readonly string[], outcome: string) => {
    const sorted = [...names].sort((a, b) => (order.get(a) ?? -1) - (order.get(b) ?? -1))
    return `${names.length} of ${formatCount(total, 'file')} could ${outcome}: ${formatFiles(sorted)}`
  }
  if (failed.length > 0) throw new UsageError(summarize(failed, 'not be imported'), 1)
  if (outcomes.inPart.length > 0) {
    throw new UsageError(summarize(outcomes.inPart, 'be imported in part only'), INCOMPLETE)
  }
}

class ImportRun {
  readonly #files: readonly NamedFile[]
  readonly #command: ImportCommand
  readonly #signal: AbortSignal
  readonly #failed: string[]
  readonly #bar: ImportProgressBar
  readonly #imported: string[] = []
  readonly #replaced: string[] = []
  readonly #unchanged: string[] = []
  readonly #notHdf5: string[] = []
  readonly #inPart: string[] = []
  #isOver = false

  constructor(files: readonly NamedFile[], command: ImportCommand, signal: AbortSignal, failed: string[]) {
    this.#files = files
    this.#command = command
    this.#signal = signal
    this.#failed = failed
    const title = files.length === 1 ? basename(files[0].file) : formatCount(files.length, 'file')
    this.#bar = new ImportProgressBar(files.length, title)
  }

  get outcomes(): Outcomes {
    return {
      imported: this.#imported,
      replaced: this.#replaced,
      unchanged: this.#unchanged,
      notHdf5: this.#notHdf5,
      failed: this.#failed,
      inPart: this.#inPart,
    }
  }

  async importAll(destination: Destination, fail: (file: string, error: unknown) => void): Promise<void> {
    try {
      await inParallel(this.#files, PARALLEL_FILES, async named => {
        if (this.#signal.aborted) return
        const { file, isFound } = named
        const progress = this.#bar.begin()
        try {
          // The other files would fail too.
          if (this.#isOver) this.#failed.push(file)
          else await this.#import(named, destination, progress)
        } catch (error) {
          if (isFound && error instanceof HyperslabError && error.code === 'not-hdf5') {
            this.#notHdf5.push(file)
            this.#bar.print(() => printPassedOver(file, 'it is no HDF5 file'))
            return
          }
          // One message has the reason for these files.
          if (this.#isOver && preventsOthers(error)) {
            this.#failed.push(file)
            return
          }
          this.#isOver ||= preventsOthers(error)
          this.#bar.print(() => {
            fail(file, error)
            if (error instanceof IncompleteFile) printWarnings(file, error.warnings)
          })
        } finally {
          progress(1)
        }
      })
    } finally {
      this.#bar.stop()
    }
  }

  async #import(
    { file, path, root, isFound, isReadOnly }: NamedFile,
    destination: Destination,
    progress: (part: number) => void,
  ): Promise<void> {
    const source = openFileSource(file)
    try {
      const { size, lastModified } = source
      const before = isFound ? await destination.importedFile(path, { size, lastModified }) : undefined
      if (before) {
        this.#unchanged.push(file)
        if (before.inPart) this.#inPart.push(file)
        return
      }
      const summary = await destination.import(
        { name: file, source, root, path, isReadOnly },
        { signal: this.#signal, progress, strict: this.#command.strict ?? false },
      )
      this.#count(file, summary)
      const domain = await destination.describe(path)
      this.#bar.print(() => printImported(file, domain, summary))
    } finally {
      source.close()
    }
  }

  #count(file: string, { replaced, warnings }: ImportedDomain): void {
    if (replaced) this.#replaced.push(file)
    else this.#imported.push(file)
    if (warnings.length > 0) this.#inPart.push(file)
  }
}

/** Whether another process holds the write lock, or the service has ended, perhaps when the import was undone. */
function preventsOthers(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(preventsOthers)
  return error instanceof ServiceEnded || (error instanceof HyperslabError && error.code === 'storage-locked')
}

/** The files in the arguments or in folders, and the name of the domain for each. `fail` is called for the others. */
function nameDomains(
  paths: readonly string[],
  { to, as, recursive = false }: ImportCommand,
  settings: Settings,
  fail: (file: string, error: unknown) => void,
): readonly NamedFile[] {
  if ((to === undefined) === (as === undefined)) {
    throw new UsageError(
      'the destination is missing: give --to FOLDER for domains named like their files, or --as DOMAIN for one file',
    )
  }
  const folder = paths.find(isFolder)
  if (folder !== undefined && !recursive) {
    throw new UsageError(`${folder} is a folder: -r imports the HDF5 files in it and in the folders below it`)
  }
  if (as !== undefined) {
    const [file] = paths
    if (paths.length > 1 || isFolder(file))
      throw new UsageError('--as names one domain: give one file, or --to FOLDER for several')
    const path = parseOption('--as', () => parseDomainName(as, settings))
    if (isTopLevel(path)) throw new UsageError(`--as ${as} is not the name of a domain, such as /test/tall`)
    return [{ file, path, root: dirname(file), isFound: false, isReadOnly: false }]
  }
  const passedOver = {
    unreadable: fail,
    hidden: (file: string) => printPassedOver(file, reasonOfHidden(file)),
    outside: (file: string) => printPassedOver(file, 'the link leads out of the folder, or nowhere'),
  }
  const above = parseOption('--to', () => parsePath(to ?? '', settings))
  const files: NamedFile[] = []
  const add = (
    file: string,
    root: string,
    names: readonly string[],
    found?: { readonly isWritable: boolean },
  ): void => {
    try {
      const path = names.reduce(childOf, above)
      files.push({ file, path, root, isFound: found !== undefined, isReadOnly: found?.isWritable === false })
    } catch (error) {
      fail(file, error)
    }
  }
  for (const file of paths) {
    if (isFolder(file))
      for (const found of findFiles(file, passedOver)) add(found.path, file, found.names, found)
    else if (recursive && !existsSync(file)) fail(file, new UsageError('there is no such folder or file', 1))
    else add(file, dirname(file), [basename(file)])
  }
  return files
}

/** h5serv keeps the table of a file that it cannot write in a hidden file beside it (classic 11.5). */
function reasonOfHidden(file: string): string {
  const owner = join(dirname(file), basename(file).slice(1))
  if (!existsSync(owner) || isFolder(owner)) return 'it is hidden'
  return `it is hidden; if h5serv made it for ${owner}, the access control lists in it are not taken over`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Files that are imported at once must not become one domain. */
function requireDifferentNames(files: readonly NamedFile[]): void {
  const named = new Map<DomainPath, string>()
  for (const { file, path } of files) {
    const other = named.get(path)
    if (other !== undefined) {
      throw new UsageError(`${other} and ${file} would both become the domain ${path}: import one of them`)
    }
    named.set(path, file)
  }
}

/** The parsed value of an option; one that breaks a rule is an error of the command. */
function parseOption<T>(option: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof HyperslabError) throw new UsageError(`${option}: ${error.message}`)
    throw error
  }
}
