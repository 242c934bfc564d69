// The use of the store and its quotas, without drawing them.

import type { Api, Hyperslab } from '@hyperslab/client'
import { formatSize } from '../common/format.ts'

type Client = Pick<Hyperslab, 'request'>
export type Quota = Api.Quota

/** The units of the form, by their names. */
export const UNITS = { GiB: 2 ** 30, TiB: 2 ** 40, MiB: 2 ** 20 } as const

/** The folder or owner of a quota, in words. */
export function subjectOf({ folder, owner }: Pick<Quota, 'folder' | 'owner'>): string {
  return folder ?? `user ${owner}`
}

/** The limits of a quota, each with its words and the used part of it, from 0 on. */
export function limitsOf({
  bytes,
  objects,
  used,
}: Quota): readonly { readonly text: string; readonly part: number }[] {
  const part = (use: number, limit: number) => (limit === 0 ? Number(use > 0) : use / limit)
  return [
    ...(bytes === undefined
      ? []
      : [{ text: `${formatSize(used.bytes)} of ${formatSize(bytes)}`, part: part(used.bytes, bytes) }]),
    ...(objects === undefined
      ? []
      : [{ text: `${used.objects} of ${objects} objects`, part: part(used.objects, objects) }]),
  ]
}

/** Sets the quota that the fields of the form name. */
export function setQuota(client: Client, fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const name = text('name')
  const scope = text('scope') === 'owner' ? { owner: name } : { folder: name }
  const [size, objects] = [text('size'), text('objects')]
  if (size === '' && objects === '') throw new Error('Give a size, a number of objects, or both.')
  const unit = UNITS[text('unit') as keyof typeof UNITS] ?? 1
  const body = {
    ...scope,
    ...(size !== '' && { bytes: Math.round(Number(size) * unit) }),
    ...(objects !== '' && { objects: Number(objects) }),
  }
  return client.request('PUT /quotas', {}, { body })
}

export function removeQuota(client: Client, { folder, owner }: Quota) {
  return client.request('DELETE /quotas', folder === undefined ? { owner } : { folder })
}
