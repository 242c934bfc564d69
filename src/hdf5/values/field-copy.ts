// Some fields of a compound: the type of elements that hold only these, packed in the order they are named, and which
// bytes of an element are copied between such elements and whole ones.

import type { CompoundType } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'

/** What is copied of each element; whatever else the target holds stays. */
export interface FieldCopy {
  /** Bytes of an element that is copied from. */
  readonly sourceSize: number
  readonly stretches: readonly Stretch[]
}

/** Bytes that lie together: `length` of them at `from` in the source's element and at `to` in the target's. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly length: number
}

/** The compound of only these fields, in this order. Each name must be that of a field. */
export function withFields(type: CompoundType, names: readonly string[]): CompoundType {
  return {
    class: 'H5T_COMPOUND',
    fields: names.map(name => {
      const field = type.fields.find(candidate => candidate.name === name)
      if (field === undefined) throw new Error(`the compound has no field "${name}"`)
      return field
    }),
  }
}

/** From the fields of these names in `source` to those in `target`, which have the same types. */
export function fieldCopy(source: CompoundType, target: CompoundType, names: readonly string[]): FieldCopy {
  const stretches: Stretch[] = []
  for (const name of names) {
    const [at, length] = placeOf(source, name)
    const [to] = placeOf(target, name)
    const last = stretches.at(-1)
    const continues = last && last.from + last.length === at && last.to + last.length === to
    if (continues) stretches[stretches.length - 1] = { ...last, length: last.length + length }
    else stretches.push({ from: at, to, length })
  }
  return { sourceSize: elementSize(source), stretches }
}

/** Where a field lies in the packed element, and how many bytes it takes. */
function placeOf({ fields }: CompoundType, name: string): readonly [offset: number, size: number] {
  let offset = 0
  for (const field of fields) {
    const size = elementSize(field.type)
    if (field.name === name) return [offset, size]
    offset += size
  }
  throw new Error(`the compound has no field "${name}"`)
}
