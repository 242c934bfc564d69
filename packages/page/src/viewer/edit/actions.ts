// What a user changes in a domain: each action changes it and gives the change with the way to undo it
// (docs/decisions/121).

import { type Contents, childPath, type Kind, nameOf, parentPath } from '../data/contents.ts'
import type { Edit } from './edits.ts'
import {
  type AttributeOwner,
  type AttributeState,
  attributePlace,
  ChangedMeanwhile,
  type LinkState,
  linkPlace,
  type Place,
  replaceState,
  type ValueTarget,
  valuePlace,
} from './places.ts'

type Source = Pick<Contents, 'client' | 'domain'>

/** Undefined: the attribute was not there, or goes. */
export async function setAttribute(
  source: Source,
  owner: AttributeOwner,
  name: string,
  from: AttributeState | undefined,
  to: AttributeState | undefined,
): Promise<Edit> {
  if (!isExact(from?.value))
    throw new Error('It has numbers that the page could not put back exactly: change it with a program.')
  const place = attributePlace(source, owner, name)
  await replaceState(place, from, to)
  const verb = from === undefined ? 'Added' : to === undefined ? 'Deleted' : 'Changed'
  return {
    text: `${verb} the attribute ${name}.`,
    ids: new Set([owner.id]),
    undoRight: from === undefined ? 'delete' : 'create',
    undo: () => replaceState(place, to, from),
  }
}

/** Whether JSON has not rounded a number. Values of fixed size are text: the Base64 of their bytes. */
function isExact(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExact)
  return typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)
}

/** The bytes of one element. `name` is its place for people. */
export async function setValue(
  source: Source,
  target: ValueTarget,
  name: string,
  from: readonly number[] | undefined,
  to: readonly number[],
): Promise<Edit> {
  const place = valuePlace(source, target)
  await replaceState(place, from, to)
  return {
    text: `Changed ${name}.`,
    ids: new Set([target.dataset]),
    undoRight: 'update',
    undo: () => replaceState(place, to, from),
  }
}

/** A link of a group, at a path. */
export interface LinkAt {
  /** The id of the group. */
  readonly group: string
  readonly path: string
  readonly kind: Kind | undefined
  /** The object that a hard link there leads to, as the user sees it. */
  readonly id: string | undefined
}

/** Two requests: the new link comes first, so that the object never is without one. */
export async function renameLink(source: Source, at: LinkAt, title: string): Promise<Edit> {
  const { group, path } = at
  requireTitle(title)
  const before = linkPlace(source, group, nameOf(path))
  const after = linkPlace(source, group, title)
  const link = await linkIn(before, at)
  const move = async (from: typeof before, to: typeof after) => {
    await replaceState(to, undefined, link).catch(occupied)
    try {
      await replaceState(from, link, undefined)
    } catch (error) {
      await replaceState(to, link, undefined)
      throw error
    }
  }
  await move(before, after)
  return {
    text: `Renamed ${path} to ${title}.`,
    ids: undefined,
    undoRight: 'create',
    undo: () => move(after, before),
    move: { before: path, after: childPath(parentPath(path), title) },
  }
}

/** The object stays in the service without a link, so that it can be put back, until its space is freed. */
export async function deleteLink(source: Source, at: LinkAt): Promise<Edit> {
  const { group, path, kind } = at
  const place = linkPlace(source, group, nameOf(path))
  const link = await linkIn(place, at)
  await replaceState(place, link, undefined)
  const { id } = link
  return {
    text: `Deleted ${path}.`,
    ids: undefined,
    undoRight: 'create',
    undo: () => replaceState(place, undefined, link).catch(occupied),
    move: { before: path },
    free: kind === 'dataset' && id !== undefined ? () => freeDataset(source, id) : undefined,
  }
}

async function freeDataset({ client, domain }: Source, id: string): Promise<void> {
  const at = { id, domain: domain.pathOf(id) }
  const { alias = [] } = await client.request('GET /datasets/{id}', { ...at, getalias: 1 })
  if (alias.length > 0) throw new Error(`It is also at ${alias[0]}: it stays there, with its values.`)
  await client.request('DELETE /datasets/{id}', at)
}

/** `group` and `path`: where it comes. */
export async function newGroup(
  source: Source,
  { group, path: parent }: Pick<LinkAt, 'group' | 'path'>,
  title: string,
): Promise<Edit> {
  requireTitle(title)
  const { client, domain } = source
  const at = { domain: domain.pathOf(group) }
  const created = await client.request('POST /groups', at, { body: { link: { id: group, name: title } } })
  // One group is one answer.
  const { id } = created as { readonly id: string }
  const place = linkPlace(source, group, title)
  const path = childPath(parent, title)
  return {
    text: `Added the group ${path}.`,
    ids: undefined,
    move: { after: path },
    undoRight: 'delete',
    undo: async () => {
      const { headers, ...answer } = await described(source, id)
      if (answer.linkCount > 0 || answer.attributeCount > 0) throw new ChangedMeanwhile(answer)
      await replaceState(place, { class: 'H5L_TYPE_HARD', id }, undefined)
      await client.request('DELETE /groups/{id}', { id, ...at }, { headers })
    },
  }
}

async function described({ client, domain }: Source, id: string) {
  const response = await client.open('GET /groups/{id}', { id, domain: domain.pathOf(id) })
  const { linkCount, attributeCount } = (await response.json()) as {
    readonly linkCount: number
    readonly attributeCount: number
  }
  return { linkCount, attributeCount, headers: { 'if-match': response.headers.get('etag') ?? '*' } }
}

/** The link, if it leads to what the user sees there. */
async function linkIn(place: Place<LinkState>, { id }: LinkAt): Promise<LinkState> {
  const { state } = await place.read()
  const isOther = state?.id !== undefined && id !== undefined && state.id !== id
  if (state === undefined || isOther) throw new ChangedMeanwhile(state)
  return state
}

/** The path of a new link has one. */
function occupied(error: unknown): never {
  if (error instanceof ChangedMeanwhile && error.state !== undefined)
    throw new Error('Something else has that name already. Nothing was changed.')
  throw error
}

function requireTitle(title: string): void {
  if (title === '' || title === '.' || title.includes('/'))
    throw new Error('A name must not be empty, a point or have a slash.')
}
