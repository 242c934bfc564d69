// The layout of the store's keys, which no other file knows. Keys sort as unsigned bytes, and the first byte names
// the section:
//
//   d <folder> 00 <name>          a domain or folder; the direct children of a folder are one range. The folder is a
//                                 whole path: that of another bucket than the default one begins with its name
//   x <path>                      a domain or folder that was deleted
//   c <domain> ...                the contents of a domain (first 8 bytes of its ids)
//     i <kind> <object>             its ids by kind (last 8 bytes of each)
//     o <object> <part> ...         the parts of an object
//     t <object> <what> ...         what was deleted
//     s <what>                      what is counted of the domain, and its state
//   a                             new after each change of the accounts
//     u <name>                      an account
//     g <name>                      a group of users
//   b                             the number of the current bin
//   e <number>                    an event of the feed
//   f                             noted once all folders below are recorded
//     <number> <what>               a folder as tables of contents show it
//   g <bin> <random>              garbage to be swept
//   h                             the number of the last event that was removed
//   i                             the id of the store, and whether it is a copy that is not complete
//   j <path>                      a domain is a joined one
//   l <owner> <digest>            a login: a session or a token, by the hash of its user's name and of its secret
//   m                             the secret from which the ids of mounted objects follow, and seals of logins
//   n <path>                      noted once all mounted files at the path and below are recorded
//   o <folder> 00 <name>          a mounted file or folder as its last event has it
//   p <random>                    a write under way that reads a newer state than the one it began with
//   q                             the quotas
//     <quota> <what>                what is used of one
//   r <domain> [<object>]         what is left of a domain or object that was deleted
//   u <domain>                    contents that are being filled for a domain that is to be
//   w                             the time of the last check that records can be written
//
// A name is in a key as `component` (key-range.ts) makes it, so listings are in the order of code points.

import type { ObjectId, ObjectKind, Timestamp } from '@hyperslab/model/names'
import { type DomainPath, idFromBytes, idFromHex, nameOf, parentOf, rootOf } from '@hyperslab/model/names'
import {
  byte,
  code,
  component,
  componentPrefix,
  hexOf,
  MAX_COMPONENT,
  type Range,
  rangeOf,
  TIME_LENGTH,
  text,
  timeBytes,
  timeOf,
} from '../key-range.ts'

/**
 * The longest key, that of a domain whose folder and name are both long. Every engine must be able to store it.
 * @limit format, bytes
 */
export const MAX_KEY_LENGTH = 2 * MAX_COMPONENT + 2

// Domains

/** A top level has no entry in any folder: nothing is stored at its key, since no name is empty. */
export function domainKey(path: DomainPath): Uint8Array {
  return childKey(parentOf(path), nameOf(path))
}

export const DOMAINS_RANGE = rangeOf(text('d'))

/** The direct children of a folder whose names have the prefix. */
export function childrenRange(folder: DomainPath, prefix = ''): Range {
  return rangeOf(Buffer.concat([childrenPrefix(folder), componentPrefix(prefix)]))
}

/** The children of all folders whose paths begin with the text, as far as keys have it: long paths are cut. */
export function foldersRange(beginning: string): Range {
  return rangeOf(Buffer.concat([text('d'), componentPrefix(beginning)]))
}

/** The key of a child of that name, whether there is one or not. */
export function childKey(folder: DomainPath, name: string): Uint8Array {
  // The key of a short name, as nearly all are, is made in one step.
  if (3 * (folder.length + name.length) <= MAX_COMPONENT) return Buffer.from(`d${folder}\0${name}`)
  return Buffer.concat([childrenPrefix(folder), component(name)])
}

function childrenPrefix(folder: DomainPath, section = 'd'): Uint8Array {
  return Buffer.concat([text(section), component(folder), byte(0)])
}

export function domainTombstoneKey(path: DomainPath): Uint8Array {
  return Buffer.concat([text('x'), component(path)])
}

// Contents of a domain

const CONTENTS = code('c')
const INDEX = code('i')
const OBJECTS = code('o')
const TOMBSTONES = code('t')
const STATISTICS = code('s')

/** Bytes of a domain's or an object's half of an id. */
const HALF = 8

/** The keys of all contents of the domain of `id`. */
export function contentsRange(id: ObjectId): Range {
  const prefix = Buffer.allocUnsafe(1 + HALF)
  prefix[0] = CONTENTS
  writeHalf(prefix, 1, id, 0)
  return rangeOf(prefix)
}

