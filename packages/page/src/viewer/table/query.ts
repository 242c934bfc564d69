// Conditions in the query language of the service (hsds-values 11.2), made from a column, a comparison and a value.

import type { Datatype } from '@hyperslab/client'
import { isBoolean, numberForm } from '@hyperslab/client/elements'
import type { Column } from './columns.ts'

export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof COMPARISONS)[number]

/** A name that needs no quotes: `temp`, `pos.x`, `m[0]`. */
const WORD = /^[\p{L}_][\p{L}\p{N}_.[\]]*$/u
const RESERVED = /^(and|or|xor|not|in|where)$/i

/** The condition; undefined: the value cannot be compared with the column. */
export function conditionOf(
  { field, type }: Pick<Column, 'field' | 'type'>,
  comparison: Comparison,
  value: string,
): string | undefined {
  const literal = literalOf(type, value)
  return literal === undefined || field === undefined
    ? undefined
    : `${fieldText(field)} ${comparison} ${literal}`
}

/** The values that have names. */
export function namesOf(type: Datatype): readonly string[] {
  if (isBoolean(type)) return ['true', 'false']
  return type.class === 'H5T_ENUM' ? Object.keys(type.mapping) : []
}

/** Both conditions hold. */
export function joined(first: string, second: string): string {
  const before = first.trim()
  if (before === '') return second
  return /\b(or|xor)\b|\|/i.test(before) ? `(${before}) AND ${second}` : `${before} AND ${second}`
}

function fieldText(field: string): string {
  if (WORD.test(field) && !RESERVED.test(field)) return field
  return `"${field.replace(/[\\"]/g, '\\$&')}"`
}

function literalOf(type: Column['type'], value: string): string | undefined {
  const text = value.trim()
  if (isBoolean(type)) {
    if (/^(true|1)$/i.test(text)) return '1'
    return /^(false|0)$/i.test(text) ? '0' : undefined
  }
  if (type.class === 'H5T_ENUM' && Object.hasOwn(type.mapping, text)) return String(type.mapping[text])
  if (numberForm(type))
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? text.replace(/^\+/, '') : undefined
  return `'${value.replace(/[\\']/g, '\\$&')}'`
}
