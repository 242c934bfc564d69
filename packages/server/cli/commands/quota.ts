// `hyperslab quota`: limits of what the domains below a folder, or those of an owner, may hold.

import type { Api } from '@hyperslab/client'
import { formatBytes } from '../import/import-report.ts'
import { printRows } from '../rows.ts'
import { UsageError } from '../usage-error.ts'
import { shownName } from './output.ts'
import { type ServiceOptions, withService } from './service.ts'

export interface ListQuotaOptions extends ServiceOptions {
  readonly json: boolean
}

export interface QuotaOptions extends ServiceOptions {
  readonly owner?: string
}

export interface SetQuotaOptions extends QuotaOptions {
  readonly bytes?: string
  readonly objects?: string
}

/** Prints the quotas that the caller may see. */
export async function listQuotas(options: ListQuotaOptions): Promise<void> {
  await withService(options, false, async ({ client, signal }) => {
    const answer = await client.request('GET /quotas', {}, { signal })
    if (options.json) console.log(JSON.stringify(answer))
    else printQuotaRows(answer.quotas)
  })
}

/** Sets the quota of a folder or an owner, and prints it. */
export async function setQuota(folder: string | undefined, options: SetQuotaOptions): Promise<void> {
  const { bytes, objects } = options
  const body = {
    ...scopeOf(folder, options),
    ...(bytes !== undefined && { bytes: parseSize('--bytes', bytes) }),
    ...(objects !== undefined && { objects: parseSize('--objects', objects) }),
  }
  if (bytes === undefined && objects === undefined)
    throw new UsageError('a quota needs --bytes, --objects or both')
  await withService(options, true, async ({ client, signal }) =>
    printQuotaRows([await client.request('PUT /quotas', {}, { body, signal })]),
  )
}

export async function removeQuota(folder: string | undefined, options: QuotaOptions): Promise<void> {
  const scope = scopeOf(folder, options)
  await withService(options, true, ({ client, signal }) =>
    client.request('DELETE /quotas', scope, { signal }),
  )
}

export function printQuotaRows(quotas: readonly Api.Quota[]): void {
  const header = ['quota of', 'bytes used', 'of', 'objects used', 'of']
  printRows(quotas.length === 0 ? [] : [header, ...quotas.map(rowOf)], 'There are no quotas.')
}

function rowOf({ folder, owner, bytes, objects, used, enforced }: Api.Quota): readonly string[] {
  return [
    `${shownName(folder ?? `owner ${owner}`)}${enforced ? '' : ' (not enforced yet)'}`,
    formatBytes(used.bytes),
    bytes === undefined ? 'any' : formatBytes(bytes),
    `${used.objects}`,
    objects === undefined ? 'any' : `${objects}`,
  ]
}

function scopeOf(
  folder: string | undefined,
  { owner }: QuotaOptions,
): { folder: string } | { owner: string } {
  if (folder !== undefined && owner === undefined) return { folder }
  if (folder === undefined && owner !== undefined) return { owner }
  throw new UsageError('a quota is that of a FOLDER or of --owner NAME')
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

/** A number with a unit: 5000, 20G or 20GB, 1.5Ti or 1.5TiB. */
function parseSize(option: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGTP]?i?)B?$/.exec(text) ?? []
  const size = number === '' || !isUnit(unit) ? Number.NaN : Math.round(Number(number) * UNITS[unit])
  if (Number.isSafeInteger(size)) return size
  throw new UsageError(`${option} must be a number such as 5000, 20G or 1.5Ti, not ${JSON.stringify(text)}`)
}

function isUnit(text: string): text is keyof typeof UNITS {
  return Object.hasOwn(UNITS, text)
}
