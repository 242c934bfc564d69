// Values as the attributes of their dataset mean them, for pictures: the numbers that stand for no value are NaN, and
// integers have the sign that `_Unsigned` says. The rule is that of the page: `packages/meaning/absent-numbers.ts`.

import { ABSENT_ATTRIBUTES, type Attributes, absentNumbers, signChange } from '@hyperslab/meaning/meaning'
import { requireNumeric } from '@hyperslab/model/reduction'
import { integerOf } from '@hyperslab/model/values'
import { formOf, readKnownAttributes } from '../attributes/known-attributes.ts'
import type { Context } from '../context.ts'
import { markMissing } from './reductions.ts'
import type { SelectedValues } from './values.ts'

/**
 * The same values where no attribute says otherwise; `around` has those that groups around the dataset give it.
 * `type-unsupported` for values that are not numbers.
 */
export async function presentValues(
  context: Context,
  values: SelectedValues,
  around: Attributes = new Map(),
): Promise<SelectedValues> {
  const { dataset, type } = values
  requireNumeric(type, 'a picture')
  const own = await readKnownAttributes(context, dataset.id, ABSENT_ATTRIBUTES)
  const attributes = new Map([...around, ...own])
  const form = formOf(type)
  const integer = type.class === 'H5T_FLOAT' ? undefined : integerOf(type)
  const turned = integer && signChange(form, attributes) ? { ...integer, signed: !integer.signed } : type
  const { values: missing, min, max } = absentNumbers(form, attributes, [])
  const present = turned === type ? values : { ...values, type: turned }
  if (missing.size === 0 && min === undefined && max === undefined) return present
  return markMissing(context, present, { missing: [...missing], valid: { min, max } })
}
