// A datatype from the JSON of HDF5/JSON (classic 14.2; hsds-objects 14.3): a predefined name, or an object whose
// `class` decides which members it needs. Unknown members are ignored. The specification's spellings of a
// string's members (`strsize`, `cset`, `strpad`) are read as well (classic 14.2).
//
// A bitfield is {"class": "H5T_BITFIELD", "base": "H5T_STD_B16LE"}, as HDF5/JSON writes it.

import { HyperslabError } from '@hyperslab/base/errors'
import { MAX_RANK } from '../dataset/dataspace.ts'
import type { JsonObject, JsonValue } from '../json/json.ts'
import { excerpt, isJsonList, isJsonObject, isPositive } from '../json/json.ts'
import { isWellFormed } from '../names/utf8.ts'
import type {
  ArrayType,
  CompoundField,
  CompoundType,
  Datatype,
  DatatypeClass,
  EnumMember,
  EnumType,
  FloatType,
  IntegerType,
  OpaqueType,
  ReferenceType,
  StringType,
  VlenType,
} from './datatype.ts'
import { CHARACTER_SETS, MAX_SLOTS, MAX_TYPE_DEPTH, STRING_PADDINGS } from './datatype.ts'
import { elementSize, slotCount } from './layout.ts'
import { predefinedName, predefinedType } from './predefined.ts'

/**
 * The most parts of all types within one type. HDF5 counts the members of an enum in 16 bits. Files have at most some
 * 5,000 fields: the message that describes a type has 64 KiB at most, and a field takes 13 bytes of it or more.
 * @limit safety, parts
 */
const MAX_PARTS = { fields: 8192, members: 65_535 }
type Part = keyof typeof MAX_PARTS
/** Characters of all names and tags in a type. @limit safety, characters */
const MAX_TEXT = 2 ** 21
/** Bytes of an element of a type in a request. @limit safety, bytes */
const MAX_ELEMENT_SIZE = 2 ** 24
/** The largest size of a type that HDF5's tools can show, a signed number of 32 bits. @limit format, bytes */
const MAX_TYPE_SIZE = 2 ** 31 - 1

const REFERENCE_BASES: readonly ReferenceType['base'][] = ['H5T_STD_REF_OBJ', 'H5T_STD_REF_DSETREG']

/** The depth of a type within others, and the counts of the whole type. */
interface TypeContext {
  readonly depth: number
  readonly counted: Record<Part | 'text', number>
}

/** A position within a type: its JSON, and the path to it for messages. */
interface TypePosition extends TypeContext {
  readonly object: JsonObject
  readonly path: string
}

const PARSERS: {
  readonly [C in DatatypeClass]: (position: TypePosition) => Datatype & { readonly class: C }
} = {
  H5T_INTEGER: position => parseNamed(position, 'H5T_INTEGER'),
  H5T_FLOAT: position => parseNamed(position, 'H5T_FLOAT'),
  H5T_STRING: parseString,
  H5T_COMPOUND: parseCompound,
  H5T_ARRAY: parseArray,
  H5T_ENUM: parseEnum,
  H5T_VLEN: parseVlen,
  H5T_OPAQUE: parseOpaque,
  H5T_BITFIELD: position => parseNamed(position, 'H5T_BITFIELD'),
  H5T_REFERENCE: parseReference,
}

export function parseDatatype(json: JsonValue): Datatype {
  const type = parseType(json, '', { depth: 1, counted: { fields: 0, members: 0, text: 0 } })
  checkSize(type, '')
  return type
}

/** Counts parts before any of them is parsed. */
function countParts({ counted, path }: TypePosition, part: Part, count: number, member: string = part): void {
  counted[part] += count
  if (counted[part] <= MAX_PARTS[part]) return
  const parts = part === 'fields' ? 'fields' : 'enum members'
  throw malformedType(
    join(path, member),
    `is too long: a type has at most ${MAX_PARTS[part]} ${parts} in all`,
  )
}

