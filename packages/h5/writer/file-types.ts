// The type of a file for a type of the model, and the conversion of elements in storage form to elements of the file.
// Types that have neither parts of variable size, nor references, nor gaps in their compounds are the same bytes in
// both.

import { HyperslabError } from '@hyperslab/base/errors'
import type {
  CompoundLayout,
  CompoundType,
  Datatype,
  EnumType,
  FloatType,
  IntegerType,
} from '@hyperslab/model/datatype'
import { elementSize } from '@hyperslab/model/datatype'
import type {
  FileCompound,
  FileEnum,
  FileFloat,
  FileInteger,
  FileMember,
  FileType,
} from '../format/file-type.ts'
import { encodeName } from '../format/messages/names.ts'

const VARIABLE_SIZE = 16
const OBJECT_REFERENCE_SIZE = 8
const REGION_REFERENCE_SIZE = 12

/** The tag of an opaque type takes a multiple of 8 bytes, whose number has 8 bits (H5Odtype.c). @limit format, bytes */
const MAX_TAG = 248
/** Members of compounds and enums are counted in 16 bits. @limit format, members */
const MAX_MEMBERS = 2 ** 16 - 1
/** The size of a type has 32 bits. @limit format, bytes */
const MAX_SIZE = 2 ** 32 - 1

/** The type of a file; throws `type-unsupported` for a type that files cannot hold. */
export function fileTypeOf(type: Datatype): FileType {
  const fileType = convert(type)
  if (fileType.size > MAX_SIZE) throw unsupported(`elements of ${fileType.size} bytes`)
  return fileType
}

function convert(type: Datatype): FileType {
  switch (type.class) {
    case 'H5T_INTEGER':
      return fileInteger(type)
    case 'H5T_FLOAT':
      return fileFloat(type)
    case 'H5T_BITFIELD':
      return {
        class: 'H5T_BITFIELD',
        size: type.size,
        order: type.order,
        offset: 0,
        precision: 8 * type.size,
      }
    case 'H5T_STRING': {
      const { length, charSet, strPad: padding } = type
      if (length !== 'H5T_VARIABLE') return { class: 'H5T_STRING', size: length, padding, charSet }
      return { class: 'H5T_VLEN', size: VARIABLE_SIZE, base: CHARACTER, text: { padding, charSet } }
    }
    case 'H5T_OPAQUE': {
      const tag = encodeName(type.tag ?? '')
      if (tag.length > MAX_TAG) throw unsupported(`an opaque type with a tag of ${tag.length} bytes`)
      return { class: 'H5T_OPAQUE', size: type.size, tag }
    }
    case 'H5T_COMPOUND':
      return fileCompound(type)
    case 'H5T_ARRAY': {
      const base = convert(type.base)
      const size = type.dims.reduce((product, extent) => product * extent, base.size)
      return { class: 'H5T_ARRAY', size, dims: type.dims, base }
    }
    case 'H5T_ENUM':
      return fileEnum(type)
    case 'H5T_VLEN':
      return { class: 'H5T_VLEN', size: VARIABLE_SIZE, base: convert(type.base) }
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_OBJ'
        ? { class: 'H5T_REFERENCE', size: OBJECT_REFERENCE_SIZE, kind: 'object' }
        : { class: 'H5T_REFERENCE', size: REGION_REFERENCE_SIZE, kind: 'region' }
  }
}

/** The element of libhdf5's strings of variable length. */
const CHARACTER: FileInteger = {
  class: 'H5T_INTEGER',
  size: 1,
  order: 'LE',
  signed: false,
  offset: 0,
  precision: 8,
}

/** In storage form a number has all bits of its size, so it has them in the file. */
function fileInteger({ size, order, signed }: IntegerType): FileInteger {
  return { class: 'H5T_INTEGER', size, order, signed, offset: 0, precision: 8 * size }
}

const MANTISSA_BITS = { 2: 10, 4: 23, 8: 52 } as const

function fileFloat({ size, order }: FloatType): FileFloat {
  const bits = 8 * size
  const mantissa = MANTISSA_BITS[size]
  const exponent = bits - 1 - mantissa
  return {
    class: 'H5T_FLOAT',
    size,
    order,
    offset: 0,
    precision: bits,
    sign: bits - 1,
    exponent: { location: mantissa, size: exponent, bias: 2 ** (exponent - 1) - 1 },
    mantissa: { location: 0, size: mantissa, normalization: 'implied' },
  }
}

function fileCompound(compound: CompoundType): FileCompound {
  const { fields } = compound
  requireMembers(fields.length)
  const types = fields.map(({ type }) => convert(type))
  const { size, offsets } = layoutInFile(
    compound,
    types.map(type => type.size),
  )
  const members = types.map((type, index): FileMember => {
    return { name: encodeName(fields[index].name), offset: offsets[index], type }
  })
  return { class: 'H5T_COMPOUND', size, members }
}