const KIND_CODES = { group: code('g'), dataset: code('d'), datatype: code('t') } as const

export function indexKey(kind: ObjectKind, id: ObjectId): Uint8Array {
  return contentsKey(id, INDEX, KIND_CODES[kind])
}

/** The ids of a kind in the domain of `id`. */
export function indexRange(kind: ObjectKind, id: ObjectId): Range {
  return rangeOf(contentsKey(id, INDEX, KIND_CODES[kind]).subarray(0, 1 + HALF + 2))
}

export function idOfIndexKey(key: Uint8Array): ObjectId {
  return idFromBytes(Buffer.concat([key.subarray(1, 1 + HALF), key.subarray(key.length - HALF)]))
}

/** c <domain> <section> [<kind>] <object> */
function contentsKey(id: ObjectId, section: number, kind?: number): Buffer {
  const key = Buffer.allocUnsafe(kind === undefined ? 2 + 2 * HALF : 3 + 2 * HALF)
  key[0] = CONTENTS
  writeHalf(key, 1, id, 0)
  key[1 + HALF] = section
  if (kind !== undefined) key[2 + HALF] = kind
  writeHalf(key, key.length - HALF, id, 2 * HALF)
  return key
}

const DIGITS = Uint8Array.from({ length: 128 }, (_, digit) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(digit)),
)

/** The bytes of half an id, whose digits begin at `from`. A third of the time that `Buffer.write` takes. */
function writeHalf(key: Uint8Array, at: number, id: ObjectId, from: number): void {
  for (let i = 0; i < HALF; i++) {
    key[at + i] = (DIGITS[id.charCodeAt(from + 2 * i)] << 4) | DIGITS[id.charCodeAt(from + 2 * i + 1)]
  }
}

// Statistics of a domain

const STATISTIC_CODES = {
  group: code('g'),
  dataset: code('d'),
  datatype: code('t'),
  chunks: code('k'),
  allocatedBytes: code('v'),
  logicalBytes: code('e'),
  /** Bytes of the records of objects, links and attributes. */
  metadataBytes: code('r'),
  /** Time of the last change of an object, deletions included. */
  modified: code('m'),
  /** Domains that have the root group. */
  names: code('n'),
  /** Random bytes, new after every change of anything in the domain. */
  state: code('s'),
  /** Random bytes, new each time that values were stored in another form without a change. */
  form: code('f'),
  /** The quotas that the contents are charged to (quotas.ts). */
  charges: code('q'),
} as const
export type Statistic = keyof typeof STATISTIC_CODES

/** The keys of all statistics of the domain of `id`. */
export function statisticKeys(id: ObjectId): Uint8Array[] {
  return (Object.keys(STATISTIC_CODES) as Statistic[]).map(statistic => statisticKey(id, statistic))
}

/** The key of a statistic of the domain of `id`. */
export function statisticKey(id: ObjectId, statistic: Statistic): Uint8Array {
  const key = Buffer.allocUnsafe(3 + HALF)
  key[0] = CONTENTS
  writeHalf(key, 1, id, 0)
  key[1 + HALF] = STATISTICS
  key[2 + HALF] = STATISTIC_CODES[statistic]
  return key
}

/** The statistic of a key; undefined: it is the key of something else. */
export function statisticOf(key: Uint8Array): Statistic | undefined {
  const isStatistic = key.length === 3 + HALF && key[0] === CONTENTS && key[1 + HALF] === STATISTICS
  return isStatistic ? STATISTICS_BY_CODE.get(key[2 + HALF]) : undefined
}

/** The key of a statistic of the contents that a key belongs to; undefined: it belongs to no contents. */
export function statisticKeyNear(key: Uint8Array, statistic: Statistic): Uint8Array | undefined {
  if (key[0] !== CONTENTS || key.length <= HALF) return undefined
  return Buffer.concat([key.subarray(0, 1 + HALF), byte(STATISTICS), byte(STATISTIC_CODES[statistic])])
}

// Quotas (quotas.ts)

/** The key of the record with all quotas. */
export const QUOTAS_KEY = text('q')

/** The key of the counter of the bytes, or the objects, that are charged to a quota; `id`: 16 hexadecimal digits. */
export function quotaUseKey(id: string, what: 'bytes' | 'objects'): Uint8Array {
  return Buffer.concat([QUOTAS_KEY, Buffer.from(id, 'hex'), text(what.slice(0, 1))])
}

// Parts of an object

