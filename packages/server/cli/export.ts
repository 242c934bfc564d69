// `hyperslab export`: domains of a data folder as HDF5 files, also while servers run on it.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { syncFolder } from '@hyperslab/base/files'
import { exportDomain } from '@hyperslab/files/export'
import type { FileWarning } from '@hyperslab/h5/reader'
import { type DomainPath, FILE_EXTENSION, isTopLevel } from '@hyperslab/model/names'
import type { FilterRunner } from '@hyperslab/store/chunks'
import { ServiceEnded } from '@hyperslab/store/engines'
import type { Store } from '@hyperslab/store/store'
import { fileNameOf } from '../service/domains/path-names.ts'
import { openEngineAt, openStoreOn } from './data-folder/open.ts'
import { requireDataFolder } from './data-folder/prepare-folder.ts'
import { parseDomainName } from './domain-name.ts'
import { formatBytes, printWarnings } from './import/import-report.ts'
import { abortedBySignals } from './interruption.ts'
import type { Settings } from './settings/table.ts'
import { foreseen, INCOMPLETE, UsageError } from './usage-error.ts'

/** Characters of a name that are kept in the name of its temporary file. @limit format, characters */
const MAX_BASE = 50

export interface ExportCommand {
  readonly to: string
  readonly replace?: boolean
  readonly skipUnreadable?: boolean
}

interface NamedDomain {
  readonly path: DomainPath
  readonly file: string
}

export async function runExport(
  names: readonly string[],
  command: ExportCommand,
  settings: Settings,
  filterRunner?: FilterRunner,
): Promise<void> {
  requireDataFolder(settings.dataFolder)
  const domains = nameFiles(names, command, settings)
  const options = { maxSnapshotAgeSeconds: Infinity, sweeps: false, ...(filterRunner && { filterRunner }) }
  await abortedBySignals(async signal => {
    const engine = await openEngineAt(settings, { throughService: true, olderFormat: 'keep' })
    const store = openStoreOn(engine, options)
    try {
      await exportAll(store, domains, command, signal)
    } finally {
      await store.close()
    }
  })
}

async function exportAll(
  store: Store,
  domains: readonly NamedDomain[],
  command: ExportCommand,
  signal: AbortSignal,
): Promise<void> {
  let failed = 0
  let inPart = 0
  for (const domain of domains) {
    try {
      if ((await exportTo(store, domain, command, signal)).length > 0) inPart++
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const message = foreseen(error)
      // The other domains would fail too.
      if (message === undefined || error instanceof ServiceEnded) throw error
      console.error(`${domain.path}: ${message}`)
      failed++
    }
  }
  const total = domains.length
  if (failed > 0) throw new UsageError(`${failed} of ${total} domains could not be exported`, 1)
  if (inPart > 0) throw new UsageError(`${inPart} of ${total} domains were exported in part only`, INCOMPLETE)
}

async function exportTo(
  store: Store,
  { path, file }: NamedDomain,
  { replace = false, skipUnreadable = false }: ExportCommand,
  signal: AbortSignal,
): Promise<readonly FileWarning[]> {
  if (!replace && existsSync(file)) {
    throw new UsageError(`${file} is there already: remove it, or give --replace`, 1)
  }
  return store.read(async reader => {
    const newFile = await exportDomain(reader, path, { signal, skipUnreadable })
    await writePieces(file, newFile.pieces())
    const warnings = await newFile.losses()
    console.log(`${path} -> ${file}: ${formatBytes(newFile.length)}`)
    printWarnings(path, warnings)
    return warnings
  })
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
function nameFiles(
  names: readonly string[],
  { to }: ExportCommand,
  settings: Settings,
): readonly NamedDomain[] {
  const paths = names.map(text => parseDomain(text, settings))
  if (isFileName(to)) {
    const [path] = paths
    if (paths.length > 1) throw new UsageError(`--to ${to} names one file: give a folder for several domains`)
    return [{ path, file: to }]
  }
  const files = new Map<string, DomainPath>()
  for (const path of paths) {
    const file = join(to, fileNameOf(path))
    const other = files.get(file)
    if (other !== undefined) {
      throw new UsageError(`${other} and ${path} would both become the file ${file}: export one of them`)
    }
    files.set(file, path)
  }
  mkdirSync(to, { recursive: true })
  return [...files].map(([file, path]) => ({ file, path }))
}

function parseDomain(text: string, settings: Settings): DomainPath {
  const path = parseDomainName(text, settings)
  if (isTopLevel(path)) throw new UsageError(`${text} is not the name of a domain, such as /test/tall`)
  return path
}

/** A name that ends with .h5 is that of a file, unless a folder has it. */
function isFileName(to: string): boolean {
  return extname(to) === FILE_EXTENSION && !statSync(to, { throwIfNoEntry: false })?.isDirectory()
}
