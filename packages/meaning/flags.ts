// The names of values that are flags: enums of HDF5, and the attributes flag_values, flag_masks and flag_meanings of CF
// (3.5).

import { type Attributes, numbersOf, textOf, textsOf } from './attributes.ts'

/** The name of a value; undefined: it has none. */
export type NameFlag = (value: number | bigint) => string | undefined

/** Flags of one dataset; 64 bits have no more masks. @limit safety, masks */
const MAX_MASKS = 256

/**
 * Undefined: the values are no flags. `members` has the names of an enum. Reasons why attributes say nothing go to
 * `problems`.
 */
export function flagNames(
  members: ReadonlyMap<number, string> | undefined,
  attributes: Attributes,
  problems: string[],
): NameFlag | undefined {
  if (members) return value => members.get(Number(value))
  const meanings = meaningsOf(attributes)
  if (meanings === undefined) return undefined
  const values = flagNumbers(attributes, 'flag_values')
  const masks = flagNumbers(attributes, 'flag_masks')
  const counts = [values, masks].flatMap(list => (list ? [list.length] : []))
  if (counts.length === 0 || counts.some(count => count !== meanings.length)) {
    problems.push(
      `flag_meanings has ${meanings.length} names, and there are ${counts.join(' and ') || 'no'} values or masks for them`,
    )
    return undefined
  }
  if (masks && masks.length > MAX_MASKS) {
    problems.push(`flag_masks has more than ${MAX_MASKS} masks`)
    return undefined
  }
  if (!masks) {
    const names = new Map(values?.map((value, i) => [value, meanings[i]]))
    return value => (isWhole(value) ? names.get(BigInt(value)) : undefined)
  }
  return value => {
    if (!isWhole(value)) return undefined
    const bits = BigInt(value)
    const found = meanings.filter((_, i) => {
      const mask = masks[i] ?? 0n
      return values ? (bits & mask) === values[i] : mask !== 0n && (bits & mask) === mask
    })
    return found.length > 0 ? found.join(', ') : undefined
  }
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** CF has them in one string; some programs write a list. */
function meaningsOf(attributes: Attributes): readonly string[] | undefined {
  const list = textsOf(attributes, 'flag_meanings')
  if (list === undefined || list.length !== 1) return list
  const words = list[0]?.split(/\s+/).filter(word => word !== '')
  return words?.length ? words : undefined
}

/** Some programs write them as a string such as `0b, 1b, 2b`. */
function flagNumbers(attributes: Attributes, name: string): readonly bigint[] | undefined {
  const numbers = numbersOf(attributes, name)
  if (numbers) return numbers.every(isWhole) ? numbers.map(number => BigInt(number)) : undefined
  const parts = textOf(attributes, name)?.match(/-?\d+/g)
  return parts?.map(part => BigInt(part))
}
