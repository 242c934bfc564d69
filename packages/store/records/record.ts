// The bytes of a record: a format version, a head as JSON text and, after a NUL, a tail of raw bytes (the values of an
// attribute). JSON, because it can be read without a schema, leaves room for further members, and is the fastest that
// Node decodes at this size. Values that JSON cannot express are written as {"$int": "..."}, {"$map": [...]} or
// {"$number": "NaN"}.

import { plainBytes } from '@hyperslab/model/values'

const FORMAT = 1
const TAIL_MARK = 0
const START = String.fromCharCode(FORMAT)

/** No text inside JSON text can look like this, since its quotation marks are escaped. */
const ESCAPE_MARK = '{"$'

export function encodeRecord(head: object, ...tail: readonly Uint8Array[]): Uint8Array {
  const text = isPlainJson(head) ? JSON.stringify(head) : JSON.stringify(head, escapeValue)
  if (tail.length === 0) return plainBytes(Buffer.from(START + text))
  const tailLength = tail.reduce((length, bytes) => length + bytes.length, 0)
  const length = Buffer.byteLength(text)
  const record = Buffer.allocUnsafe(2 + length + tailLength)
  record[0] = FORMAT
  record.write(text, 1)
  record[1 + length] = TAIL_MARK
  let offset = 2 + length
  for (const bytes of tail) {
    record.set(bytes, offset)
    offset += bytes.length
  }
  return plainBytes(record)
}

/** The head that `encodeRecord` got. The code that writes this kind of record promises that it is a `Head`. */
export function decodeRecord<Head>(record: Uint8Array): Head {
  if (record[0] !== FORMAT) {
    throw new Error(`A record has format ${record[0]}; this release reads format ${FORMAT}`)
  }
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  const mark = bytes.indexOf(TAIL_MARK, 1)
  const text = bytes.toString('utf8', 1, mark < 0 ? bytes.length : mark)
  const head: unknown = JSON.parse(text)
  return (text.includes(ESCAPE_MARK) ? unescapeTree(head) : head) as Head
}

/** The bytes after the head; they share the record's memory. */
export function tailOf(record: Uint8Array): Uint8Array {
  return plainBytes(record).subarray(headLength(record))
}

/** Bytes of a record up to its tail. */
export function headLength(record: Uint8Array): number {
  const mark = record.indexOf(TAIL_MARK, 1)
  return mark < 0 ? record.length : mark + 1
}

/**
 * Whether JSON can express all of the value, as nearly always. Then encoding takes less than half the time, since it
 * needs no call for each member.
 */
function isPlainJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  if (Array.isArray(value)) return value.every(isPlainJson)
  if (value instanceof Map) return false
  const members = value as Record<string, unknown>
  for (const name in members) if (!isPlainJson(members[name])) return false
  return true
}

function escapeValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $int: value.toString() }
  if (value instanceof Map) return { $map: [...value] }
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
    return { $number: Object.is(value, -0) ? '-0' : String(value) }
  }
  return value
}

/** Replaces the escaped values. Changes the tree in place, since it was just parsed. */
function unescapeTree(tree: unknown): unknown {
  if (typeof tree !== 'object' || tree === null) return tree
  if (Array.isArray(tree)) {
    for (let i = 0; i < tree.length; i++) tree[i] = unescapeTree(tree[i])
    return tree
  }
  if ('$int' in tree) return BigInt(String(tree.$int))
  if ('$number' in tree) return Number(tree.$number)
  if ('$map' in tree) return new Map(unescapeTree(tree.$map) as [unknown, unknown][])
  const members = tree as Record<string, unknown>
  for (const name in members) {
    const member = members[name]
    if (typeof member === 'object') members[name] = unescapeTree(member)
  }
  return members
}
