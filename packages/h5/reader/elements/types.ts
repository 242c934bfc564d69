// The model's type for a type of a file, and the conversion of its elements. Elements without an equal type in the
// model get the nearest one, with a warning, so that no value is lost.

import { HyperslabError } from '@hyperslab/base/errors'
import type { CompoundField, Datatype, EnumMember, EnumType, IntegerType } from '@hyperslab/model/datatype'
import { elementSize, MAX_SLOTS, slotCount } from '@hyperslab/model/datatype'
import { MAX_ELEMENT_BYTES } from '@hyperslab/model/values'
import { damaged } from '../../format/errors.ts'
import type {
  FileArray,
  FileBitfield,
  FileCompound,
  FileEnum,
  FileFloat,
  FileInteger,
  FileReference,
  FileTime,
  FileType,
  ReferenceKind,
} from '../../format/file-type.ts'
import { decodeName } from '../../format/messages/names.ts'
import { type FloatReader, floatReader, isIeee, isReadableFloat, nearestIeee } from './foreign-floats.ts'
import { type IntegerBits, integerBits, integerReader } from './integers.ts'

export interface ModelType {
  readonly type: Datatype
  /** Properties of the file's type that the type does not have. */
  readonly warnings: readonly string[]
}

/**
 * The conversion of an element to storage form. `fileSize` and `size`: bytes that it takes in the file, and in storage
 * form.
 */
export type Conversion = {
  readonly fileSize: number
  readonly size: number
} /** The bytes as they are. */ & (
  | { readonly kind: 'plain' }
  /** An integer that takes some of the bits only, or a size that the model does not have. */
  | { readonly kind: 'integer'; readonly bits: IntegerBits; readonly isLittle: boolean }
  /** A string of fixed length that ends at its first NUL: the bytes after it are leftovers of the writer's memory. */
  | { readonly kind: 'terminated-string' }
  | { readonly kind: 'float'; readonly read: FloatReader; readonly isLittle: boolean }
  | { readonly kind: 'compound'; readonly parts: readonly CompoundPart[] }
  | { readonly kind: 'array'; readonly length: number; readonly base: Conversion }
  | { readonly kind: 'string' }
  | { readonly kind: 'sequence'; readonly base: Conversion }
  | { readonly kind: 'object-reference' }
  | { readonly kind: 'region-reference' }
  /** References of HDF5 1.12 and later: each element names its own kind. */
  | { readonly kind: 'new-reference'; readonly to: 'object' | 'region' }
)

/** A member of a compound, or several that follow one another in the file and are plain. */
export interface CompoundPart {
  readonly offset: number
  readonly storageOffset: number
  readonly conversion: Conversion
}

export interface TypeMapping extends ModelType {
  readonly conversion: Conversion
}

/** A type that the model cannot hold is `type-unsupported`. */
export function modelType(type: FileType): ModelType {
  const { type: model, warnings } = mapType(type)
  return { type: model, warnings }
}

/** True when elements in the file are elements in storage form. */
export function isStorageForm(type: FileType): boolean {
  return mapType(type).conversion.kind === 'plain'
}

const mappings = new WeakMap<FileType, TypeMapping>()

export function mapType(type: FileType): TypeMapping {
  const known = mappings.get(type)
  if (known) return known
  const mapping = newMapping(type)
  mappings.set(type, mapping)
  return mapping
}

function newMapping(type: FileType): TypeMapping {
  const warnings = new Set<string>()
  const mapped = map(type, message => warnings.add(message))
  const size = Math.max(elementSize(mapped.type), type.size)
  if (size > MAX_ELEMENT_BYTES) throw unsupported(`elements of ${size} bytes`)
  if (slotCount(mapped.type) > MAX_SLOTS)
    throw unsupported(`elements with more than ${MAX_SLOTS} parts of variable size`)
  return { ...mapped, warnings: [...warnings] }
}

interface MappedType {
  readonly type: Datatype
  readonly conversion: Conversion
}

type Warn = (message: string) => void

