// The ranges that the user has chosen, for each kind of data: another dataset of the same kind begins with that range,
// unless the address says another one.

import type { Plot } from '../../data/plot.ts'
import type { View } from '../../view-address.ts'

type OwnRange = Pick<View, 'range' | 'span'>

/** What makes ranges alike: the view, the part and the name of the numbers with their units, and their type. */
export function kindOf(
  name: string,
  plot: Pick<Plot, 'label' | 'signal'> | undefined,
  { part, signal }: View,
): string | undefined {
  const { shape, type } = plot?.signal.dataset ?? {}
  // Images of another size are of another instrument.
  return shape && JSON.stringify([name, plot?.label, part, signal, type, name === 'image' && shape.slice(-2)])
}

export class OwnRanges {
  readonly #known = new Map<string, OwnRange>()

  /** Undefined: the address has a range, or there is none to take. */
  rangeFor(kind: string | undefined, { range, span }: View): OwnRange | undefined {
    return kind === undefined || range !== undefined || span !== undefined ? undefined : this.#known.get(kind)
  }

  /** Remembers a choice of the user, or that the usual range is wanted again. */
  choose(kind: string | undefined, view: View, choices: Partial<View>): void {
    // Another part has other numbers.
    if (kind === undefined || 'part' in choices || !('range' in choices || 'span' in choices)) return
    const { range, span } = { ...view, ...choices }
    if (range === undefined && span === undefined) this.#known.delete(kind)
    else this.#known.set(kind, { range, span })
  }
}
