// The curves of a line plot: the signal, and the others that have its shape, each with its errors.

import type { Domain } from '@hyperslab/client'
import type { PlotAxis } from '../../data/axis.ts'
import type { Curve, Plot, Quantity } from '../../data/plot.ts'
import type { Tiles } from '../../data/tiles.ts'
import type { DimensionUse } from '../../view-address.ts'

export interface DrawnQuantity extends Quantity {
  readonly dataset: NonNullable<Quantity['signal']['dataset']>
  /** Its slice for that of the signal: a signal of one dimension has only that. */
  readonly uses: (uses: readonly DimensionUse[]) => readonly DimensionUse[]
}

export interface DrawnCurve extends DrawnQuantity {
  readonly label: string
  readonly errors: DrawnQuantity | undefined
  /** Of a dataset that is compared; absent: the curve is one of the plot. */
  readonly own?: OwnPlace | undefined
}

/** Where a curve is that is not one of the plot: its axis, and its file. */
export interface OwnPlace {
  readonly axis: PlotAxis
  readonly domain: Domain
  readonly tiles: Tiles
  /** Those of the axis. */
  readonly units: string | undefined
}

/** The signal and the others that have the same shape, or that of its line. */
export function curvesOf(plot: Plot): readonly DrawnCurve[] {
  const shape = plot.signal.dataset?.shape ?? []
  const drawn = <Q extends Quantity>(quantity: Q): (Q & DrawnQuantity) | undefined => {
    const { dataset } = quantity.signal
    const own = dataset?.shape
    if (dataset === undefined || own === undefined) return undefined
    if (own.length === shape.length && own.every((extent, d) => extent === shape[d]))
      return { ...quantity, dataset, uses: uses => uses }
    if (own.length === 1 && own[0] === shape.at(-1)) return { ...quantity, dataset, uses: () => ['x'] }
    return undefined
  }
  return [plot, ...plot.auxiliaries].flatMap((curve: Curve) => {
    const found = drawn(curve)
    return found ? [{ ...found, errors: curve.errors && drawn(curve.errors) }] : []
  })
}