function map(type: FileType, warn: Warn): MappedType {
  switch (type.class) {
    case 'H5T_INTEGER':
      return mapInteger(type, warn)
    case 'H5T_FLOAT':
      return mapFloat(type, warn)
    case 'H5T_TIME':
      return mapTime(type, warn)
    case 'H5T_STRING': {
      const { size, charSet, padding } = type
      const string = plain({ class: 'H5T_STRING', length: size, charSet, strPad: padding })
      if (padding !== 'H5T_STR_NULLTERM' || size === 1) return string
      return { ...string, conversion: { ...string.conversion, kind: 'terminated-string' } }
    }
    case 'H5T_BITFIELD':
      return mapBitfield(type, warn)
    case 'H5T_OPAQUE': {
      const tag = decodeName(type.tag).text
      return plain({ class: 'H5T_OPAQUE', size: type.size, ...(tag !== '' && { tag }) })
    }
    case 'H5T_COMPOUND':
      return mapCompound(type, warn)
    case 'H5T_REFERENCE':
      return mapReference(type, warn)
    case 'H5T_ENUM':
      return mapEnum(type, warn)
    case 'H5T_VLEN': {
      if (type.text) {
        const { charSet, padding: strPad } = type.text
        return slot({ class: 'H5T_STRING', length: 'H5T_VARIABLE', charSet, strPad }, type, {
          kind: 'string',
        })
      }
      const base = map(type.base, warn)
      return slot({ class: 'H5T_VLEN', base: base.type }, type, { kind: 'sequence', base: base.conversion })
    }
    case 'H5T_ARRAY':
      return mapArray(type, warn)
    case 'H5T_COMPLEX': {
      const { size, base } = type
      const members = [
        { name: new TextEncoder().encode('r'), offset: 0, type: base },
        { name: new TextEncoder().encode('i'), offset: base.size, type: base },
      ]
      return mapCompound({ class: 'H5T_COMPOUND', size, members }, warn)
    }
  }
}

/** A type whose storage form is the one in the file. */
function plain(type: Datatype): MappedType {
  const size = elementSize(type)
  return { type, conversion: { kind: 'plain', fileSize: size, size } }
}

type SlotConversion =
  | { readonly kind: 'string' | 'region-reference' }
  | { readonly kind: 'sequence'; readonly base: Conversion }

function slot(type: Datatype, { size: fileSize }: FileType, conversion: SlotConversion): MappedType {
  return { type, conversion: { ...conversion, fileSize, size: elementSize(type) } }
}

/** The opaque type for elements that are not numbers in the model. */
function opaque({ class: name, size }: FileType, warn: Warn): MappedType {
  warn(`elements of class ${name} and ${size} bytes are held as opaque bytes`)
  return plain({ class: 'H5T_OPAQUE', size })
}

/** The size of the model's numbers that holds one of `size` bytes. */
function numberSize(size: number): 1 | 2 | 4 | 8 {
  return size === 1 ? 1 : size === 2 ? 2 : size <= 4 ? 4 : 8
}

/** The longest integer: most bits of a longer one would not count. @limit safety, bytes */
const MAX_INTEGER_BYTES = 64

function mapInteger(from: FileInteger, warn: Warn): MappedType {
  const { size: fileSize, precision } = from
  const size = numberSize(fileSize)
  if (precision > 64 || fileSize > MAX_INTEGER_BYTES) return opaque(from, warn)
  const type = integerType(from, size)
  if (size === fileSize && precision === size * 8) return plain(type)
  return {
    type,
    conversion: { kind: 'integer', fileSize, size, bits: integerBits(from), isLittle: type.order === 'LE' },
  }
}

function integerType({ size: fileSize, order, signed }: FileInteger, size: IntegerType['size']): IntegerType {
  return { class: 'H5T_INTEGER', size, signed, order: fileSize === 1 ? 'LE' : order }
}

function mapFloat(from: FileFloat, warn: Warn): MappedType {
  const { size: fileSize } = from
  const order = from.order === 'BE' ? 'BE' : 'LE'
  if (isIeee(from) && (fileSize === 2 || fileSize === 4 || fileSize === 8)) {
    return plain({ class: 'H5T_FLOAT', size: fileSize, order })
  }
  if (!isReadableFloat(from)) return opaque(from, warn)
  const { size, isExact } = nearestIeee(from)
  const { exponent, mantissa } = from
  const layout = `floats of ${fileSize} bytes, ${exponent.size} bits of exponent and ${mantissa.size} of mantissa,`
  if (!isExact) warn(`${layout} are held as the nearest IEEE floats of ${size} bytes`)
  return {
    type: { class: 'H5T_FLOAT', size, order },
    conversion: { kind: 'float', fileSize, size, read: floatReader(from), isLittle: order === 'LE' },
  }
}

function mapTime(type: FileTime, warn: Warn): MappedType {
  const { size, order } = type
  if (size > 8) return opaque(type, warn)
  warn('times (class H5T_TIME) are held as integers')
  return mapInteger({ class: 'H5T_INTEGER', size, order, signed: true, offset: 0, precision: size * 8 }, warn)
}

/** The bitfield with all its bits, significant or not. */
function mapBitfield(type: FileBitfield, warn: Warn): MappedType {
  const { size: fileSize, order: fileOrder } = type
  if (fileSize > 8) return opaque(type, warn)
  const size = numberSize(fileSize)
  const order = fileSize === 1 ? 'LE' : fileOrder
  const bits: FileInteger = {
    ...type,
    class: 'H5T_INTEGER',
    signed: false,
    offset: 0,
    precision: fileSize * 8,
  }
  const { conversion } = mapInteger(bits, warn)
  return { type: { class: 'H5T_BITFIELD', size, order }, conversion }
}