const PARTS = {
  /** The properties that hardly ever change. */
  record: code('r'),
  /** Time of the last change, and 8 random bytes so that no two writes give the same value. */
  modified: code('m'),
  linkCount: code('n'),
  attributeCount: code('N'),
  link: code('l'),
  linkByCreation: code('L'),
  attribute: code('a'),
  attributeByCreation: code('A'),
  /** The key of an attribute's value that has its own id: <that id's object half>. */
  largeValue: code('x'),
  /** An entry for each hard link to this object: <source group> <title>. */
  backLink: code('b'),
  /** The record of a chunk, with the location of its values: <coordinates>. */
  chunk: code('k'),
  /** The values of a small chunk: <coordinates>. */
  values: code('v'),
  /** Stored chunks of a dataset, and the bytes of their values. */
  chunkCount: code('K'),
  chunkBytes: code('V'),
  /** Bytes of the records of links and attributes. */
  memberBytes: code('M'),
  /** A file that a joined domain was made of: <path>. Root groups alone have it. */
  knownFile: code('j'),
  /** A part of what is known of the contents of these files: <key>. Root groups alone have it. */
  keptOutline: code('J'),
} as const
export type ObjectPart = keyof typeof PARTS

/** The parts of which an object has one record at most. */
export const OBJECT_SINGLES = [
  'record',
  'modified',
  'linkCount',
  'attributeCount',
  'chunkCount',
  'chunkBytes',
  'memberBytes',
] as const satisfies readonly ObjectPart[]

const NOTHING = new Uint8Array(0)

export function objectKey(id: ObjectId, part: ObjectPart, rest: Uint8Array = NOTHING): Uint8Array {
  const key = Buffer.allocUnsafe(OBJECT_KEY_LENGTH + rest.length)
  writeObject(key, id, OBJECTS)
  key[OBJECT_KEY_LENGTH - 1] = PARTS[part]
  key.set(rest, OBJECT_KEY_LENGTH)
  return key
}

/** Writes the beginning of a key of an object: c <domain> <section> <object>. */
function writeObject(key: Uint8Array, id: ObjectId, section: number): void {
  key[0] = CONTENTS
  writeHalf(key, 1, id, 0)
  key[1 + HALF] = section
  writeHalf(key, 2 + HALF, id, 2 * HALF)
}

/** The offset of `rest` in an object's key. */
const OBJECT_KEY_LENGTH = 3 + 2 * HALF

export function restOfObjectKey(key: Uint8Array): Uint8Array {
  return key.subarray(OBJECT_KEY_LENGTH)
}

export function objectPartRange(id: ObjectId, part: ObjectPart): Range {
  return rangeOf(objectKey(id, part))
}

/** All parts of an object. */
export function objectRange(id: ObjectId): Range {
  return rangeOf(contentsKey(id, OBJECTS))
}

// Members in order of creation: <time> <name>

export function creationOrder(created: Timestamp, name: Uint8Array): Uint8Array {
  return Buffer.concat([timeBytes(created), name])
}

export function nameOfCreationOrder(rest: Uint8Array): Uint8Array {
  return rest.subarray(TIME_LENGTH)
}

// Large values: <value>. Such an id has no record, so it is not the id of an object, but it has chunks like a dataset.

export function largeValueKey(owner: ObjectId, value: ObjectId): Uint8Array {
  return objectKey(owner, 'largeValue', Buffer.from(value.slice(2 * HALF), 'hex'))
}

export function idOfLargeValueKey(key: Uint8Array): ObjectId {
  return idFromBytes(Buffer.concat([key.subarray(1, 1 + HALF), restOfObjectKey(key)]))
}

// Back links: <source group> <title>

export function backLinkRest(group: ObjectId, title: Uint8Array): Uint8Array {
  const rest = Buffer.allocUnsafe(HALF + title.length)
  writeHalf(rest, 0, group, 2 * HALF)
  rest.set(title, HALF)
  return rest
}

/** The group that a back link comes from, and the title there as it is in keys. */
export function parseBackLink(target: ObjectId, rest: Uint8Array): { group: ObjectId; title: Uint8Array } {
  const domain = Buffer.from(target.slice(0, 16), 'hex')
  return { group: idFromBytes(Buffer.concat([domain, rest.subarray(0, HALF)])), title: rest.subarray(HALF) }
}

// Tombstones

/** The code of an object comes last in the order of the letters. */
const TOMBSTONE_CODES = { object: code('o'), link: code('l'), attribute: code('a') } as const

