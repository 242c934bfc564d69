// Where `hyperslab import` puts files: into a data folder or a running server.

import { openAccounts } from '../accounts/accounts.ts'
import { bucketOf, DEFAULT_BUCKET, type DomainPath, formatDnsName } from '../hdf5/domain-path.ts'
import type { FilterRunner } from '../storage/chunks/filter-runner.ts'
import { openFilterThreads } from '../storage/chunks/filter-threads.ts'
import type { ImportedFile } from '../storage/store.ts'
import { importedFile, openStoreTarget } from '../transfer/store-target.ts'
import type { ImportTarget } from '../transfer/target.ts'
import { classicName } from './classic-name.ts'
import type { Settings } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { readPassword } from './password.ts'
import { prepareAndReport } from './prepare-folder.ts'
import { type HttpTargetOptions, isNewerThan, openHttpTarget } from './remote-target.ts'
import { foreseen, UsageError } from './usage-error.ts'

export interface DestinationOptions {
  readonly readOnly?: boolean
  readonly replace?: boolean
  readonly endpoint?: string
  readonly data?: string
  readonly user?: string
  /** The password of that user; absent: the command asks for it. */
  readonly password?: string | undefined
}

export interface Destination {
  /** Where the filters of chunks run. */
  readonly filterRunner: FilterRunner
  /** The target for a file: a new domain of that name. */
  open(path: DomainPath, file: ImportedFile): Promise<ImportTarget>
  /** Whether the domain was imported from the file as it is now, as far as is known. */
  importedFile(path: DomainPath, file: ImportedFile): Promise<ImportedFile | undefined>
  /** What clients call the domain: its path and, in the default bucket, its name in the classic dialect. */
  describe(path: DomainPath): Promise<string>
}

/** Keeps the destination open for as long as `work` takes. */
export async function withDestination(
  options: DestinationOptions,
  settings: Settings,
  work: (destination: Destination) => Promise<void>,
): Promise<void> {
  const { endpoint } = options
  if (endpoint === undefined) return withDataFolder(options, settings, work)
  const filterRunner = openFilterThreads()
  try {
    await work(await openServer(endpoint, options, settings, filterRunner))
  } finally {
    await filterRunner.close()
  }
}

async function withDataFolder(
  { readOnly = false, replace = false, user }: DestinationOptions,
  settings: Settings,
  work: (destination: Destination) => Promise<void>,
): Promise<void> {
  if (user !== undefined) throw new UsageError('--user needs --endpoint: a data folder has no login')
  const { dataFolder, baseDomain } = settings
  prepareAndReport(dataFolder)
  const filterRunner = openFilterThreads()
  const store = await openDataFolder(dataFolder, { filterRunner })
  const accounts = openAccounts(settings, {
    report: error => console.error(foreseen(error) ?? error),
    warn: console.error,
  })
  const isAdmin = (name: string) => accounts.find(name).admin
  const isDomain = (path: DomainPath) =>
    store.read(async reader => (await reader.domain(path))?.root !== undefined)
  try {
    await work({
      filterRunner,
      open: (path, file) =>
        openStoreTarget(store, { path, file, readOnly, replace, access: { ...settings, isAdmin } }),
      importedFile: (path, file) => importedFile(store, path, file),
      describe: path => describe(path, () => classicName(path, baseDomain, isDomain)),
    })
  } finally {
    // What was replaced, or left by a failed import, takes no room from now on, also when no server runs.
    await store.sweeper.sweepAll().catch((error: unknown) => console.error(foreseen(error) ?? error))
    await store.close()
  }
}

async function openServer(
  endpoint: string,
  { readOnly = false, replace = false, data, user, password }: DestinationOptions,
  { baseDomain }: Settings,
  filterRunner: FilterRunner,
): Promise<Destination> {
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
  const optionsFor = (path: DomainPath): HttpTargetOptions => {
    const dnsName = formatDnsName(path, baseDomain)
    return { endpoint, dnsName, path, ...(credentials && { credentials }) }
  }
  return {
    filterRunner,
    open: async path => openHttpTarget(optionsFor(path)),
    importedFile: async (path, file) => ((await isNewerThan(optionsFor(path), file)) ? file : undefined),
    describe: path =>
      describe(path, async () => `?host=${await classicName(path, baseDomain, async () => false)}`),
  }
}

async function describe(path: DomainPath, name: () => Promise<string>): Promise<string> {
  return bucketOf(path) === DEFAULT_BUCKET ? `${path} (${await name()})` : path
}
