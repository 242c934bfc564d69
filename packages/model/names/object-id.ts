// Object ids. An id is 32 lower-case hex digits; the kind of the object is beside it, never inside. Ids of one
// domain share their first 16 digits with the domain's root group, and a root group is recognised by its last 16
// digits being its first 16 with the top bit of each digit flipped, so the root follows from any id
// (common 4; hsds-objects 5).
//
// Two spellings exist on the wire: a plain UUID (8-4-4-4-12) and a prefixed one (prefix + 8-8-4-6-6).

import { HyperslabError } from '@hyperslab/base/errors'

declare const brand: unique symbol
/** 32 lower-case hexadecimal digits. Only the functions of this file make such an id. */
export type ObjectId = string & { readonly [brand]: 'ObjectId' }

export type ObjectKind = 'group' | 'dataset' | 'datatype'

/** An id together with the kind of object that it names: the value of an object reference. */
export interface ObjectReference {
  readonly kind: ObjectKind
  readonly id: ObjectId
}

/** The collection of each kind, as the wire names it. */
export const COLLECTIONS = { group: 'groups', dataset: 'datasets', datatype: 'datatypes' } as const
export type Collection = (typeof COLLECTIONS)[ObjectKind]

const PREFIXES = { group: 'g', dataset: 'd', datatype: 't' } as const
const KIND_OF_PREFIX: Readonly<Record<string, ObjectKind>> = { g: 'group', d: 'dataset', t: 'datatype' }
const KIND_OF_COLLECTION: Readonly<Record<Collection, ObjectKind>> = {
  groups: 'group',
  datasets: 'dataset',
  datatypes: 'datatype',
}

const PREFIXED = /^[gdt]-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{6}-[0-9a-f]{6}$/
const PREFIXED_UUID = /^[gdt]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function kindOfCollection(collection: Collection): ObjectKind {
  return KIND_OF_COLLECTION[collection]
}

export function isCollection(text: string): text is Collection {
  return Object.hasOwn(KIND_OF_COLLECTION, text)
}

/**
 * The id spelled with a prefix, or undefined when the text is not one. The layout 8-4-4-4-12 after the prefix, which
 * older servers wrote, is accepted too.
 */
export function parsePrefixed(text: string): ObjectReference | undefined {
  if (!PREFIXED.test(text) && !PREFIXED_UUID.test(text)) return undefined
  const kind = KIND_OF_PREFIX[text[0] ?? '']
  return kind && { kind, id: text.slice(2).replaceAll('-', '') as ObjectId }
}

export function formatPrefixed({ kind, id }: ObjectReference): string {
  return `${PREFIXES[kind]}-${id.slice(0, 8)}-${id.slice(8, 16)}-${id.slice(16, 20)}-${id.slice(20, 26)}-${id.slice(26)}`
}

/** The id whose 16 bytes are given. */
export function idFromBytes(bytes: Uint8Array): ObjectId {
  if (bytes.length !== 16) throw new Error(`an object id has 16 bytes, not ${bytes.length}`)
  return hexOf(bytes) as ObjectId
}

/** The id made of 32 lower-case hex digits, for ids that come back from storage. */
export function idFromHex(hex: string): ObjectId {
  if (!/^[0-9a-f]{32}$/.test(hex)) throw new HyperslabError('malformed-id', `"${hex}" is not 32 hex digits`)
  return hex as ObjectId
}

/** The hex digits in order, each with its top bit flipped. */
const FLIPPED_DIGITS = '89abcdef01234567'

/** Half of an id, each digit with its top bit flipped. */
function flip(half: string): string {
  return flipWord(half.slice(0, 8)) + flipWord(half.slice(8))
}

/** The same of 8 digits. */
function flipWord(digits: string): string {
  return ((Number.parseInt(digits, 16) ^ 0x88888888) >>> 0).toString(16).padStart(8, '0')
}

/** The root group of the domain that the id belongs to. */
export function rootOf(id: ObjectId): ObjectId {
  const half = domainHalf(id)
  return (half + flip(half)) as ObjectId
}

/** The digits with which all ids of a domain begin. */
export function domainHalf(id: ObjectId): string {
  return id.slice(0, 16)
}

/** Whether two ids are of the same domain. */
export function isSameDomain(one: ObjectId, other: ObjectId): boolean {
  return domainHalf(one) === domainHalf(other)
}

export function isRoot(id: ObjectId): boolean {
  // Most others differ in the first digit already.
  return id[16] === FLIPPED_DIGITS[Number.parseInt(id[0], 16)] && rootOf(id) === id
}

/**
 * Fresh ids. A root group's is of 8 random bytes. Those of objects begin at 8 random bytes and then count up: the
 * records of objects that are made one after another are adjacent in the store, which writes them faster and in less
 * space. Two processes that make objects of one domain take the same id as rarely as if each were random.
 */
export class ObjectIds {
  readonly #random: (byteLength: number) => Uint8Array
  /**
   * The first 8 digits of the half of an id, and the number in the other digits; beyond 32 bits the first half changes.
   */
  #high = ''
  #low = 2 ** 32

  constructor(random: (byteLength: number) => Uint8Array) {
    this.#random = random
  }

  newRoot(): ObjectId {
    const half = hexOf(this.#random(8))
    return (half + flip(half)) as ObjectId
  }

  /** A new id in the domain of `root`, which may be any id of it; never the id of the root group. */
  newObject(root: ObjectId): ObjectId {
    const [id] = this.newObjects(root, 1)
    return id
  }

  /** The same for several ids, each of which follows the one before. */
  newObjects(root: ObjectId, count: number): ObjectId[] {
    for (;;) {
      while (this.#low + count > 2 ** 32) this.#begin()
      const start = this.#low
      this.#low += count
      const digits = domainHalf(root) + this.#high
      const ids = Array.from({ length: count }, (_, i) => idAfter(digits, start + i))
      if (!ids.some(isRoot)) return ids
    }
  }

  #begin(): void {
    const digits = hexOf(this.#random(8))
    this.#high = digits.slice(0, 8)
    this.#low = Number.parseInt(digits.slice(8), 16)
  }
}

function idAfter(digits: string, low: number): ObjectId {
  return (digits + low.toString(16).padStart(8, '0')) as ObjectId
}

function hexOf(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return hex
}