/** `name` as `component` gives it; none for the object itself. */
export function tombstoneKey(
  id: ObjectId,
  subject: keyof typeof TOMBSTONE_CODES,
  name: Uint8Array = NOTHING,
): Uint8Array {
  const key = Buffer.allocUnsafe(OBJECT_KEY_LENGTH + name.length)
  writeObject(key, id, TOMBSTONES)
  key[OBJECT_KEY_LENGTH - 1] = TOMBSTONE_CODES[subject]
  key.set(name, OBJECT_KEY_LENGTH)
  return key
}

/** The tombstones of an object and of its links and attributes. */
export function tombstonesRange(id: ObjectId): Range {
  return rangeOf(contentsKey(id, TOMBSTONES))
}

/** The tombstones of an object's links and attributes, without its own. */
export function memberTombstonesRange(id: ObjectId): Range {
  return { start: tombstoneKey(id, 'attribute'), end: tombstoneKey(id, 'object') }
}

// Keys for the sweeper

/** The key of the record that holds the number of the current bin. */
export const BIN_KEY = text('b')

export function binOf(record: Uint8Array | undefined): number {
  return record === undefined ? 0 : timeOf(record)
}

export function binRecord(bin: number): Uint8Array {
  return timeBytes(bin)
}

export function garbageKey(bin: number, random: Uint8Array): Uint8Array {
  return Buffer.concat([text('g'), timeBytes(bin), random])
}

/** The garbage of all bins before this one. */
export function garbageBelow(bin: number): Range {
  return { start: rangeOf(text('g')).start, end: garbageKey(bin, NOTHING) }
}

/** The garbage of this bin and later ones. */
export function garbageFrom(bin: number): Range {
  return { start: garbageKey(bin, NOTHING), end: rangeOf(text('g')).end }
}

const REMAINS = code('r')
export const REMAINS_RANGE = rangeOf(byte(REMAINS))

export function objectRemainsKey(id: ObjectId): Uint8Array {
  const key = Buffer.allocUnsafe(1 + 2 * HALF)
  key[0] = REMAINS
  writeHalf(key, 1, id, 0)
  writeHalf(key, 1 + HALF, id, 2 * HALF)
  return key
}

/** The key that notes everything in the domain of the root group as deleted. */
export function domainRemainsKey(root: ObjectId): Uint8Array {
  return objectRemainsKey(root).subarray(0, 1 + HALF)
}

/** The object, or the root group of the domain. */
export function idOfRemainsKey(key: Uint8Array): ObjectId {
  const hex = hexOf(key.subarray(1))
  return hex.length === 4 * HALF ? idFromHex(hex) : rootOf(idFromHex(hex.padEnd(4 * HALF, '0')))
}

export const UNFINISHED_RANGE = rangeOf(text('u'))

export function unfinishedKey(root: ObjectId): Uint8Array {
  return Buffer.concat([text('u'), Buffer.from(root.slice(0, 2 * HALF), 'hex')])
}

export const LONG_WRITE_RANGE = rangeOf(text('p'))

export function longWriteKey(random: Uint8Array): Uint8Array {
  return Buffer.concat([text('p'), random])
}

/** The key of the record with the identity of the store (identity.ts). */
export const IDENTITY_KEY = text('i')

/** The key of the record that is written to check that records can be written. */
export const PROBE_KEY = text('w')

// Accounts (accounts.ts), and the secret of mounts (mount-secret.ts)

/** The key of the record that is new after each change of the accounts. */
export const ACCOUNTS_KEY = text('a')

/** The range of that record and of those of all accounts and groups of users. */
export const ACCOUNTS_RANGE = rangeOf(ACCOUNTS_KEY)

const ACCOUNT_CODES = { user: code('u'), userGroup: code('g') } as const

export function userKey(name: string): Uint8Array {
  return accountKey('user', name)
}

export function userGroupKey(name: string): Uint8Array {
  return accountKey('userGroup', name)
}

function accountKey(type: keyof typeof ACCOUNT_CODES, name: string): Uint8Array {
  return Buffer.concat([ACCOUNTS_KEY, byte(ACCOUNT_CODES[type]), Buffer.from(name)])
}

export const MOUNT_SECRET_KEY = text('m')

// Logins (logins.ts)

const LOGINS = code('l')

/** Bytes of the hash of a user's name, with which the keys of the user's logins begin. */
export const OWNER_LENGTH = 8
const DIGEST_LENGTH = 32

