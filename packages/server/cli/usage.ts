// `hyperslab usage`: how much the domains below a folder hold, in a store, also while servers run on it, or at a
// running service.

import type { Api } from '@hyperslab/client'
import { DEFAULT_BUCKET, type DomainPath, isTopLevel, ROOT_FOLDER } from '@hyperslab/model/names'
import { needsFolder } from '@hyperslab/store/engines'
import type { Reader } from '@hyperslab/store/store'
import { parseBucketFolder } from '../http/dialect/buckets.ts'
import { presentUsage } from '../http/dialect/schemas/usage.ts'
import { type Grouping, sumUsage, type Usage } from '../service/domains/usage.ts'
import { quotasAbove } from '../service/quotas.ts'
import { shownName } from './commands/output.ts'
import { printQuotaRows } from './commands/quota.ts'
import { endpointOf, type ServiceOptions, withService } from './commands/service.ts'
import { openEngineAt, openStoreOn } from './data-folder/open.ts'
import { requireDataFolder } from './data-folder/prepare-folder.ts'
import { formatBytes, formatCount } from './import/import-report.ts'
import { abortedBySignals } from './interruption.ts'
import { Progress, type ProgressOptions } from './progress.ts'
import { printRows } from './rows.ts'
import { bucketsOf } from './settings/config.ts'
import type { Settings } from './settings/table.ts'
import { UsageError } from './usage-error.ts'

export interface UsageCommand extends ServiceOptions, ProgressOptions {
  readonly by: Grouping
  readonly json: boolean
}

export async function runUsage(
  text: string = ROOT_FOLDER,
  command: UsageCommand,
  settings: Settings,
): Promise<void> {
  const usage =
    endpointOf(command, process.env) === undefined
      ? await usageOfStore(text, command, settings)
      : await withService(command, false, ({ client, signal }) =>
          client.request('GET /usage', { folder: text, by: command.by }, { signal }),
        )
  if (usage === undefined) return
  if (command.json) console.log(JSON.stringify(usage))
  else printUsage(usage)
}

/** Without the limit of the route, which protects a service. */
async function usageOfStore(text: string, command: UsageCommand, settings: Settings): Promise<Api.Usage> {
  if (needsFolder(settings)) requireDataFolder(settings.dataFolder)
  const folder = parseBucketFolder(text, DEFAULT_BUCKET, bucketsOf(settings))
  const progress = new Progress(command)
  const usage = await abortedBySignals(async signal => {
    const engine = await openEngineAt(settings, { throughService: true, olderFormat: 'keep' })
    const store = openStoreOn(engine, { maxSnapshotAgeSeconds: Infinity, sweeps: false })
    try {
      return await store.read(reader => usageOf(reader, folder, command.by, progress), { signal })
    } finally {
      progress.end()
      await store.close()
    }
  })
  // The schema of the route describes it.
  return presentUsage(usage, usage.items) as unknown as Api.Usage
}

async function usageOf(reader: Reader, folder: DomainPath, by: Grouping, progress: Progress): Promise<Usage> {
  if (!isTopLevel(folder) && !(await reader.domain(folder))) {
    throw new UsageError(`there is no folder ${folder}`, 1)
  }
  let count = 0
  async function* counted() {
    for await (const domains of reader.use(folder, false)) {
      count += domains.length
      progress.show(() => `${formatCount(count, 'domain')} counted`)
      yield domains
    }
  }
  const usage = await sumUsage(counted(), folder, by)
  return { ...usage, quotas: await quotasAbove(reader, folder) }
}

function printUsage({ folder, by, total, items, quotas = [] }: Api.Usage): void {
  const rows = items.map(item => [nameOf(item, by), ...figures(item)])
  const header = [by, 'bytes', 'of values', 'domains', 'objects', 'last change']
  const all = ['all', ...figures(total)]
  printRows(rows.length === 0 ? [] : [header, ...rows, all], `There are no domains below ${folder}.`)
  if (quotas.length > 0) printQuotaRows(quotas)
}

function nameOf({ name = '', owner = 'nobody', class: kind }: Api.UsageItem, by: Grouping): string {
  return shownName(by === 'owner' ? owner : `${name}${kind === 'folder' ? '/' : ''}`)
}

type Figures = Pick<Api.Usage['total'], 'domains' | 'objects' | 'bytes' | 'allocated_bytes' | 'last_modified'>

function figures({
  domains,
  objects,
  bytes,
  allocated_bytes,
  last_modified = '',
}: Figures): readonly string[] {
  const time = `${last_modified.slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`
  return [formatBytes(bytes), formatBytes(allocated_bytes), `${domains}`, `${objects}`, time]
}
