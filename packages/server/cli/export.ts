// `hyperslab export`: domains of a data folder, also while servers run on it, or of a running service, as HDF5 files.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { syncFolder } from '@hyperslab/base/files'
import { RequestError } from '@hyperslab/client'
import { exportDomain } from '@hyperslab/files/export'
import type { FileWarning } from '@hyperslab/h5/reader'
import { type DomainPath, FILE_EXTENSION, isTopLevel, parseDomainPath } from '@hyperslab/model/names'
import type { FilterRunner } from '@hyperslab/store/chunks'
import { ServiceEnded } from '@hyperslab/store/engines'
import type { Reader, Store } from '@hyperslab/store/store'
import { fileNameOf } from '../service/domains/path-names.ts'
import { containerAt, entriesOf } from './commands/entries.ts'
import { endpointOf, type Service, type ServiceOptions, withService } from './commands/service.ts'
import { openEngineAt, openStoreOn } from './data-folder/open.ts'
import { requireDataFolder } from './data-folder/prepare-folder.ts'
import { parseDomainName } from './domain-name.ts'
import { shownError } from './endpoint.ts'
import { formatBytes, printWarnings } from './import/import-report.ts'
import { abortedBySignals } from './interruption.ts'
import type { Settings } from './settings/table.ts'
import { foreseen, INCOMPLETE, UsageError } from './usage-error.ts'

/** Characters of a name that are kept in the name of its temporary file. @limit format, characters */
const MAX_BASE = 50

export interface ExportCommand extends ServiceOptions {
  readonly to: string
  /** True: folders are exported with all domains below them. */
  readonly recursive?: boolean
  readonly replace?: boolean
  readonly skipUnreadable?: boolean
}

interface NamedDomain {
  readonly path: DomainPath
  readonly file: string
}

/** The source of domains: a store, or a running service. */
interface ExportSource {
  /** The paths of all domains below a folder, at any depth; none: it is no folder. */
  domainsBelow(folder: DomainPath): Promise<readonly DomainPath[]>
  /** Writes the domain to a file by `writePieces`. Returns its bytes, and warnings of what is left out. */
  write(domain: NamedDomain): Promise<{ readonly bytes: number; readonly warnings: readonly FileWarning[] }>
}

export async function runExport(
  names: readonly string[],
  command: ExportCommand,
  settings: Settings,
  filterRunner?: FilterRunner,
): Promise<void> {
  const paths = names.map(text => parseDomain(text, settings, command))
  if (endpointOf(command, process.env) !== undefined) {
    await withService(command, false, service =>
      exportAll(sourceOfService(service, command), paths, command, service.signal),
    )
    return
  }
  requireDataFolder(settings.dataFolder)
  const options = { maxSnapshotAgeSeconds: Infinity, sweeps: false, ...(filterRunner && { filterRunner }) }
  await abortedBySignals(async signal => {
    const engine = await openEngineAt(settings, { throughService: true, olderFormat: 'keep' })
    const store = openStoreOn(engine, options)
    try {
      await exportAll(sourceOfStore(store, command, signal), paths, command, signal)
    } finally {
      await store.close()
    }
  })
}

async function exportAll(
  source: ExportSource,
  paths: readonly DomainPath[],
  command: ExportCommand,
  signal: AbortSignal,
): Promise<void> {
  const domains = await nameFiles(source, paths, command)
  let failed = 0
  let inPart = 0
  for (const domain of domains) {
    const { path, file } = domain
    try {
      if (!command.replace && existsSync(file))
        throw new UsageError(`${file} is there already: remove it, or give --replace`, 1)
      const { bytes, warnings } = await source.write(domain)
      console.log(`${path} -> ${file}: ${formatBytes(bytes)}`)
      printWarnings(path, warnings)
      if (warnings.length > 0) inPart++
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const message = error instanceof RequestError ? shownError(error) : foreseen(error)
      // The other domains would fail too.
      if (message === undefined || error instanceof ServiceEnded) throw error
      console.error(`${path}: ${message}`)
      failed++
    }
  }
  const total = domains.length
  if (failed > 0) throw new UsageError(`${failed} of ${total} domains could not be exported`, 1)
  if (inPart > 0) throw new UsageError(`${inPart} of ${total} domains were exported in part only`, INCOMPLETE)
}