/** The layout of fields of these sizes in a file: the one in the type if they fit into it, otherwise packed. */
function layoutInFile({ inFile }: CompoundType, sizes: readonly number[]): CompoundLayout {
  if (inFile && haveRoom(inFile, sizes)) return inFile
  let size = 0
  const offsets = sizes.map(length => {
    const offset = size
    size += length
    return offset
  })
  return { size, offsets }
}

/** Whether the fields fit into the layout: a number may be longer here than in the file that its type comes from. */
function haveRoom({ size, offsets }: CompoundLayout, sizes: readonly number[]): boolean {
  const ascending = [...sizes.keys()].sort((a, b) => offsets[a] - offsets[b])
  return ascending.every((index, position) => {
    const end = offsets[index] + sizes[index]
    return end <= (position + 1 < ascending.length ? offsets[ascending[position + 1]] : size)
  })
}

function fileEnum({ base, members }: EnumType): FileEnum {
  requireMembers(members.length)
  return {
    class: 'H5T_ENUM',
    size: base.size,
    base: fileInteger(base),
    members: members.map(({ name, value }) => ({
      name: encodeName(name),
      value: integerBytes(base, value),
    })),
  }
}

function integerBytes({ size, order }: IntegerType, value: number | bigint): Uint8Array {
  const bytes = new Uint8Array(size)
  let rest = BigInt.asUintN(8 * size, BigInt(value))
  for (let i = 0; i < size; i++) {
    bytes[order === 'LE' ? i : size - 1 - i] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return bytes
}

function requireMembers(count: number): void {
  if (count > MAX_MEMBERS) throw unsupported(`a type of ${count} members`)
}

function unsupported(subject: string): HyperslabError {
  return new HyperslabError('type-unsupported', `${subject} cannot be written to a file`)
}

/** The conversion of an element in storage form, of `size` bytes, to one of the file. */
export type ElementForm = {
  readonly size: number
  readonly fileSize: number
  /** True: the written bytes contain addresses of objects or of the global heap. */
  readonly hasAddresses: boolean
} & (
  | { readonly kind: 'plain' | 'string' | 'object-reference' | 'region-reference' }
  | { readonly kind: 'compound'; readonly members: readonly MemberForm[] }
  | { readonly kind: 'array'; readonly length: number; readonly base: ElementForm }
  | { readonly kind: 'sequence'; readonly base: ElementForm }
)

/** A member of a compound, or several plain ones that follow one another. */
export interface MemberForm {
  readonly offset: number
  readonly fileOffset: number
  readonly form: ElementForm
}

export function elementFormOf(type: Datatype): ElementForm {
  const sizes = { size: elementSize(type), fileSize: convert(type).size }
  const plain = { kind: 'plain', ...sizes, hasAddresses: false } as const
  switch (type.class) {
    case 'H5T_COMPOUND': {
      const members = memberForms(type)
      const [first] = members
      const isPlain =
        members.length === 1 && first.form.kind === 'plain' && first.form.fileSize === sizes.fileSize
      if (isPlain) return plain
      const hasAddresses = members.some(({ form }) => form.hasAddresses)
      return { kind: 'compound', ...sizes, hasAddresses, members }
    }
    case 'H5T_ARRAY': {
      const base = elementFormOf(type.base)
      if (base.kind === 'plain') return plain
      const { hasAddresses } = base
      return { kind: 'array', ...sizes, hasAddresses, length: sizes.size / base.size, base }
    }
    case 'H5T_STRING':
      if (type.length !== 'H5T_VARIABLE') return plain
      return { kind: 'string', ...sizes, hasAddresses: true }
    case 'H5T_VLEN':
      return { kind: 'sequence', ...sizes, hasAddresses: true, base: elementFormOf(type.base) }
    case 'H5T_REFERENCE': {
      const kind = type.base === 'H5T_STD_REF_OBJ' ? 'object-reference' : 'region-reference'
      return { kind, ...sizes, hasAddresses: true }
    }
    default:
      return plain
  }
}

function memberForms(compound: CompoundType): readonly MemberForm[] {
  const forms = compound.fields.map(({ type }) => elementFormOf(type))
  const { offsets } = layoutInFile(
    compound,
    forms.map(({ fileSize }) => fileSize),
  )
  const members: MemberForm[] = []
  let offset = 0
  for (const [index, form] of forms.entries()) {
    addMember(members, { offset, fileOffset: offsets[index], form })
    offset += form.size
  }
  return members
}

/** Plain members that follow one another become one. */
function addMember(members: MemberForm[], member: MemberForm): void {
  const last = members.at(-1)
  const { form } = member
  const isNext =
    last?.form.kind === 'plain' &&
    form.kind === 'plain' &&
    last.fileOffset + last.form.fileSize === member.fileOffset
  if (!isNext) {
    members.push(member)
    return
  }
  const size = last.form.size + form.size
  members[members.length - 1] = { ...last, form: { ...form, size, fileSize: size } }
}
