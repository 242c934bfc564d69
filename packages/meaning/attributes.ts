// The attributes of an object as the rules of meaning read them: the page has them from the API, the service in
// storage form. The functions never throw: metadata is made by people and may have any form.

/** The form of a number in bytes. */
export interface NumberForm {
  readonly kind: 'signed' | 'unsigned' | 'float'
  /** Bytes. */
  readonly size: number
}

export interface Attribute {
  /** Absent: its type has no numbers. */
  readonly form?: NumberForm | undefined
  /** Its elements in C order: strings, numbers, lists; undefined: they are not loaded. */
  readonly data: ArrayLike<unknown> | undefined
}

/** Attributes by their names. */
export type Attributes = ReadonlyMap<string, Attribute>

/** Characters of a name or units that are metadata. @limit safety, characters */
const MAX_TEXT = 1000

/** The value as a string, if it is one string or number. */
export function textOf(attributes: Attributes, name: string): string | undefined {
  const data = attributes.get(name)?.data
  if (data?.length !== 1) return undefined
  const value = data[0]
  if (typeof value === 'string') return value.slice(0, MAX_TEXT).trim()
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

/** The strings of a value that is one or several strings. */
export function textsOf(attributes: Attributes, name: string): readonly string[] | undefined {
  return listOf(attributes, name, value => typeof value === 'string')
}

/** The numbers of a value that has only numbers. */
export function numbersOf(attributes: Attributes, name: string): readonly (number | bigint)[] | undefined {
  return listOf(attributes, name, value => typeof value === 'number' || typeof value === 'bigint')
}

function listOf<T>(
  attributes: Attributes,
  name: string,
  isItem: (value: unknown) => value is T,
): readonly T[] | undefined {
  const data = attributes.get(name)?.data
  if (data === undefined || data.length === 0) return undefined
  const list = Array.from(data)
  return list.every(isItem) ? list : undefined
}