export function loginKey(owner: Uint8Array, digest: Uint8Array): Uint8Array {
  return Buffer.concat([byte(LOGINS), owner, digest])
}

/** The logins of all users. */
export const LOGINS_RANGE = rangeOf(byte(LOGINS))

/** The logins of a user. */
export function loginsRange(owner: Uint8Array): Range {
  return rangeOf(Buffer.concat([byte(LOGINS), owner]))
}

/** The digest of the secret of a login. */
export function digestOfLoginKey(key: Uint8Array): Uint8Array {
  return key.subarray(1 + OWNER_LENGTH)
}

// Events (events.ts)

/** The key of the log of events. */
export const EVENTS_KEY = text('e')

/** The key of the record with the number of the last event that was removed. */
export const EVENTS_REMOVED_KEY = text('h')

// Mounted files that the feed follows (followed-files.ts)

export function followedKey(path: DomainPath): Uint8Array {
  return Buffer.concat([childrenPrefix(parentOf(path), 'o'), component(nameOf(path))])
}

/** The direct children of a folder that are followed. */
export function followedRange(folder: DomainPath): Range {
  return rangeOf(childrenPrefix(folder, 'o'))
}

/** The key of the record that is there once the mounted files at a path and below it have their records. */
export function allFollowedKey(path: DomainPath): Uint8Array {
  return Buffer.concat([text('n'), component(path)])
}

// Joined domains (domains.ts)

/** The key of the record that is there while the domain at a path is a joined one. */
export function joinedKey(path: DomainPath): Uint8Array {
  return Buffer.concat([text('j'), component(path)])
}

export const JOINED_RANGE = rangeOf(text('j'))

// Folders of tables of contents (folders.ts)

/** The key of the record that is there once every folder that has held a domain has its records. */
export const FOLDERS_NOTED_KEY = text('f')

const FOLDER_CODES = {
  record: code('r'),
  /** The time of the last change of the namespace in the folder or below it. */
  modified: code('m'),
  /** Links of its group to domains and folders that are stored. */
  links: code('n'),
} as const
export type FolderPart = keyof typeof FOLDER_CODES

/** `number`: 8 bytes. */
export function folderKey(number: Uint8Array, part: FolderPart): Uint8Array {
  return Buffer.concat([FOLDERS_NOTED_KEY, number, byte(FOLDER_CODES[part])])
}

/** The parts of all folders, or of those whose numbers are higher. */
export function foldersAfter(number: Uint8Array | undefined): Range {
  const before = rangeOf(number ? Buffer.concat([FOLDERS_NOTED_KEY, number]) : FOLDERS_NOTED_KEY)
  return number ? { start: before.end, end: rangeOf(FOLDERS_NOTED_KEY).end } : before
}

// Parsing keys, for a walk over all of them

export type ParsedKey =
  | { readonly type: 'domain' | 'domainTombstone' | 'bin' | 'garbage' | 'identity' | 'longWrite' | 'probe' }
  | { readonly type: 'login' | 'mountSecret' | 'quotas' }
  | { readonly type: 'quotaUse' | 'accounts' | 'foldersNoted' }
  | { readonly type: 'event' | 'eventsRemoved' | 'followed' | 'allFollowed' | 'joined' }
  | { readonly type: 'folder'; readonly number: Uint8Array; readonly part: FolderPart }
  | { readonly type: 'user' | 'userGroup'; readonly name: string }
  | { readonly type: 'remains' | 'unfinished'; readonly id: ObjectId }
  | { readonly type: 'index'; readonly id: ObjectId; readonly kind: ObjectKind }
  | { readonly type: 'part'; readonly id: ObjectId; readonly part: ObjectPart; readonly rest: Uint8Array }
  | {
      readonly type: 'tombstone'
      readonly id: ObjectId
      readonly subject: keyof typeof TOMBSTONE_CODES
      readonly name: Uint8Array
    }
  | { readonly type: 'statistic'; readonly root: ObjectId; readonly statistic: Statistic }

