// `hyperslab quota`: limits of what the domains below a folder, or those of an owner, may hold; also while servers run
// on the store.

import { HyperslabError } from '@hyperslab/base/errors'
import { DEFAULT_BUCKET } from '@hyperslab/model/names'
import { needsFolder } from '@hyperslab/store/engines'
import type { NewQuota, Quota, QuotaScope, Store } from '@hyperslab/store/store'
import { parseBucketFolder } from '../http/dialect/buckets.ts'
import { presentQuota } from '../http/dialect/schemas/quotas.ts'
import { nameOfScope, removeQuota, setQuota } from '../service/quotas.ts'
import { openEngineAt, openStoreOn } from './data-folder/open.ts'
import { requireDataFolder } from './data-folder/prepare-folder.ts'
import { formatBytes } from './import/import-report.ts'
import { printRows } from './rows.ts'
import { bucketsOf } from './settings/config.ts'
import type { Settings } from './settings/table.ts'
import { UsageError } from './usage-error.ts'

export interface QuotaCommand {
  readonly owner?: string
  readonly bytes?: string
  readonly objects?: string
}

/** Prints all quotas. */
export async function printQuotas({ json }: { readonly json: boolean }, settings: Settings): Promise<void> {
  const quotas = await withStore(settings, 'keep', store => store.read(reader => reader.quotas()))
  if (json) console.log(JSON.stringify({ quotas: quotas.map(presentQuota) }))
  else printQuotaRows(quotas)
}

export function printQuotaRows(quotas: readonly Quota[]): void {
  printRows(quotas.length === 0 ? [] : [HEADER, ...quotas.map(rowOf)], 'There are no quotas.')
}

/** Sets the quota of a folder or an owner, and prints it. */
export async function runSetQuota(
  folder: string | undefined,
  command: QuotaCommand,
  settings: Settings,
): Promise<void> {
  const limits = {
    ...(command.bytes !== undefined && { bytes: parseSize('--bytes', command.bytes) }),
    ...(command.objects !== undefined && { objects: parseSize('--objects', command.objects) }),
  }
  if (Object.keys(limits).length === 0) throw new UsageError('a quota needs --bytes, --objects or both')
  const wanted: NewQuota = { ...scopeOf(folder, command, settings), ...limits }
  const quota = await withStore(settings, 'refuse', store => setQuota(store, wanted))
  printQuotaRows([quota])
}

/** Removes the quota of a folder or an owner. */
export async function runRemoveQuota(
  folder: string | undefined,
  command: QuotaCommand,
  settings: Settings,
): Promise<void> {
  const scope = scopeOf(folder, command, settings)
  await withStore(settings, 'refuse', store => removeQuota(store, scope))
  console.log(`The quota of ${nameOfScope(scope)} is removed.`)
}

const HEADER = ['quota of', 'bytes used', 'of', 'objects used', 'of']

function rowOf(quota: Quota): readonly string[] {
  const { bytes, objects, used, isEnforced } = quota
  return [
    `${nameOfScope(quota)}${isEnforced ? '' : ' (not enforced yet)'}`,
    formatBytes(used.bytes),
    bytes === undefined ? 'any' : formatBytes(bytes),
    `${used.objects}`,
    objects === undefined ? 'any' : `${objects}`,
  ]
}

function scopeOf(folder: string | undefined, { owner }: QuotaCommand, settings: Settings): QuotaScope {
  if ((folder === undefined) === (owner === undefined))
    throw new UsageError('a quota is that of a FOLDER or of --owner NAME')
  if (owner !== undefined) return { owner }
  return { folder: parseBucketFolder(folder ?? '', DEFAULT_BUCKET, bucketsOf(settings)) }
}

const UNITS = {
  '': 1,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
}

/** A number with a unit: 5000, 20G (or 20GB), 1.5Ti (or 1.5TiB). */
function parseSize(option: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGTP]?i?)B?$/.exec(text) ?? []
  const size = number === '' || !isUnit(unit) ? Number.NaN : Math.round(Number(number) * UNITS[unit])
  if (Number.isSafeInteger(size)) return size
  throw new UsageError(`${option} must be a number such as 5000, 20G or 1.5Ti, not ${JSON.stringify(text)}`)
}

function isUnit(text: string): text is keyof typeof UNITS {
  return Object.hasOwn(UNITS, text)
}

async function withStore<T>(
  settings: Settings,
  olderFormat: 'keep' | 'refuse',
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (needsFolder(settings)) requireDataFolder(settings.dataFolder)
  const engine = await openEngineAt(settings, { throughService: true, olderFormat })
  const store = openStoreOn(engine, { maxSnapshotAgeSeconds: Infinity, sweeps: false })
  try {
    return await work(store)
  } catch (error) {
    throw error instanceof HyperslabError ? new UsageError(error.message, 1) : error
  } finally {
    await store.close()
  }
}
