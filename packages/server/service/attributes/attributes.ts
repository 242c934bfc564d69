// The attributes of groups, datasets and committed datatypes, one at a time or many, under one rule.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type Dataspace, extentsOf } from '@hyperslab/model/dataset'
import { type Datatype, isSameType } from '@hyperslab/model/datatype'
import { excerpt, stringifyJson } from '@hyperslab/model/json'
import type { ObjectReference, Timestamp } from '@hyperslab/model/names'
import type { ReferenceSyntax } from '@hyperslab/model/values'
import type { Attribute, GivenAttribute, ListedAttribute } from '@hyperslab/store/store'
import { requireWritable } from '../access/access.ts'
import type { Context, CreationTimes, OpenDomain, WriteContext } from '../context.ts'
import { collectPage, isMarkerAccepted, isThere, type Listing } from '../listing.ts'
import { resolveType, type TypeUse, withLivingType, withLivingTypes } from '../objects/committed-type.ts'
import { openObject } from '../objects/objects.ts'
import { inSlices } from '../objects/read-together.ts'
import {
  type MemberQuery,
  type MemberReads,
  type NewMembers,
  type ObjectMembers,
  putSeveral,
  readReachable,
  readSeveral,
} from '../objects/several.ts'
import { repeatable, requireReferences, withCheckedReferences } from '../values/values.ts'
import { isSameValue, isShort, type SentValue, storedValue } from './attribute-value.ts'

export interface NewAttribute {
  readonly type: TypeUse
  readonly space: Dataspace
  /** Ignored for a null dataspace, which has no value. */
  readonly value?: SentValue
  /** True: the value is required, unless the dataspace is null. */
  readonly valueRequired?: boolean
  /** The spelling of ids in the value. */
  readonly references: ReferenceSyntax
  /** True: every reference must name an object of the domain. */
  readonly checkReferences: boolean
  /** True: strings that do not fit a fixed-length string are kept beside its bytes. */
  readonly keepsText?: boolean
  /** True: an attribute of that name is replaced; false: it is a conflict. */
  readonly replace: boolean
  /** 'accept': an attribute with the same type, dataspace and value is left as it is, without an error. */
  readonly same?: 'conflict' | 'accept'
  /** The creation time that the request names. */
  readonly created?: Timestamp
}

const READS: MemberReads<ListedAttribute> = {
  async page(context, domain, owner, listing) {
    const { reader } = context
    const attributes = await collectPage(
      page => reader.attributes(owner, page),
      listing,
      ({ name }) => name,
    )
    return withLivingTypes(context, domain, attributes)
  },
  named: async (context, domain, owner, name) =>
    withLivingType(context, domain, await requireAttribute(context, owner, name)),
}

export async function getAttribute(
  context: Context,
  domain: OpenDomain,
  owner: ObjectReference,
  name: string,
): Promise<Attribute> {
  await openObject(context, domain, owner.kind, owner.id, 'read')
  return withLivingType(context, domain, await requireAttribute(context, owner, name))
}

export async function listAttributes(
  context: Context,
  domain: OpenDomain,
  owner: ObjectReference,
  listing: Listing,
): Promise<readonly ListedAttribute[]> {
  await openObject(context, domain, owner.kind, owner.id, 'read')
  const { reader } = context
  const isOrWasThere = async (attribute: string) =>
    (await isThere(reader.attribute(owner.id, attribute))) ||
    reader.wasDeleted({ owner: owner.id, attribute })
  if (!(await isMarkerAccepted(listing, isOrWasThere, 'attribute-not-found'))) return []
  return READS.page(context, domain, owner.id, listing)
}

/** Attributes of several objects. */
export function readAttributes(
  context: Context,
  domain: OpenDomain,
  queries: readonly MemberQuery[],
): Promise<AsyncIterable<ObjectMembers<ListedAttribute>>> {
  return readSeveral(context, domain, queries, {}, READS)
}

/** The attributes of a group and of all that hard links reach from it. */
export function readReachableAttributes(
  context: Context,
  domain: OpenDomain,
  group: ObjectReference,
  listing: Listing,
): Promise<AsyncIterable<ObjectMembers<ListedAttribute>>> {
  return readReachable(context, domain, { starts: [group] }, listing, READS)
}

