// Values as the attributes of their dataset mean them, for pictures: the numbers that stand for no value are NaN, and
// integers have the sign that `_Unsigned` says. The rule is that of the page: `packages/meaning/absent-numbers.ts`.

import {
  ABSENT_ATTRIBUTES,
  type AttributeNumbers,
  absentNumbers,
  signChange,
} from '@hyperslab/meaning/meaning'
import { elementSize } from '@hyperslab/model/datatype'
import { isNumeric, requireNumeric } from '@hyperslab/model/reduction'
import { integerOf, readFloat, readInteger } from '@hyperslab/model/values'
import type { Attribute } from '@hyperslab/store/store'
import type { Context } from '../context.ts'
import { stringsOf } from './default-plot.ts'
import { markMissing } from './reductions.ts'
import type { SelectedValues } from './values.ts'

/** The same values where no attribute says otherwise. `type-unsupported` for values that are not numbers. */
export async function presentValues(context: Context, values: SelectedValues): Promise<SelectedValues> {
  const { dataset, type } = values
  requireNumeric(type, 'a picture')
  const { reader } = context
  const [sign, ...found] = await Promise.all(
    ['_Unsigned', ...ABSENT_ATTRIBUTES].map(name => reader.attribute(dataset.id, name)),
  )
  const numbers = new Map(
    ABSENT_ATTRIBUTES.flatMap((name, i) => {
      const attribute = found[i]
      return attribute ? [[name, numbersOf(attribute)] as const] : []
    }),
  )
  const integer = type.class === 'H5T_FLOAT' ? undefined : integerOf(type)
  const kind = integer === undefined ? 'float' : integer.signed ? 'signed' : 'unsigned'
  const form = { kind, size: elementSize(type), unsigned: stringsOf(sign)[0] } as const
  const turned = integer && signChange(form) ? { ...integer, signed: !integer.signed } : type
  const { values: missing, min, max } = absentNumbers(form, numbers, [])
  const present = turned === type ? values : { ...values, type: turned }
  if (missing.size === 0 && min === undefined && max === undefined) return present
  return markMissing(context, present, { missing: [...missing], valid: { min, max } })
}

/**
 * Numbers of an attribute that are read to find those that stand for no value: a longer list is ignored.
 * @limit safety, numbers
 */
const MAX_NUMBERS = 16

function numbersOf({ type, value }: Attribute): AttributeNumbers {
  const areFloats = type.class === 'H5T_FLOAT'
  if (!isNumeric(type) || value === undefined || !('data' in value) || value.count === 0)
    return { numbers: undefined, areFloats }
  const view = new DataView(value.data.buffer, value.data.byteOffset, value.data.byteLength)
  const size = elementSize(type)
  const count = Math.min(value.count, MAX_NUMBERS)
  const numbers = Array.from({ length: count }, (_, i) =>
    type.class === 'H5T_FLOAT'
      ? readFloat(type, view, i * size)
      : readInteger(integerOf(type), view, i * size),
  )
  return { numbers, areFloats }
}
