// Objects and links as h5grove describes them: types and filters by the numbers of HDF5, links at their ends.

import { HyperslabError } from '@hyperslab/base/errors'
import { completed, type Dataspace, extentsOf, type Filter } from '@hyperslab/model/dataset'
import {
  CHARACTER_SETS,
  complexPart,
  type Datatype,
  elementSize,
  STRING_PADDINGS,
} from '@hyperslab/model/datatype'
import type { JsonOutput } from '@hyperslab/model/json'
import type { Attribute, HdfObject, ListedLink, ObjectDetails } from '@hyperslab/store/store'
import { hasPermission } from '../../service/access/access.ts'
import type { Context } from '../../service/context.ts'
import { type LocatedObject, locateMember, resultOrError } from '../../service/links/paths.ts'

/** A description of an object or a link. */
export interface Entity {
  readonly [member: string]: JsonOutput
}

/** The links that are followed: none, those that lead somewhere, or all, where one that does not is an error. */
export type LinkRule = 'none' | 'only_valid' | 'all'

/** Symbolic links of a group that are followed; the others are shown as links. @limit safety, links */
const MAX_FOLLOWED = 1000

const SYMBOLIC = { soft: true, external: true }
const CLASSES = [
  'H5T_INTEGER',
  'H5T_FLOAT',
  'H5T_TIME',
  'H5T_STRING',
  'H5T_BITFIELD',
  'H5T_OPAQUE',
  'H5T_COMPOUND',
  'H5T_REFERENCE',
  'H5T_ENUM',
  'H5T_VLEN',
  'H5T_ARRAY',
] satisfies readonly (Datatype['class'] | 'H5T_TIME')[]

/** The type with the numbers of HDF5 (H5T_class_t, H5T_order_t, H5T_sign_t, H5T_cset_t, H5T_str_t). */
export function typeEntity(type: Datatype): Entity {
  const common = { class: CLASSES.indexOf(type.class), size: elementSize(type) }
  switch (type.class) {
    case 'H5T_INTEGER':
      return { ...common, order: orderOf(type), sign: type.signed ? 1 : 0 }
    case 'H5T_FLOAT':
    case 'H5T_BITFIELD':
      return { ...common, order: orderOf(type) }
    case 'H5T_STRING':
      return {
        ...common,
        cset: CHARACTER_SETS.indexOf(type.charSet),
        strPad: STRING_PADDINGS.indexOf(type.strPad),
        vlen: type.length === 'H5T_VARIABLE',
      }
    case 'H5T_OPAQUE':
      return { ...common, tag: type.tag ?? '' }
    case 'H5T_REFERENCE':
      return common
    case 'H5T_COMPOUND':
      return {
        ...common,
        // h5web knows complex numbers by these names.
        members: type.fields.map(({ name, type: member }, i) => ({
          name: complexPart(type) ? 'ri'[i] : name,
          ...typeEntity(member),
        })),
      }
    case 'H5T_ENUM':
      return {
        ...common,
        base: typeEntity(type.base),
        members: new Map(type.members.map(({ name, value }) => [name, value])),
      }
    case 'H5T_VLEN':
      return { ...common, base: typeEntity(type.base) }
    case 'H5T_ARRAY':
      return { ...common, base: typeEntity(type.base), dims: type.dims }
  }
}

function orderOf({ order }: { readonly order: 'LE' | 'BE' }): number {
  return order === 'LE' ? 0 : 1
}

/** Extents; none for a scalar, and null for a null dataspace. */
function shapeOf(space: Dataspace): JsonOutput {
  return space.class === 'H5S_NULL' ? null : extentsOf(space)
}

/** The attributes that can be read. */
export async function attributesOf(context: Context, id: HdfObject['id']): Promise<readonly Attribute[]> {
  const attributes: Attribute[] = []
  for await (const attribute of context.reader.attributes(id)) {
    context.signal.throwIfAborted()
    if (!('reason' in attribute)) attributes.push(attribute)
  }
  return attributes
}

