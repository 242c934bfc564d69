// `hyperslab usage`: how much the domains below a folder of a store hold, also while servers run on it.

import { DEFAULT_BUCKET, type DomainPath, isTopLevel, ROOT_FOLDER } from '@hyperslab/model/names'
import { needsFolder } from '@hyperslab/store/engines'
import type { Reader } from '@hyperslab/store/store'
import { parseBucketFolder } from '../http/dialect/buckets.ts'
import { presentUsage } from '../http/dialect/schemas/usage.ts'
import { pathInBucket } from '../service/domains/path-names.ts'
import { type Grouping, sumUsage, type Usage, type Use } from '../service/domains/usage.ts'
import { quotasAbove } from '../service/quotas.ts'
import { openEngineAt, openStoreOn } from './data-folder/open.ts'
import { requireDataFolder } from './data-folder/prepare-folder.ts'
import { formatBytes } from './import/import-report.ts'
import { abortedBySignals } from './interruption.ts'
import { printQuotaRows } from './quota.ts'
import { printRows } from './rows.ts'
import { bucketsOf } from './settings/config.ts'
import type { Settings } from './settings/table.ts'
import { UsageError } from './usage-error.ts'

export interface UsageCommand {
  readonly by: Grouping
  readonly json: boolean
}

export async function runUsage(
  text: string = ROOT_FOLDER,
  { by, json }: UsageCommand,
  settings: Settings,
): Promise<void> {
  if (needsFolder(settings)) requireDataFolder(settings.dataFolder)
  const folder = parseBucketFolder(text, DEFAULT_BUCKET, bucketsOf(settings))
  const usage = await abortedBySignals(async signal => {
    const engine = await openEngineAt(settings, { throughService: true, olderFormat: 'keep' })
    const store = openStoreOn(engine, { maxSnapshotAgeSeconds: Infinity, sweeps: false })
    try {
      return await store.read(reader => usageOf(reader, folder, by), { signal })
    } finally {
      await store.close()
    }
  })
  if (json) console.log(JSON.stringify(presentUsage(usage, usage.items)))
  else printUsage(usage)
}

async function usageOf(reader: Reader, folder: DomainPath, by: Grouping): Promise<Usage> {
  if (!isTopLevel(folder) && !(await reader.domain(folder))) {
    throw new UsageError(`there is no folder ${folder}`, 1)
  }
  const usage = await sumUsage(reader.use(folder, false), folder, by)
  return { ...usage, quotas: await quotasAbove(reader, folder) }
}

function printUsage({ folder, by, total, items, quotas }: Usage): void {
  const names = items.map(({ name, isFolder }) =>
    name === undefined
      ? 'nobody'
      : by === 'owner'
        ? name
        : `${pathInBucket(name as DomainPath)}${isFolder ? '/' : ''}`,
  )
  const rows = items.map((item, i) => [names[i] ?? '', ...figures(item)])
  const header = [by, 'bytes', 'of values', 'domains', 'objects', 'last change']
  const all = ['all', ...figures(total)]
  printRows(rows.length === 0 ? [] : [header, ...rows, all], `There are no domains below ${folder}.`)
  if (quotas.length > 0) printQuotaRows(quotas)
}

function figures({ domains, objects, bytes, allocatedBytes, lastModified }: Use): readonly string[] {
  const time = new Date(lastModified / 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)
  return [formatBytes(bytes), formatBytes(allocatedBytes), `${domains}`, `${objects}`, `${time}Z`]
}