function sourceOfStore(
  store: Store,
  { skipUnreadable = false }: ExportCommand,
  signal: AbortSignal,
): ExportSource {
  async function addBelow(paths: DomainPath[], reader: Reader, folder: DomainPath): Promise<DomainPath[]> {
    for await (const { path, root } of reader.children(folder)) {
      signal.throwIfAborted()
      if (root !== undefined) paths.push(path)
      await addBelow(paths, reader, path)
    }
    return paths
  }
  return {
    domainsBelow: folder => store.read(reader => addBelow([], reader, folder), { signal }),
    write: ({ path, file }) =>
      store.read(async reader => {
        const newFile = await exportDomain(reader, path, { signal, skipUnreadable })
        await writePieces(file, newFile.pieces())
        return { bytes: newFile.length, warnings: await newFile.losses() }
      }),
  }
}

function sourceOfService(service: Service, { skipUnreadable = false }: ExportCommand): ExportSource {
  const { client, signal } = service
  async function addBelow(paths: DomainPath[], folder: string): Promise<DomainPath[]> {
    for await (const { path, isFolder } of entriesOf(service, { folder }, false)) {
      if (isFolder) await addBelow(paths, `${path}/`)
      else paths.push(parseDomainPath(path))
    }
    return paths
  }
  return {
    async domainsBelow(path) {
      const container = await containerAt(service, path, undefined)
      return 'folder' in container ? addBelow([], isTopLevel(path) ? path : `${path}/`) : [path]
    },
    async write({ path, file }) {
      const parameters = {
        domain: path,
        format: 'hdf5',
        ...(skipUnreadable && { skip_unreadable: 1 }),
      } as const
      const { body, headers } = await client.open('GET /', parameters, { signal })
      if (body === null) throw new UsageError(`${path}: the service sent no file`, 1)
      let bytes = 0
      async function* counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const piece of pieces) {
          bytes += piece.length
          yield piece
        }
      }
      await writePieces(file, counted(body))
      const leftOut = headers.get('x-left-out')?.split(',') ?? []
      const warnings = leftOut.map(name => ({ path: decodeURIComponent(name), message: 'it was left out' }))
      return { bytes, warnings }
    },
  }
}

/**
 * Makes a file of pieces, or replaces one. The file is at its path, durable, only when all pieces are written; if that
 * fails, no part is left.
 */
async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const folder = dirname(path)
  const temporary = join(folder, `.${basename(path).slice(0, MAX_BASE)}.${randomBytes(6).toString('hex')}`)
  const file = await open(temporary, 'wx')
  try {
    try {
      for await (const piece of pieces) await file.writeFile(piece)
      await file.sync()
    } finally {
      await file.close()
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(folder)
}

/** The domains to export, and the file of each; creates folders for them. */
async function nameFiles(
  source: ExportSource,
  paths: readonly DomainPath[],
  { to, recursive = false }: ExportCommand,
): Promise<readonly NamedDomain[]> {
  if (isFileName(to)) {
    const [path] = paths
    if (recursive || paths.length > 1)
      throw new UsageError(`--to ${to} names one file: give a folder for several domains`)
    return [{ path, file: to }]
  }
  const files = new Map<string, DomainPath>()
  for (const path of paths) {
    const folder = recursive ? await source.domainsBelow(path) : []
    // The folders below the named one are kept.
    const beginning = isTopLevel(path) ? path : dirname(path)
    const found = folder.length > 0 || isTopLevel(path) ? folder : [path]
    for (const domain of found) {
      const place = domain === path ? '.' : relative(beginning, dirname(domain))
      const file = join(to, place, fileNameOf(domain))
      const other = files.get(file)
      if (other !== undefined)
        throw new UsageError(`${other} and ${domain} would both become the file ${file}: export one of them`)
      files.set(file, domain)
    }
  }
  for (const folder of new Set([to, ...[...files.keys()].map(file => dirname(file))]))
    mkdirSync(folder, { recursive: true })
  return [...files].map(([file, path]) => ({ file, path }))
}

function parseDomain(text: string, settings: Settings, { recursive = false }: ExportCommand): DomainPath {
  const path = parseDomainName(text, settings)
  if (isTopLevel(path) && !recursive)
    throw new UsageError(
      `${text} is not the name of a domain, such as /test/tall; -r exports all below a folder`,
    )
  return path
}

/** A name that ends with .h5 is that of a file, unless a folder has it. */
function isFileName(to: string): boolean {
  return extname(to) === FILE_EXTENSION && !statSync(to, { throwIfNoEntry: false })?.isDirectory()
}
