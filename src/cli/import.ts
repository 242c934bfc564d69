// `hyperslab import`: HDF5 files into a data folder, also while servers run on it, or into a running server.

import { basename } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { openAccounts } from '../accounts/accounts.ts'
import { HyperslabError } from '../errors.ts'
import { openH5wasmReader } from '../h5file/h5wasm/reader.ts'
import {
  bucketOf,
  childOf,
  DEFAULT_BUCKET,
  type DomainPath,
  formatDnsName,
  isTopLevel,
  parseDnsName,
} from '../hdf5/domain-path.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import { parseBucketPath } from '../http/dialect/buckets.ts'
import { openFileSource } from '../transfer/file-source.ts'
import { type ImportProgress, type ImportSummary, importFile } from '../transfer/import-file.ts'
import { openStoreTarget } from '../transfer/store-target.ts'
import type { ImportTarget } from '../transfer/target.ts'
import { classicName } from './classic-name.ts'
import { bucketsOf, type Settings } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { readPassword } from './password.ts'
import { prepareAndReport } from './prepare-folder.ts'
import { openHttpTarget } from './remote-target.ts'
import { foreseen, UsageError } from './usage-error.ts'

export interface ImportCommand {
  readonly to?: string
  readonly as?: string
  readonly readOnly?: boolean
  readonly replace?: boolean
  readonly endpoint?: string
  readonly data?: string
  readonly user?: string
  /** The password of that user; absent: the command asks for it. */
  readonly password?: string | undefined
}

/** The exit code when everything was imported except what warnings name. */
const INCOMPLETE = 3

/** The most files that the last line names. */
const MAX_NAMED = 10

/** The destination of files: a data folder or a server. */
interface Destination {
  /** The target for a file: a new domain of that name. */
  open(path: DomainPath, time: Timestamp): Promise<ImportTarget>
  /** The name of a domain of the default bucket for clients of the classic dialect. */
  classicName(path: DomainPath): Promise<string>
}

/** Imports the files one after another; a UsageError at the end if a file, or a part of one, could not be imported. */
export async function runImport(
  files: readonly string[],
  command: ImportCommand,
  settings: Settings,
): Promise<void> {
  const names = domainNames(files, command, settings)
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort(new UsageError(`ended by ${signal}`, 130)))
  }
  const failed: string[] = []
  const incomplete: string[] = []
  await withDestination(command, settings, async destination => {
    for (const [index, file] of files.entries()) {
      try {
        const { warnings } = await importOne(file, names[index], destination, interruption.signal)
        if (warnings.length > 0) incomplete.push(file)
      } catch (error) {
        const message = foreseen(error)
        if (message === undefined) throw error
        console.error(withSubject(file, message))
        failed.push(file)
        if (isLocked(error)) {
          // The other files would fail too.
          failed.push(...files.slice(index + 1))
          break
        }
      }
      if (interruption.signal.aborted) break
    }
  })
  const summarize = (some: readonly string[], what: string) =>
    `${some.length} of ${formatCount(files.length, 'file')} could ${what}: ${formatFiles(some)}`
  if (failed.length > 0) throw new UsageError(summarize(failed, 'not be imported'), 1)
  if (incomplete.length > 0) {
    throw new UsageError(summarize(incomplete, 'be imported in part only'), INCOMPLETE)
  }
}

/** The first files; a line was printed for each of them before. */
function formatFiles(files: readonly string[]): string {
  const others = files.length - MAX_NAMED
  return files.slice(0, MAX_NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '')
}

/** Whether another process holds the write lock, perhaps when the import was undone. */
function isLocked(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLocked)
  return error instanceof HyperslabError && error.code === 'storage-locked'
}

/** The name of the domain that each file becomes. */
function domainNames(
  files: readonly string[],
  { to, as }: ImportCommand,
  settings: Settings,
): readonly DomainPath[] {
  if ((to === undefined) === (as === undefined)) {
    throw new UsageError(
      'the destination is missing: give --to FOLDER for domains named like their files, or --as DOMAIN for one file',
    )
  }
  if (as !== undefined) {
    if (files.length > 1)
      throw new UsageError('--as names one domain: give one file, or --to FOLDER for several')
    const path = as.includes('/') ? parsePath(as, settings) : parseDnsName(as, settings.baseDomain)
    if (isTopLevel(path)) throw new UsageError(`--as ${as} is not the name of a domain, such as /test/tall`)
    return [path]
  }
  const folder = parsePath(to ?? '', settings)
  return files.map(file => childOf(folder, basename(file)))
}

/** `/home/x`, or `archive/home/x` in another bucket than the default one. */
function parsePath(text: string, settings: Settings): DomainPath {
  return parseBucketPath(text, DEFAULT_BUCKET, bucketsOf(settings))
}

