// What the names of the axes of a drawing offer: which dimension is along each of them, and their exchange.

import { withUse } from '../../data/slice.ts'
import type { Axis } from '../../meaning/axes.ts'
import type { DimensionUse } from '../../view-address.ts'

export interface AxisChoice {
  readonly text: string
  /** Whether it is so already; undefined: it is an action. */
  readonly isChosen: boolean | undefined
  /** The uses of the dimensions then. */
  readonly uses: readonly DimensionUse[]
}

export interface AxisMenu {
  /** The name of the dimension that is along the axis. */
  readonly name: string
  readonly choices: readonly AxisChoice[]
}

export type AxisMenus = Partial<Readonly<Record<'x' | 'y', AxisMenu>>>

/** None where there is nothing to choose. */
export function axisMenus(
  dimensions: readonly Pick<Axis, 'name'>[],
  uses: readonly DimensionUse[],
  axes: readonly ('x' | 'y')[],
): AxisMenus {
  const names = dimensions.map(({ name }, d) =>
    dimensions.some((other, i) => i !== d && other.name === name) ? `${name} (dimension ${d})` : name,
  )
  // That of colours is none of them.
  const along = uses.flatMap((use, d) => (use === ':' ? [] : [d]))
  if (along.length < 2) return {}
  const menuOf = (axis: 'x' | 'y'): AxisMenu => ({
    name: dimensions[uses.indexOf(axis)]?.name ?? '',
    choices: [
      ...along.map(d => ({
        text: names[d] ?? '',
        isChosen: uses[d] === axis,
        uses: withUse(uses, d, axis),
      })),
      ...(axes.length < 2
        ? []
        : [{ text: 'Swap x and y', isChosen: undefined, uses: withUse(uses, uses.indexOf('x'), 'y') }]),
    ],
  })
  return Object.fromEntries(axes.map(axis => [axis, menuOf(axis)]))
}
