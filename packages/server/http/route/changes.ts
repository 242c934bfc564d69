// Details of changes for the audit, beyond the names in the target of the request: names, ids and flags, never values.

import { isJsonObject, type JsonValue } from '@hyperslab/model/json'
import { type ObjectReference, PERMISSIONS, type Permissions } from '@hyperslab/model/names'
import type { ChangedEntry } from '../../service/access/access-changes.ts'
import type { ChangedItem } from '../../service/acls.ts'
import type { LinkRequest } from '../../service/links/links.ts'
import type { NewMembers } from '../../service/objects/several.ts'
import type { Dialect } from '../dialect/dialect.ts'

/** The names of new links or attributes of each object. */
export function membersIn(batch: readonly NewMembers<unknown>[], dialect: Dialect) {
  return batch.map(({ owner, items }) => ({ id: dialect.formatId(owner), names: [...items.keys()] }))
}

/** The target of a new link. */
export function linkTargetIn(link: LinkRequest, dialect: Dialect) {
  if (!('id' in link)) return { h5path: link.h5path, ...(link.h5domain && { h5domain: link.h5domain }) }
  const { id, kind } = link
  return { id: kind === undefined ? id : dialect.formatId({ kind, id }) }
}

/** New objects, and the links to them that their bodies name. */
export function createdIn(
  views: readonly { readonly object: ObjectReference }[],
  bodies: readonly JsonValue[],
  dialect: Dialect,
) {
  const links = bodies.flatMap(body => linkIn(body) ?? [])
  return {
    created: views.map(({ object }) => dialect.formatId(object)),
    ...(links.length > 0 && { links }),
  }
}

function linkIn(body: JsonValue) {
  if (!isJsonObject(body)) return undefined
  const h5path = body.get('h5path')
  if (typeof h5path === 'string') return { h5path }
  const link = body.get('link')
  if (!isJsonObject(link)) return undefined
  const { id, name } = { id: link.get('id'), name: link.get('name') }
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined
}

/** The flags of items of an access control list before and after the change. */
export function itemsIn(items: readonly ChangedItem[]) {
  return items.map(({ userName, before, after }) => ({
    user: userName,
    ...(before && { before: flagsOf(before) }),
    ...(after && { after: flagsOf(after) }),
  }))
}

function flagsOf(permissions: Permissions): readonly string[] {
  return PERMISSIONS.filter(permission => permissions[permission])
}

/** Domains and folders with the same change that are named. */
const NAMED_PATHS = 100

/** Changes of owners and lists: those that are the same together, with their number and the first of their paths. */
export function changedAccessIn(entries: readonly ChangedEntry[]) {
  const groups = new Map<string, { readonly count: number; readonly paths: string[] } & object>()
  for (const { path, items, ...owner } of entries) {
    const change = {
      ...('formerOwner' in owner && { formerOwner: owner.formerOwner ?? '' }),
      ...(items.length > 0 && { items: itemsIn(items) }),
    }
    const key = JSON.stringify(change)
    const group = groups.get(key) ?? { count: 0, ...change, paths: [] }
    groups.set(key, { ...group, count: group.count + 1 })
    if (group.paths.length < NAMED_PATHS) group.paths.push(path)
  }
  return { changed: entries.length, changes: [...groups.values()] }
}
