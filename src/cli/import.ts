// `hyperslab import`: HDF5 files into a data folder, also while servers run on it, or into a running server.

import { basename } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { HyperslabError } from '../errors.ts'
import { openH5wasmReader } from '../h5file/h5wasm-reader.ts'
import {
  childOf,
  type DomainPath,
  formatDnsName,
  parseDnsName,
  parseDomainPath,
  ROOT_FOLDER,
} from '../hdf5/domain-path.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { Settings } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { openFileSource } from './import/file-source.ts'
import { openHttpTarget } from './import/http-target.ts'
import { type ImportProgress, type ImportSummary, importFile } from './import/import-file.ts'
import { openStoreTarget } from './import/store-target.ts'
import type { ImportTarget } from './import/target.ts'
import { readPassword } from './password.ts'
import { UsageError } from './usage-error.ts'

export interface ImportCommand {
  readonly to?: string
  readonly as?: string
  readonly readOnly?: boolean
  readonly replace?: boolean
  readonly endpoint?: string
  readonly user?: string
  /** Of that user; absent: it is asked for. */
  readonly password?: string | undefined
}

/** Opens the target for a file: a domain that is to be, of that name. */
type OpenTarget = (path: DomainPath, time: Timestamp) => Promise<ImportTarget>

/** Imports the files one after another; a UsageError at the end if one of them could not be. */
export async function runImport(
  files: readonly string[],
  command: ImportCommand,
  settings: Settings,
): Promise<void> {
  const names = domainNames(files, command, settings.baseDomain)
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort(new UsageError(`ended by ${signal}`, 130)))
  }
  let failed = 0
  await withTargets(command, settings, async openTarget => {
    for (const [index, file] of files.entries()) {
      try {
        await importOne(file, names[index], openTarget, interruption.signal)
      } catch (error) {
        if (!(error instanceof HyperslabError || error instanceof UsageError)) throw error
        console.error(about(file, error.message))
        failed++
      }
      if (interruption.signal.aborted) break
    }
  })
  if (failed > 0) throw new UsageError(`${failed} of ${files.length} files could not be imported`, 1)
}

/** The name of the domain that each file becomes. */
function domainNames(
  files: readonly string[],
  { to, as }: ImportCommand,
  baseDomain: string,
): readonly DomainPath[] {
  if ((to === undefined) === (as === undefined)) {
    throw new UsageError(
      'say where to: --to FOLDER for domains named like their files, or --as DOMAIN for one file',
    )
  }
  if (as !== undefined) {
    if (files.length > 1) throw new UsageError('--as names one domain: give one file, or a folder with --to')
    const path = as.startsWith('/') ? parseDomainPath(as) : parseDnsName(as, baseDomain)
    if (path === ROOT_FOLDER) throw new UsageError(`--as ${as} is not the name of a domain`)
    return [path]
  }
  const folder = parseDomainPath(to ?? '')
  return files.map(file => childOf(folder, basename(file)))
}

/** Opens what the targets need for as long as `work` takes. */
async function withTargets(
  { readOnly = false, replace = false, endpoint, user, password }: ImportCommand,
  settings: Settings,
  work: (openTarget: OpenTarget) => Promise<void>,
): Promise<void> {
  if (endpoint === undefined) {
    if (user !== undefined) throw new UsageError('--user goes with --endpoint')
    const store = await openDataFolder(settings.dataFolder)
    try {
      await work((path, time) => openStoreTarget(store, { path, time, readOnly, replace }))
    } finally {
      await store.close()
    }
    return
  }
  if (readOnly) throw new UsageError('--read-only needs a data folder: it cannot be set over HTTP')
  if (replace) throw new UsageError('--replace needs a data folder: over HTTP it would not be one step')
  if (!URL.canParse(endpoint))
    throw new UsageError(`--endpoint: "${endpoint}" must be a URL such as http://127.0.0.1:5101`)
  const credentials =
    user === undefined
      ? undefined
      : { name: user, password: password ?? (await readPassword(`Password for ${user}: `)) }
  await work(path => {
    const dnsName = formatDnsName(path, settings.baseDomain)
    return openHttpTarget({ endpoint, dnsName, ...(credentials && { credentials }) })
  })
}

async function importOne(
  file: string,
  path: DomainPath,
  openTarget: OpenTarget,
  signal: AbortSignal,
): Promise<void> {
  const source = openFileSource(file)
  try {
    const reader = await openH5wasmReader(file, source)
    try {
      const target = await openTarget(path, source.lastModified)
      report(
        file,
        path,
        await withProgressBar(file, progress => importFile(reader, target, { signal, progress })),
      )
    } finally {
      reader.close()
    }
  } finally {
    source.close()
  }
}

/** A bar on the terminal while `work` goes on; nothing where there is no terminal. */
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

function report(file: string, path: DomainPath, summary: ImportSummary): void {
  const { groups, datasets, datatypes, attributes, bytes, warnings } = summary
  const counts = [
    counted(groups, 'group'),
    counted(datasets, 'dataset'),
    ...(datatypes > 0 ? [counted(datatypes, 'committed datatype')] : []),
    counted(attributes, 'attribute'),
    `${readable(bytes)} of values`,
  ]
  console.log(`${file} -> ${path}: ${counts.join(', ')}`)
  for (const warning of warnings) console.error(`  warning: ${about(warning.path, warning.message)}`)
}

/** Messages of errors often name what they are about. */
function about(subject: string, message: string): string {
  return message.startsWith(subject) ? message : `${subject}: ${message}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function readable(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return power === 0 ? counted(bytes, 'byte') : `${(bytes / 2 ** (10 * power)).toFixed(1)} ${units[power]}`
}
