// Where the value of a cell is stored: an element of a dataset, or a value in one of its compounds.

import type { Column } from '../table/columns.ts'
import { canName, placeOf } from '../table/columns.ts'
import { isEditable } from './elements.ts'
import type { ValueTarget } from './places.ts'

/** A value in a compound; undefined: it cannot be changed as text. */
export function memberTarget(
  dataset: string,
  select: string | undefined,
  column: Column,
): ValueTarget | undefined {
  const { member, path, type } = column
  if (!isEditable(type) || !canName([member.name])) return undefined
  const bytes = path.length === 0 ? undefined : placeOf(column)
  if (path.length > 0 && bytes === undefined) return undefined
  return { dataset, select, fields: member.name, bytes }
}