/** False when the attribute already existed with the same content. */
export function putAttribute(
  context: WriteContext,
  domain: OpenDomain,
  owner: ObjectReference,
  name: string,
  input: NewAttribute,
): Promise<boolean> {
  return putAll(context, domain, [{ owner, items: new Map([[name, input]]) }], error => error)
}

/** Puts attributes of several objects, all or none; false when all of them already existed with the same content. */
export function putAttributes(
  context: WriteContext,
  domain: OpenDomain,
  batch: readonly NewMembers<NewAttribute>[],
): Promise<boolean> {
  return putAll(context, domain, batch, (error, name) => error.within(`attribute ${excerpt(name)}`))
}

/** Adds to an error the attribute that it is about. */
type LocateError = (error: HyperslabError, name: string) => HyperslabError

function putAll(
  context: WriteContext,
  domain: OpenDomain,
  batch: readonly NewMembers<NewAttribute>[],
  locate: LocateError,
): Promise<boolean> {
  return putSeveral(
    context,
    domain,
    batch,
    (...some) => storeAttributes(context, domain, ...some, locate),
    (owner, names) => context.writer.namedAttributes(owner, names),
  )
}

async function storeAttributes(
  context: WriteContext,
  domain: OpenDomain,
  owner: ObjectReference,
  items: readonly (readonly [name: string, input: NewAttribute])[],
  times: CreationTimes,
  locate: LocateError,
): Promise<boolean> {
  const { writer } = context
  const names = items.map(([name]) => name)
  const short: GivenAttribute[] = []
  let changed = false
  for (const [i, existing] of (await writer.namedAttributes(owner.id, names)).entries()) {
    if (i > 0 && isTurnOver()) await nextTurn()
    const [name, input] = items[i]
    try {
      const attribute = await attributeToPut(context, domain, { owner, name, input, existing, times })
      if (attribute === undefined) continue
      changed = true
      const { value } = attribute
      if (value === undefined || ('data' in value && isShort(value))) short.push(attribute)
      else await writer.putAttributes(owner.id, attribute)
    } catch (error) {
      throw error instanceof HyperslabError ? locate(error, name) : error
    }
  }
  if (short.length > 0) await writer.putAttributes(owner.id, ...short)
  return changed
}

/** An attribute of a request, and the one that the object has already. */
interface AttributePut {
  readonly owner: ObjectReference
  readonly name: string
  readonly input: NewAttribute
  readonly existing: Attribute | undefined
  readonly times: CreationTimes
}

/** The attribute to store; undefined: the existing one stays unchanged. */
async function attributeToPut(
  context: WriteContext,
  domain: OpenDomain,
  { owner, name, input, existing, times }: AttributePut,
): Promise<GivenAttribute | undefined> {
  if (existing && !input.replace && input.same !== 'accept') throw attributeExists(owner, name)
  const content = await resolveContent(context, domain, name, input)
  if (existing && input.same === 'accept' && (await isSameContent(existing, content))) return undefined
  if (existing && !input.replace) throw attributeExists(owner, name)
  // A replaced attribute keeps its creation time (hsds-objects 1.8).
  const created = existing?.created ?? times.next(input.created)
  return { name, ...content, created, lastModified: context.now }
}

export async function deleteAttribute(
  context: WriteContext,
  domain: OpenDomain,
  owner: ObjectReference,
  name: string,
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, owner.kind, owner.id, 'delete')
  await requireAttribute(context, owner, name)
  await context.writer.deleteAttribute(owner.id, name)
}

/**
 * Deletes the attributes that exist: one that was deleted before is skipped, one that never existed is an error
 * (hsds-objects 12.10).
 */
export async function deleteAttributes(
  context: WriteContext,
  domain: OpenDomain,
  owner: ObjectReference,
  names: readonly string[],
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, owner.kind, owner.id, 'delete')
  for await (const some of inSlices(new Set(names))) {
    // A write remembers the records that it has read.
    await context.writer.namedAttributes(owner.id, some)
    for (const name of some) {
      const isThere = await context.writer.deleteAttribute(owner.id, name)
      const wasThere = isThere || (await context.reader.wasDeleted({ owner: owner.id, attribute: name }))
      if (!wasThere) throw attributeNotFound(owner, name)
      await nextTurn()
    }
  }
}

