// Attributes as the rules of packages/meaning read them, from their storage form.

import type { Attributes, Attribute as KnownAttribute, NumberForm } from '@hyperslab/meaning/meaning'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { isNumeric, type NumericType } from '@hyperslab/model/reduction'
import type { Elements } from '@hyperslab/model/values'
import {
  decodeText,
  endOfFixedText,
  integerOf,
  isFixedString,
  readFloat,
  readInteger,
  slotLength,
  slotStart,
} from '@hyperslab/model/values'
import type { Attribute } from '@hyperslab/store/store'
import type { Context } from '../context.ts'

/** The attributes of some names. Values that are neither strings nor numbers, or are long, have no data. */
export async function readKnownAttributes(
  { reader }: Pick<Context, 'reader'>,
  id: ObjectId,
  names: readonly string[],
): Promise<Attributes> {
  const found = await Promise.all(names.map(name => reader.attribute(id, name)))
  return new Map(
    found.flatMap((attribute, i) =>
      attribute ? [[names[i] ?? '', knownAttribute(attribute)] as const] : [],
    ),
  )
}

/** Attributes that are read already. */
export function knownAttributes(
  attributes: readonly (Pick<Attribute, 'type' | 'value'> & { readonly name: string })[],
): Attributes {
  return new Map(attributes.map(attribute => [attribute.name, knownAttribute(attribute)]))
}

/** Elements of an attribute that are looked at: those that say something are few. @limit safety, elements */
const MAX_ELEMENTS = 64

/** The elements are decoded when a rule asks for them: most attributes of an object are none of a rule. */
function knownAttribute({ type, value }: Pick<Attribute, 'type' | 'value'>): KnownAttribute {
  const elements = value !== undefined && 'data' in value ? value : undefined
  return {
    form: isNumeric(type) ? formOf(type) : undefined,
    get data() {
      if (elements === undefined) return undefined
      return isNumeric(type) ? numbersIn(type, elements) : stringsIn(type, elements)
    },
  }
}

/** The form of numbers. */
export function formOf(type: NumericType): NumberForm {
  const kind = type.class === 'H5T_FLOAT' ? 'float' : integerOf(type).signed ? 'signed' : 'unsigned'
  return { kind, size: elementSize(type) }
}

function numbersIn(type: NumericType, { count, data }: Elements): readonly (number | bigint)[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const size = elementSize(type)
  return Array.from({ length: Math.min(count, MAX_ELEMENTS) }, (_, i) =>
    type.class === 'H5T_FLOAT'
      ? readFloat(type, view, i * size)
      : readInteger(integerOf(type), view, i * size),
  )
}

function stringsIn(type: Datatype, { count, data, heap }: Elements): readonly string[] | undefined {
  if (type.class !== 'H5T_STRING') return undefined
  const size = elementSize(type)
  return Array.from({ length: Math.min(count, MAX_ELEMENTS) }, (_, i) => {
    const offset = i * size
    if (isFixedString(type)) return decodeText(data, offset, endOfFixedText(type, data, offset))
    const start = slotStart(data, offset)
    return decodeText(heap, start, start + slotLength(data, offset))
  })
}