function countText({ counted }: TypeContext, text: string, path: string): void {
  counted.text += text.length
  if (counted.text > MAX_TEXT) {
    throw malformedType(
      path,
      `is too long: a type has names and tags of at most ${MAX_TEXT} characters in all`,
    )
  }
}

function parseType(json: JsonValue, path: string, { depth, counted }: TypeContext): Datatype {
  if (depth > MAX_TYPE_DEPTH) throw malformedType(path, `is nested more than ${MAX_TYPE_DEPTH} types deep`)
  if (typeof json === 'string') return parsePredefined(json, path)
  if (!isJsonObject(json))
    throw malformedType(path, `must be a predefined name or an object, not ${excerpt(json)}`)
  const name = json.get('class')
  if (name === undefined) throw malformedType(path, 'needs a "class"')
  if (typeof name !== 'string' || !isDatatypeClass(name)) {
    throw malformedType(
      join(path, 'class'),
      `${excerpt(name)} is not one of ${Object.keys(PARSERS).join(', ')}`,
    )
  }
  if (name !== 'H5T_ARRAY' && json.has('dims')) {
    throw malformedType(join(path, 'dims'), `is allowed in the class H5T_ARRAY only, not in ${name}`)
  }
  return PARSERS[name]({ object: json, path, depth, counted })
}

function isDatatypeClass(name: string): name is DatatypeClass {
  return Object.hasOwn(PARSERS, name)
}

function parsePredefined(name: string, path: string): IntegerType | FloatType {
  const type = predefinedType(name)
  if (type === undefined || type.class === 'H5T_BITFIELD') {
    throw malformedType(
      path,
      `${excerpt(name)} is not a predefined type (H5T_STD_I32LE, H5T_IEEE_F64BE and the like)`,
    )
  }
  return type
}

/** The predefined type that `base` names, which must be of the class of the object it is in. */
function parseNamed<C extends 'H5T_INTEGER' | 'H5T_FLOAT' | 'H5T_BITFIELD'>(
  position: TypePosition,
  expected: C,
): Datatype & { readonly class: C } {
  const base = member(position, 'base')
  const type = typeof base === 'string' ? predefinedType(base) : undefined
  if (!hasClass(type, expected)) {
    throw malformedType(
      join(position.path, 'base'),
      `${excerpt(base)} is not a predefined name of class ${expected}`,
    )
  }
  return type
}

function hasClass<C extends DatatypeClass>(
  type: Datatype | undefined,
  expected: C,
): type is Datatype & { readonly class: C } {
  return type?.class === expected
}

function parseString(position: TypePosition): StringType {
  const length = member(position, 'length', 'strsize')
  if (length !== 'H5T_VARIABLE' && !isPositive(length)) {
    throw malformedType(
      join(position.path, 'length'),
      `must be a positive integer or "H5T_VARIABLE", not ${excerpt(length)}`,
    )
  }
  const charSet = member(position, 'charSet', 'cset')
  const padding = optionalMember(position, 'strPad', 'strpad')
  return {
    class: 'H5T_STRING',
    length,
    charSet: oneOf(CHARACTER_SETS, charSet, join(position.path, 'charSet')),
    strPad:
      padding === undefined
        ? length === 'H5T_VARIABLE'
          ? 'H5T_STR_NULLTERM'
          : 'H5T_STR_NULLPAD'
        : oneOf(STRING_PADDINGS, padding, join(position.path, 'strPad')),
  }
}

function parseCompound(position: TypePosition): CompoundType {
  const json = member(position, 'fields')
  const path = join(position.path, 'fields')
  if (!isJsonList(json) || json.length === 0)
    throw malformedType(path, `must be a list of fields, not ${excerpt(json)}`)
  countParts(position, 'fields', json.length)
  const names = new Set<string>()
  const fields = json.map((item, index) => parseField(item, `${path}[${index}]`, names, position))
  return { class: 'H5T_COMPOUND', fields }
}