function mapEnum({ base, members }: FileEnum, warn: Warn): MappedType {
  if (base.class !== 'H5T_INTEGER' || base.precision > 64 || base.size > MAX_INTEGER_BYTES) {
    throw unsupported('an enum whose values are not integers of at most 64 bits')
  }
  const integer = integerType(base, numberSize(base.size))
  const read = integerReader(base)
  const names = uniqueNames(
    members.map(({ name }) => name),
    'enum',
  )
  const type: EnumType = {
    class: 'H5T_ENUM',
    base: integer,
    members: members.map(({ value }, index): EnumMember => ({ name: names[index], value: read(value) })),
  }
  return { type, conversion: mapInteger(base, warn).conversion }
}

function mapCompound({ size: fileSize, members }: FileCompound, warn: Warn): MappedType {
  const names = uniqueNames(
    members.map(({ name }) => name),
    'compound',
  )
  const fields: CompoundField[] = []
  const parts: CompoundPart[] = []
  let storageOffset = 0
  for (const [index, { offset, type }] of members.entries()) {
    const mapped = map(type, warn)
    fields.push({ name: names[index], type: mapped.type })
    addPart(parts, { offset, storageOffset, conversion: mapped.conversion })
    storageOffset += mapped.conversion.size
  }
  const [first] = parts
  const isPlain =
    parts.length === 1 && first.conversion.kind === 'plain' && first.conversion.size === fileSize
  const inFile = { size: fileSize, offsets: members.map(({ offset }) => offset) }
  const type: Datatype = { class: 'H5T_COMPOUND', fields, ...(!isDense(members, fileSize) && { inFile }) }
  if (isPlain) return { type, conversion: first.conversion }
  return { type, conversion: { kind: 'compound', fileSize, size: storageOffset, parts } }
}

/** True when the members follow one another, without gaps. */
function isDense(members: FileCompound['members'], size: number): boolean {
  let end = 0
  for (const { offset, type } of members) {
    if (offset !== end) return false
    end += type.size
  }
  return end === size
}

/** Joins plain parts that follow one another. */
function addPart(parts: CompoundPart[], part: CompoundPart): void {
  const last = parts.at(-1)
  const { conversion } = part
  if (
    last?.conversion.kind === 'plain' &&
    conversion.kind === 'plain' &&
    last.offset + last.conversion.size === part.offset
  ) {
    const size = last.conversion.size + conversion.size
    parts[parts.length - 1] = { ...last, conversion: { kind: 'plain', fileSize: size, size } }
  } else {
    parts.push(part)
  }
}

function mapArray({ size: fileSize, dims, base }: FileArray, warn: Warn): MappedType {
  const mapped = map(base, warn)
  const type: Datatype = { class: 'H5T_ARRAY', base: mapped.type, dims }
  if (mapped.conversion.kind === 'plain') return plain(type)
  const length = dims.reduce((product, extent) => product * extent, 1)
  const size = length * mapped.conversion.size
  return { type, conversion: { kind: 'array', fileSize, size, length, base: mapped.conversion } }
}

function mapReference(type: FileReference, warn: Warn): MappedType {
  const { kind, size: fileSize } = type
  const to = targetOf(kind)
  if (kind === 'attribute')
    warn('references to attributes are held as references to the objects that have them')
  const base = to === 'object' ? 'H5T_STD_REF_OBJ' : 'H5T_STD_REF_DSETREG'
  const model: Datatype = { class: 'H5T_REFERENCE', base }
  const sizes = { fileSize, size: elementSize(model) }
  if (kind === 'object') return { type: model, conversion: { kind: 'object-reference', ...sizes } }
  if (kind === 'region') return { type: model, conversion: { kind: 'region-reference', ...sizes } }
  return { type: model, conversion: { kind: 'new-reference', to, ...sizes } }
}

function targetOf(kind: ReferenceKind): 'object' | 'region' {
  return kind === 'region' || kind === 'region2' ? 'region' : 'object'
}

function uniqueNames(names: readonly Uint8Array[], subject: string): readonly string[] {
  const texts = names.map(name => decodeName(name).text)
  const seen = new Set<string>()
  for (const text of texts) {
    if (seen.has(text))
      throw damaged('the datatype', undefined, `two members of the ${subject} have the name "${text}"`)
    seen.add(text)
  }
  return texts
}

function unsupported(subject: string): HyperslabError {
  return new HyperslabError('type-unsupported', `${subject} cannot be read from files`)
}
