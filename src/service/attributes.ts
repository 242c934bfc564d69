// The attributes of groups, datasets and committed datatypes, under one rule.

import { HyperslabError } from '../errors.ts'
import { type Dataspace, extentsOf } from '../hdf5/dataspace.ts'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import { formatDatatype } from '../hdf5/datatype/format.ts'
import { stringifyJson } from '../hdf5/json.ts'
import type { ObjectReference } from '../hdf5/object-id.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { ReferenceSyntax } from '../hdf5/values/references.ts'
import type { Attribute } from '../storage/store.ts'
import { requireWritable } from './access.ts'
import { type SentValue, storedValue } from './attribute-value.ts'
import { resolveType, type TypeUse, withLivingType, withLivingTypes } from './committed-type.ts'
import { acceptedTime, type Context, type OpenDomain, type WriteContext } from './context.ts'
import { collect, isMarkerAccepted, type Listing, pageOf } from './listing.ts'
import { openObject } from './objects.ts'
import { requireReferences } from './values.ts'

export interface NewAttribute {
  readonly type: TypeUse
  readonly space: Dataspace
  /** Ignored for a null dataspace, which holds no value. */
  readonly value?: SentValue
  /** True: a value must be given, unless the dataspace is null. */
  readonly valueRequired?: boolean
  /** How ids are spelled inside the value. */
  readonly references: ReferenceSyntax
  /** True: every reference must name an object of the domain. */
  readonly checkReferences: boolean
  /** True: text that does not fit a fixed string is kept beside its bytes. */
  readonly keepsText?: boolean
  /** True: an attribute of that name is replaced; false: it is a conflict. */
  readonly replace: boolean
  /** 'accept': one that is already there with this very type, dataspace and value is an answer, not a conflict. */
  readonly same?: 'conflict' | 'accept'
  /** When the caller says that it was made. */
  readonly created?: Timestamp
}

export async function getAttribute(
  context: Context,
  domain: OpenDomain,
  owner: ObjectReference,
  name: string,
): Promise<Attribute> {
  await openObject(context, domain, owner.kind, owner.id, 'read')
  const attribute = await requireAttribute(context, owner, name)
  return withLivingType(context, domain, attribute)
}

export async function listAttributes(
  context: Context,
  domain: OpenDomain,
  owner: ObjectReference,
  page: Listing,
): Promise<readonly Attribute[]> {
  await openObject(context, domain, owner.kind, owner.id, 'read')
  const { reader } = context
  const isThere = async (marker: string) => (await reader.attribute(owner.id, marker)) !== undefined
  if (!(await isMarkerAccepted(page, isThere, 'attribute-not-found'))) return []
  const attributes = await collect(reader.attributes(owner.id, pageOf(page)))
  return withLivingTypes(context, domain, attributes)
}

/** `changed` is false when it was there already with this very content. */
export async function putAttribute(
  context: WriteContext,
  domain: OpenDomain,
  owner: ObjectReference,
  name: string,
  input: NewAttribute,
): Promise<{ attribute: Attribute; changed: boolean }> {
  requireWritable(domain)
  await openObject(context, domain, owner.kind, owner.id, 'create')
  const existing = await context.reader.attribute(owner.id, name)
  if (existing && !input.replace && input.same !== 'accept') throw attributeExists(owner, name)
  const content = await resolveContent(context, domain, name, input)
  if (existing && input.same === 'accept' && isSameContent(existing, content)) {
    return { attribute: existing, changed: false }
  }
  if (existing && !input.replace) throw attributeExists(owner, name)
  const attribute: Attribute = {
    name,
    ...content,
    // A replaced attribute is still the one that was created (contract 20, 1.8).
    created: existing?.created ?? acceptedTime(input.created, context.now),
    lastModified: context.now,
  }
  await context.writer.putAttribute(owner.id, attribute)
  return { attribute, changed: true }
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

/** What a new value needs to know; `value`: null for all bytes zero. */
export type NewAttributeValue = Pick<NewAttribute, 'references' | 'checkReferences' | 'keepsText'> & {
  readonly value: SentValue
}

/** The type and the dataspace stay (contract 20, 12.5). */
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
  await context.writer.putAttribute(owner.id, { ...attribute, ...stored, lastModified: context.now })
}

type Content = Pick<Attribute, 'type' | 'givenType' | 'committedType' | 'space' | 'value' | 'sent'>

async function resolveContent(
  context: Context,
  domain: OpenDomain,
  name: string,
  input: NewAttribute,
): Promise<Content> {
  const { space, value: sent } = input
  const resolved = await resolveType(context, domain, input.type)
  if (space.class === 'H5S_NULL') return { ...resolved, space }
  // null is what an attribute without a value reads as, and comes back; as a float it is NaN (contract 00, decision 7).
  const isNone = sent === null && !input.valueRequired && resolved.type.class !== 'H5T_FLOAT'
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
): Promise<Pick<Attribute, 'value' | 'sent'>> {
  const stored = storedValue(type, space, sent, rules)
  if (rules.checkReferences && stored.value) await requireReferences(context, domain, type, stored.value)
  return stored
}

/** Values are compared as stored; what JSON made is laid out in one way only. */
function isSameContent(a: Content, b: Content): boolean {
  return (
    stringifyJson(formatDatatype(a.type)) === stringifyJson(formatDatatype(b.type)) &&
    a.committedType === b.committedType &&
    a.space.class === b.space.class &&
    `${extentsOf(a.space)}` === `${extentsOf(b.space)}` &&
    isSameBytes(a.value?.data, b.value?.data) &&
    isSameBytes(a.value?.heap, b.value?.heap) &&
    stringifyJson(a.sent ?? null) === stringifyJson(b.sent ?? null)
  )
}

function isSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (!a || !b) return a === b
  return a.length === b.length && a.every((byte, index) => byte === b[index])
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
  const deleted = await context.reader.wasDeleted({ owner: owner.id, attribute: name })
  throw new HyperslabError(
    deleted ? 'attribute-deleted' : 'attribute-not-found',
    deleted
      ? `the attribute "${name}" of the ${owner.kind} ${owner.id} was deleted`
      : `the ${owner.kind} ${owner.id} has no attribute "${name}"`,
    { subject: name },
  )
}