function parseField(json: JsonValue, path: string, names: Set<string>, around: TypeContext): CompoundField {
  if (!isJsonObject(json))
    throw malformedType(path, `must be an object with "name" and "type", not ${excerpt(json)}`)
  const position = { ...around, object: json, path }
  const name = parseName(member(position, 'name'), join(path, 'name'), around, names)
  return { name, type: parseType(member(position, 'type'), join(path, 'type'), within(around)) }
}

function parseArray(position: TypePosition): ArrayType {
  const json = member(position, 'dims')
  const path = join(position.path, 'dims')
  const dims = isJsonList(json) ? json : [json]
  if (dims.length === 0 || dims.length > MAX_RANK || !dims.every(isPositive)) {
    throw malformedType(path, `must be a list of 1 to ${MAX_RANK} positive integers, not ${excerpt(json)}`)
  }
  return { class: 'H5T_ARRAY', base: parseBaseType(position), dims }
}

function parseVlen(position: TypePosition): VlenType {
  const base = parseBaseType(position)
  checkSize(base, join(position.path, 'base'))
  return { class: 'H5T_VLEN', base }
}

function parseBaseType(position: TypePosition): Datatype {
  return parseType(member(position, 'base'), join(position.path, 'base'), within(position))
}

function within({ depth, counted }: TypeContext): TypeContext {
  return { depth: depth + 1, counted }
}

function parseOpaque(position: TypePosition): OpaqueType {
  const size = member(position, 'size')
  if (!isPositive(size))
    throw malformedType(join(position.path, 'size'), `must be a positive integer, not ${excerpt(size)}`)
  const tag = optionalMember(position, 'tag')
  if (tag === undefined) return { class: 'H5T_OPAQUE', size }
  if (typeof tag !== 'string' || tag.includes('\0') || !isWellFormed(tag)) {
    throw malformedType(
      join(position.path, 'tag'),
      `must be a string without NUL characters, not ${excerpt(tag)}`,
    )
  }
  countText(position, tag, join(position.path, 'tag'))
  return { class: 'H5T_OPAQUE', size, tag }
}

function parseReference(position: TypePosition): ReferenceType {
  return {
    class: 'H5T_REFERENCE',
    base: oneOf(REFERENCE_BASES, member(position, 'base'), join(position.path, 'base')),
  }
}

function parseEnum(position: TypePosition): EnumType {
  const base = parseBaseType(position)
  if (base.class !== 'H5T_INTEGER') {
    throw malformedType(join(position.path, 'base'), `must be of class H5T_INTEGER, not ${base.class}`)
  }
  const mapping = optionalMember(position, 'mapping')
  const listed = optionalMember(position, 'members')
  if (mapping === undefined && listed === undefined) throw malformedType(position.path, 'needs a "mapping"')
  const members =
    mapping === undefined ? parseMemberList(listed, base, position) : parseMapping(mapping, base, position)
  if (mapping !== undefined && listed !== undefined) {
    const other = parseMemberList(listed, base, position)
    if (!sameMembers(members, other))
      throw malformedType(join(position.path, 'members'), 'must agree with "mapping"')
  }
  return { class: 'H5T_ENUM', base, members }
}

function parseMapping(json: JsonValue, base: IntegerType, position: TypePosition): EnumMember[] {
  const path = join(position.path, 'mapping')
  if (!isJsonObject(json) || json.size === 0) {
    throw malformedType(path, `must be an object of names and integers, not ${excerpt(json)}`)
  }
  countParts(position, 'members', json.size, 'mapping')
  return [...json].map(([name, value]) => ({
    name: parseName(name, path, position),
    value: parseMemberValue(value, base, () => `${path}[${excerpt(name)}]`),
  }))
}

