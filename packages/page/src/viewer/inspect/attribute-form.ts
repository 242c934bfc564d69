// The value of an attribute as it is shown: strings in full, numbers as people write them, references as the ids of
// objects, which become links. Bounded: a value of a million elements shows its first ones and how many there are.

import type { Attribute } from '../meaning/attributes.ts'
import { formatElement } from '../meaning/values.ts'

export type AttributeForm =
  | { readonly kind: 'text'; readonly text: string }
  /** `[1, 2]`, with a list for each dimension; the first `shown` of all elements. */
  | { readonly kind: 'list'; readonly text: string; readonly shown: number; readonly count: number }
  /** References by the ids of their objects; undefined: the null reference. */
  | { readonly kind: 'references'; readonly ids: readonly (ObjectId | undefined)[]; readonly count: number }
  | { readonly kind: 'nothing'; readonly reason: string }

export interface ObjectId {
  readonly collection: 'groups' | 'datasets' | 'datatypes'
  readonly id: string
}

/** Elements of an attribute that are shown. @limit memory, elements */
const MAX_SHOWN = 100
/** References of an attribute that are shown; each is a request. @limit safety, references */
const MAX_REFERENCES = 20

export function attributeForm({ type, shape, data, reason }: Attribute): AttributeForm {
  if (data === undefined) return { kind: 'nothing', reason: reason ?? 'The value cannot be read.' }
  if (shape === undefined) return { kind: 'nothing', reason: 'It has no value (a null dataspace).' }
  const references = referencesIn(type, data)
  if (references) return references
  const isOne = shape.length === 0 || (data.length === 1 && typeof data[0] === 'string')
  if (isOne) {
    const [value] = data
    return { kind: 'text', text: typeof value === 'string' ? value : formatElement(type, value) }
  }
  const shown = Math.min(data.length, MAX_SHOWN)
  const items = Array.from({ length: shown }, (_, i) => formatElement(type, data[i]))
  const isWhole = shown === data.length
  return { kind: 'list', text: listText(isWhole ? shape : [shown], items), shown, count: data.length }
}

function listText([extent = 0, ...others]: readonly number[], items: readonly string[]): string {
  if (others.length === 0) return `[${items.join(', ')}]`
  const size = items.length / extent
  const rows = Array.from({ length: size > 0 ? extent : 0 }, (_, i) => items.slice(i * size, (i + 1) * size))
  return `[${rows.map(row => listText(others, row)).join(', ')}]`
}

function referencesIn(
  type: Attribute['type'],
  data: NonNullable<Attribute['data']>,
): AttributeForm | undefined {
  if (type.class !== 'H5T_REFERENCE' && !(type.class === 'H5T_VLEN' && type.base.class === 'H5T_REFERENCE'))
    return undefined
  const base = type.class === 'H5T_VLEN' ? type.base : type
  if (base.class === 'H5T_REFERENCE' && base.base !== 'H5T_STD_REF_OBJ') return undefined
  const all = (data as readonly unknown[]).flat()
  return { kind: 'references', ids: all.slice(0, MAX_REFERENCES).map(objectOf), count: all.length }
}

const COLLECTIONS = { g: 'groups', d: 'datasets', t: 'datatypes' } as const

/** The object of a reference such as `datasets/d-…` or `d-…`; undefined: it leads to none. */
export function objectOf(reference: unknown): ObjectId | undefined {
  if (typeof reference !== 'string') return undefined
  const [, id = '', letter = ''] =
    /^(?:(?:groups|datasets|datatypes)\/)?(([gdt])-[\w-]+)$/.exec(reference) ?? []
  return letter === 'g' || letter === 'd' || letter === 't'
    ? { collection: COLLECTIONS[letter], id }
    : undefined
}
