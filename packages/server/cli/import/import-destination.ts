// Opens the destination that the options of `hyperslab import` name: a data folder or a running server.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { importedFile, openStoreTarget } from '@hyperslab/files/import'
import { bucketOf, DEFAULT_BUCKET, type DomainPath } from '@hyperslab/model/names'
import { type FilterRunner, openFilterThreads } from '@hyperslab/store/chunks'
import { ServiceEnded } from '@hyperslab/store/engines'
import { openAccountFiles, openAccounts } from '../../accounts/accounts.ts'
import { shortName } from '../../http/dialect/classic/short-names.ts'
import { accessWithin } from '../../service/access/folder-access.ts'
import { openEngineToUse, openStoreOn } from '../data-folder/open.ts'
import { prepareAndReport } from '../data-folder/prepare-folder.ts'
import { authorizationAt } from '../endpoint.ts'
import { type Secrets, secretsOf } from '../settings/config.ts'
import type { Settings } from '../settings/table.ts'
import { foreseen, UsageError } from '../usage-error.ts'
import type { Destination } from './destination.ts'
import { ServerDestination } from './import-into-server.ts'
import { importLocal } from './import-local.ts'
import { formatSummary } from './import-report.ts'

export interface DestinationOptions {
  readonly readOnly?: boolean
  readonly replace?: boolean
  readonly endpoint?: string | undefined
  readonly user?: string
  readonly secrets?: Secrets
}

/** Keeps the destination open for as long as `work` takes; `openFilters` opens what encodes and decodes chunks. */
export async function withDestination(
  options: DestinationOptions,
  settings: Settings,
  work: (destination: Destination) => Promise<void>,
  openFilters: () => FilterRunner = openFilterThreads,
): Promise<void> {
  const { endpoint } = options
  if (endpoint === undefined) return withDataFolder(options, settings, work, openFilters)
  const { readOnly = false, replace = false, user, secrets = secretsOf(process.env) } = options
  if (readOnly) throw new UsageError('--read-only needs a data folder: it cannot be set over HTTP')
  const authorization = await authorizationAt({ endpoint, user }, secrets)
  const filterRunner = openFilters()
  try {
    await work(new ServerDestination({ endpoint, authorization, replace, settings, filterRunner }))
  } finally {
    await filterRunner.close()
  }
}

async function withDataFolder(
  { readOnly = false, replace = false }: DestinationOptions,
  settings: Settings,
  work: (destination: Destination) => Promise<void>,
  openFilters: () => FilterRunner,
): Promise<void> {
  const { dataFolder, baseDomain } = settings
  prepareAndReport(dataFolder)
  const filterRunner = openFilters()
  const engine = await openEngineToUse(settings, { throughService: true })
  const store = openStoreOn(engine, { filterRunner })
  const stored = { keyValue: engine.keyValue, now: SYSTEM_CLOCK.elapsed }
  const reports = {
    report: (error: unknown) => console.error(foreseen(error) ?? error),
    warn: console.error,
  }
  const isDomain = (path: DomainPath) =>
    store.read(async reader => (await reader.domain(path))?.root !== undefined)
  try {
    const files = openAccountFiles(settings, reports)
    const accounts = await openAccounts(settings, files, stored, reports)
    const names = files.passwords?.read().numbers
    const listUsers = names ? { names } : {}
    const isAdmin = (name: string) => accounts.find(name).admin
    await work({
      async import(file, options) {
        const { path, source, isReadOnly } = file
        await accounts.refresh()
        const access = { ...settings, isAdmin }
        const openTarget = () =>
          openStoreTarget(store, {
            path,
            file: source,
            readOnly: readOnly || isReadOnly,
            replace,
            accessWithin: (reader, folder) => accessWithin(reader, folder, access),
          })
        const summary = await importLocal(file, openTarget, filterRunner, { ...options, listUsers })
        const contents = formatSummary(summary) + (readOnly || isReadOnly ? ', read-only' : '')
        return { ...summary, contents }
      },
      importedFile: (path, file) => importedFile(store, path, file),
      describe: async path =>
        bucketOf(path) === DEFAULT_BUCKET ? `${path} (${await shortName(path, baseDomain, isDomain)})` : path,
    })
  } finally {
    // Replaced contents, and those of a failed import, are removed now, also when no server runs.
    await store.sweeper.sweepAll().catch((error: unknown) => {
      if (!(error instanceof ServiceEnded)) console.error(foreseen(error) ?? error)
    })
    await store.close()
  }
}