function parseMemberList(json: JsonValue | undefined, base: IntegerType, around: TypePosition): EnumMember[] {
  const path = join(around.path, 'members')
  if (!isJsonList(json) || json.length === 0) {
    throw malformedType(
      path,
      `must be a list of objects with "name" and "value", not ${excerpt(json ?? null)}`,
    )
  }
  countParts(around, 'members', json.length)
  const names = new Set<string>()
  return json.map((item, index) => {
    const itemPath = `${path}[${index}]`
    if (!isJsonObject(item)) {
      throw malformedType(itemPath, `must be an object with "name" and "value", not ${excerpt(item)}`)
    }
    const position = { ...around, object: item, path: itemPath }
    return {
      name: parseName(member(position, 'name'), join(itemPath, 'name'), around, names),
      value: parseMemberValue(member(position, 'value'), base, () => join(itemPath, 'value')),
    }
  })
}

/** An integer that the base type can hold. `position` is for messages. */
function parseMemberValue(json: JsonValue, base: IntegerType, position: () => string): number | bigint {
  if (typeof json !== 'bigint' && !Number.isInteger(json)) {
    throw malformedType(position(), `must be an integer, not ${excerpt(json)}`)
  }
  const value = json as number | bigint // by the check before
  const bits = base.size * 8
  // One more than the greatest value, because that is exact for 64 bits too.
  const [least, end] = base.signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1)] : [0, 2 ** bits]
  if (value < least || value >= end) {
    throw malformedType(position(), `${excerpt(json)} does not fit ${predefinedName(base)}`)
  }
  const number = Number(value)
  return Number.isSafeInteger(number) ? number + 0 : BigInt(value)
}

/** Whether both have the same names with the same values, in any order. */
function sameMembers(a: readonly EnumMember[], b: readonly EnumMember[]): boolean {
  const values = new Map(a.map(({ name, value }) => [name, value]))
  return a.length === b.length && b.every(({ name, value }) => values.get(name) === value)
}

/** The name of a field or of an enum member, as HDF5 stores it: a string that ends at the first NUL. */
function parseName(json: JsonValue, path: string, around: TypeContext, taken?: Set<string>): string {
  if (typeof json !== 'string' || json === '')
    throw malformedType(path, `must be a name, not ${excerpt(json)}`)
  if (json.includes('\0') || !isWellFormed(json)) {
    throw malformedType(path, `${excerpt(json)} must not hold a NUL character or half of a surrogate pair`)
  }
  if (taken?.has(json)) throw malformedType(path, `${excerpt(json)} is used more than once`)
  taken?.add(json)
  countText(around, json, path)
  return json
}

/**
 * Throws if the size of a type is too large. A string or an opaque value may be as long as in HDF5;
 * `requireHeldElements` limits its values.
 */
function checkSize(type: Datatype, path: string): void {
  const isPlain = path === '' && (type.class === 'H5T_STRING' || type.class === 'H5T_OPAQUE')
  const limit = isPlain ? MAX_TYPE_SIZE : MAX_ELEMENT_SIZE
  if (elementSize(type) > limit) throw malformedType(path, `has elements of more than ${limit} bytes`)
  if (slotCount(type) > MAX_SLOTS) {
    throw malformedType(path, `has elements with more than ${MAX_SLOTS} parts of variable size`)
  }
}

function member(position: TypePosition, name: string, alias = name): JsonValue {
  const value = optionalMember(position, name, alias)
  if (value === undefined) throw malformedType(position.path, `needs a "${name}"`)
  return value
}

function optionalMember(position: TypePosition, name: string, alias = name): JsonValue | undefined {
  return position.object.get(name) ?? position.object.get(alias)
}

function oneOf<T extends string>(choices: readonly T[], json: JsonValue, path: string): T {
  const choice = choices.find(candidate => candidate === json)
  if (choice === undefined)
    throw malformedType(path, `must be one of ${choices.join(', ')}, not ${excerpt(json)}`)
  return choice
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function malformedType(path: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-type', `${path === '' ? 'the type' : `the type's ${path}`} ${rule}`)
}