/** A new value; null: all bytes are zero. */
export type NewAttributeValue = Pick<NewAttribute, 'references' | 'checkReferences' | 'keepsText'> & {
  readonly value: SentValue
}

/** Writes a new value; the type and the dataspace stay (hsds-objects 12.5). */
export async function putAttributeValue(
  context: WriteContext,
  domain: OpenDomain,
  owner: ObjectReference,
  name: string,
  input: NewAttributeValue,
): Promise<void> {
  requireWritable(domain)
  await openObject(context, domain, owner.kind, owner.id, 'update')
  const { value: _, sent: __, ...attribute } = await requireAttribute(context, owner, name)
  const { type, space } = attribute
  if (space.class === 'H5S_NULL') {
    throw new HyperslabError(
      'null-dataspace',
      `the attribute "${name}" has a null dataspace: it holds no value`,
    )
  }
  const stored =
    input.value === null ? {} : await checkedValue(context, domain, type, space, input.value, input)
  await context.writer.putAttributes(owner.id, { ...attribute, ...stored, lastModified: context.now })
}

type Content = Pick<GivenAttribute, 'type' | 'givenType' | 'committedType' | 'space' | 'value' | 'sent'>

async function resolveContent(
  context: Context,
  domain: OpenDomain,
  name: string,
  input: NewAttribute,
): Promise<Content> {
  const { space, value: sent } = input
  const resolved = await resolveType(context, domain, input.type)
  if (space.class === 'H5S_NULL') return { ...resolved, space }
  // An attribute without a value reads as null, which clients send back; for one float it is NaN (common 5).
  const isOneFloat = resolved.type.class === 'H5T_FLOAT' && space.class === 'H5S_SCALAR'
  const isNone = sent === null && !input.valueRequired && !isOneFloat
  if (sent === undefined || isNone) {
    if (!input.valueRequired) return { ...resolved, space }
    throw new HyperslabError(
      'malformed-value',
      `the attribute "${name}" needs a value, because its dataspace is not null`,
      { subject: name },
    )
  }
  return { ...resolved, space, ...(await checkedValue(context, domain, resolved.type, space, sent, input)) }
}

async function checkedValue(
  context: Context,
  domain: OpenDomain,
  type: Datatype,
  space: Dataspace,
  sent: SentValue,
  rules: Pick<NewAttribute, 'references' | 'checkReferences' | 'keepsText'>,
): Promise<Pick<GivenAttribute, 'value' | 'sent'>> {
  const stored = await storedValue(type, space, sent, rules)
  const { value } = stored
  if (!rules.checkReferences || value === undefined) return stored
  if (!('data' in value)) {
    return { ...stored, value: repeatable(() => withCheckedReferences(context, domain, type, value)) }
  }
  await requireReferences(context, domain, type, value)
  return stored
}

async function isSameContent(a: Attribute, b: Content): Promise<boolean> {
  return (
    isSameType(a.type, b.type) &&
    a.committedType === b.committedType &&
    a.space.class === b.space.class &&
    `${extentsOf(a.space)}` === `${extentsOf(b.space)}` &&
    stringifyJson(a.sent ?? null) === stringifyJson(b.sent ?? null) &&
    (await isSameValue(a.type, a.value, b.value))
  )
}

function attributeExists(owner: ObjectReference, name: string): HyperslabError {
  return new HyperslabError(
    'attribute-exists',
    `the ${owner.kind} ${owner.id} already has an attribute "${name}"`,
    { subject: name },
  )
}

async function requireAttribute(context: Context, owner: ObjectReference, name: string): Promise<Attribute> {
  const attribute = await context.reader.attribute(owner.id, name)
  if (attribute) return attribute
  if (!(await context.reader.wasDeleted({ owner: owner.id, attribute: name }))) {
    throw attributeNotFound(owner, name)
  }
  throw new HyperslabError(
    'attribute-deleted',
    `the attribute "${name}" of the ${owner.kind} ${owner.id} was deleted`,
    { subject: name },
  )
}

function attributeNotFound(owner: ObjectReference, name: string): HyperslabError {
  return new HyperslabError(
    'attribute-not-found',
    `the ${owner.kind} ${owner.id} has no attribute "${name}"`,
    { subject: name },
  )
}
