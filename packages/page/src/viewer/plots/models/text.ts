// Values that are shown as text: the text of a note of NeXus, and the members of one compound.

import type { Elements } from '@hyperslab/client'
import type { Field } from '@hyperslab/client/elements'
import { elementText } from '../../code/element-text.ts'
import { type Column, columnsOf, valueIn } from '../../table/columns.ts'

/** Bytes are text in UTF-8. JSON has a line for each member. */
export function noteText(data: Elements): string {
  const text =
    data instanceof Uint8Array ? new TextDecoder().decode(data) : Array.from(data, String).join('\n')
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** A column and a text for each value in a compound, whose members are a list. */
export function memberTexts(
  fields: readonly Field[],
  values: unknown,
): readonly { readonly column: Column; readonly text: string }[] {
  const valueAt = (member: Field) => (values as readonly unknown[])[fields.indexOf(member)]
  return columnsOf(fields).map(column => ({
    column,
    text: elementText(column.type, valueIn(column, valueAt(column.member))),
  }))
}
