// The target of a path of the Zarr view: its longest beginning that names a domain, and links of all kinds from there
// to an object. The caller needs `read` on each step, also in other domains. Without it the answer says so, never that
// something is missing, because readers treat a missing chunk as fill values.

import { HyperslabError } from '@hyperslab/base/errors'
import { codecOf } from '@hyperslab/h5/filters'
import type { CompoundType, Datatype } from '@hyperslab/model/datatype'
import { excerpt } from '@hyperslab/model/json'
import { type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import type { Dataset, Group } from '@hyperslab/store/store'
import { isReserved, type ShownType, shownType, type ZarrFormat } from '@hyperslab/views/zarr'
import { requirePermission } from '../access/access.ts'
import { requireInScope } from '../access/scope.ts'
import { type Context, isOfFiles, type OpenDomain } from '../context.ts'
import { withRoot } from '../domains/domains.ts'
import { parsePinned, requireState } from '../domains/pinned.ts'
import { requireRequiredState } from '../domains/required-state.ts'
import { ALL_LINKS, type LocatedObject, locateMember, titlesOf } from '../links/paths.ts'
import { isDimensionOnly } from './dimension-scales.ts'

export interface GroupNode {
  readonly kind: 'group'
  readonly domain: OpenDomain
  readonly group: Group
}

/** A dataset, or members of its compounds. */
export interface DatasetNode {
  readonly kind: 'dataset'
  readonly domain: OpenDomain
  readonly dataset: Dataset
  /** Names of members, each within the one before. */
  readonly members: readonly string[]
  /** The type of the elements, or of the member. */
  readonly elementType: Datatype
  readonly type: ShownType
}

export type ZarrNode = GroupNode | DatasetNode

export interface FoundNode {
  readonly node: ZarrNode
  /** The parts of the path, without its state. */
  readonly parts: readonly string[]
  /** The rest of the path, after the node. */
  readonly remainder: readonly string[]
  /** True: the path names the state of its domain, which is the current one. */
  readonly isPinned: boolean
  /** The root group of the domain that the path begins with. */
  readonly root: ObjectId
}

/** The node that the path begins with. */
export async function locateNode(context: Context, path: string, format: ZarrFormat): Promise<FoundNode> {
  const { state, parts } = parsePinned(titlesOf(path))
  const { domain, count } = await domainOf(context, parts)
  const common = { isPinned: state !== undefined, root: domain.root.id, parts }
  let current: LocatedObject = { domain, object: domain.root }
  requirePermission(context, 'read', domain)
  if (state !== undefined) await requireState(context, domain, state)
  await requireRequiredState(context, domain)
  let used = count
  for (; current.object.kind === 'group' && used < parts.length; used++) {
    if (isReserved(parts[used], format)) break
    current = await step(context, current, parts[used])
  }
  const { object } = current
  if (object.kind === 'group') {
    return {
      ...common,
      node: { kind: 'group', domain: current.domain, group: object },
      remainder: parts.slice(used),
    }
  }
  if (object.kind === 'datatype')
    throw notFound(`${shown(path)} leads to a committed datatype, not to an array`)
  if (isDimensionOnly(object))
    throw notFound(`${shown(path)} leads to a dimension without coordinates, not to an array`)
  const members: string[] = []
  let node = datasetNode(current.domain, object, members, format)
  while (used < parts.length && node.type.kind === 'members') {
    const member = node.type.members.find(({ name }) => name === parts[used])
    if (!member) break
    members.push(member.name)
    used++
    node = datasetNode(current.domain, object, members, format)
  }
  return { ...common, node, remainder: parts.slice(used) }
}

export function datasetNode(
  domain: OpenDomain,
  dataset: Dataset,
  members: readonly string[],
  format: ZarrFormat,
): DatasetNode {
  let elementType: Datatype = dataset.type
  for (const name of members) {
    const field = (elementType as CompoundType).fields.find(field => field.name === name) // members are of compounds
    if (!field) throw new Error(`the dataset ${dataset.id} has no member ${name}`)
    elementType = field.type
  }
  const reason = unshown(domain, dataset)
  const type: ShownType = reason ? { kind: 'left-out', reason } : shownType(elementType, format)
  return { kind: 'dataset', domain, dataset, members, elementType, type }
}

/** The reason, other than its type, why a dataset is left out; undefined: there is none. */
function unshown(
  { entry }: OpenDomain,
  { space, unreadable, creationProperties }: Dataset,
): string | undefined {
  if (space.class === 'H5S_NULL') return 'its dataspace is null'
  if (unreadable !== undefined) return unreadable
  // Chunks of the store went through such a filter only in the file that has its parameters.
  const unknown = creationProperties.filters.find(
    ({ id, json }) => !codecOf(id) && (isOfFiles(entry) || json.has('parameters')),
  )
  return unknown ? `the filter ${unknown.id} is not available` : undefined
}

async function domainOf(
  context: Context,
  parts: readonly string[],
): Promise<{ readonly domain: OpenDomain; readonly count: number }> {
  for (let count = 1; count <= parts.length; count++) {
    context.signal.throwIfAborted()
    const path = parseDomainPath(`/${parts.slice(0, count).join('/')}`)
    const entry = await context.reader.domain(path)
    const domain = entry && (await withRoot(context, entry))
    if (domain) return { domain, count }
    // A caller does not learn what is beyond the scope of its token or share.
    if (!entry || count === parts.length) requireInScope(context.caller, path)
    if (!entry) break
  }
  throw new HyperslabError('domain-not-found', `no part of ${shown(parts.join('/'))} is a domain`)
}

/** The next object of a path. */
async function step(context: Context, group: LocatedObject, title: string): Promise<LocatedObject> {
  try {
    return await locateMember(context, group, title, ALL_LINKS)
  } catch (error) {
    throw reachError(error)
  }
}

/**
 * The error of a step. An unreadable object behind a link is not reported as missing, and Zarr has no deleted objects.
 */
export function reachError(error: unknown): unknown {
  if (!(error instanceof HyperslabError)) return error
  for (let cause: unknown = error; cause instanceof HyperslabError; cause = cause.cause) {
    if (cause.kind === 'forbidden' || cause.kind === 'unauthenticated') return cause
  }
  return error.kind === 'gone' ? notFound(error.message) : error
}

export function notFound(message: string): HyperslabError {
  return new HyperslabError('object-not-found', message)
}

function shown(path: string): string {
  return excerpt(`/${path.replace(/^\//, '')}`)
}