/** Keeps the destination open for as long as `work` takes. */
async function withDestination(
  { readOnly = false, replace = false, endpoint, data, user, password }: ImportCommand,
  settings: Settings,
  work: (destination: Destination) => Promise<void>,
): Promise<void> {
  const { dataFolder, baseDomain } = settings
  if (endpoint === undefined) {
    if (user !== undefined) throw new UsageError('--user needs --endpoint: a data folder has no login')
    prepareAndReport(dataFolder)
    const store = await openDataFolder(dataFolder)
    const accounts = openAccounts(settings, {
      report: error => console.error(foreseen(error) ?? error),
      warn: console.error,
    })
    const isAdmin = (name: string) => accounts.find(name).admin
    const isDomain = (path: DomainPath) =>
      store.read(async reader => (await reader.domain(path))?.root !== undefined)
    try {
      await work({
        open: (path, time) =>
          openStoreTarget(store, { path, time, readOnly, replace, access: { ...settings, isAdmin } }),
        classicName: path => classicName(path, baseDomain, isDomain),
      })
    } finally {
      await store.close()
    }
    return
  }
  if (data !== undefined)
    throw new UsageError(
      '--data and --endpoint exclude each other: files go into a data folder or to a server',
    )
  if (readOnly) throw new UsageError('--read-only needs a data folder: it cannot be set over HTTP')
  if (replace) throw new UsageError('--replace needs a data folder: over HTTP it would not be atomic')
  if (!URL.canParse(endpoint))
    throw new UsageError(`--endpoint: "${endpoint}" must be a URL such as http://127.0.0.1:5101`)
  const credentials =
    user === undefined
      ? undefined
      : { name: user, password: password ?? (await readPassword(`Password for ${user}: `)) }
  await work({
    async open(path) {
      if (bucketOf(path) !== DEFAULT_BUCKET) {
        throw new UsageError(
          `${path}: over HTTP files go into the default bucket; other buckets need a data folder`,
        )
      }
      const dnsName = formatDnsName(path, baseDomain)
      return openHttpTarget({ endpoint, dnsName, path, ...(credentials && { credentials }) })
    },
    classicName: async path => `?host=${await classicName(path, baseDomain, async () => false)}`,
  })
}

async function importOne(
  file: string,
  path: DomainPath,
  destination: Destination,
  signal: AbortSignal,
): Promise<ImportSummary> {
  const source = openFileSource(file)
  try {
    const reader = await openH5wasmReader(file, source)
    try {
      const target = await destination.open(path, source.lastModified)
      const summary = await withProgressBar(file, progress =>
        importFile(reader, target, { signal, progress, requireUnchanged: () => source.requireUnchanged() }),
      )
      const isNamed = bucketOf(path) === DEFAULT_BUCKET
      printSummary(file, isNamed ? `${path} (${await destination.classicName(path)})` : path, summary)
      return summary
    } finally {
      await reader.close()
    }
  } finally {
    source.close()
  }
}

/** Shows a progress bar while `work` runs, if there is a terminal. */
async function withProgressBar<T>(file: string, work: (progress: ImportProgress) => Promise<T>): Promise<T> {
  const format = `${basename(file).replaceAll('{', '(')} {bar} {percentage} % | {eta_formatted} left`
  const bar = new SingleBar({ format, clearOnComplete: true, stream: process.stderr }, Presets.shades_classic)
  let isStarted = false
  try {
    return await work((done, total) => {
      if (isStarted) bar.update(done)
      else bar.start(total, done)
      isStarted = true
    })
  } finally {
    bar.stop()
  }
}

function printSummary(file: string, domain: string, summary: ImportSummary): void {
  const { groups, datasets, unreadable, datatypes, attributes, bytes, warnings, newFolders } = summary
  const counts = [
    formatCount(groups, 'group'),
    formatCount(datasets, 'dataset') + (unreadable > 0 ? ` (${unreadable} without values)` : ''),
    ...(datatypes > 0 ? [formatCount(datatypes, 'committed datatype')] : []),
    formatCount(attributes, 'attribute'),
    `${formatBytes(bytes)} of values`,
  ]
  console.log(`${file} -> ${domain}: ${counts.join(', ')}`)
  for (const folder of newFolders) console.error(`created the folder ${folder}`)
  for (const warning of warnings) console.error(`  warning: ${withSubject(warning.path, warning.message)}`)
}

/** The message after its subject, unless it begins with that. */
function withSubject(subject: string, message: string): string {
  return message.startsWith(subject) ? message : `${subject}: ${message}`
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return power === 0
    ? formatCount(bytes, 'byte')
    : `${(bytes / 2 ** (10 * power)).toFixed(1)} ${units[power]}`
}