/** An object without the members of a group. */
function objectEntity(name: string, object: HdfObject, attributes: readonly Attribute[]): Entity {
  const common = {
    name,
    kind: object.kind,
    attributes: attributes.map(({ name, type, space }) => ({
      name,
      type: typeEntity(type),
      shape: shapeOf(space),
    })),
  }
  if (object.kind === 'group') return common
  if (object.kind === 'datatype') return { ...common, type: typeEntity(object.type) }
  const { layout, chunkDims, filters } = object.creationProperties
  return {
    ...common,
    type: typeEntity(object.type),
    shape: shapeOf(object.space),
    chunks: layout === 'H5D_CHUNKED' && chunkDims ? chunkDims : null,
    filters: filters.length > 0 ? filters.map(shownFilter) : null,
  }
}

function shownFilter(filter: Filter): Entity {
  return { id: filter.id, name: completed(filter).get('name') ?? `filter ${filter.id}` }
}

/** A link that is not followed. */
export function linkEntity(name: string, target: ListedLink['target']): Entity {
  if (target.class === 'H5L_TYPE_SOFT')
    return { name, kind: 'soft_link', attributes: [], target_path: target.h5path }
  if (target.class !== 'H5L_TYPE_EXTERNAL') return { name, kind: 'other', attributes: [] }
  const { h5domain, h5path } = target
  return { name, kind: 'external_link', attributes: [], target_file: h5domain, target_path: h5path }
}

/** Links of a group whose objects are read together: in PostgreSQL that is one statement. @limit memory, links */
const LINKS_AT_ONCE = 64

/** The members of a group, some at a time. */
export async function* memberEntities(
  context: Context,
  group: LocatedObject,
  rule: LinkRule,
): AsyncGenerator<Entity> {
  const state = { followed: 0 }
  let links: ListedLink[] = []
  for await (const link of context.reader.links(group.object.id)) {
    links.push(link)
    if (links.length < LINKS_AT_ONCE) continue
    yield* linkedEntities(context, group, links, rule, state)
    links = []
  }
  yield* linkedEntities(context, group, links, rule, state)
}

async function* linkedEntities(
  context: Context,
  group: LocatedObject,
  links: readonly ListedLink[],
  rule: LinkRule,
  state: { followed: number },
): AsyncGenerator<Entity> {
  context.signal.throwIfAborted()
  const ids = links.flatMap(({ target }) => (target.class === 'H5L_TYPE_HARD' ? [target.id] : []))
  const details = ids.length > 0 ? await context.reader.details(ids) : []
  let next = 0
  for (const { title, target } of links) {
    if (target.class === 'H5L_TYPE_HARD') {
      const found = details[next++]
      const isReadable = found && hasPermission(context, 'read', group.domain, found.object)
      yield isReadable
        ? await entityOf(context, title, found)
        : { name: title, kind: 'other', attributes: [] }
      continue
    }
    const isFollowed = rule !== 'none' && ++state.followed <= MAX_FOLLOWED
    const found = isFollowed ? await behind(context, group, title) : undefined
    yield found ? await entityOf(context, title, found) : linkEntity(title, target)
  }
}

/** The entity of an object, whose attributes are read if they are not known. */
export async function entityOf(
  context: Context,
  name: string,
  { object, attributes }: Pick<ObjectDetails, 'object' | 'attributes'>,
): Promise<Entity> {
  return objectEntity(name, object, attributes ?? (await attributesOf(context, object.id)))
}

/** The object behind a symbolic link of the group; undefined: there is none that the caller may read. */
export async function behind(
  context: Context,
  group: LocatedObject,
  title: string,
): Promise<LocatedObject | undefined> {
  const found = await resultOrError(locateMember(context, group, title, SYMBOLIC))
  return found instanceof HyperslabError ? undefined : found
}