const SECTIONS = new Map([
  [code('d'), 'domain'],
  [code('x'), 'domainTombstone'],
  [code('e'), 'event'],
  [code('j'), 'joined'],
  [code('n'), 'allFollowed'],
  [code('o'), 'followed'],
  [code('g'), 'garbage'],
  [code('q'), 'quotaUse'],
  [code('p'), 'longWrite'],
] as const)
const KINDS = namesByCode(KIND_CODES)
const STATISTICS_BY_CODE = namesByCode(STATISTIC_CODES)
const PARTS_BY_CODE = namesByCode(PARTS)
const TOMBSTONES_BY_CODE = namesByCode(TOMBSTONE_CODES)
const ACCOUNTS_BY_CODE = namesByCode(ACCOUNT_CODES)
const FOLDER_PARTS_BY_CODE = namesByCode(FOLDER_CODES)
/** Parts whose keys end with them: `OBJECT_SINGLES`. */
const SINGLES: ReadonlySet<ObjectPart> = new Set(OBJECT_SINGLES)

/** The parts of a key; undefined: this release writes no such key. */
export function parseKey(key: Uint8Array): ParsedKey | undefined {
  const section = key.at(0)
  if (section === CONTENTS) return parseContentsKey(key)
  if (section === code('a')) return parseAccountKey(key)
  if (section === code('f')) return parseFolderKey(key)
  if (Buffer.compare(key, QUOTAS_KEY) === 0) return { type: 'quotas' }
  if (section === LOGINS && key.length === 1 + OWNER_LENGTH + DIGEST_LENGTH) return { type: 'login' }
  if (section === code('r') && (key.length === 1 + HALF || key.length === 1 + 2 * HALF)) {
    return { type: 'remains', id: idOfRemainsKey(key) }
  }
  if (section === code('u') && key.length === 1 + HALF) return { type: 'unfinished', id: idOfRemainsKey(key) }
  if (Buffer.compare(key, BIN_KEY) === 0) return { type: 'bin' }
  if (Buffer.compare(key, IDENTITY_KEY) === 0) return { type: 'identity' }
  if (Buffer.compare(key, PROBE_KEY) === 0) return { type: 'probe' }
  if (Buffer.compare(key, EVENTS_REMOVED_KEY) === 0) return { type: 'eventsRemoved' }
  if (Buffer.compare(key, MOUNT_SECRET_KEY) === 0) return { type: 'mountSecret' }
  const type = key.length > 1 ? SECTIONS.get(key[0]) : undefined
  return type && { type }
}

function parseAccountKey(key: Uint8Array): ParsedKey | undefined {
  if (key.length === 1) return { type: 'accounts' }
  const type = ACCOUNTS_BY_CODE.get(key[1])
  return type && key.length > 2 ? { type, name: Buffer.from(key.subarray(2)).toString() } : undefined
}

function parseFolderKey(key: Uint8Array): ParsedKey | undefined {
  if (key.length === 1) return { type: 'foldersNoted' }
  const part = FOLDER_PARTS_BY_CODE.get(key[1 + HALF])
  return part && key.length === 2 + HALF
    ? { type: 'folder', number: key.subarray(1, 1 + HALF), part }
    : undefined
}

function parseContentsKey(key: Uint8Array): ParsedKey | undefined {
  const domain = hexOf(key.subarray(1, 1 + HALF))
  const section = key[1 + HALF]
  const statistic = statisticOf(key)
  if (statistic)
    return { type: 'statistic', root: rootOf(idFromHex(domain.padEnd(4 * HALF, '0'))), statistic }
  if (section === INDEX) {
    const kind = KINDS.get(key[2 + HALF])
    return kind && key.length === 3 + 2 * HALF ? { type: 'index', id: idOfIndexKey(key), kind } : undefined
  }
  if (key.length < OBJECT_KEY_LENGTH) return undefined
  const id = idFromHex(domain + hexOf(key.subarray(2 + HALF, 2 + 2 * HALF)))
  const rest = key.subarray(OBJECT_KEY_LENGTH)
  if (section === OBJECTS) {
    const part = PARTS_BY_CODE.get(key[OBJECT_KEY_LENGTH - 1])
    return part && (rest.length === 0 || !SINGLES.has(part)) ? { type: 'part', id, part, rest } : undefined
  }
  if (section !== TOMBSTONES) return undefined
  const subject = TOMBSTONES_BY_CODE.get(key[OBJECT_KEY_LENGTH - 1])
  return subject && (subject === 'object') === (rest.length === 0)
    ? { type: 'tombstone', id, subject, name: rest }
    : undefined
}

function namesByCode<Name extends string>(
  codes: Readonly<Record<Name, number>>,
): ReadonlyMap<number | undefined, Name> {
  return new Map(Object.entries<number>(codes).map(([name, code]) => [code, name as Name]))
}
