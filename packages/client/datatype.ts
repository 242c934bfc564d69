// Datatypes as the hsds dialect describes them in JSON, as far as reading bytes needs them.

import { areComplexParts } from '@hyperslab/meaning/meaning'

export type Datatype =
  | { readonly class: 'H5T_INTEGER' | 'H5T_FLOAT' | 'H5T_BITFIELD'; readonly base: string }
  | { readonly class: 'H5T_STRING'; readonly length: number | 'H5T_VARIABLE' }
  | {
      readonly class: 'H5T_ENUM'
      readonly base: Datatype
      readonly mapping: Readonly<Record<string, number>>
    }
  | { readonly class: 'H5T_OPAQUE'; readonly size: number; readonly tag?: string }
  | { readonly class: 'H5T_REFERENCE'; readonly base: string }
  | { readonly class: 'H5T_COMPOUND'; readonly fields: readonly Field[] }
  | { readonly class: 'H5T_ARRAY'; readonly base: Datatype; readonly dims: readonly number[] }
  | { readonly class: 'H5T_VLEN'; readonly base: Datatype }

export interface Field {
  readonly name: string
  readonly type: Datatype
}

/**
 * The datatype in a description by a server, which may be a name such as `H5T_STD_I32LE`; checked as far as reading
 * needs.
 */
export function parseDatatype(json: unknown): Datatype {
  if (typeof json === 'string') return { class: classOfName(json), base: json }
  const { class: name, ...members } = (json ?? {}) as { readonly [member: string]: unknown }
  switch (name) {
    case 'H5T_INTEGER':
    case 'H5T_FLOAT':
    case 'H5T_BITFIELD':
    case 'H5T_REFERENCE':
      return { class: name, base: String(members.base) }
    case 'H5T_STRING':
      return { class: name, length: typeof members.length === 'number' ? members.length : 'H5T_VARIABLE' }
    case 'H5T_OPAQUE':
      return {
        class: name,
        size: Number(members.size),
        ...(typeof members.tag === 'string' && { tag: members.tag }),
      }
    case 'H5T_ENUM':
      return {
        class: name,
        base: parseDatatype(members.base),
        // The API describes this form.
        mapping: members.mapping as Readonly<Record<string, number>>,
      }
    case 'H5T_VLEN':
      return { class: name, base: parseDatatype(members.base) }
    case 'H5T_ARRAY': {
      const dims = Array.isArray(members.dims) ? members.dims.map(Number) : [Number(members.dims)]
      return { class: name, base: parseDatatype(members.base), dims }
    }
    case 'H5T_COMPOUND': {
      // The API describes this form.
      const fields = members.fields as readonly { readonly name: string; readonly type: unknown }[]
      return {
        class: name,
        fields: fields.map(field => ({ name: field.name, type: parseDatatype(field.type) })),
      }
    }
    default:
      throw new Error(`the type ${JSON.stringify(json)} is not known`)
  }
}

function classOfName(name: string): 'H5T_INTEGER' | 'H5T_FLOAT' | 'H5T_BITFIELD' {
  if (name.startsWith('H5T_IEEE_F')) return 'H5T_FLOAT'
  return name.startsWith('H5T_STD_B') ? 'H5T_BITFIELD' : 'H5T_INTEGER'
}

/** The form of a number in bytes. */
export interface NumberForm {
  readonly kind: 'signed' | 'unsigned' | 'float'
  /** Bytes. */
  readonly size: 1 | 2 | 4 | 8
  readonly isLittleEndian: boolean
}

/** The form of integers, floats, bitfields and enums; undefined for other types. */
export function numberForm(type: Datatype): NumberForm | undefined {
  if (type.class === 'H5T_ENUM') return numberForm(type.base)
  if (type.class !== 'H5T_INTEGER' && type.class !== 'H5T_FLOAT' && type.class !== 'H5T_BITFIELD')
    return undefined
  const match = /^H5T_(?:STD|IEEE)_([IUFB])(8|16|32|64)(LE|BE)$/.exec(type.base)
  if (!match) return undefined
  const [, letter, bits, order] = match
  const kind = letter === 'I' ? 'signed' : letter === 'F' ? 'float' : 'unsigned'
  // The pattern has these sizes only.
  return { kind, size: (Number(bits) / 8) as NumberForm['size'], isLittleEndian: order === 'LE' }
}

/** The enum of FALSE and TRUE over an integer of a byte: the boolean of h5py. */
export function isBoolean(type: Datatype): boolean {
  if (type.class !== 'H5T_ENUM') return false
  const { FALSE, TRUE, ...others } = type.mapping
  return FALSE === 0 && TRUE === 1 && Object.keys(others).length === 0 && numberForm(type)?.size === 1
}

/** Complex numbers: a compound of two floats. */
export function isComplex(type: Datatype): boolean {
  if (type.class !== 'H5T_COMPOUND') return false
  const parts = type.fields.map(({ name, type }) => ({
    name,
    float: type.class === 'H5T_FLOAT' ? numberForm(type) : undefined,
  }))
  return areComplexParts(parts)
}

/** Bytes of an element; undefined if they vary. */
export function fixedSize(type: Datatype): number | undefined {
  const number = numberForm(type)
  if (number) return number.size
  switch (type.class) {
    case 'H5T_STRING':
      return type.length === 'H5T_VARIABLE' ? undefined : type.length
    case 'H5T_OPAQUE':
      return type.size
    case 'H5T_REFERENCE':
      return type.base === 'H5T_STD_REF_OBJ' ? OBJECT_REFERENCE_BYTES : undefined
    case 'H5T_ARRAY': {
      const size = fixedSize(type.base)
      return size === undefined ? undefined : size * productOf(type.dims)
    }
    case 'H5T_COMPOUND':
      return type.fields.reduce<number | undefined>((sum, field) => {
        const size = fixedSize(field.type)
        return sum === undefined || size === undefined ? undefined : sum + size
      }, 0)
    default:
      return undefined
  }
}

/** The text of the reference, and NULs (hsds-values 12.4). */
const OBJECT_REFERENCE_BYTES = 48

export function productOf(extents: readonly number[]): number {
  return extents.reduce((product, extent) => product * extent, 1)
}

/** Undefined for a null dataspace. */
export function extentsOf(space: {
  readonly class: string
  readonly dims?: readonly number[]
}): readonly number[] | undefined {
  return space.class === 'H5S_NULL' ? undefined : (space.dims ?? [])
}
